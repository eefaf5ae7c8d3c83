"""A drawing as a track file, with all that a person must look at.

Arrows are written as the notation has them where it can: a straight by the lane that leads and
the changes that it lacks, anything else change by change. What is written is compiled and held
against the drawing once more, and an arrow that only the board has is a doubt too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import get_args

from companion.frozen import dataclass
from companion.rules.board.check import check_track
from companion.rules.board.dat.arrows import Arrows
from companion.rules.board.dat.distances import find_distances
from companion.rules.board.dat.lanes import find_lanes
from companion.rules.board.dat.sections import Pair, Sections
from companion.rules.board.dat.source import STOPS, Type, read_drawing
from companion.rules.board.faults import Fault, Faults
from companion.rules.board.file import compile_track
from companion.rules.board.layout import Layout, Place, lay_straight
from companion.rules.board.layout import Pair as PlacePair
from companion.rules.board.plan import Lead, PitPlan, Plan, SectionPlan
from companion.rules.board.track import Turn
from companion.rules.board.write import write_plan

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
    drawing = read_drawing(text, faults)
    distances = find_distances(drawing, faults) if drawing else {}
    lanes = find_lanes(drawing, distances, faults) if drawing and not faults else ()
    sections = Sections(drawing, lanes, faults) if drawing and lanes and not faults else None
    importer = _Importer(sections, distances, faults) if sections and not faults else None
    plan = importer.plan(name) if importer else None
    if importer is None or plan is None:
        return Imported(None, (), tuple(faults.found))
    written = write_plan(plan)
    return Imported(written, tuple(importer.all_doubts(written)), tuple(check_track(written)))


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

    def _places(self, pair: Pair) -> PlacePair:
        start, end = (Place(*self._board.spot[space][1:]) for space in pair)
        return PlacePair(start, end)

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
        counts = [len(spaces) for spaces in self._board.spaces[at]]
        shorter_right = counts[0] > counts[-1]
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
        numbers = [self._board.spot[space].number for space in row]
        self._doubts.add("finish", "look where the line runs; it may be a space farther or nearer")
        hind = self._distances[row[1]]
        if len(row) != 3 or not all(self._distances[row[side]] > hind for side in (0, 2)):
            return tuple(numbers)
        nearer = [numbers[0] - 1, numbers[1], numbers[2] - 1]
        taken = {self._board.spot.get(space) for space in self._drawing.grid}
        fits = all(n >= 1 and (0, lane, n) not in taken for lane, n in enumerate(nearer))
        return tuple(nearer if fits else numbers)

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


def _unlike(laid: Layout, beside: set[PlacePair], changes: set[PlacePair]) -> int:
    """How much a layout differs: pairs side by side (from left to right), and closed changes."""
    pairs = {pair if pair.start.lane < pair.end.lane else PlacePair(pair.end, pair.start)
             for pair in (*laid.changes, *laid.beside)}  # fmt: skip
    return len(pairs ^ beside) + len(laid.changes) - len(changes)
