"""The league's pages for people: seasons, races, drivers, boards.

Lists with an end: which part of one a page shows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from flask import Blueprint, Request, Response, abort, redirect, request, url_for

from companion.league.byhand import COLUMNS
from companion.league.conduct import Record
from companion.league.games import game_of
from companion.league.plain import TABLES, Competition, Race, Refused, Season, drivers_in
from companion.league.stages import conduct_of
from companion.league.standings import next_number, rounds_of, standings, team_standings
from companion.rules.games import NAMES
from companion.system.frozen import dataclass
from companion.views.words import words
from companion_web.api import reply_json
from companion_web.league import drawings, forms
from companion_web.league.doors import LeagueAccess
from companion_web.league.exports import forms_of, link_to_bgstats
from companion_web.pages import choose_language, reply_page

# -- pages ----------------------------------------------------------------------------------------


MOST_TABS = 8
"""Seasons that every page names; the others are on a page of their own."""
MOST_MENDED = 20
"""Races to mend or to move, the latest ones."""
MOST_NAMED = 200
"""Names to choose from; where there are more, a name is typed."""
Rows = TypeVar("Rows")


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
        season = access.queries.current()
        if season and not refused:
            return _to(url_for("league.show_season", key=season.key))
        return _list_races(access, refused)

    @pages.get("/seasons/<key>")
    def show_season(key: str) -> Response:
        access.catch_up()
        season = access.queries.season(key) or abort(404)
        return reply_league(access, "season.html", season=season, **_season(access, season))

    @pages.get("/seasons")
    def list_seasons() -> Response:
        access.catch_up()
        page = Page.asked(request)
        found = access.queries.seasons(first=page.first, most=ROWS_A_PAGE + 1, is_slim=True)
        page = replace(page, rows=page.first + len(found))  # one more: there is another page
        return reply_league(access, "seasons.html", page=page, shown_seasons=found[:ROWS_A_PAGE])

    @pages.get("/races")
    def list_races() -> Response:
        return _list_races(access, access.catch_up())

    @pages.get("/races/<race>")
    def show_race(race: str) -> Response:
        access.catch_up()
        found = access.queries.race(race) or abort(404)
        return reply_league(access, "race.html", race=found, **_race(access, found))

    @pages.get("/races/<race>/after.json")
    def send_after(race: str) -> Response:
        access.catch_up()
        found = access.queries.race(race) or abort(404)
        season, lines = _after(access, found)
        say = words(choose_language(request))
        told = [
            {
                "place": one.line.place,
                "name": one.line.name,
                "points": one.line.points,
                "added": one.added,
                "moved": one.moved,
            }
            for one in lines
        ]
        about = None if season is None else {"title": drawings.title_of(season, say)}
        return reply_json({"season": about, "lines": told})


def _after(access: LeagueAccess, race: Race) -> tuple[Season | None, list[drawings.Moved]]:
    """The standings as a race has left them; none of one that is in no season."""
    season = access.queries.season(race.season) if race.season and race.counts else None
    if season is None or season.kind == "trials":
        return None, []
    races = access.queries.races(season=season.key, is_slim=True)
    return season, drawings.after(season, race, races, access.queries.names(drivers_in(races)))


def _list_races(access: LeagueAccess, refused: Sequence[Refused]) -> Response:
    races, page = _page(access.queries.latest)
    return reply_league(access, "races.html", races=races, page=page, refused=refused)


def _page(ask: Callable[..., tuple[Rows, int]]) -> tuple[Rows, Page]:
    """The rows of the page that is asked for, and which it is."""
    page = Page.asked(request)
    rows, count = ask(first=page.first, most=ROWS_A_PAGE)
    return rows, replace(page, rows=count)


def _add_drivers(pages: Blueprint, access: LeagueAccess) -> None:
    """Everybody who drives."""

    @pages.get("/drivers")
    def list_drivers() -> Response:
        access.catch_up()
        people, page = _page(access.queries.people)
        return reply_league(access, "drivers.html", people=people, page=page)

    @pages.get("/drivers/<key>")
    def show_driver(key: str) -> Response:
        access.catch_up()
        career = access.queries.career(key) or abort(404)
        drawn = {"rating": career.curve, "skill": career.skills, "luck": career.luck}
        curves = {name: drawings.curve_of(values) for name, values in drawn.items()}
        people, _ = access.queries.people(most=MOST_NAMED)
        named = [one.driver.name for one in people]
        told = {"totals": career.totals, "curves": curves, "people": named}
        return reply_league(access, "driver.html", career=career, **told)


def _add_the_rest(pages: Blueprint, access: LeagueAccess) -> None:
    """Boards with their records, and the forms."""

    @pages.get("/boards")
    def list_boards() -> Response:
        access.catch_up()
        boards = access.queries.boards()
        page = Page.asked(request, len(boards))
        return reply_league(access, "boards.html", boards=page.cut(boards), page=page)

    @pages.get("/enter")
    def show_forms() -> Response:
        access.catch_up()
        races, _ = access.queries.latest(most=MOST_MENDED)
        people, count = access.queries.people(most=MOST_NAMED)
        named = sorted((one.driver.name for one in people), key=str.casefold)
        titled = [(race, f"{race.date[:10]} {drawings.race_title(race)}") for race in races]
        return reply_league(
            access,
            "enter.html",
            races=races,
            people=named,
            names_few=[(name, name) for name in named] if count <= MOST_NAMED else [],
            boards=sorted({board.title for board in access.queries.boards()}),
            columns=" ".join(COLUMNS),
            choices={"tables": TABLES},
            games=NAMES,
            race_options=[(race.id, title) for race, title in titled],
            waiting=[(race.id, title) for race, title in titled if race.provisional],
        )


def _to(address: str) -> Response:
    response = redirect(address)
    assert isinstance(response, Response)
    return response


def reply_league(access: LeagueAccess, template: str, **values: object) -> Response:
    """A page of the league."""
    seasons = access.queries.seasons(most=MOST_TABS + 1, is_slim=True)
    values |= {
        "access": access,
        "seasons": seasons[:MOST_TABS],
        "has_more_seasons": len(seasons) > MOST_TABS,
        "shown": drawings,
        "forms": forms,
        "forms_of": forms_of,
    }
    return reply_page(f"league/{template}", **values)


def _season(access: LeagueAccess, season: Season) -> dict[str, object]:
    races = access.queries.races(season=season.key, is_slim=True)
    names = access.queries.names(drivers_in(races) | season.people)
    lines = standings(season, races, names)
    rounds = rounds_of(season, races)
    page = Page.asked(request, len(lines))
    return {
        "page": page,
        "listed": page.cut(lines),
        "rounds": rounds,
        "waiting": [race for race in races if race.provisional and race.struck is None],
        "lines": lines,
        "moved": drawings.moved(season, rounds, lines),
        "teams": team_standings(season, races),
        "paints": drawings.paints_of(access, rounds),
        "names": names,
        "crews": _crews(season, rounds),
        "licences": _against(access, season, rounds),
        "cup": _competition_of(access, season),
        "has_drops": any(score.dropped for line in lines for score in line.scores),
        "head": drawings.head_of(season, rounds),
    }


def _crews(season: Season, rounds: list[Race]) -> dict[str, tuple[str, ...]]:
    """Who drives the cars that have a crew, where these have the points themselves."""
    driven = {entry.driver: entry.crew for race in rounds for entry in race.entries if entry.crew}
    entered = {one.driver: one.crew for one in season.entrants if one.crew}
    return {} if season.crews == "each" else {**driven, **entered}


def _against(access: LeagueAccess, season: Season, rounds: list[Race]) -> list[Record]:
    """What stands against drivers before the next round."""
    conduct = conduct_of(access.queries, season, rounds)
    return conduct.records(next_number(season, rounds))


def _competition_of(access: LeagueAccess, season: Season) -> Competition | None:
    return access.queries.competition(season.competition)


def _race(access: LeagueAccess, race: Race) -> dict[str, object]:
    season = access.queries.season(race.season)
    drivers = drivers_in([race]) | {one.driver for one in race.protests}
    _, after = _after(access, race)
    teams = (
        season.team_of(one.driver, race.round or 0, one.team) for one in race.entries if season
    )
    return {
        "season": season,
        "standings_after": after,
        "after": {one.line.key: one for one in after},
        "has_teams": any(teams) or any(one.team for one in race.entries),
        "game": game_of(race.game),
        "rows": drawings.result_rows(race, season),
        "names": access.queries.names(drivers),
        "laps": drawings.lap_rows(race),
        "has_replay": race.source == "record" and race.remark is None,
        "has_review": has_review(access, race),
        "bgstats": link_to_bgstats(access, race) if race.counts else None,
    }


def has_review(access: LeagueAccess, race: Race) -> bool:
    """Whether a race may have a review: it was driven at a table, on a board, by Formula rules."""
    is_driven = race.source == "record" and race.remark is None and drawings.is_measured(race)
    return access.reviews is not None and is_driven


# -- paging ---------------------------------------------------------------------------------------


ROWS_A_PAGE: Final = 50
RowT = TypeVar("RowT")


@dataclass(frozen=True, slots=True)
class Page:
    """A part of a list of so many rows; `number` counts from 1."""

    number: int
    rows: int = 0

    @classmethod
    def asked(cls, request: Request, rows: int = 0) -> Page:
        """The page that an address asks for with `?page=`; the first where it says nothing."""
        text = request.args.get("page", "")
        is_number = text.isascii() and text.isdecimal() and len(text) < 7
        return cls(max(int(text), 1) if is_number else 1, rows)

    @property
    def first(self) -> int:
        """The rows before it."""
        return (self.number - 1) * ROWS_A_PAGE

    @property
    def last_number(self) -> int:
        """The number of the last page."""
        return max(1, -(-self.rows // ROWS_A_PAGE))

    def cut(self, rows: Sequence[RowT]) -> Sequence[RowT]:
        """The rows of this page."""
        return rows[self.first : self.first + ROWS_A_PAGE]
