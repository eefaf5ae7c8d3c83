"""The read-only API of Ergast and Jolpica over a league: an address comes to a document.

    seasons · S · S/races · S/results · S/qualifying · S/laps · S/pitstops · S/drivers
    S/constructors · S/circuits · S/status · S/sprint · S/driverstandings · S/constructorstandings

and all but laps and pit stops without S, over all seasons (`ergast_all.py`).

S is the key of a season, its year (the newest one then) or `current`; behind it may stand a
round or `last`: of the standings, those after that round. Between it and what is asked for may
stand filters (`ergast_filters.py`). `.json` may end an address.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from companion.league.exchange import ergast_parts as parts
from companion.league.exchange.ergast_all import AllSeasons, of_season
from companion.league.exchange.ergast_filters import (
    NAMES,
    OF_CARS,
    OF_ROWS,
    STANDINGS,
    Asked,
    pick_standings,
    read,
)
from companion.league.exchange.ergast_page import ROWS_A_PAGE, Join, Page, Rows
from companion.league.exchange.ergast_parts import Doc, Timing
from companion.league.exchange.sheet import Sheet
from companion.league.plain import Race
from companion.league.ports import Book, LeagueQueries

Listed = Callable[[Sheet, Asked], Iterator[Doc]]


def _single(rows: Callable[[Sheet, Race], list[Doc]]) -> Rows:
    """Rows that stand alone; of laps the times of the cars are counted singly."""
    return lambda sheet, race: [("", row) for row in rows(sheet, race)]


def _as_they_are(rows: Sequence[Timing]) -> list[Doc]:
    return [row for _, row in rows]


OF_RACES: Mapping[str, tuple[str, Rows, Join]] = {
    "results": ("Results", _single(parts.results), _as_they_are),
    "qualifying": ("QualifyingResults", _single(parts.qualifying), _as_they_are),
    "laps": ("Laps", parts.lap_timings, parts.as_laps),
    "sprint": ("SprintResults", _single(parts.results), _as_they_are),
    "pitstops": ("PitStops", _single(parts.pit_stops), _as_they_are),
}
"""The name in a race, its rows, and how the rows of a page are put together."""


def answer(
    queries: LeagueQueries,
    book: Book,
    address: str,
    *,
    limit: int = ROWS_A_PAGE,
    offset: int = 0,
) -> Doc | None:
    """The document at an address below `/ergast/f1/`; None: there is none.

    Args:
        limit: rows at most, 0 to `MOST_ROWS`, across seasons `ergast_all.MOST`; a lap of all its
            cars is as many rows.
        offset: rows left out before.
    """
    words = address.removesuffix("/").removesuffix(".json").removesuffix("/").lower().split("/")
    page = Page(limit, offset)
    if words == ["seasons"]:
        return page.document("SeasonTable", {}, "Seasons", _years(queries))
    sheet = _sheet(queries, words[0])
    if sheet is not None:
        return _answer_season(sheet, words[1:], page)
    asked = read(words) if words[0] in NAMES else None
    return None if asked is None else AllSeasons(queries, book, asked).answer(page)


def _answer_season(sheet: Sheet, words: Sequence[str], page: Page) -> Doc | None:
    number, rest = _round(sheet, words)
    asked = read(rest)
    if asked is None or (number is not None and number not in _numbers(sheet)):
        return None
    about: Doc = {"season": parts.year_of(sheet)}
    if number is not None:
        about["round"] = f"{number}"
    if asked.what in STANDINGS:
        return _standings(_until(sheet, number), asked, about, page)
    sheet = _only(sheet, number)
    beside = parts.sprints_among(sheet.races)
    sprints = {race.round: race for race in sheet.races if race.id in beside}
    sheet = replace(sheet, races=_races_of(sheet, asked))
    if asked.what in OF_RACES:
        return page.races(sheet, about, *OF_RACES[asked.what], fits=_fits(asked, sheet))
    if asked.picks_cars:
        held = tuple(race for race in sheet.races if asked.cars(sheet, race))
        sheet = replace(sheet, races=held)
    if asked.what == "races":
        heads = [_in_calendar(sheet, race, sprints.get(race.round)) for race in sheet.races]
        return page.document("RaceTable", about, "Races", heads)
    if asked.what in LISTS:
        table, name, listed = LISTS[asked.what]
        return page.document(table, about, name, list(listed(sheet, asked)))
    return None


def _races_of(sheet: Sheet, asked: Asked) -> tuple[Race, ...]:
    """The races on the board that is asked for: sprints, all but those, or whichever."""
    every = sheet.races
    is_of_sprints = sheet.season is not None and sheet.season.kind == "sprint"
    if asked.what in (*OF_RACES, "races") and not (asked.what == "sprint" and is_of_sprints):
        sprints = parts.sprints_among(every)
        every = tuple(r for r in every if (r.id in sprints) == (asked.what == "sprint"))
    return tuple(race for race in every if asked.takes(race))


def _in_calendar(sheet: Sheet, race: Race, sprint: Race | None) -> Doc:
    """A race of a season, with the sprint of its round."""
    told = {} if sprint is None else {"Sprint": parts.moment(sprint)}
    return {**parts.race_head(sheet, race), **told}


def _fits(asked: Asked, sheet: Sheet) -> Callable[[Race, Timing], bool]:
    """Whether a row of a race is one of those that are asked for."""
    known: dict[str, set[str]] = {}

    def fits(race: Race, timing: Timing) -> bool:
        number, row = timing
        if race.id not in known:
            cars = asked.cars(sheet, race)
            known[race.id] = {OF_CARS["drivers"](car) for car in cars}
        driver = str(row.get("driverId") or OF_CARS["drivers"](row))
        own = number or str(row.get(OF_ROWS.get(asked.what, ""), ""))
        return driver in known[race.id] and asked.own in (None, own)

    return fits


def _sheet(queries: LeagueQueries, name: str) -> Sheet | None:
    """The season that an address names, the newest of those that it may mean."""
    if name == "current":
        season = queries.current()
        return None if season is None else of_season(queries, season)
    found = queries.seasons(name)
    if not found:
        key = next((key for key, year in queries.years().items() if year == name), None)
        found = [] if key is None else queries.seasons(key)
    return of_season(queries, found[0]) if found else None


def _years(queries: LeagueQueries) -> list[Doc]:
    return [{"season": year} for year in sorted(set(queries.years().values()))]


def _round(sheet: Sheet, words: Sequence[str]) -> tuple[int | None, Sequence[str]]:
    """The round that an address names, and what is behind it."""
    if words and words[0] == "last":
        return max(_numbers(sheet), default=0), words[1:]
    if words and words[0].isdecimal():
        return int(words[0]), words[1:]
    return None, words


def _numbers(sheet: Sheet) -> set[int]:
    return {race.round or 0 for race in sheet.races}


def _only(sheet: Sheet, number: int | None) -> Sheet:
    races = (race for race in sheet.races if number in (None, race.round))
    return replace(sheet, races=tuple(races))


def _until(sheet: Sheet, number: int | None) -> Sheet:
    races = (race for race in sheet.races if number is None or (race.round or 0) <= number)
    return replace(sheet, races=tuple(races))


def _standings(sheet: Sheet, asked: Asked, about: Doc, page: Page) -> Doc:
    name = STANDINGS[asked.what]
    rows = pick_standings(sheet, asked)
    head = parts.standings_head(sheet)
    lists = [{**head, name: page.cut(rows)}] if sheet.races else []
    table = {**about, "round": head["round"], "StandingsLists": lists}
    return page.head(len(rows)) | {"StandingsTable": table}


def _parts_of(name: str, key: str) -> Listed:
    """What the cars that are asked for have under a name, each once, by its id."""

    def listed(sheet: Sheet, asked: Asked) -> Iterator[Doc]:
        cars = [car for race in sheet.races for car in asked.cars(sheet, race)]
        found = {str(part[key]): part for car in cars if isinstance(part := car.get(name), dict)}
        return (found[one] for one in sorted(found))

    return listed


def _boards(sheet: Sheet, asked: Asked) -> Iterator[Doc]:
    return (parts.circuit(one) for one in sorted(set(map(parts.board_of, sheet.races))))


def _fates(sheet: Sheet, asked: Asked) -> Iterator[Doc]:
    rows = (str(car["status"]) for race in sheet.races for car in asked.cars(sheet, race))
    counted = sorted(Counter(rows).items())
    return (
        {"statusId": parts.status_id(one), "count": f"{n}", "status": one} for one, n in counted
    )


def _years_of(sheet: Sheet, asked: Asked) -> Iterator[Doc]:
    if sheet.races:
        yield {"season": parts.year_of(sheet)}


LISTS: Mapping[str, tuple[str, str, Listed]] = {
    "drivers": ("DriverTable", "Drivers", _parts_of("Driver", "driverId")),
    "constructors": ("ConstructorTable", "Constructors", _parts_of("Constructor", "constructorId")),
    "circuits": ("CircuitTable", "Circuits", _boards),
    "status": ("StatusTable", "Status", _fates),
    "seasons": ("SeasonTable", "Seasons", _years_of),
}
"""The name of the table, of its list, and the rows."""
