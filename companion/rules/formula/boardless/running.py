"""Who runs where, as far as laps, the card and the spaces moved tell it.

Nobody knows the ways of the cars, so the spaces that a car has moved are a guess: lanes differ,
and slipstreams are not told. Each order that the table gives sets the guesses right again:
nobody has come less far than whoever is behind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from companion.rules.copies import replace
from companion.rules.forms import Many, Pair, Seat, Within
from companion.rules.formula.boardless.bounds import Report
from companion.rules.formula.car import Car, Status
from companion.rules.formula.moving import Move
from companion.rules.formula.order import progress
from companion.rules.formula.state import Event, State
from companion.rules.formula.tables import MANY

Runs = tuple[tuple[int, int], ...]
"""Seats, each with the spaces that it has moved."""
NEAR = 4
"""Spaces between two cars by that guess, up to which they may touch: all that true races had."""


class Levelled(Event, public=False):
    """By the order that the table gave these cars have moved as many spaces."""

    runs: Annotated[Runs, Many(Pair(Seat(), Within(0, MANY)))]

    def applied(self, state: State) -> State:
        for seat, run in self.runs:
            state = has_run(state, seat, run)
        return state


def has_run(state: State, seat: int, run: int) -> State:
    """The state with so many spaces moved by a car, in all."""
    reckoning = replace(state.cars[seat].reckoning, run=run)
    return state.change(seat, reckoning=reckoning)


def run_on(car: Car, step: Move, report: Report) -> int:
    """The spaces moved in all, after a report."""
    return min(MANY, car.reckoning.run + max(0, step.spaces - report.brakes - report.blocked))


def on_grid(state: State, order: Sequence[int]) -> State:
    """Cars on the grid: each place is a space ahead of the one behind it."""
    for behind, seat in enumerate(reversed(order)):
        state = has_run(state, seat, behind)
    return state


def runs_in(state: State, order: Sequence[int]) -> Runs:
    """What an order of the running cars changes in the spaces that they have moved."""
    found, run = [], 0
    for seat in reversed(order):
        car = state.cars[seat]
        run = max(run, car.reckoning.run)
        if run != car.reckoning.run:
            found.append((seat, run))
    return tuple(found)


def likely_touched(state: State, step: Move, others: Sequence[int]) -> tuple[int, ...]:
    """Those of the others that a move may end beside or right behind, the likeliest first.

    Braking brings it less far; where two are as near, whoever is named first comes first.
    """
    goal = state.cars[step.seat].reckoning.run + step.spaces
    ahead = {seat: state.cars[seat].reckoning.run - goal for seat in others}
    near = [seat for seat in others if abs(ahead[seat]) <= NEAR]
    return tuple(sorted(near, key=lambda seat: abs(2 * ahead[seat] - 1)))  # beside, or one ahead


def likely_order(state: State) -> tuple[int, ...]:
    """The running seats, first to last: by laps, by the card, by the spaces moved.

    Where all that is equal, as they ran in this round.
    """
    ran = {seat: place for place, seat in enumerate(state.order)}
    track = state.setup.track

    def key(car: Car) -> tuple[int, int, int, int, int]:
        run = 0 if car.status is Status.PIT else -car.reckoning.run
        lap, on_card = -progress(track, car), -_on_card(state, car)
        return lap, on_card, run, ran.get(car.seat, len(ran)), car.seat

    return tuple(car.seat for car in sorted(state.running(), key=key))


def _on_card(state: State, car: Car) -> int:
    """How far round the card: before a corner, in it, and so on; 0 without one."""
    count = len(state.setup.track.corners)
    return (
        2 * (count if car.reckoning.line_due else car.reckoning.corner) + bool(car.stops)
        if count
        else 0
    )
