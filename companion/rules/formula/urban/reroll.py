"""Julien may have every weather roll rolled again, the second counts (FD-DRV-5).

Between the first roll and his answer nothing has changed; the roll waits in a pending step.
He rolls the second himself. Out of the race, or home, he is not asked any more.
"""

from __future__ import annotations

from typing import Annotated

from companion.rules.copies import replace
from companion.rules.forms import Seats, Within
from companion.rules.formula.asks import RerollAsk
from companion.rules.formula.car import Car
from companion.rules.formula.state import Asks, Event, Flow, Phase, Roll, State, Step
from companion.rules.formula.tables import BLACK_DIE
from companion.rules.formula.turn import Point
from companion.rules.formula.urban.drivers import OF_URBAN, driver_of, refuse_other_driver
from companion.rules.formula.weather import Held, Weather, line_hit, may_change, set_weather
from companion.rules.game import Ask
from companion.rules.reading import bad, yes_or_no


class WeatherThrown(Event):
    """A weather roll that may yet be rolled again; nothing has changed so far."""

    roll: Roll
    outcome: str


class RerollChosen(Event):
    """Whether the weather is rolled again."""

    again: bool


class Reroll(
    Held,
    kind="reroll",
    at=Point.REROLL,
    rule="FD-DRV-5",
    needs=OF_URBAN,
    before_race=True,
    outlives=True,
):
    """A weather roll that may be rolled again: the number, and who has rolled it (or nobody)."""

    roll: Annotated[int, Within(0, 100)]
    by: Seats = ()

    @classmethod
    def is_of(cls, car: Car) -> bool:
        return driver_of(car).twice

    @classmethod
    def holds(cls, flow: Flow, seat: int, number: int, roll: Roll) -> bool:
        """Every roll on the weather table waits for him while he runs."""
        julien = next((c.seat for c in flow.state.running() if cls.is_of(c)), None)
        if julien is None:
            return False
        outcome = line_hit(flow.state.setup, number)
        flow.tell(WeatherThrown(seat=seat, rule="FD-WEATHER-1", roll=roll, outcome=outcome))
        flow.due(cls(seat=julien, roll=number, by=(seat,) if seat else ()))
        return True

    def _counts(self, state: State) -> bool:
        """Whether the roll can still change the weather; a settled one stays (corrected)."""
        return state.phase is not Phase.RACE or may_change(state)

    def waits(self, state: State) -> bool:
        return self._counts(state) and state.cars[self.seat].runs

    def settle(self, flow: Flow) -> None:
        """Without him the first roll counts."""
        if self._counts(flow.state):
            self._keep(flow)

    def asks(self, state: State) -> Asks:
        return [RerollAsk(self.seat, outcome=line_hit(state.setup, self.roll))]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        again = yes_or_no(value, self.kind)
        flow.tell(RerollChosen(seat=self.seat, rule=self.rule, again=again))
        if again:
            flow.due(Weather(seat=self.seat, again=True))
        else:
            self._keep(flow)

    def _keep(self, flow: Flow) -> None:
        """The roll that has waited counts."""
        set_weather(flow, self.by[0] if self.by else 0, self.roll, self.roll)

    def without(self, seat: int, *, retired: bool) -> Step:
        """It is settled when its turn comes; a roller who has retired is nobody."""
        return replace(self, by=()) if retired and seat in self.by else self

    def check(self, state: State) -> None:
        able = self.is_of(state.cars[self.seat])
        refuse_other_driver(state, self.seat, self.kind, able=able)
        if not BLACK_DIE[0] <= self.roll <= BLACK_DIE[1]:
            bad("pending-form", "a reroll has the number that was rolled", rule=self.rule)
