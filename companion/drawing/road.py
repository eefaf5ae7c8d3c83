"""The road before a car, straightened: driving is up, lanes stand side by side.

A phone shows it as tall as it needs, so that every space can be touched. Along the way a space is
as long as on the circuit (`layout`), so what is level there is level here; bends are told by
words and tints, not bent, or a hairpin would turn the driving direction around under the finger.

Numbers are whole, a space of a straight is `UNIT` long and a lane `UNIT` wide; y grows downwards,
against the driving direction.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.drawing.layout import LANE_WIDTH, Layout, layout_of
from companion.rules.board.track import IN_PIT, Track
from companion.views.screen import End, Road

UNIT = 100
BEHIND, BEYOND = 1.6, 2.6
"""Spaces in sight behind the car and beyond the farthest end."""
LEAST = 7.0
"""Spaces in sight at least."""
EDGE = 8
"""Left free at either side."""
_GAP = 4


class Window(NamedTuple):
    """A stretch of the course: where it starts along the lap, and its `length` in spaces."""

    track: Track
    layout: Layout
    start: float
    length: float
    left: float

    def along(self, space: int) -> tuple[float, float] | None:
        """From where to where a space lies in the window; None: outside of it."""
        start, stop, _ = self.layout.reaches[space]
        lap = self.layout.course.spaces
        low = (start - self.start) % lap
        # A space that begins before the window and reaches into it would else be counted from the
        # far end of the lap.
        low = low - lap if low > self.length and low + (stop - start) > lap else low
        return (low, low + stop - start) if low < self.length else None

    def across(self, space: int) -> float:
        """The left edge of a space, in lanes from the left edge of the window."""
        return self.layout.reaches[space].offset / LANE_WIDTH - 0.5 - self.left


def draw_road(road: Road) -> dict[str, object]:
    """The road as whole numbers for a page to draw: cells, corners, cars, debris, ends."""
    window = _window(road)
    cells = [(space, box) for space in _in_sight(window, road) if (box := _box(window, space))]
    boxes = dict(cells)
    width = max((x + w for x, _, w, _ in boxes.values()), default=UNIT) + EDGE
    return {
        "seat": road.seat,
        "asked": road.asked,
        "rolled": road.rolled,
        "width": width,
        "height": round(window.length * UNIT),
        "cells": [[road.track.ids[s], *box, _kind(road.track, s)] for s, box in cells],
        "corners": list(_corners(window, road, boxes)),
        "line": _line(window),
        "car": _middle(boxes, road.at),
        "cars": [{"seat": s, **at} for s, on in road.cars.items() if (at := _middle(boxes, on))],
        "debris": [at for space in road.debris if (at := _middle(boxes, space))],
        "ends": [_end(road, end, at) for end in road.ends if (at := _middle(boxes, end.to))],
        "ghost": None if road.ghost is None else _middle(boxes, road.ghost),
    }


def _window(road: Road) -> Window:
    """From a little behind the car to a little beyond the farthest end or ghost."""
    layout = layout_of(road.track)
    lap, here = layout.course.spaces, layout.reaches[road.at].start
    seen = [end.to for end in road.ends] + ([] if road.ghost is None else [road.ghost])
    away = [(layout.reaches[space].stop - here) % lap for space in seen]
    # More than half a lap ahead is behind: somebody may say that the car stands further back.
    back = max((lap - far for far in away if far > lap / 2), default=0.0)
    far = max((far for far in away if far <= lap / 2), default=0.0)
    length = max(back + BEHIND + far + BEYOND, LEAST)
    pit = any(road.track.straight[space] == IN_PIT for space in (*seen, road.at))
    left = -len(road.track.lanes) / 2
    offsets = [
        layout.reaches[space].offset / LANE_WIDTH - 0.5
        for space in (*road.track.pit, *road.track.boxes)
    ]
    return Window(road.track, layout, (here - back - BEHIND) % lap, length,
                  min([left, *offsets]) if pit else left)  # fmt: skip


def _in_sight(window: Window, road: Road) -> Iterator[int]:
    """The spaces of the window; of the pit only where the road leads there."""
    seen = {road.at, road.ghost, *(end.to for end in road.ends)}
    pit = any(s is not None and road.track.straight[s] == IN_PIT for s in seen)
    for space in range(len(road.track.ids)):
        if pit or road.track.straight[space] != IN_PIT:
            yield space


def _box(window: Window, space: int) -> tuple[int, int, int, int] | None:
    """Left, top, width and height of a space."""
    along = window.along(space)
    if along is None:
        return None
    low, high = max(along[0], 0.0), min(along[1], window.length)
    top, bottom = (window.length - high) * UNIT, (window.length - low) * UNIT
    x = round(window.across(space) * UNIT) + EDGE
    half = _GAP // 2
    return x + half, round(top) + half, UNIT - _GAP, max(round(bottom - top) - _GAP, 1)


def _kind(track: Track, space: int) -> str:
    """How a space looks: `s`traight, `p`it, or the stops of its corner."""
    if track.straight[space] == IN_PIT:
        return "p"
    return "s" if track.corner[space] < 0 else str(track.corners[track.corner[space]].stops)


def _corners(
    window: Window, road: Road, boxes: dict[int, tuple[int, int, int, int]]
) -> Iterator[dict[str, object]]:
    """The corners in sight: name, stops, the way it turns, where it begins and how far it goes."""
    track = road.track
    for number, corner in enumerate(track.corners):
        its = [box for space, box in boxes.items() if track.corner[space] == number]
        if its:
            top, bottom = min(y for _, y, _, _ in its), max(y + h for _, y, _, h in its)
            yield {
                "name": road.corners[number], "stops": corner.stops, "turns": corner.turns,
                "y": top, "height": bottom - top,
            }  # fmt: skip


def _line(window: Window) -> int | None:
    """Where the finish line is; None: not in sight."""
    along = window.along(window.track.finish[len(window.track.lanes) // 2])
    if along is None or along[0] < 0:
        return None
    return round((window.length - along[0]) * UNIT)


def _middle(boxes: dict[int, tuple[int, int, int, int]], space: int) -> dict[str, int] | None:
    if space not in boxes:
        return None
    x, y, width, height = boxes[space]
    return {"x": x + width // 2, "y": y + height // 2}


def _end(road: Road, end: End, at: dict[str, int]) -> dict[str, object]:
    return {
        "to": road.track.ids[end.to],
        "brakes": end.brakes,
        "button": end.button,
        "cost": dict(end.cost),
        "mark": end.price,
        **at,
        "name": end.name,
        "says": end.says,
        "short": end.short,
        "dear": end.dear,
        "roll": end.roll,
    }
