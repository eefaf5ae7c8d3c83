"""The weather: rolled before the race, and moved by fast cars during it (FD-WEATHER)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.rules.formula import events as ev
from companion.rules.formula.flow import Flow
from companion.rules.formula.state import Phase, Setup, State, Step
from companion.rules.formula.tables import (
    CHANGEABLE,
    USUAL_WEATHER,
    WEATHER_ROWS,
    WEATHER_STEP,
)


def weather_table(setup: Setup) -> Mapping[str, tuple[int, int]]:
    """The weather table of the track (FD-WEATHER-1); of a board nobody has put in, the usual one.

    Its players read the outcome off their own board, and answer by the range that means it.
    """
    table = setup.track.weather or (USUAL_WEATHER if setup.boardless else None)
    assert table is not None, "a header with weather on a track without a table is refused"
    return table


def may_change(state: State) -> bool:
    """Whether the weather can still change: neither for good, nor with nobody left to drive."""
    return "weather" in state.setup.rules and state.weather in CHANGEABLE and bool(state.running())


def skip_if_settled(flow: Flow, _: Step) -> bool:
    """An automatic step: it waits for the roll where there is something to roll for."""
    if flow.state.phase is not Phase.RACE or may_change(flow.state):
        return False
    flow.take()
    return True


def outcome_of(state: State, roll: int) -> str:
    """The line of the weather table that a number hits (FD-WEATHER-1)."""
    table = weather_table(state.setup).items()
    return next(line for line, (low, high) in table if low <= roll <= high)


def set_weather(flow: Flow, seat: int, roll: int, value: Any) -> None:
    """The weather by a roll: set by the table before the race, then moved by one row.

    FD-WEATHER-1, FD-WEATHER-2, FD-WEATHER-3; `roll` is the number, `value` what was answered.
    """
    outcome, now = outcome_of(flow.state, roll), flow.state.weather
    if flow.state.phase is not Phase.RACE or now is None:
        for_trials = any(step.kind == "ranking" for step in flow.queue)
        rule, weather = "FD-WEATHER-1" if for_trials else "FD-WEATHER-2", outcome
    else:
        rule = "FD-WEATHER-3"
        weather = WEATHER_ROWS[WEATHER_ROWS.index(now) + WEATHER_STEP[outcome]]
    flow.tell(ev.WeatherRolled(seat=seat, rule=rule, roll=value, outcome=outcome, weather=weather))
