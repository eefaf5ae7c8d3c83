"""A whole race played by bots: the real rules, dice that are thrown, nobody at the table.

What many races come to is a tally a race, added up in any order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from companion.advice.alone import Alone
from companion.advice.bots import by_room
from companion.advice.bots.by_room import answer
from companion.rules.formula.asks import BlackAsk, RollAsk
from companion.rules.formula.book import BLACK_DIE, GEAR_FACES, less
from companion.rules.formula.car import Car
from companion.rules.formula.game import Formula
from companion.rules.formula.rounds import TurnEnded
from companion.rules.formula.state import Event, State
from companion.rules.game import Ask, Decision
from companion.rules.lines import Answer
from companion.system.frozen import dataclass

T = TypeVar("T")


class Dice(Protocol):
    """What throws the dice: `random.Random`, say."""

    def choice(self, seq: Sequence[T]) -> T:
        """One of these, all alike."""

    def randint(self, a: int, b: int) -> int:
        """A whole number from a to b, both included."""


def throw(ask: Ask, dice: Dice) -> int | None:
    """The face that is asked for; None: no die is.

    The physical dice have some faces twice (FD-DIE-1), so they are thrown as such.
    """
    if isinstance(ask, RollAsk):
        return dice.choice(GEAR_FACES[ask.gear])
    if isinstance(ask, BlackAsk):
        return dice.randint(*BLACK_DIE)
    if ask.kind == "time":
        return 1  # no watch runs; equal times are rolled for (FD-TRIAL-2)
    return None


def decisions(
    game: Formula, state: State, levels: Mapping[int, by_room.Level], dice: Dice
) -> Iterator[Decision[State, Event]]:
    """What follows from each answer of a race, from a state to its end; `levels` by seat."""
    while asks := game.asks(state):
        ask: Any = asks[0]
        value: object = throw(ask, dice)
        if value is None:
            value = answer(levels[ask.seat], state, ask)
        decision = game.decide(state, Answer(ask.seat, ask.kind, value), asks)
        yield decision
        state = decision.state


def play(game: Formula, state: State, levels: Mapping[int, by_room.Level], dice: Dice) -> State:
    """Play a race from a state to its end; `levels` by seat."""
    for decision in decisions(game, state, levels, dice):
        state = decision.state
    return state


def drive(
    game: Formula, state: State, driver: by_room.Level, alone: Alone, dice: Dice
) -> tuple[State, float]:
    """A car alone on the board drives to the end: the state, and the turns that it took.

    A car that goes out is counted as the solved board does (`Alone.out`).
    """
    (seat,), turns = state.cars, 0.0
    for decision in decisions(game, state, {seat: driver}, dice):
        if decision.state.cars[seat].out:
            return decision.state, turns + 1 + alone.out(state.cars[seat])
        turns += sum(isinstance(event, TurnEnded) for event in decision.events)
        state = decision.state
    return state, turns


# -- what many races come to ----------------------------------------------------------------------


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
