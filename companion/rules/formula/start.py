"""The start roll (FD-START-1 to FD-START-4; DE-START-1).

House switch `spin_restart`: with "black-die" a car that has spun rolls again before it goes on
(competition rules of 2018, 10-4-6), instead of just starting in 1st (FD-CORNER-6).
"""

from __future__ import annotations

from companion.rules.formula.asks import BlackAsk
from companion.rules.formula.black_die import read_roll
from companion.rules.formula.car import Car, Status
from companion.rules.formula.gears import Double, Gear, TurnedRound
from companion.rules.formula.lengths import to_move
from companion.rules.formula.meanings import Outcome, Reason, Starts
from companion.rules.formula.state import Asks, Event, Flow, Roll, SeatStep, State
from companion.rules.formula.tables import GREAT_START, START_RANGES
from companion.rules.formula.turn import Point
from companion.rules.game import Ask
from companion.rules.reading import bad

RULES = {
    "stalled": "FD-START-2",
    "normal": "FD-START-3",
    "great": "FD-START-4",
    "double": "FD-START-4",  # DE-START-1
}


class StartRolled(Event):
    """The start roll: stalled, normal, great or double."""

    roll: Roll
    outcome: str

    def applied(self, state: State) -> State:
        if self.outcome == "stalled":
            return state.change(self.seat, status=Status.STALLED, gear=0)
        if self.outcome == "great":
            return state.change(self.seat, status=Status.RACING, gear=1)
        return state


def rolls_to_start(state: State, car: Car) -> bool:
    """Whether a car rolls before its first gear: on the grid, by house switch after a spin."""
    if car.status is Status.SPUN:
        return state.setup.house.spin_restart == "black-die"
    return car.status is Status.GRID and state.setup.start_rolls


class Start(SeatStep, kind="start", at=Point.START, rule="FD-START-1"):
    """The black die before the first gear of a car."""

    def asks(self, state: State) -> Asks:
        hows = zip(START_RANGES, state.setup.edition.start_outcomes, strict=True)
        outcomes = [Outcome(low, high, Starts(how)) for (low, high), how in hows]
        return [BlackAsk(self.seat, reason=Reason.START, outcomes=outcomes)]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        _, roll, does = read_roll(ask, value)
        assert isinstance(does, Starts)
        if flow.car(self.seat).status is Status.SPUN and does.how in ("stalled", "great"):
            flow.tell(TurnedRound(seat=self.seat, rule="FD-CORNER-6"))
        flow.tell(StartRolled(seat=self.seat, rule=RULES[does.how], roll=roll, outcome=does.how))
        if does.how in ("normal", "double"):
            flow.due(Gear(seat=self.seat))
        if does.how == "double":
            flow.due(Double(seat=self.seat))
        if does.how == "great":
            flow.due(to_move(flow.state, self.seat, GREAT_START, how="great"))

    def check(self, state: State) -> None:
        car = state.cars[self.seat]
        if car.status is not Status.GRID and not rolls_to_start(state, car):
            bad("pending-form", "a start roll is for a car on the grid", rule=self.rule)
