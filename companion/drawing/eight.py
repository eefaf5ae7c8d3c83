"""Circuits that cross themselves: a figure of eight with a bridge, as Suzuka is.

All turns to the right and all to the left are equal, and so the loop closes with no turn in
all and one crossing. So that no space is hidden, the road below has none where the other
passes over it: its straight is longer there by a gap (`Bridge`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

from companion.drawing.course import LANE_WIDTH, Bridge, Course, Piece, starts_of
from companion.drawing.loop import close, is_closed

_TURNS = (1.35, 1.2, 1.5, 1.65, 1.8)
"""How much each half of the eight turns, in half turns, the likeliest first."""
_ROOM = 0.3
"""Of the road above, beyond its lanes."""
_SETTLINGS = 4
_LEAST_ANGLE = 0.5


class _Crossing(NamedTuple):
    """Two straights that cross: the places of the pieces, how far along each, the angle."""

    below: int
    above: int
    below_at: float
    above_at: float
    angle: float


def figures_of_eight(
    bends: Sequence[Piece], limits: Sequence[float], lanes: int
) -> Iterator[Course]:
    """Loops that cross themselves once, straight over straight; none where that cannot be."""
    for half in _TURNS:
        course = _eight(_balanced(bends, half * math.pi), limits, lanes)
        if course is not None:
            yield course


def _balanced(bends: Sequence[Piece], half: float) -> list[Piece]:
    """The pieces with as much turn to either side."""
    sides = {
        side: sum(piece.spaces for piece in bends if piece.turn * side > 0) or 1.0
        for side in (1, -1)
    }
    return [
        replace(piece, turn=math.copysign(half, piece.turn) * piece.spaces / sides[side])
        if (side := 1 if piece.turn > 0 else -1) and piece.turn
        else piece
        for piece in bends
    ]


def _eight(pieces: list[Piece], limits: Sequence[float], lanes: int) -> Course | None:
    """The pieces closed, with a gap below their one crossing, which settles as they close."""
    gap, below = 0.0, 0
    for _ in range(_SETTLINGS):
        longer = list(pieces)
        longer[below] = replace(
            pieces[below], spaces=pieces[below].spaces + gap, length=pieces[below].length + gap
        )
        closed = close(longer, limits, 0.0)
        crossing = _crossing(closed, pieces) if is_closed(closed, 0.0) else None
        if crossing is None:
            return None
        below, wanted = crossing.below, _gap(crossing, lanes)
        if abs(wanted - gap) < 0.1:
            return Course(closed, _bridge(closed, crossing, gap))
        gap = wanted
    return None


def _gap(crossing: _Crossing, lanes: int) -> float:
    """How long a lane below must be without spaces: the road above, and a space to spare."""
    road = lanes * LANE_WIDTH + _ROOM
    slanted = LANE_WIDTH * abs(math.cos(crossing.angle))
    return round((road + slanted) / abs(math.sin(crossing.angle)) + 1.0, 1)


def _bridge(pieces: Sequence[Piece], crossing: _Crossing, gap: float) -> Bridge:
    starts = [sum(piece.spaces for piece in pieces[:at]) for at in range(len(pieces))]
    above = starts[crossing.above]
    return Bridge(
        at=starts[crossing.below] + crossing.below_at - gap / 2,
        gap=gap,
        slant=1 / math.tan(crossing.angle),
        over=(above + crossing.above_at - gap / 2, above + crossing.above_at + gap / 2),
    )


def _crossing(pieces: Sequence[Piece], board: Sequence[Piece]) -> _Crossing | None:
    """The one crossing of two straights; None if there is no other number. The longer one of
    the board has room below for the gap."""
    starts = starts_of(pieces)
    found = []
    for one, other in combinations([at for at, p in enumerate(pieces) if not p.turn], 2):
        below, above = sorted((one, other), key=lambda at: board[at].spaces, reverse=True)
        a, b = starts[below], starts[above]
        angle = b.heading - a.heading
        across = math.sin(angle)
        if abs(across) < _LEAST_ANGLE:
            continue
        dx, dy = b.x - a.x, b.y - a.y
        along_below = (dx * math.sin(b.heading) - dy * math.cos(b.heading)) / across
        along_above = (dx * math.sin(a.heading) - dy * math.cos(a.heading)) / across
        places = (along_below / pieces[below].length, along_above / pieces[above].length)
        if all(0 < place < 1 for place in places):
            at_below, at_above = places[0] * pieces[below].spaces, places[1] * pieces[above].spaces
            found.append(_Crossing(below, above, at_below, at_above, angle))
    return found[0] if len(found) == 1 else None
