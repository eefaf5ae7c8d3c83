"""The read-only API of Ergast and Jolpica over a league: an address comes to a document.

    seasons · S · S/races · S/results · S/qualifying · S/laps · S/pitstops · S/drivers
    S/constructors · S/circuits · S/driverstandings · S/constructorstandings

S is the key of a season, its year (the newest one then) or `current`; behind it may stand a
round or `last`: of the standings, those after that round. `.json` may end an address.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.league.exchange.ergast import standings_table
from companion.league.exchange.ergast_parts import (
    circuit,
    constructor,
    driver,
    laps,
    pit_stops,
    qualifying,
    race_head,
    results,
    year_of,
)
from companion.league.exchange.sheet import Sheet, names_of
from companion.league.plain import Race, Season
from companion.league.ports import LeagueQueries
from companion.league.standings import rounds_of

Json = dict[str, Any]
Rows = Callable[[Sheet, Race], list[Json]]

ROWS_A_PAGE = 30
MOST_ROWS = 1000
OF_RACES: Mapping[str, tuple[str, Rows]] = {
    "results": ("Results", results),
    "qualifying": ("QualifyingResults", qualifying),
    "laps": ("Laps", laps),
    "pitstops": ("PitStops", pit_stops),
}
STANDINGS = {
    "driverstandings": "DriverStandings",
    "constructorstandings": "ConstructorStandings",
}


def answer(
    queries: LeagueQueries, address: str, *, limit: int = ROWS_A_PAGE, offset: int = 0
) -> Json | None:
    """The document at an address below `/ergast/f1/`; None: there is none.

    Args:
        limit: rows at most, 0 to `MOST_ROWS`; a lap of all its cars is as many rows.
        offset: rows left out before.
    """
    words = address.removesuffix("/").removesuffix(".json").removesuffix("/").lower().split("/")
    page = _Page(limit, offset)
    if words == ["seasons"]:
        return page.document("SeasonTable", {}, "Seasons", _years(queries))
    sheet = _sheet(queries, words[0])
    if sheet is None:
        return None
    return _answer_season(sheet, words[1:], page)


def _answer_season(sheet: Sheet, words: Sequence[str], page: _Page) -> Json | None:
    number, rest = _round(sheet, words)
    what = rest[0] if rest else "races"
    if len(rest) > 1 or (number is not None and number not in _numbers(sheet)):
        return None
    about = {"season": year_of(sheet)} | ({} if number is None else {"round": f"{number}"})
    if what in STANDINGS:
        return _standings(_until(sheet, number), STANDINGS[what], about, page)
    sheet = _only(sheet, number)
    if what in OF_RACES:
        return page.races(sheet, about, *OF_RACES[what])
    if what == "races":
        heads = [race_head(sheet, race) for race in sheet.races]
        return page.document("RaceTable", about, "Races", heads)
    if what in LISTS:
        table, name, rows = LISTS[what]
        return page.document(table, about, name, list(rows(sheet)))
    return None


def _sheet(queries: LeagueQueries, said: str) -> Sheet | None:
    """The season that an address names, the newest of those that it may mean."""
    seasons = queries.seasons()
    if said == "current":
        seasons = [one for one in seasons if one.is_open] or seasons
        return _of_season(queries, seasons[0]) if seasons else None
    for season in seasons:
        if season.key == said:
            return _of_season(queries, season)
    sheets = (_of_season(queries, season) for season in seasons)
    return next((one for one in sheets if year_of(one) == said), None)


def _of_season(queries: LeagueQueries, season: Season) -> Sheet:
    races = rounds_of(season, queries.races(season=season.key))
    return Sheet(season, tuple(races), names_of(queries))


def _years(queries: LeagueQueries) -> list[Json]:
    years = {year_of(_of_season(queries, season)) for season in queries.seasons()}
    return [{"season": year} for year in sorted(years)]


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


def _standings(sheet: Sheet, name: str, about: Json, page: _Page) -> Json:
    told = standings_table(sheet)
    lists = [
        {key: value for key, value in one.items() if key in ("season", "round", name)}
        for one in told["StandingsLists"]
    ]
    rows = [row for one in lists for row in one[name]]
    for one in lists:
        one[name] = page.cut(one[name])
    return page.head(len(rows)) | {"StandingsTable": {**about, "StandingsLists": lists}}


def _people(sheet: Sheet) -> Iterator[Json]:
    found = {one.driver: sheet.name(one) for race in sheet.races for one in race.entries}
    return (driver(key, found[key]) for key in sorted(found))


def _teams(sheet: Sheet) -> Iterator[Json]:
    found = {sheet.team(one) for race in sheet.races for one in race.entries}
    return (constructor(team) for team in sorted(team for team in found if team))


def _boards(sheet: Sheet) -> Iterator[Json]:
    return (circuit(one) for one in sorted({race.board or race.game for race in sheet.races}))


LISTS: Mapping[str, tuple[str, str, Callable[[Sheet], Iterator[Json]]]] = {
    "drivers": ("DriverTable", "Drivers", _people),
    "constructors": ("ConstructorTable", "Constructors", _teams),
    "circuits": ("CircuitTable", "Circuits", _boards),
}
"""The name of the table, of its list, and the rows."""


class _Page:
    """The rows that were asked for, out of all."""

    def __init__(self, limit: int, offset: int) -> None:
        self._limit = min(max(limit, 0), MOST_ROWS)
        self._offset = max(offset, 0)

    def head(self, total: int) -> Json:
        """What every document begins with."""
        told = {"limit": self._limit, "offset": self._offset, "total": total}
        return {"series": "f1", **{key: f"{value}" for key, value in told.items()}}

    def cut(self, rows: Sequence[Any]) -> list[Any]:
        """The rows of this page."""
        return list(rows[self._offset : self._offset + self._limit])

    def document(self, table: str, about: Json, name: str, rows: Sequence[Json]) -> Json:
        """A document with one list."""
        return {**self.head(len(rows)), table: {**about, name: self.cut(rows)}}

    def races(self, sheet: Sheet, about: Json, name: str, rows: Rows) -> Json:
        """Races with what is asked of them; a page ends wherever it is full."""
        every = [(race, row) for race in sheet.races for row in _singly(rows(sheet, race))]
        told = []
        cut = self.cut(every)
        for race in sheet.races:
            own = [row for other, row in cut if other is race]
            if own:
                told.append({**race_head(sheet, race), name: _together(own)})
        return {**self.head(len(every)), "RaceTable": {**about, "Races": told}}


def _singly(rows: Sequence[Json]) -> Iterator[Json]:
    """Laps with one car each; all else is single already."""
    for row in rows:
        for timing in row.get("Timings", [None]):
            yield row if timing is None else {**row, "Timings": [timing]}


def _together(rows: Sequence[Json]) -> list[Json]:
    """Laps with all their cars again."""
    told: list[Json] = []
    for row in rows:
        if "Timings" in row and told and told[-1]["number"] == row["number"]:
            told[-1] = {**row, "Timings": [*told[-1]["Timings"], *row["Timings"]]}
        else:
            told.append(row)
    return told
