"""Julien may have every weather roll rolled again, the second counts (FD-DRV-5).

Between the first roll and his answer nothing has changed; the roll waits in a pending step.
He rolls the second himself. Out of the race, or home, he is not asked any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

from companion.rules.codec import Many, Seat, Within
from companion.rules.formula.asks import RerollAsk
from companion.rules.formula.event import Event, Roll
from companion.rules.formula.flow import Flow
from companion.rules.formula.refuse import yes_or_no
from companion.rules.formula.state import Phase, State
from companion.rules.formula.step import Point, SeatStep, Step
from companion.rules.formula.tables import BLACK_DIE
from companion.rules.formula.urban.drivers import OF_URBAN, driver_of, refuse_other_driver
from companion.rules.formula.weather import Weather, line_hit, may_change, set_weather
from companion.rules.game import Ask
from companion.rules.reading import bad


@dataclass(frozen=True, slots=True, kw_only=True)
class WeatherThrown(Event):
    """A weather roll that may yet be rolled again; nothing has changed so far."""

    roll: Roll
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RerollChosen(Event):
    """Whether the weather is rolled again."""

    again: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reroll(SeatStep):
    """A weather roll that may be rolled again: the number, and who has rolled it (or nobody)."""

    kind: ClassVar[str] = "reroll"
    at: ClassVar[Point] = Point.REROLL
    rule: ClassVar[str] = "FD-DRV-5"
    needs: ClassVar[frozenset[str]] = OF_URBAN
    before_race: ClassVar[bool] = True
    roll: Annotated[int, Within(0, 100)]
    by: Annotated[tuple[int, ...], Many(Seat())] = ()

    @classmethod
    def holds_weather(cls, flow: Flow, seat: int, roll: int, value: Any) -> bool:
        """Every roll on the weather table waits for him while he runs."""
        julien = next((c.seat for c in flow.state.running() if driver_of(c).rerolls), None)
        if julien is None:
            return False
        outcome = line_hit(flow.state.setup, roll)
        flow.tell(WeatherThrown(seat=seat, rule="FD-WEATHER-1", roll=value, outcome=outcome))
        flow.due(cls(seat=julien, roll=roll, by=(seat,) if seat else ()))
        return True

    def settle(self, flow: Flow) -> bool:
        """Without him the first roll counts; a settled weather stays (corrected)."""
        if flow.state.phase is Phase.RACE and not may_change(flow.state):
            flow.take()
            return True
        if flow.car(self.seat).runs:
            return False
        self._keep(flow)
        return True

    def asks(self, state: State) -> Sequence[Ask]:
        return [RerollAsk(self.seat, line_hit(state.setup, self.roll))]

    def answer(self, flow: Flow, ask: Ask, value: Any) -> None:
        again = yes_or_no(self.kind, value)
        flow.tell(RerollChosen(seat=self.seat, rule=self.rule, again=again))
        if again:
            flow.take()
            flow.due(Weather(seat=self.seat, again=True))
        else:
            self._keep(flow)

    def _keep(self, flow: Flow) -> None:
        """The roll that has waited counts."""
        flow.take()
        set_weather(flow, self.by[0] if self.by else 0, self.roll, self.roll)

    def without(self, seat: int, *, retired: bool) -> Step:
        """It is settled when its turn comes; a roller who has retired is nobody."""
        return replace(self, by=()) if retired and seat in self.by else self

    def seats_named(self) -> Iterable[int]:
        return ()

    def check(self, state: State) -> None:
        able = driver_of(state.cars[self.seat]).rerolls
        refuse_other_driver(state, self.seat, self.kind, able=able)
        if not BLACK_DIE[0] <= self.roll <= BLACK_DIE[1]:
            bad("pending-form", "a reroll has the number that was rolled", rule=self.rule)
