"""Applying an event: no rule is decided here, and nothing is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion.rules.formula import events as ev
from companion.rules.formula import evolve_de
from companion.rules.formula.changing import change
from companion.rules.formula.state import Car, Out, Phase, State, Status, Trial
from companion.rules.formula.tables import PIT_GEAR, TIRES
from companion.rules.formula.urban.evolve import HANDLERS as URBAN_HANDLERS
from companion.rules.formula.urban.tables import NITRO
from companion.rules.formula.wear import less, total


def evolve(state: State, event: ev.Event) -> State:
    """The state after one event."""
    apply = _HANDLERS.get(type(event))
    return state if apply is None else apply(state, event)


def _set(state: State, event: ev.RaceSet | ev.Corrected) -> State:
    assert event.state is not None
    return event.state


def _pended(state: State, event: ev.StepsPended) -> State:
    return replace(state, pending=event.steps)


def _grid_set(state: State, event: ev.GridSet) -> State:
    if state.setup.boardless:
        return replace(state, order=event.order)
    places = zip(event.order, state.setup.track.grid, strict=False)
    cars = dict(state.cars)
    for seat, space in places:
        cars[seat] = replace(cars[seat], space=space)
    return replace(state, cars=cars)


def _trial_began(state: State, event: ev.TrialBegan) -> State:
    space = state.setup.track.index[event.space]
    state = change(state, event.seat, space=space, trial=Trial(), stops=0)
    return replace(state, phase=Phase.TRIALS)


def _die_rolled(state: State, event: ev.DieRolled) -> State:
    if state.phase is not Phase.TRIALS:
        return state
    trial = state.cars[event.seat].trial or Trial()
    return change(state, event.seat, trial=replace(trial, rolls=trial.rolls + 1))


def _trial_overshot(state: State, event: ev.TrialOvershot) -> State:
    trial = state.cars[event.seat].trial or Trial()
    return change(state, event.seat, trial=replace(trial, beyond=trial.beyond + event.spaces))


def _trial_over(state: State, event: ev.TrialTimed | ev.TrialEnded) -> State:
    """The car is lifted and stands ready for the race again."""
    trial = state.cars[event.seat].trial or Trial()
    if isinstance(event, ev.TrialTimed):
        trial = replace(trial, seconds=event.seconds)
    else:
        trial = replace(trial, reached=event.reached)
    fresh = {"gear": 0, "lap": 0, "stops": 0, "tires_lap": 1, "status": Status.GRID}
    return change(state, event.seat, space=None, trial=trial, **fresh)


def _trials_ranked(state: State, _: ev.TrialsRanked) -> State:
    return replace(state, phase=Phase.SETUP)


def _weather_rolled(state: State, event: ev.WeatherRolled) -> State:
    return replace(state, weather=event.weather)


def _car_built(state: State, event: ev.CarBuilt) -> State:
    return change(state, event.seat, wear=event.wear, full=event.wear)


def _tires_fitted(state: State, event: ev.TiresFitted) -> State:
    return change(state, event.seat, tires=event.tires, tires_lap=1)


def _repaired(state: State, event: ev.Repaired) -> State:
    """What a technical stop gives comes from the team's pool where there is one (FD-TEAM-1)."""
    car = state.cars[event.seat]
    wear = total(car.wear, event.gain)
    if car.pool is not None:
        return change(state, event.seat, wear=wear, pool=event.pool)
    assert car.team is not None
    state = replace(state, pools={**state.pools, car.team: event.pool})
    return change(state, event.seat, wear=wear)


def _round_began(state: State, event: ev.RoundBegan) -> State:
    return replace(state, phase=Phase.RACE, round=event.round, order=event.order, turn=None)


def _turn_began(state: State, event: ev.TurnBegan) -> State:
    return replace(state, turn=event.seat)


def _start_rolled(state: State, event: ev.StartRolled) -> State:
    if event.outcome == "stalled":
        return change(state, event.seat, status=Status.STALLED)
    if event.outcome == "great":
        return change(state, event.seat, status=Status.RACING, gear=1)
    return state


def _gear_engaged(state: State, event: ev.GearEngaged) -> State:
    car = state.cars[event.seat]
    status = Status.PIT if car.status is Status.PIT else Status.RACING
    mark = None if car.pit_mark == "fresh" else car.pit_mark
    return change(state, event.seat, gear=event.gear, status=status, pit_mark=mark)


def _worn(
    state: State,
    event: ev.OverRevved
    | ev.Slipstreamed
    | ev.DebrisRolled
    | ev.Blocked
    | ev.Overshot
    | ev.CollisionRolled
    | ev.Damaged
    | ev.EngineTested,
) -> State:
    if not any(event.cost):
        return state
    return change(state, event.seat, wear=less(state.cars[event.seat].wear, event.cost))


def _length_chosen(state: State, event: ev.LengthChosen) -> State:
    return change(state, event.seat, nitro=True) if NITRO in event.by else state


def _moved(state: State, event: ev.Moved) -> State:
    car = state.cars[event.seat]
    space = state.setup.track.index[event.to]
    wear = car.wear
    if event.brakes:
        wear = (wear[0], wear[1] - event.brakes, *wear[2:])
    arrived = evolve_de.arrived_by(state, car, space) if event.spaces else car.arrived
    return change(state, event.seat, space=space, stops=event.stops, wear=wear, arrived=arrived)


def _reported(state: State, event: ev.Reported) -> State:
    car = state.cars[event.seat]
    wear = (car.wear[0], car.wear[1] - event.brakes, *car.wear[2:])
    return change(state, event.seat, stops=event.stops, corner=event.place, wear=wear)


def _round_ended(state: State, _: ev.RoundEnded) -> State:
    return replace(state, turn=None)


def _line_crossed(state: State, event: ev.LineCrossed) -> State:
    car = state.cars[event.seat]
    # FD-END-2: lap 0 and lap 1 are one lap, the first crossing ages nothing.
    age = car.tires_lap + 1 if event.lap > 1 else car.tires_lap
    refilled = {"nitro": False, "trail": False} if event.lap > 1 else {}  # FD-URBAN-2, FD-DRV-10
    return change(state, event.seat, lap=event.lap, tires_lap=age, **refilled)


def _spun(state: State, event: ev.Spun) -> State:
    return change(state, event.seat, status=Status.SPUN)


def _stop_made(state: State, event: ev.StopMade) -> State:
    return change(state, event.seat, stops=event.stops)


def _pit_lane_entered(state: State, event: ev.PitLaneEntered) -> State:
    return change(state, event.seat, status=Status.PIT, served=False, stops=0)


def _pit_stop_began(state: State, event: ev.PitStopBegan) -> State:
    car = state.cars[event.seat]
    wear = (car.full[TIRES], *car.wear[1:])
    return change(
        state,
        event.seat,
        status=Status.PIT,
        served=True,
        pit_mark=None,
        lap=event.lap,
        wear=wear,
        tires_lap=1,
        pit_stops=car.pit_stops + 1,
        stops=0,
    )


def _pit_rolled(state: State, event: ev.PitRolled) -> State:
    if not event.spaces:
        return state
    mark = "fresh" if state.setup.edition.holds_gear_after_pit else None
    return change(state, event.seat, gear=PIT_GEAR, pit_mark=mark)


def _pit_left(state: State, event: ev.PitLeft) -> State:
    return change(state, event.seat, status=Status.RACING, served=False)


def _out(state: State, event: ev.Eliminated | ev.Retired) -> State:
    car = state.cars[event.seat]
    why = event.why if isinstance(event, ev.Eliminated) else "retired"
    out = Out(why, event.rule, event.round, car.space, car.status)
    return change(state, event.seat, status=Status.OUT, space=None, out=out, place=None)


def _finished(state: State, event: ev.Finished) -> State:
    return change(state, event.seat, status=Status.FINISHED, space=None, place=event.place, stops=0)


def _debris_laid(state: State, event: ev.DebrisLaid) -> State:
    if event.space is None:
        return state
    return replace(state, debris=state.debris | {state.setup.track.index[event.space]})


def _race_ended(state: State, event: ev.RaceEnded) -> State:
    cars: dict[int, Car] = dict(state.cars)
    for place, seat in enumerate(event.order, 1):
        cars[seat] = replace(cars[seat], place=place)
    return replace(state, phase=Phase.FINISHED, turn=None, order=(), cars=cars, pending=())


def lap_back_at(state: State, car: Car, space: int | None) -> int:
    """The lap of a car put back on a space: behind the line it has yet to cross it (FD-END-2)."""
    if space is None:
        return min(car.lap, state.setup.laps)
    past = state.setup.track.past_line
    stood = car.out.space if car.out is not None else None
    return car.lap - (stood is not None and past[stood] and not past[space])


def _returned(state: State, event: ev.Returned) -> State:
    """Back in the race, but not in the order of this round any more."""
    car = state.cars[event.seat]
    assert car.out is not None
    track = state.setup.track
    space = None if event.space is None else track.index[event.space]
    in_corner = space is None or track.corner[space] >= 0
    stops = car.stops if in_corner and space == car.out.space else 0
    order = tuple(s for s in state.order if s != event.seat or s == state.turn)
    lap = lap_back_at(state, car, space)
    state = change(
        state, event.seat, status=car.out.was, space=space, lap=lap, stops=stops, out=None,
        place=None, arrived=evolve_de.arrival(state),
    )  # fmt: skip
    return replace(state, order=order)


_HANDLERS: dict[type[ev.Event], Callable[[State, Any], State]] = {
    **evolve_de.HANDLERS,
    ev.RaceSet: _set,
    ev.Corrected: _set,
    ev.StepsPended: _pended,
    ev.GridSet: _grid_set,
    ev.TrialBegan: _trial_began,
    ev.DieRolled: _die_rolled,
    ev.TrialOvershot: _trial_overshot,
    ev.TrialTimed: _trial_over,
    ev.TrialEnded: _trial_over,
    ev.TrialsRanked: _trials_ranked,
    ev.WeatherRolled: _weather_rolled,
    ev.CarBuilt: _car_built,
    ev.TiresFitted: _tires_fitted,
    ev.Repaired: _repaired,
    ev.RoundBegan: _round_began,
    ev.TurnBegan: _turn_began,
    ev.StartRolled: _start_rolled,
    ev.GearEngaged: _gear_engaged,
    ev.OverRevved: _worn,
    ev.Slipstreamed: _worn,
    ev.DebrisRolled: _worn,
    ev.Blocked: _worn,
    ev.Overshot: _worn,
    ev.CollisionRolled: _worn,
    ev.Damaged: _worn,
    ev.EngineTested: _worn,
    ev.LengthChosen: _length_chosen,
    ev.Moved: _moved,
    ev.Reported: _reported,
    ev.RoundEnded: _round_ended,
    ev.LineCrossed: _line_crossed,
    ev.Spun: _spun,
    ev.StopMade: _stop_made,
    ev.PitLaneEntered: _pit_lane_entered,
    ev.PitStopBegan: _pit_stop_began,
    ev.PitRolled: _pit_rolled,
    ev.PitLeft: _pit_left,
    ev.Eliminated: _out,
    ev.Retired: _out,
    ev.Finished: _finished,
    ev.DebrisLaid: _debris_laid,
    ev.RaceEnded: _race_ended,
    ev.Returned: _returned,
    **URBAN_HANDLERS,
}
