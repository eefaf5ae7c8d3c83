"""Wings: house switch `wing` (the federation's variants, 5-B; fd.fiset.ca).

Before the race, and again at each stop, a driver sets the wing. High: where a move can end in a
corner a space sooner it may, but a die shows at most 11, 18 and 26 in 4th, 5th and 6th. Low: in
4th, 5th and 6th a move is a space longer, but each space too far costs a tires point more. Between
them (`free`) nothing changes. Of the two forms of a high wing in the variants it is the first.

Our rulings, as the books are silent: a space more or less is for a move on the road that was
rolled for, so not for a trial, the pit lane, a fast exit or a great start; an urban race has no
wings; the space less is off the roll alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from companion.rules.formula.asks import Length, WingAsk
from companion.rules.formula.car import Car, Status
from companion.rules.formula.moves import ends_of_move
from companion.rules.formula.state import AllSeats, Asks, Event, Flow, Phase, State
from companion.rules.formula.tables import HIGH_WING_MOST, LOW_WING_FROM, WINGS
from companion.rules.formula.turn import Point
from companion.rules.formula.urban.drivers import URBAN
from companion.rules.game import Ask
from companion.rules.reading import bad, refuse

RULE: Final = "FD-MOVE-1"
BY_WING: Final = "wing"


class WingSet(Event):
    """The wing of a car for the laps to come."""

    wing: str

    def applied(self, state: State) -> State:
        return state.remembering(self.seat, wing=self.wing)


class WingWorked(Event):
    """The wing has changed what was rolled: so many spaces it is now."""

    spaces: int


class Wings(AllSeats, kind="wing", at=Point.TIRES, rule=RULE, before_race=True):
    """Who still sets the wing: all before the race, one car in its box."""

    def asks(self, state: State) -> Asks:
        return [WingAsk(seat) for seat in self.seats]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        known = ", ".join(WINGS)
        if not isinstance(value, str):
            bad("wing-form", f"wing is one of {known}, not {value!r:.60}", rule=RULE)
        if value not in WINGS:
            message = f"wing is one of {known}, not {value!r:.40}"
            refuse("no-such-wing", message, rule=RULE, wing=value[:40])
        self.strike(flow, ask.seat)
        flow.tell(WingSet(seat=ask.seat, rule=RULE, wing=value))

    def check(self, state: State) -> None:
        super().check(state)
        if not has_wings(state):
            bad("pending-form", "here nobody sets a wing", rule=RULE)


def has_wings(state: State) -> bool:
    """Whether wings are set in this race."""
    return state.setup.wing != "none" and URBAN not in state.setup.rules


def step_of(state: State, seats: Iterable[int]) -> list[Wings]:
    """The step in which these seats set it, if they do."""
    return [Wings(seats=tuple(seats))] if has_wings(state) else []


def _works(state: State, car: Car) -> bool:
    return has_wings(state) and state.phase is Phase.RACE and car.status is Status.RACING


def after_die(flow: Flow, seat: int, face: int) -> int:
    """How many spaces a face is worth to this car."""
    state, car = flow.state, flow.car(seat)
    spaces = face
    if _works(state, car) and not car.coasts:
        if car.memory.wing == "low" and car.gear >= LOW_WING_FROM:
            spaces = face + 1
        elif car.memory.wing == "high":
            spaces = min(face, HIGH_WING_MOST.get(car.gear, face))
    if spaces != face:
        flow.tell(WingWorked(seat=seat, rule=RULE, spaces=spaces))
    return spaces


def may_be_shorter(state: State, seat: int, spaces: int, how: str) -> bool:
    """Whether a high wing lets this move end in a corner a space sooner."""
    car = state.cars[seat]
    if (
        how != "move"
        or spaces < 2
        or car.memory.wing != "high"
        or car.coasts
        or not _works(state, car)
    ):
        return False
    if state.setup.boardless:
        return True  # whether it ends in a corner the table sees
    return bool(ends_of_move(state, seat, spaces - 1, short=True))


def with_shorter(
    state: State, seat: int, spaces: int, how: str, found: Iterable[Length]
) -> list[Length]:
    """These lengths, and a space less than `spaces`, where that may be."""
    shorter = Length(spaces - 1, (BY_WING,))
    return sorted([*found, *([shorter] if may_be_shorter(state, seat, spaces, how) else [])])
