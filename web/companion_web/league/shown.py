"""What the league's templates show, worked out of the plain records; pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from companion.league.classified import classify
from companion.league.exchange.sheet import laps_of
from companion.league.plain import CarNumbers, Entry, Race, Season
from companion.league.report.terms import FIGURES, SHEET
from companion.league.scores import Score, score_round
from companion.league.standings import Standing

__all__ = ["FIGURES", "SHEET"]
"""What templates take from here besides its own: the counts of a car, and the score sheet."""


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A car in the table of a race: `score` is what it earned in its season."""

    entry: Entry
    gained: int | None
    score: Score | None


def result_rows(race: Race, season: Season | None) -> list[ResultRow]:
    """The result, penalties in it."""
    scored = score_round(race, season.points) if season else ()
    scores = {score.entry.seat: score for score in scored}
    return [
        ResultRow(entry, entry.grid - entry.place if entry.grid else None, scores.get(entry.seat))
        for entry in classify(race)
    ]


def cells(line: Standing, rounds: Sequence[Race]) -> list[list[Score]]:
    """What a driver or a team brought home in each round."""
    return [[score for score in line.scores if score.race == race.id] for race in rounds]


def winner_of(race: Race) -> Entry | None:
    """Who won, penalties considered."""
    return next(iter(classify(race)), None)


def is_measured(race: Race) -> bool:
    """Whether there are figures of the cars."""
    return any("wp" in entry.numbers for entry in race.entries)


def seat_names(race: Race) -> dict[int, str]:
    """The names of a race by seat."""
    return {entry.seat: entry.name for entry in sorted(race.entries, key=lambda e: e.seat)}


def lap_rows(race: Race) -> list[list[tuple[Entry, int]]]:
    """Lap by lap the cars in the order in which they ended it, each with its rolls."""
    laps = groupby(laps_of(race), key=lambda row: row[1]["number"])
    return [[(entry, lap["rolls"]) for entry, lap in rows] for _, rows in laps]


def wear_lost(numbers: Iterable[CarNumbers]) -> dict[str, int]:
    """Wear points lost by category, of several cars together."""
    lost: dict[str, int] = {}
    for one in numbers:
        for name, points in one.get("wp", {}).items():
            lost[name] = lost.get(name, 0) + points
    return lost
