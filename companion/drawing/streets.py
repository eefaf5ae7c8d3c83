"""What a street circuit has beyond others, drawn: noise zone, dark spaces, police line, tunnel.

Zones are looks of cells (`street_look`), lines lie over the cells (`street_lines`). Looks are
presentation attributes, and classes for a stylesheet that knows better, as in `circuit`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from companion.drawing.course import LANE_WIDTH, Point
from companion.drawing.layout import Layout, lane_offset
from companion.rules.board.track import Track

_NOISE, _DARK, _POLICE, _TUNNEL = "#d9ccff", "#7b8089", "#2f6fde", "#22262c"

PathOf = Callable[[list[Point]], str]


def street_look(track: Track, space: int) -> tuple[str, str | None]:
    """Classes that a space has from its zones, and its ground; None: as any other space's."""
    classes, fill = "", None
    if space in track.noise:
        classes, fill = " noise", _NOISE
    if space in track.dark:
        classes, fill = f"{classes} dark", _DARK
    return classes, fill


def street_lines(track: Track, layout: Layout, path: PathOf) -> str:
    """The police line in front of the first spaces past it, and the tunnel over its road."""
    police = _across(track, layout, sorted(track.police), path)
    tunnel = _across(track, layout, (end for _, end in track.tunnel), path)
    lines = ""
    if police:
        lines += (
            f'<g class="police" fill="none"><path d="{police}" stroke="#fff" stroke-width="4"/>'
            f'<path d="{police}" stroke="{_POLICE}" stroke-width="4" stroke-dasharray="4 1"/></g>'
        )
    if tunnel:
        lines += (
            f'<g class="tunnel" fill="none"><path d="{tunnel}" stroke="{_TUNNEL}" '
            f'stroke-width="5"/></g>'
        )
    return lines


def _across(track: Track, layout: Layout, spaces: Iterable[int], path: PathOf) -> str:
    """Path data of a line across the lane of each space, where the space begins."""
    lines = []
    for space in spaces:
        at, offset = layout.reaches[space].start, lane_offset(track, track.lane[space])
        ends = (offset - LANE_WIDTH / 2, offset + LANE_WIDTH / 2)
        lines.append(path([layout.course.at(at, end) for end in ends]))
    return "".join(lines)
