"""The start roll (FD-START-1 to FD-START-4; DE-START-1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from companion.rules.formula.asks import Outcome, Reason, Starts
from companion.rules.formula.black_die import ask_black, read_roll
from companion.rules.formula.event import Event, Roll
from companion.rules.formula.flow import Flow
from companion.rules.formula.gears import Double, Gear
from companion.rules.formula.lengths import to_move
from companion.rules.formula.state import State, Status
from companion.rules.formula.step import Point, SeatStep
from companion.rules.formula.tables import GREAT_START, START_RANGES
from companion.rules.game import Ask
from companion.rules.reading import bad

RULES = ("FD-START-2", "FD-START-3", "FD-START-4")


@dataclass(frozen=True, slots=True, kw_only=True)
class StartRolled(Event):
    """The start roll: stalled, normal, great or double."""

    roll: Roll
    outcome: str

    def applied(self, state: State) -> State:
        if self.outcome == "stalled":
            return state.change(self.seat, status=Status.STALLED)
        if self.outcome == "great":
            return state.change(self.seat, status=Status.RACING, gear=1)
        return state


def outcomes(state: State) -> tuple[Outcome, ...]:
    """What a start roll brings, by its numbers."""
    hows = zip(START_RANGES, state.setup.edition.start_outcomes, strict=True)
    return tuple(Outcome(low, high, Starts(how)) for (low, high), how in hows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Start(SeatStep):
    """The black die before the first gear of a car."""

    kind: ClassVar[str] = "start"
    at: ClassVar[Point] = Point.START
    rule: ClassVar[str] = "FD-START-1"

    def asks(self, state: State) -> Sequence[Ask]:
        return [ask_black(self.seat, Reason.START, outcomes(state))]

    def answer(self, flow: Flow, ask: Ask, value: Any) -> None:
        roll = read_roll(ask, value)
        place = next(at for at, (_, high) in enumerate(START_RANGES) if roll <= high)
        outcome = flow.state.setup.edition.start_outcomes[place]
        flow.take()
        flow.tell(StartRolled(seat=self.seat, rule=RULES[place], roll=value, outcome=outcome))
        if outcome in ("normal", "double"):
            flow.due(Gear(seat=self.seat))
        if outcome == "double":
            flow.due(Double(seat=self.seat))
        if outcome == "great":
            flow.due(to_move(flow.state, self.seat, GREAT_START, how="great"))

    def check(self, state: State) -> None:
        if state.cars[self.seat].status is not Status.GRID:
            bad("pending-form", "a start roll is for a car on the grid", rule=self.rule)
