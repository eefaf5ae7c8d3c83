"""Temana's car leaves debris on the space on which the move began, once a lap (FD-DRV-10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

from companion.rules.codec import Many, Space, Word
from companion.rules.formula.asks import TrailAsk
from companion.rules.formula.event import Event
from companion.rules.formula.flow import Flow
from companion.rules.formula.refuse import yes_or_no
from companion.rules.formula.state import State
from companion.rules.formula.step import Point, SeatStep, Way
from companion.rules.formula.urban.drivers import OF_URBAN, driver_of, refuse_other_driver
from companion.rules.formula.urban.zone import debris_on, refuse_no_space
from companion.rules.game import Ask


@dataclass(frozen=True, slots=True, kw_only=True)
class TrailLeft(Event):
    """Temana leaves debris on the space on which the move began."""

    space: str

    def applied(self, state: State) -> State:
        state = state.change(self.seat, trail=True)
        return replace(state, debris=state.debris | {state.setup.track.index[self.space]})


@dataclass(frozen=True, slots=True, kw_only=True)
class Trail(SeatStep):
    """Whether debris is left on the space on which the move began."""

    kind: ClassVar[str] = "trail"
    at: ClassVar[Point] = Point.TRAIL
    rule: ClassVar[str] = "FD-DRV-10"
    needs: ClassVar[frozenset[str]] = OF_URBAN
    spaces: Annotated[tuple[int, ...], Many(Space()), Word("at")] = ()

    @classmethod
    def after_way(cls, flow: Flow, way: Way) -> None:
        if driver_of(flow.car(way.seat)).litters and not way.slips:
            flow.due(cls(seat=way.seat, spaces=(way.start,)))

    def settle(self, flow: Flow) -> bool:
        """It waits where debris can be left on a space that was left."""
        car, (space,) = flow.car(self.seat), self.spaces
        left = car.runs and car.space != space
        if left and not car.trail and space not in debris_on(flow.state):
            return False
        flow.take()
        return True

    def asks(self, state: State) -> Sequence[Ask]:
        return [TrailAsk(self.seat, state.setup.track.ids[self.spaces[0]])]

    def answer(self, flow: Flow, ask: Ask, value: Any) -> None:
        leaves = yes_or_no(self.kind, value)
        flow.take()
        if leaves:
            space = flow.state.setup.track.ids[self.spaces[0]]
            flow.tell(TrailLeft(seat=self.seat, rule=self.rule, space=space))

    def check(self, state: State) -> None:
        able = driver_of(state.cars[self.seat]).litters
        refuse_other_driver(state, self.seat, self.kind, able=able)
        refuse_no_space(state, self.kind, self.spaces)
