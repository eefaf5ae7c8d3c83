"""Engine tests (FD-ENGINE-1 to FD-ENGINE-3; DE-ENGINE-1), and what an engine leaves to a car.

House switches, of the federation's competition rules of 2018 (16-0-3 to 16-0-9): `blown_engine`
with "inertia-4": a car that a test has cost its engine in 5th or 6th stands in the way until its
next turn, then rolls on once more, on the die of 4th, as far as it can without going out; there it
is out, and lifted a turn later. `coast_home`: late in the race it goes on instead, a gear less
each turn, until the line or until it has been in 1st.
"""

from __future__ import annotations

from companion.rules.formula.black_die import ask_hurting, read_roll
from companion.rules.formula.car import Car, Status
from companion.rules.formula.elimination import damage, mark
from companion.rules.formula.meanings import Reason
from companion.rules.formula.order import by_position
from companion.rules.formula.state import AllSeats, Asks, ByItself, Event, Flow, Roll, State, Wears
from companion.rules.formula.tables import COAST_GEAR, ENGINE, ENGINE_HURTS, HOME_FROM
from companion.rules.formula.turn import Point
from companion.rules.game import Ask


class EngineTested(Wears):
    """An engine test."""

    roll: Roll
    hurt: bool


class EngineBlown(Event):
    """An engine is gone, and the car rolls on: once more, or (`home`) to the line if it can."""

    home: bool

    def applied(self, state: State) -> State:
        return state.remembering(self.seat, blown="home" if self.home else "last")


def _rolls_on(state: State, car: Car) -> bool:
    """Not in 4th or less, where a car that has spun will be at its next turn (16-0-3-1)."""
    fast = car.status is Status.RACING and car.gear > COAST_GEAR
    return state.setup.house.blown_engine == "inertia-4" and fast


def _is_near_home(state: State, car: Car) -> bool:
    """Whether a car has the last corners behind it, of its last lap (16-0-6, 16-0-7)."""
    setup, track = state.setup, state.setup.track
    number = HOME_FROM[setup.house.coast_home]
    if not number or car.space is None or car.lap < setup.laps:
        return False
    corners = [at for at, section in enumerate(track.sections) if section.kind == "corner"]
    section = track.section[car.space]
    here = section if section or track.past_line[car.space] else len(track.sections)
    return len(corners) < number or here > corners[-number]


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
        fast = [
            car.seat
            for car in ranked
            if car.status is not Status.PIT and car.gear in faces and not car.memory.blown
        ]
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
        if hurt and gone and _rolls_on(flow.state, flow.car(seat)):
            home = _is_near_home(flow.state, flow.car(seat))
            flow.tell(EngineBlown(seat=seat, rule="FD-ENGINE-3", home=home))
            mark(flow, seat)
        elif hurt:
            damage(flow, seat, gone=gone, why="engine", rule="FD-ENGINE-3")
