"""The ways of a move into the pit: when it is open, from which doors, and along its lane."""

from __future__ import annotations

from companion.rules.formula.car import Car, Status
from companion.rules.formula.option import Option
from companion.rules.formula.settings import Setup
from companion.rules.formula.state import State
from companion.rules.formula.tables import BRAKES, PIT_ENTRY_GEAR, TIRES
from companion.rules.formula.urban.drivers import is_urban
from companion.rules.formula.wear import NOTHING, Wear, one
from companion.rules.ways.arrivals import Arrival, Traffic
from companion.rules.ways.reach import Reach


def may_stop(state: State, car: Car) -> bool:
    """FD-PIT-1: at the end of a lap, but not of lap 0 nor of the last one.

    DE-PIT-1: only for a car that has lost a tires WP. FD-URBAN-1: there are no pits.
    """
    worn_only = state.setup.edition.stops_worn_only
    if is_urban(state) or (worn_only and car.wear[TIRES] >= car.full[TIRES]):
        return False
    if car.coasts or not slow_enough(state.setup, car):
        return False
    has_box = state.ground.has_box(state.setup, car)
    return 1 <= car.lap < state.setup.laps and car.status is not Status.PIT and has_box


def slow_enough(setup: Setup, car: Car) -> bool:
    """House switch `pit_entry`: into the lane in 4th at most, with "5th-brake" in 5th too.

    That costs brakes 1 (`entry_cost`), with no space less.
    """
    if setup.house.pit_entry == "any" or car.gear <= PIT_ENTRY_GEAR:
        return True
    in_fifth = setup.house.pit_entry == "5th-brake" and car.gear == PIT_ENTRY_GEAR + 1
    return in_fifth and car.wear[BRAKES] > 0


def entry_cost(setup: Setup, car: Car) -> Wear:
    """What it costs to come into the pit lane in this gear."""
    brakes = setup.house.pit_entry == "5th-brake" and car.gear > PIT_ENTRY_GEAR
    return one(BRAKES) if brakes else NOTHING


def pit_ways(state: State, car: Car, ways: Reach, length: int, traffic: Traffic) -> list[Option]:
    """The ways into the pit lane from each entry space that a move of this length passes."""
    track, cost = state.setup.track, entry_cost(state.setup, car)
    found: list[Option] = []
    assert car.space is not None
    known: list[tuple[int, frozenset[int]]] = []
    for arrival, moved, left in ways.at_doors(car.space, length):
        if arrival.line:
            continue
        if traffic.whole and any(
            near < moved and less.issubset(arrival.debris) for near, less in known
        ):
            continue  # FD-MOVE-4, in corners too: all doors lead to one space
        for first in track.entries[arrival.space]:
            if first not in traffic.taken:
                into = arrival._replace(space=first)
                inside = to_box(state, car, into, left - 1, traffic, moved + 1)
                found += [option._replace(cost=cost) for option in inside]
                known.append((moved, frozenset(arrival.debris)))
    return found


def to_box(
    state: State, car: Car, arrival: Arrival, left: int, traffic: Traffic, moved: int = 0
) -> list[Option]:
    """The way along the lane to the own box: no exact roll, no passing, no cost (FD-PIT-3)."""
    track = state.setup.track
    beside = track.box_lane[car.box - 1]
    space = arrival.space
    while left > 0 and space != beside:
        ahead = track.ahead[space]
        if ahead < 0 or ahead in traffic.taken:
            return [Option(arrival._replace(space=space), moved)]
        space, left, moved = ahead, left - 1, moved + 1
    if left > 0 and space == beside:
        space, moved = track.boxes[car.box - 1], moved + 1
    return [Option(arrival._replace(space=space), moved)]
