"""Engine tests (FD-ENGINE-1 to FD-ENGINE-3; DE-ENGINE-1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from companion.rules.formula.asks import Reason
from companion.rules.formula.black_die import ask_black, cost_of, hurting, read_roll
from companion.rules.formula.elimination import damage
from companion.rules.formula.event import Cost, Event, Roll
from companion.rules.formula.flow import Flow
from companion.rules.formula.order import by_position
from companion.rules.formula.state import State, Status
from companion.rules.formula.step import AllSaid, Point, SeatStep, Step
from companion.rules.formula.tables import ENGINE, ENGINE_HURTS
from companion.rules.game import Ask


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineTested(Event):
    """An engine test."""

    roll: Roll
    hurt: bool
    cost: Cost

    def applied(self, state: State) -> State:
        return state.worn(self.seat, self.cost)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tests(SeatStep):
    """A high face was rolled: who tests the engine is found when the collisions are over."""

    kind: ClassVar[str] = "tests"
    at: ClassVar[Point] = Point.TESTS
    rule: ClassVar[str] = "FD-ENGINE-2"

    @classmethod
    def after_roll(cls, flow: Flow, seat: int, face: int) -> None:
        car = flow.car(seat)
        tested = face in flow.state.setup.edition.engine_faces.get(car.gear, ())
        if tested and car.status is not Status.PIT:
            flow.due(cls(seat=seat))

    def settle(self, flow: Flow) -> bool:
        """The roller first, then the others in running order (FD-ENGINE-2)."""
        flow.take()
        state = flow.state
        faces = state.setup.edition.engine_faces
        ranked = by_position(state, state.running())
        fast = [c.seat for c in ranked if c.status is not Status.PIT and c.gear in faces]
        fast.sort(key=lambda seat: seat != self.seat)
        if fast:
            flow.due(Engine(seats=tuple(fast)))
        return True

    def without(self, seat: int, *, retired: bool) -> Step:
        """Tests of others go on (FD-ENGINE-2)."""
        return self

    def seats_named(self) -> Iterable[int]:
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine(AllSaid):
    """Who still tests the engine."""

    kind: ClassVar[str] = "engine"
    at: ClassVar[Point] = Point.ENGINE
    rule: ClassVar[str] = "FD-ENGINE-1"

    def asks(self, state: State) -> Sequence[Ask]:
        return [
            ask_black(
                seat, Reason.ENGINE, hurting(state, seat, Reason.ENGINE, ENGINE_HURTS, ENGINE)
            )
            for seat in self.seats
        ]

    def answer(self, flow: Flow, ask: Ask, value: Any) -> None:
        """FD-ENGINE-1, FD-ENGINE-3."""
        cost, seat = cost_of(ask, read_roll(ask, value)), ask.seat
        self.strike(flow, seat)
        gone, hurt = flow.car(seat).wear[ENGINE] <= 1, any(cost)
        flow.tell(EngineTested(seat=seat, rule=self.rule, roll=value, hurt=hurt, cost=cost))
        if hurt:
            damage(flow, seat, gone=gone, why="engine", rule="FD-ENGINE-3")
