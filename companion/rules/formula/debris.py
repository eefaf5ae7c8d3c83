"""Debris that a way crosses (FD-DEBRIS-2, FD-DEBRIS-3; DE-DEBRIS-1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from companion.rules.codec import Many, Space, Word
from companion.rules.formula.asks import Reason
from companion.rules.formula.black_die import ask_black, cost_of, hurting, read_roll
from companion.rules.formula.elimination import put_out
from companion.rules.formula.event import Cost, Event, Roll
from companion.rules.formula.flow import Flow
from companion.rules.formula.state import State
from companion.rules.formula.step import Point, SeatStep, Way
from companion.rules.formula.tables import DEBRIS_HURTS, HANDLING
from companion.rules.game import Ask
from companion.rules.reading import bad


@dataclass(frozen=True, slots=True, kw_only=True)
class DebrisRolled(Event):
    """The roll for a debris space passed or stopped on; boardless, `space` is None."""

    space: str | None
    roll: Roll
    hurt: bool
    cost: Cost

    def applied(self, state: State) -> State:
        return state.worn(self.seat, self.cost)


@dataclass(frozen=True, slots=True, kw_only=True)
class Debris(SeatStep):
    """The debris spaces still to be rolled for, in the order met; boardless one, not known."""

    kind: ClassVar[str] = "debris"
    at: ClassVar[Point] = Point.DEBRIS
    rule: ClassVar[str] = "FD-DEBRIS-2"
    spaces: Annotated[tuple[int, ...], Many(Space()), Word("at")] = ()

    @classmethod
    def after_way(cls, flow: Flow, way: Way) -> None:
        if way.option.arrival.debris:
            flow.due(cls(seat=way.seat, spaces=way.option.arrival.debris))

    def asks(self, state: State) -> Sequence[Ask]:
        outcomes = hurting(state, self.seat, Reason.DEBRIS, DEBRIS_HURTS, HANDLING)
        at = state.setup.track.ids[self.spaces[0]] if self.spaces else None
        return [ask_black(self.seat, Reason.DEBRIS, outcomes, at=at)]

    def answer(self, flow: Flow, ask: Ask, value: Any) -> None:
        cost = cost_of(ask, read_roll(ask, value))
        flow.take()
        space = flow.state.setup.track.ids[self.spaces[0]] if self.spaces else None
        gone, hurt = flow.car(self.seat).wear[HANDLING] <= 1, any(cost)
        flow.tell(
            DebrisRolled(
                seat=self.seat, rule=self.rule, space=space, roll=value, hurt=hurt, cost=cost
            )
        )
        if hurt and gone:
            put_out(flow, self.seat, "handling", "FD-DEBRIS-3")
        elif self.spaces[1:]:
            flow.put_back(Debris(seat=self.seat, spaces=self.spaces[1:]))

    def check(self, state: State) -> None:
        if bool(self.spaces) == state.setup.boardless:
            bad("pending-form", "debris is rolled for on a space", rule=self.rule)
