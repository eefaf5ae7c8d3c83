"""The legal ways of a move over the board, and where they end.

FD-MOVE-4 makes two sentences of the rulebook exact: inside one straight a way must be a
shortest way between the first and the last space of its stretch there, the occupied spaces
taken away; in corners every way along the arrows is legal. FD-DEBRIS-4 adds that any set of
debris spaces may be treated as occupied, so a way over debris is legal when no shorter way
crosses only debris that it crosses too.

The search goes forward space by space and keeps, for each space reached, only what can still
matter: the stretch that it is in, and the least sets of debris crossed. Sub-ways of shortest
ways are shortest, so a stretch is checked as it grows: a space that was already reached by
fewer spaces of the same stretch, over no other debris, is not reached again.

A way that leaves a corner without its stops (FD-CORNER-2) keeps its lane from there on
(FD-CORNER-4) and cannot go around anything: it is followed as a ray.

Beyond the finish line of its last lap a car is lifted (FD-END-2): nothing stands in its way
there, and no corner is judged that it had not left before.

Most moves meet no debris at all; `fast` answers those some six times faster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass

from companion.rules.board.track import Track
from companion.rules.ways.arrivals import Arrival, Reach, Traffic, Trail
from companion.rules.ways.fast import plain_reach

# A place in the search: space, id of the stretch (-1: in a corner), has the line been passed.
_Spot = tuple[int, int, bool]
_Layer = dict[_Spot, list[Trail]]


def reach(track: Track, start: int, length: int, traffic: Traffic) -> Reach:
    """Where the legal ways of 0 to `length` spaces end."""
    if not traffic.whole:
        plain = plain_reach(track, start, length, traffic)
        if plain is not None:
            return plain
    search = Search(track, start, traffic)
    layers: list[list[Arrival]] = [[Arrival(start, ())]]
    for steps in range(1, length + 1):
        search.advance(steps)
        here = list(search.ends())
        if not here:
            break
        layers.append(here)
    return _Listed(layers)


@dataclass(frozen=True, slots=True)
class _Listed:
    layers: list[list[Arrival]]

    @property
    def furthest(self) -> int:
        return len(self.layers) - 1

    def ends(self, length: int) -> Sequence[Arrival]:
        return self.layers[length]


class Search:
    """The forward search of one move; `advance` once for each space."""

    def __init__(self, track: Track, start: int, traffic: Traffic) -> None:
        self._track = track
        self._traffic = traffic
        self._start_corner = track.corner[start]
        self._stretches: list[dict[int, list[tuple[int, frozenset[int]]]]] = []
        first = self._new_stretch(start, 0) if track.straight[start] != -1 else -1
        self._layer: _Layer = {(start, first, False): [()]}
        self._begun: dict[int, int] = {}
        self._rays: list[Arrival] = []
        self._whole = _shortest_from(track, start, traffic) if traffic.whole else None

    def fork(self, keep: Callable[[int], bool]) -> Search:
        """The same search, going on by itself from those ends only that are kept."""
        other = copy(self)
        other._layer = {spot: trails for spot, trails in self._layer.items() if keep(spot[0])}
        other._rays = [ray for ray in self._rays if keep(ray.space)]
        other._stretches = [
            {space: list(seen) for space, seen in stretch.items()} for stretch in self._stretches
        ]
        return other

    def ends(self) -> Iterator[Arrival]:
        """Where the ways of the present length end."""
        for (space, _, line), trails in self._layer.items():
            for trail in trails:
                yield Arrival(space, trail, line)
        yield from self._rays

    def advance(self, steps: int) -> None:
        """Go one space further; `steps` is the length reached by it."""
        old, self._layer = self._layer, {}
        self._begun = {}
        rays = dict.fromkeys(ray for ray in map(self._follow, self._rays) if ray is not None)
        taken, last_lap = self._traffic.taken, self._traffic.last_lap
        for (here, stretch, line), trails in old.items():
            lifted = line and last_lap
            for there in self._track.nexts[here]:
                passed = line or self._passes(here, there)
                if there in taken and not (passed and last_lap):
                    continue
                missing = 0 if lifted else self._missing(here, there)
                if missing:
                    cast = (self._cast(here, there, missing, passed, trail) for trail in trails)
                    rays.update(dict.fromkeys(cast))
                else:
                    self._enter(here, there, stretch, passed, trails, steps)
        self._rays = list(rays)
        if self._whole is not None:
            self._keep_shortest(steps)

    def _passes(self, here: int, there: int) -> bool:
        """Whether the step passes the finish line; inside the pit lane it never counts."""
        track = self._track
        return track.past_line[there] and not track.past_line[here] and track.straight[here] != -2

    def _missing(self, here: int, there: int) -> int:
        """The stops that the corner left by this step still asked for (FD-CORNER-1)."""
        corner = self._track.corner[here]
        if corner < 0 or self._track.corner[there] == corner:
            return 0
        made = self._traffic.stops if corner == self._start_corner else 0
        return self._traffic.missing(self._track.corners[corner].stops, made)

    def _over(self, space: int, trail: Trail, passed: bool) -> Trail:
        """The trail with this space's debris; none is met beyond the line of the last lap."""
        if space in self._traffic.debris and not (passed and self._traffic.last_lap):
            return (*trail, space)
        return trail

    def _cast(self, here: int, there: int, missing: int, passed: bool, trail: Trail) -> Arrival:
        """The first space beyond a corner's limit without its stops (FD-CORNER-2)."""
        return Arrival(
            there,
            self._over(there, trail, passed),
            passed,
            beyond=1 if missing == 1 else 0,
            spaces=1,
            limits=1 if missing == 1 else 0,
            corner=self._track.corner[here],
            fatal=missing > 1,
        )

    def _follow(self, ray: Arrival) -> Arrival | None:
        """One more space of an overshoot, in its lane; None where a car stands (FD-CORNER-4).

        A corner run through whole asks for tires from its own limit on too (FD-CORNER-5).
        """
        there = self._track.ahead[ray.space]
        if there < 0:
            return None
        lifted = ray.line and self._traffic.last_lap
        line = ray.line or self._passes(ray.space, there)
        if there in self._traffic.taken and not (line and self._traffic.last_lap):
            return None
        missing = 0 if lifted else self._missing(ray.space, there)
        limits = ray.limits + (missing == 1)
        return ray._replace(
            space=there,
            debris=self._over(there, ray.debris, line),
            line=line,
            beyond=ray.beyond + limits,
            spaces=ray.spaces + 1,
            limits=limits,
            fatal=ray.fatal or missing > 1,
        )

    def _enter(
        self, here: int, there: int, stretch: int, passed: bool, trails: list[Trail], steps: int
    ) -> None:
        """Reach `there` by these trails, as far as FD-MOVE-4 lets them."""
        track = self._track
        kind = track.straight[there]
        if kind == -1:
            into = -1
        elif kind == track.straight[here]:
            into = stretch
        else:
            into = self._stretch_at(there, steps)
        spot = (there, into, passed)
        kept = self._layer.setdefault(spot, [])
        for trail in trails:
            crossed = self._over(there, trail, passed)
            if into < 0 or self._is_shortest(into, there, crossed, steps):
                _keep_least(kept, crossed)
        if not kept:
            del self._layer[spot]

    def _new_stretch(self, first: int, steps: int) -> int:
        self._stretches.append({})
        return len(self._stretches) - 1

    def _stretch_at(self, first: int, steps: int) -> int:
        """The stretch that begins at this space with this many spaces moved."""
        if first not in self._begun:
            self._begun[first] = self._new_stretch(first, steps)
        return self._begun[first]

    def _is_shortest(self, stretch: int, space: int, trail: Trail, steps: int) -> bool:
        """Whether no shorter way of this stretch reaches the space over no other debris."""
        seen = self._stretches[stretch].setdefault(space, [])
        straight = self._track.straight
        crossed = frozenset(d for d in trail if straight[d] == straight[space])
        if any(before < steps and less <= crossed for before, less in seen):
            return False
        seen.append((steps, crossed))
        return True

    def _keep_shortest(self, steps: int) -> None:
        """House switch `corner_ways: shortest`: the whole move is one stretch."""
        assert self._whole is not None
        whole = self._whole
        for spot, trails in list(self._layer.items()):
            kept = [t for t in trails if whole(spot[0], t) == steps]
            if kept:
                self._layer[spot] = kept
            else:
                del self._layer[spot]
        self._rays = [r for r in self._rays if whole(r.space, r.debris) == steps]


def _keep_least(kept: list[Trail], trail: Trail) -> None:
    """Keep the trails that no other one is part of."""
    crossed = set(trail)
    if any(crossed >= set(other) for other in kept):
        return
    kept[:] = [other for other in kept if not crossed < set(other)]
    kept.append(trail)


def _shortest_from(
    track: Track, start: int, traffic: Traffic
) -> Callable[[int, Trail], int | None]:
    """A function: the least spaces to a space, crossing no debris but that of the trail.

    Spaces of one name are one space, whichever floor they are on (see `urban.passing`). Beyond
    the line of the last lap nothing stands in the way (FD-END-2).
    """
    known: dict[frozenset[int], dict[int, int]] = {}
    floors: dict[str, list[int]] = {}
    for space, name in enumerate(track.ids):
        floors.setdefault(name, []).append(space)
    lifts = traffic.last_lap and not track.past_line[start]
    in_way = {s for s in (*traffic.taken, *traffic.debris) if not (lifts and track.past_line[s])}

    def spread(crossed: frozenset[int]) -> dict[int, int]:
        closed = in_way - crossed
        found, edge = {start: 0}, [start]
        while edge and len(found) < len(track.ids):
            edge = [n for here in edge for n in track.nexts[here] if _open(here, n, closed, found)]
        return found

    def _open(here: int, there: int, closed: set[int], found: dict[int, int]) -> bool:
        if there in closed or there in found:
            return False
        found[there] = found[here] + 1
        return True

    def shortest(space: int, trail: Trail) -> int | None:
        crossed = frozenset(twin for debris in trail for twin in floors[track.ids[debris]])
        if crossed not in known:
            known[crossed] = spread(crossed)
        reached = (known[crossed].get(twin) for twin in floors[track.ids[space]])
        return min((spaces for spaces in reached if spaces is not None), default=None)

    return shortest
