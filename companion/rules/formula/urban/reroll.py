"""Julien may have every weather roll rolled again, the second counts (FD-DRV-5).

Between the first roll and his answer nothing has changed; the roll waits in a pending step.
He rolls the second himself. Out of the race, or home, he is not asked any more.
"""

from __future__ import annotations

from typing import Any

from companion.rules.formula import events_urban as ev
from companion.rules.formula.asks import RerollAsk
from companion.rules.formula.flow import Flow
from companion.rules.formula.state import Phase, State, Step
from companion.rules.formula.urban.drivers import driver_of
from companion.rules.formula.urban.trail import yes_or_no
from companion.rules.formula.weather import may_change, outcome_of, set_weather
from companion.rules.game import Ask

AGAIN = "again"


def take_weather(flow: Flow, seat: int, roll: int, value: Any) -> None:
    """A roll on the weather table; `roll` is the number, `value` what was answered."""
    step = flow.take()
    julien = _who_rerolls(flow.state)
    if julien is None or AGAIN in step.flags:
        set_weather(flow, seat, roll, value)
        return
    outcome = outcome_of(flow.state, roll)
    flow.tell(ev.WeatherThrown(seat=seat, rule="FD-WEATHER-1", roll=value, outcome=outcome))
    flow.first(Step("reroll", julien, number=roll, seats=(seat,) if seat else ()))


def _who_rerolls(state: State) -> int | None:
    return next((car.seat for car in state.running() if driver_of(car).rerolls), None)


def settle_if_gone(flow: Flow, step: Step) -> bool:
    """An automatic step: without him the first roll counts; a settled weather stays (corrected)."""
    if flow.state.phase is Phase.RACE and not may_change(flow.state):
        flow.take()
        return True
    if flow.car(step.seat).runs:
        return False
    _keep(flow)
    return True


def ask_reroll(state: State, step: Step) -> list[Ask]:
    """Whether it is rolled again, and what came the first time."""
    return [RerollAsk(step.seat, outcome_of(state, step.number))]


def answer_reroll(flow: Flow, seat: int, value: Any) -> None:
    """FD-DRV-5."""
    again = yes_or_no("reroll", value)
    flow.tell(ev.RerollChosen(seat=seat, rule="FD-DRV-5", again=again))
    if again:
        flow.take()
        flow.first(Step("weather", seat, flags=(AGAIN,)))
    else:
        _keep(flow)


def _keep(flow: Flow) -> None:
    """The roll that has waited counts."""
    step = flow.take()
    roller = step.seats[0] if step.seats else 0
    set_weather(flow, roller, step.number, step.number)
