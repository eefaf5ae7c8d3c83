"""Two kinds of tires in a dry race: house switch `mandatory_tires` (FD-TIRE-7).

Kal's Cup has it: in a dry race two kinds must be used, so everybody stops once. Its pages do not
say what becomes of a car that did not, nor when a race is dry; our rulings: such a car is out as it
crosses the last line, where it leaves no debris, and a race is dry as long as no round begins in
rain and none is brought by a roll. Nobody owes it where nobody can stop: in a race of one lap, in
the streets, on a board without a pit, and where `tires` is not on.
"""

from __future__ import annotations

from companion.rules.formula.car import Car
from companion.rules.formula.state import State
from companion.rules.formula.urban.drivers import is_urban

RULE = "FD-TIRE-7"
WHY = "one-kind"


def is_asked_for(state: State) -> bool:
    """Whether two kinds of tires are owed in this race."""
    setup = state.setup
    if setup.mandatory_tires == "any" or "tires" not in setup.rules or is_urban(state):
        return False
    return setup.laps > 1 and (setup.boardless or bool(setup.track.boxes))


def owes(state: State, car: Car) -> bool:
    """Whether this car has still to put on another kind."""
    return is_asked_for(state) and not car.memory.two_kinds


def in_rain(state: State) -> State:
    """The state as it is once it has rained: nobody owes anything any more."""
    if not (state.raining and is_asked_for(state)):
        return state
    for seat in state.cars:
        state = state.remembering(seat, two_kinds=True)
    return state
