"""The laps of each car: when each was over, and with how many rolls of the gear dice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from companion.frozen import dataclass
from companion.league.replayed import Move, Replayed
from companion.rules.formula.gears import DieRolled
from companion.rules.formula.moving import LineCrossed
from companion.rules.formula.pit import PitStopBegan, PitTurnBegan
from companion.rules.formula.rounds import RoundBegan
from companion.rules.formula.state import Event, State

FormulaMove = Move[State, Event]
FormulaRace = Replayed[State, Event]

BOXES = (PitStopBegan, PitTurnBegan)
"""A car is in its box: for its stop, or for the turn that it stands before it (DE-PIT-1)."""
LAP_BEGINS = (LineCrossed, *BOXES)
"""Events that carry the `lap` which begins: at the line, or in the box (FD-PIT-5)."""


@dataclass(frozen=True, slots=True)
class Lap:
    """A lap that a car has driven from the line to the line.

    Args:
        number: from 1.
        rolls: of the gear dice.
        position: the how-many-th car that ended this lap.
        at: seconds of the table's clock when it was over; None where the record does not say.
    """

    number: int
    rolls: int
    position: int
    at: float | None


@dataclass(slots=True)
class _Car:
    lap: int = 0
    rolls: int = 0
    driven: list[Lap] = field(default_factory=list)


def driven_laps(moves: Iterable[FormulaMove]) -> dict[int, list[Lap]]:
    """The whole laps of every car that rolled in the race, by seat; trials are no laps of it.

    A lap that the referee has put a car into does not count, nor does the one that it was in.
    """
    cars: dict[int, _Car] = {}
    ended: dict[int, int] = {}
    for move in race_moves(moves):
        for event in move.events:
            car = cars.setdefault(event.seat, _Car())
            car.rolls += isinstance(event, DieRolled)
            if isinstance(event, LAP_BEGINS) and event.lap > car.lap:
                _begin(car, event.lap, ended, move.at)
    return {seat: car.driven for seat, car in cars.items() if seat}


def begins_round(move: FormulaMove) -> bool:
    """Whether a round began by this move."""
    return any(isinstance(event, RoundBegan) for event in move.events)


def race_moves(moves: Iterable[FormulaMove]) -> Iterable[FormulaMove]:
    """The moves from the first round on, without the grid and its trials."""
    has_begun = False
    for move in moves:
        has_begun = has_begun or begins_round(move)
        if has_begun:
            yield move


def _begin(car: _Car, lap: int, ended: dict[int, int], at: float | None) -> None:
    if car.lap and lap == car.lap + 1:
        ended[car.lap] = ended.get(car.lap, 0) + 1
        car.driven.append(Lap(car.lap, car.rolls, ended[car.lap], at))
    car.lap, car.rolls = lap, 0
