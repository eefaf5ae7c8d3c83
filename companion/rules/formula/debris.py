"""Debris that a way crosses (FD-DEBRIS-2, FD-DEBRIS-3; DE-DEBRIS-1)."""

from __future__ import annotations

from companion.rules.forms import Spaces
from companion.rules.formula.black_die import ask_hurting, read_roll
from companion.rules.formula.elimination import put_out
from companion.rules.formula.meanings import Reason
from companion.rules.formula.option import Way
from companion.rules.formula.state import Asks, Flow, Roll, SeatStep, State, Wears
from companion.rules.formula.tables import DEBRIS_HURTS, HANDLING
from companion.rules.formula.turn import Point
from companion.rules.game import Ask
from companion.rules.reading import bad


class DebrisRolled(Wears):
    """The roll for a debris space passed or stopped on; boardless, `space` is None."""

    space: str | None
    roll: Roll
    hurt: bool


class Debris(SeatStep, kind="debris", at=Point.DEBRIS, rule="FD-DEBRIS-2"):
    """The debris spaces still to be rolled for, in the order met; boardless one, not known."""

    spaces: Spaces = ()

    @classmethod
    def after_way(cls, flow: Flow, way: Way) -> None:
        if way.option.arrival.debris:
            flow.due(cls(seat=way.seat, spaces=way.option.arrival.debris))

    def _at(self, state: State) -> str | None:
        return state.setup.track.ids[self.spaces[0]] if self.spaces else None

    def asks(self, state: State) -> Asks:
        at = self._at(state)
        return [ask_hurting(state, self.seat, Reason.DEBRIS, DEBRIS_HURTS, HANDLING, at=at)]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        rolled, seat, at = read_roll(ask, value), self.seat, self._at(flow.state)
        gone, hurt, cost = flow.car(seat).wear[HANDLING] <= 1, any(rolled.cost), rolled.cost
        flow.tell(
            DebrisRolled(
                seat=seat, rule=self.rule, space=at, roll=rolled.roll, hurt=hurt, cost=cost
            )
        )
        if hurt and gone:
            put_out(flow, seat, "handling", "FD-DEBRIS-3")
        elif self.spaces[1:]:
            flow.due(Debris(seat=seat, spaces=self.spaces[1:]))

    def check(self, state: State) -> None:
        if bool(self.spaces) == state.setup.boardless:
            bad("pending-form", "debris is rolled for on a space", rule=self.rule)
