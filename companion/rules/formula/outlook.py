"""What people at a table want to know that follows from the rules and is no ask."""

from __future__ import annotations

from companion.rules.formula.car import Car, PitMark, Status
from companion.rules.formula.order import progress
from companion.rules.formula.state import State
from companion.rules.formula.tables import OVER_REV_COST, PIT_GEAR, TOP_GEAR

FARTHEST = 45
"""Levels that no move covers: 30 of a die, a slipstream or two, whatever else adds to it."""


def plays_next(state: State) -> int | None:
    """The seat whose turn comes after this one; None where this turn may still decide that.

    Who sits a turn out (`pace`) is not it. Behind the last turn of a round the leader is, if nobody
    can pass it in this one.
    """
    if state.turn is None or state.turn not in state.order:
        return None
    later = state.order[state.order.index(state.turn) + 1 :]
    cars = (state.cars[seat] for seat in later if seat in state.cars)
    plays = (car.seat for car in cars if car.runs and not car.flags.sits_out)
    return next(plays, None) if later else _leads_on(state, state.turn)


def _leads_on(state: State, turn: int) -> int | None:
    """Who begins the next round, whatever the last turn of this one comes to; None: who knows."""
    others = [car for car in state.running() if car.seat != turn and not car.flags.sits_out]
    if state.setup.boardless or not others:
        return None
    track, first = state.setup.track, state.ground.ranked(state, others)[0]
    ahead = progress(track, first) - progress(track, state.cars[turn])
    return first.seat if ahead > FARTHEST and first.status is not Status.PIT else None


def gears_to_come(car: Car) -> tuple[int, ...]:
    """The gears that a car may think of for its coming turn (FD-GEAR-2, FD-GEAR-3, DE-PIT-2).

    Only a wish: whether it can be paid for is judged when the turn comes.
    """
    if car.status in (Status.STALLED, Status.SPUN, Status.GRID) or not car.gear:
        return (1,)
    top = PIT_GEAR if car.pit_mark is PitMark.FRESH else min(TOP_GEAR, car.gear + 1)
    return tuple(range(max(1, car.gear - max(OVER_REV_COST) - 1), top + 1))


def stands_a_turn(state: State, seat: int, space: int) -> bool:
    """Whether a move to that space comes into the pit too fast, and costs a turn (DE-PIT-1)."""
    car = state.cars[seat]
    into_pit = state.setup.track.lane[space] < 0 and car.status is not Status.PIT
    return into_pit and car.gear > state.setup.edition.pit_entry_gear


def trials_to_come(state: State) -> bool:
    """Whether time trials are still to be driven: then the weather is rolled for them."""
    return any(step.kind in ("trial", "ranking") for step in state.pending)
