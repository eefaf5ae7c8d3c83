"""The shape of a circuit on paper, read off its spaces.

A board is known by its spaces, not by its shape, but its shape can be read off the spaces: in a
bend the cars may change lane only towards its inside, so the lane changes of a corner say which
way it turns where (an S has both), and every middle space of a bend turns about as much. From
this a first loop is drawn, which does not quite meet its own end. It is closed by bending all
bends and stretching all straights as little as possible, and no bend so far that it would turn
the other way. If the loop then runs through itself, the bends against the lap's own direction are
straightened step by step until it does not.

Where that does not help the board is a figure of eight, as Suzuka is (`eight`). What is none
either is made rounder, towards a plain ring; there a bend may come out straight.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from companion.drawing.course import LANE_WIDTH, Course, Piece
from companion.drawing.eight import figures_of_eight
from companion.drawing.loop import close, is_closed
from companion.rules.board.track import Track

_TURN_PER_SPACE = (0.25, 0.4)
"""Least and most that a middle space of a bend turns before the loop is closed."""
_LEAST_TURNS = (0.1, 0.05)
"""What a middle space of a bend must still turn after closing; the second where the first fails."""
_STEPS = tuple(step / 20 for step in range(21))


def course(track: Track) -> Course:
    """The loop of a circuit, starting where its first section starts."""
    bends = [piece for number in range(len(track.sections)) for piece in _pieces(track, number)]
    width = LANE_WIDTH * (len(track.lanes) + 1.5)
    for loop in _loops(bends, len(track.lanes)):
        if loop.is_clear(width):
            break
    return loop


def _loops(bends: Sequence[Piece], lanes: int) -> Iterator[Course]:
    """Closed loops, the one most like the board first, the last a plain ring."""
    signs = [math.copysign(1, piece.turn) if piece.turn else 0.0 for piece in bends]
    full = _full_turn(bends)
    for least in _LEAST_TURNS:
        limits = [sign * least for sign in signs]
        for straightness in _STEPS:
            pieces = close(_straighter(bends, straightness), limits, full)
            if is_closed(pieces, full):
                yield Course(pieces)
    yield from figures_of_eight(bends, [sign * _LEAST_TURNS[0] for sign in signs], lanes)
    for roundness in _STEPS:
        yield Course(close(_rounder(bends, roundness), [0.0] * len(bends), full))


def _full_turn(bends: Sequence[Piece]) -> float:
    """Once round, to the side to which the bends turn more."""
    return math.copysign(math.tau, sum(piece.turn * piece.spaces for piece in bends))


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
    full = _full_turn(pieces)
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
    full = _full_turn(pieces)
    bent = sum(piece.spaces for piece in pieces if piece.turn) or 1.0
    own = _own_turn(pieces)
    each = roundness * full / bent
    return [
        replace(piece, turn=((1 - roundness) * own * piece.turn + each) * piece.spaces)
        if piece.turn
        else piece
        for piece in pieces
    ]
