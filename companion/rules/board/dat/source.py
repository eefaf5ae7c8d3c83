"""The text of a `.dat` file: four blocks with a blank line between them.

    IMAGE CORNER [RAIN PERIOD]     the picture; where that program writes; its own weather
    ID X Y TYPE [F]                a space: pixels, y downward; what it is; F: finish row
    FROM TO                        a step forward
    ID VALUE                       how far along its corner a space lies; in the pit: a box
    ID ANGLE                       a place of the grid

The blocks behind the header are parted by three blank lines. The weather of the header is that
program's own and not the printed table, so it is not read.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from typing import TypeVar

from companion.frozen import dataclass
from companion.rules.board.faults import Faults

MOST_SPACES = 4000
"""A lap has some 500; a file with more is no board."""

_NODE = re.compile(r"(\d{1,6}) (-?\d{1,6}) (-?\d{1,6}) (\d)( F)?")
_EDGE = re.compile(r"(\d{1,6}) (\d{1,6})")
_VALUE = re.compile(r"(\d{1,6}) (-?\d{1,6}(?:\.\d{1,9})?)")
_HEADER = re.compile(r"\S+ [0-4](?: -?\d+ -?\d+)?")


class Type(IntEnum):
    """What a space is, as the file numbers it."""

    UNKNOWN = 0
    STRAIGHT = 1
    CORNER_2 = 2
    CORNER_1 = 3
    BLOCKED = 4
    FINISH = 5
    CORNER_3 = 6
    PIT = 7


STOPS: Mapping[Type, int] = {Type.CORNER_1: 1, Type.CORNER_2: 2, Type.CORNER_3: 3}
"""The stops of a corner's spaces."""


@dataclass(frozen=True, slots=True)
class Node:
    """A space of the drawing: `x` and `y` in pixels, y downward."""

    id: int
    x: int
    y: int
    type: Type
    finish: bool

    @property
    def is_corner(self) -> bool:
        """Whether it is a space of a corner."""
        return self.type in STOPS


@dataclass(frozen=True, slots=True)
class Drawing:
    """A file as it stands: nodes and arrows, blocked spaces already left out.

    `values` are the distances within a corner and mark the boxes of the pit; `grid` is in the
    order of the file, which says nothing of the order of the cars.
    """

    nodes: Mapping[int, Node]
    nexts: Mapping[int, tuple[int, ...]]
    values: Mapping[int, float]
    grid: tuple[int, ...]
    blocked: tuple[int, ...] = ()

    def before(self) -> dict[int, tuple[int, ...]]:
        """By space, what leads to it, without the pit."""
        found: dict[int, list[int]] = defaultdict(list)
        for start, ends in self.nexts.items():
            if self.nodes[start].type != Type.PIT:
                for end in ends:
                    found[end].append(start)
        return {end: tuple(starts) for end, starts in found.items()}


def read_drawing(text: str, faults: Faults) -> Drawing | None:
    """Read a file; None where a line or a number in it makes no sense, with faults by line."""
    lines = [(number, line.rstrip("\r")) for number, line in enumerate(text.split("\n"), 1)]
    while lines and not lines[-1][1]:
        lines.pop()
    if not lines or not _HEADER.fullmatch(lines[0][1]):
        faults.add("line 1", "is no header; one is written IMAGE CORNER, as circuit.png 1")
        return None
    blocks = _blocks(lines[1:])
    if len(blocks) != 4:
        what = f"has {len(blocks)} blocks; spaces, arrows, values and grid are four"
        faults.add("file", f"{what}, with one blank line between them")
        return None
    reader = _Reader(faults)
    nodes = reader.nodes(blocks[0])
    edges = list(reader.pairs(blocks[1], _EDGE, "an arrow is written FROM TO", int))
    values = list(reader.pairs(blocks[2], _VALUE, "a value is written SPACE NUMBER", float))
    grid = list(reader.pairs(blocks[3], _VALUE, "a grid place is written SPACE ANGLE", float))
    reader.known(nodes, [(line, end) for line, _, end in edges])
    for pairs in (edges, values, grid):
        reader.known(nodes, [(line, start) for line, start, _ in pairs])
    if faults:
        return None
    blocked = tuple(node.id for node in nodes.values() if node.type == Type.BLOCKED)
    open_nodes = {at: node for at, node in nodes.items() if at not in blocked}
    return Drawing(
        nodes=open_nodes,
        nexts=_nexts(open_nodes, [(start, end) for _, start, end in edges]),
        values={space: value for _, space, value in values if space in open_nodes},
        grid=tuple(space for _, space, _ in grid if space in open_nodes),
        blocked=blocked,
    )


Lines = list[tuple[int, str]]
N = TypeVar("N", int, float)


def _blocks(lines: Lines) -> list[Lines]:
    """The lines between blank ones; what follows the third is all grid."""
    blocks: list[Lines] = [[]]
    for number, line in lines:
        if not line and len(blocks) < 4:
            blocks.append([])
        else:
            blocks[-1].append((number, line))
    return blocks


def _nexts(nodes: Mapping[int, Node], edges: list[tuple[int, int]]) -> dict[int, tuple[int, ...]]:
    """By space where its arrows lead; of a pair both ways round the later one holds."""
    held = {(a, b): None for a, b in edges if a != b and a in nodes and b in nodes}
    for start, end in edges:
        if (start, end) in held and (end, start) in held:
            later = max((start, end), (end, start), key=lambda e: _last(edges, e))
            held.pop((later[1], later[0]))
    found: dict[int, tuple[int, ...]] = dict.fromkeys(nodes, ())
    for start, end in held:
        found[start] += (end,)
    return found


def _last(edges: list[tuple[int, int]], edge: tuple[int, int]) -> int:
    return len(edges) - edges[::-1].index(edge)


class _Reader:
    """Reads the lines of blocks; what is wrong becomes a fault with its line."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults

    def nodes(self, lines: Lines) -> dict[int, Node]:
        """The spaces of the first block."""
        nodes: dict[int, Node] = {}
        if len(lines) > MOST_SPACES:
            self._faults.add("file", f"has {len(lines)} spaces; {MOST_SPACES} are possible")
            return nodes
        for number, line in lines:
            match = _NODE.fullmatch(line)
            if match is None or not Type.UNKNOWN < int(match[4]) <= Type.PIT:
                accepted = (
                    "a space is written SPACE X Y TYPE, TYPE from 1 to 7, F behind it at most"
                )
                self._faults.add(f"line {number}", f"{line!r:.60}: {accepted}")
                continue
            at, kind = int(match[1]), Type(int(match[4]))
            if at in nodes:
                self._faults.add(f"line {number}", f"space {at} is written twice")
            line_space = kind == Type.FINISH or bool(match[5])
            nodes[at] = Node(at, int(match[2]), int(match[3]), kind, line_space)
        return nodes

    def pairs(
        self, lines: Lines, pattern: re.Pattern[str], accepted: str, read: Callable[[str], N]
    ) -> Iterator[tuple[int, int, N]]:
        """Line, space and number of each line of a block."""
        for number, line in lines:
            match = pattern.fullmatch(line)
            if match is None:
                self._faults.add(f"line {number}", f"{line!r:.60}: {accepted}")
            else:
                yield number, int(match[1]), read(match[2])

    def known(self, nodes: Mapping[int, Node], named: list[tuple[int, int]]) -> None:
        """Note each space that a line names and that no line of the first block has."""
        for number, space in named:
            if space not in nodes:
                self._faults.add(f"line {number}", f"there is no space {space}")
