"""Where a move may end and what each end costs: the options of `move` and `slipstream`.

Everything that asks where a car may go uses these lists: the asks, the check of an answer,
the keys of a seat, the counts in the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from companion.rules.board.track import IN_PIT, Track
from companion.rules.formula.option import Option, charged, dearer
from companion.rules.formula.pitways import at_the_doors, may_stop, pit_ways, to_box
from companion.rules.formula.state import Car, Phase, State, Status, Step
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
from companion.rules.formula.urban.drivers import is_urban
from companion.rules.formula.urban.zone import debris_on
from companion.rules.formula.wear import (
    Wear,
    affords,
    one,
    total,
)
from companion.rules.ways.arrivals import Arrival, Reach, Traffic
from companion.rules.ways.search import reach
from companion.rules.ways.slide import Slid, SlidReach


def traffic_for(state: State, car: Car) -> Traffic:
    """What stands in the way of this car."""
    taken = {c.space for c in state.cars.values() if c.space is not None and c is not car}
    if state.setup.edition.blocks == "wreck":
        taken.update(state.wrecks())
    trial = state.phase is Phase.TRIALS
    return Traffic(
        taken,
        debris_on(state),
        car.stops,
        car.lap >= (TRIAL_LAPS if trial else state.setup.laps),
        state.setup.corner_ways == "shortest",
        trial,
    )


def move_options(state: State, step: Step) -> list[Option]:
    """The ends of the move that a step is about."""
    drifts, great = drift.DRIFTS in step.flags, "great" in step.flags
    return ends_of_move(state, step.seat, step.number, great=great, drifts=drifts)


def ends_of_move(
    state: State, seat: int, spaces: int, *, great: bool = False, drifts: bool = False
) -> list[Option]:
    """The ends of a move of so many `spaces` (FD-MOVE-1 to FD-BLOCK-2, FD-PIT-1 to -6).

    `great`: it is a great start (FD-START-4). `drifts`: with a drift, whose price is not paid
    yet; only ends that touch the corner (FD-DRV-2).
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
    slide = slide_of(state, car)
    her = passing.charmer(state, car) if is_urban(state) else None
    passed: Iterator[Slid] = iter(())
    if her is not None:
        found = _past_her(state, car, spaces, passing.Ways.of(state, car, her, traffic), slide)
    elif slide:
        found, passed = _sliding(state, car, spaces, traffic, slide)
    else:
        ways = reach(state.setup.track, car.space, spaces, traffic)
        found = list(_ends(state, car, spaces, ways))
        passed = at_the_doors(state.setup.track, ways, spaces)
    if great:
        found = _in_lane_if_free(state.setup.track, car.space, spaces, traffic, found)
    if may_stop(state, car):
        found += pit_ways(state, car, passed, traffic)
    return _least(state.setup.track, _rolled_for(car, found))


def _past_her(state: State, car: Car, length: int, ways: passing.Ways, slide: int) -> list[Option]:
    """The ends where Li-Tsu may be passed (FD-DRV-1); there is no pit in the streets."""
    factor, most = overshoot_factor(state, car), min(car.wear[BRAKES], length)
    ends = ways.sliding(length, slide, length - most) if slide else ways.plain(length)
    return [
        charged(
            state.setup,
            car,
            dearer(end.arrival, factor),
            end.spaces,
            brakes=brakes,
            blocked=end.blocked,
        )._replace(charmed=end.charmed)
        for brakes in range(most + 1)
        for end in ends(length - brakes)
    ]


def _trial_ends(state: State, car: Car, length: int, traffic: Traffic) -> list[Option]:
    """FD-TRIAL-1: alone, without brakes and wear; what is overshot is counted, least first."""
    assert car.space is not None
    track, factor, slide = state.setup.track, overshoot_factor(state, car), slide_of(state, car)
    if slide:
        ways = SlidReach(track, car.space, length, traffic, slide, least=length).ends(length)
    else:
        plain = reach(track, car.space, length, traffic).ends(length)
        ways = [Slid(arrival, length, 0) for arrival in plain]
    ways.sort(key=lambda way: way.arrival.beyond)
    return [Option(dearer(a, factor), spaces, out=a.fatal) for a, spaces, _ in ways]


def _sliding(
    state: State, car: Car, length: int, traffic: Traffic, slide: int
) -> tuple[list[Option], Iterator[Slid]]:
    """The ends in rain, and where their ways pass before (FD-TIRE-6)."""
    assert car.space is not None
    track, most = state.setup.track, min(car.wear[BRAKES], length)
    ways = SlidReach(track, car.space, length, traffic, slide, least=length - most)
    factor, found = overshoot_factor(state, car), []
    for brakes in range(most + 1):
        for arrival, spaces, blocked in ways.ends(length - brakes):
            if track.straight[arrival.space] != IN_PIT:
                end = dearer(arrival, factor)
                found.append(charged(state.setup, car, end, spaces, brakes=brakes, blocked=blocked))
            elif not brakes:
                found.append(Option(arrival, spaces))  # FD-PIT-3, as in `_ends`
    return found, ways.on_the_way(length)


def _ends(state: State, car: Car, length: int, ways: Reach) -> Iterator[Option]:
    """The ends with every number of brakes spent (FD-BRAKE-1), blocked ones among them."""
    straight, factor = state.setup.track.straight, overshoot_factor(state, car)
    for brakes in range(min(car.wear[BRAKES], length) + 1):
        moved = min(length - brakes, ways.furthest)
        blocked = length - brakes - moved
        for arrival in ways.ends(moved):
            if straight[arrival.space] != IN_PIT:
                end = arrival if factor == 1 else dearer(arrival, factor)
                yield charged(state.setup, car, end, moved, brakes=brakes, blocked=blocked)
            elif not brakes:
                # FD-PIT-3: in the lane a car waits at no cost, and does not brake.
                yield Option(arrival, moved)


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
    ahead = track.ahead[car.space]
    for other in state.cars.values():
        if other.space == ahead and other.status is Status.RACING:
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
    ways = _slips(state, car, charmed=charmed)
    factor, found = overshoot_factor(state, car), []
    for brakes in range(min(car.wear[BRAKES], SLIPSTREAM) + 1):
        for arrival, moved, blocked, short in ways(SLIPSTREAM - brakes):
            if blocked:
                continue  # FD-SLIP-3: only where so many spaces are free
            touched = corners_entered(track, car.space, arrival, moved)
            option = charged(state.setup, car, dearer(arrival, factor), moved, brakes=brakes)
            price = one(BRAKES, brakes + touched * SLIPSTREAM_CORNER_COST)
            if affords(car.wear, price):
                entry = one(BRAKES, touched * SLIPSTREAM_CORNER_COST)
                found.append(option._replace(cost=total(option.cost, entry), charmed=short))
    return _least(track, _rolled_for(car, found))


def _slips(
    state: State, car: Car, *, charmed: bool
) -> Callable[[int], Iterable[tuple[Arrival, int, int, bool]]]:
    """By the spaces left of a slipstream: its ends, their length, what is missing, charmed."""
    assert car.space is not None
    traffic = traffic_for(state, car)
    her = passing.charmer(state, car) if is_urban(state) and not charmed else None
    if her is not None:
        return passing.Ways.of(state, car, her, traffic).plain(SLIPSTREAM)
    ways = reach(state.setup.track, car.space, SLIPSTREAM, traffic)

    def plain(left: int) -> list[tuple[Arrival, int, int, bool]]:
        free = left <= ways.furthest
        return [(arrival, left, 0, False) for arrival in ways.ends(left)] if free else []

    return plain


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
    return [option._replace(arrival=option.arrival._replace(debris=())) for option in found]


def _least(track: Track, found: Iterable[Option]) -> list[Option]:
    """One way for each end, brakes and block; for equal costs on a space the fewest brakes."""
    best: dict[tuple[int, int], Option] = {}
    for option in found:
        key = (option.arrival.space, option.brakes)
        known = best.get(key)
        if known is None or option.rank(track) < known.rank(track):
            best[key] = option
    listed: dict[tuple[int, Wear], Option] = {}
    for key in sorted(best, key=lambda key: (key[1], track.lane[key[0]], key[0])):
        option = best[key]
        listed.setdefault((key[0], option.cost), option)
    return list(listed.values())
