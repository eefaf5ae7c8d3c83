"""Where the names of the corners stand beside the circuit, so that they hide neither it nor
one another.

A name has a few places to choose from, the outer side of its corner first; it takes the first
where nothing is in its way, or else the one with the least.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from companion.drawing.course import LANE_WIDTH
from companion.drawing.layout import Layout, Place
from companion.rules.board.track import Track

LETTER_WIDTH, LETTER_HEIGHT = 0.78, 1.5
"""A letter of a name, in spaces: generous, as no font is promised."""
_GAPS = (0.7, 1.7, 3.0, 4.5)
_ALONG = (0.5, 0.25, 0.75, 0.0, 1.0)
_CLEARANCE = 2.0
"""A name nearer than so many spaces to another corner could be taken for that one's."""


class Plate(NamedTuple):
    """A name's box on paper, in spaces."""

    left: float
    top: float
    width: float
    height: float

    def is_over(self, x: float, y: float, margin: float) -> bool:
        """Whether a point lies in the box or within `margin` of it."""
        return (
            self.left - margin < x < self.left + self.width + margin
            and self.top - margin < y < self.top + self.height + margin
        )

    def overlaps(self, other: Plate) -> bool:
        """Whether two boxes share ground."""
        return (
            self.left < other.left + other.width
            and other.left < self.left + self.width
            and self.top < other.top + other.height
            and other.top < self.top + self.height
        )

    def grown(self, margin: float) -> Plate:
        """The box with so much added on every side."""
        width, height = self.width + 2 * margin, self.height + 2 * margin
        return Plate(self.left - margin, self.top - margin, width, height)


def plates(track: Track, layout: Layout) -> list[Plate]:
    """A box for the name and the stops of each corner."""
    cells = [layout.place(space) for space in range(len(track.ids))]
    placed: list[Plate] = []
    for number in range(len(track.corners)):
        strange = [cells[s] for s in track.track_spaces() if track.corner[s] not in (-1, number)]
        choices = list(_choices(track, layout, number))
        placed.append(
            min(choices, key=partial(_trouble, cells=cells, strange=strange, placed=placed))
        )
    return placed


def _trouble(
    plate: Plate, cells: Sequence[Place], strange: Sequence[Place], placed: Sequence[Plate]
) -> int:
    """What a name would do there: hide cells, come near another corner's cells or name, or,
    counted heavily, hide another name."""
    covered = sum(plate.is_over(cell.x, cell.y, LANE_WIDTH) for cell in cells)
    mistaken = sum(plate.is_over(cell.x, cell.y, _CLEARANCE) for cell in strange)
    crowded = sum(plate.grown(_CLEARANCE / 2).overlaps(other) for other in placed)
    return 4 * covered + mistaken + 2 * crowded + 200 * sum(plate.overlaps(p) for p in placed)


def _choices(track: Track, layout: Layout, number: int) -> Iterator[Plate]:
    """Boxes along both sides of a corner, the best-liked first."""
    corner = track.corners[number]
    width = LETTER_WIDTH * (len(corner.name) + 1 + corner.stops)
    reaches = [layout.reaches[s] for s in track.track_spaces() if track.corner[s] == number]
    start, stop = min(r.start for r in reaches), max(r.stop for r in reaches)
    outer = -math.copysign(1, layout.course.turn(start, stop))
    edge = len(track.lanes) / 2 * LANE_WIDTH
    for side in (outer, -outer):
        for gap in _GAPS:
            for share in _ALONG:
                at = start + (stop - start) * share
                yield _beside(layout, at, side * (edge + gap), width)


def _beside(layout: Layout, at: float, offset: float, width: float) -> Plate:
    """A box whose nearest edge or corner stands `offset` from the course's middle."""
    x, y, heading = layout.course.at(at, offset)
    side = math.copysign(1, offset)
    right, down = -math.sin(heading) * side, math.cos(heading) * side
    return Plate(
        x + (right - 1) / 2 * width, y + (down - 1) / 2 * LETTER_HEIGHT, width, LETTER_HEIGHT
    )
