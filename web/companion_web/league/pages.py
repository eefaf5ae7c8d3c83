"""The league's pages for people: seasons, races, drivers, boards."""

from __future__ import annotations

from flask import Blueprint, Response, abort, redirect, url_for

from companion.league.byhand import COLUMNS
from companion.league.games import game_of
from companion.league.numbers.boards import boards_of
from companion.league.numbers.people import career_of
from companion.league.numbers.rating import Rating, ratings
from companion.league.numbers.rivals import rivals_of
from companion.league.plain import Race, Season, meant
from companion.league.points import TABLES
from companion.league.standings import rounds_of, standings, team_standings
from companion.rules.games import NAMES
from companion_web.league import shown
from companion_web.league.access import LeagueAccess
from companion_web.league.exports import forms_of
from companion_web.league.words import league_words
from companion_web.pages import reply_page


def blueprint(access: LeagueAccess) -> Blueprint:
    """The routes under `/league` that answer with HTML."""
    pages = Blueprint("league", __name__, url_prefix="/league")
    _add_races(pages, access)
    _add_drivers(pages, access)
    _add_the_rest(pages, access)
    return pages


def _add_races(pages: Blueprint, access: LeagueAccess) -> None:
    """Seasons and their races."""

    @pages.get("/", strict_slashes=False)
    def show_league() -> Response:
        refused = access.catch_up()
        season = meant(access.queries.seasons())
        if season and not refused:
            return _to(url_for("league.show_season", key=season.key))
        return _reply(access, "races.html", races=_latest_first(access), refused=refused)

    @pages.get("/seasons/<key>")
    def show_season(key: str) -> Response:
        access.catch_up()
        season = access.season(key) or abort(404)
        return _reply(access, "season.html", season=season, **_season(access, season))

    @pages.get("/races")
    def list_races() -> Response:
        refused = access.catch_up()
        return _reply(access, "races.html", races=_latest_first(access), refused=refused)

    @pages.get("/races/<race>")
    def show_race(race: str) -> Response:
        access.catch_up()
        found = access.race(race) or abort(404)
        return _reply(access, "race.html", race=found, **_race(access, found))


def _add_drivers(pages: Blueprint, access: LeagueAccess) -> None:
    """Everybody who drives."""

    @pages.get("/drivers")
    def list_drivers() -> Response:
        access.catch_up()
        races, drivers = access.queries.races(), access.queries.drivers()
        rated = ratings(races)
        people = [
            (one, rated.get(one.key, Rating(one.key)), career_of(one.key, races)) for one in drivers
        ]
        people.sort(key=lambda one: (-one[1].points, one[0].name.casefold()))
        return _reply(access, "drivers.html", people=people)

    @pages.get("/drivers/<key>")
    def show_driver(key: str) -> Response:
        access.catch_up()
        races = access.queries.races()
        driver = next((one for one in access.queries.drivers() if one.key == key), None)
        rating = ratings(races).get(key, Rating(key))
        return _reply(
            access,
            "driver.html",
            driver=driver or abort(404),
            career=career_of(key, races),
            rating=rating,
            rivals=rivals_of(key, races),
            names=access.names(),
        )


def _add_the_rest(pages: Blueprint, access: LeagueAccess) -> None:
    """Boards with their records, and the forms."""

    @pages.get("/boards")
    def list_boards() -> Response:
        access.catch_up()
        boards = boards_of(access.queries.races())
        return _reply(access, "boards.html", boards=boards, names=access.names())

    @pages.get("/enter")
    def show_forms() -> Response:
        access.catch_up()
        races = list(reversed(access.queries.races()))
        boards = sorted({race.board or race.track or "" for race in races} - {""})
        return _reply(
            access,
            "enter.html",
            races=races,
            drivers=access.queries.drivers(),
            boards=boards,
            columns=" ".join(COLUMNS),
            tables=TABLES,
            games=NAMES,
        )


def _to(address: str) -> Response:
    response = redirect(address)
    assert isinstance(response, Response)
    return response


def _reply(access: LeagueAccess, template: str, **values: object) -> Response:
    seasons = access.queries.seasons()
    values |= {"access": access, "seasons": seasons, "shown": shown, "forms_of": forms_of}
    return reply_page(f"league/{template}", league_words, **values)


def _latest_first(access: LeagueAccess) -> list[Race]:
    return list(reversed(access.queries.races()))


def _season(access: LeagueAccess, season: Season) -> dict[str, object]:
    races = access.queries.races(season=season.key)
    names = access.names()
    lines = standings(season, races, names)
    return {
        "rounds": rounds_of(season, races),
        "lines": lines,
        "teams": team_standings(season, races),
        "names": names,
        "has_drops": any(score.dropped for line in lines for score in line.scores),
    }


def _race(access: LeagueAccess, race: Race) -> dict[str, object]:
    season = access.season(race.season) if race.season else None
    return {
        "season": season,
        "game": game_of(race.game),
        "rows": shown.result_rows(race, season if race.struck is None else None),
        "names": access.names(),
        "laps": shown.lap_rows(race),
        "has_replay": race.source == "record" and race.remark is None,
    }
