"""What people at a table want to know that follows from the rules and is no ask."""

from __future__ import annotations

from companion.rules.formula.state import Car, State, Status
from companion.rules.formula.tables import OVER_REV_COST, PIT_GEAR, TOP_GEAR


def gears_to_come(car: Car) -> tuple[int, ...]:
    """The gears that a car may think of for its coming turn (FD-GEAR-2, FD-GEAR-3, DE-PIT-2).

    Only a wish: whether it can be paid for is judged when the turn comes.
    """
    if car.status in (Status.STALLED, Status.SPUN, Status.GRID) or not car.gear:
        return (1,)
    top = PIT_GEAR if car.pit_mark == "fresh" else min(TOP_GEAR, car.gear + 1)
    return tuple(range(max(1, car.gear - max(OVER_REV_COST) - 1), top + 1))


def stands_a_turn(state: State, seat: int, space: int) -> bool:
    """Whether a move to that space comes into the pit too fast, and costs a turn (DE-PIT-1)."""
    car = state.cars[seat]
    into_pit = state.setup.track.lane[space] < 0 and car.status is not Status.PIT
    return into_pit and car.gear > state.setup.edition.pit_entry_gear


def trials_to_come(state: State) -> bool:
    """Whether time trials are still to be driven: then the weather is rolled for them."""
    return any(step.kind in ("trial", "ranking") for step in state.pending)
