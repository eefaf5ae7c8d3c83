"""Why a space is not an end of a move: what the least wrong way to it breaks, and where.

The search of ways lists ends; it cannot say why another space is none. So a space that is not
on the list is looked for again with the rules relaxed. A relaxed way may go through a car
(FD-MOVE-1), change lane without an arrow or against one (FD-MOVE-3), leave the lane that an
overshoot keeps (FD-CORNER-4), and take a lane again that it has left in the same straight
(FD-MOVE-2). Each such step is a fault, and the way with the least of them that has exactly the
spaces to be moved tells what is wrong, in the order in which it meets the rules; of equal ways
the one that leaves the legal ones first, so that the place is where a driver would have had to
drive otherwise.

What is not known here: brakes, prices, tires, the pit. Faults of these kinds are found in
`formula/moves.py` by listing the ends of a state in which the one rule does not bind.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Generic, NamedTuple, TypeVar

from companion.rules.board.track import IN_PIT, Track
from companion.rules.board.ways import Traffic, reach

Instead = TypeVar("Instead")

# What a relaxed way costs: a step that breaks a rule, one along an arrow that an overshoot may not
# take, a lane taken again.
_BREAK, _OUT_OF_LANE, _WEAVE = 10, 9, 5
_MOST = 2 * _BREAK + _WEAVE
_FARTHER = 15
"""How many spaces beyond its number a move is still looked for."""
_ON = 6
"""How many levels on a step without an arrow leads at most; the way back is a lap less some."""
ZIGZAG = frozenset({"FD-MOVE-2"})
THROUGH_CARS = frozenset({"FD-MOVE-1", "FD-PIT-3"})


class Fault(NamedTuple):
    """A rule that a way breaks, the space where it does, and which of its reasons it is.

    `said` are the figures of its sentence (`moves.why`, by `key`).
    """

    rule: str
    at: int
    key: str = ""
    said: tuple[tuple[str, int], ...] = ()


class Explanation(NamedTuple, Generic[Instead]):
    """Whether an answer is legal, the rules that it breaks or that follow from it, and where.

    `at` are spaces, one for each rule, in the order in which they are met; `instead` are the
    nearest answers on offer, the nearest first, none where it is legal; `why` is the first fault;
    `ways` are the way that was meant and the one to the nearest answer, where there are such.
    """

    legal: bool
    rules: tuple[str, ...] = ()
    at: tuple[int, ...] = ()
    instead: tuple[Instead, ...] = ()
    why: Fault | None = None
    ways: tuple[tuple[int, ...], ...] = ()


Found = tuple[tuple[Fault, ...], tuple[int, ...]]
"""Faults, and the spaces of the way that has them; none where there is no such way."""


def faults_of(
    track: Track, start: int, length: int, traffic: Traffic, to: int, slide: int = 0
) -> Found:
    """What is wrong with a space of the track as the end of a move, which it is not; never empty.

    FD-WHY-1: an end that a way of the right number reaches along the arrows breaks what that way
    does (FD-MOVE-2, FD-MOVE-4), and then the number (FD-MOVE-1): whoever ends one space short
    may have driven a zigzag or counted wrong, and nobody saw which. Most other wrong ends lie too
    near or too far, or where the car would stand if it were blocked and is not (FD-BLOCK-2); a
    single fault of a way is named before that.

    `length` is what is to be moved, brakes taken off, before the `slide` of a way that touches
    a corner (FD-TIRE-6).
    """
    way = _least_wrong(track, start, length, traffic, to, slide)
    number, counted = _wrong_number(track, start, length, traffic, to, slide)
    if way is None:
        return (number,), counted
    if not {fault.rule for fault in way.faults} - ZIGZAG:
        weaves = way.faults or (Fault("FD-MOVE-4", to),)
        if number.rule == "FD-MOVE-1":
            return (*weaves, number), way.path
        return (number, *weaves), counted
    # A way that breaks more than one rule is less likely than another number, if there is one.
    return (way.faults, way.path) if way.is_single or not counted else ((number,), counted)


def car_in_the_way(
    track: Track, start: int, length: int, traffic: Traffic, to: int, slide: int = 0
) -> Found:
    """The first car on the way to an end that would be one without the cars (FD-WHY-2)."""
    way = _least_wrong(
        track, start, length, traffic, to, slide, most=_BREAK * (length + slide), only=THROUGH_CARS
    )
    if way is not None and way.broken:
        step, fault = way.broken[0]
        return (_standing(fault, step),), way.path
    return (_standing(Fault("FD-MOVE-1", to), _steps(track, start, to)),), ()


def _standing(fault: Fault, spaces: int) -> Fault:
    """A car on the way is told with how many spaces on it stands."""
    if fault.rule != "FD-MOVE-1":
        return fault
    return fault._replace(key="move-car-in-the-way", said=(("spaces", spaces),))


def way_to(
    track: Track, start: int, length: int, traffic: Traffic, to: int, slide: int = 0
) -> tuple[int, ...]:
    """The spaces of a legal way to a legal end, start and end included."""
    way = _least_wrong(track, start, length, traffic, to, slide, only=())
    return way.path if way is not None else ()


def _wrong_number(
    track: Track, start: int, length: int, traffic: Traffic, to: int, slide: int
) -> tuple[Fault, tuple[int, ...]]:
    """A space that legal ways lead to, of another number of spaces (FD-WHY-2); and the nearest."""
    farthest = length + slide + _FARTHER
    known = reach(track, start, farthest, traffic)
    counts = [n for n in range(known.furthest + 1) if any(e.space == to for e in known.arrivals(n))]
    if not counts:
        # Nobody gets there: around the cars or across the lanes, which is told as well.
        far = _steps(track, start, to)
        if far <= length or far > len(track.ids) // (2 * len(track.lanes)):
            return (Fault("FD-MOVE-1", to, "move-no-way"), ())
        return (_number(to, far - length), ())
    count = min(counts, key=lambda n: (abs(n - length), n))
    way = way_to(track, start, count, traffic, to)
    touches = slide and any(track.corner[space] >= 0 for space in way[1 : length + 1])
    if slide and {length, length + slide} & set(counts):
        return Fault("FD-TIRE-6", to), way
    if touches:
        count = min(counts, key=lambda n: (abs(n - length - slide), n)) - slide
    if count > length:
        return _number(to, count - length), way
    if known.furthest < length:
        # A blocked car goes as far as it can, and this space lies before that.
        return Fault("FD-BLOCK-1", to), way
    # Right behind a car it would stand if it were blocked, which it is not (FD-BLOCK-2).
    held_up = any(there in traffic.taken for there in track.nexts[to])
    return Fault("FD-BLOCK-2", to) if held_up else _number(to, count - length), way


def _number(to: int, spaces: int) -> Fault:
    """Too far by so many spaces, or too near."""
    key = "move-too-far" if spaces > 0 else "move-too-near"
    return Fault("FD-MOVE-1", to, key, (("spaces", abs(spaces)),))


def _steps(track: Track, start: int, to: int) -> int:
    """The fewest steps along the arrows from a space to another; all spaces there are for none."""
    edge, seen, steps = {start}, {start}, 0
    while edge and to not in edge:
        edge, steps = {there for here in edge for there in track.nexts[here]} - seen, steps + 1
        seen |= edge
    return steps if edge else len(track.ids)


class _Spot(NamedTuple):
    """Where a relaxed way is: what its further steps depend on.

    `left` are the lanes that it has left in this section, as bits.
    """

    space: int
    overshoots: bool = False
    left: int = 0
    lifted: bool = False
    touched: bool = False


class _Way(NamedTuple):
    """The breaks of a relaxed way: its cost, and each with the step that makes it.

    `gone` are the lanes that it has left at all, since it began to overshoot, as bits; `path` its
    spaces.
    """

    cost: int = 0
    broken: tuple[tuple[int, Fault], ...] = ()
    gone: int = 0
    path: tuple[int, ...] = ()

    @property
    def is_single(self) -> bool:
        """Whether it breaks one rule, once, and needs no weaving for it."""
        return self.cost <= _BREAK

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Each rule where it is broken first."""
        first: dict[str, Fault] = {}
        for step, fault in self.broken:
            first.setdefault(fault.rule, _standing(fault, step))
        return tuple(first.values())

    def on(self, step: int, hop: _Hop) -> _Way:
        """The way gone on with this step; weaving counts where arrows are not followed."""
        fault, cost = hop.fault, self.cost
        broken = (*self.broken, (step, fault)) if fault else self.broken
        # Who zigzags once may do so for the rest of the straight.
        zigzags = any(one.rule == "FD-MOVE-2" for _, one in self.broken)
        if fault is not None and not (zigzags and fault.rule == "FD-MOVE-2"):
            cost += _COSTS.get(fault.rule, _BREAK)
        if self.gone & hop.into and any(one.rule == "FD-MOVE-3" for _, one in broken):
            cost += _WEAVE
        gone = 0 if hop.casts else self.gone | hop.out_of
        return _Way(cost, broken, gone, (*self.path, hop.spot.space))


_CHANGES = 2
"""Changes of lane in one straight (FD-MOVE-2)."""
_COSTS = {"FD-MOVE-2": _WEAVE, "FD-CORNER-4": _OUT_OF_LANE}


class _Hop(NamedTuple):
    """One step: where it leads, what it breaks, and the lanes that it changes, as bits.

    `casts`: an overshoot begins with it.
    """

    spot: _Spot
    fault: Fault | None
    out_of: int
    into: int
    casts: bool


def _least_wrong(
    track: Track,
    start: int,
    length: int,
    traffic: Traffic,
    to: int,
    slide: int,
    *,
    most: int = _MOST,
    only: Collection[str] | None = None,
) -> _Way | None:
    """The least wrong way of this length to a space that costs `most`; None for none.

    `only`: of those that break no rules but these, and FD-MOVE-4.
    """
    relaxed = _Relaxed(track, start, length, traffic)
    layer, ends = {_Spot(start): _Way(path=(start,))}, []
    for step in range(1, length + slide + 1):
        found: dict[_Spot, _Way] = {}
        for spot, way in layer.items():
            for hop in relaxed.steps(spot, step):
                longer = way.on(step, hop)
                wrong = only is not None and hop.fault is not None and hop.fault.rule not in only
                # Compared as tuples: by cost, then the way that breaks a rule first.
                known = found.get(hop.spot)
                if not wrong and longer.cost <= most and (known is None or longer < known):
                    found[hop.spot] = longer
        # What the steps left cannot bring to the end is dropped, which keeps the search small.
        on = _ON * (length + slide - step)
        layer = {spot: way for spot, way in found.items() if relaxed.off(spot, to) <= on}
        # With a slide a way has the longer length exactly if it touched a corner (FD-TIRE-6).
        if step in (length, length + slide):
            ends += [
                way
                for spot, way in layer.items()
                if spot.space == to and (not slide or spot.touched == (step > length))
            ]
    return min(ends, default=None)


class _Relaxed:
    """The steps of relaxed ways: those of the board, and the spaces side by side at corners.

    That is not every space of the plane; a space that none of them reaches breaks FD-MOVE-1.
    """

    def __init__(self, track: Track, start: int, length: int, traffic: Traffic) -> None:
        self._track, self._length, self._traffic = track, length, traffic
        self._own = track.corner[start]

    def off(self, spot: _Spot, to: int) -> int:
        """How many levels a space lies ahead."""
        return (self._track.level[to] - self._track.level[spot.space]) % self._track.lap_levels

    def steps(self, spot: _Spot, step: int) -> Iterator[_Hop]:
        """Where a way can go on; beyond the limit of a corner its lane is kept (FD-WHY-3)."""
        track, here = self._track, spot.space
        for there in track.nexts[here]:
            keeps = not spot.overshoots or there == track.ahead[here]
            yield self._taken(spot, there, step, None if keeps else "FD-CORNER-4")
        for there in self._without_arrow(here):
            yield self._taken(spot, there, step, "FD-MOVE-3")

    def _without_arrow(self, here: int) -> Iterator[int]:
        """Spaces beside, and one further on, that no arrow of a corner leads to."""
        track = self._track
        for beside in track.beside[here]:
            for there in {beside, track.ahead[beside]} - {-1}:
                corner = max(track.corner[here], track.corner[there]) >= 0
                on = (track.level[there] - track.level[here]) % track.lap_levels
                if corner and on <= _ON and there not in track.nexts[here]:
                    yield there

    def _taken(self, spot: _Spot, there: int, step: int, rule: str | None) -> _Hop:
        """One step: where the way is then, and the first rule that the step breaks."""
        track, here, traffic = self._track, spot.space, self._traffic
        line = track.past_line[there] and not track.past_line[here]
        lifted = spot.lifted or (line and traffic.last_lap and track.straight[here] != IN_PIT)
        out_of = into = 0
        # Chained on purpose: a step out of the pit (lane -1) leaves no lane of the track.
        if track.lane[there] != track.lane[here] >= 0:
            out_of, into = 1 << track.lane[here], 1 << max(track.lane[there], 0)
        same = track.section[there] == track.section[here]
        if rule is None and there in traffic.taken and not lifted:
            rule = "FD-PIT-3" if track.lane[there] < 0 else "FD-MOVE-1"
        again = spot.left & into or (into and spot.left.bit_count() >= _CHANGES)
        if rule is None and same and again and track.straight[there] >= 0:
            rule = "FD-MOVE-2"
        slides = track.corner[there] >= 0 and track.corner[there] != traffic.done
        touched = spot.touched or (slides and step <= self._length)
        casts = not (spot.overshoots or spot.lifted) and self._misses(here, there)
        left = spot.left | out_of if same else 0
        after = _Spot(there, spot.overshoots or casts, left, lifted, touched)
        return _Hop(after, Fault(rule, there) if rule else None, out_of, into, casts)

    def _misses(self, here: int, there: int) -> bool:
        """Whether the step leaves a corner without its stops (FD-CORNER-2)."""
        corner = self._track.corner[here]
        if corner < 0 or self._track.corner[there] == corner:
            return False
        made = self._traffic.stops if corner == self._own else 0
        return self._traffic.missing(self._track.corners[corner].stops, made) > 0
