"""CSV for spreadsheets and pandas: results, laps, pit stops, qualifying, standings.

UTF-8 with commas, a header line, numbers as plain digits, empty where nobody knows. Every row
says of which race it is, so a season is one table. `season_csv.py` has the form that a league
reads back.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence

from companion.league.byhand import guard
from companion.league.exchange.sheet import (
    Sheet,
    grid_of,
    laps_completed,
    laps_of,
    season_sheet,
    sheet_of,
    stops_of,
)
from companion.league.plain import Entry, Race
from companion.league.ports import LeagueQueries
from companion.league.standings import Standing, standings, team_standings

Row = Sequence[object]
Own = Callable[[Race], Iterable[tuple[Entry, Row]]]
"""The rows of a race: each one's car, and what it says beside race and car."""

OF_RACE = ("season", "round", "race", "date", "board", "seat", "driver", "name")


def write_results(queries: LeagueQueries, key: str) -> bytes:
    """Every car of every race by place, with the points of the season."""
    heads = (
        "team",
        "position",
        "status",
        "out",
        "grid",
        "laps",
        "best_lap_rolls",
        "points",
        "kept_waiting_s",
        "waited_s",
    )
    sheet = sheet_of(queries, key)

    def rows(race: Race) -> Iterator[tuple[Entry, Row]]:
        for score in sheet.scores(race):
            one = score.entry
            home = (sheet.team(race, one), score.place, score.status, one.out, one.grid)
            waits = one.numbers.get("kept_waiting"), one.numbers.get("waited")
            yield one, (*home, laps_completed(race, one), one.best_lap, score.points, *waits)

    return _write(sheet, heads, rows)


def write_laps(queries: LeagueQueries, key: str) -> bytes:
    """Every lap: the position at its end, the rolls of its gear dice, seconds of the clock."""
    return _write(
        sheet_of(queries, key),
        ("lap", "position", "rolls", "seconds"),
        lambda race: (
            (entry, (lap["number"], lap["position"], lap["rolls"], lap["at"]))
            for entry, lap in laps_of(race)
        ),
    )


def write_stops(queries: LeagueQueries, key: str) -> bytes:
    """Every pit stop with the turns that it took."""
    return _write(
        sheet_of(queries, key),
        ("stop", "lap", "turns"),
        lambda race: ((row.entry, (row.stop, row.lap, row.turns)) for row in stops_of(race)),
    )


def write_qualifying(queries: LeagueQueries, key: str) -> bytes:
    """Every place on a grid, with the time trial where there was one."""
    return _write(
        sheet_of(queries, key),
        ("position", "trial_seconds", "trial_score"),
        lambda race: ((row.entry, (row.place, row.seconds, row.score)) for row in grid_of(race)),
    )


def write_standings(queries: LeagueQueries, key: str) -> bytes:
    """The drivers of a season, then its teams, best first."""
    sheet = season_sheet(queries, key)
    season = sheet.of_season
    heads = (
        "season",
        "of",
        "position",
        "key",
        "name",
        "team",
        "points",
        "wins",
        "penalty",
        "trial_score",
        "trial_seconds",
    )
    lines = (
        *_lines(season.key, "driver", standings(season, sheet.races, sheet.names)),
        *_lines(season.key, "team", team_standings(season, sheet.races)),
    )
    return format_csv(heads, lines)


def format_csv(heads: Sequence[str], rows: Iterable[Row]) -> bytes:
    """A file with a header line; None is empty, texts are guarded (`byhand.guard`).

    >>> format_csv(("name", "lap"), [("Łukasz, 2", None)]).decode()
    'name,lap\\r\\n"Łukasz, 2",\\r\\n'
    """
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow(heads)
    writer.writerows(
        [guard(cell) if isinstance(cell, str) else cell for cell in row] for row in rows
    )
    return stream.getvalue().encode()


def _write(sheet: Sheet, heads: Sequence[str], own: Own) -> bytes:
    """A table of all races: each row says of which race and car it is, then its own."""
    rows = (
        (
            race.season,
            race.round,
            race.id,
            race.date[:10],
            race.board,
            entry.seat,
            entry.driver,
            sheet.name(entry),
            *row,
        )
        for race in sheet.races
        for entry, row in own(race)
    )
    return format_csv((*OF_RACE, *heads), rows)


def _lines(season: str, of: str, lines: Iterable[Standing]) -> Iterator[Row]:
    for line in lines:
        about = (season, of, line.place, line.key, line.name, line.team)
        trial = line.trial or (None, None)
        yield (*about, line.points, line.wins, line.penalty, *trial)
