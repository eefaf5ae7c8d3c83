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
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Set

from companion.rules.board.track import Track
from companion.rules.ways.arrivals import Arrival, Traffic, Trail
from companion.rules.ways.hops import (
    CORNER,
    LINE,
    MOST_STEPS,
    PASSED,
    SPACE,
    TOUCH_SHIFT,
    WITHIN,
    Hop,
    Hops,
)

STRETCH = (MOST_STEPS + 1) << TOUCH_SHIFT
"""From here up a place has the number of its stretch; below it lies in a corner."""
_TOUCHED = STRETCH - (1 << TOUCH_SHIFT)
_BEHIND = LINE | PASSED | _TOUCHED

_Trails = tuple[Trail, ...]
CLEAN: _Trails = ((),)
Layer = dict[int, _Trails]
Rays = dict[int, list[Arrival]]
"""Where overshoots are, by the length of their ways."""
_NOTHING: frozenset[int] = frozenset()


class Search:
    """The forward search of one move."""

    __slots__ = (
        "_begun",
        "_crossed",
        "_debris",
        "_hops",
        "_length",
        "_lifts",
        "_next",
        "_often",
        "_owed",
        "_own",
        "_seen",
        "_slides",
        "_stops",
        "_taken",
        "_track",
        "_traffic",
        "met_debris",
        "rays",
    )

    def __init__(
        self, track: Track, table: Hops, start: int, traffic: Traffic, length: int, *, slides: bool
    ) -> None:
        self._track, self._hops, self._traffic, self._length = track, table, traffic, length
        self._slides = slides
        self._taken, self._debris = traffic.taken, traffic.debris
        self._stops = self._taken | self._debris if self._debris else self._taken
        self._own = track.corner[start]
        self._owed = 0  # stops that its corner still asks for (FD-CORNER-1); others ask for all
        if self._own >= 0:
            self._owed = traffic.missing(table.stops[self._own], traffic.stops)
        self._lifts = LINE if traffic.last_lap else 0
        self._next = STRETCH
        self._begun: dict[tuple[int, int], int] = {}
        self._seen: set[int] = set()
        self._crossed: dict[int, list[tuple[int, Trail]]] = {}
        self.met_debris = False
        self.rays: Rays = defaultdict(list)
        self._often = table.inner, table.outer, self._seen, self._lifts, self._stops

    def run(self, start: int) -> list[Layer]:
        """The places after each number of spaces that has a way; it follows the rays as well."""
        layer: Layer = {start: CLEAN}
        if self._own < 0:
            layer = {start | self._new_stretch(): CLEAN}
        layers = [layer]
        for steps in range(1, self._length + 1):
            layer = self._advance(layer, steps)
            if steps == 1 and self._slides:
                layer = {self._touch(place, 1): trails for place, trails in layer.items()}
            if not layer:
                break
            layers.append(layer)
        return layers

    def _advance(self, layer: Layer, steps: int) -> Layer:
        """The places one space further; `steps` is the length reached by it."""
        inner, outer, seen, lifts, around = self._often
        space_bits, stretches, clean, stops = SPACE, STRETCH, CLEAN, around
        found: Layer = {}
        for place, trails in layer.items():
            space = place & space_bits
            above = place ^ space
            if lifts:
                stops = _NOTHING if place & lifts else around
            for there in inner[space]:
                reached = above | there
                if reached in seen:
                    continue
                if there in stops or trails is not clean:
                    self._enter(found, reached, trails, stops, steps)
                else:
                    found[reached] = clean
                    if above >= stretches:
                        seen.add(reached)
            for hop in outer[space]:
                self._leave(found, place, hop, trails, steps)
        return found

    def _leave(self, found: Layer, place: int, hop: Hop, trails: _Trails, steps: int) -> None:
        """A step that changes more than the space."""
        there, bits, left, into = hop
        behind = place & _BEHIND
        if left >= 0 and (left != self._own or self._owed) and not behind & self._lifts:
            for trail in trails:
                self._cast(behind, hop, trail, steps)
            return
        reached = behind | bits | there
        if into is WITHIN:
            reached |= place & -STRETCH
        elif into is CORNER:
            if self._slides:
                reached = self._touch(reached, steps)
        else:
            begun = reached, steps
            if begun not in self._begun:
                self._begun[begun] = self._new_stretch()
            reached |= self._begun[begun]
        stops = _NOTHING if reached & self._lifts else self._stops
        self._enter(found, reached, trails, stops, steps)

    def _new_stretch(self) -> int:
        stretch = self._next
        self._next += STRETCH
        return stretch

    def _touch(self, place: int, steps: int) -> int:
        """Mark the first step that touches a corner, where a car slides."""
        corner = self._track.corner[place & SPACE]
        if not self._slides or place & _TOUCHED or corner < 0 or corner == self._traffic.done:
            return place
        return place | min(steps, MOST_STEPS) << TOUCH_SHIFT

    def _enter(
        self, found: Layer, reached: int, trails: _Trails, stops: Set[int], steps: int
    ) -> None:
        """Reach a place by these trails, as far as FD-MOVE-4 lets them."""
        there = reached & SPACE
        if there in stops:
            if there in self._taken:
                return
            trails, self.met_debris = tuple((*trail, there) for trail in trails), True
        if reached >= STRETCH:
            if reached in self._seen:
                return
            if trails is CLEAN:
                self._seen.add(reached)
            else:
                trails = self._shortest(reached, trails, steps)
        known = found.get(reached)
        if known is None or trails is CLEAN:
            if trails:
                found[reached] = trails
        elif known is not CLEAN and known != trails:
            found[reached] = _least(known + trails)

    def _shortest(self, reached: int, trails: _Trails, steps: int) -> _Trails:
        """The trails over which no shorter way of their stretch has come to this place."""
        earlier = self._crossed.get(reached)
        if earlier is None:
            self._crossed[reached] = [(steps, trail) for trail in trails]
            return trails
        kept = tuple(t for t in trails if not self._is_longer(reached & SPACE, t, steps, earlier))
        earlier += [(steps, trail) for trail in kept]
        return kept

    def _is_longer(
        self, there: int, trail: Trail, steps: int, earlier: list[tuple[int, Trail]]
    ) -> bool:
        """Whether a shorter way crossed no debris of this straight but what this one crosses."""
        shorter = [less for before, less in earlier if before < steps]
        if trail in shorter:
            return True
        straight, here = self._track.straight, self._track.straight[there]
        over = {space for space in trail if straight[space] == here}
        return any(
            over.issuperset(space for space in less if straight[space] == here) for less in shorter
        )

    def _cast(self, behind: int, hop: Hop, trail: Trail, steps: int) -> None:
        """Follow an overshoot from its first space in its lane (FD-CORNER-4, FD-CORNER-5).

        It ends where a car stands; a corner run through whole asks for tires from its own
        limit on too.
        """
        corner, limits, beyond, spaces, fatal = hop.left, 0, 0, 0, False
        line, passed, touched = behind & LINE > 0, behind & PASSED > 0, behind >> TOUCH_SHIFT
        lane, stops, rays, lifts = self._hops.lane, self._stops, self.rays, self._lifts
        ahead: Hop | None = hop
        while ahead is not None and steps <= self._length:
            there, bits, left, into = ahead
            if left >= 0 and not (line and lifts):
                missing = self._owed if left == self._own else self._hops.stops[left]
                limits, fatal = limits + (missing == 1), fatal or missing > 1
            if bits:
                line, passed = line or bits & LINE > 0, passed or bits & PASSED > 0
            if into is CORNER and self._slides:
                touched = touched or steps
            if there in stops and not (line and lifts):
                if there in self._taken:
                    return
                trail = (*trail, there)
            beyond += limits
            spaces += 1
            ray = (there, trail, line, beyond, spaces, corner, fatal, touched, passed)
            if spaces == 1 and ray in rays[steps]:
                return
            rays[steps].append(tuple.__new__(Arrival, ray))
            ahead = lane[there]
            steps += 1


def _least(trails: _Trails) -> _Trails:
    """The trails that no other one is part of."""
    if () in trails:
        return CLEAN
    kept: list[Trail] = []
    for trail in trails:
        crossed = set(trail)
        if not any(crossed.issuperset(other) for other in kept):
            kept = [other for other in kept if not crossed.issubset(other)]
            kept.append(trail)
    return tuple(kept)


def shortest_only(layers: list[Layer], rays: Rays) -> None:
    """FD-MOVE-4 in corners too: the ends that no shorter legal way comes to.

    A way over debris gives way only to one that crosses none but the same.
    """
    known: dict[int, list[frozenset[int]]] = {}

    def is_new(space: int, trail: Trail) -> bool:
        return not any(less.issubset(trail) for less in known.get(space, ()))

    for steps in range(max(len(layers), max(rays, default=0) + 1)):
        layers += [{}] * (steps == len(layers))
        layer = layers[steps]
        kept = {p: tuple(t for t in trails if is_new(p & SPACE, t)) for p, trails in layer.items()}
        layers[steps] = {p: _least(trails) for p, trails in kept.items() if trails}
        rays[steps] = [ray for ray in rays[steps] if is_new(*ray[:2])]
        reached = [(p & SPACE, trail) for p, trails in layers[steps].items() for trail in trails]
        for space, trail in [*reached, *(ray[:2] for ray in rays[steps])]:
            known.setdefault(space, []).append(frozenset(trail))
    while layers and not layers[-1]:
        layers.pop()
    for steps in [steps for steps, some in rays.items() if not some]:
        del rays[steps]
