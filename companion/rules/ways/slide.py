"""The legal ways of a move that slides: lengthened, once, where it touches a corner.

FD-TIRE-6: with b brakes spent on a roll of n, the way of n - b spaces (its start not counted)
is lengthened by the slide if it touches a corner, along FD-MOVE-4 as a whole; else it is not.

Whether a way has touched a corner by its L-th space shows in where it is by then: sections lie
one behind the other, so a way that began in a straight and has left it by way of a corner has
touched it. Only where a way begins in a corner, two ways may meet in the straight behind: one
that left at once and touched nothing, one that first went a space further in the corner. The
search is therefore split after its first step into those two, each with the section from
which on a corner counts, and again after the L-th space: what has touched goes on sliding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from companion.rules.board.track import IN_PIT, Track
from companion.rules.ways.arrivals import Arrival, Traffic
from companion.rules.ways.search import Search


class Slid(NamedTuple):
    """The end of a way: `spaces` it has, and how many more it should have had (`blocked`)."""

    arrival: Arrival
    spaces: int
    blocked: int


Layers = list[list[Arrival]]
Touches = Callable[[int], bool]


class SlidReach:
    """Where the ways of a move of up to `length` spaces end, slides of `slide` included."""

    def __init__(
        self, track: Track, start: int, length: int, traffic: Traffic, slide: int, least: int = 0
    ) -> None:
        """`least` is the shortest length that will be asked for: the roll less all brakes."""
        self._slide = slide
        self._parts = [
            _Part(track.nexts, begun, length, least, slide)
            for begun in _split(track, start, traffic, length)
        ]
        self._start = Arrival(start, ())

    def ends(self, length: int) -> list[Slid]:
        """The ends of the ways of this length (FD-TIRE-6), or the furthest (FD-BLOCK-1)."""
        if not length:
            return [Slid(self._start, 0, 0)]
        whole = [end for part in self._parts for end in part.whole(length)]
        if whole:
            return whole
        short = [end for part in self._parts for end in part.short(length)]
        if not short:
            return [Slid(self._start, 0, length)]
        furthest = max(end.spaces for end in short)
        return [end for end in short if end.spaces == furthest]

    def shorter(self, length: int) -> Iterator[Slid]:
        """The ways of this length and their slides, one space before their ends."""
        for part in self._parts:
            yield from part.shorter(length)
        if length == 1:
            yield Slid(self._start, 0, 0)

    def on_the_way(self, length: int) -> Iterator[Slid]:
        """Where the ways of this length pass before their end; `blocked` is what is left then."""
        if length:
            yield Slid(self._start, 0, length)
        for part in self._parts:
            yield from part.on_the_way(length)


def _split(
    track: Track, start: int, traffic: Traffic, length: int
) -> Iterator[tuple[Search, list[Arrival], Touches]]:
    """The searches after their first step, their ends, and what touches a corner in each."""
    search = Search(track, start, traffic)
    if not length:
        return
    search.advance(1)
    touched = search.fork(lambda space: track.corner[space] >= 0)
    first = list(touched.ends())
    if first:
        yield touched, first, lambda _: True
    other = search.fork(lambda space: track.corner[space] < 0)
    first = list(other.ends())
    if first:
        yield other, first, _beyond(track, start)


def _beyond(track: Track, start: int) -> Touches:
    """Whether a way that did not begin with a space in a corner has touched one where it is."""
    if track.straight[start] == IN_PIT:
        begun = track.section[track.exits[0]] - 1
    else:
        begun = track.section[start]
    count = len(track.sections)

    def touches(space: int) -> bool:
        if track.straight[space] == IN_PIT:
            return False
        gone = (track.section[space] - begun) % count
        sections = (track.sections[(begun + step) % count] for step in range(1, gone + 1))
        return any(section.kind == "corner" for section in sections)

    return touches


class _Part:
    """The ways that agree on whether their first space touches a corner."""

    def __init__(
        self,
        nexts: Sequence[Sequence[int]],
        begun: tuple[Search, list[Arrival], Touches],
        length: int,
        least: int,
        slide: int,
    ) -> None:
        search, first, self._touches = begun
        self._nexts = nexts
        self._slide = slide
        self._layers: Layers = [[], first]
        self._slides: dict[int, Layers] = {}
        for steps in range(1, length + 1):
            if steps > 1:
                search.advance(steps)
                here = list(search.ends())
                if not here:
                    break
                self._layers.append(here)
            if steps >= least:
                self._slides[steps] = self._slide_from(search, steps)

    def _slide_from(self, search: Search, steps: int) -> Layers:
        """The ends after 0, 1, 2 … spaces of the slide, of the ways that touch by then."""
        sliding = search.fork(self._touches)
        layers = [list(sliding.ends())]
        for more in range(1, self._slide + 1):
            sliding.advance(steps + more)
            here = list(sliding.ends())
            if not here:
                break
            layers.append(here)
        return layers

    def whole(self, length: int) -> Iterator[Slid]:
        """The ends of ways that have their full length."""
        if length >= len(self._layers):
            return
        for arrival in self._layers[length]:
            if not self._touches(arrival.space):
                yield Slid(arrival, length, 0)
        slides = self._slides[length]
        if len(slides) > self._slide:
            for arrival in slides[self._slide]:
                yield Slid(arrival, length + self._slide, 0)

    def short(self, length: int) -> Iterator[Slid]:
        """The furthest ends of ways that cannot have their full length."""
        if length < len(self._layers):
            slides = self._slides[length]
            last = len(slides) - 1
            for arrival in slides[last]:
                yield Slid(arrival, length + last, self._slide - last)
            return
        last = len(self._layers) - 1
        for arrival in self._layers[last]:
            yield Slid(arrival, last, length - last + self._more(arrival))

    def _more(self, arrival: Arrival) -> int:
        return self._slide if self._touches(arrival.space) else 0

    def shorter(self, length: int) -> Iterator[Slid]:
        """See `SlidReach.shorter`; what touches a corner with its last space slides on."""
        ends = {end.space for end in self._layers[length]} if length < len(self._layers) else set()
        for arrival in self._layers[length - 1] if 1 < length <= len(self._layers) else ():
            on = ends.intersection(self._nexts[arrival.space])
            if not self._touches(arrival.space) and not (on and all(map(self._touches, on))):
                yield Slid(arrival, length - 1, 0)
        slides = self._slides.get(length, [])
        for arrival in slides[self._slide - 1] if len(slides) >= self._slide else ():
            yield Slid(arrival, length + self._slide - 1, 0)

    def on_the_way(self, length: int) -> Iterator[Slid]:
        """See `SlidReach.on_the_way`."""
        for spaces in range(1, min(length, len(self._layers))):
            for arrival in self._layers[spaces]:
                yield Slid(arrival, spaces, length - spaces + self._more(arrival))
        for more, ends in enumerate(self._slides.get(length, [])[: self._slide]):
            for arrival in ends:
                yield Slid(arrival, length + more, self._slide - more)
