"""The line that a circuit's middle follows on paper: a closed loop of straights and bends.

How the loop of a board is found says `shape`. Lengths are in spaces of the middle lane; angles
in radians, to the right (clockwise) positive, as in a picture whose y grows downwards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from companion.frozen import dataclass

LANE_WIDTH = 0.8


class Point(NamedTuple):
    """A place on paper and the driving direction there."""

    x: float
    y: float
    heading: float


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of even curvature: `spaces` of the middle lane drawn `length` long."""

    spaces: float
    length: float
    turn: float

    def end(self, start: Point) -> Point:
        """Where the piece leads from `start`."""
        return self.along(start, self.spaces)

    def along(self, start: Point, spaces: float) -> Point:
        """The point so many spaces into the piece."""
        part = spaces / self.spaces
        turn, length = self.turn * part, self.length * part
        half = turn / 2
        chord = length * (math.sin(half) / half if abs(half) > 1e-9 else 1.0)
        direction = start.heading + half
        return Point(
            start.x + chord * math.cos(direction),
            start.y + chord * math.sin(direction),
            start.heading + turn,
        )


class Bridge(NamedTuple):
    """Where a figure of eight passes under itself.

    The road below has no spaces for a stretch `gap` long, after the place `at` that counts
    spaces of the lap; in a lane `slant` times farther on for each unit that it lies to the
    right. `over` are the ends of the straight above, counted along the whole course.
    """

    at: float
    gap: float
    slant: float
    over: tuple[float, float]

    def shift(self, place: float, offset: float) -> float:
        """How much farther along the course a place of the lap lies because of the gap."""
        return self.gap if place >= self.at + self.slant * offset else 0.0


class Course:
    """A closed loop of pieces, asked for places by the distance driven from its start.

    On a figure of eight `spaces` counts the gap below the `bridge` too.
    """

    def __init__(self, pieces: Sequence[Piece], bridge: Bridge | None = None) -> None:
        self.pieces = tuple(pieces)
        self.bridge = bridge
        self.spaces = sum(piece.spaces for piece in pieces)
        self._starts = starts_of(pieces)[:-1]

    def at(self, spaces: float, offset: float = 0.0) -> Point:
        """The point `spaces` along the loop and `offset` to the right of its middle."""
        left = spaces % self.spaces
        for piece, start in zip(self.pieces, self._starts, strict=True):
            if left <= piece.spaces:
                x, y, heading = piece.along(start, left)
                break
            left -= piece.spaces
        else:
            x, y, heading = self._starts[0]
        return Point(x - offset * math.sin(heading), y + offset * math.cos(heading), heading)

    def turn(self, start: float, stop: float) -> float:
        """The angle turned between two places of the loop, `stop` not before `start`."""
        steps = max(round(stop - start), 1)
        headings = [self.at(start + (stop - start) * n / steps).heading for n in range(steps + 1)]
        return sum(math.remainder(b - a, math.tau) for a, b in pairwise(headings))

    def is_clear(self, width: float) -> bool:
        """Whether a road of this width meets itself nowhere, but for below its bridge."""
        if any(abs(piece.turn) * width / 2 > piece.length for piece in self.pieces):
            return False
        count = int(self.spaces)
        points = [None if self._is_under(step) else self.at(step) for step in range(count)]
        apart = int(width * 2)
        return all(
            not a or not b or math.hypot(a.x - b.x, a.y - b.y) >= width
            for i, a in enumerate(points)
            for b in points[i + apart : min(count, i + count - apart)]
        )

    def _is_under(self, place: float) -> bool:
        """Whether a place lies below the bridge or just before or after it."""
        bridge = self.bridge
        return bridge is not None and -bridge.gap < place - bridge.at < 2 * bridge.gap


def starts_of(pieces: Sequence[Piece]) -> list[Point]:
    """Where each piece starts, and last where the final one ends."""
    starts = [Point(0.0, 0.0, 0.0)]
    for piece in pieces:
        starts.append(piece.end(starts[-1]))
    return starts
