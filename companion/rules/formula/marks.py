"""Marking a stop in a corner."""

from __future__ import annotations

from companion.rules.formula import events as ev
from companion.rules.formula.flow import Flow
from companion.rules.formula.state import Car


def mark_stop(flow: Flow, car: Car, corner: int) -> None:
    """A move has ended in this corner (FD-MOVE-5)."""
    printed = flow.state.setup.track.corners[corner]
    flow.tell(
        ev.StopMade(
            seat=car.seat,
            rule="FD-MOVE-5",
            corner=printed.name,
            stops=car.stops + 1,
            needed=printed.stops,
        )
    )
