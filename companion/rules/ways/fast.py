"""The legal ways of a move that can meet no debris: the same search without trails.

See `ways` for what is searched and why. Without debris a space of a stretch is reached at its
shortest distance or not at all, so one set of what has been seen decides; a place in the
search is one whole number, and ends become records only for the lengths that are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.rules.board.track import IN_PIT, Track
from companion.rules.ways.arrivals import Arrival, Traffic

# A place: the space in the low bits, the number of its stretch above them (0: in a corner).
_BITS = 12
_SPACE = (1 << _BITS) - 1


class _Edge(NamedTuple):
    """One step: where to, whether it stays in its section, the corner left, the line passed."""

    there: int
    inner: bool
    straight: bool
    left: int
    line: bool


class PlainReach:
    """The ends by length; see `companion.rules.ways.arrivals.Reach`."""

    __slots__ = ("_layers", "_rays")

    def __init__(self, layers: list[dict[int, bool]], rays: list[list[Arrival]]) -> None:
        self._layers = layers
        self._rays = rays

    @property
    def furthest(self) -> int:
        """The greatest length that has a legal way."""
        return len(self._layers) - 1

    def ends(self, length: int) -> Sequence[Arrival]:
        """The ends of all legal ways of this length."""
        ends = {place & _SPACE: line for place, line in self._layers[length].items()}
        return [Arrival(space, (), line) for space, line in ends.items()] + self._rays[length]


@lru_cache(maxsize=32)
def _edges(track: Track) -> tuple[tuple[_Edge, ...], ...]:
    """Every step of the board with what the search asks of it."""

    def edge(here: int, there: int) -> _Edge:
        inner = track.section[here] == track.section[there]
        line = track.past_line[there] and not track.past_line[here]
        return _Edge(
            there,
            inner,
            track.straight[there] != -1,
            -1 if inner else track.corner[here],
            line and track.straight[here] != IN_PIT,
        )

    return tuple(
        tuple(edge(here, there) for there in nexts) for here, nexts in enumerate(track.nexts)
    )


def plain_reach(track: Track, start: int, length: int, traffic: Traffic) -> PlainReach | None:
    """Where the ways of a move end; None where some way could meet debris."""
    search = _PlainSearch(track, start, traffic)
    layers: list[dict[int, bool]] = [{start: False}]
    rays: list[list[Arrival]] = [[]]
    layer = search.first
    for _ in range(length):
        found = search.advance(layer)
        if found is None:
            return None
        layer = found
        if not layer and not search.rays:
            break
        layers.append(layer)
        rays.append(search.rays)
    return PlainReach(layers, rays)


class _PlainSearch:
    """The search of one move, one space further with each `advance`."""

    __slots__ = (
        "_begun",
        "_edges",
        "_made",
        "_next",
        "_seen",
        "_track",
        "_traffic",
        "first",
        "rays",
    )

    def __init__(self, track: Track, start: int, traffic: Traffic) -> None:
        self._track, self._traffic = track, traffic
        self._edges = _edges(track)
        self._made = (track.corner[start], traffic.stops)
        self._next = 2
        in_stretch = track.straight[start] != -1
        self.first = {start | (1 << _BITS if in_stretch else 0): False}
        self._seen: set[int] = set()
        self._begun: dict[int, int] = {}
        self.rays: list[Arrival] = []

    def advance(self, layer: dict[int, bool]) -> dict[int, bool] | None:
        """The places one space further; None as soon as one of them has debris."""
        if not self._follow_rays():
            return None
        edges, seen, traffic = self._edges, self._seen, self._traffic
        taken, debris, last_lap = traffic.taken, traffic.debris, traffic.last_lap
        found: dict[int, bool] = {}
        self._begun = {}
        for place, passed in layer.items():
            stretch = place & ~_SPACE
            for edge in edges[place & _SPACE]:
                there, inner, _, _, line = edge
                crossed = passed or line
                if there in taken and not (crossed and last_lap):
                    continue
                if there in debris and not (crossed and last_lap):
                    return None
                if not inner:
                    self._leave(edge, found, passed, crossed)
                    continue
                reached = there | stretch
                if stretch:
                    if reached in seen:
                        continue
                    seen.add(reached)
                found[reached] = crossed
        return found

    def _leave(self, edge: _Edge, found: dict[int, bool], passed: bool, crossed: bool) -> None:
        """A step out of its section: an overshoot, a stretch that begins, or a corner."""
        there = edge.there
        if edge.left >= 0 and self._misses(edge.left, passed):
            self._cast(there, edge.left, crossed)
        elif not edge.straight:
            found[there] = crossed
        else:
            if there not in self._begun:
                self._begun[there] = there | (self._next << _BITS)
                self._next += 1
            found[self._begun[there]] = crossed

    def _misses(self, corner: int, passed: bool) -> int:
        """The stops still missing in a corner that is left."""
        if passed and self._traffic.last_lap:
            return 0
        first, made = self._made
        return self._traffic.missing(
            self._track.corners[corner].stops, made if corner == first else 0
        )

    def _cast(self, there: int, corner: int, crossed: bool) -> None:
        one = self._misses(corner, False) == 1
        ray = Arrival(there, (), crossed, int(one), 1, int(one), corner, not one)
        if ray not in self.rays:
            self.rays.append(ray)

    def _follow_rays(self) -> bool:
        """Take each overshoot one space on in its lane; False where debris lies there."""
        track, traffic = self._track, self._traffic
        old, self.rays = self.rays, []
        for ray in old:
            there = track.ahead[ray.space]
            if there < 0:
                continue
            line = ray.line or (track.past_line[there] and not track.past_line[ray.space])
            if not (line and traffic.last_lap):
                if there in traffic.taken:
                    continue
                if there in traffic.debris:
                    return False
            self.rays.append(self._further(ray, there, line))
        return True

    def _further(self, ray: Arrival, there: int, line: bool) -> Arrival:
        """FD-CORNER-4, FD-CORNER-5: in its lane, judged again by a corner run through whole."""
        left, missing = self._track.corner[ray.space], 0
        if left >= 0 and self._track.corner[there] != left:
            missing = self._misses(left, ray.line)
        limits = ray.limits + (missing == 1)
        return Arrival(
            there,
            (),
            line,
            ray.beyond + limits,
            ray.spaces + 1,
            limits,
            ray.corner,
            ray.fatal or missing > 1,
        )
