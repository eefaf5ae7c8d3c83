"""The sections of a drawing, and the name of every space.

Sections are read off the lanes: each is cut where straights and corners meet, and the k-th
pieces of all lanes are one section. (Connected pieces of the graph would not do: in some
corners no arrow leads from lane to lane.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.rules.board.dat.lanes import Lanes
from companion.rules.board.dat.source import Drawing
from companion.rules.board.faults import Faults

LANES: Mapping[int, tuple[str, ...]] = {2: ("l", "r"), 3: ("l", "m", "r"), 4: ("l", "m", "n", "r")}
"""The names of the lanes by how many a board has."""
Pair = tuple[int, int]


class Spot(NamedTuple):
    """Where a space is: index of its section and lane, and its number there from 1."""

    section: int
    lane: int
    number: int


class Sections:
    """The spaces of a board by section and lane; the first section holds the line."""

    def __init__(self, drawing: Drawing, lanes: Lanes, faults: Faults) -> None:
        self.drawing = drawing
        self.names = LANES[len(lanes)]
        self.row = tuple(lane[0] for lane in lanes)
        """The first space of each lane past the line, as the file has it."""
        self.spaces = self._cut(lanes, faults)
        self.labels = tuple(map(self._label, range(len(self.spaces))))
        self.spot = {
            space: Spot(at, lane, number)
            for at, section in enumerate(self.spaces)
            for lane, there in enumerate(section)
            for number, space in enumerate(there, 1)
        }

    def lane(self, lane: int) -> list[int]:
        """All spaces of a lane, from the beginning of the first section on."""
        return [space for section in self.spaces for space in section[lane]]

    def is_corner(self, at: int) -> bool:
        """Whether a section is a corner."""
        return self._in_corner(self.spaces[at][0][0])

    def follows(self, start: int, end: int) -> bool:
        """Whether a space lies in the section of another or in the next one."""
        here = self.spot[start].section
        return self.spot[end].section in (here, (here + 1) % len(self.spaces))

    def id(self, space: int) -> str:
        """A space as the track will call it: `S1.l7`."""
        at, lane, number = self.spot[space]
        return f"{self.labels[at]}.{self.names[lane]}{number}"

    def near(self, at: int, space: int) -> str:
        """A space as a section writes it: `l7`, in another section `S2.l7`."""
        name = self.id(space)
        return name.partition(".")[2] if self.spot[space].section == at else name

    def written(self, at: int, pairs: Iterable[Pair], sign: str) -> tuple[str, ...]:
        """Changes or pairs side by side as a section writes them."""
        ordered = sorted(pairs, key=lambda pair: [self.spot[space] for space in pair])
        return tuple(sign.join(self.near(at, space) for space in pair) for pair in ordered)

    def where(self, space: int) -> str:
        """Section and lane, as a doubt names them."""
        at, lane, _ = self.spot[space]
        return f"{self.labels[at]}, lane {self.names[lane]}"

    def _cut(self, lanes: Lanes, faults: Faults) -> list[list[tuple[int, ...]]]:
        pieces = [list(self._runs(lane)) for lane in lanes]
        shapes = [[is_corner for is_corner, _ in runs] for runs in pieces]
        for name, shape in zip(self.names, shapes, strict=True):
            if shape != shapes[0]:
                what = f"has {len(shape)} straights and corners, lane {self.names[0]}"
                faults.add(f"lane {name}", f"{what} {len(shapes[0])}; each runs over all lanes")
        if not any(shapes[0]):
            faults.add("track", "has no corner")
        elif shapes[0][0]:
            faults.add("finish", "lies in a corner; a line runs across a straight")
        if faults:
            return []
        sections = [[runs[at][1] for runs in pieces] for at in range(len(shapes[0]))]
        if not shapes[0][-1]:  # the straight before the line and the one behind it are one
            before = sections.pop()
            sections[0] = [a + b for a, b in zip(before, sections[0], strict=True)]
        return sections

    def _runs(self, lane: Sequence[int]) -> Iterator[tuple[bool, tuple[int, ...]]]:
        """The pieces of a lane from the line on: whether it is a corner, and its spaces."""
        run: list[int] = []
        for space in lane:
            if run and self._in_corner(space) != self._in_corner(run[-1]):
                yield self._in_corner(run[-1]), tuple(run)
                run = []
            run.append(space)
        yield self._in_corner(run[-1]), tuple(run)

    def _in_corner(self, space: int) -> bool:
        return self.drawing.nodes[space].is_corner

    def _label(self, at: int) -> str:
        kind = self.is_corner(at)
        nth = sum(self.is_corner(other) == kind for other in range(at + 1))
        return f"{'T' if kind else 'S'}{nth}"
