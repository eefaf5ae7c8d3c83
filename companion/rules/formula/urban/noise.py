"""The noise zone: a shot at a car that has ended its move there (FD-URBAN-3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from companion.rules.formula.asks import Reason
from companion.rules.formula.black_die import ask_black, cost_of, read_roll
from companion.rules.formula.event import Cost, Event, Roll
from companion.rules.formula.flow import Flow
from companion.rules.formula.state import State
from companion.rules.formula.step import Point, SeatStep, Way
from companion.rules.formula.urban.drivers import OF_URBAN, is_urban
from companion.rules.formula.urban.shots import outcomes, suffer, suffered
from companion.rules.formula.urban.tables import NOISE
from companion.rules.game import Ask


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseRolled(Event):
    """A shot at a car in the noise zone: the category that it aims at, "" for a miss."""

    roll: Roll
    category: str
    cost: Cost

    def applied(self, state: State) -> State:
        return state.worn(self.seat, self.cost)


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise(SeatStep):
    """A move may have ended in the noise zone."""

    kind: ClassVar[str] = "noise"
    at: ClassVar[Point] = Point.NOISE
    rule: ClassVar[str] = "FD-URBAN-3"
    needs: ClassVar[frozenset[str]] = OF_URBAN

    @classmethod
    def after_way(cls, flow: Flow, way: Way) -> None:
        if is_urban(flow.state) and not way.slips:
            flow.due(cls(seat=way.seat))

    def settle(self, flow: Flow) -> bool:
        """It waits where the move has ended in the noise zone."""
        if flow.car(self.seat).space in flow.state.setup.track.noise:
            return False
        flow.take()
        return True

    def asks(self, state: State) -> Sequence[Ask]:
        return [ask_black(self.seat, Reason.NOISE, outcomes(NOISE))]

    def answer(self, flow: Flow, ask: Ask, value: Any) -> None:
        """FD-URBAN-3; tires at 0 lose nothing more, and no shot spins a car."""
        category, cost = suffered(flow, self.seat, cost_of(ask, read_roll(ask, value)))
        flow.take()
        flow.tell(
            NoiseRolled(seat=self.seat, rule=self.rule, roll=value, category=category, cost=cost)
        )
        suffer(flow, self.seat, category, cost, self.rule)
