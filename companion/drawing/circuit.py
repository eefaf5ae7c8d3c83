"""A circuit as an SVG picture: every space a cell that a page can find by the space's id.

The picture is static and brings neither script nor style, which the page's content policy
forbids: looks are presentation attributes, and classes for a stylesheet that knows better.
What a page may rely on:

    <path id="T1.l3" data-space="T1.l3" data-x data-y data-heading class="space …">
        each space, with its middle in the picture's units and the driving direction in degrees;
        classes: `straight` or `corner` (with `data-corner`, from 1), `grid` (with
        `data-grid`, the pole is 1), `pit`, `box`, `noise`, `dark`
    <g class="marks"></g>
        an empty group on top of all cells, for cars and debris

A unit of the picture is a tenth of a space.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from html import escape
from typing import Any, NamedTuple

from companion.drawing.layout import LANE_WIDTH, Layout, Place, Point, Reach, lane_offset, layout_of
from companion.rules.board.track import Track

UNIT = 10
_MARGIN = 0.5
_ROOM = 1.7
"""Around the middle of every space: half of its lane, and an arrow beside the track."""
_CELL_GAP = 0.05
"""Left free on every side of a cell, so that cells can be distinguished."""
_LONG = 4.0
"""What is longer, in spaces, may turn to both sides."""

_ROAD, _CELL, _PIT_CELL, _INK = "#3b4048", "#f4f2ec", "#dfe6ea", "#22262c"
_TINTS = {1: "#ffe08a", 2: "#ffb36b", 3: "#ff8a75"}
"""The ground of a corner by its stops: the more, the hotter."""


def draw_circuit(track: Track) -> str:
    """The circuit as one SVG element, to be written into a page or a file as it is."""
    layout = layout_of(track)
    names = plates(track, layout)
    parts = [
        f'<g class="road" fill="none" stroke="{_ROAD}" stroke-linejoin="round">'
        + _road(track, layout)
        + "</g>",
        f'<g class="spaces" stroke="none">{"".join(_cells(track, layout))}</g>',
        _finish(track, layout),
        _street_lines(track, layout),
        f'<g class="arrows" fill="none" stroke="{_ROAD}">{_arrows(track, layout)}</g>',
        f'<g class="grid-numbers" fill="{_INK}" font-family="sans-serif" font-size="6" '
        f'text-anchor="middle">{_grid_numbers(track, layout)}</g>',
        f'<g class="names" fill="{_INK}" font-family="sans-serif" font-size="14">'
        f"{_corner_names(track, names)}</g>",
        # Last, as SVG paints in order: cars lie on top of everything.
        '<g class="marks"></g>',
    ]
    left, top, width, height = _frame(layout, names)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="circuit" role="img" '
        f'viewBox="{left:.0f} {top:.0f} {width:.0f} {height:.0f}">'
        f"<title>{escape(track.name)}</title>{''.join(parts)}</svg>"
    )


def draw_stretch(track: Track, shown: Mapping[str, Any]) -> str:
    """A stretch of a circuit with a position of the book of the table on it (`drawn.json`): cars,
    debris, where the car on turn may end and what that costs, and where it may not.

    It is a picture of its own, so nothing in it needs a style sheet or another language.
    """
    layout, index = layout_of(track), track.index
    at = {space: layout.place(number) for space, number in index.items()}
    cars = {seat: space for seat, space, _ in shown["cars"]}
    ends, nowhere = shown.get("ends", ()), shown.get("not", ())
    about = [cars[seat] for seat in shown.get("about") or shown.get("rolls") or [shown["mover"]]]
    frame = _around([at[space] for space in (*about, *(space for space, _ in ends), *nowhere)])
    near = [space for space, place in at.items() if frame.is_over(place.x, place.y, _ROOM)]
    signs = [_sign(at[space], _END_SIGNS.get(now, f"−{now}"), now) for space, now in ends]
    signs += [_sign(at[space], "", "not") for space in nowhere]
    signs += [_sign(at[space], "✶", "debris") for space in shown.get("debris", ())]
    signs += [_car(at[space], seat, shown) for seat, space in cars.items() if space in near]
    box = " ".join(f"{length * UNIT:.0f}" for length in frame)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" font-weight="bold" '
        f'text-anchor="middle" viewBox="{box}">'
        f'<g fill="none" stroke="{_ROAD}" stroke-linejoin="round">{_road(track, layout)}</g>'
        f"{''.join(_cell(track, layout, index[space]) for space in near)}{_finish(track, layout)}"
        f"{''.join(signs)}</svg>"
    )


def _around(places: Sequence[Place]) -> Plate:
    """What a drawing of these places shows."""
    left, top = min(place.x for place in places), min(place.y for place in places)
    right, low = max(place.x for place in places), max(place.y for place in places)
    return Plate(left, top, right - left, low - top).grown(_AROUND)


_AROUND = 3.5
"""Spaces on each side of what a stretch is about."""
_END_SIGNS = {0: "✓", "spin": "↻", "out": "×"}
_SIGN_INKS = {0: "#12703a", "spin": "#b3261e", "out": "#b3261e", "debris": "#6b3f00"}
_CARS = ("#c4161c", "#1c5fb8", "#d9a400", "#1d7a3c", "#30343a")


def _sign(place: Place, text: str, now: object) -> str:
    """What stands on a space: what an end there costs, a cross where there is none."""
    x, y = place.x * UNIT, place.y * UNIT
    if now == "not":
        return (f'<path d="M{x - 3:.1f} {y - 3:.1f}l6 6m0-6l-6 6" stroke="#b3261e" '
                'stroke-width="1.4" fill="none"/>')  # fmt: skip
    ink = _SIGN_INKS.get(now, "#8a5200")
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.2" fill="#fff" stroke="{ink}"/><text x="{x:.1f}" '
        f'y="{y + 2.2:.1f}" font-size="5.4" fill="{ink}">{text}</text>'
    )


def _car(place: Place, seat: int, shown: Mapping[str, Any]) -> str:
    """A car by its number, with a ring where it rolls, and its turn in a new order beside it."""
    x, y = place.x * UNIT, place.y * UNIT
    ink = _CARS[(seat - 1) % len(_CARS)]
    more = ""
    if seat in shown.get("rolls", ()):
        more = (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6.6" fill="none" stroke="{_INK}" '
                'stroke-width="1.6"/>')  # fmt: skip
    if order := shown.get("order"):
        more = (f'<text x="{x:.1f}" y="{y - 5.4:.1f}" font-size="6.5" fill="{_INK}">'
                f"{order.index(seat) + 1}.</text>")  # fmt: skip
    turned = f"rotate({math.degrees(place.heading):.0f})"
    return (
        f'<path transform="translate({x:.1f} {y:.1f}) {turned}" d="M-4.6-3H2.4L4.8 0 2.4 3H-4.6Z" '
        f'fill="{ink}" stroke="#fff" stroke-width=".6"/><text x="{x:.1f}" y="{y + 2:.1f}" '
        f'font-size="5.4" fill="#fff">{seat}</text>{more}'
    )


def _frame(layout: Layout, names: list[Plate]) -> tuple[float, float, float, float]:
    """Left, top, width and height of the picture, names included."""
    places = [layout.place(space) for space in range(len(layout.reaches))]
    left = min([place.x - _ROOM for place in places] + [plate.left for plate in names])
    top = min([place.y - _ROOM for place in places] + [plate.top for plate in names])
    right = max([place.x + _ROOM for place in places] + [p.left + p.width for p in names])
    bottom = max([place.y + _ROOM for place in places] + [p.top + p.height for p in names])
    return (
        (left - _MARGIN) * UNIT,
        (top - _MARGIN) * UNIT,
        (right - left + 2 * _MARGIN) * UNIT,
        (bottom - top + 2 * _MARGIN) * UNIT,
    )


def _road(track: Track, layout: Layout) -> str:
    """The asphalt under the cells, and under the pit lane."""
    width = (len(track.lanes) * LANE_WIDTH + 0.3) * UNIT
    loop = _line(layout, 0.0, layout.course.spaces, 0.0)
    road = f'<path d="{_path(loop)}Z" stroke-width="{width:.1f}"/>' + _bridge(layout, width)
    if not track.pit:
        return road
    first, last = layout.reaches[track.pit[0]], layout.reaches[track.pit[-1]]
    edge = math.copysign(len(track.lanes) / 2 * LANE_WIDTH, first.offset)
    lane = [
        # From the edge of the road and back to it, so that the lane joins it at both ends.
        layout.course.at(first.start - 1, edge),
        *_line(layout, first.start, last.stop, first.offset),
        layout.course.at(last.stop + 1, edge),
    ]
    return (
        f'{road}<path d="{_path(lane)}" stroke-width="{(LANE_WIDTH + 0.2) * UNIT:.1f}"/>'
        + _yard(track, layout)
    )


def _bridge(layout: Layout, width: float) -> str:
    """The road above, where a figure of eight passes over itself, set off from the one below."""
    bridge = layout.course.bridge
    if bridge is None:
        return ""
    over = _path(_line(layout, *bridge.over, 0.0))
    return (
        f'<path class="bridge" d="{over}" stroke="{_CELL}" stroke-width="{width + 4:.1f}"/>'
        f'<path d="{over}" stroke-width="{width:.1f}"/>'
    )


def _yard(track: Track, layout: Layout) -> str:
    """The ground under the boxes."""
    if not track.boxes:
        return ""
    boxes = [layout.reaches[box] for box in track.boxes]
    start, stop = min(box.start for box in boxes), max(box.stop for box in boxes)
    ground = _line(layout, start - 0.1, stop + 0.1, boxes[0].offset)
    return f'<path d="{_path(ground)}" stroke-width="{(LANE_WIDTH + 0.2) * UNIT:.1f}"/>'


def _cells(track: Track, layout: Layout) -> list[str]:
    return [_cell(track, layout, space) for space in range(len(track.ids))]


def _cell(track: Track, layout: Layout, space: int) -> str:
    """One space: a stretch of its lane, with what a page wants to know of it."""
    name = escape(track.ids[space], quote=True)
    place = layout.place(space)
    classes, fill, more = _look(track, space)
    return (
        f'<path id="{name}" data-space="{name}" class="{classes}"{more} fill="{fill}" '
        f'data-x="{place.x * UNIT:.1f}" data-y="{place.y * UNIT:.1f}" '
        f'data-heading="{math.degrees(place.heading) % 360:.0f}" '
        f'd="{_outline(layout, layout.reaches[space])}"/>'
    )


def _look(track: Track, space: int) -> tuple[str, str, str]:
    """Classes, colour and further attributes of a space."""
    if track.lane[space] < 0:
        is_box = space in track.boxes
        return ("space box" if is_box else "space pit"), _PIT_CELL, ""
    corner = track.corner[space]
    classes, fill, more = "space straight", _CELL, ""
    if corner >= 0:
        tint = _TINTS[min(track.corners[corner].stops, max(_TINTS))]
        classes, fill, more = "space corner", tint, f' data-corner="{corner + 1}"'
    if space in track.grid:
        classes += " grid"
        more += f' data-grid="{track.grid.index(space) + 1}"'
    zones, ground = _street_look(track, space)
    return classes + zones, ground or fill, more


def _outline(layout: Layout, reach: Reach) -> str:
    """The closed outline of a cell, bent with the course."""
    half = LANE_WIDTH / 2 - _CELL_GAP
    start, stop = reach.start + _CELL_GAP, reach.stop - _CELL_GAP
    left = _line(layout, start, stop, reach.offset - half)
    right = _line(layout, start, stop, reach.offset + half)
    return _path([*left, *reversed(right)]) + "Z"


_STEP = 0.5
"""Edges along a bend are drawn in steps so long."""
_STRAIGHT = 0.01
"""Below so much turn, in radians, an edge is drawn in one."""


def _line(layout: Layout, start: float, stop: float, offset: float) -> list[Point]:
    """Points along the course, both ends included."""
    is_bent = stop - start > _LONG or abs(layout.course.turn(start, stop)) > _STRAIGHT
    steps = max(math.ceil((stop - start) / _STEP), 1) if is_bent else 1
    at = layout.course.at
    return [at(start + (stop - start) * step / steps, offset) for step in range(steps + 1)]


_IN_LINE = 1e-9
"""Below so much area between it and its neighbors a point lies on the way from one to the other."""


def _path(points: list[Point]) -> str:
    """Path data through the points; a page loads it, so what it can do without is left out."""
    bends = (
        here
        for before, here, after in zip(points, points[1:], points[2:], strict=False)
        if abs((here.x - before.x) * (after.y - here.y) - (here.y - before.y) * (after.x - here.x))
        > _IN_LINE
    )
    drawn = (value for point in (points[0], *bends, points[-1]) for value in (point.x, point.y))
    return "M" + " ".join(f"{value * UNIT:.1f}".removesuffix(".0") for value in drawn)


def _finish(track: Track, layout: Layout) -> str:
    """The line, lane by lane in front of the first space past it."""
    lines = []
    for lane, space in enumerate(track.finish):
        at, offset = layout.reaches[space].start, lane_offset(track, lane)
        half = LANE_WIDTH / 2
        ends = [layout.course.at(at, offset - half), layout.course.at(at, offset + half)]
        lines.append(_path(ends))
    return (
        f'<g class="finish" fill="none"><path d="{"".join(lines)}" stroke="#fff" '
        f'stroke-width="4"/><path d="{"".join(lines)}" stroke="{_INK}" stroke-width="4" '
        f'stroke-dasharray="2 2"/></g>'
    )


def _arrows(track: Track, layout: Layout) -> str:
    """The driving direction, beside the middle of the longest straights."""
    shown = []
    side = (len(track.lanes) / 2) * LANE_WIDTH + 1
    if track.pit and layout.reaches[track.pit[0]].offset > 0:
        side = -side
    for number, section in enumerate(track.sections):
        if section.corner >= 0 or max(section.spaces) < 7:
            continue
        spaces = [s for s in track.track_spaces() if track.section[s] == number]
        middle = layout.reaches[spaces[len(spaces) // 2]].start
        at = layout.course.at
        tip = at(middle + 0.5, side)
        shown.append(_path([at(middle - 0.6, side - 0.6), tip, at(middle - 0.6, side + 0.6)]))
    return f'<path d="{"".join(shown)}" stroke-width="3"/>' if shown else ""


def _corner_names(track: Track, names: list[Plate]) -> str:
    """Name and stops of each corner; a dot for each stop."""
    return "".join(
        f'<text class="corner-name" data-corner="{number}" text-anchor="middle" '
        f'x="{(plate.left + plate.width / 2) * UNIT:.1f}" '
        f'y="{(plate.top + plate.height * 0.75) * UNIT:.1f}">{escape(corner.name)} '
        f'<tspan class="stops" font-weight="bold">{"●" * corner.stops}</tspan></text>'
        for number, (corner, plate) in enumerate(zip(track.corners, names, strict=True), 1)
    )


def _grid_numbers(track: Track, layout: Layout) -> str:
    """The places of the grid, pole first."""
    return "".join(
        f'<text x="{place.x * UNIT:.1f}" y="{place.y * UNIT + 2:.1f}">{number}</text>'
        for number, place in enumerate(map(layout.place, track.grid), 1)
    )


# -- the names of the corners ---------------------------------------------------------------------


LETTER_WIDTH, LETTER_HEIGHT = 0.78, 1.5
"""A letter of a name, in spaces: generous, as no font is promised."""
_GAPS = (0.7, 1.7, 3.0, 4.5)
_ALONG = (0.5, 0.25, 0.75, 0.0, 1.0)
_CLEARANCE = 2.0
"""A name nearer than so many spaces to another corner could be taken for that one's."""


def plates(track: Track, layout: Layout) -> list[Plate]:
    """A box for the name and the stops of each corner, so that it hides neither board nor names.

    A name has a few places to choose from, the outer side of its corner first; it takes the first
    where nothing is in its way, or else the one with the least.
    """
    cells = [layout.place(space) for space in range(len(track.ids))]
    placed: list[Plate] = []
    for number in range(len(track.corners)):
        strange = [cells[s] for s in track.track_spaces() if track.corner[s] not in (-1, number)]
        choices = list(_choices(track, layout, number))
        placed.append(
            min(choices, key=partial(_trouble, cells=cells, strange=strange, placed=placed))
        )
    return placed


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


# -- what a street circuit has beyond others ------------------------------------------------------


_NOISE, _DARK, _POLICE, _TUNNEL = "#d9ccff", "#7b8089", "#2f6fde", "#22262c"


def _street_look(track: Track, space: int) -> tuple[str, str | None]:
    """Classes that a space has from its zones, and its ground; None: as any other space's."""
    classes, fill = "", None
    if space in track.noise:
        classes, fill = " noise", _NOISE
    if space in track.dark:
        classes, fill = f"{classes} dark", _DARK
    return classes, fill


def _street_lines(track: Track, layout: Layout) -> str:
    """The police line in front of the first spaces past it, and the tunnel over its road."""
    police = _across(track, layout, sorted(track.police))
    tunnel = _across(track, layout, (end for _, end in track.tunnel))
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


def _across(track: Track, layout: Layout, spaces: Iterable[int]) -> str:
    """Path data of a line across the lane of each space, where the space begins."""
    lines = []
    for space in spaces:
        at, offset = layout.reaches[space].start, lane_offset(track, track.lane[space])
        ends = (offset - LANE_WIDTH / 2, offset + LANE_WIDTH / 2)
        lines.append(_path([layout.course.at(at, end) for end in ends]))
    return "".join(lines)
