"""Temana's car leaves debris on the space on which the move began, once a lap (FD-DRV-10)."""

from __future__ import annotations

from typing import Any

from companion.rules.errors import Malformed
from companion.rules.formula import events_urban as ev
from companion.rules.formula.asks import TrailAsk
from companion.rules.formula.flow import Flow
from companion.rules.formula.state import State, Step
from companion.rules.formula.urban.zone import debris_on
from companion.rules.game import Ask


def skip_if_idle(flow: Flow, step: Step) -> bool:
    """An automatic step: it waits where debris can be left on a space that was left."""
    car, space = flow.car(step.seat), step.spaces[0]
    left = car.runs and car.space != space
    if left and not car.trail and space not in debris_on(flow.state):
        return False
    flow.take()
    return True


def ask_trail(state: State, step: Step) -> list[Ask]:
    """Whether debris is left, and where."""
    where = state.setup.track.ids[step.spaces[0]]
    return [TrailAsk(step.seat, where)]


def answer_trail(flow: Flow, seat: int, value: Any) -> None:
    """FD-DRV-10."""
    leaves = yes_or_no("trail", value)
    step = flow.take()
    if leaves:
        space = flow.state.setup.track.ids[step.spaces[0]]
        flow.tell(ev.TrailLeft(seat=seat, rule="FD-DRV-10", space=space))


def yes_or_no(kind: str, value: Any) -> bool:
    """The value as true or false.

    Raises:
        Malformed: anything else (1 and "yes" too).
    """
    if type(value) is not bool:
        message = f"{kind} is true or false, not {value!r:.60}"
        raise Malformed("yes-or-no", message, args={"kind": kind})
    return value
