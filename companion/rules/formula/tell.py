"""STATE of the engine protocol: what a race looks like in plain JSON.

`position.read_state` reads it back to an equal state.
"""

from __future__ import annotations

from typing import Any

from companion.rules.codec import tell
from companion.rules.formula.order import classification
from companion.rules.formula.state import Car, Phase, State, Status
from companion.rules.formula.step import tell_step
from companion.rules.formula.teams import points_for, tell_teams
from companion.rules.formula.urban.telling import tell_memory
from companion.rules.formula.wear import tell_wear


def tell_state(state: State) -> dict[str, Any]:
    """The whole state."""
    track = state.setup.track
    data: dict[str, Any] = {
        "phase": str(state.phase),
        "round": state.round,
        "laps": state.setup.laps,
        "turn": state.turn,
        "order": list(state.order),
        "weather": state.weather,
        "raining": state.raining,
        "cars": {str(seat): tell_car(state, car) for seat, car in state.cars.items()},
        "debris": sorted((track.ids[space] for space in state.debris), key=track.index.__getitem__),
        "classification": tell_classification(state),
    }
    if any(car.team for car in state.cars.values()):
        data["teams"] = tell_teams(state)
    if state.pending:
        context = state.context
        data["pending"] = [tell_step(step, context) for step in state.pending]
    return data


def tell_car(state: State, car: Car) -> dict[str, Any]:
    """One car; what is unused is left out."""
    setup, context = state.setup, state.context
    data: dict[str, Any] = {
        "seat": car.seat,
        "name": car.name,
        "gear": car.gear,
        "lap": car.lap,
        "space": None if car.space is None else setup.track.ids[car.space],
        "stops": car.stops,
        "wear": tell_wear(car.wear, context.categories),
        "tires": car.tires,
        "tires_lap": car.tires_lap,
        "status": str(car.status),
        "out": None if car.out is None else tell(car.out, context),
        "place": car.place,
        "pit_stops": car.pit_stops,
    }
    ground = setup.ground.car_data(setup, car)
    if "served" in ground:
        data["served"] = ground.pop("served")
    if not car.full == setup.standard_wear == setup.edition.start_wear:
        data["full"] = tell_wear(car.full, context.categories)
    if car.trial is not None:
        data["trial"] = tell(car.trial, context)
    unused = {"arrived": car.arrived or None, "pit_mark": car.pit_mark, "pool": car.pool}
    data |= {key: value for key, value in unused.items() if value is not None}
    return data | tell_memory(setup.track, car) | ground


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
