"""What many races come to: a tally a race, added up in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from companion.frozen import dataclass
from companion.rules.formula.car import Car
from companion.rules.formula.state import State
from companion.rules.formula.wear import less


class Ran(NamedTuple):
    """How a car of one race did: `grid` and `place` from 1; `out` is the cause, None: home."""

    race: int
    seat: int
    level: str
    grid: int
    place: int
    out: str | None
    used: tuple[int, ...]


def rows_of(race: int, state: State, grid: Sequence[int], levels: Sequence[str]) -> list[Ran]:
    """The cars of a race that is over; `levels` in the order of the seats."""
    cars = sorted(state.cars.values(), key=lambda car: car.seat)
    return [_row(race, car, grid, level) for car, level in zip(cars, levels, strict=True)]


def _row(race: int, car: Car, grid: Sequence[int], level: str) -> Ran:
    place = car.place or 0
    why = car.out.why if car.out else None
    at = grid.index(car.seat) + 1
    return Ran(race, car.seat, level, at, place, why, less(car.full, car.wear))


@dataclass(frozen=True, slots=True)
class Level:
    """How the cars of a level did, together."""

    cars: int
    wins: int
    mean_place: float
    out: int


def tell(rows: Sequence[Ran], seats: int, categories: Sequence[str]) -> dict[str, object]:
    """What `companion simulate` tells of races, without the clock; `wear_used` is a car's mean."""
    wins = Counter(row.grid for row in rows if row.place == 1)
    causes = Counter(row.out for row in rows if row.out is not None)
    used = (sum(points) / len(rows) for points in zip(*(row.used for row in rows), strict=True))
    return {
        "races": len(rows) // seats,
        "wins_by_grid": [wins[place] for place in range(1, seats + 1)],
        "out_by_cause": dict(sorted(causes.items())),
        "wear_used": dict(zip(categories, used, strict=True)),
    }


def by_level(rows: Iterable[Ran]) -> Mapping[str, Level]:
    """How each level did."""
    of: dict[str, list[Ran]] = {}
    for row in rows:
        of.setdefault(row.level, []).append(row)
    return {
        name: Level(
            len(some),
            sum(row.place == 1 for row in some),
            sum(row.place for row in some) / len(some),
            sum(row.out is not None for row in some),
        )
        for name, some in of.items()
    }
