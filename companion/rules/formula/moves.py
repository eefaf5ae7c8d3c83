"""Where a move may end and what each end costs: the options of `move` and `slipstream`.

Everything that asks where a car may go uses these lists: the asks, the check of an answer,
the keys of a seat, the counts in the tests. Why another end is not on them is found here too.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache, partial
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from companion.rules.board.broken_ways import (
    Explanation,
    Fault,
    Found,
    car_in_the_way,
    faults_of,
    way_to,
)
from companion.rules.board.track import IN_PIT, Track
from companion.rules.board.ways import Arrival, Reach, Traffic, reach
from companion.rules.codec import replace
from companion.rules.formula import book, drivers
from companion.rules.formula.book import BODY, BRAKES, TIRES
from companion.rules.formula.car import (
    Car,
    NearEnd,
    Option,
    Rank,
    Status,
    Street,
    block_cost,
    charged,
    dearer,
    is_late,
    overshoot_rule,
)
from companion.rules.formula.state import Phase, State


def takes_shortest(setup: book.Setup) -> bool:
    """Whether only the shortest ways are legal in corners too (FD-MOVE-4)."""
    return setup.house.corner_ways == "shortest"


def _traffic_for(state: State, car: Car) -> Traffic:
    """What stands in the way of this car."""
    taken = {c.space for c in state.cars.values() if c.space is not None and c is not car}
    if state.setup.wrecks_stand:
        taken.update(state.wrecks())
    trial = state.phase is Phase.TRIALS
    return Traffic(
        taken,
        drivers.debris_on(state),
        car.stops,
        car.lap >= (book.TRIAL_LAPS if trial else state.setup.laps),
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
    return _ways_in(state, car, spaces, _traffic_for(state, car))


def _ways_in(state: State, car: Car, spaces: int, traffic: Traffic) -> Reach:
    """The same in this traffic."""
    assert car.space is not None
    slide, her = drivers.slide_of(state, car), drivers.space_of_charmer(state, car)
    return reach(state.setup.track, car.space, spaces, traffic, slide, her)


def chance_to_hold(state: State, seat: int, gear: int) -> Fraction | None:
    """The share of the faces of a gear that are `held_by` a car; None where those are not known."""
    held, faces = held_by(state, seat), book.GEAR_FACES[gear]
    return None if held is None else Fraction(sum(face in held for face in faces), len(faces))


def held_by(state: State, seat: int) -> frozenset[int] | None:
    """How many spaces a car, alone, may move without an overshoot unbraked, up to the highest face.

    None where that is not known: without a board, on a sketch of one, in the pit, in a trial.
    """
    track, car = state.setup.track, state.cars[seat]
    known = track.exact and state.phase is Phase.RACE and car.space is not None
    if not known or car.space is None or track.lane[car.space] < 0:
        return None
    is_last, slide = car.lap >= state.setup.laps, drivers.slide_of(state, car)
    return _held(track, car.space, slide, (car.stops, is_last, takes_shortest(state.setup)))


@lru_cache(maxsize=1024)
def _held(track: Track, space: int, slide: int, traffic: tuple[int, bool, bool]) -> frozenset[int]:
    stops, is_last, whole = traffic
    alone = Traffic(frozenset(), stops=stops, last_lap=is_last, whole=whole)
    ways = reach(track, space, book.TOP_FACE, alone, slide)

    def holds(length: int) -> bool:
        some = (end for some in ways.ends(length) if not some.blocked for end in some.arrivals)
        return any(not (end.spaces or end.fatal) for end in some)

    return frozenset(filter(holds, range(1, book.TOP_FACE + 1)))


def ends_of_move(
    state: State,
    seat: int,
    spaces: int,
    ways: Reach | None = None,
    /,
    *,
    great: bool = False,
    drifts: bool = False,
    most_brakes: int = book.NEVER,
) -> list[Option]:
    """The ends of a move of so many `spaces` (FD-MOVE-1 to FD-BLOCK-2, FD-PIT-1 to -6).

    `great`: it is a great start (FD-START-4). `drifts`: with a drift, whose price is not paid
    yet; only ends that touch the corner (FD-DRV-2). `most_brakes`: of the list only those with so
    many brakes spent or less. A caller that asks for several lengths saves searches by passing
    `ways` of the longest (`ways_of_move`).
    """
    if drifts:
        # Paid for before the way begins, so its point is not there for an overshoot (FD-DRV-2).
        paid = drivers.paid(state, seat)
        options = ends_of_move(paid, seat, spaces, great=great, most_brakes=most_brakes)
        return drivers.touching(state.setup.track, state.cars[seat], options)
    car = state.cars[seat]
    assert car.space is not None
    traffic = _traffic_for(state, car)
    if state.phase is Phase.TRIALS:
        return _least(state.setup.track, _trial_ends(state, car, spaces, traffic))
    # A car in the lane may only go on to its box, at no cost: no search is needed (FD-PIT-3).
    if car.status is Status.PIT and not car.served:
        return to_box(state, car, Arrival(car.space, ()), spaces, traffic)
    if ways is None:
        ways = _ways_in(state, car, spaces, traffic)
    # Without an engine all lengths are looked at, to go as far as can be (FD-ENGINE-3).
    most = book.NEVER if car.coasts else most_brakes
    spent = range(min(book.spare(car.wear, BRAKES), spaces, most) + 1)
    kept = _ends_on_kept_road(state, car, spaces, ways, spent)
    found = kept or [end for n in spent for end in _braked(state, car, spaces, ways, n)]
    if state.setup.house.block_end == "plays-first":
        found = _plays_first(state.setup.track, found)
    if great and state.setup.house.great_start_lanes == "avoid":
        found = _in_lane_if_free(state.setup.track, car.space, spaces, traffic, found)
    into_pit = pit_ways(state, car, ways, spaces, traffic) if may_stop(state, car) else []
    if into_pit:
        found = found + into_pit
    if car.coasts:
        found = _furthest(found)
    if kept and not into_pit:
        return found
    return _least(state.setup.track, _rolled_for(car, found))


def _trial_ends(state: State, car: Car, length: int, traffic: Traffic) -> list[Option]:
    """FD-TRIAL-1: alone, without brakes and wear; what is overshot is counted, least first."""
    assert car.space is not None
    factor, slide = drivers.overshoot_factor(state, car), drivers.slide_of(state, car)
    found = [
        Option(dearer(arrival, factor), some.spaces, out=arrival.fatal)
        for some in reach(state.setup.track, car.space, length, traffic, slide).ends(length)
        for arrival in some.arrivals
    ]
    return sorted(found, key=lambda option: option.arrival.beyond)


def _braked(state: State, car: Car, length: int, ways: Reach, brakes: int) -> list[Option]:
    """The ends with so many brakes spent (FD-BRAKE-1), blocked ones among them."""
    assert car.space is not None
    straight, factor = state.setup.track.straight, drivers.overshoot_factor(state, car)
    in_pit = straight[car.space] == IN_PIT
    # Only passing Li-Tsu makes a way shorter; without her the plain list will do (FD-DRV-1).
    ends_of = ways.ends if ways.her < 0 else partial(drivers.ends_of, ways)
    cost = book.paid_by(car.wear, book.one(BRAKES, brakes))
    found: list[Option] = []
    # Local names and bare tuples for speed: this loop makes nearly every end that is ever listed.
    add, new = found.append, tuple.__new__
    for moved, blocked, arrivals, charmed in ends_of(length - brakes):
        for end in arrivals:
            if factor != 1:
                end = dearer(end, factor)
            if in_pit and straight[end.space] == IN_PIT:
                # In the lane a car waits at no cost and does not brake (FD-PIT-3).
                if not brakes:
                    add(Option(end, moved))
            elif blocked or (end.spaces and not end.fatal):
                add(charged(state.setup, car, end, moved, brakes, blocked, charmed))
            # By far the most frequent case, so it is made here without a further call.
            else:
                plain = (end, moved, brakes, 0, cost, False, end.fatal, charmed)
                add(new(Option, plain))
    return found


def _ends_on_kept_road(
    state: State, car: Car, length: int, ways: Reach, spent: range
) -> list[Option]:
    """The list of an empty road that is kept (`ways.keep_roads`); empty: it has to be made.

    Where no corner is overshot the ends with so many brakes spent are the same for every car that
    comes by, and are made once. As a list is by brakes first, it is these one behind the other.
    """
    kept, track = ways.kept, state.setup.track
    if kept is None or car.space is None or track.straight[car.space] == IN_PIT:
        return []
    found: list[Option] = []
    of_pool = isinstance(car.wear, book.Pool)
    for brakes in spent:
        key = length, brakes, of_pool
        some = kept.get(key)
        if some is None:
            some = _least(track, _braked(state, car, length, ways, brakes))
            if any(map(_BLOCKED, some)):
                return []
            if not any(end.arrival.spaces for end in some):
                kept[key] = some
        found += some
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
    # In rain a slide carries the car beyond the 4 spaces: the lane is followed that far, but only
    # the 4 have to be free (FD-START-4).
    for step in range(max(length, *(option.spaces for option in found))):
        space = track.ahead[space]
        if step < length and (space < 0 or space in traffic.taken):
            return found
        lane.append(space)
    return [option for option in found if option.to in lane]


def slipstream_leader(state: State, seat: int) -> Car | None:
    """The car whose slipstream this seat may use now, or None (FD-SLIP-1, FD-SLIP-6)."""
    track, car = state.setup.track, state.cars[seat]
    if car.space is None or car.status is not Status.RACING or car.gear < book.SLIPSTREAM_GEAR:
        return None
    if car.coasts or not state.setup.edition.slipstreams:
        return None
    ahead = track.ahead[car.space]
    for other in state.cars.values():
        if other.space == ahead and other.status is Status.RACING and not other.coasts:
            return other if book.SLIPSTREAM_GEAR <= other.gear <= car.gear else None
    return None


def slipstream_options(state: State, seat: int, *, charmed: bool = False) -> list[Option]:
    """The ends of a slipstream (FD-SLIP-2 to FD-SLIP-6); empty: none on offer.

    `charmed`: passing Li-Tsu has cost this move a space already (FD-DRV-1).
    """
    if slipstream_leader(state, seat) is None:
        return []
    track, car = state.setup.track, state.cars[seat]
    assert car.space is not None
    her = -1 if charmed else drivers.space_of_charmer(state, car)
    # No slide is passed on: a slipstream does not slide (FD-TIRE-6).
    ways = reach(track, car.space, book.SLIPSTREAM, _traffic_for(state, car), her=her)
    factor, found = drivers.overshoot_factor(state, car), []
    for brakes in range(min(car.wear[BRAKES], book.SLIPSTREAM) + 1):
        for moved, blocked, arrivals, short in drivers.ends_of(ways, book.SLIPSTREAM - brakes):
            # All of its spaces must be free, and one at least is moved (FD-SLIP-3).
            if blocked or not moved:
                continue
            for end in arrivals:
                entries = (
                    corners_entered(track, car.space, end, moved) * book.SLIPSTREAM_CORNER_COST
                )
                if brakes + entries <= car.wear[BRAKES]:
                    end = dearer(end, factor)
                    option = charged(state.setup, car, end, moved, brakes, charmed=short)
                    # Added afterwards: `charged` takes each brakes point for a space less, but
                    # entering a corner makes the move no shorter (FD-SLIP-5).
                    found.append(
                        option._replace(cost=book.total(option.cost, book.one(BRAKES, entries)))
                    )
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
    if car.full[book.HANDLING]:
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
    size = len(order)
    # Brakes and space as one number, which is fast: these lines meet every end of every list.
    keys = [option[2] * size + order[option[0][0]] for option in found]
    # Reversed, since a dict keeps the last value of a key and the first one is wanted.
    best = dict(zip(reversed(keys), reversed(found), strict=True))
    if len(best) < len(keys):
        for key, option in zip(keys, found, strict=True):
            if option is not best[key] and option.rank(track) < best[key].rank(track):
                best[key] = option
    listed = [best[key] for key in sorted(best)]
    # Only a block can make two numbers of brakes on one space cost the same; without one the list
    # is done (FD-BLOCK-1).
    if not any(map(_BLOCKED, listed)):
        return listed
    by_cost: dict[tuple[int, book.Wear], Option] = {}
    for option in listed:
        by_cost.setdefault((option.to, option.cost), option)
    return list(by_cost.values())


# -- boards that are a sketch (`exact = false`) ---------------------------------------------------

# Where the lane changes of a board are not sure, a car on the table may stand on a space that no
# listed way leads to. Such an end is accepted and noted, never refused: the move is the listed
# one whose end lies nearest, in all that it costs and meets on its way, and only its last space
# is another. What follows from where a car stands (a stop, collisions, a slipstream) follows from
# that space.
#
# Near is a space of the same section and on the same side of the line, free, and at most
# `NEAR_SPACES` farther or less far along the lap, in any lane; so no limit of a corner lies
# between the two ends. Nothing is near the end of a car that its move puts out.

NEAR_SPACES = 2
LEVELS_A_SPACE = 2


def near_ends(state: State, seat: int, options: Sequence[Option]) -> list[NearEnd]:
    """The ends near the listed ones, by name and brakes; none on a board that is sure."""
    track = state.setup.track
    if track.exact:
        return []
    taken = {car.space for car in state.cars.values() if car.seat != seat}
    taken.update(option.to for option in options)
    by_brakes: dict[int, list[Option]] = defaultdict(list)
    for option in options:
        if not option.out and track.lane[option.to] >= 0:
            by_brakes[option.brakes].append(option)
    found: list[NearEnd] = []
    for listed in by_brakes.values():
        close: dict[int, list[Option]] = defaultdict(list)
        for option in listed:
            for space in _near(track, option.to):
                close[space].append(option)
        found += [
            NearEnd(space, min(ends, key=partial(_apart, track, space)))
            for space, ends in close.items()
            if space not in taken
        ]
    return sorted(found, key=lambda end: (track.ids[end.space], end.listed.brakes))


@lru_cache(maxsize=4096)
def _near(track: Track, end: int) -> tuple[int, ...]:
    """The spaces near one of a board, itself too."""
    return tuple(
        space
        for space in track.track_spaces()
        if track.section[space] == track.section[end]
        and track.past_line[space] == track.past_line[end]
        and abs(track.level[space] - track.level[end]) <= NEAR_SPACES * LEVELS_A_SPACE
    )


def _apart(track: Track, space: int, option: Option) -> tuple[int, int, Rank]:
    """How far a listed end lies off, along first and then across; equals by least cost."""
    along = abs(track.level[space] - track.level[option.to])
    return along, abs(track.lane[space] - track.lane[option.to]), option.rank(track)


# -- ways into the pit ----------------------------------------------------------------------------

# When it is open, from which doors, and along its lane.


def may_stop(state: State, car: Car) -> bool:
    """FD-PIT-1: at the end of a lap, but not of lap 0 nor of the last one.

    DE-PIT-1: only for a car that has lost a tires WP. FD-URBAN-1: there are no pits.
    """
    worn_only = state.setup.edition.stops_worn_only
    if state.is_urban or (worn_only and car.wear[TIRES] >= car.full[TIRES]):
        return False
    if car.coasts or not _slow_enough(state.setup, car):
        return False
    has_box = state.ground.has_box(state.setup, car)
    return 1 <= car.lap < state.setup.laps and car.status is not Status.PIT and has_box


def _slow_enough(setup: book.Setup, car: Car) -> bool:
    """House switch `pit_entry`: into the lane in 4th at most, with "5th-brake" in 5th too.

    That costs brakes 1 (`entry_cost`), with no space less.
    """
    if setup.house.pit_entry == "any" or car.gear <= book.PIT_ENTRY_GEAR:
        return True
    in_fifth = setup.house.pit_entry == "5th-brake" and car.gear == book.PIT_ENTRY_GEAR + 1
    return in_fifth and book.spare(car.wear, BRAKES) > 0


def entry_cost(setup: book.Setup, car: Car) -> book.Wear:
    """What it costs to come into the pit lane in this gear."""
    brakes = setup.house.pit_entry == "5th-brake" and car.gear > book.PIT_ENTRY_GEAR
    return book.one(BRAKES) if brakes else book.NOTHING


def pit_ways(state: State, car: Car, ways: Reach, length: int, traffic: Traffic) -> list[Option]:
    """The ways into the pit lane from each entry space that a move of this length passes."""
    track, cost = state.setup.track, book.paid_by(car.wear, entry_cost(state.setup, car))
    found: list[Option] = []
    assert car.space is not None
    known: list[tuple[int, frozenset[int]]] = []
    for arrival, moved, left in ways.at_doors(car.space, length):
        # Past the line this lap is over, and a stop belongs to its end (FD-PIT-1).
        if arrival.line:
            continue
        if traffic.whole and any(
            near < moved and less.issubset(arrival.debris) for near, less in known
        ):
            # All doors lead to one space, so only the shortest way there is legal (FD-MOVE-4).
            continue
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
    # The box is a space of its own beside the lane (FD-PIT-6).
    if left > 0 and space == beside:
        space, moved = track.boxes[car.box - 1], moved + 1
    return [Option(arrival._replace(space=space), moved)]


# -- why an end is legal or not -------------------------------------------------------------------

# A fault that lies in the way is found by `broken_ways`. All others (brakes, tires, drivers, the
# pit, what a slipstream asks for) are found by asking once more: the ends are listed for a state
# in which this one rule does not bind, and where the wanted end is among them, that was it.

INSTEAD = 3
"""How many of the nearest ends an explanation names."""


@cache
def why() -> Mapping[str, str]:
    """Why a space is no end of a move, by reason; by the rule where it has one reason only."""
    text = Path(__file__).with_name("why.toml").read_text("utf-8")
    reasons: dict[str, str] = tomllib.loads(text)["why"]
    for switch in book.switches().values():
        reasons |= switch.refused
    return reasons


class _Move(NamedTuple):
    """A move that is to be explained: who moves how many spaces, and how."""

    seat: int
    spaces: int
    great: bool
    drifts: bool

    def ends(self, state: State) -> list[Option]:
        """Its ends in a state."""
        great, drifts = self.great, self.drifts
        return ends_of_move(state, self.seat, self.spaces, great=great, drifts=drifts)

    def has(self, state: State, to: int, brakes: int = 0) -> bool:
        """Whether it may end there in a state."""
        return _has(self.ends(state), to, brakes)


def explain_move(
    state: State,
    seat: int,
    spaces: int,
    to: int,
    brakes: int,
    *,
    great: bool = False,
    drifts: bool = False,
) -> Explanation[Option]:
    """Whether a move of so many `spaces` may end there with so many brakes spent, and why not.

    `to` is a space of the board. For `great` and `drifts` see `ends_of_move`.
    """
    move = _Move(seat, spaces, great, drifts)
    track, car, options = state.setup.track, state.cars[seat], move.ends(state)
    for option in [*options, *(end.option() for end in near_ends(state, seat, options))]:
        if (option.to, option.brakes) == (to, brakes):
            # A drift is paid before the way begins (FD-DRV-2).
            return _legal(drivers.paid(state, seat) if drifts else state, seat, option)
    faults = _too_many_brakes(state, car, spaces, brakes)
    way: tuple[int, ...] = ()
    if track.lane[to] < 0:
        faults += _pit_faults(state, car, move, to, brakes)
    elif car.status is Status.PIT and not car.served:
        faults.append(Fault("FD-PIT-6", to))
    # A plain move may end there, so the great start or the drift rules it out; lifting one of the
    # two tells which.
    elif move._replace(great=False, drifts=False).has(state, to, brakes):
        changes_lane = move._replace(great=False).has(state, to, brakes)
        faults.append(Fault("FD-START-4" if changes_lane else "FD-DRV-2", to))
    # Where more brakes would make it legal the way is sound, and only they are at fault.
    elif brakes <= spaces and not move.has(with_brakes(state, seat, brakes), to, brakes):
        found, way = _way_faults(state, car, move, to, brakes)
        faults += found
    explained = _explained(state, faults, options, to, brakes)
    return explained._replace(ways=_drawn(state, car, way, explained.instead))


def _drawn(
    state: State, car: Car, way: tuple[int, ...], instead: tuple[Option, ...]
) -> tuple[tuple[int, ...], ...]:
    """The way that was meant, and the one to the nearest end beside it."""
    if not (way and instead) or car.space is None:
        return ()
    end, traffic = instead[0], _traffic_for(state, car)
    legal = way_to(state.setup.track, car.space, end.spaces, traffic, end.to)
    return (way, legal) if legal else (way,)


def explain_slipstream(
    state: State, seat: int, to: int, brakes: int, *, charmed: bool = False
) -> Explanation[Option]:
    """Whether a slipstream may end there with so many brakes spent, and why not.

    `charmed`: passing Li-Tsu has cost this move a space already (FD-DRV-1).
    """
    track, car = state.setup.track, state.cars[seat]
    assert car.space is not None
    options = slipstream_options(state, seat, charmed=charmed)
    for option in options:
        if (option.to, option.brakes) == (to, brakes):
            return _legal(state, seat, option)
    if slipstream_leader(state, seat) is None:
        return _explained(state, [no_leader(state, car)], options, to, brakes)
    faults = _too_many_brakes(state, car, book.SLIPSTREAM, brakes)
    # As many brakes as it could ever cost, so that only the way can be at fault.
    paid = with_brakes(state, seat, brakes + len(track.corners) * book.SLIPSTREAM_CORNER_COST)
    if brakes >= book.SLIPSTREAM:
        faults.append(Fault("FD-SLIP-3", car.space))
    elif track.lane[to] < 0:
        faults.append(Fault("FD-SLIP-6", to, "slip-pit"))
    elif not _has(slipstream_options(paid, seat, charmed=charmed), to, brakes):
        traffic = _traffic_for(state, car)
        found, _ = faults_of(track, car.space, book.SLIPSTREAM - brakes, traffic, to)
        faults += [found[0]._replace(rule="FD-SLIP-2", key=found[0].key or found[0].rule)]
        # FD-SLIP-2 has said already that the number of spaces is wrong.
        faults += [fault for fault in found if fault.rule != "FD-MOVE-1"]
    elif brakes <= car.wear[BRAKES]:
        faults.append(Fault("FD-SLIP-5", _first_corner_space(track, car.space, to)))
    return _explained(state, faults, options, to, brakes)


def no_leader(state: State, car: Car) -> Fault:
    """Why there is no slipstream: the gears and the place, or the state of the car ahead."""
    assert car.space is not None
    ahead = state.setup.track.ahead[car.space]
    leader = next((other for other in state.cars.values() if other.space == ahead), None)
    if car.gear < book.SLIPSTREAM_GEAR:
        return Fault("FD-SLIP-1", car.space, "slip-gear")
    if car.coasts:
        return Fault("FD-SLIP-6", car.space, "slip-coasting")
    if leader is None:
        return Fault("FD-SLIP-1", car.space, "slip-nobody")
    if leader.status is not Status.RACING or leader.coasts:
        return Fault("FD-SLIP-6", ahead, "slip-standing")
    key = "slip-slow" if leader.gear < book.SLIPSTREAM_GEAR else "slip-faster"
    return Fault("FD-SLIP-1", car.space, key)


def _first_corner_space(track: Track, start: int, to: int) -> int:
    """The first space of a corner straight ahead of a start, or the end itself."""
    space = start
    for _ in range(book.SLIPSTREAM):
        space = track.ahead[space]
        if space < 0:
            break
        if track.corner[space] not in (-1, track.corner[start]):
            return space
    return to


def _legal(state: State, seat: int, option: Option) -> Explanation[Option]:
    """A legal end, with the rules by which it spins the car or puts it out."""
    return Explanation(True, *_named(state, _consequences(state, state.cars[seat], option)))


def _consequences(state: State, car: Car, option: Option) -> Iterator[Fault]:
    """What follows from a legal end by the events that it brings, the worst of each kind only.

    The block first, then the overshoot (FD-BLOCK-2); a trial counts what is overshot.
    """
    arrival, first = option.arrival, option.to
    # An overshoot keeps its lane, so it came straight from behind (FD-CORNER-4).
    for _ in range(arrival.spaces - 1):
        first = state.setup.track.behind[first]
    if state.phase is Phase.TRIALS:
        if arrival.spaces:
            yield Fault("FD-TRIAL-3" if arrival.fatal else "FD-TRIAL-2", first)
        return
    rule, tires = _by_block(state.setup, car, option)
    if tires is None:
        yield Fault(rule, option.to)
        return
    over = overshoot_rule(state.setup, tires, arrival, spin=option.spin, out=option.out)
    if arrival.spaces and (option.out or rule != "DE-CORNER-3"):
        if rule and over == "FD-CORNER-2" and not (option.spin or option.out):
            yield Fault(rule, option.to)
        yield Fault(over, first)
    elif rule:
        yield Fault(rule, option.to)


def _by_block(setup: book.Setup, car: Car, option: Option) -> tuple[str, int | None]:
    """The rule of what a block brings ("": there is none), and the tires left; None: it is out."""
    if setup.edition.one_pool:
        left = sum(car.wear) - option.brakes - option.blocked
        return ("FD-BLOCK-1", left if left > 0 else None) if option.blocked else ("", left)
    tires, brakes, blocked = car.wear[TIRES], car.wear[BRAKES] - option.brakes, option.blocked
    cost = block_cost(setup, brakes, blocked)
    if not blocked:
        return "", tires
    if cost is None:
        return "FD-BLOCK-1", None
    if setup.house.late_block == "on" and is_late(brakes, blocked):
        gone = car.wear[BODY] <= 1
        return ("DE-OUT-1", None) if gone else ("DE-CORNER-3" if tires else "DE-BLOCK-2", 0)
    if cost[TIRES] > tires or cost[BRAKES] > brakes:
        return "FD-BLOCK-2", None
    spins = setup.house.block_last_tires == "spin" and cost[TIRES] == tires > 0
    return "DE-CORNER-3" if spins else "FD-BLOCK-1", tires - cost[TIRES]


def _too_many_brakes(state: State, car: Car, spaces: int, brakes: int) -> list[Fault]:
    """FD-BRAKE-1: no more than it has, and no more than it moves; FD-TRIAL-1: none."""
    assert car.space is not None
    if brakes and state.phase is Phase.TRIALS:
        return [Fault("FD-TRIAL-1", car.space)]
    left = book.spare(car.wear, BRAKES)
    if brakes > left:
        said = (("left", left), ("brakes", brakes))
        why = "points-lacking" if state.setup.edition.one_pool else "brakes-lacking"
        return [Fault("FD-BRAKE-1", car.space, why, said)]
    said = (("brakes", brakes), ("spaces", spaces))
    many = Fault("FD-BRAKE-1", car.space, "brakes-too-many", said)
    return [many] if brakes > spaces else []


def _way_faults(state: State, car: Car, move: _Move, to: int, brakes: int) -> Found:
    """What is wrong with an end on the track: a rule that does not bind all, a car, or its way."""
    assert car.space is not None
    for rule, at, unbound in _unbound(state, car, to):
        # The brakes are given as well, so that a lack of them hides no other rule.
        if move.has(with_brakes(unbound, car.seat, brakes), to, brakes):
            return (Fault(rule, at, "block-plays-first" if rule == "FD-BLOCK-2" else ""),), ()
    traffic, alone = _traffic_for(state, car), replace(state, cars={car.seat: car})
    if to in traffic.taken or move.has(with_brakes(alone, car.seat, brakes), to, brakes):
        why = car_in_the_way
    else:
        why = faults_of
    length, slide = move.spaces - brakes, drivers.slide_of(state, car)
    return why(state.setup.track, car.space, length, traffic, to, slide)


def _unbound(state: State, car: Car, to: int) -> Iterator[tuple[str, int, State]]:
    """States in which a rule does not hold that holds for some cars or houses only."""
    her = drivers.space_of_charmer(state, car)
    if her >= 0:
        seat = next(seat for seat, other in state.cars.items() if other.space == her)
        yield "FD-DRV-1", her, state.change(seat, street=Street())
    if takes_shortest(state.setup):
        yield "FD-MOVE-4", to, _in_house(state, corner_ways="any")
    if drivers.slide_of(state, car):
        yield "FD-TIRE-6", to, replace(state, weather="fine")
    if car.coasts:
        yield "FD-ENGINE-3", to, state.remembering(car.seat, blown=None)
    if state.setup.house.block_end == "plays-first":
        yield "FD-BLOCK-2", to, _in_house(state, block_end="choice")


def _in_house(state: State, **values: str) -> State:
    """The state in a house with some switches otherwise."""
    return replace(state, setup=replace(state.setup, house=state.setup.house.but(**values)))


def _pit_faults(state: State, car: Car, move: _Move, to: int, brakes: int) -> list[Fault]:
    """What is wrong with an end in the pit (FD-PIT-1, FD-PIT-3, FD-PIT-6)."""
    track = state.setup.track
    if state.is_urban:
        return [Fault("FD-URBAN-1", to)]
    in_lane = car.status is Status.PIT and not car.served
    if not state.ground.has_box(state.setup, car):
        return [Fault("FD-PIT-1", to, "pit-none")]
    if to in track.boxes and to != track.boxes[car.box - 1]:
        return [Fault("FD-PIT-1", to, "pit-other-box", (("box", car.box),))]
    if not (in_lane or may_stop(state, car)):
        return [_no_stop(state, car, to)]
    return [Fault("FD-PIT-3", to, "pit-brakes")] if brakes else [_way_to_pit(state, car, move, to)]


def _way_to_pit(state: State, car: Car, move: _Move, to: int) -> Fault:
    """What is wrong with the way to an end in the pit that is open to the car."""
    track = state.setup.track
    assert car.space is not None
    # Legal on an empty road: a car is in the way, in the lane or before its entry.
    if move.has(replace(state, cars={car.seat: car}), to):
        waits = next((o.to for o in move.ends(state) if track.lane[o.to] < 0), None)
        if waits is not None:
            return Fault("FD-PIT-3", track.ahead[waits])
        return car_in_the_way(track, car.space, move.spaces, _traffic_for(state, car), to)[0][0]
    corner = track.corner[car.space]
    if corner >= 0:
        stopped = state.change(car.seat, stops=track.corners[corner].stops)
        # With its stops made it could turn in: an overshoot must stay on the track (FD-CORNER-4).
        if move.has(stopped, to):
            return Fault("FD-CORNER-4", to, "pit-overshot")
    # A longer roll would get there, and the distance must be reached at least (FD-PIT-1).
    for more in range(1, book.TOP_FACE):
        if move._replace(spaces=move.spaces + more).has(state, to):
            return Fault("FD-PIT-1", to, "pit-too-short", (("spaces", more),))
    # A shorter roll would stop there: this one goes on, as a car must go to its box (FD-PIT-6).
    passed = any(move._replace(spaces=less).has(state, to) for less in range(move.spaces))
    return Fault("FD-PIT-6", to) if passed else Fault("FD-MOVE-1", to, "move-no-way")


def _no_stop(state: State, car: Car, to: int) -> Fault:
    """Why a car may not come into the pit now (`may_stop`)."""
    if car.status is Status.PIT:
        return Fault("FD-PIT-1", to, "pit-served")
    if not 1 <= car.lap < state.setup.laps:
        return Fault("FD-PIT-1", to, "pit-last-lap" if car.lap else "pit-first-lap")
    if car.coasts:
        return Fault("FD-ENGINE-3", to, "pit-coasting")
    slow = _slow_enough(state.setup, car)
    return Fault("DE-PIT-1", to, "pit-unworn") if slow else Fault("FD-PIT-1", to, "pit-too-fast")


def _has(options: Sequence[Option], to: int, brakes: int) -> bool:
    return any((option.to, option.brakes) == (to, brakes) for option in options)


def with_brakes(state: State, seat: int, brakes: int) -> State:
    """The state in which a car has as many brakes WP at least."""
    wear = state.cars[seat].wear
    more = max(0, brakes - book.spare(wear, BRAKES))
    return state.change(seat, wear=book.total(wear, book.one(BRAKES, more))) if more else state


def _explained(
    state: State, faults: Sequence[Fault], options: Sequence[Option], to: int, brakes: int
) -> Explanation[Option]:
    """An end that is not on the list. FD-BRAKE-1: the brakes alone can be what is not."""
    if not faults:
        faults = [Fault("FD-BRAKE-1", to)]
    why = faults[0]
    if why.key == "move-car-in-the-way":
        there = (car.seat for car in state.cars.values() if why.at in (car.space, car.stood))
        why = why._replace(said=(*why.said, ("seat", next(there))))
    nearest = sorted(options, key=lambda option: _apart_from(state.setup.track, option, to, brakes))
    return Explanation(False, *_named(state, faults), tuple(nearest[:INSTEAD]), why)


def _named(state: State, faults: Iterable[Fault]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Rules and spaces apart, by the names that the edition has for the rules."""
    found = {state.setup.edition.rule(fault.rule) or fault.rule: fault.at for fault in faults}
    return tuple(found), tuple(found.values())


def _apart_from(track: Track, option: Option, to: int, brakes: int) -> tuple[int, int, int, object]:
    """How far an end lies off: along, then across, then in brakes; equals by least cost."""
    along = (track.level[option.to] - track.level[to]) % track.lap_levels
    across = abs(track.lane[option.to] - track.lane[to])
    near = min(along, track.lap_levels - along)
    return near, across, abs(option.brakes - brakes), option.rank(track)
