"""Where a move may end and what each end costs: the options of `move` and `slipstream`.

Everything that asks where a car may go uses these lists: the asks, the check of an answer,
the keys of a seat, the counts in the tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from operator import attrgetter

from companion.rules.board.track import IN_PIT, Track
from companion.rules.formula.car import Car, Status
from companion.rules.formula.option import Option, charged, dearer
from companion.rules.formula.pitways import may_stop, pit_ways, to_box
from companion.rules.formula.settings import Setup
from companion.rules.formula.state import Phase, State
from companion.rules.formula.tables import (
    BRAKES,
    HANDLING,
    SLIPSTREAM,
    SLIPSTREAM_CORNER_COST,
    SLIPSTREAM_GEAR,
    TRIAL_LAPS,
)
from companion.rules.formula.tires import overshoot_factor, slide_of
from companion.rules.formula.urban import drift, passing
from companion.rules.formula.urban.zone import debris_on
from companion.rules.formula.wear import Wear, one, total
from companion.rules.ways.arrivals import Arrival, Traffic
from companion.rules.ways.reach import Reach, reach


def takes_shortest(setup: Setup) -> bool:
    """Whether only the shortest ways are legal in corners too (FD-MOVE-4)."""
    return setup.house.corner_ways == "shortest"


def traffic_for(state: State, car: Car) -> Traffic:
    """What stands in the way of this car."""
    taken = {c.space for c in state.cars.values() if c.space is not None and c is not car}
    if state.setup.wrecks_stand:
        taken.update(state.wrecks())
    trial = state.phase is Phase.TRIALS
    return Traffic(
        taken,
        debris_on(state),
        car.stops,
        car.lap >= (TRIAL_LAPS if trial else state.setup.laps),
        takes_shortest(state.setup),
        trial and state.setup.house.trial_corner == "book",
        _done_corner(state, car),
    )


def _done_corner(state: State, car: Car) -> int:
    """The corner in which a car has made its stops, so that it does not slide there any more.

    House switch `slide` (competition rules of 2018, 7-1-1); -1: none.
    """
    track = state.setup.track
    if state.setup.house.slide == "whole-move" or car.space is None:
        return -1
    corner = track.corner[car.space]
    return corner if corner >= 0 and car.stops >= track.corners[corner].stops else -1


def ways_of_move(state: State, seat: int, spaces: int) -> Reach:
    """The ways of a seat's moves of up to so many spaces, as the cars stand now."""
    car = state.cars[seat]
    return _ways_in(state, car, spaces, traffic_for(state, car))


def _ways_in(state: State, car: Car, spaces: int, traffic: Traffic) -> Reach:
    """The same in this traffic."""
    assert car.space is not None
    slide, her = slide_of(state, car), passing.space_of_charmer(state, car)
    return reach(state.setup.track, car.space, spaces, traffic, slide, her)


def ends_of_move(
    state: State,
    seat: int,
    spaces: int,
    ways: Reach | None = None,
    /,
    *,
    great: bool = False,
    drifts: bool = False,
) -> list[Option]:
    """The ends of a move of so many `spaces` (FD-MOVE-1 to FD-BLOCK-2, FD-PIT-1 to -6).

    `great`: it is a great start (FD-START-4). `drifts`: with a drift, whose price is not paid
    yet; only ends that touch the corner (FD-DRV-2). `ways` of as many spaces or more
    (`ways_of_move`) save another search to whoever asks for several lengths.
    """
    if drifts:
        options = ends_of_move(drift.paid(state, seat), seat, spaces, great=great)
        return drift.touching(state.setup.track, state.cars[seat], options)
    car = state.cars[seat]
    assert car.space is not None
    traffic = traffic_for(state, car)
    if state.phase is Phase.TRIALS:
        return _least(state.setup.track, _trial_ends(state, car, spaces, traffic))
    if car.status is Status.PIT and not car.served:
        return to_box(state, car, Arrival(car.space, ()), spaces, traffic)
    if ways is None:
        ways = _ways_in(state, car, spaces, traffic)
    found = _ends(state, car, spaces, ways)
    if state.setup.house.block_end == "plays-first":
        found = _plays_first(state.setup.track, found)
    if great:
        found = _in_lane_if_free(state.setup.track, car.space, spaces, traffic, found)
    if may_stop(state, car):
        found += pit_ways(state, car, ways, spaces, traffic)
    if car.coasts:
        found = _furthest(found)
    return _least(state.setup.track, _rolled_for(car, found))


def _trial_ends(state: State, car: Car, length: int, traffic: Traffic) -> list[Option]:
    """FD-TRIAL-1: alone, without brakes and wear; what is overshot is counted, least first."""
    assert car.space is not None
    factor, slide = overshoot_factor(state, car), slide_of(state, car)
    found = [
        Option(dearer(arrival, factor), some.spaces, out=arrival.fatal)
        for some in reach(state.setup.track, car.space, length, traffic, slide).ends(length)
        for arrival in some.arrivals
    ]
    return sorted(found, key=lambda option: option.arrival.beyond)


def _ends(state: State, car: Car, length: int, ways: Reach) -> list[Option]:
    """The ends with every number of brakes spent (FD-BRAKE-1), blocked ones among them."""
    assert car.space is not None
    straight, factor = state.setup.track.straight, overshoot_factor(state, car)
    in_pit = straight[car.space] == IN_PIT
    ends_of = ways.ends if ways.her < 0 else partial(passing.ends_of, ways)
    found: list[Option] = []
    add, new = found.append, tuple.__new__
    for brakes in range(min(car.wear[BRAKES], length) + 1):
        cost = (0, brakes, 0, 0, 0, 0)
        for moved, blocked, arrivals, charmed in ends_of(length - brakes):
            for end in arrivals:
                if factor != 1:
                    end = dearer(end, factor)
                if in_pit and straight[end.space] == IN_PIT:
                    if not brakes:  # FD-PIT-3: in the lane a car waits at no cost, and brakes not
                        add(Option(end, moved))
                elif blocked or (end.spaces and not end.fatal):
                    add(charged(state.setup, car, end, moved, brakes, blocked, charmed))
                else:  # the most frequent, and made without a further call
                    plain = (end, moved, brakes, 0, cost, False, end.fatal, charmed)
                    add(new(Option, plain))
    return found


def _furthest(found: list[Option]) -> list[Option]:
    """FD-ENGINE-3: as far as can be without going out (rules of 2018, 16-0-3)."""
    safe = [option for option in found if not option.out] or found
    most = max(option.spaces for option in safe)
    return [option for option in safe if option.spaces == most]


def _plays_first(track: Track, found: list[Option]) -> list[Option]:
    """House switch `block_end`: of the ends of a block the one that plays first (12-1-3).

    The furthest of each number of brakes spent; of level ones the player chooses.
    """
    furthest: dict[int, int] = {}
    for option in found:
        if option.blocked:
            level = furthest.get(option.brakes, 0)
            furthest[option.brakes] = max(level, track.far_level[option.to])
    return [
        option
        for option in found
        if not option.blocked or track.far_level[option.to] == furthest[option.brakes]
    ]


def _in_lane_if_free(
    track: Track, start: int, length: int, traffic: Traffic, found: list[Option]
) -> list[Option]:
    """FD-START-4: lanes are changed only where the own lane is not free."""
    lane, space = [start], start
    for step in range(max(length, *(option.spaces for option in found))):
        space = track.ahead[space]
        if step < length and (space < 0 or space in traffic.taken):
            return found
        lane.append(space)
    return [option for option in found if option.to in lane]


def slipstream_leader(state: State, seat: int) -> Car | None:
    """The car whose slipstream this seat may use now, or None (FD-SLIP-1, FD-SLIP-6)."""
    track, car = state.setup.track, state.cars[seat]
    if car.space is None or car.status is not Status.RACING or car.gear < SLIPSTREAM_GEAR:
        return None
    if car.coasts:
        return None
    ahead = track.ahead[car.space]
    for other in state.cars.values():
        if other.space == ahead and other.status is Status.RACING and not other.coasts:
            return other if SLIPSTREAM_GEAR <= other.gear <= car.gear else None
    return None


def slipstream_options(state: State, seat: int, *, charmed: bool = False) -> list[Option]:
    """The ends of a slipstream (FD-SLIP-2 to FD-SLIP-6); empty: none on offer.

    `charmed`: passing Li-Tsu has cost this move a space already (FD-DRV-1).
    """
    if slipstream_leader(state, seat) is None:
        return []
    track, car = state.setup.track, state.cars[seat]
    assert car.space is not None
    her = -1 if charmed else passing.space_of_charmer(state, car)
    ways = reach(track, car.space, SLIPSTREAM, traffic_for(state, car), her=her)
    factor, found = overshoot_factor(state, car), []
    for brakes in range(min(car.wear[BRAKES], SLIPSTREAM) + 1):
        for moved, blocked, arrivals, short in passing.ends_of(ways, SLIPSTREAM - brakes):
            if blocked or not moved:
                continue  # FD-SLIP-3: only where so many spaces are free, and one at least
            for end in arrivals:
                entries = corners_entered(track, car.space, end, moved) * SLIPSTREAM_CORNER_COST
                if brakes + entries <= car.wear[BRAKES]:
                    end = dearer(end, factor)
                    option = charged(state.setup, car, end, moved, brakes, charmed=short)
                    found.append(option._replace(cost=total(option.cost, one(BRAKES, entries))))
    return _least(track, _rolled_for(car, found))


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


def _rolled_for(car: Car, found: list[Option]) -> list[Option]:
    """The ends with the debris that is rolled for: none without handling (DE-DEBRIS-1)."""
    if car.full[HANDLING]:
        return found
    return [_on_clear_road(option) if option.arrival.debris else option for option in found]


def _on_clear_road(option: Option) -> Option:
    return option._replace(arrival=option.arrival._replace(debris=()))


_BLOCKED = attrgetter("blocked")


@lru_cache(maxsize=32)
def _order(track: Track) -> tuple[int, ...]:
    """By space: its place in a list of ends, by lane and then along the lap."""
    by_lane = sorted(range(len(track.ids)), key=lambda space: (track.lane[space], space))
    order = [0] * len(by_lane)
    for at, space in enumerate(by_lane):
        order[space] = at
    return tuple(order)


def _least(track: Track, found: Sequence[Option]) -> list[Option]:
    """One way for each end, brakes and block; for equal costs on a space the fewest brakes."""
    order = _order(track)
    size = len(order)  # brakes and space by their places: this line meets every end of a list
    keys = [option[2] * size + order[option[0][0]] for option in found]
    best = dict(zip(reversed(keys), reversed(found), strict=True))  # the first of each
    if len(best) < len(keys):
        for key, option in zip(keys, found, strict=True):
            if option is not best[key] and option.rank(track) < best[key].rank(track):
                best[key] = option
    listed = [best[key] for key in sorted(best)]
    if not any(map(_BLOCKED, listed)):
        return listed  # then the brakes tell costs apart
    by_cost: dict[tuple[int, Wear], Option] = {}
    for option in listed:
        by_cost.setdefault((option.to, option.cost), option)
    return list(by_cost.values())
