"""The league's pages for people: seasons, races, drivers, boards.

Pages on which people change what there is, and what was done.

Lists with an end: which part of one a page shows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from flask import Blueprint, Request, Response, abort, redirect, request, url_for

from companion.league.acts import PlaceRace, kind_of
from companion.league.byhand import COLUMNS
from companion.league.charts import cars_in
from companion.league.exchange.outside import outside
from companion.league.forms import STATUSES, Asked, asked_in
from companion.league.games import game_of
from companion.league.plain import (
    COMPANION,
    TABLES,
    Line,
    Race,
    Refused,
    Season,
    drivers_in,
    format_points,
)
from companion.league.results import classify
from companion.league.standings import (
    coming,
    next_number,
    planned,
    rounds_of,
    standings,
    team_standings,
    to_win,
)
from companion.rules.games import NAMES
from companion.system.frozen import dataclass
from companion.views.words import Words, words
from companion_web.api import reply_json
from companion_web.league import drawings, forms
from companion_web.league.doors import LeagueAccess, Requests, of_federation
from companion_web.league.exports import forms_of, links_of
from companion_web.pages import choose_language, reply_page

if TYPE_CHECKING:
    from companion.league.federation import Record

# -- pages ----------------------------------------------------------------------------------------


MOST_TABS = 8
"""Seasons that every page names; the others are on a page of their own."""
MOST_LEFT = 3
"""Rounds before the end from which it is told who needs what."""
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
        season = access.queries.season(key) or abort(404)
        return reply_league(access, "season.html", season=season, **_season(access, season))

    @pages.get("/seasons")
    def list_seasons() -> Response:
        page = Page.asked(request)
        found = access.queries.seasons(first=page.first, most=ROWS_A_PAGE + 1, is_slim=True)
        page = replace(page, rows=page.first + len(found))  # one more: there is another page
        return reply_league(access, "seasons.html", page=page, shown_seasons=found[:ROWS_A_PAGE])

    @pages.get("/races")
    def list_races() -> Response:
        return _list_races(access, access.catch_up())

    @pages.get("/races/<race>")
    def show_race(race: str) -> Response:
        found = access.queries.race(race) or abort(404)
        return reply_league(access, "race.html", race=found, **_race(access, found))

    @pages.get("/races/<race>/after.json")
    def send_after(race: str) -> Response:
        found = access.queries.race(race) or abort(404)
        season, lines = _after(access, found)
        say = words(choose_language(request))
        about = None if season is None else {"title": drawings.title_of(season, say)}
        return reply_json({"season": about, "lines": list(map(asdict, lines))})


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
        people, page = _page(access.queries.people)
        latest, _ = access.queries.latest(most=drawings.MOST_LOOKED_AT)
        cars = drawings.cars_of(access, latest[::-1])
        return reply_league(access, "drivers.html", people=people, page=page, cars=cars)

    @pages.get("/drivers/<key>")
    def show_driver(key: str) -> Response:
        career = access.queries.career(key) or abort(404)
        drawn = {"rating": career.curve, "skill": career.skills, "luck": career.luck}
        curves = {name: drawings.curve_of(values) for name, values in drawn.items()}
        people, _ = access.queries.people(most=MOST_NAMED)
        named = [one.driver.name for one in people]
        latest = [one.race for one in career.outings[: drawings.MOST_LOOKED_AT]]
        cars = cars_in(access.queries.rounds(latest))
        told = {
            "totals": career.totals,
            "curves": curves,
            "people": named,
            "cars": cars,
        }
        return reply_league(access, "driver.html", career=career, **told)


def _add_the_rest(pages: Blueprint, access: LeagueAccess) -> None:
    """Boards with their records, and the forms."""

    @pages.get("/boards")
    def list_boards() -> Response:
        boards = access.queries.boards()
        page = Page.asked(request, len(boards))
        return reply_league(access, "boards.html", boards=page.cut(boards), page=page)

    @pages.get("/enter")
    def show_forms() -> Response:
        races, _ = access.queries.latest(most=MOST_MENDED)
        titled = [(race, f"{race.date[:10]} {drawings.race_title(race)}") for race in races]
        return reply_forms(
            access,
            "enter.html",
            races=races,
            boards=sorted({board.title for board in access.queries.boards()}),
            columns=" ".join(COLUMNS),
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
        "title_of": lambda form: outside()[form].title,
    }
    return reply_page(f"league/{template}", **values)


def _season(access: LeagueAccess, season: Season) -> dict[str, object]:
    races = access.queries.races(season=season.key, is_slim=True)
    names = access.queries.names(drivers_in(races) | season.people)
    lines = standings(season, races, names)
    rounds = rounds_of(season, races)
    page, held = Page.asked(request, len(lines)), len({race.round for race in rounds})
    left = (planned(season) or 0) - held
    return {
        "left": left,
        "chances": to_win(season, rounds, lines, left) if 0 < left <= MOST_LEFT else [],
        "page": page,
        "listed": page.cut(lines),
        "rounds": rounds,
        "waiting": [race for race in races if race.provisional and race.struck is None],
        "lines": lines,
        "moved": drawings.moved(season, rounds, lines),
        "teams": team_standings(season, races),
        "cars": drawings.cars_of(access, rounds),
        "names": names,
        "crews": _crews(season, rounds),
        "licences": _against(access, season, rounds),
        "cup": access.queries.competition(season.competition),
        "has_drops": any(score.dropped for line in lines for score in line.scores),
        "held": held,
        "planned": planned(season),
        "coming": coming(season, rounds),
    }


def _crews(season: Season, rounds: list[Race]) -> dict[str, tuple[str, ...]]:
    """Who drives the cars that have a crew, where these have the points themselves."""
    driven = {entry.driver: entry.crew for race in rounds for entry in race.entries if entry.crew}
    entered = {one.driver: one.crew for one in season.entrants if one.crew}
    return {} if season.crews == "each" else {**driven, **entered}


def _against(access: LeagueAccess, season: Season, rounds: list[Race]) -> list[Record]:
    """What stands against drivers before the next round."""
    given = (*season.penalties, *(one for race in rounds for one in race.penalties))
    if season.competition is None and not any(one.bars or one.grid for one in given):
        return []
    from companion.league.federation.stages import conduct_of

    conduct = conduct_of(access.queries, season, rounds)
    return conduct.records(next_number(season, rounds))


def _race(access: LeagueAccess, race: Race) -> dict[str, object]:
    season = access.queries.season(race.season)
    _, after = _after(access, race)
    teams = (
        season.team_of(one.driver, race.round or 0, one.team) for one in race.entries if season
    )
    return {
        "season": season,
        "standings_after": after,
        "after": {one.key: one for one in after},
        "has_teams": any(teams) or any(one.team for one in race.entries),
        "has_fates": any(one.status != "finished" for one in classify(race)),
        "game": game_of(race.game),
        "rows": drawings.result_rows(race, season),
        "names": access.queries.names(_people(race)),
        "laps": drawings.lap_rows(race),
        "has_replay": race.source == "record" and race.remark is None,
        "has_review": has_review(access, race),
        "links": links_of(access, race) if race.counts else [],
    }


def has_review(access: LeagueAccess, race: Race) -> bool:
    """Whether a race may have a review: it was driven at a table, on a board, by Formula rules."""
    is_driven = race.source == "record" and race.remark is None and drawings.is_measured(race)
    return access.reviews is not None and is_driven


# -- what was done, and who changes it ------------------------------------------------------------


CHOICES: Final = {"statuses": STATUSES, "tables": TABLES}
"""What forms offer."""
SEASONS_NAMED = 60
MOST_SHOWN = 200
"""Acts on their page, the latest ones."""
MOST_TOLD = 160
"""Characters of what an act says there."""
NOT_SHOWN = ("person", "close-person", "table", "close-table", "hide", "reveal")
"""Kinds of acts that are no matter of strangers."""
OF_ACTS = ("n", "at", "by", "act", "undone", "race", "key_sha256", "record")
"""What its line has a place of its own for, or nobody wants to read."""
NOT_SAID = ("game", "season", "title")
OF_FEDERATIONS: Final = {
    "/competitions": "list_competitions",
    "/competitions/<key>": "show_competition",
    "/seasons/<key>/entries": "show_entries",
    "/tables/<table>": "show_table",
}


def organise_blueprint(access: LeagueAccess) -> Blueprint:
    """`/league/acts`, `/league/seasons/KEY/organise`, `/league/races/ID/amend`, and a federation's
    pages."""
    pages = Blueprint("league_organise", __name__, url_prefix="/league")

    @pages.get("/seasons/<key>/organise")
    def organise_season(key: str) -> Response:
        season = access.queries.season(key) or abort(404)
        names = access.queries.names(drivers_in(access.queries.held(season)) | season.people)
        cups = [(one.key, one.title) for one in access.queries.competitions()]
        told = {"names": names, "settings": _settings(season), "cup_options": cups}
        return reply_forms(access, "organise.html", season=season, **told)

    @pages.get("/races/<race>/amend")
    def amend_race(race: str) -> Response:
        found = access.queries.race(race) or abort(404)
        names = access.queries.names(_people(found))
        season = access.queries.season(found.season)
        drivers = dict.fromkeys(entry.driver for entry in found.entries)
        told = [(names.get(key, key), names.get(key, key)) for key in drivers]
        own = {"race": found, "season": season, "names": names, "driver_options": told}
        return reply_forms(access, "amend.html", **own)

    @pages.get("/acts")
    def show_acts() -> Response:
        asked = {word: request.args.get(word) or None for word in ("by", "day", "race")}
        acts = access.writer.history(**asked, latest=MOST_SHOWN)
        say = words(choose_language(request))
        seen = [told for one in reversed(acts) if (told := _seen(access, one, say)) is not None]
        return reply_forms(access, "acts.html", acts=seen, asked=asked)

    for rule, name in OF_FEDERATIONS.items():
        pages.add_url_rule(rule, name, partial(of_federation(name), access))
    return pages


def reply_forms(access: LeagueAccess, template: str, **values: object) -> Response:
    """A page with forms, and what they offer of what there is."""
    people, count = access.queries.people(most=MOST_NAMED)
    there = access.queries.seasons(most=SEASONS_NAMED, is_slim=True)
    named = sorted({one.driver.name for one in people}, key=str.casefold)
    return reply_league(
        access,
        template,
        choices=CHOICES,
        format_points=format_points,
        people=named,
        names_few=[(name, name) for name in named] if count <= MOST_NAMED else [],
        stages_there=there,
        season_options=[(one.key, one.title) for one in there],
        **values,
    )


def _settings(season: Season) -> dict[str, object]:
    """What a season's settings are now, by the fields of the act that sets them."""
    own = {name: getattr(season, name, None) for name in forms.SETTINGS.asks}
    told = {"points": format_points(season.points), "ties": ",".join(season.ties)}
    return {**own, **told, "stage": season.kind}


def _people(race: Race) -> set[str]:
    return drivers_in([race]) | {one.driver for one in race.protests}


def _seen(access: LeagueAccess, act: Line, say: Words) -> Line | None:
    """An act as strangers may see it; None: it is of a season that they do not see, or about keys
    and who is hidden; or it came by itself with another one, such as the round of a race."""
    seasons, race = (act.get(word) for word in ("season", "via")), act.get("race")
    came_along = (act["act"], act["by"]) == (PlaceRace.kind, COMPANION)
    is_private = any(key and access.queries.season(f"{key}") is None for key in seasons)
    if act["act"] in NOT_SHOWN or came_along or is_private:
        return None
    found = access.queries.race(race) if isinstance(race, str) else None
    if isinstance(race, str) and found is None:
        return None
    text, kind = access.queries.text, kind_of(act["act"])
    asked = {one.key: one for one in asked_in(kind).values()} if kind else {}
    own = ((key, value) for key, value in act.items() if key not in OF_ACTS)
    said = (_said(value, asked.get(key), say) for key, value in own if key not in NOT_SAID)
    about = ", ".join(filter(None, said))[:MOST_TOLD]
    told = {"by": text(f"{act['by']}"), "about": text(about), "day": f"{act['at']}"[:10]}
    title = {"title": kind.called if kind else act["act"]}
    where = {} if found is None else {"of_race": f"{drawings.race_title(found)}, {found.date[:10]}"}
    return {**act, **told, **title, **where}


def _said(value: object, asked: Asked | None, say: Words) -> str:
    """What an act says in a field, for people: a text of its own, or what it is called and the
    value; of cars their drivers."""
    if isinstance(value, list):
        names = (
            one.get("player") or one.get("name") if isinstance(one, dict) else one for one in value
        )
        return ", ".join(filter(None, names))
    label = asked.says.text if asked else ""
    is_named = asked is not None and label != asked.name.capitalize()
    if isinstance(value, bool) or value is None:
        return say(label) if value and is_named else ""
    return f"{say(label)} {value}" if is_named or isinstance(value, int | float) else f"{value}"


def entries_blueprint(access: LeagueAccess) -> Blueprint:
    """`GET /api/league/entries`: who is entered in the season that is open, for the lobby of the
    table; cars with their crews. `POST /api/league/look`: what acts would change."""
    entries = Blueprint("league_entries", __name__)

    @entries.get("/api/league/entries")
    def send_entries() -> Response:
        season = access.queries.current()
        if season is None:
            return reply_json({"season": None, "entries": []})
        names = access.queries.names(season.people)
        told = [
            {
                "name": one.name,
                "number": one.number,
                "color": one.color,
                "team": season.team_of(one.driver, 1, None),
                "crew": [names.get(driver, driver) for driver in one.crew],
            }
            for one in season.entrants
        ]
        return reply_json({"season": season.key, "entries": told})

    @entries.post("/api/league/look")
    def look() -> Response:
        say = words(choose_language(request))
        return Requests(access).look(
            lambda acts, by: {"seasons": drawings.foreseen(access, acts, by, say)}
        )

    return entries


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
