"""STATE of the engine protocol: what a race looks like in plain JSON.

`position.read_state` reads it back to an equal state.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from companion.rules.codec import tell
from companion.rules.formula.boxes import are_chosen
from companion.rules.formula.car import Car, Place, Status
from companion.rules.formula.lapping import lose_turn
from companion.rules.formula.order import classification
from companion.rules.formula.state import Phase, State, Step
from companion.rules.formula.teams import points_for, tell_teams


def tell_state(state: State, seats: Collection[int] | None = None) -> dict[str, object]:
    """The whole state; of the cars those of some `seats` only."""
    track = state.setup.track
    cars = (car for seat, car in state.cars.items() if seats is None or seat in seats)
    data: dict[str, object] = {
        "phase": str(state.phase),
        "round": state.round,
        "laps": state.setup.laps,
        "turn": state.turn,
        "order": list(state.order),
        "weather": state.weather,
        "raining": state.raining,
        "cars": {str(car.seat): tell_car(state, car) for car in cars},
        "debris": sorted((track.ids[space] for space in state.debris), key=track.index.__getitem__),
        "classification": tell_classification(state),
    }
    if any(car.team for car in state.cars.values()):
        data["teams"] = tell_teams(state)
    if state.laid:
        data["laid"] = [track.ids[space] for space in state.laid]
    if state.sky:
        data["sky"] = state.sky
    if state.pending:
        data["pending"] = tell_steps(state, state.pending)
    return data


def tell_steps(state: State, steps: Iterable[Step]) -> list[dict[str, object]]:
    """Pending steps of a state."""
    context = state.context
    return [{"step": step.kind, **tell(step, context)} for step in steps]


def tell_car(state: State, car: Car) -> dict[str, object]:
    """One car; what is unused, or as usual, is left out."""
    setup = state.setup
    data = tell(car, state.context)
    if not (car.served or state.ground.place(setup, car) is Place.BOX):
        del data["served"]
    if lose_turn(setup):
        data["laps_down"] = car.memory.laps_down
    if are_chosen(setup):
        data["box"] = car.box
    if car.full == setup.standard_wear == setup.edition.start_wear:
        del data["full"]
    if not (setup.boardless and setup.track.corners and car.runs):
        del data["corner"]
    return data


def tell_classification(state: State) -> list[dict[str, object]]:
    """Those who have finished so far; at the end of the race, everybody (FD-TEAM-1 points)."""
    over = state.phase is Phase.FINISHED
    ranked = [c for c in classification(state) if over or c.status is Status.FINISHED]
    return [
        {
            "place": place,
            "seat": car.seat,
            "status": str(car.status),
            "points": points_for(state, place, car),
        }
        for place, car in enumerate(ranked, 1)
    ]
