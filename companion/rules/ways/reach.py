"""Where the ways of a move end, by their length in spaces, and what slides.

FD-TIRE-6: with b brakes spent on a roll of n, the way of n - b spaces (its start not counted)
is lengthened by the slide if it touches a corner, along FD-MOVE-4 as a whole; else it is not. So
the ends are those of n - b spaces that have touched none, and those of so many more spaces as
the slide has that touched one within the first n - b. A move that does not slide is one of 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.rules.board.track import Track
from companion.rules.ways.arrivals import Arrival, Ends, Traffic
from companion.rules.ways.hops import PASSED, SPACE, Hop, Hops, arrival_at, hops
from companion.rules.ways.search import CLEAN, STRETCH, Layer, Rays, Search, shortest_only

_END = STRETCH - 1
_NOWHERE: Layer = {}


def reach(
    track: Track, start: int, length: int, traffic: Traffic, slide: int = 0, her: int = -1
) -> Reach:
    """Where the legal ways of 0 to `length` spaces end, lengthened by the `slide`.

    `her` is the space of a car that it matters to pass (FD-DRV-1), -1 for none.
    """
    lifts = traffic.last_lap and not track.past_line[start]
    table = hops(track) if her < 0 else hops(track, her, lifts)
    search = Search(track, table, start, traffic, length + slide, slides=slide > 0)
    layers = search.run(start)
    if traffic.whole:
        shortest_only(layers, search.rays)
    return Reach(table, layers, search.rays, slide, her, search.met_debris)


class Reach:
    """The ends of the ways of a move, by their length in spaces."""

    __slots__ = ("_hops", "_layers", "_met_debris", "_rays", "_slide", "furthest", "her")

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
            found = [*map(self._hops.plain.__getitem__, {place & _END for place in layer})]
        if length in self._rays:
            found += self._rays[length]
        return found

    def _over_debris(self, layer: Layer) -> list[Arrival]:
        """The ends of a layer, some of which are reached over debris: each of these ways."""
        ends = {place & _END for place, trails in layer.items() if trails is CLEAN}
        found = [self._hops.plain[end] for end in ends]
        for place, trails in layer.items():
            found += [arrival_at(place & _END, trail) for trail in trails if trail]
        return found
