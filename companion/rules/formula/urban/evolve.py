"""Applying the events of urban races; see `companion.rules.formula.evolve`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from companion.rules.formula import events_urban as ev
from companion.rules.formula.changing import change
from companion.rules.formula.events_base import Event
from companion.rules.formula.state import State
from companion.rules.formula.wear import less, total


def _drifted(state: State, event: ev.Drifted) -> State:
    """FD-DRV-2: the latest lap of each corner is kept."""
    car, track = state.cars[event.seat], state.setup.track
    corner = next(at for at, known in enumerate(track.corners) if known.label == event.corner)
    drift = tuple(sorted({**dict(car.drift), corner: event.lap}.items()))
    return change(state, event.seat, drift=drift, wear=less(car.wear, event.cost))


def _regained(state: State, event: ev.CheckpointPassed | ev.Recovered) -> State:
    return change(state, event.seat, wear=total(state.cars[event.seat].wear, event.gain))


def _police_passed(state: State, event: ev.PolicePassed) -> State:
    notes = (*state.cars[event.seat].police, (event.lap, event.speed, event.passed))
    return change(state, event.seat, police=notes)


def _police_won(state: State, event: ev.PoliceWon) -> State:
    """The contest of this lap is over: its notes are struck out."""
    cars = {
        seat: replace(car, police=tuple(note for note in car.police if note[0] != event.lap))
        for seat, car in state.cars.items()
    }
    return replace(state, cars=cars)


def _worn(state: State, event: ev.NoiseRolled) -> State:
    return change(state, event.seat, wear=less(state.cars[event.seat].wear, event.cost))


def _thrown(state: State, event: ev.RadioThrown) -> State:
    return change(state, event.seat, radio=True)


def _hit(state: State, event: ev.RadioHit) -> State:
    return change(state, event.against, wear=less(state.cars[event.against].wear, event.cost))


def _trail_left(state: State, event: ev.TrailLeft) -> State:
    state = change(state, event.seat, trail=True)
    return replace(state, debris=state.debris | {state.setup.track.index[event.space]})


HANDLERS: Mapping[type[Event], Callable[[State, Any], State]] = {
    ev.Drifted: _drifted,
    ev.CheckpointPassed: _regained,
    ev.Recovered: _regained,
    ev.PolicePassed: _police_passed,
    ev.PoliceWon: _police_won,
    ev.NoiseRolled: _worn,
    ev.RadioThrown: _thrown,
    ev.RadioHit: _hit,
    ev.TrailLeft: _trail_left,
}
