"""STATE of the engine protocol: what a race looks like in plain JSON.

`position.read_state` reads it back to an equal state.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from companion.rules.board.track import Track
from companion.rules.formula.boardless.cards import tell_corner
from companion.rules.formula.order import classification
from companion.rules.formula.state import STEPS, Car, Out, Phase, Setup, State, Status, Step
from companion.rules.formula.teams import points_for, tell_teams
from companion.rules.formula.urban.telling import tell_memory
from companion.rules.formula.wear import tell_wear


def tell_state(state: State) -> dict[str, Any]:
    """The whole state."""
    track = state.setup.track
    told: dict[str, Any] = {
        "phase": str(state.phase),
        "round": state.round,
        "laps": state.setup.laps,
        "turn": state.turn,
        "order": list(state.order),
        "weather": state.weather,
        "raining": state.raining,
        "cars": {str(seat): tell_car(state.setup, car) for seat, car in state.cars.items()},
        "debris": sorted((track.ids[space] for space in state.debris), key=track.index.__getitem__),
        "classification": tell_classification(state),
    }
    if any(car.team for car in state.cars.values()):
        told["teams"] = tell_teams(state)
    if state.pending:
        told["pending"] = [tell_step(track, step) for step in state.pending]
    return told


def tell_car(setup: Setup, car: Car) -> dict[str, Any]:
    """One car; what is unused is left out."""
    track, categories = setup.track, setup.edition.categories
    told: dict[str, Any] = {
        "seat": car.seat,
        "name": car.name,
        "gear": car.gear,
        "lap": car.lap,
        "space": None if car.space is None else track.ids[car.space],
        "stops": car.stops,
        "wear": tell_wear(car.wear, categories),
        "tires": car.tires,
        "tires_lap": car.tires_lap,
        "status": str(car.status),
        "out": None if car.out is None else tell_out(track, car.out),
        "place": car.place,
        "pit_stops": car.pit_stops,
    }
    stood = car.out.space if car.out else car.space
    in_pit = setup.boardless and Status.PIT in (car.status, car.out and car.out.was)
    if car.served or in_pit or (stood is not None and stood in track.boxes):
        told["served"] = car.served
    plain = setup.edition.start_wear
    if not car.full == setup.standard_wear == plain:
        told["full"] = tell_wear(car.full, categories)
    if car.trial is not None:
        told["trial"] = asdict(car.trial)
    if car.arrived:
        told["arrived"] = car.arrived
    if car.pit_mark is not None:
        told["pit_mark"] = car.pit_mark
    if car.pool is not None:
        told["pool"] = car.pool
    return told | tell_memory(track, car) | tell_corner(track, car)


def tell_out(track: Track, out: Out) -> dict[str, Any]:
    """Why a car is out, and where it stood."""
    told = {
        "why": out.why,
        "rule": out.rule,
        "round": out.round,
        "space": None if out.space is None else track.ids[out.space],
        "was": str(out.was),
    }
    return told | {"stands": True} if out.stands else told


def tell_classification(state: State) -> list[dict[str, Any]]:
    """Those who have finished so far; at the end of the race, everybody (FD-TEAM-1 points)."""
    over = state.phase is Phase.FINISHED
    ranked = [c for c in classification(state) if over or c.status is Status.FINISHED]
    return [
        {
            "place": place,
            "seat": car.seat,
            "status": str(car.status),
            "points": points_for(place, car),
        }
        for place, car in enumerate(ranked, 1)
    ]


def tell_step(track: Track, step: Step) -> dict[str, Any]:
    """One pending step, with only the fields that its kind uses."""
    told: dict[str, Any] = {"step": step.kind}
    for name, word in STEPS[step.kind].items():
        value = getattr(step, name)
        if name == "spaces":
            value = [track.ids[space] for space in value]
        elif isinstance(value, tuple):
            value = [list(v) if isinstance(v, tuple) else v for v in value]
        told[word] = value
    return told
