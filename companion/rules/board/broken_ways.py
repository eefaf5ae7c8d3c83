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

from collections.abc import Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from companion.rules.board.track import IN_PIT, Track
from companion.rules.board.ways import Traffic, reach

Instead = TypeVar("Instead")

# What a relaxed way costs: a step that breaks a rule, a lane taken again, another number.
_BREAK, _WEAVE, _NUMBER = 10, 5, 12
_MOST = 2 * _BREAK + _WEAVE
_FARTHER = 15
"""How many spaces beyond its number a move is still said to go too far."""
_ON = 6
"""How many levels on a step without an arrow leads at most; the way back is a lap less some."""


class Fault(NamedTuple):
    """A rule that a way breaks, and the space where it does."""

    rule: str
    at: int


class Explanation(NamedTuple, Generic[Instead]):
    """Whether an answer is legal, the rules that it breaks or that follow from it, and where.

    `at` are spaces, one for each rule, in the order in which they are met; `instead` are the
    nearest answers on offer, the nearest first, none where it is legal.
    """

    legal: bool
    rules: tuple[str, ...] = ()
    at: tuple[int, ...] = ()
    instead: tuple[Instead, ...] = ()


def faults_of(
    track: Track, start: int, length: int, traffic: Traffic, to: int, slide: int = 0
) -> tuple[Fault, ...]:
    """What is wrong with a space of the track as the end of a move, which it is not; never empty.

    Most wrong ends need no relaxation but another number: they lie too near or too far
    (FD-MOVE-1), or where the car would stand if it were blocked and is not (FD-BLOCK-2). An end can
    be wrong in both ways at once: two changes of lane lose a space, so whoever ends one space short
    may have counted wrong or driven a zigzag, and nobody saw which. A single fault of a way is
    named before another number, a way that must weave in and out is named after it, as a second
    rule.

    `length` is what is to be moved, brakes taken off, before the `slide` of a way that touches
    a corner (FD-TIRE-6).
    """
    # With a car on the very space nothing else has to be found out (FD-MOVE-1).
    if to in traffic.taken:
        return (Fault("FD-MOVE-1", to),)
    # First with one break at most: it is named before another number.
    way = _least_wrong(track, start, length, traffic, to, slide, most=_BREAK)
    if way is not None and way.is_single:
        return way.faults
    known = reach(track, start, length + slide + _FARTHER, traffic)
    counts = [n for n in range(known.furthest + 1) if any(e.space == to for e in known.arrivals(n))]
    if not counts:
        way = _least_wrong(track, start, length, traffic, to, slide)
        return (way.faults if way is not None else ()) or (Fault("FD-MOVE-1", to),)
    woven = _least_wrong(track, start, length, traffic, to, slide, only_longer=True)
    longer = (woven.faults or (Fault("FD-MOVE-4", to),)) if woven is not None else ()
    return (_wrong_number(track, length, traffic, to, counts, known.furthest, slide), *longer)


def _wrong_number(
    track: Track,
    length: int,
    traffic: Traffic,
    to: int,
    counts: Sequence[int],
    furthest: int,
    slide: int,
) -> Fault:
    """A space that legal ways lead to, of another number of spaces."""
    if slide and {length, length + slide} & set(counts):
        return Fault("FD-TIRE-6", to)
    if min(counts) > length:
        return Fault("FD-MOVE-1", to)
    if furthest < length:
        # A blocked car goes as far as it can, and this space lies before that.
        return Fault("FD-BLOCK-1", to)
    # Right behind a car it would stand if it were blocked, which it is not (FD-BLOCK-2).
    held_up = any(there in traffic.taken for there in track.nexts[to])
    return Fault("FD-BLOCK-2" if held_up else "FD-MOVE-1", to)


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

    `gone` are the lanes that it has left at all, since it began to overshoot, as bits.
    """

    cost: int = 0
    broken: tuple[tuple[int, Fault], ...] = ()
    gone: int = 0

    @property
    def is_single(self) -> bool:
        """Whether it breaks one rule, once, and needs no weaving for it."""
        return self.cost == _BREAK and self.broken[0][1].rule != "FD-MOVE-2"

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Each rule where it is broken first."""
        first: dict[str, Fault] = {}
        for _, fault in self.broken:
            first.setdefault(fault.rule, fault)
        return tuple(first.values())

    def on(self, step: int, hop: _Hop) -> _Way:
        """The way gone on with this step; weaving counts where arrows are not followed."""
        fault, cost = hop.fault, self.cost
        broken = (*self.broken, (step, fault)) if fault else self.broken
        if fault is not None:
            cost += _WEAVE if fault.rule == "FD-MOVE-2" else _BREAK
        if self.gone & hop.into and any(one.rule == "FD-MOVE-3" for _, one in broken):
            cost += _WEAVE
        return _Way(cost, broken, 0 if hop.casts else self.gone | hop.out_of)


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
    only_longer: bool = False,
) -> _Way | None:
    """The least wrong way of this length to a space that costs `most`; None for none.

    `only_longer`: of those that break nothing but FD-MOVE-2 and FD-MOVE-4.
    """
    relaxed = _Relaxed(track, start, length, traffic)
    layer, ends = {_Spot(start): _Way()}, []
    for step in range(1, length + slide + 1):
        found: dict[_Spot, _Way] = {}
        for spot, way in layer.items():
            for hop in relaxed.steps(spot, step):
                longer = way.on(step, hop)
                wrong = only_longer and hop.fault is not None and hop.fault.rule != "FD-MOVE-2"
                # Compared as tuples: by cost, then the way that breaks a rule first.
                if not wrong and longer.cost <= most and longer < found.get(hop.spot, _WORST):
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


_WORST = _Way(_MOST + 1)


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
        """Where a way can go on."""
        track, here = self._track, spot.space
        for there in track.nexts[here]:
            keeps = not spot.overshoots or there == track.ahead[here]
            yield self._taken(spot, there, step, None if keeps else "FD-CORNER-4")
        for there in self._without_arrow(here):
            rule = "FD-CORNER-4" if spot.overshoots else "FD-MOVE-3"
            yield self._taken(spot, there, step, rule)

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
        if rule is None and same and spot.left & into and track.straight[there] >= 0:
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
