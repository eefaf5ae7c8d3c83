"""A plugin that reads boards of the public editor's format: a `.dat` file made a track file.

Such a file is a drawing with meaning: spaces at pixels of a picture, each with a kind, and one
arrow for every step forward. What it leaves out, lanes and sections first of all, follows in
four steps: the text, how far along the lap each space lies, the lanes, and the plan with all that
is in doubt.

No board is made up: what the file does not say (weather, names, the way a corner turns where
neither counts nor drawing tell) is named as a doubt, with section and lane, for a person who
has the board to look at.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from typing import NamedTuple, TypeVar, get_args

from companion.rules.board import graph
from companion.rules.board.build import compile_track
from companion.rules.board.check import check_track
from companion.rules.board.edit import write_plan
from companion.rules.board.graph import Layout, Place, lay_straight
from companion.rules.board.plan import Fault, Faults, Lead, PitPlan, Plan, SectionPlan
from companion.rules.board.track import Turn

# -- the drawing as a track file ------------------------------------------------------------------

# Arrows are written as the notation has them where it can: a straight by the lane that leads and
# the changes that it lacks, anything else change by change. What is written is compiled and held
# against the drawing once more, and an arrow that only the board has is a doubt too.

NOT_IN_FILE = (
    Fault("weather", "the file has no table of the printed weather (docs/tracks.md)"),
    Fault("corners", "the file names no corner and no printed shortest and longest way"),
)


@dataclass(frozen=True, slots=True)
class Imported:
    """A board as read: its track file, and what the file left open or made doubtful.

    `text` is None where no board can be made; `faults` then say why. Faults beside a text are
    those of `check_track`: the board is there and wants mending.
    """

    text: str | None
    doubts: tuple[Fault, ...]
    faults: tuple[Fault, ...]


def import_dat(text: str, name: str) -> Imported:
    """Read a board of the editor's format; `name` is what the board is called."""
    faults = Faults()
    drawing = _read_drawing(text, faults)
    distances = _find_distances(drawing, faults) if drawing else {}
    lanes = _find_lanes(drawing, distances, faults) if drawing and not faults else ()
    sections = Sections(drawing, lanes, faults) if drawing and lanes and not faults else None
    importer = _Importer(sections, distances, faults) if sections and not faults else None
    plan = importer.plan(name) if importer else None
    if importer is None or plan is None:
        return Imported(None, (), tuple(faults.found))
    written = write_plan(plan)
    return Imported(written, tuple(importer.all_doubts(written)), tuple(check_track(written)))


@dataclass(frozen=True)
class Board:
    """What `DatReader` has read: a track file, and what is in doubt: where, and what."""

    text: str
    doubts: Sequence[tuple[str, str]]


class DatReader:
    """The reader of boards that the companion asks (docs/plugins.md, tracks)."""

    suffix = ".dat"

    def read(self, content: bytes, name: str) -> Board:
        """The board of a file, called `name`.

        Raises:
            ValueError: the file is no board.
        """
        try:
            board = import_dat(content.decode(), name)
        except UnicodeDecodeError as error:
            raise ValueError("it is not text") from error
        if board.text is None:
            first, *others = map(str, board.faults)
            more = f" (and {len(others)} more of that kind)" if others else ""
            raise ValueError(f"{first}{more}")
        return Board(board.text, [(doubt.where, doubt.what) for doubt in board.doubts])


class _Importer:
    """Puts a plan together from the sections of a drawing."""

    def __init__(self, board: Sections, distances: Mapping[int, float], faults: Faults) -> None:
        self._board = board
        self._drawing = board.drawing
        self._distances = distances
        self._faults = faults
        self._left_out = Faults()
        """Spaces and arrows that the board on the table may have, and ours has not."""
        self._doubts = Faults()
        self._arrows = Arrows(board, distances, self._left_out)

    def plan(self, name: str) -> Plan | None:
        """The plan, or None with faults."""
        board = self._board
        for blocked in self._drawing.blocked:
            self._left_out.add("track", f"space {blocked} is blocked and left out")
        plan = Plan(
            name=name,
            exact=not self._left_out,
            lanes=board.names,
            sections=tuple(map(self._section, range(len(board.spaces)))),
            grid=self._grid(),
            finish=self._finish(),
            pit=self._pit(),
            weather=None,
        )
        return None if self._faults else plan

    def all_doubts(self, written: str) -> Iterator[Fault]:
        """Every doubt, those of the arrows first; `written` is the plan's text."""
        yield from self._left_out.found
        yield from self._made_up(written)
        yield from self._doubts.found
        yield from NOT_IN_FILE

    def _made_up(self, written: str) -> Iterator[Fault]:
        """Arrows of the board that was made which the drawing has not."""
        board, nexts = self._board, self._drawing.nexts
        track, _ = compile_track(written)
        if track is None:
            return
        space_of = {track.index[board.id(space)]: space for space in board.spot}
        for index, start in sorted(space_of.items()):
            for end in (space_of[following] for following in track.nexts[index]):
                if end not in nexts[start]:
                    what = f"{board.id(start)}>{board.id(end)} is not in the file, and is taken"
                    yield Fault(board.where(start), f"{what} to be there")

    # sections

    def _section(self, at: int) -> SectionPlan:
        board, arrows = self._board, self._arrows
        counts = tuple(map(len, board.spaces[at]))
        label = board.labels[at]
        if not board.is_corner(at):
            return self._straight(at, SectionPlan("straight", label, None, counts))
        return SectionPlan(
            kind="corner",
            label=label,
            name=f"Corner {label[1:]}",
            spaces=counts,
            stops=self._stops(at),
            turns=self._turns(at),
            changes=board.written(at, arrows.changes_of(at), ">"),
            beside=board.written(at, arrows.beside_of(at), "|"),
        )

    def _straight(self, at: int, bare: SectionPlan) -> SectionPlan:
        """By its leading lane where that gives the file's arrows, else change by change."""
        board, arrows = self._board, self._arrows
        changes = {self._places(change) for change in arrows.changes_of(at)
                   if arrows.inside(at, change)}  # fmt: skip
        beside = {self._places(pair) for pair in arrows.beside if arrows.inside(at, pair)}
        leads = [(lead, lay_straight(bare.spaces, lead)) for lead in get_args(Lead)]
        fits = [(_unlike(laid, beside, changes), lead, laid)
                for lead, laid in leads if changes <= {*laid.changes}]  # fmt: skip
        if not fits or len(changes) < len(arrows.changes_of(at)):
            among = (pair for pair in arrows.beside_of(at) if arrows.inside(at, pair))
            return SectionPlan(
                kind="straight",
                label=bare.label,
                name=None,
                spaces=bare.spaces,
                changes=board.written(at, arrows.changes_of(at), ">"),
                beside=board.written(at, among, "|"),
            )
        _, lead, laid = min(fits, key=lambda fit: fit[0])
        closed = (change for change in laid.changes if change not in changes)
        notation = tuple(">".join(f"{board.names[p.lane]}{p.number}" for p in c) for c in closed)
        return SectionPlan("straight", bare.label, None, bare.spaces, lead=lead, closed=notation)

    def _places(self, pair: Pair) -> graph.Pair:
        start, end = (Place(*self._board.spot[space][1:]) for space in pair)
        return graph.Pair(start, end)

    def _stops(self, at: int) -> int:
        """What most spaces of a corner say; the others are in doubt."""
        stops = {space: STOPS[self._drawing.nodes[space].type]
                 for spaces in self._board.spaces[at] for space in spaces}  # fmt: skip
        usual = Counter(stops.values()).most_common(1)[0][0]
        for space, other in stops.items():
            if other != usual:
                what = f"{self._board.id(space)} has {other} stops, and not {usual} as the others"
                self._doubts.add(self._board.where(space), what)
        return usual

    def _turns(self, at: int) -> Turn:
        """The way a corner turns first: its lane changes lead to the inside (docs/tracks.md)."""
        spot, changes = self._board.spot, self._arrows.changes_of(at)
        to_right = [spot[end].lane > spot[start].lane for start, end in changes]
        first = [right for right, (start, _) in zip(to_right, changes, strict=True)
                 if spot[start].number == 1]  # fmt: skip
        counts = [len(spaces) for spaces in self._board.spaces[at] if spaces]
        shorter_right = counts[0] > counts[-1]
        # A tie of the first arrows decides nothing; then all of them are counted.
        deciding = first if 2 * sum(first) != len(first) else to_right
        right = 2 * sum(deciding) > len(deciding) if deciding else shorter_right
        turns: Turn = "right" if right else "left"
        if not deciding or len({*to_right, shorter_right}) > 1 or counts[0] == counts[-1]:
            what = f"is taken to turn {turns} first; its arrows and lanes do not all say so"
            self._doubts.add(self._board.labels[at], what)
        return turns

    # line, grid, pit

    def _finish(self) -> tuple[int, ...]:
        """The first space of each lane past the line.

        Of three lanes the file's row lies a space too far in the outer ones where the middle
        one is behind them: sixteen boards whose line is known show it. A grid place there says
        that it is not so.
        """
        row = self._board.row
        counts = [len(there) for there in self._board.spaces[0]]
        numbers = [self._board.line(lane) for lane in range(len(row))]
        self._doubts.add("finish", "look where the line runs; it may be a space farther or nearer")
        hind = self._distances[row[1]]
        if len(row) != 3 or not all(self._distances[row[side]] > hind for side in (0, 2)):
            return tuple(map(min, numbers, counts))
        nearer = [numbers[0] - 1, numbers[1], numbers[2] - 1]
        taken = {self._board.spot.get(space) for space in self._drawing.grid}
        fits = all(n >= 1 and (0, lane, n) not in taken for lane, n in enumerate(nearer))
        return tuple(map(min, nearer if fits else numbers, counts))

    def _grid(self) -> tuple[str, ...]:
        """Pole first: who is farthest along the lap."""
        grid = self._drawing.grid
        for space in grid:
            if space not in self._board.spot:
                self._faults.add("grid", f"space {space} is no space of the track")
        known = [space for space in grid if space in self._board.spot]
        order = sorted(known, key=lambda space: (-self._distances[space], space))
        return tuple(self._board.near(0, space) for space in order)

    def _pit(self) -> PitPlan | None:
        nodes, nexts = self._drawing.nodes, self._drawing.nexts
        spot = self._board.spot
        lane = [space for space, node in nodes.items() if node.type == Type.PIT]
        if not lane:
            return None
        entries = [space for space in spot if {*nexts[space]} & {*lane}]
        firsts = {end for space in entries for end in nexts[space] if end in lane}
        if len(firsts) != 1:
            self._faults.add("pit", f"is entered at {len(firsts)} of its spaces; one is possible")
            return None
        chain = [firsts.pop()]
        # `not in chain` ends a lane that is drawn as a circle.
        while following := [end for end in nexts[chain[-1]] if end in lane and end not in chain]:
            chain.append(following[0])
        exits = [end for end in nexts[chain[-1]] if end in spot]
        if len(chain) != len(lane) or not exits:
            self._faults.add("pit", "is no single lane from its entry to its exit")
        boxes = (k for k, space in enumerate(chain, 1) if space in self._drawing.values)
        names = ([self._board.id(space) for space in sorted(ends, key=spot.__getitem__)]
                 for ends in (entries, exits))  # fmt: skip
        entry, leave = map(tuple, names)
        return PitPlan(spaces=len(chain), entry=entry, exit=leave, boxes=tuple(boxes))


def _unlike(laid: Layout, beside: set[graph.Pair], changes: set[graph.Pair]) -> int:
    """How much a layout differs: pairs side by side (from left to right), and closed changes."""
    pairs = {pair if pair.start.lane < pair.end.lane else graph.Pair(pair.end, pair.start)
             for pair in (*laid.changes, *laid.beside)}  # fmt: skip
    return len(pairs ^ beside) + len(laid.changes) - len(changes)


# -- the text -------------------------------------------------------------------------------------

# The blocks behind the header are parted by blank lines:
#
#     IMAGE CORNER [RAIN PERIOD]     the picture; where that program writes; its own weather
#     ID X Y TYPE [F]                a space: pixels, y downward; what it is; F: finish row
#     FROM TO                        a step forward
#     ID VALUE                       how far along its corner a space lies; in the pit: a box
#     ID ANGLE                       a place of the grid
#
# The weather of the header is that program's own and not the printed table, so it is not read.

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


Pair = tuple[int, int]
"""Two spaces: an arrow, or side by side."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A file as it stands: nodes and arrows, blocked spaces already left out.

    `values` are the distances within a corner and mark the boxes of the pit; `grid` is in the
    order of the file, which says nothing of the order of the cars. `gaps` lead over one blocked
    space each: a lane goes on there, and nobody can.
    """

    nodes: Mapping[int, Node]
    nexts: Mapping[int, tuple[int, ...]]
    values: Mapping[int, float]
    grid: tuple[int, ...]
    blocked: tuple[int, ...] = ()
    gaps: frozenset[Pair] = frozenset()

    def before(self) -> dict[int, tuple[int, ...]]:
        """By space, what leads to it, without the pit."""
        found: dict[int, list[int]] = defaultdict(list)
        for start, ends in self.nexts.items():
            if self.nodes[start].type != Type.PIT:
                for end in ends:
                    found[end].append(start)
        return {end: tuple(starts) for end, starts in found.items()}


def _read_drawing(text: str, faults: Faults) -> Drawing | None:
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
    arrows = [(start, end) for _, start, end in edges]
    return Drawing(
        nodes=open_nodes,
        nexts=_nexts(open_nodes, arrows),
        values={space: value for _, space, value in values if space in open_nodes},
        grid=tuple(space for _, space, _ in grid if space in open_nodes),
        blocked=blocked,
        gaps=frozenset(
            (start, end)
            for start, over in arrows
            if start in open_nodes and over in blocked
            for here, end in arrows
            if here == over and end in open_nodes
        ),
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


# -- sections, and the name of every space --------------------------------------------------------

# Sections are read off the lanes: each is cut where straights and corners meet, and the k-th
# pieces of all lanes are one section. (Connected pieces of the graph would not do: in some
# corners no arrow leads from lane to lane.)

LANES: Mapping[int, tuple[str, ...]] = {2: ("l", "r"), 3: ("l", "m", "r"), 4: ("l", "m", "n", "r")}
"""The names of the lanes by how many a board has."""


Run = tuple[bool, tuple[int, ...]]
"""A piece of a lane: whether it is a corner, and its spaces."""


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
        return self._in_corner(next(space for there in self.spaces[at] for space in there))

    def line(self, lane: int) -> int:
        """The number of a lane's first space past the line, counted on from the first section."""
        at, _, number = self.spot[self.row[lane]]
        return number + (len(self.spaces[0][lane]) if at else 0)

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
        pieces = self._pieces(lanes)
        shapes = [_shape(runs) for runs in pieces]
        for name, shape in zip(self.names, shapes, strict=True):
            if shape != shapes[0]:
                odd = min((run for _, run in max(pieces, key=len)), key=len)
                what = f"has {len(shape)} straights and corners, lane {self.names[0]}"
                mend = f"give space {_some(list(odd))} the type of those beside, or these its own"
                each = "each runs over all lanes"
                faults.add(f"lane {name}", f"{what} {len(shapes[0])}; {each}: {mend}")
        if not any(shapes[0]):
            faults.add("track", "has no corner")
        elif shapes[0][0]:
            bends = _some([space for space in self.row if self._in_corner(space)])
            mend = f"give space {bends} type 1, or mark a row of the straight with F"
            faults.add("finish", f"lies in a corner; a line runs across a straight: {mend}")
        if faults:
            return []
        sections = [[runs[at][1] for runs in pieces] for at in range(len(shapes[0]))]
        # The straight before the line and the one behind it are one section.
        if not shapes[0][-1]:
            before = sections.pop()
            sections[0] = [a + b for a, b in zip(before, sections[0], strict=True)]
        return sections

    def _pieces(self, lanes: Lanes) -> list[list[Run]]:
        """The pieces of each lane, with an empty one for what a lane lacks: at a line astride the
        limit of a corner, and where a lane runs on a part of the lap only."""
        pieces = [list(self._runs(lane)) for lane in lanes]
        if not all(runs[0][0] for runs in pieces):
            pieces = [[(False, ()), *runs] if runs[0][0] else runs for runs in pieces]
        whole = max(map(_shape, pieces), key=len)
        for lane, runs in zip(lanes, pieces, strict=True):
            for at, step in enumerate(pairwise((*lane, lane[0])), 1):
                if step in self.drawing.gaps and _shape(runs) != whole:
                    first, rest = list(self._runs(lane[:at])), list(self._runs(lane[at:]))
                    lacking = whole[len(first) : len(whole) - len(rest)]
                    runs[:] = [*first, *((is_corner, ()) for is_corner in lacking), *rest]
        return pieces

    def _runs(self, lane: Sequence[int]) -> Iterator[Run]:
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


def _shape(runs: Iterable[Run]) -> list[bool]:
    return [is_corner for is_corner, _ in runs]


# -- lanes, which no file names -------------------------------------------------------------------

# Taken by distance, each space joins a lane whose last space leads to it, of several the
# hindmost: what stands farthest back must be gone on from first, else its lane would end there.
# A lane goes on over a blocked space, which is how the editor draws one that ends on the way.

Lanes = tuple[tuple[int, ...], ...]
"""The spaces of each lane from the finish row on, left to right in driving direction."""


def _find_lanes(drawing: Drawing, distances: Mapping[int, float], faults: Faults) -> Lanes:
    """The lanes of a board; a fault for each space in none, and each lane that does not close."""
    row = _across(drawing, distances)
    lanes = [[space] for space in row]
    others = (n.id for n in drawing.nodes.values() if n.type != Type.PIT and n.id not in row)
    lost = []

    def leads_on(lane: list[int], space: int) -> bool:
        return space in drawing.nexts[lane[-1]] or (lane[-1], space) in drawing.gaps

    # Rounded, so that no rounding error decides between spaces that are level.
    for space in sorted(others, key=lambda s: (round(distances[s], 2), s)):
        joined = [lane for lane in lanes if leads_on(lane, space)]
        if joined:
            min(joined, key=lambda lane: distances[lane[-1]]).append(space)
        else:
            lost.append(space)
    for number, lane in enumerate(lanes, 1):
        if not leads_on(lane, lane[0]):
            mend = (
                "draw the arrow on, over one space of type 4 where that lane has a gap, "
                "or give all its spaces type 4, which leaves it out"
            )
            what = f"ends at space {lane[-1]}, and not at the finish line"
            faults.add(f"lane {number}", f"{what}: {mend}")
    # A lane that ends on the way is why spaces are lost; its end is where to mend.
    if lost and not faults:
        mend = "draw the arrow from the space behind in the same lane, or give type 4"
        faults.add("lanes", f"space {_some(lost)} continues no lane: {mend}, which leaves it out")
    found = tuple(map(tuple, lanes))
    return found if faults or _is_left_first(drawing, found) else found[::-1]


def _across(drawing: Drawing, distances: Mapping[int, float]) -> list[int]:
    """The finish row from one side to the other."""
    row = sorted((n.id for n in drawing.nodes.values() if n.finish), key=lambda s: distances[s])
    if len(row) == 3:
        # The outer lanes are level with each other, so the space that is alone is the middle one.
        alone = [s for s in row if [distances[o] for o in row].count(distances[s]) == 1]
        middle = alone[0] if alone else row[0]
        outer = [space for space in row if space != middle]
        return [outer[0], middle, outer[1]]
    return _four_across(drawing, row) if len(row) == 4 else row


def _four_across(drawing: Drawing, row: list[int]) -> list[int]:
    """Of the two hindmost the one that leads to one other is outermost, its end between them."""
    leads = {s: [end for end in drawing.nexts[s] if end in row] for s in row}
    inner = max(row[:2], key=lambda space: len(leads[space]))
    outer = row[0] if inner == row[1] else row[1]
    between = next((s for s in leads[inner] if s in leads[outer]), None)
    if between is None:
        return row
    last = [space for space in row if space not in (outer, between, inner)]
    return [outer, between, inner, *last]


def _is_left_first(drawing: Drawing, lanes: Lanes) -> bool:
    """Whether the first lane is the left one: driving direction across the row, y downward."""
    first, last = (drawing.nodes[lane[0]] for lane in (lanes[0], lanes[-1]))
    here, following = (drawing.nodes[lanes[0][at]] for at in (0, 1))
    along = following.x - here.x, following.y - here.y
    across = last.x - first.x, last.y - first.y
    return along[0] * across[1] - along[1] * across[0] > 0


# -- what is next to what -------------------------------------------------------------------------

LAPS = 3
"""So many laps of a lane stand in a row where spaces are compared round the line."""


class Arrows:
    """The lane changes, (from, to), and the pairs side by side, (left, right).

    Arrows that no track file can say are left out, each with a doubt.
    """

    def __init__(self, board: Sections, distances: Mapping[int, float], left_out: Faults) -> None:
        self._board = board
        self._distances = distances
        self._lap = self._lap_length()
        lanes = range(len(board.names) - 1)
        self.beside = {pair for lane in lanes for pair in self._pairs(lane)}
        self.changes = tuple(self._changes(left_out))

    def changes_of(self, at: int) -> list[Pair]:
        """The changes that go from a section."""
        return [change for change in self.changes if self._board.spot[change[0]].section == at]

    def beside_of(self, at: int) -> list[Pair]:
        """The pairs with a space of a section that are no lane changes."""
        changes = {frozenset(change) for change in self.changes}
        return [pair for pair in self.beside
                if at in (self._board.spot[space].section for space in pair)
                and frozenset(pair) not in changes]  # fmt: skip

    def inside(self, at: int, pair: Pair) -> bool:
        """Whether both spaces lie in a section."""
        return all(self._board.spot[space].section == at for space in pair)

    def _changes(self, left_out: Faults) -> Iterator[Pair]:
        board = self._board
        arrows = ((s, end) for s, ends in board.drawing.nexts.items() for end in ends)
        for start, end in arrows:
            if start not in board.spot or end not in board.spot:
                # To or from the pit, whose arrows are not lane changes.
                continue
            apart = abs(board.spot[start].lane - board.spot[end].lane)
            if apart == 1 and board.follows(start, end):
                yield start, end
            elif apart or end != self._following(start):
                over = "a lane" if apart > 1 else "a section" if apart else "a space"
                what = f"{board.id(start)}>{board.id(end)} jumps over {over} and is left out"
                left_out.add(board.where(start), what)

    def _following(self, space: int) -> int:
        """The next space of the same lane."""
        lane = self._board.lane(self._board.spot[space].lane)
        return lane[(lane.index(space) + 1) % len(lane)]

    def _pairs(self, lane: int) -> Iterator[Pair]:
        """Pairs side by side of a lane and the next to its right: those that overlap."""
        mine, others = self._laps(lane), self._laps(lane + 1)
        lap = len(mine) // LAPS
        # The middle one of the laps, so that neighbours across the line are there on both sides.
        for behind, front, space in mine[lap : 2 * lap]:
            for start, end, other in others:
                if behind < end and start < front:
                    yield space, other

    def _laps(self, lane: int) -> list[tuple[float, float, int]]:
        """Some laps of a lane, the first section's beginning first: from where to where each
        space reaches, and the space. It begins where the one behind it ends."""
        board, gaps = self._board, self._board.drawing.gaps
        line = board.line(lane)
        lap = []
        for space in board.lane(lane):
            at, _, number = board.spot[space]
            before_line = at == 0 and number < line
            lap.append((self._distances[space] - (self._lap if before_line else 0), space))
        # Rounded, so that no rounding error makes two spaces overlap.
        laps = [(round(d + k * self._lap, 2), space) for k in range(-1, LAPS) for d, space in lap]
        reaches = [
            (front - STEP if (before, space) in gaps else behind, front, space)
            for (behind, before), (front, space) in pairwise(laps)
        ]
        return reaches[len(lap) - 1 :]

    def _lap_length(self) -> float:
        """The distance of a lap: most lanes come to the line one step behind it."""
        laps: Counter[int] = Counter()
        for lane, first in enumerate(self._board.row):
            spaces = self._board.lane(lane)
            last = spaces[spaces.index(first) - 1]
            laps[round((self._distances[last] + STEP - self._distances[first]) / HALF)] += 1
        return laps.most_common(1)[0][0] * HALF


# -- how far along the lap each space lies --------------------------------------------------------

# Only the corners have values in the file, and only their differences count; the straights are
# derived. A step in a lane is about 1, and two spaces half abreast are 0.5 apart. The number says
# who is ahead of whom, which space follows in a lane, and who stands beside whom.
#
# The lap is walked once from the finish row: straight by straight, each space that has a single
# way to it one step behind what follows; corner by corner, each as a whole behind what came.

STEP = 1.0
HALF = 0.5
ALONE = 0.4
"""The step to a space of a straight that one space alone leads to."""
LONGEST_LOOK = 4
"""Steps in which a space of a straight is looked for."""
USUAL_LANES = 3


def _find_distances(drawing: Drawing, faults: Faults) -> dict[int, float]:
    """The distance of each space of the track; a fault where one cannot be reached."""
    row = [node.id for node in drawing.nodes.values() if node.finish]
    if not 2 <= len(row) <= 4:
        faults.add("finish", f"is marked on {len(row)} spaces; 2 to 4 are possible, one a lane")
        return {}
    walk = _Walk(drawing)
    walk.start(row)
    walk.lap()
    lost = [n.id for n in drawing.nodes.values() if n.type != Type.PIT and n.id not in walk.found]
    if lost:
        faults.add("arrows", f"no way from the finish leads to space {_some(lost)}")
    return walk.found


def _some(spaces: list[int]) -> str:
    more = "" if len(spaces) <= 5 else f" and {len(spaces) - 5} more"
    return f"{', '.join(map(str, spaces[:5]))}{more}"


class _Walk:
    """One walk round the lap; `found` are the distances so far."""

    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing
        self._before = drawing.before()
        self.found: dict[int, float] = {}

    def start(self, row: list[int]) -> None:
        """The finish row: hindmost 0, the others half a step ahead."""
        leads = {s: [end for end in self._drawing.nexts[s] if end in row] for s in row}
        bends = [s for s in row if self._drawing.nodes[s].is_corner]
        # The line lies astride the limit of a corner.
        if bends:
            ways = {s: set(self._before.get(s, ())) for s in row}
            entered = set[int]().union(*ways.values()) - set(row)
            hind = [s for s in row if s not in bends and ways[s] >= entered]
        else:
            hind = [s for s in row if not any(s in ends for ends in leads.values())]
        for space in row:
            self.found[space] = 0.0 if space in hind else HALF

    def lap(self) -> None:
        """All straights and corners, in driving order."""
        waiting = self._straights(sorted(self.found, key=self.found.__getitem__))
        while waiting:
            following = self._corner(waiting)
            if not following:
                return
            waiting = self._straights(self._first_straight(following))

    def _straights(self, begin: Iterable[int]) -> list[int]:
        """The spaces of a straight, breadth first; the spaces of the next corner that wait."""
        return self._spread(begin, self._is_straight, self._step)

    def _is_straight(self, space: int) -> bool:
        return self._drawing.nodes[space].type in (Type.STRAIGHT, Type.FINISH)

    def _is_corner(self, space: int) -> bool:
        return self._drawing.nodes[space].is_corner

    def _spread(
        self,
        begin: Iterable[int],
        belongs: Callable[[int], bool],
        distance: Callable[[int, int], float],
    ) -> list[int]:
        """Give each space of a section its distance; return the spaces behind it, in order."""
        queue = deque(begin)
        beyond: dict[int, None] = {}
        while queue:
            space = queue.popleft()
            for end in self._drawing.nexts[space]:
                if end in self.found:
                    continue
                if belongs(end):
                    self.found[end] = distance(space, end)
                    queue.append(end)
                elif self._drawing.nodes[end].type != Type.PIT:
                    beyond[end] = None
        return [space for space in beyond if space not in self.found]

    def _step(self, start: int, end: int) -> float:
        """The distance of `end`, a space of a straight that `start` leads to."""
        here = self.found[start]
        if len(self._before[end]) > 1:
            return here + HALF * self._most_steps(start, end, LONGEST_LOOK)
        leads_in = any(self._is_corner(following) for following in self._drawing.nexts[end])
        return here + (STEP if leads_in else ALONE)

    def _most_steps(self, start: int, end: int, most: int) -> int:
        """The greatest number of steps up to `most` from `start` to `end`; 0 for no way.

        A plain straight gives 2 in the own lane (over the space half ahead), 1 to the next.
        """
        ways = [1] if end in self._drawing.nexts[start] else []
        if most > 1:
            for over in self._drawing.nexts[start]:
                if over != end and len(self._before.get(over, ())) > 1:
                    rest = self._most_steps(over, end, most - 1)
                    ways += [rest + 1] if rest else []
        return max(ways, default=0)

    def _base(self, waiting: list[int]) -> float:
        return max(self.found.values()) + HALF * (USUAL_LANES - len(waiting))

    def _corner(self, waiting: list[int]) -> list[int]:
        """All spaces of a corner by their values; the spaces of the next straight that wait."""
        base = self._base(waiting)
        values = self._drawing.values
        for space in waiting:
            self.found[space] = base + values.get(space, 0.0)
        return self._spread(waiting, self._is_corner, lambda _, end: base + values.get(end, 0.0))

    def _first_straight(self, waiting: list[int]) -> list[int]:
        """The first spaces of a straight: where its walk goes on from."""
        base = self._base(waiting)
        hind = next((s for s in waiting if all(map(self._is_corner, self._before[s]))), waiting[0])
        ahead = [end for end in self._drawing.nexts[hind] if end in waiting]
        if len(self._drawing.nexts[hind]) > 2 or not ahead:
            self.found[hind] = base + HALF
            return [hind]
        self.found[hind] = base
        self.found[ahead[0]] = base + HALF
        return [ahead[0], hind]
