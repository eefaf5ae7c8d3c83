"""What the reviews of a season's races come to: luck and accuracy, and standings without luck.

A review tells of each car `result` = start + luck + errors + traffic, in turns (docs/advice.md).
Without luck a car that came home would have taken `result` - `luck` turns. In that order the cars
that came home share out the very places and points that they had between them, so what a race gives
in all stays what it was; everything else of a race, and a race without a review, stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

from companion.league.plain import Entry, Race
from companion.system.frozen import dataclass

Review = Mapping[str, Any]
Reviews = Mapping[str, Review]
"""Reviews by race."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckLine:
    """A driver's season: `luck` and `errors` in turns over all its cars that came home.

    Positive is slower. `accuracy` is the mean over all cars reviewed, from 0 to 100.
    """

    driver: str
    races: int
    luck: float
    errors: float
    traffic: float
    accuracy: float


def luck_lines(races: Iterable[Race], reviews: Reviews) -> list[LuckLine]:
    """The drivers of the races that were reviewed, the most accurate first."""
    cars: dict[str, list[Mapping[str, Any]]] = {}
    for race in races:
        for entry, car in reviewed(race, reviews):
            cars.setdefault(entry.driver, []).append(car)
    lines = [_line(driver, own) for driver, own in cars.items()]
    return sorted(lines, key=lambda line: (-line.accuracy, line.driver))


def _line(driver: str, cars: Sequence[Mapping[str, Any]]) -> LuckLine:
    home = [car for car in cars if car["result"] is not None]
    return LuckLine(
        driver=driver,
        races=len(cars),
        luck=sum(car["luck"] for car in home),
        errors=sum(car["errors"] for car in home),
        traffic=sum(car["traffic"] for car in home),
        accuracy=fmean(car["accuracy"] for car in cars),
    )


def reviewed(race: Race, reviews: Reviews) -> list[tuple[Entry, Mapping[str, Any]]]:
    """The cars of a race that its review knows, by their place."""
    cars = reviews.get(race.id, {}).get("cars", {})
    known = ((entry, cars.get(str(entry.seat))) for entry in race.entries)
    return [(entry, car) for entry, car in known if car is not None and car["start"] is not None]


def without_luck(race: Race, reviews: Reviews) -> Race:
    """The race as it would have ended with mean dice; without a review, the race itself."""
    home = [
        (car["result"] - car["luck"], entry)
        for entry, car in reviewed(race, reviews)
        if entry.status == "finished" and car["result"] is not None
    ]
    entries = [entry for _, entry in home]
    order = [entry for _, entry in sorted(home, key=lambda one: (one[0], one[1].place))]
    given = sorted(entries, key=lambda entry: entry.place)
    moved = {
        entry.seat: replace(entry, place=won.place, points=won.points)
        for entry, won in zip(order, given, strict=True)
    }
    return replace(race, entries=tuple(moved.get(e.seat, e) for e in race.entries))
