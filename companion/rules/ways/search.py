"""The legal ways of a move over the board, and where they end.

FD-MOVE-4 makes two sentences of the rulebook exact: inside one straight a way must be a
shortest way between the first and the last space of its stretch there, the occupied spaces
taken away; in corners every way along the arrows is legal. FD-DEBRIS-4 adds that any set of
debris spaces may be treated as occupied, so a way over debris is legal when no shorter way
crosses only debris that it crosses too.

The search goes forward space by space and keeps, for each place reached, only what can still
matter. A place is one whole number: the space, what the way has behind it (the line, Li-Tsu,
the step that first touched a corner), and above these the number of the stretch of straight
that it is in, 0 in a corner. Ways that agree in all of that differ in the debris that they
have crossed: of these trails the least are kept. Most ways have crossed none; they share one
value, `CLEAN`, and go through the inner loop without another look.

Sub-ways of shortest ways are shortest, so a stretch is checked as it grows: a space that was
already reached by fewer spaces of the same stretch, over no other debris, is not reached again.

A way that leaves a corner without its stops (FD-CORNER-2) keeps its lane from there on
(FD-CORNER-4) and cannot go around anything: it is followed to its end at once.

Beyond the finish line of its last lap a car is lifted (FD-END-2): nothing stands in its way
there, and no corner is judged that it had not left before.

FD-TIRE-6: with b brakes spent on a roll of n, the way of n - b spaces (its start not counted)
is lengthened by the slide if it touches a corner, along FD-MOVE-4 as a whole; else it is not. So
the ends are those of n - b spaces that have touched none, and those of so many more spaces as
the slide has that touched one within the first n - b. A move that does not slide is one of 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from companion.rules.board.track import Track
from companion.rules.ways.arrivals import Arrival, Ends, Traffic, Trail
from companion.rules.ways.hops import LINE, PASSED, SPACE, Hop, Hops, Into, hops

_TOUCH_SHIFT = 13
_STRETCH_SHIFT = 24
_STRETCH = 1 << _STRETCH_SHIFT
_TOUCHED = _STRETCH - (1 << _TOUCH_SHIFT)
_BEHIND = LINE | PASSED | _TOUCHED

_Trails = tuple[Trail, ...]
_CLEAN: _Trails = ((),)
_Layer = dict[int, _Trails]
_NOTHING: frozenset[int] = frozenset()


def reach(
    track: Track, start: int, length: int, traffic: Traffic, slide: int = 0, her: int = -1
) -> Reach:
    """Where the legal ways of 0 to `length` spaces end, lengthened by the `slide`.

    `her` is the space of a car that it matters to pass (FD-DRV-1), -1 for none.
    """
    lifts = traffic.last_lap and not track.past_line[start]
    table = hops(track) if her < 0 else hops(track, her, lifts)
    search = _Search(track, table, start, traffic, length + slide, slides=slide > 0)
    layers, rays = search.run(start)
    if traffic.whole:
        layers, rays = _shortest_only(layers, rays)
    return Reach(table, layers, rays, slide, her)


class Reach:
    """The ends of the ways of a move, by their length in spaces."""

    __slots__ = ("_hops", "_layers", "_rays", "_slide", "furthest", "her")

    def __init__(
        self, table: Hops, layers: list[_Layer], rays: list[list[Arrival]], slide: int, her: int
    ) -> None:
        self._hops, self._layers, self._rays, self._slide = table, layers, rays, slide
        self.her = her
        self.furthest = len(layers) - 1
        """The greatest length that has a legal way (FD-BLOCK-2)."""

    def ends(self, length: int) -> list[Ends]:
        """The ends of a move of this length (FD-TIRE-6), or the furthest (FD-BLOCK-1)."""
        slide, furthest = self._slide, self.furthest
        if not slide:
            moved = min(length, furthest)
            return [Ends(moved, length - moved, self.arrivals(moved))]
        dry = [a for a in self.arrivals(length) if not a.touched]
        wet = [a for a in self.arrivals(length + slide) if 0 < a.touched <= length]
        whole = [Ends(length, 0, dry)] if dry else []
        if wet:
            whole.append(Ends(length + slide, 0, wet))
        for moved in range(min(length + slide - 1, furthest), -1, -1) if not whole else ():
            whole = self._on_the_way(length, moved)
            if whole:
                break
        return whole

    def on_the_way(self, length: int) -> Iterator[Ends]:
        """Where the ways of a move of this length pass before they end."""
        for moved in range(min(length + self._slide - 1, self.furthest) + 1) if length else ():
            yield from self._on_the_way(length, moved)

    def _on_the_way(self, length: int, moved: int) -> list[Ends]:
        """Those that are this far by now; a way that has touched a corner has further to go."""
        found = self.arrivals(moved)
        if not self._slide:
            return [Ends(moved, length - moved, found)]
        dry = [a for a in found if not a.touched] if moved < length else []
        wet = [a for a in found if 0 < a.touched <= length]
        ends = (Ends(moved, length - moved, dry), Ends(moved, length + self._slide - moved, wet))
        return [some for some in ends if some.arrivals]

    def shorter(self, length: int) -> Iterator[Ends]:
        """The ways of a move of this length, one space before their ends.

        What touches a corner with its last space slides on, and is then not there yet.
        """
        if not length:
            return
        before = [a for a in self.arrivals(length - 1) if not a.touched]
        if self._slide:
            fresh = {a.space for a in self.arrivals(length) if a.touched == length}
            dry = {a.space for a in self.arrivals(length) if not a.touched}
            before = [a for a in before if not self._only(a, fresh, dry)]
            late = length + self._slide - 1
            wet = [a for a in self.arrivals(late) if 0 < a.touched <= length]
            yield Ends(late, 1, wet)
        yield Ends(length - 1, 1, before)

    def _only(self, end: Arrival, wanted: set[int], other: set[int]) -> bool:
        """Whether a way can go on to some of the wanted spaces and to none of the others."""
        on = {hop.there for hop in self._hops.outer[end.space]} | {*self._hops.inner[end.space]}
        return bool(on & wanted) and not on & other

    def passes(self, end: Arrival, there: set[int]) -> bool:
        """Whether a way passes her with a next space that is one of these."""
        lane = self._hops.lane[end.space]
        steps: Sequence[Hop | None] = (lane,) if end.spaces else self._hops.outer[end.space]
        return any(hop is not None and hop.bits & PASSED and hop.there in there for hop in steps)

    def near_doors(self, start: int, length: int) -> bool:
        """Whether an entry of the pit lies so near that the ways of this length may pass it."""
        return self._hops.doors[start] < length + self._slide

    def arrivals(self, length: int) -> list[Arrival]:
        """The ends of all ways of exactly this length; none beyond `furthest`."""
        if length > self.furthest:
            return []
        layer, found = self._layers[length], self._rays[length]
        return [_arrival(key, trail) for key, trail in _by_end(layer)] + found


def _by_end(layer: _Layer) -> Iterator[tuple[int, Trail]]:
    """The trails to each end, whatever stretches they came by."""
    for key in {place & (_STRETCH - 1) for place, trails in layer.items() if trails is _CLEAN}:
        yield key, ()
    for place, trails in layer.items():
        if trails is not _CLEAN:
            for trail in trails:
                yield place & (_STRETCH - 1), trail


def _arrival(key: int, trail: Trail) -> Arrival:
    if key <= SPACE:
        return Arrival(key, trail)
    touched = key >> _TOUCH_SHIFT
    line, passed = bool(key & LINE), bool(key & PASSED)
    return Arrival(key & SPACE, trail, line, touched=touched, passed=passed)


class _Search:
    """The forward search of one move."""

    __slots__ = (
        "_begun",
        "_crossed",
        "_debris",
        "_hops",
        "_length",
        "_lifts",
        "_next",
        "_own",
        "_rays",
        "_seen",
        "_slides",
        "_stops",
        "_taken",
        "_track",
        "_traffic",
    )

    def __init__(
        self, track: Track, table: Hops, start: int, traffic: Traffic, length: int, *, slides: bool
    ) -> None:
        self._track, self._hops, self._traffic, self._length = track, table, traffic, length
        self._slides = slides
        self._taken, self._debris = traffic.taken, traffic.debris
        self._stops = self._taken | self._debris if self._debris else self._taken
        self._own = track.corner[start]
        self._lifts = LINE if traffic.last_lap else 0
        self._next = _STRETCH
        self._begun: dict[int, int] = {}
        self._seen: set[int] = set()
        self._crossed: dict[int, list[tuple[int, frozenset[int]]]] = {}
        self._rays: list[list[Arrival]] = [[] for _ in range(length + 1)]

    def run(self, start: int) -> tuple[list[_Layer], list[list[Arrival]]]:
        """The places and the overshoots after each number of spaces that has a way."""
        layer: _Layer = {start: _CLEAN}
        if self._own < 0:
            layer = {start | self._new_stretch(): _CLEAN}
        layers = [layer]
        for steps in range(1, self._length + 1):
            layer = self._advance(layer, steps)
            if steps == 1 and self._slides:
                layer = {self._touch(place, 1): trails for place, trails in layer.items()}
            if not layer and not self._rays[steps]:
                break
            layers.append(layer)
        return layers, self._rays

    def _advance(self, layer: _Layer, steps: int) -> _Layer:
        """The places one space further; `steps` is the length reached by it."""
        inner, outer = self._hops.inner, self._hops.outer
        seen, lifts = self._seen, self._lifts
        found: _Layer = {}
        self._begun.clear()
        for place, trails in layer.items():
            space = place & SPACE
            above = place ^ space
            stops = _NOTHING if place & lifts else self._stops
            for there in inner[space]:
                reached = above | there
                if there in stops or trails is not _CLEAN:
                    self._enter(found, reached, trails, stops, steps)
                elif above < _STRETCH:
                    found[reached] = _CLEAN
                elif reached not in seen:
                    seen.add(reached)
                    found[reached] = _CLEAN
            for hop in outer[space]:
                self._leave(found, place, hop, trails, steps)
        return found

    def _leave(self, found: _Layer, place: int, hop: Hop, trails: _Trails, steps: int) -> None:
        """A step that changes more than the space."""
        there, bits, left, into = hop
        if left >= 0 and not place & self._lifts and self._missing(left):
            for trail in trails:
                self._cast(place & _BEHIND | bits, hop, trail, steps)
            return
        reached = place & _BEHIND | bits | there
        if into is Into.SAME:
            reached |= place & -_STRETCH
        elif into is Into.CORNER:
            reached = self._touch(reached, steps)
        else:
            if reached not in self._begun:
                self._begun[reached] = self._new_stretch()
            reached |= self._begun[reached]
        stops = _NOTHING if reached & self._lifts else self._stops
        self._enter(found, reached, trails, stops, steps)

    def _new_stretch(self) -> int:
        stretch = self._next
        self._next += _STRETCH
        return stretch

    def _touch(self, place: int, steps: int) -> int:
        """Mark the first step that touches a corner, where a car slides."""
        if not self._slides or place & _TOUCHED or self._track.corner[place & SPACE] < 0:
            return place
        return place | steps << _TOUCH_SHIFT

    def _missing(self, corner: int) -> int:
        """The stops that a corner which is left still asked for (FD-CORNER-1)."""
        made = self._traffic.stops if corner == self._own else 0
        return self._traffic.missing(self._track.corners[corner].stops, made)

    def _enter(
        self, found: _Layer, reached: int, trails: _Trails, stops: Set[int], steps: int
    ) -> None:
        """Reach a place by these trails, as far as FD-MOVE-4 lets them."""
        there = reached & SPACE
        if there in stops:
            if there in self._taken:
                return
            trails = tuple((*trail, there) for trail in trails)
        if reached >= _STRETCH:
            if reached in self._seen:
                return
            if trails is _CLEAN:
                self._seen.add(reached)
            else:
                trails = self._shortest(reached, trails, steps)
        if trails is not _CLEAN and reached in found:
            trails = _least((*found[reached], *trails))
        if trails:
            found[reached] = trails

    def _shortest(self, reached: int, trails: _Trails, steps: int) -> _Trails:
        """The trails over which no shorter way of their stretch has come to this place."""
        earlier, straight = self._crossed.setdefault(reached, []), self._track.straight
        kept = []
        for trail in trails:
            crossed = frozenset(d for d in trail if straight[d] == straight[reached & SPACE])
            if not any(before < steps and less <= crossed for before, less in earlier):
                earlier.append((steps, crossed))
                kept.append(trail)
        return tuple(kept)

    def _cast(self, behind: int, hop: Hop, trail: Trail, steps: int) -> None:
        """Follow an overshoot from its first space in its lane (FD-CORNER-4, FD-CORNER-5).

        It ends where a car stands; a corner run through whole asks for tires from its own
        limit on too.
        """
        corner, limits, beyond, spaces, fatal = hop.left, 0, 0, 0, False
        lane, ahead = self._hops.lane, hop
        while True:
            there, _, left, into = ahead
            missing = self._missing(left) if left >= 0 and not behind & self._lifts else 0
            behind |= ahead.bits
            if into is Into.CORNER:
                behind = self._touch(behind | there, steps) & _BEHIND
            if there in self._stops and not behind & self._lifts:
                if there in self._taken:
                    return
                trail = (*trail, there)
            limits, spaces = limits + (missing == 1), spaces + 1
            beyond, fatal = beyond + limits, fatal or missing > 1
            line, passed, touched = behind & LINE > 0, behind & PASSED > 0, behind >> _TOUCH_SHIFT
            end = Arrival(there, trail, line, beyond, spaces, corner, fatal, touched, passed)
            if end in self._rays[steps]:
                return
            self._rays[steps].append(end)
            following = lane[there]
            if following is None or steps == self._length:
                return
            ahead, steps = following, steps + 1


def _least(trails: _Trails) -> _Trails:
    """The trails that no other one is part of."""
    if () in trails:
        return _CLEAN
    kept: list[Trail] = []
    for trail in trails:
        crossed = set(trail)
        if not any(crossed.issuperset(other) for other in kept):
            kept = [other for other in kept if not crossed.issubset(other)]
            kept.append(trail)
    return tuple(kept)


def _shortest_only(
    layers: list[_Layer], rays: list[list[Arrival]]
) -> tuple[list[_Layer], list[list[Arrival]]]:
    """House switch `corner_ways: shortest`: the ends that no shorter legal way comes to.

    A way over debris gives way only to one that crosses none but the same.
    """
    known: dict[int, list[frozenset[int]]] = {}

    def is_new(space: int, trail: Trail) -> bool:
        return not any(less.issubset(trail) for less in known.get(space, ()))

    for steps, layer in enumerate(layers):
        kept = {p: tuple(t for t in trails if is_new(p & SPACE, t)) for p, trails in layer.items()}
        layers[steps] = {p: _least(trails) for p, trails in kept.items() if trails}
        rays[steps] = [ray for ray in rays[steps] if is_new(ray.space, ray.debris)]
        reached = [(p & SPACE, trail) for p, trails in layers[steps].items() for trail in trails]
        for space, trail in [*reached, *((ray.space, ray.debris) for ray in rays[steps])]:
            known.setdefault(space, []).append(frozenset(trail))
    while not layers[-1] and not rays[len(layers) - 1]:
        layers.pop()
    return layers, rays
