"""Where every space of a board lies on paper, to scale.

A space lies where its level says: along a straight the lanes stand half a space apart as on the
board, and in a bend the inner lane has fewer and longer steps; there they are evened out a little.
Across, lanes are offset from the middle of the course. Anything that draws or animates a circuit
starts from here; how a space looks is `circuit`'s business.

A board is known by its spaces, not by its shape, but its shape can be read off the spaces: in a
bend the cars may change lane only towards its inside, so the lane changes of a corner say which
way it turns where (an S has both), and every middle space of a bend turns about as much. From
this a first loop is drawn, which does not quite meet its own end. It is closed by bending all
bends and stretching all straights as little as possible, and no bend so far that it would turn
the other way. If the loop then runs through itself, the bends against the lap's own direction are
straightened step by step until it does not. Where that does not help the board is a figure of
eight, as Suzuka is. What is none either is made rounder, towards a plain ring; there a bend may
come out straight.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, groupby, pairwise
from typing import NamedTuple

from companion.rules.board.track import Track
from companion.system.frozen import dataclass


class Place(NamedTuple):
    """A space on paper: its middle, the driving direction in radians clockwise from the right,
    and its length. The unit is a space of a straight before stretching."""

    x: float
    y: float
    heading: float
    length: float


class Reach(NamedTuple):
    """A space along the course: from where to where, and how far to the right of its middle."""

    start: float
    stop: float
    offset: float


class Layout(NamedTuple):
    """A board on paper: its course, and the reach of each space in the order of `Track.ids`."""

    course: Course
    reaches: tuple[Reach, ...]

    def place(self, space: int) -> Place:
        """Where a space lies."""
        start, stop, offset = self.reaches[space]
        x, y, heading = self.course.at((start + stop) / 2, offset)
        a, b = self.course.at(start, offset), self.course.at(stop, offset)
        return Place(x, y, heading, ((a.x - b.x) ** 2 + (a.y - b.y) ** 2) ** 0.5)


@lru_cache(maxsize=32)
def layout_of(track: Track) -> Layout:
    """The layout of a board; worked out once for each board."""
    loop = course(track)
    reaches: list[Reach | None] = [None] * len(track.ids)
    starts = _section_starts(track)
    # Straights first: corners are laid into what these leave between them.
    for number, section in enumerate(track.sections):
        if section.corner < 0:
            _lay_straight(track, number, starts[number], reaches)
    for number, section in enumerate(track.sections):
        if section.corner >= 0:
            _lay_corner(track, number, starts, reaches)
    if track.pit:
        _lay_pit(track, starts[-1], reaches)
    laid = [reach for reach in reaches if reach is not None]
    if loop.bridge is not None:
        laid = [_beyond_gap(loop.bridge, reach) for reach in laid]
    return Layout(loop, tuple(laid))


def _beyond_gap(bridge: Bridge, reach: Reach) -> Reach:
    """A reach of the lap on a course that has a gap below its bridge."""
    shift = bridge.shift((reach.start + reach.stop) / 2, reach.offset)
    return Reach(reach.start + shift, reach.stop + shift, reach.offset)


def lane_offset(track: Track, lane: int) -> float:
    """How far to the right of the course's middle a lane runs."""
    return (lane - (len(track.lanes) - 1) / 2) * LANE_WIDTH


def _section_starts(track: Track) -> list[float]:
    """Where each section starts along the course, and last where the lap ends."""
    starts = [0.0]
    for section in track.sections:
        starts.append(starts[-1] + section.spaces[len(track.lanes) // 2])
    return starts


@lru_cache(maxsize=32)
def _lanes(track: Track) -> dict[tuple[int, int], list[int]]:
    """The spaces of each lane of each section, by (section, lane), in driving order."""
    lanes: dict[tuple[int, int], list[int]] = {}
    for space in track.track_spaces():
        lanes.setdefault((track.section[space], track.lane[space]), []).append(space)
    return lanes


def _lay_straight(track: Track, number: int, start: float, reaches: list[Reach | None]) -> None:
    """The spaces of a straight, by their levels against its first middle space."""
    for lane in range(len(track.lanes)):
        for space in _lanes(track).get((number, lane), ()):
            middle = _along(track, number, start, space)
            reaches[space] = Reach(middle - 0.5, middle + 0.5, lane_offset(track, lane))


def _lay_corner(
    track: Track, number: int, starts: list[float], reaches: list[Reach | None]
) -> None:
    """The spaces of a corner, in each lane from the straight before to the one after."""
    lap, count = starts[-1], len(track.sections)
    for lane in (lane for at, lane in _lanes(track) if at == number):
        before = _end_reach(track, (number - 1) % count, lane, reaches, last=True)
        after = _end_reach(track, (number + 1) % count, lane, reaches, last=False)
        start = before.stop if before else starts[number]
        stop = after.start if after else starts[number + 1]
        # The straight before the first section lies at the end of the lap, the one after the last
        # at its start.
        start -= lap if start > starts[number] + lap / 2 else 0
        stop += lap if stop < starts[number] - lap / 2 else 0
        spaces = _lanes(track)[number, lane]
        centres = [_along(track, number, starts[number], space) for space in spaces]
        edges = _edges(start, stop, centres)
        for space, (begin, end) in zip(spaces, pairwise(edges), strict=True):
            reaches[space] = Reach(begin, end, lane_offset(track, lane))


_SMOOTHINGS = 3
_EVENNESS = 0.2


def _edges(start: float, stop: float, centres: list[float]) -> list[float]:
    """The edges of a lane's spaces from `start` to `stop`: near their centres, evened out.

    A centre is known to half a space at best, so spaces would come out long and short by turns.
    """
    edges = [start, *((a + b) / 2 for a, b in pairwise(centres)), stop]
    for _ in range(_SMOOTHINGS):
        inner = zip(edges, edges[1:], edges[2:], strict=False)
        edges = [start, *((a + 2 * b + c) / 4 for a, b, c in inner), stop]
    each = (stop - start) / len(centres)
    return [
        (1 - _EVENNESS) * edge + _EVENNESS * (start + place * each)
        for place, edge in enumerate(edges)
    ]


def _along(track: Track, number: int, start: float, space: int) -> float:
    """Where a space's level puts its middle along the course; `start` is its section's."""
    first = track.level[_lanes(track)[number, len(track.lanes) // 2][0]]
    half_lap = track.lap_levels // 2
    ahead = (track.level[space] - first + half_lap) % track.lap_levels - half_lap
    return start + 0.5 + ahead / 2


def _end_reach(
    track: Track, number: int, lane: int, reaches: list[Reach | None], *, last: bool
) -> Reach | None:
    """The reach of a straight's first or last space in a lane; None for a corner or no space."""
    spaces = _lanes(track).get((number, lane))
    if track.sections[number].corner >= 0 or not spaces:
        return None
    return reaches[spaces[-1 if last else 0]]


_PIT_GAP = 0.5
"""Between the outermost lane and the pit lane, in spaces."""


def _lay_pit(track: Track, lap: float, reaches: list[Reach | None]) -> None:
    """The pit lane beside the track from entry to exit, the boxes beyond it."""
    entries = [space for space, to in enumerate(track.entries) if to]
    from_entry = [reach for space in entries if (reach := reaches[space])]
    to_exit = [reach for space in track.exits if (reach := reaches[space])]
    start = max(reach.stop for reach in from_entry)
    stop = min(reach.start for reach in to_exit)
    # The pit lies beside the finish line, where counting begins anew.
    stop += lap if stop < start else 0
    side = 1 if track.lane[entries[0]] * 2 >= len(track.lanes) else -1
    edge = (len(track.lanes) + 1) / 2 * LANE_WIDTH + _PIT_GAP
    each = (stop - start) / len(track.pit)
    for place, space in enumerate(track.pit):
        at = start + place * each
        reaches[space] = Reach(at, at + each, side * edge)
    for box, lane_space in zip(track.boxes, track.box_lane, strict=True):
        beside = reaches[lane_space]
        if beside:
            reaches[box] = beside._replace(offset=side * (edge + LANE_WIDTH))


# -- the line that the middle follows: a closed loop of straights and bends -----------------------


LANE_WIDTH = 0.8
"""Lengths are in spaces of the middle lane; angles in radians, clockwise positive, as in a picture
whose y grows downwards."""


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
        self._starts = _starts_of(pieces)[:-1]

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
        # A bend with a radius below half the road's width would fold its inner edge over itself.
        if any(abs(piece.turn) * width / 2 > piece.length for piece in self.pieces):
            return False
        count = int(self.spaces)
        points = [None if self._is_under(step) else self.at(step) for step in range(count)]
        # Places that follow each other closely are near on paper too, which is no fault.
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


def _starts_of(pieces: Sequence[Piece]) -> list[Point]:
    """Where each piece starts, and last where the final one ends."""
    starts = [Point(0.0, 0.0, 0.0)]
    for piece in pieces:
        starts.append(piece.end(starts[-1]))
    return starts


# -- its shape, read off the spaces ---------------------------------------------------------------


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
    # If none is clear it is the last one, a plain ring.
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
    yield from _figures_of_eight(bends, [sign * _LEAST_TURNS[0] for sign in signs], lanes)
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
        # Where no lane change tells, the road bends on as before, at first as the file says.
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


# -- a loop closed --------------------------------------------------------------------------------


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
    end = _starts_of(pieces)[-1]
    return -end.x, -end.y, full - end.heading


def is_closed(pieces: Sequence[Piece], full: float) -> bool:
    """Whether the end meets the start."""
    return max(map(abs, _gap(pieces, full))) < _CLOSE


def _bend(pieces: list[Piece], gap: Triple) -> list[Piece]:
    """One step towards closing the gap: the smallest changes whose first order does it."""
    starts = _starts_of(pieces)
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


# -- a figure of eight ----------------------------------------------------------------------------


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


def _figures_of_eight(
    bends: Sequence[Piece], limits: Sequence[float], lanes: int
) -> Iterator[Course]:
    """Loops that cross themselves once, straight over straight; none where that cannot be.

    All turns to the right and all to the left are equal, and so the loop closes with no turn in all
    and one crossing. So that no space is hidden, the road below has none where the other passes
    over it: its straight is longer there by a gap (`Bridge`).
    """
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
    # Which straight lies below, and how long its gap must be, is known once the loop is closed.
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
        below, wanted = crossing.below, _eight_gap(crossing, lanes)
        if abs(wanted - gap) < 0.1:
            return Course(closed, _bridge(closed, crossing, gap))
        gap = wanted
    return None


def _eight_gap(crossing: _Crossing, lanes: int) -> float:
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
    starts = _starts_of(pieces)
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
