"""Where every space of a board lies on paper, to scale.

A space lies where its level says: along a straight the lanes stand half a space apart as on the
board, and in a bend the inner lane has fewer and longer steps; there they are evened out a little.
Across, lanes are offset from the middle of the course. Anything that draws or animates a circuit
starts from here; how a space looks is `circuit`'s business.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from companion.drawing.course import LANE_WIDTH, Bridge, Course
from companion.drawing.shape import course
from companion.rules.board.track import Track

_PIT_GAP = 0.5
"""Between the outermost lane and the pit lane, in spaces."""
_SMOOTHINGS = 3
_EVENNESS = 0.2


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
        for space in _lanes(track)[number, lane]:
            middle = _along(track, number, start, space)
            reaches[space] = Reach(middle - 0.5, middle + 0.5, lane_offset(track, lane))


def _lay_corner(
    track: Track, number: int, starts: list[float], reaches: list[Reach | None]
) -> None:
    """The spaces of a corner, in each lane from the straight before to the one after."""
    lap, count = starts[-1], len(track.sections)
    for lane in range(len(track.lanes)):
        before = _end_reach(track, (number - 1) % count, lane, reaches, last=True)
        after = _end_reach(track, (number + 1) % count, lane, reaches, last=False)
        start = before.stop if before else starts[number]
        stop = after.start if after else starts[number + 1]
        start -= lap if start > starts[number] + lap / 2 else 0
        stop += lap if stop < starts[number] - lap / 2 else 0
        spaces = _lanes(track)[number, lane]
        centres = [_along(track, number, starts[number], space) for space in spaces]
        edges = _edges(start, stop, centres)
        for space, (begin, end) in zip(spaces, pairwise(edges), strict=True):
            reaches[space] = Reach(begin, end, lane_offset(track, lane))


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
    """The reach of a straight's first or last space in a lane; None for a corner."""
    if track.sections[number].corner >= 0:
        return None
    return reaches[_lanes(track)[number, lane][-1 if last else 0]]


def _lay_pit(track: Track, lap: float, reaches: list[Reach | None]) -> None:
    """The pit lane beside the track from entry to exit, the boxes beyond it."""
    entries = [space for space, to in enumerate(track.entries) if to]
    from_entry = [reach for space in entries if (reach := reaches[space])]
    to_exit = [reach for space in track.exits if (reach := reaches[space])]
    start = max(reach.stop for reach in from_entry)
    stop = min(reach.start for reach in to_exit)
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
