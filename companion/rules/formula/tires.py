"""Tires: which are fitted, and what they do to a move (FD-TIRE)."""

from __future__ import annotations

from companion.rules.formula.asks import TiresAsk
from companion.rules.formula.car import Car, Status
from companion.rules.formula.state import AllSeats, Asks, Event, Flow, Phase, State
from companion.rules.formula.tables import (
    OVERSHOOT,
    SLIDE,
    SOFT_DRY_BY_THE_LETTER,
    SOFT_RAIN_DOUBLE,
    TIRE_KINDS,
)
from companion.rules.formula.turn import Point
from companion.rules.formula.urban.drivers import driver_of, is_urban
from companion.rules.game import Ask
from companion.rules.reading import bad, refuse


class TiresFitted(Event):
    """A kind of tires was chosen; they are in their first lap."""

    tires: str

    def applied(self, state: State) -> State:
        return state.change(self.seat, tires=self.tires, tires_lap=1)


class Tires(
    AllSeats,
    kind="tires",
    at=Point.TIRES,
    rule="FD-TIRE-1",
    needs=("tires",),
    before_race=True,
):
    """Who still chooses tires: all before the race, one car in its box."""

    def asks(self, state: State) -> Asks:
        return [TiresAsk(seat) for seat in self.seats]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """FD-TIRE-1; in the box FD-TIRE-7."""
        known = ", ".join(TIRE_KINDS)
        if not isinstance(value, str):
            bad("tires-form", f"tires is one of {known}, not {value!r:.60}")
        if value not in TIRE_KINDS:
            message = f"tires is one of {known}, not {value!r:.40}"
            refuse("no-such-tires", message, rule="FD-TIRE-1", tires=value[:40])
        self.strike(flow, ask.seat)
        rule = "FD-TIRE-7" if flow.state.phase is Phase.RACE else "FD-TIRE-1"
        flow.tell(TiresFitted(seat=ask.seat, rule=rule, tires=value))


def slide_of(state: State, car: Car) -> int:
    """The spaces by which this car slides on a move that touches a corner (FD-TIRE-6).

    FD-WEATHER-4: without `tires` nobody slides, except in urban races.
    """
    if not state.raining:
        return 0
    if is_urban(state):
        return driver_of(car).slide
    return SLIDE[car.tires] if "tires" in state.setup.rules else 0


def overshoot_factor(state: State, car: Car) -> int:
    """How many tires WP a space beyond a limit costs, by kind, weather and lap on the set.

    FD-TIRE-2 to FD-TIRE-5; the house switch `soft_second_lap` decides the second lap of soft
    tires in the dry, `soft_rain` whether they cost double in rain (competition rules 8-2-2).
    """
    if car.tires == "hard":
        return 1
    by_lap: tuple[int, ...] = OVERSHOOT[car.tires, state.raining]
    if car.tires == "soft":
        if not state.raining and state.setup.house.soft_second_lap == "single":
            by_lap = SOFT_DRY_BY_THE_LETTER
        if state.raining and state.setup.house.soft_rain == "double":
            by_lap = SOFT_RAIN_DOUBLE
    return by_lap[min(car.tires_lap, len(by_lap)) - 1]


def has_bonus(state: State, car: Car) -> bool:
    """FD-TIRE-3: soft, dry, in the first lap on them; FD-TECH-2: not as it leaves the pit."""
    leaves_pit = car.status is Status.PIT and car.served
    return (
        car.tires == "soft"
        and "tires" in state.setup.rules
        and not state.raining
        and car.tires_lap == 1
        and not leaves_pit
    )
