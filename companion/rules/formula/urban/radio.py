"""Stanley throws his radio at a car near by, once a race (FD-DRV-3)."""

from __future__ import annotations

from typing import Annotated, Final

from companion.rules.codec import Word
from companion.rules.copies import replace
from companion.rules.forms import Seats
from companion.rules.formula.asks import BlackAsk, RadioAsk
from companion.rules.formula.black_die import read_roll
from companion.rules.formula.meanings import Reason
from companion.rules.formula.option import Way
from companion.rules.formula.state import Asks, Event, Flow, Roll, SeatStep, State, Step, Wears
from companion.rules.formula.turn import Point
from companion.rules.formula.urban.drivers import OF_URBAN, driver_of, refuse_other_driver
from companion.rules.formula.urban.memory import uses
from companion.rules.formula.urban.noise import outcomes, suffer, suffered
from companion.rules.game import Ask
from companion.rules.reading import bad, refuse, whole_number

THROWN: Final = uses("radio", lambda driver: driver.throws, each_lap=False)

# FD-DRV-3: what the radio hits.
RADIO: Final = {
    (1, 4): "tires",
    (5, 7): "brakes",
    (8, 10): "gearbox",
    (11, 13): "body",
    (14, 17): "engine",
    (18, 20): "handling",
}


class RadioThrown(Event):
    """Stanley throws his radio at a car."""

    against: int

    def applied(self, state: State) -> State:
        return state.used(self.seat, THROWN)


class RadioHit(Wears):
    """What the radio hits; `cost` is lost by the car that it was thrown at."""

    against: int
    roll: Roll
    category: str

    def applied(self, state: State) -> State:
        return state.worn(self.against, self.cost)


def targets(state: State, seat: int) -> tuple[int, ...]:
    """The seats beside, directly ahead and directly behind, ascending."""
    track, space = state.setup.track, state.cars[seat].space
    if space is None:
        return ()
    near = {*track.beside[space], track.ahead[space], track.behind[space]}
    return tuple(sorted(car.seat for car in state.running() if car.space in near))


class OfStanley(SeatStep, rule="FD-DRV-3", needs=OF_URBAN):
    """A step of the driver who throws."""

    def check(self, state: State) -> None:
        able = driver_of(state.cars[self.seat]).throws
        refuse_other_driver(state, self.seat, self.kind, able=able)


class Radio(OfStanley, kind="radio", at=Point.RADIO, on_road=True):
    """At whom the radio is thrown, or nobody."""

    @classmethod
    def after_way(cls, flow: Flow, way: Way) -> None:
        car = flow.car(way.seat)
        if driver_of(car).throws and THROWN not in car.street.used and not way.slips:
            flow.due(cls(seat=way.seat))

    def waits(self, state: State) -> bool:
        """Where somebody is near."""
        return bool(targets(state, self.seat))

    def asks(self, state: State) -> Asks:
        return [RadioAsk(self.seat, seats=targets(state, self.seat))]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """A car near by; null keeps it."""
        assert isinstance(ask, RadioAsk)
        if value is None:
            return
        victim, near = whole_number(value, "radio"), list(ask.seats)
        if victim not in near:
            message = f"the radio hits seats {near}, not {victim}"
            refuse("not-near", message, rule=self.rule, seat=victim, near=near)
        flow.tell(RadioThrown(seat=self.seat, rule=self.rule, against=victim))
        flow.due(Throw(seat=self.seat, victim=(victim,)))


class Throw(OfStanley, kind="throw", at=Point.THROW):
    """The black die for what the radio hits; no victim: it has gone meanwhile."""

    victim: Annotated[Seats, Word("at")] = ()

    def waits(self, state: State) -> bool:
        """As long as the car that was hit is there."""
        return bool(self.victim)

    def asks(self, state: State) -> Asks:
        (victim,), hits = self.victim, outcomes(RADIO)
        return [BlackAsk(self.seat, reason=Reason.RADIO, outcomes=hits, against=victim)]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """A category at 0 loses nothing."""
        (victim,), rolled = self.victim, read_roll(ask, value)
        category, cost = suffered(flow, victim, rolled.cost)
        seat, rule, roll = self.seat, self.rule, rolled.roll
        hit = RadioHit(
            seat=seat, rule=rule, against=victim, roll=roll, category=category, cost=cost
        )
        flow.tell(hit)
        suffer(flow, victim, category, cost, rule)

    def without(self, seat: int, *, retired: bool) -> Step | None:
        if seat == self.seat:
            return None
        return replace(self, victim=()) if retired and seat in self.victim else self

    def check(self, state: State) -> None:
        super().check(state)
        runs = all(seat != self.seat and state.cars[seat].runs for seat in self.victim)
        if not runs or len(self.victim) > 1:
            bad("pending-form", "the radio is thrown at another car that runs", rule=self.rule)
