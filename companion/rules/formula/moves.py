"""Where a move may end and what each end costs: the options of `move` and `slipstream`.

Everything that asks where a car may go uses these lists: the asks, the check of an answer,
the keys of a seat, the counts in the tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from companion.rules.arrivals import Arrival, Reach, Traffic
from companion.rules.formula.state import Car, State, Status, Step
from companion.rules.formula.tables import (
    BLOCKED_COST,
    BRAKES,
    SLIPSTREAM,
    SLIPSTREAM_CORNER_COST,
    SLIPSTREAM_GEAR,
    TIRES,
)
from companion.rules.formula.wear import (
    NOTHING,
    Wear,
    affords,
    as_wear,
    one,
    tell_cost,
    total,
)
from companion.rules.track import IN_PIT, Track
from companion.rules.ways import reach


class Option(NamedTuple):
    """One end of a move. `arrival` tells how the way went; `spaces` how long it is.

    `cost` are all WP lost, brakes spent by choice among them; never more than the car has.
    """

    arrival: Arrival
    spaces: int
    brakes: int = 0
    blocked: int = 0
    cost: Wear = NOTHING
    spin: bool = False
    out: bool = False

    @property
    def to(self) -> int:
        """The space of the end."""
        return self.arrival.space

    def rank(self, track: Track) -> tuple[Any, ...]:
        """What is "least": out, spin, WP in all, debris spaces, name of the space."""
        names = [track.ids[space] for space in self.arrival.debris]
        return (self.out, self.spin, sum(self.cost), len(names), track.ids[self.to], names)

    def as_json(self, track: Track) -> dict[str, Any]:
        """The option as the ask tells it."""
        return {
            "to": track.ids[self.to],
            "brakes": self.brakes,
            "tires": self.cost[TIRES],
            "blocked": self.blocked,
            "cost": tell_cost(self.cost),
            "debris": [track.ids[space] for space in self.arrival.debris],
            "spin": self.spin,
            "out": self.out,
        }


def traffic_for(state: State, car: Car) -> Traffic:
    """What stands in the way of this car."""
    taken = {c.space for c in state.cars.values() if c.space is not None and c is not car}
    return Traffic(
        taken,
        state.debris,
        car.stops,
        car.lap >= state.setup.laps,
        state.setup.corner_ways == "shortest",
    )


def move_options(state: State, step: Step) -> list[Option]:
    """The ends of a move of `step.number` spaces (FD-MOVE-1 to FD-BLOCK-2, FD-PIT-1 to -6)."""
    car = state.cars[step.seat]
    assert car.space is not None
    traffic = traffic_for(state, car)
    if car.status is Status.PIT and not car.served:
        return _to_box(state, car, Arrival(car.space, ()), step.number, traffic)
    ways = reach(state.setup.track, car.space, step.number, traffic)
    found = list(_ends(state, car, step.number, ways))
    if "great" in step.flags:
        found = _in_lane_if_free(state.setup.track, car.space, step.number, traffic, found)
    if _may_stop(state, car):
        found += _pit_ways(state, car, step.number, ways, traffic)
    return _least(state.setup.track, found)


def _ends(state: State, car: Car, length: int, ways: Reach) -> Iterator[Option]:
    """The ends with every number of brakes spent, blocked ones among them."""
    straight = state.setup.track.straight
    for brakes in range(min(car.wear[BRAKES], length) + 1):
        moved = min(length - brakes, ways.furthest)
        blocked = length - brakes - moved
        for arrival in ways.ends(moved):
            if straight[arrival.space] != IN_PIT:
                yield charged(car, arrival, moved, brakes=brakes, blocked=blocked)
            elif not brakes:
                # FD-PIT-3: in the lane a car waits at no cost, and does not brake.
                yield Option(arrival, moved)


def charged(car: Car, arrival: Arrival, spaces: int, *, brakes: int, blocked: int = 0) -> Option:
    """An end with its price: block first, then the overshoot (FD-BLOCK-2).

    A move costs tires and brakes only, so it is reckoned with these two numbers.
    """
    if not blocked and not arrival.spaces:
        return Option(arrival, spaces, brakes, 0, (0, brakes, 0, 0, 0, 0))
    have_tires, have_brakes = car.wear[TIRES], car.wear[BRAKES]
    block = block_cost(blocked)
    if block is None:
        return Option(arrival, spaces, brakes, blocked, (0, brakes, 0, 0, 0, 0), out=True)
    asked_tires, asked_brakes = block[TIRES], brakes + block[BRAKES]
    if asked_tires > have_tires or asked_brakes > have_brakes:
        paid = (min(asked_tires, have_tires), min(asked_brakes, have_brakes), 0, 0, 0, 0)
        return Option(arrival, spaces, brakes, blocked, paid, out=True)
    spin, out = overshoot_outcome(have_tires - asked_tires, arrival)
    asked_tires += 0 if arrival.fatal else arrival.beyond
    cost = (min(asked_tires, have_tires), asked_brakes, 0, 0, 0, 0)
    return Option(arrival, spaces, brakes, blocked, cost, spin, out)


_BLOCKED = {spaces: as_wear(cost) for spaces, cost in BLOCKED_COST.items()}


def block_cost(blocked: int) -> Wear | None:
    """What the spaces not moved cost (FD-BLOCK-1); None: the car is out."""
    return _BLOCKED.get(blocked)


def overshoot_outcome(tires: int, arrival: Arrival) -> tuple[bool, bool]:
    """Whether an overshoot with these tires WP ends in a spin, or out of the race.

    FD-CORNER-3: two stops missing. FD-CORNER-6: the last tires WP. FD-CORNER-7: more than
    there are, with the grace of one space at 0.
    """
    if arrival.fatal:
        return False, True
    if not arrival.beyond or arrival.beyond < tires:
        return False, False
    if arrival.beyond == tires or (tires == 0 and arrival.spaces == 1):
        return True, False
    return False, True


def _in_lane_if_free(
    track: Track, start: int, length: int, traffic: Traffic, found: list[Option]
) -> list[Option]:
    """FD-START-4: lanes are changed only where the own lane is not free."""
    lane, space = [start], start
    for _ in range(length):
        space = track.ahead[space]
        if space < 0 or space in traffic.taken:
            return found
        lane.append(space)
    return [option for option in found if option.to in lane]


def _may_stop(state: State, car: Car) -> bool:
    """FD-PIT-1: at the end of a lap, but not of lap 0 nor of the last one."""
    boxes = len(state.setup.track.boxes)
    return 1 <= car.lap < state.setup.laps and car.status is not Status.PIT and car.box <= boxes


def _pit_ways(state: State, car: Car, length: int, ways: Reach, traffic: Traffic) -> list[Option]:
    """The ways into the pit lane from each entry space within reach."""
    track = state.setup.track
    found: list[Option] = []
    for moved in range(min(length - 1, ways.furthest) + 1):
        for arrival in ways.ends(moved):
            if arrival.spaces or arrival.line:
                continue  # FD-CORNER-4: an overshoot may not enter the pit lane
            for first in track.entries[arrival.space]:
                if first not in traffic.taken:
                    into = arrival._replace(space=first)
                    found += _to_box(state, car, into, length - moved - 1, traffic, moved + 1)
    return found


def _to_box(
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


def slipstream_leader(state: State, seat: int) -> Car | None:
    """The car whose slipstream this seat may use now, or None (FD-SLIP-1, FD-SLIP-6)."""
    track, car = state.setup.track, state.cars[seat]
    if car.space is None or car.status is not Status.RACING or car.gear < SLIPSTREAM_GEAR:
        return None
    ahead = track.ahead[car.space]
    for other in state.cars.values():
        if other.space == ahead and other.status is Status.RACING:
            return other if SLIPSTREAM_GEAR <= other.gear <= car.gear else None
    return None


def slipstream_options(state: State, seat: int) -> list[Option]:
    """The ends of a slipstream (FD-SLIP-2 to FD-SLIP-6); empty: none on offer."""
    if slipstream_leader(state, seat) is None:
        return []
    track, car = state.setup.track, state.cars[seat]
    assert car.space is not None
    ways = reach(track, car.space, SLIPSTREAM, traffic_for(state, car))
    found = []
    for brakes in range(min(car.wear[BRAKES], SLIPSTREAM) + 1):
        moved = SLIPSTREAM - brakes
        if moved > ways.furthest:
            continue  # FD-SLIP-3: only where so many spaces are free
        for arrival in ways.ends(moved):
            touched = corners_entered(track, car.space, arrival, moved)
            option = charged(car, arrival, moved, brakes=brakes)
            price = one(BRAKES, brakes + touched * SLIPSTREAM_CORNER_COST)
            if affords(car.wear, price):
                entry = one(BRAKES, touched * SLIPSTREAM_CORNER_COST)
                found.append(option._replace(cost=total(option.cost, entry)))
    return _least(track, found)


def corners_entered(track: Track, start: int, arrival: Arrival, moved: int) -> int:
    """How many corners a way touches that it did not begin in (FD-SLIP-5).

    Corners lie one behind the other, so those between start and end are the ones touched.
    """
    if not moved:
        return 0
    count = len(track.sections)
    first = track.section[start]
    between = (track.section[arrival.space] - first) % count
    sections = (track.sections[(first + step) % count] for step in range(1, between + 1))
    return sum(section.kind == "corner" for section in sections)


def _least(track: Track, found: Iterable[Option]) -> list[Option]:
    """One way for each end, brakes and block; for equal costs on a space the fewest brakes."""
    best: dict[tuple[int, int, int], Option] = {}
    for option in found:
        key = (option.arrival.space, option.brakes, option.blocked)
        known = best.get(key)
        if known is None or option.rank(track) < known.rank(track):
            best[key] = option
    listed: dict[tuple[int, Wear], Option] = {}
    for key in sorted(best, key=lambda key: (key[1], key[2], track.lane[key[0]], key[0])):
        option = best[key]
        listed.setdefault((key[0], option.cost), option)
    return list(listed.values())
