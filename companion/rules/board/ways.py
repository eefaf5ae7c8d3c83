"""The legal ways of a move over the board, and where they end.

FD-MOVE-4 makes two sentences of the rulebook exact: inside one straight a way must be a
shortest way between the first and the last space of its stretch there, the occupied spaces
taken away; in corners every way along the arrows is legal. FD-DEBRIS-4 adds that any set of
debris spaces may be treated as occupied, so a way over debris is legal when no shorter way
crosses only debris that it crosses too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence, Set
from functools import lru_cache
from typing import Any, NamedTuple

from companion.rules.board.track import IN_PIT, Track

# -- what stands in the way of a move, and where it may end ---------------------------------------

Trail = tuple[int, ...]
"""The debris spaces that a way crosses, in order."""


class Arrival(NamedTuple):
    """The end of the ways of one length that agree in all that has consequences.

    `debris` are the spaces crossed, in order; `line` tells whether the finish line was passed.
    Of an overshoot: `beyond` are the tires that it asks for (FD-CORNER-2, FD-CORNER-5),
    `spaces` those moved beyond the first limit (0: no overshoot), `corner` the first corner
    overshot (or -1), `fatal` whether two stops or more were missing somewhere (FD-CORNER-3).
    Where it matters: `touched` is the step that first touched a corner (0: none did; only
    looked for where a car slides), `passed` whether Li-Tsu was passed (FD-DRV-1).
    """

    space: int
    debris: Trail
    line: bool = False
    beyond: int = 0
    spaces: int = 0
    corner: int = -1
    fatal: bool = False
    touched: int = 0
    passed: bool = False


class Ends(NamedTuple):
    """Ends of one move: the spaces moved by now, and how many more there should have been.

    `charmed` tells that passing Li-Tsu has made the move a space shorter (FD-DRV-1).
    """

    spaces: int
    blocked: int
    arrivals: list[Arrival]
    charmed: bool = False


class Traffic(NamedTuple):
    """What lies on the board for one move: other cars, debris, and who moves.

    `stops` are those made in the corner in which the move begins; `last_lap` whether passing
    the line finishes the race; `whole` that FD-MOVE-4 holds in corners too.
    In a `trial` a stop made is enough to go on (FD-TRIAL-3). `done` is a corner in which the car
    does not slide any more, -1 for none.
    """

    taken: Set[int]
    debris: Set[int] = frozenset()
    stops: int = 0
    last_lap: bool = False
    whole: bool = False
    trial: bool = False
    done: int = -1

    def missing(self, needed: int, made: int) -> int:
        """Stops missing in a corner: 1 is an overshoot, more end the drive (FD-CORNER-3)."""
        missing = max(0, needed - made)
        return min(missing, 1) if self.trial and made else missing


# -- the steps of a board -------------------------------------------------------------------------

# Sorted for the search: those that change nothing but the space, and the few that leave a
# section, cross the line or pass a car.


# A place of the search is one number (see `Search`): the space in the low bits, above it what
# the way has behind it. No track file has more spaces (`board.plan`), no move more steps.
SPACE = (1 << 18) - 1
PASSED = 1 << 18
LINE = 1 << 19
TOUCH_SHIFT = 20
MOST_STEPS = (1 << 8) - 1

WITHIN, CORNER, STRAIGHT = range(3)
"""Where a step leads: on in its section, or into another one. Plain numbers, since the search
asks at every step and a member of an Enum is looked up by a function in Python 3.11."""


class Hop(NamedTuple):
    """One step: where to, what the way has behind it then, the corner left (or -1)."""

    there: int
    bits: int
    left: int
    into: int


def _arrival_at(end: int, trail: Trail = ()) -> Arrival:
    """The end of a way that overshot nothing, from the lower bits of its place."""
    line, passed, touched = bool(end & LINE), bool(end & PASSED), end >> TOUCH_SHIFT
    return Arrival(end & SPACE, trail, line, touched=touched, passed=passed)


class _Plain(dict[int, Arrival]):
    def __missing__(self, end: int) -> Arrival:
        made = _arrival_at(end)
        # An end also tells which step touched a corner: hundreds for a space, too many to keep.
        if not made.touched:
            self[end] = made
        return made


class Hops(NamedTuple):
    """Every step of a board, by the space that it begins on.

    `inner` are those within a section, `outer` all that need a closer look, `lane` the step
    straight ahead, None where the lane ends. `doors` tells how many steps the nearest entry of
    the pit is away on an empty road, `FAR` where none is ahead. `stops` are those of the
    corners. `plain` are the ends that cost nothing, made as they are asked for.
    """

    inner: tuple[tuple[int, ...], ...]
    outer: tuple[tuple[Hop, ...], ...]
    lane: tuple[Hop | None, ...]
    doors: tuple[int, ...]
    stops: tuple[int, ...]
    plain: _Plain


FAR = 1 << 30


@lru_cache(maxsize=64)
def _hops(track: Track, her: int = -1, lifts: bool = False) -> Hops:
    """The steps of a board; with `her` those that pass a car on that space are marked (FD-DRV-1).

    Where the line ahead `lifts`, nobody is passed beyond it (FD-END-2).
    """

    def hop(here: int, there: int) -> Hop:
        same = track.section[here] == track.section[there]
        into = WITHIN if same else CORNER if track.straight[there] == -1 else STRAIGHT
        line = track.past_line[there] and not track.past_line[here]
        # Passing the line inside the pit lane does nothing (FD-PIT-5).
        bits = LINE if line and track.straight[here] != IN_PIT else 0
        if her >= 0 and _passes(track, here, there, her) and not (lifts and track.past_line[there]):
            bits |= PASSED
        return Hop(there, bits, -1 if same else track.corner[here], into)

    every = [[hop(here, there) for there in ends] for here, ends in enumerate(track.nexts)]
    ahead = enumerate(track.ahead)
    return Hops(
        tuple(tuple(h.there for h in some if _is_plain(h)) for some in every),
        tuple(tuple(h for h in some if not _is_plain(h)) for some in every),
        tuple(None if there < 0 else hop(here, there) for here, there in ahead),
        _to_doors(track),
        tuple(corner.stops for corner in track.corners),
        _Plain(),
    )


def _is_plain(hop: Hop) -> bool:
    return not hop.bits and hop.into is WITHIN


def _passes(track: Track, here: int, there: int, her: int) -> bool:
    """Whether a step gets from level with a space, or behind it, to ahead inside its straight."""
    inside = track.straight[here] == track.straight[there] == track.straight[her]
    return inside and _along(track, here) <= _along(track, her) < _along(track, there)


def _along(track: Track, space: int) -> int:
    """The level of a space, counted on over the line that its straight may hold."""
    return track.level[space] + track.lap_levels * track.past_line[space]


def _to_doors(track: Track) -> tuple[int, ...]:
    """By space: the steps to the nearest entry of the pit."""
    before: list[list[int]] = [[] for _ in track.ids]
    for here, ends in enumerate(track.nexts):
        for there in ends:
            before[there].append(here)
    found = [0 if into else FAR for into in track.entries]
    edge = [space for space, steps in enumerate(found) if not steps]
    while edge:
        # Breadth first, so the first distance found is the shortest; the filter notes it.
        edge = [here for there in edge for here in before[there] if _nearer(found, here, there)]
    return tuple(found)


def _nearer(found: list[int], here: int, there: int) -> bool:
    """Whether the way by this step is the first to be found; it is noted."""
    if found[here] <= found[there] + 1:
        return False
    found[here] = found[there] + 1
    return True


# -- the search -----------------------------------------------------------------------------------

# It goes forward space by space and keeps, for each place reached, only what can still matter. A
# place is one whole number: the space, what the way has behind it (the line, Li-Tsu, the step
# that first touched a corner), and above these the number of the stretch of straight that it is
# in, 0 in a corner. Ways that agree in all of that differ in the debris that they have crossed:
# of these trails the least are kept. Most ways have crossed none; they share one value, `CLEAN`,
# and go through the inner loop without another look.
#
# Sub-ways of shortest ways are shortest, so a stretch is checked as it grows: a space that was
# already reached by fewer spaces of the same stretch, over no other debris, is not reached again.
# A way that leaves a corner without its stops (FD-CORNER-2) keeps its lane from there on
# (FD-CORNER-4) and cannot go around anything: it is followed to its end at once. Beyond the
# finish line of its last lap a car is lifted (FD-END-2): nothing stands in its way there, and no
# corner is judged that it had not left before.

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
        # One set for both, so that the inner loop looks only once.
        self._stops = self._taken | self._debris if self._debris else self._taken
        self._own = track.corner[start]
        # Only the corner it starts in may have stops behind it; all others ask for all of theirs.
        self._owed = 0
        if self._own >= 0:
            self._owed = traffic.missing(table.stops[self._own], traffic.stops)
        self._lifts = LINE if traffic.last_lap else 0
        self._next = STRETCH
        self._begun: dict[tuple[int, int], int] = {}
        self._seen: set[int] = set()
        self._crossed: dict[int, list[tuple[int, Trail]]] = {}
        self.met_debris = False
        self.rays: Rays = defaultdict(list)
        # Fetched together: `_advance` runs for every space of every move.
        self._often = table.inner, table.outer, self._seen, self._lifts, self._stops

    def run(self, start: int) -> list[Layer]:
        """The places after each number of spaces that has a way; it follows the rays as well."""
        layer: Layer = {start: CLEAN}
        if self._own < 0:
            layer = {start | self._new_stretch(): CLEAN}
        return self._go_on([layer])

    def _go_on(self, layers: list[Layer]) -> list[Layer]:
        """Further than the last of these layers."""
        layer = layers[-1]
        for steps in range(len(layers), self._length + 1):
            layer = self._advance(layer, steps)
            # Steps are marked as they enter a corner; a car that starts in one touches it with its
            # first.
            if steps == 1 and self._slides:
                layer = {self._touch(place, 1): trails for place, trails in layer.items()}
            if not layer:
                break
            layers.append(layer)
        return layers

    def run_from(self, empty: EmptyRoad, steps: int) -> list[Layer]:
        """The same where nothing stands within so many steps: so far it is as on the empty road.

        Only the rays that were cast by then are cast again, since they lead further.
        """
        layers = empty.layers[: min(steps, self._length) + 1]
        for layer in layers[1:]:
            self._seen.update([place for place in layer if place >= STRETCH])
        self._next = empty._next
        for cast in empty.casts:
            if cast[-1] <= steps:
                self._cast(*cast)
        return self._go_on(layers) if len(layers) > steps else layers

    def _advance(self, layer: Layer, steps: int) -> Layer:
        """The places one space further; `steps` is the length reached by it."""
        inner, outer, seen, lifts, around = self._often
        space_bits, stretches, clean, stops = SPACE, STRETCH, CLEAN, around
        found: Layer = {}
        for place, trails in layer.items():
            space = place & space_bits
            above = place ^ space
            # Only in the last lap is there anything to look up for each place (FD-END-2).
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
                    # Only in a straight does coming first rule later ways out (FD-MOVE-4).
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
            # Ways that enter on one space after as many steps share a stretch, so they rule each
            # other out.
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
                # Each corner left one stop short charges every further space once more
                # (FD-CORNER-5).
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
            # Another way came over the limit just like this one: the rest of the lane would be the
            # same.
            if spaces == 1 and ray in rays[steps]:
                return
            rays[steps].append(tuple.__new__(Arrival, ray))
            ahead = lane[there]
            steps += 1


class EmptyRoad(Search):
    """The search where nothing stands, with what other searches can go on from (`run_from`)."""

    __slots__ = ("casts", "layers")

    def run(self, start: int) -> list[Layer]:
        self.casts: list[tuple[int, Hop, Trail, int]] = []
        self.layers = super().run(start)
        # It is over, and what it kept of its way is most of what it holds.
        self._seen.clear()
        self._begun.clear()
        return self.layers

    def _cast(self, behind: int, hop: Hop, trail: Trail, steps: int) -> None:
        self.casts.append((behind, hop, trail, steps))
        super()._cast(behind, hop, trail, steps)


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


def _shortest_only(layers: list[Layer], rays: Rays) -> None:
    """FD-MOVE-4 in corners too: the ends that no shorter legal way comes to.

    A way over debris gives way only to one that crosses none but the same.
    """
    known: dict[int, list[frozenset[int]]] = {}

    def is_new(space: int, trail: Trail) -> bool:
        return not any(less.issubset(trail) for less in known.get(space, ()))

    for steps in range(max(len(layers), max(rays, default=0) + 1)):
        # An overshoot may go on where all other ways end: it gets an empty layer to stand beside.
        layers += [{}] * (steps == len(layers))
        layer = layers[steps]
        kept = {p: tuple(t for t in trails if is_new(p & SPACE, t)) for p, trails in layer.items()}
        layers[steps] = {p: _least(trails) for p, trails in kept.items() if trails}
        rays[steps] = [ray for ray in rays[steps] if is_new(*ray[:2])]
        reached = [(p & SPACE, trail) for p, trails in layers[steps].items() for trail in trails]
        for space, trail in [*reached, *(ray[:2] for ray in rays[steps])]:
            known.setdefault(space, []).append(frozenset(trail))
    # `Reach` takes the number of layers for the greatest length (FD-BLOCK-2).
    while layers and not layers[-1]:
        layers.pop()
    for steps in [steps for steps, some in rays.items() if not some]:
        del rays[steps]


# -- the ends by their length ---------------------------------------------------------------------

# FD-TIRE-6: with b brakes spent on a roll of n, the way of n - b spaces (its start not counted)
# is lengthened by the slide if it touches a corner, along FD-MOVE-4 as a whole; else it is not.
# So the ends are those of n - b spaces that have touched none, and those of so many more spaces
# as the slide has that touched one within the first n - b. A move that does not slide is one of
# 0.

_END = STRETCH - 1
_NOWHERE: Layer = {}


def reach(
    track: Track, start: int, length: int, traffic: Traffic, slide: int = 0, her: int = -1
) -> Reach:
    """Where the legal ways of 0 to `length` spaces end, lengthened by the `slide`.

    `her` is the space of a car that it matters to pass (FD-DRV-1), -1 for none.
    """
    lifts = traffic.last_lap and not track.past_line[start]
    # Without her the arguments stay at their defaults: one cached table serves nearly every move.
    if her >= 0:
        return _searched(
            track, _hops(track, her, lifts), start, length + slide, traffic, slide, her
        )
    if _kept and length <= _FAR_ENOUGH:
        return _kept_reach(_kept, track, start, length, traffic, slide)
    return _searched(track, _hops(track), start, length + slide, traffic, slide)


def _searched(
    track: Track, table: Hops, start: int, length: int, traffic: Traffic, slide: int, her: int = -1
) -> Reach:
    """The search itself, over so many spaces."""
    search = Search(track, table, start, traffic, length, slides=slide > 0)
    return _reach_of(search, table, search.run(start), traffic, slide, her)


def _reach_of(
    search: Search, table: Hops, layers: list[Layer], traffic: Traffic, slide: int, her: int = -1
) -> Reach:
    if traffic.whole:
        _shortest_only(layers, search.rays)
    return Reach(table, layers, search.rays, slide, her, search.met_debris)


class Reach:
    """The ends of the ways of a move, by their length in spaces."""

    def __init__(
        self,
        table: Hops,
        layers: list[Layer],
        rays: Rays,
        slide: int,
        her: int,
        met_debris: bool,
    ) -> None:
        self._hops, self._layers, self._rays, self._slide = table, layers, rays, slide
        self.her = her
        self._met_debris = met_debris
        self.kept: dict[Any, Any] | None = None
        """What is made once of a road that is kept (`keep_roads`); None of any other."""
        self.furthest = max(len(layers) - 1, max(rays) if rays else 0)
        """The greatest length that has a legal way (FD-BLOCK-2)."""

    def ends(self, length: int) -> list[Ends]:
        """The ends of a move of this length (FD-TIRE-6), or the furthest (FD-BLOCK-1)."""
        slide, furthest = self._slide, self.furthest
        if not slide:
            moved = min(furthest, length)
            ends = (moved, length - moved, self.arrivals(moved), False)
            return [tuple.__new__(Ends, ends)]
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

    def at_doors(self, start: int, length: int) -> Iterator[tuple[Arrival, int, int]]:
        """Where the ways of a move of this length pass an entry of the pit before they end.

        Each with the spaces moved by then and those left; no overshoot is among them.
        """
        doors = self._hops.doors
        for moved in range(doors[start], min(length + self._slide, len(self._layers))):
            # A cheap look first: most layers touch no door, and ends are dear to make.
            if any(not doors[place & SPACE] for place in self._layers[moved]):
                for _, left, arrivals, _ in self._on_the_way(length, moved):
                    yield from (
                        (end, moved, left)
                        for end in arrivals
                        if not doors[end.space] and not end.spaces
                    )

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

    def arrivals(self, length: int) -> list[Arrival]:
        """The ends of all ways of exactly this length; none beyond `furthest`."""
        if length > self.furthest:
            return []
        layer = self._layers[length] if length < len(self._layers) else _NOWHERE
        if self._met_debris:
            found = self._over_debris(layer)
        else:
            # A set, as places of several stretches come to the same end.
            found = [*map(self._hops.plain.__getitem__, {place & _END for place in layer})]
        if length in self._rays:
            found += self._rays[length]
        return found

    def _over_debris(self, layer: Layer) -> list[Arrival]:
        """The ends of a layer, some of which are reached over debris: each of these ways."""
        ends = {place & _END for place, trails in layer.items() if trails is CLEAN}
        found = [self._hops.plain[end] for end in ends]
        for place, trails in layer.items():
            found += [_arrival_at(place & _END, trail) for trail in trails if trail]
        return found


# -- roads that are kept --------------------------------------------------------------------------

_FAR_ENOUGH = 32
_NEVER = 255
"""What `_steps_from` says of a space that no move reaches."""
_SEARCH = "search"


class _Roads(NamedTuple):
    """What is kept for who plays races by the thousand."""

    steps: Callable[[Track, int], bytes]
    road: Callable[[Track, int, int, tuple[Any, ...]], Reach]


_kept: _Roads | None = None


def keep_roads(most: int = 4096) -> None:
    """From now on an empty road is searched once, for moves of all lengths.

    For who plays races by the thousand: at a table a car seldom comes by a space again, and a road
    takes some 20 kB.
    """
    global _kept
    _kept = _kept or _Roads(lru_cache(most)(_steps_from), lru_cache(most)(_empty_road))


def _kept_reach(
    kept: _Roads, track: Track, start: int, length: int, traffic: Traffic, slide: int
) -> Reach:
    """By chance the road is empty as far as the move leads, or at first: that has been searched."""
    lies = traffic.taken | traffic.debris if traffic.debris else traffic.taken
    steps = kept.steps(track, start)
    nearest, far = min([steps[space] for space in lies], default=_NEVER), length + slide
    table = _hops(track)
    if nearest == 1 or (nearest <= far and (slide or traffic.whole)):
        return _searched(track, table, start, far, traffic, slide)
    road = kept.road(track, start, slide, traffic[2:])
    if nearest > far:
        return road
    assert road.kept is not None
    search = Search(track, table, start, traffic, length, slides=False)
    layers = search.run_from(road.kept[_SEARCH], nearest - 1)
    return _reach_of(search, table, layers, traffic, slide)


def _empty_road(track: Track, start: int, slide: int, rest: tuple[Any, ...]) -> Reach:
    alone, table = Traffic(_NOTHING, _NOTHING, *rest), _hops(track)
    search = EmptyRoad(track, table, start, alone, _FAR_ENOUGH + slide, slides=slide > 0)
    found = _reach_of(search, table, search.run(start), alone, slide)
    found.ends = lru_cache(None)(found.ends)  # type: ignore[method-assign]
    found.kept = {_SEARCH: search}
    return found


def _steps_from(track: Track, start: int) -> bytes:
    """By space: the steps to it at least, as far as a move may lead."""
    found, edge = bytearray([_NEVER] * len(track.ids)), {start}
    for steps in range(1, 2 * _FAR_ENOUGH):
        edge = {there for here in edge for there in track.nexts[here] if found[there] == _NEVER}
        for there in edge:
            found[there] = steps
    return bytes(found)
