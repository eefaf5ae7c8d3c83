"""The board of a race, compiled: every space is a number, every question a tuple look-up.

A track file is for people; this is for the rules, which ask the same few questions
thousands of times a second. Spaces are numbered through: the track in driving order,
then the pit lane `P1` …, then the boxes `B1` …. Wherever there is no answer it is -1
or an empty tuple, never None, so that a move can be listed without a branch.

Nothing here knows a car, a rule or a file: `load_track` (file.py) makes a `Track`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from companion.frozen import dataclass

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
        """Whether it has no space: no board at all, or the card of one (card.py)."""
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
