"""The line that a circuit's middle follows on paper: a closed loop of straights and bends.

A board is known by its spaces, not by its shape, but its shape can be read off the spaces: in a
bend the cars may change lane only towards its inside, so the lane changes of a corner say which
way it turns where (an S has both), and every middle space of a bend turns about as much. From
this a first loop is drawn, which does not quite meet its own end. It is closed by bending all
bends and stretching all straights as little as possible, and no bend so far that it would turn
the other way. If the loop then runs through itself, the bends against the lap's own direction are
straightened step by step until it does not.

A figure of eight, as Suzuka is, cannot be drawn so: on paper the loop would run over its own
spaces and hide them. It is made rounder instead, towards a plain ring; there a bend may come out
straight.

Lengths are in spaces of the middle lane; angles in radians, to the right (clockwise) positive,
as in a picture whose y grows downwards.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import NamedTuple

from companion.rules.track import Track

LANE_WIDTH = 0.8
_TURN_PER_SPACE = (0.25, 0.4)
"""Least and most that a middle space of a bend turns before the loop is closed."""
_STRETCH = 0.5
"""How willingly a straight is stretched, against 1 for bending a bend of equal length."""
_LEAST_TURNS = (0.1, 0.05)
"""What a middle space of a bend must still turn after closing; the second where the first fails."""
_ROUNDS = 60
_STEPS = tuple(step / 20 for step in range(21))
_CLOSE = 1e-6

Triple = tuple[float, float, float]


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


class Course:
    """A closed loop of pieces, asked for places by the distance driven from its start."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.pieces = tuple(pieces)
        self.spaces = sum(piece.spaces for piece in pieces)
        self._starts = _starts(pieces)[:-1]

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
        """Whether a road of this width meets itself nowhere, in no bend and at no crossing."""
        if any(abs(piece.turn) * width / 2 > piece.length for piece in self.pieces):
            return False
        count = int(self.spaces)
        points = [self.at(step) for step in range(count)]
        apart = int(width * 2)
        return all(
            math.hypot(a.x - b.x, a.y - b.y) >= width
            for i, a in enumerate(points)
            for b in points[i + apart : min(count, i + count - apart)]
        )


def course(track: Track) -> Course:
    """The loop of a circuit, starting where its first section starts."""
    bends = [piece for number in range(len(track.sections)) for piece in _pieces(track, number)]
    width = LANE_WIDTH * (len(track.lanes) + 1.5)
    for loop in _loops(bends):
        if loop.is_clear(width):
            break
    return loop


def _loops(bends: Sequence[Piece]) -> Iterator[Course]:
    """Closed loops, the one most like the board first, the last a plain ring."""
    signs = [math.copysign(1, piece.turn) if piece.turn else 0.0 for piece in bends]
    for least in _LEAST_TURNS:
        limits = [sign * least for sign in signs]
        for straightness in _STEPS:
            pieces = _close(_straighter(bends, straightness), limits)
            if _is_closed(pieces):
                yield Course(pieces)
    for roundness in _STEPS:
        yield Course(_close(_rounder(bends, roundness), [0.0] * len(bends)))


def _pieces(track: Track, number: int) -> list[Piece]:
    """A section as first pieces: one for a straight, one for each bend of a corner, turn ±1."""
    section = track.sections[number]
    middle = section.spaces[len(track.lanes) // 2]
    if section.corner < 0:
        return [Piece(middle, middle, 0.0)]
    signs = _bend_signs(track, number, middle)
    return [Piece(n, n, sign) for sign, n in ((s, len(list(run))) for s, run in groupby(signs))]


def _bend_signs(track: Track, number: int, middle: int) -> list[int]:
    """Which way each middle space of a corner turns: 1 right, -1 left."""
    votes = [0.0] * middle
    section = track.sections[number]
    for space in (s for s in track.track_spaces() if track.section[s] == number):
        place = (track.number[space] - 0.5) / section.spaces[track.lane[space]] * middle
        for to in track.nexts[space]:
            sideways = track.lane[to] - track.lane[space]
            for step in range(middle):
                votes[step] += sideways * max(1.5 - abs(step + 0.5 - place), 0.0)
    sign = 1 if track.corners[section.corner].turns == "right" else -1
    signs = []
    for vote in votes:
        sign = sign if vote == 0 else (1 if vote > 0 else -1)
        signs.append(sign)
    return signs


def _own_turn(pieces: Sequence[Piece]) -> float:
    """How much a middle space of a bend turns where nothing stands against it."""
    net = abs(sum(piece.turn * piece.spaces for piece in pieces))
    least, most = _TURN_PER_SPACE
    return min(max(math.tau / max(net, 1.0), least), most)


def _straighter(pieces: Sequence[Piece], straightness: float) -> list[Piece]:
    """The pieces with true turns: bends against the lap's direction with less and less of
    their own, those with it so that all together turn once round."""
    full = math.copysign(math.tau, sum(piece.turn * piece.spaces for piece in pieces))
    against = _own_turn(pieces) * (1 - straightness)
    spaces_with = sum(piece.spaces for piece in pieces if piece.turn * full > 0)
    spaces_against = sum(piece.spaces for piece in pieces if piece.turn * full < 0)
    along = (math.tau + against * spaces_against) / (spaces_with or 1.0)
    return [
        replace(
            piece, turn=piece.turn * piece.spaces * (along if piece.turn * full > 0 else against)
        )
        for piece in pieces
    ]


def _rounder(pieces: Sequence[Piece], roundness: float) -> list[Piece]:
    """The pieces with true turns: between the board's own (0) and those of a ring (1)."""
    full = math.copysign(math.tau, sum(piece.turn * piece.spaces for piece in pieces))
    bent = sum(piece.spaces for piece in pieces if piece.turn) or 1.0
    own = _own_turn(pieces)
    each = roundness * full / bent
    return [
        replace(piece, turn=((1 - roundness) * own * piece.turn + each) * piece.spaces)
        if piece.turn
        else piece
        for piece in pieces
    ]


def _close(pieces: list[Piece], limits: Sequence[float]) -> list[Piece]:
    """The pieces bent and stretched, as little as possible, until the end meets the start.

    A bend keeps at least the turn a space of its limit, and its direction; 0 leaves it free.
    """
    for _ in range(_ROUNDS):
        pieces = [_limited(piece, limit) for piece, limit in zip(pieces, limits, strict=True)]
        gap = _gap(pieces)
        if max(map(abs, gap)) < _CLOSE:
            break
        pieces = _bend(pieces, gap)
    return pieces


def _limited(piece: Piece, limit: float) -> Piece:
    """The piece, turning at least as much a space as its limit, to the same side."""
    if not limit:
        return piece
    side = math.copysign(1, limit)
    return replace(piece, turn=side * max(side * piece.turn, abs(limit) * piece.spaces))


def _gap(pieces: Sequence[Piece]) -> Triple:
    """What is missing at the end of the pieces: right, down, and turn to a full one."""
    end = _starts(pieces)[-1]
    full = math.copysign(math.tau, sum(piece.turn for piece in pieces))
    return -end.x, -end.y, full - end.heading


def _is_closed(pieces: Sequence[Piece]) -> bool:
    """Whether the end meets the start."""
    return max(map(abs, _gap(pieces))) < _CLOSE


def _bend(pieces: list[Piece], gap: Triple) -> list[Piece]:
    """One step towards closing the gap: the smallest changes whose first order does it."""
    starts = _starts(pieces)
    end = starts[-1]
    effects = []
    for piece, start, after in zip(pieces, starts, starts[1:], strict=False):
        if piece.turn:  # bending swings all that follows about the middle of the bend
            x, y = (start.x + after.x) / 2, (start.y + after.y) / 2
            effects.append((y - end.y, end.x - x, 1.0))
        else:
            effects.append((math.cos(start.heading), math.sin(start.heading), 0.0))
    weights = [piece.spaces**2 / 100 if piece.turn else _STRETCH * piece.spaces for piece in pieces]
    pull = _solve(effects, weights, gap)
    changed = []
    for piece, effect, weight in zip(pieces, effects, weights, strict=True):
        change = weight * sum(p * e for p, e in zip(pull, effect, strict=True))
        if piece.turn:
            changed.append(Piece(piece.spaces, piece.length, piece.turn + change))
        else:
            length = min(max(piece.length + change, 0.6 * piece.spaces), 1.8 * piece.spaces)
            changed.append(Piece(piece.spaces, length, 0.0))
    return changed


def _solve(effects: list[Triple], weights: list[float], gap: Triple) -> Triple:
    """The pull p with Σ weight·effect·(effect·p) = gap: three equations, by Cramer's rule."""
    m = [
        [sum(w * e[i] * e[j] for e, w in zip(effects, weights, strict=True)) for j in range(3)]
        for i in range(3)
    ]
    whole = _determinant(m) or 1e-12
    parts = []
    for column in range(3):
        replaced = [[*row[:column], g, *row[column + 1 :]] for row, g in zip(m, gap, strict=True)]
        parts.append(_determinant(replaced) / whole)
    return parts[0], parts[1], parts[2]


def _determinant(m: list[list[float]]) -> float:
    """The determinant of a 3×3 matrix."""
    (a, b, c), (d, e, f), (g, h, i) = m
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def _starts(pieces: Sequence[Piece]) -> list[Point]:
    """Where each piece starts, and last where the final one ends."""
    starts = [Point(0.0, 0.0, 0.0)]
    for piece in pieces:
        starts.append(piece.end(starts[-1]))
    return starts
