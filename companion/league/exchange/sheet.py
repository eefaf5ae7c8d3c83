"""What a season or a race is to other programs, row by row: pure, and without any form.

CSV, the Ergast form and the printed report are all made of these rows. A race that is in no
season has its own points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from companion.frozen import dataclass
from companion.league.errors import BadAct
from companion.league.games import game_of
from companion.league.plain import Entry, LapNumbers, Race, Season, drivers_in
from companion.league.points import RESULT
from companion.league.ports import LeagueQueries
from companion.league.scores import Score, score_in, score_round
from companion.league.standings import rounds_of


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a file is about.

    Args:
        season: None where it is about one race that is in no season.
        races: the rounds in their order, or the one race.
        names: what people are called, by key.
        is_whole: whether it is about the season, not about one race of it.
        year: of the season's first race, where `races` may be without it.
    """

    season: Season | None
    races: tuple[Race, ...]
    names: Mapping[str, str]
    is_whole: bool = True
    year: str | None = None

    @property
    def of_season(self) -> Season:
        """The season of a sheet that `season_sheet` made."""
        assert self.season is not None
        return self.season

    def name(self, entry: Entry) -> str:
        """What the driver of a car is called today."""
        return self.names.get(entry.driver, entry.name)

    def team(self, race: Race, entry: Entry) -> str | None:
        """The team that a car of a race scores for."""
        if self.season is None:
            return entry.team
        return self.season.team_of(entry.driver, race.round or 0, entry.team)

    def scores(self, race: Race) -> list[Score]:
        """What a race is worth to its cars, best place first, penalties in it."""
        return score_in(self.season, race) if self.season else score_round(race, RESULT)


@dataclass(frozen=True, slots=True)
class StopRow:
    """A pit stop, counted from 1 for each car. `lap`: the one at whose end it was, None where
    nobody knows; `turns` that it took."""

    entry: Entry
    stop: int
    lap: int | None
    turns: int


@dataclass(frozen=True, slots=True)
class GridRow:
    """A place on the grid. `seconds` and `score` of the time trial (FD-TRIAL-2), where driven."""

    entry: Entry
    place: int
    seconds: float | None = None
    score: int | None = None


def season_sheet(queries: LeagueQueries, key: str) -> Sheet:
    """A season.

    Raises:
        BadAct: there is none with this key.
    """
    for season in queries.seasons(key):
        if season.key == key:
            races = rounds_of(season, queries.races(season=key))
            return Sheet(season, tuple(races), names_of(queries, races))
    raise BadAct(f"there is no season {key!r}")


def race_sheet(queries: LeagueQueries, race: str) -> Sheet:
    """One race.

    Raises:
        BadAct: there is none with this id.
    """
    found = queries.races(race=race)
    if not found:
        raise BadAct(f"there is no race {race!r}")
    key = found[0].season
    season = next(iter(queries.seasons(key)), None) if key is not None else None
    return Sheet(season, tuple(found), names_of(queries, found), is_whole=False)


def sheet_of(queries: LeagueQueries, key: str) -> Sheet:
    """A season by its key, or a race by its id.

    Raises:
        BadAct: there is neither.
    """
    if queries.seasons(key):
        return season_sheet(queries, key)
    return race_sheet(queries, key)


def names_of(queries: LeagueQueries, races: Iterable[Race]) -> dict[str, str]:
    """What the people in these races are called, by key."""
    return queries.names(drivers_in(list(races)))


def laps_of(race: Race) -> list[tuple[Entry, LapNumbers]]:
    """The laps of a race by number, then by position; none of one entered by hand."""
    laps = [(entry, lap) for entry in race.entries for lap in entry.numbers.get("laps", ())]
    return sorted(laps, key=lambda row: (row[1]["number"], row[1]["position"]))


def stops_of(race: Race) -> list[StopRow]:
    """The pit stops of a race by lap; none of one entered by hand."""
    rows = [row for entry in race.entries for row in _stops(entry)]
    return sorted(rows, key=lambda row: (row.lap or 0, row.entry.seat))


def _stops(entry: Entry) -> Iterator[StopRow]:
    laps = entry.numbers.get("stop_laps", ())
    for number, turns in enumerate(entry.numbers.get("stops", ()), 1):
        yield StopRow(entry, number, laps[number - 1] if number <= len(laps) else None, turns)


def grid_of(race: Race) -> list[GridRow]:
    """The grid of a race, the pole first; without cars whose place nobody knows."""
    rows = []
    for entry in race.entries:
        if entry.grid is not None:
            trial = entry.numbers.get("trial")
            times = (trial["seconds"], trial["score"]) if trial else ()
            rows.append(GridRow(entry, entry.grid, *times))
    return sorted(rows, key=lambda row: (row.place, row.entry.seat))


def laps_completed(race: Race, entry: Entry) -> int | None:
    """The whole laps of a car; None where nobody counted."""
    if entry.status == "finished" and race.laps is not None and game_of(race.game).has_laps:
        return race.laps
    return None if entry.lap is None else max(entry.lap - 1, 0)
