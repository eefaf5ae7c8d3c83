"""The weather: rolled before the race, and moved by fast cars during it (FD-WEATHER)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

from companion.rules.codec import How, Seat
from companion.rules.formula.asks import Outcome, Reason, Sky
from companion.rules.formula.black_die import ask_black, read_roll
from companion.rules.formula.event import Event, Roll
from companion.rules.formula.flow import Flow
from companion.rules.formula.state import Phase, Setup, State
from companion.rules.formula.step import Point, Step
from companion.rules.formula.tables import (
    CHANGEABLE,
    USUAL_WEATHER,
    WEATHER_FACES,
    WEATHER_ROWS,
    WEATHER_STEP,
)
from companion.rules.formula.urban.drivers import driver_of
from companion.rules.game import Ask
from companion.rules.reading import bad

AGAIN = "again"


@dataclass(frozen=True, slots=True, kw_only=True)
class WeatherRolled(Event):
    """The black die on the weather table: the line it hit, and what the weather is now."""

    roll: Roll
    outcome: str
    weather: str

    def applied(self, state: State) -> State:
        return replace(state, weather=self.weather)


def weather_table(setup: Setup) -> Mapping[str, tuple[int, int]]:
    """The weather table of the track (FD-WEATHER-1); of a board nobody has put in, the usual one.

    Its players read the outcome off their own board, and answer by the range that means it.
    """
    table = setup.track.weather or (USUAL_WEATHER if setup.boardless else None)
    assert table is not None, "a header with weather on a track without a table is refused"
    return table


def outcomes(setup: Setup) -> tuple[Outcome, ...]:
    """The lines of the weather table, by the numbers of the black die (FD-WEATHER-1)."""
    rows = sorted((low, high, line) for line, (low, high) in weather_table(setup).items())
    return tuple(Outcome(low, high, Sky(line)) for low, high, line in rows)


def line_hit(setup: Setup, roll: int) -> str:
    """The line of the weather table that a number hits (FD-WEATHER-1)."""
    rows = weather_table(setup).items()
    return next(line for line, (low, high) in rows if low <= roll <= high)


def may_change(state: State) -> bool:
    """Whether the weather can still change: neither for good, nor with nobody left to drive."""
    return "weather" in state.setup.rules and state.weather in CHANGEABLE and bool(state.running())


@dataclass(frozen=True, slots=True, kw_only=True)
class Weather(Step):
    """The black die on the weather table; seat 0: rolled for the table, before the race.

    `again`: it has been rolled once (FD-DRV-5), and this roll counts.
    """

    kind: ClassVar[str] = "weather"
    at: ClassVar[Point] = Point.WEATHER
    rule: ClassVar[str] = "FD-WEATHER-3"
    needs: ClassVar[frozenset[str]] = frozenset({"weather"})
    before_race: ClassVar[bool] = True
    seat: Annotated[int, Seat(table=True)]
    again: Annotated[bool, How(AGAIN)] = False

    @property
    def point(self) -> Point:
        """Before the race it stands in the list of what is settled then."""
        return Point.WEATHER if self.seat else Point.BEFORE_THE_RACE

    @classmethod
    def after_roll(cls, flow: Flow, seat: int, face: int) -> None:
        """FD-WEATHER-3: the highest face of 5th and 6th."""
        if WEATHER_FACES.get(flow.car(seat).gear) == face and may_change(flow.state):
            flow.due(cls(seat=seat))

    def settle(self, flow: Flow) -> bool:
        """It waits for the roll where there is something to roll for."""
        if flow.state.phase is not Phase.RACE or may_change(flow.state):
            return False
        flow.take()
        return True

    def asks(self, state: State) -> Sequence[Ask]:
        return [ask_black(self.seat, Reason.WEATHER, outcomes(state.setup))]

    def answer(self, flow: Flow, ask: Ask, value: Any) -> None:
        """The roll counts, unless somebody may have it rolled again."""
        roll = read_roll(ask, value)
        flow.take()
        if not self.again:
            for kind in Step.kinds.values():
                if kind.holds_weather(flow, self.seat, roll, value):
                    return
        set_weather(flow, self.seat, roll, value)

    def check(self, state: State) -> None:
        before = state.phase in (Phase.SETUP, Phase.TRIALS)
        if not self.again and (self.seat == 0) != before:
            message = "weather is rolled by the table before the race, then by a seat"
            bad("pending-form", message, rule="FD-WEATHER-3")
        if self.again and not (self.seat and driver_of(state.cars[self.seat]).rerolls):
            who = driver_of(state.cars[self.seat]).name if self.seat else "the table"
            message = f"weather is not for {who or 'this car'}"
            bad("not-of-this-driver", message, rule="FD-URBAN-1", name=self.kind)


def set_weather(flow: Flow, seat: int, roll: int, value: Any) -> None:
    """The weather by a roll: set by the table before the race, then moved by one row.

    FD-WEATHER-1, FD-WEATHER-2, FD-WEATHER-3; `roll` is the number, `value` what was answered.
    """
    outcome, now = line_hit(flow.state.setup, roll), flow.state.weather
    if flow.state.phase is not Phase.RACE or now is None:
        for_trials = any(step.kind == "ranking" for step in flow.queue)
        rule, weather = "FD-WEATHER-1" if for_trials else "FD-WEATHER-2", outcome
    else:
        rule = "FD-WEATHER-3"
        weather = WEATHER_ROWS[WEATHER_ROWS.index(now) + WEATHER_STEP[outcome]]
    flow.tell(WeatherRolled(seat=seat, rule=rule, roll=value, outcome=outcome, weather=weather))
