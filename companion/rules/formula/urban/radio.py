"""Stanley throws his radio at a car near by, once a race (FD-DRV-3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

from companion.rules.codec import Many, Seat, Word
from companion.rules.errors import Illegal
from companion.rules.formula.asks import RadioAsk, Reason
from companion.rules.formula.black_die import ask_black, cost_of, read_roll
from companion.rules.formula.event import Cost, Event, Roll
from companion.rules.formula.flow import Flow
from companion.rules.formula.refuse import whole_number
from companion.rules.formula.state import State
from companion.rules.formula.step import Point, SeatStep, Step, Way
from companion.rules.formula.urban.drivers import OF_URBAN, driver_of, refuse_other_driver
from companion.rules.formula.urban.shots import outcomes, suffer, suffered
from companion.rules.formula.urban.tables import RADIO
from companion.rules.game import Ask
from companion.rules.reading import bad


@dataclass(frozen=True, slots=True, kw_only=True)
class RadioThrown(Event):
    """Stanley throws his radio at a car."""

    against: int

    def applied(self, state: State) -> State:
        return state.change(self.seat, radio=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class RadioHit(Event):
    """What the radio hits; `cost` is lost by the car that it was thrown at."""

    against: int
    roll: Roll
    category: str
    cost: Cost

    def applied(self, state: State) -> State:
        return state.worn(self.against, self.cost)


def targets(state: State, seat: int) -> tuple[int, ...]:
    """The seats beside, directly ahead and directly behind, ascending."""
    track, space = state.setup.track, state.cars[seat].space
    if space is None:
        return ()
    near = {*track.beside[space], track.ahead[space], track.behind[space]}
    return tuple(sorted(car.seat for car in state.running() if car.space in near))


@dataclass(frozen=True, slots=True, kw_only=True)
class Radio(SeatStep):
    """At whom the radio is thrown, or nobody."""

    kind: ClassVar[str] = "radio"
    at: ClassVar[Point] = Point.RADIO
    rule: ClassVar[str] = "FD-DRV-3"
    needs: ClassVar[frozenset[str]] = OF_URBAN

    @classmethod
    def after_way(cls, flow: Flow, way: Way) -> None:
        car = flow.car(way.seat)
        if driver_of(car).throws and not car.radio and not way.slips:
            flow.due(cls(seat=way.seat))

    def settle(self, flow: Flow) -> bool:
        """It waits where somebody is near."""
        if targets(flow.state, self.seat):
            return False
        flow.take()
        return True

    def asks(self, state: State) -> Sequence[Ask]:
        return [RadioAsk(self.seat, targets(state, self.seat))]

    def answer(self, flow: Flow, ask: Ask, value: Any) -> None:
        """A car near by; null keeps it."""
        assert isinstance(ask, RadioAsk)
        if value is not None and whole_number("radio", value) not in ask.seats:
            near = list(ask.seats)
            message = f"the radio hits seats {near}, not {value}"
            raise Illegal("not-near", message, rule=self.rule, args={"seat": value, "near": near})
        flow.take()
        if value is not None:
            flow.tell(RadioThrown(seat=self.seat, rule=self.rule, against=value))
            flow.due(Throw(seat=self.seat, victim=(value,)))

    def check(self, state: State) -> None:
        refuse_other_driver(state, self.seat, self.kind, able=_throws(state, self.seat))


def _throws(state: State, seat: int) -> bool:
    return driver_of(state.cars[seat]).throws


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw(SeatStep):
    """The black die for what the radio hits; no victim: it has gone meanwhile."""

    kind: ClassVar[str] = "throw"
    at: ClassVar[Point] = Point.THROW
    rule: ClassVar[str] = "FD-DRV-3"
    needs: ClassVar[frozenset[str]] = OF_URBAN
    victim: Annotated[tuple[int, ...], Many(Seat()), Word("at")] = ()

    def settle(self, flow: Flow) -> bool:
        """The die is rolled as long as the car that was hit is there."""
        if self.victim:
            return False
        flow.take()
        return True

    def asks(self, state: State) -> Sequence[Ask]:
        return [ask_black(self.seat, Reason.RADIO, outcomes(RADIO), against=self.victim[0])]

    def answer(self, flow: Flow, ask: Ask, value: Any) -> None:
        """A category at 0 loses nothing."""
        (victim,) = self.victim
        category, cost = suffered(flow, victim, cost_of(ask, read_roll(ask, value)))
        flow.take()
        flow.tell(
            RadioHit(
                seat=self.seat,
                rule=self.rule,
                against=victim,
                roll=value,
                category=category,
                cost=cost,
            )
        )
        suffer(flow, victim, category, cost, self.rule)

    def without(self, seat: int, *, retired: bool) -> Step | None:
        if seat == self.seat:
            return None
        return replace(self, victim=()) if retired and seat in self.victim else self

    def check(self, state: State) -> None:
        refuse_other_driver(state, self.seat, self.kind, able=_throws(state, self.seat))
        runs = all(seat != self.seat and state.cars[seat].runs for seat in self.victim)
        if not runs or len(self.victim) > 1:
            bad("pending-form", "the radio is thrown at another car that runs", rule=self.rule)
