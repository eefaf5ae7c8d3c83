"""Applying what happens in Formule Dé only, and who arrived first; see `evolve`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from companion.rules.formula import events as ev
from companion.rules.formula.changing import change
from companion.rules.formula.state import Car, State, Status


def arrival(state: State) -> int:
    """The number of who arrives now, higher than all before (DE-ORDER-1); 0: nobody counts."""
    if not state.setup.edition.keeps_arrivals:
        return 0
    return 1 + max(car.arrived for car in state.cars.values())


def arrived_by(state: State, car: Car, space: int) -> int:
    """The number of a car that moves; in the pit lane that of its driving in stays (DE-PIT-4)."""
    in_lane = state.setup.track.lane[space] < 0
    return car.arrived if in_lane and car.status is Status.PIT else arrival(state)


def _pit_entered_fast(state: State, event: ev.PitEnteredFast) -> State:
    return change(state, event.seat, pit_mark="late")


def _pit_turn_began(state: State, event: ev.PitTurnBegan) -> State:
    return change(state, event.seat, lap=event.lap, pit_mark="waits")


def _wreck_left(state: State, event: ev.WreckLeft | ev.WreckLifted) -> State:
    out = state.cars[event.seat].out
    assert out is not None
    return change(state, event.seat, out=replace(out, stands=isinstance(event, ev.WreckLeft)))


HANDLERS: Final[dict[type[ev.Event], Callable[[State, Any], State]]] = {
    ev.PitEnteredFast: _pit_entered_fast,
    ev.PitTurnBegan: _pit_turn_began,
    ev.WreckLeft: _wreck_left,
    ev.WreckLifted: _wreck_left,
}
