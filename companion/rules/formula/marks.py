"""Marking a stop in a corner."""

from __future__ import annotations

from companion.rules.formula import events as ev
from companion.rules.formula.flow import Flow
from companion.rules.formula.state import Car


def mark_stop(flow: Flow, car: Car, corner: int) -> None:
    """A move has ended in this corner (FD-MOVE-5); -1: nobody knows in which."""
    printed = flow.state.setup.track.corners[corner] if corner >= 0 else None
    flow.tell(
        ev.StopMade(
            seat=car.seat,
            rule="FD-MOVE-5",
            corner=printed.name if printed else "",
            stops=car.stops + 1,
            needed=printed.stops if printed else 0,
        )
    )
