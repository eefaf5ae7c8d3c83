"""A loop closed: its bends bent and its straights stretched until the end meets the start."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from companion.drawing.course import Piece, starts_of

_STRETCH = 0.5
"""How willingly a straight is stretched, against 1 for bending a bend of equal length."""
_ROUNDS = 60
_CLOSE = 1e-6

Triple = tuple[float, float, float]


def close(pieces: list[Piece], limits: Sequence[float], full: float) -> list[Piece]:
    """The pieces bent and stretched, as little as possible, until the end meets the start.

    `full` is the turn of the whole loop: a full one to either side, none in a figure of eight.

    A bend keeps at least the turn a space of its limit, and its direction; 0 leaves it free.
    """
    for _ in range(_ROUNDS):
        pieces = [_limited(piece, limit) for piece, limit in zip(pieces, limits, strict=True)]
        gap = _gap(pieces, full)
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


def _gap(pieces: Sequence[Piece], full: float) -> Triple:
    """What is missing at the end of the pieces: right, down, and turn to a full one."""
    end = starts_of(pieces)[-1]
    return -end.x, -end.y, full - end.heading


def is_closed(pieces: Sequence[Piece], full: float) -> bool:
    """Whether the end meets the start."""
    return max(map(abs, _gap(pieces, full))) < _CLOSE


def _bend(pieces: list[Piece], gap: Triple) -> list[Piece]:
    """One step towards closing the gap: the smallest changes whose first order does it."""
    starts = starts_of(pieces)
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
    (a, b, c), (d, e, f), (g, h, i) = m
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
