"""The board of a race, compiled: every space is a number, every question a tuple look-up.

A track file is for people; this is for the rules, which ask the same few questions
thousands of times a second. Spaces are numbered through: the track in driving order,
then the pit lane `P1` …, then the boxes `B1` …. Wherever there is no answer it is -1
or an empty tuple, never None, so that a move can be listed without a branch.

Nothing here knows a car, a rule or a file: `load_track` (`build.py`) makes a `Track`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Final, Literal

from companion.system.frozen import dataclass

Kind = Literal["straight", "corner"]
Turn = Literal["left", "right"]

IN_PIT = -2
"""In `Track.straight`: this space belongs to the pit lane or is a box."""


@dataclass(frozen=True, slots=True)
class Section:
    """A straight or a corner: `label` is "S1" or "T5", `spaces` the count of each lane.

    `corner` is the index into `Track.corners`, -1 for a straight; `name` is None where
    the board prints none.
    """

    kind: Kind
    label: str
    name: str | None
    spaces: tuple[int, ...]
    corner: int

    @property
    def title(self) -> str:
        """The section in words: "T3 Casino 2"."""
        return f"{self.label} {self.name}" if self.name else self.label


@dataclass(frozen=True, slots=True)
class Corner:
    """A corner: `stops` to make (1 to 3) and the way it turns.

    `shortest` and `longest` count the corner's spaces on a way through, as printed on the
    board (as computed, where the file prints none); `section` is the index of its section.
    """

    name: str
    label: str
    stops: int
    turns: Turn
    shortest: int
    longest: int
    section: int


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """A compiled board. Tuples indexed by space unless stated otherwise; `source` is its text.

    Two tracks are equal only when they are the same object; compare `sha256` instead.
    """

    name: str
    exact: bool
    lanes: tuple[str, ...]
    """Names of the lanes, left to right in driving direction."""

    ids: tuple[str, ...]
    index: Mapping[str, int]
    lane: tuple[int, ...]
    """Index into `lanes`; -1 in the pit."""
    section: tuple[int, ...]
    """Index into `sections`; -1 in the pit."""
    corner: tuple[int, ...]
    """Index into `corners`; -1 outside corners."""
    straight: tuple[int, ...]
    """The section where it is a straight, -1 in a corner, `IN_PIT` in the pit."""
    number: tuple[int, ...]
    """The number of the space in its lane and section, from 1; k of `Pk` and `Bk`."""

    level: tuple[int, ...]
    """Place along the lap for turn order, 1 to `lap_levels`, counted from the line."""
    far_level: tuple[int, ...]
    """As `level`, but in the pit counted on past the line: `lap_levels` + 1 is level 1."""
    lap_levels: int

    ahead: tuple[int, ...]
    """The next space of the same lane (in the pit: of the pit lane), -1 if none."""
    behind: tuple[int, ...]
    """The inverse of `ahead`."""
    nexts: tuple[tuple[int, ...], ...]
    """Where one step of a move leads: ahead first, then lane changes, without pit entry.

    The last space of the pit lane leads to the exits, a box to its space of the lane.
    """
    entries: tuple[tuple[int, ...], ...]
    """The step into the pit lane, from the entry spaces only."""
    beside: tuple[tuple[int, ...], ...]
    """Side by side, for collisions; empty in the pit."""
    past_line: tuple[bool, ...]
    """True from the line on to the end of the first section."""
    next_corner: tuple[int, ...]
    """Index of the corner that the space is in, else of the next one ahead."""

    sections: tuple[Section, ...]
    corners: tuple[Corner, ...]

    grid: tuple[int, ...]
    """The spaces of the grid, pole first."""
    finish: tuple[int, ...]
    """By lane: the first space past the line."""
    pit: tuple[int, ...]
    """The pit lane in driving order; empty where the board has none."""
    exits: tuple[int, ...]
    """The track spaces that the last space of the pit lane leads to."""
    boxes: tuple[int, ...]
    box_lane: tuple[int, ...]
    """By box: the space of the pit lane that it lies beside."""

    weather: Mapping[str, tuple[int, int]] | None
    """The weather table on the black die, both ends included: `{"rain": (1, 7), …}`."""
    noise: frozenset[int]
    """The spaces of the noise zone."""
    dark: frozenset[int]
    """The dark spaces, each for itself."""
    police: frozenset[int]
    """The first space past the police line, of each lane: every way past it enters one."""
    tunnel: tuple[tuple[int, int], ...]
    """Pairs of spaces: from the sign to the other end, which is the only step from there and
    the next space of the lane (`ahead`), FD-URBAN-6."""

    source: str
    """The track file's text."""
    sha256: str
    """The digest of `source` encoded as UTF-8, in hexadecimal."""

    length: int | None = None
    """The length of a lap as a card tells it from the board's print; None for all others."""

    @property
    def is_blank(self) -> bool:
        """Whether it has no space: no board at all, or the card of one (`build.py`)."""
        return not self.ids

    def track_spaces(self) -> range:
        """All spaces but those of the pit."""
        return range(len(self.ids) - len(self.pit) - len(self.boxes))

    def inside(self, space: int) -> int:
        """How many lanes lie nearer the inside of this or the next corner (FD-ORDER-3).

        0 is the innermost lane; the pit lane counts as outside of all.
        """
        lane = self.lane[space]
        last = len(self.lanes) - 1
        if lane < 0:
            return last + 1
        turns_left = self.corners[self.next_corner[space]].turns == "left"
        return lane if turns_left else last - lane


# -- levels ---------------------------------------------------------------------------------------

# How far along the lap a space lies, for the turn order (FD-ORDER-1). The spaces of the middle
# lane are counted from the finish line; the k-th has level 2k. A space of another lane has the
# mean of the levels of the middle spaces that it lies beside, taken along the lap without a jump
# at the line.


def middle_lane(lanes: int) -> int:
    """The lane that levels are counted on: the middle one, of an even number the left.

    >>> middle_lane(3), middle_lane(2)
    (1, 0)
    """
    return (lanes - 1) // 2


LEVELS_A_SPACE: Final = 2
"""Levels that a space of the middle lane counts."""


def unroll(level: int, near: int, lap: int) -> int:
    """`level` moved by whole laps of `lap` levels to where it is nearest to `near`.

    >>> unroll(2, 332, 332), unroll(332, 2, 332), unroll(100, 90, 332)
    (334, 0, 100)
    """
    return level + lap * round((near - level) / lap)


def reduce_level(level: int, lap: int) -> int:
    """The level within one lap, 1 to `lap`.

    >>> reduce_level(333, 332), reduce_level(332, 332), reduce_level(0, 332)
    (1, 332, 332)
    """
    return (level - 1) % lap + 1


def _mean_level(levels: Sequence[int], lap: int) -> int:
    """The mean of some levels of one neighbourhood, in 1 to `lap`, rounded down.

    >>> _mean_level([332, 2], 332), _mean_level([330, 332], 332)
    (1, 331)
    """
    flat = [unroll(level, levels[0], lap) for level in levels]
    return reduce_level(sum(flat) // len(flat), lap)


def space_levels(
    lane: Sequence[int], beside: Sequence[Sequence[int]], first: int, lanes: int
) -> tuple[list[int], int]:
    """The level of each space of the track (0: it lies beside nothing that has one), and
    the levels of a lap.

    Spaces are numbered in driving order within a lane; `first` is the first space of the
    middle lane past the line. Lanes beyond the neighbours of the middle one are counted
    outwards from lane to lane.
    """
    middle = middle_lane(lanes)
    counted = [space for space in range(len(lane)) if lane[space] == middle]
    start = counted.index(first)
    lap = 2 * len(counted)
    levels = [0] * len(lane)
    for number, space in enumerate(counted[start:] + counted[:start], 1):
        levels[space] = LEVELS_A_SPACE * number
    for outward in sorted(set(range(lanes)) - {middle}, key=lambda other: abs(other - middle)):
        inner = outward + (1 if outward < middle else -1)
        for space in range(len(lane)):
            if lane[space] == outward:
                known = [levels[s] for s in beside[space] if lane[s] == inner and levels[s]]
                levels[space] = _mean_level(known, lap) if known else 0
    return levels, lap


def hold_to_line(level: int, lap: int, lanes: int, *, past_line: bool) -> int:
    """The level of a space of the line's section, kept on its own side of the line.

    Where the line jogs, a space before it may lie beside a space past it; it is still the
    last of its lap (and the other way round). The jog is a space a lane at most.

    >>> hold_to_line(1, 332, 3, past_line=False), hold_to_line(1, 332, 3, past_line=True)
    (332, 1)
    """
    reach = 2 * lanes
    if past_line:
        return 1 if level > lap - reach else level
    return lap if level <= reach else level


def pit_levels(entry: int, first_exit: int, spaces: int, lap: int) -> list[int]:
    """Levels of a pit lane of n spaces, counted on over the line.

    Space k has a + (b − a)·k/(n + 1), rounded down; a and b are the levels of the last
    entry space and the first exit space.

    >>> pit_levels(301, 3, 18, 332)[0], pit_levels(301, 3, 18, 332)[-1]
    (302, 333)
    """
    reach = (first_exit - entry) % lap
    return [entry + reach * k // (spaces + 1) for k in range(1, spaces + 1)]


# -- ways through one section ---------------------------------------------------------------------

# The printed figures of a corner count its spaces on a way through: from the first space of a
# lane to a space that leads out.

Nexts = Sequence[Sequence[int]]


def circle(nexts: Nexts, spaces: frozenset[int]) -> list[int]:
    """A way that comes back to where it began without leaving these spaces; [] if none.

    >>> circle([[1], [2], [1]], frozenset({0, 1, 2}))
    [1, 2, 1]
    """
    try:
        TopologicalSorter(_steps(nexts, spaces)).prepare()
    except CycleError as error:
        found: list[int] = error.args[1]
        # The sorter takes what a space leads to for what comes before it, so it names circles
        # backward.
        return found[::-1]
    return []


def ways_through(nexts: Nexts, spaces: frozenset[int], first: Iterable[int]) -> tuple[int, int]:
    """Spaces on the shortest and the longest way from one of `first` out of `spaces`.

    (0, 0) if no way leads out. The spaces hold no circle.

    >>> ways_through([[1, 2], [2], [3], []], frozenset({0, 1, 2}), [0])
    (2, 3)
    """
    inner = _steps(nexts, spaces)
    reach: dict[int, tuple[int, int]] = {}
    # What a space leads to comes first, so its ways are known by then.
    for space in TopologicalSorter(inner).static_order():
        ways = [reach[end] for end in inner[space] if end in reach]
        # Some step from here leads out of the section: a way ends on this space.
        if len(inner[space]) < len(nexts[space]):
            ways.append((0, 0))
        if ways:
            reach[space] = 1 + min(low for low, _ in ways), 1 + max(high for _, high in ways)
    through = [reach[space] for space in first if space in reach]
    if not through:
        return 0, 0
    return min(low for low, _ in through), max(high for _, high in through)


def _steps(nexts: Nexts, spaces: frozenset[int]) -> dict[int, list[int]]:
    return {space: [end for end in nexts[space] if end in spaces] for space in spaces}
