"""The end of a car's race at the line."""

from __future__ import annotations

from companion.rules.formula import events as ev
from companion.rules.formula.flow import Flow
from companion.rules.formula.state import Status


def finish_if_home(flow: Flow, seat: int) -> bool:
    """A car that has crossed its last line has finished, in the order of crossing (FD-END-2)."""
    state = flow.state
    if flow.car(seat).lap <= state.setup.laps:
        return False
    place = 1 + sum(car.status is Status.FINISHED for car in state.cars.values())
    flow.tell(ev.Finished(seat=seat, rule="FD-END-2", place=place))
    return True
