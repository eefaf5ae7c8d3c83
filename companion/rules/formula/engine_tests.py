"""Engine tests (FD-ENGINE-1 to FD-ENGINE-3; DE-ENGINE-1)."""

from __future__ import annotations

from companion.rules.formula.asks import Reason
from companion.rules.formula.black_die import ask_hurting, read_roll
from companion.rules.formula.elimination import damage
from companion.rules.formula.event import Roll, Wears
from companion.rules.formula.flow import Flow
from companion.rules.formula.order import by_position
from companion.rules.formula.state import State, Status
from companion.rules.formula.step import AllSeats, Asks, ByItself, Point
from companion.rules.formula.tables import ENGINE, ENGINE_HURTS
from companion.rules.game import Ask


class EngineTested(Wears):
    """An engine test."""

    roll: Roll
    hurt: bool


class Tests(ByItself, kind="tests", at=Point.TESTS, rule="FD-ENGINE-2", outlives=True):
    """A high face was rolled: who tests the engine is found when the collisions are over."""

    @classmethod
    def after_roll(cls, flow: Flow, seat: int, face: int) -> None:
        car = flow.car(seat)
        tested = face in flow.state.setup.edition.engine_faces.get(car.gear, ())
        if tested and car.status is not Status.PIT:
            flow.due(cls(seat=seat))

    def settle(self, flow: Flow) -> None:
        """The roller first, then the others in running order (FD-ENGINE-2)."""
        state = flow.state
        faces = state.setup.edition.engine_faces
        ranked = by_position(state, state.running())
        fast = [c.seat for c in ranked if c.status is not Status.PIT and c.gear in faces]
        fast.sort(key=lambda seat: seat != self.seat)
        if fast:
            flow.due(Engine(seats=tuple(fast)))


class Engine(AllSeats, kind="engine", at=Point.ENGINE, rule="FD-ENGINE-1"):
    """Who still tests the engine."""

    def asks(self, state: State) -> Asks:
        return [
            ask_hurting(state, seat, Reason.ENGINE, ENGINE_HURTS, ENGINE) for seat in self.seats
        ]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """FD-ENGINE-1, FD-ENGINE-3."""
        rolled, seat = read_roll(ask, value), ask.seat
        cost, hurt, gone = rolled.cost, any(rolled.cost), flow.car(seat).wear[ENGINE] <= 1
        self.strike(flow, seat)
        flow.tell(EngineTested(seat=seat, rule=self.rule, roll=rolled.roll, hurt=hurt, cost=cost))
        if hurt:
            damage(flow, seat, gone=gone, why="engine", rule="FD-ENGINE-3")
