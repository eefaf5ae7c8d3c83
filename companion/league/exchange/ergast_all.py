"""The addresses of Ergast that name no season: `drivers`, `results`, `drivers/ana/races` …

What they pick is looked up among the cars that were kept when races came in, and only the races
of the page that is asked for are read: an answer costs the same however many races there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from companion.league.exchange import ergast_parts as parts
from companion.league.exchange.ergast_filters import STANDINGS, Asked, pick_standings
from companion.league.exchange.ergast_page import Page
from companion.league.exchange.ergast_parts import Doc
from companion.league.exchange.sheet import Sheet, names_of
from companion.league.plain import Race, Season
from companion.league.ports import Book, LeagueQueries, Picked
from companion.league.standings import rounds_of

Groups = tuple[list[tuple[str, int]], int]
MOST = 100
"""Rows at once, as Jolpica has it."""
MOST_SEASONS = 10
"""Of standings so many seasons at once: each is worked out."""
COLUMNS: Mapping[str, str] = {
    "drivers": "driver_id",
    "constructors": "team_id",
    "circuits": "board_id",
    "status": "status_id",
    "grid": "grid",
    "results": "place",
    "fastest": "fastest",
    "qualifying": "grid",
}
"""By the name of a filter, what of a kept car it is compared with."""
OF_CARS: Mapping[str, tuple[str, Callable[[Sheet, Race], list[Doc]]]] = {
    "results": ("Results", parts.results),
    "qualifying": ("QualifyingResults", parts.qualifying),
    "sprint": ("SprintResults", parts.results),
}
"""By what is asked for, its name in a race and its rows."""
OF: Mapping[str, Literal["races", "sprints"]] = {
    "results": "races",
    "qualifying": "races",
    "races": "races",
    "sprint": "sprints",
}
"""By what is asked for, the races whose cars count; those of all for what is not named."""
NUMBERS = ("grid", "place", "fastest")
GROUPS: Mapping[str, tuple[str, str, str]] = {
    "drivers": ("driver", "DriverTable", "Drivers"),
    "constructors": ("team", "ConstructorTable", "Constructors"),
    "circuits": ("board", "CircuitTable", "Circuits"),
    "status": ("status", "StatusTable", "Status"),
}
"""By what is asked for: what of a kept car, the table and its list."""


def of_season(queries: LeagueQueries, season: Season, *, is_slim: bool = False) -> Sheet:
    """A season with all its rounds; slim ones do for its standings."""
    races = rounds_of(season, queries.races(season=season.key, is_slim=is_slim))
    year = min((race.date[:4] for race in races), default=None)
    return Sheet(season, tuple(races), names_of(queries, races), year=year)


class AllSeasons:
    """What is asked of all seasons."""

    def __init__(self, queries: LeagueQueries, book: Book, asked: Asked) -> None:
        self._queries = queries
        self._book = book
        self._asked = asked

    def answer(self, page: Page) -> Doc | None:
        """The document; None where Ergast, too, wants a season."""
        what, page = self._asked.what, page.at_most(MOST)
        picked = self._picked()
        if what in STANDINGS:
            return self._standings(picked, page.at_most(MOST_SEASONS))
        if picked is None and what in (*OF_CARS, "races"):
            return page.document("RaceTable", {}, "Races", [])
        if what == "seasons":
            return self._seasons(picked, page)
        if what == "races":
            return self._races(picked, page)
        if what in OF_CARS:
            return self._cars(picked, page)
        return self._groups(picked, page) if what in GROUPS else None

    def _picked(self) -> Picked | None:
        """The cars that are asked for; None: none can be."""
        values: list[tuple[str, str | int]] = []
        for name, value in self._asked.values.items():
            column = COLUMNS.get(name)
            if column in NUMBERS and not (value.isascii() and value.isdecimal() and len(value) < 6):
                return None
            if column is not None:
                values.append((column, int(value) if column in NUMBERS else value))
        what = self._asked.what
        return Picked(tuple(values), by_grid=what == "qualifying", of=OF.get(what, "all"))

    def _group(self, picked: Picked | None, of: str, page: Page) -> Groups:
        if picked is None:
            return [], 0
        return self._book.groups(picked, of, first=page.offset, most=page.limit)

    def _held_in(self, picked: Picked | None, years: Mapping[str, str]) -> list[str]:
        """The seasons that have such cars."""
        if picked is None:
            return []
        rows, _ = self._book.groups(picked, "season", most=len(years))
        return [key for key, _ in rows if key in years]

    def _groups(self, picked: Picked | None, page: Page) -> Doc:
        of, table, name = GROUPS[self._asked.what]
        rows, total = self._group(picked, of, page)
        return page.cut_already(table, {}, name, list(self._told(of, rows)), total)

    def _told(self, of: str, rows: Iterable[tuple[str, int]]) -> Iterable[Doc]:
        rows = list(rows)
        if of == "driver":
            names = self._queries.names([key for key, _ in rows])
            return [parts.driver(key, names.get(key, key)) for key, _ in rows]
        if of == "status":
            return [
                {"statusId": parts.status_id(status), "count": f"{count}", "status": status}
                for status, count in rows
            ]
        tell = parts.constructor if of == "team" else parts.circuit
        return [tell(title) for title, _ in rows]

    def _seasons(self, picked: Picked | None, page: Page) -> Doc:
        years = self._queries.years()
        if picked is None or picked.values:
            held = {years[key] for key in self._held_in(picked, years)}
        else:
            held = set(years.values())
        rows: list[Doc] = [{"season": year} for year in sorted(held)]
        return page.document("SeasonTable", {}, "Seasons", rows)

    def _races(self, picked: Picked | None, page: Page) -> Doc:
        rows, total = self._group(picked, "race", page)
        found = self._rounds(key for key, _ in rows)
        heads = [parts.race_head(sheet, race) for race, sheet in found]
        return page.cut_already("RaceTable", {}, "Races", heads, total)

    def _cars(self, picked: Picked | None, page: Page) -> Doc:
        assert picked is not None  # `answer` has seen to it
        rows, total = self._book.cars(picked, first=page.offset, most=page.limit)
        name, tell = OF_CARS[self._asked.what]
        seats = {(race, f"{seat}") for race, seat in rows}
        races: list[Doc] = []
        for race, sheet in self._rounds(race for race, _ in rows):
            own = [row for row in tell(sheet, race) if (race.id, row["number"]) in seats]
            races.append({**parts.race_head(sheet, race), name: own})
        return page.cut_already("RaceTable", {}, "Races", races, total)

    def _rounds(self, keys: Iterable[str]) -> list[tuple[Race, Sheet]]:
        """These races with their seasons, oldest first."""
        races = self._book.rounds(set(keys))
        names, years = names_of(self._queries, races), self._queries.years()
        sheets: dict[str, Sheet] = {}
        keys = {race.season for race in races if race.season}
        for season in self._queries.seasons(keys=keys):
            own = tuple(race for race in races if race.season == season.key)
            sheets[season.key] = Sheet(season, own, names, year=years.get(season.key))
        return [(race, sheets[race.season]) for race in races if race.season in sheets]

    def _standings(self, picked: Picked | None, page: Page) -> Doc:
        """A list a season, the oldest first: seasons are counted here, not lines."""
        name = STANDINGS[self._asked.what]
        years = self._queries.years()
        keys = sorted((years[key], key) for key in self._held_in(picked, years))
        lists: list[Doc] = []
        for sheet in self._sheets([key for _, key in page.cut(keys)]):
            rows = pick_standings(sheet, self._asked)
            if rows:
                lists.append({**parts.standings_head(sheet), name: rows})
        return page.cut_already("StandingsTable", {}, "StandingsLists", lists, len(keys))

    def _sheets(self, keys: Sequence[str]) -> Iterable[Sheet]:
        """These seasons with all their rounds, slim ones: all are asked for at once."""
        seasons = {one.key: one for one in self._queries.seasons(keys=keys)}
        races = self._queries.races(stages=keys, is_slim=True)
        names = names_of(self._queries, races)
        for season in (seasons[key] for key in keys if key in seasons):
            own = [race for race in races if race.season == season.key]
            own.sort(key=lambda race: (race.round or 0, race.date, race.id))
            rounds = tuple(rounds_of(season, own))
            yield Sheet(
                season, rounds, names, year=min((one.date[:4] for one in rounds), default=None)
            )
