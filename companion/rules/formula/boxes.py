"""Boxes that are chosen before the race, pole first (FD-PIT-1, DE-PIT-3).

House switch `boxes`: a car has the box of its seat, or with "grid" each chooses one, in the order
of the grid (competition rules of 2018, 4-0-1). Until it has chosen, a car holds one for itself; who
takes that changes with it, so that no two ever have the same.
"""

from __future__ import annotations

from companion.rules.forms import Seats
from companion.rules.formula.asks import BoxAsk
from companion.rules.formula.settings import Setup
from companion.rules.formula.state import AllSeats, Asks, Event, Flow, State
from companion.rules.formula.turn import On, Point
from companion.rules.formula.urban.drivers import URBAN
from companion.rules.game import Ask
from companion.rules.reading import bad, refuse, whole_number


def are_chosen(setup: Setup) -> bool:
    """Whether each car chooses its box, and a header names none."""
    return setup.house.boxes == "grid"


class BoxChosen(Event):
    """A car has its box for the race."""

    box: int

    def applied(self, state: State) -> State:
        left = state.cars[self.seat].box
        for car in state.cars.values():
            if car.box == self.box:
                state = state.change(car.seat, box=left)
        return state.change(self.seat, box=self.box)


class Boxes(
    AllSeats,
    kind="box",
    at=Point.BEFORE_THE_RACE,
    rule="FD-PIT-1",
    before_race=True,
    on=On.BOARD,
):
    """Who still chooses a box; one after the other, in the order of the grid."""

    def _next(self, state: State) -> int:
        order = state.ground.round_order(state)
        return next(seat for seat in order if seat in self.seats)

    def _free(self, state: State) -> tuple[int, ...]:
        """The boxes that nobody has chosen."""
        taken = {car.box for car in state.cars.values() if car.seat not in self.seats}
        boxes = range(1, len(state.setup.track.boxes) + 1)
        return tuple(box for box in boxes if box not in taken)

    def waits(self, state: State) -> bool:
        """As long as there is a choice."""
        return bool(self.seats) and len(self._free(state)) > 1

    def asks(self, state: State) -> Asks:
        return [BoxAsk(self._next(state), options=self._free(state))]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """One of those that are free."""
        free, box = self._free(flow.state), whole_number(value, "box")
        if box not in free:
            message = f"box is one of {list(free)}, not {box}"
            refuse("box-not-free", message, rule=self.rule, box=box)
        self.strike(flow, ask.seat)
        flow.tell(BoxChosen(seat=ask.seat, rule=self.rule, box=box))

    def settle(self, flow: Flow) -> None:
        """The last box is not asked for."""
        for seat in self.seats:
            box = self._free(flow.state)[0]
            flow.tell(BoxChosen(seat=seat, rule=self.rule, box=box))

    def check(self, state: State) -> None:
        super().check(state)
        if not chooses(state):
            bad("pending-form", "here nobody chooses a box", rule=self.rule)


def chooses(state: State) -> bool:
    """Whether boxes are chosen in this race, on a board that has some to stop in."""
    setup = state.setup
    return are_chosen(setup) and bool(setup.track.boxes) and URBAN not in setup.rules


def step_of(state: State, running: Seats) -> list[Boxes]:
    """The step in which they are chosen, if they are."""
    return [Boxes(seats=running)] if chooses(state) else []
