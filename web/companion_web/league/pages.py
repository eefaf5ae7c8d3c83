"""The league's pages for people: seasons, races, drivers, boards."""

from __future__ import annotations

from flask import Blueprint, Response, abort, redirect, url_for

from companion.league.byhand import COLUMNS
from companion.league.numbers.boards import boards_of
from companion.league.numbers.people import career_of
from companion.league.numbers.rating import Rating, ratings
from companion.league.numbers.rivals import rivals_of
from companion.league.plain import Race, Season
from companion.league.points import TABLES
from companion.league.standings import rounds_of, standings, team_standings
from companion_web.league import shown
from companion_web.league.door import Door
from companion_web.league.exports import forms_of
from companion_web.pages import reply_page
from companion_web.words_league import league_words


def blueprint(door: Door) -> Blueprint:
    """The routes under `/league` that answer with HTML."""
    pages = Blueprint("league", __name__, url_prefix="/league")
    _add_races(pages, door)
    _add_drivers(pages, door)
    _add_the_rest(pages, door)
    return pages


def _add_races(pages: Blueprint, door: Door) -> None:
    """Seasons and their races."""

    @pages.get("/", strict_slashes=False)
    def show_league() -> Response:
        refused = door.catch_up()
        seasons = door.queries.seasons()
        if seasons and not refused:
            return _to(url_for("league.show_season", key=seasons[0].key))
        return _reply(door, "races.html", races=_latest_first(door), refused=refused)

    @pages.get("/seasons/<key>")
    def show_season(key: str) -> Response:
        door.catch_up()
        season = door.season(key) or abort(404)
        return _reply(door, "season.html", season=season, **_season(door, season))

    @pages.get("/races")
    def list_races() -> Response:
        refused = door.catch_up()
        return _reply(door, "races.html", races=_latest_first(door), refused=refused)

    @pages.get("/races/<race>")
    def show_race(race: str) -> Response:
        door.catch_up()
        found = door.race(race) or abort(404)
        return _reply(door, "race.html", race=found, **_race(door, found))


def _add_drivers(pages: Blueprint, door: Door) -> None:
    """Everybody who drives."""

    @pages.get("/drivers")
    def list_drivers() -> Response:
        door.catch_up()
        races, drivers = door.queries.races(), door.queries.drivers()
        rated = ratings(races)
        people = [
            (one, rated.get(one.key, Rating(one.key)), career_of(one.key, races)) for one in drivers
        ]
        people.sort(key=lambda told: (-told[1].points, told[0].name.casefold()))
        return _reply(door, "drivers.html", people=people)

    @pages.get("/drivers/<key>")
    def show_driver(key: str) -> Response:
        door.catch_up()
        races = door.queries.races()
        driver = next((one for one in door.queries.drivers() if one.key == key), None)
        rating = ratings(races).get(key, Rating(key))
        return _reply(
            door,
            "driver.html",
            driver=driver or abort(404),
            career=career_of(key, races),
            rating=rating,
            rivals=rivals_of(key, races),
            names=door.names(),
        )


def _add_the_rest(pages: Blueprint, door: Door) -> None:
    """Boards with their records, and the forms."""

    @pages.get("/boards")
    def list_boards() -> Response:
        door.catch_up()
        boards = boards_of(door.queries.races())
        return _reply(door, "boards.html", boards=boards, names=door.names())

    @pages.get("/enter")
    def show_forms() -> Response:
        door.catch_up()
        races = list(reversed(door.queries.races()))
        boards = sorted({race.board or race.track or "" for race in races} - {""})
        return _reply(
            door,
            "enter.html",
            races=races,
            drivers=door.queries.drivers(),
            boards=boards,
            columns=" ".join(COLUMNS),
            tables=TABLES,
        )


def _to(address: str) -> Response:
    response = redirect(address)
    assert isinstance(response, Response)
    return response


def _reply(door: Door, template: str, **values: object) -> Response:
    seasons = door.queries.seasons()
    values |= {"door": door, "seasons": seasons, "shown": shown, "forms_of": forms_of}
    return reply_page(f"league/{template}", league_words, **values)


def _latest_first(door: Door) -> list[Race]:
    return list(reversed(door.queries.races()))


def _season(door: Door, season: Season) -> dict[str, object]:
    races = door.queries.races(season=season.key)
    names = door.names()
    lines = standings(season, races, names)
    return {
        "rounds": rounds_of(season, races),
        "lines": lines,
        "teams": team_standings(season, races),
        "names": names,
        "has_drops": any(score.dropped for line in lines for score in line.scores),
    }


def _race(door: Door, race: Race) -> dict[str, object]:
    season = door.season(race.season) if race.season else None
    return {
        "season": season,
        "rows": shown.result_rows(race, season if race.struck is None else None),
        "names": door.names(),
        "laps": shown.lap_rows(race),
        "has_replay": race.source == "record" and race.remark is None,
    }
