"""A seat's screen: from what stands on it, in words, to its 1024 bytes; and a phone's road.

The screen is read across a table and written over a slow bus, so nothing moves that need not:
the title is always at the top, the keys always at the foot. A driver's screen, which shows wear
and a gear or keys, has a form of its own. Of all others, from the top (rows of dots):

    0–11   title, lit when it blinks        12      rule
    14–37  lines or a big figure            38–63   keys

With one line or none the keys grow upwards; without keys the middle grows down to the foot.
A QR code has the right half to itself, from top to bottom.

The road is what lies before a car, straightened: driving is up, lanes stand side by side. A phone
shows it as tall as it needs, so that every space can be touched. Along the way a space is as long
as on the circuit (`layout`), so what is level there is level here; bends are told by words and
tints, not bent, or a hairpin would turn the driving direction around under the finger. Its numbers
are whole, a space of a straight is `UNIT` long and a lane `UNIT` wide; y grows downwards, against
the driving direction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.drawing.bitmap import (
    HEIGHT,
    QR_LINE_COLUMNS,
    WIDTH,
    Canvas,
    Stamp,
    columns,
    fit,
    font,
    stamp_of,
    wrap,
)
from companion.drawing.keys import (
    KEY_WIDTH,
    LEFT_EDGES,
    LOW,
    ROOMY,
    TALL,
    Rows,
    draw_cells,
    draw_gate,
    draw_keys,
)
from companion.drawing.layout import LANE_WIDTH, Layout, layout_of
from companion.rules.board.track import IN_PIT, Track
from companion.views.model import Key, Pip, SeatView
from companion.views.screen import End, Road
from companion.views.words import KEY_COLUMNS, LANGUAGES, Words, phrase, words

# -- the screen of a seat --------------------------------------------------------------------------


TITLE_HEIGHT = 12
MIDDLE = 14
WEAR_TOP = 13
UNDER_WEAR = 39
_LARGE, _TEXT, _SMALL = "8x16", "6x12", "5x8"
_FIGURE_GAP = 4
_FIGURES = (
    ("16x32", 2, _TEXT),
    ("16x32", 1, _TEXT),
    ("12x24", 1, _TEXT),
    ("16x32", 1, _SMALL),
    ("12x24", 1, _SMALL),
    ("8x16", 1, _SMALL),
)
"""A figure's letters, its scale, and the letters of the lines beside it, best first."""


def draw_seat(view: SeatView) -> bytes:
    """The screen as bytes in the SSD1306's page order.

    Texts too wide are written smaller, then cut with an ellipsis. A line too many for the room
    is left out.
    """
    canvas = Canvas()
    if view.qr:
        _draw_beside(canvas, view)
    elif view.pips and (view.big or any(view.keys)):
        _draw_dashboard(canvas, view)
    else:
        _draw_page(canvas, view)
    return canvas.to_bytes()


def _draw_page(canvas: Canvas, view: SeatView) -> None:
    """A page of its own form: the title over its rule, and all the room that is left."""
    room = WIDTH - _draw_clock(canvas, view.clock, WIDTH - 1)
    _draw_title(canvas, view.title, room, lit=view.blink)
    top, bottom = MIDDLE, HEIGHT
    if any(view.keys):
        rows = _rows_of_keys(view)
        draw_keys(canvas, view.keys, rows)
        bottom = rows.upper
    if view.pips:
        top = UNDER_WEAR if view.lines else HEIGHT
        _draw_wear(canvas, view.pips, WEAR_TOP, top - WEAR_TOP)
    _draw_middle(canvas, view, top, bottom)


def _rows_of_keys(view: SeatView) -> Rows:
    """The tallest keys that leave room for what stands above them."""
    if view.big or len(view.lines) > 1:
        return LOW
    return TALL if view.lines else ROOMY


def _draw_title(canvas: Canvas, title: str, width: int, *, lit: bool) -> None:
    """The title over its rule, in so many columns; lit, all inverted."""
    letters = font(_TEXT)
    room = width - 2
    if columns(title) > room // letters.width:
        letters = font(_SMALL)
    letters.draw(canvas, 1, TITLE_HEIGHT - 2 - letters.bottom, fit(title, room // letters.width))
    if lit:
        canvas.invert(0, 0, WIDTH, TITLE_HEIGHT)
    canvas.hline(0, TITLE_HEIGHT, WIDTH)


def _draw_middle(canvas: Canvas, view: SeatView, top: int, bottom: int) -> None:
    """The figure at the right, the lines at its left."""
    right = WIDTH
    if view.big:
        shape = _figure(view, bottom - top)
        left = WIDTH - 1 - len(shape) if view.lines else (WIDTH - len(shape)) // 2
        tall = max(shape).bit_length()
        canvas.blit(shape, left, top + (bottom - top - tall) // 2)
        right = left - _FIGURE_GAP
    _draw_lines(canvas, view.lines, (top, bottom), right)


def _figure(view: SeatView, room: int) -> list[int]:
    """The largest figure that leaves the lines whole; the ordinary one if none does."""
    widest = max(map(columns, view.lines), default=0)
    for size, scale, text in _FIGURES:
        letters = font(size)
        wide = letters.width * scale * columns(view.big) + _FIGURE_GAP + 2
        if (letters.bottom - letters.top) * scale <= room and (
            wide + widest * font(text).width <= WIDTH
        ):
            return letters.figure(view.big, scale)
    return font(_FIGURES[1][0]).figure(view.big, 1)


def _draw_lines(canvas: Canvas, lines: Sequence[str], rows: tuple[int, int], right: int) -> None:
    """The lines from the left edge up to the column `right`, as large as they fit."""
    top, bottom = rows
    letters = font(_line_size(lines, bottom - top, right - 1))
    pitch = max(letters.height, min(12, (bottom - top) // max(len(lines), 1)))
    for number, line in enumerate(lines):
        y = top + number * pitch
        if y + letters.height <= bottom:
            letters.draw(canvas, 1, y, fit(line, (right - 1) // letters.width))


def _line_size(lines: Sequence[str], tall: int, wide: int) -> str:
    """The largest letters in which every line has its place; the small ones where none do."""
    longest = max(map(columns, lines), default=0)
    for size in (_LARGE, _TEXT):
        letters = font(size)
        if letters.height * len(lines) <= tall and letters.width * longest <= wide:
            return size
    return _SMALL


# -- the screen of a driver -----------------------------------------------------------------------


DASHBOARD_TITLE_HEIGHT = 10
_UNDER_TITLE = 9
_WEAR = 16
_CORNER_FIGURES = ("12x24", "8x16", "6x12")
_FIGURE_ROOM = 26
_CORNER_GAP = 3
_DIGITS = 2
_LINES = (32, 40, 48, 56)
"""Further lines, each in a row of the screen's memory."""


def _draw_dashboard(canvas: Canvas, view: SeatView) -> None:
    """Draw a view with wear, in the same form on all pages of a turn and while waiting.

    Everything is aligned with the rows of eight dots that the screen's memory is made of, so that a
    change costs few bytes on the bus. From the top:

        0–9    title, lit when it blinks         at the right, 0–15: the gear
        9–15   the first line, in small letters
        16–31  wear
        32–63  the gear gate: keys, or the other lines
    """
    room = WIDTH - _draw_figure(canvas, view.big)
    of_title = room - _draw_clock(canvas, view.clock, room)
    _draw_low_title(canvas, view.title, of_title, lit=view.blink)
    if view.lines:
        small = font(_SMALL)
        small.draw(canvas, 1, _UNDER_TITLE, fit(view.lines[0], (room - 1) // small.width))
    _draw_strip(canvas, view.pips, _WEAR)
    if any(view.keys):
        draw_gate(canvas)
        draw_cells(canvas, view.keys)
    else:
        _draw_foot(canvas, view.lines[1:])


def _draw_figure(canvas: Canvas, figure: str) -> int:
    """The figure in the upper right corner; the columns that it takes."""
    if not figure:
        return 0
    name = next(
        (name for name in _CORNER_FIGURES if _width(name, figure) <= _FIGURE_ROOM),
        _CORNER_FIGURES[-1],
    )
    letters = font(name)
    letters.draw(canvas, WIDTH - _width(name, figure), -letters.top, figure)
    return _width(name, figure) + _CORNER_GAP


def _draw_clock(canvas: Canvas, clock: str, right: int) -> int:
    """What is left of a turn, before the column `right`; the columns that it takes, always those
    of two digits at least, so that the title stays where it is."""
    if not clock:
        return 0
    letters = font(_SMALL)
    letters.draw(canvas, right - letters.width * len(clock), 1, clock)
    return letters.width * max(_DIGITS, len(clock)) + _CORNER_GAP


def _width(name: str, text: str) -> int:
    return font(name).width * columns(text)


def _draw_low_title(canvas: Canvas, title: str, room: int, *, lit: bool) -> None:
    """The title with its capitals in the topmost row of the memory, accents allowing."""
    letters = font(_TEXT)
    if columns(title) > (room - 1) // letters.width:
        letters = font(_SMALL)
    title = fit(title, (room - 1) // letters.width)
    letters.draw_low(canvas, 1, letters.rise(title) - letters.top, title)
    if lit:
        canvas.invert(0, 0, room, DASHBOARD_TITLE_HEIGHT)


def _draw_foot(canvas: Canvas, lines: Sequence[str]) -> None:
    letters = font(_SMALL)
    for line, top in zip(lines, _LINES, strict=False):
        letters.draw(canvas, 1, top, fit(line, (WIDTH - 1) // letters.width))


# -- wear as pips ---------------------------------------------------------------------------------


# Six categories have six places, three above and three below, so each is found by its place. A
# spent point leaves a low mark; a category with nothing left has its name lit, to be seen across
# the table. Alone on the screen wear is drawn large; on a driver's screen it is a strip of two rows
# of the screen's memory, so that a point lost is a few bytes sent.

STRIP_ROW = 8
_STRIP_EDGES = (0, 47, 88)
_STRIP_ENDS = (46, 87, 128)
"""Tires are most, and in the first place: they have the widest column."""
_STRIP_NAME = 28
"""The name, and a gap that keeps it apart from its blocks."""
_STRIP_PITCHES = (4, 3)
_COUNTABLE = 8
"""Up to so many blocks are counted at a glance; beyond, a figure tells."""
_TALL_CELL = 20
_WIDEST_PITCH = 6


def _draw_wear(canvas: Canvas, pips: Sequence[Pip], top: int, height: int) -> None:
    """Draw up to six categories in two rows, in `height` rows of dots from `top` on.

    One pool has all the width.
    """
    cell, width = height // 2, WIDTH if len(pips) == 1 else KEY_WIDTH
    for number, pip in enumerate(pips[:6]):
        x, y = LEFT_EDGES[number % 3], top + number // 3 * cell
        _draw_category(canvas, pip, x, y, cell, width)


def _draw_strip(canvas: Canvas, pips: Sequence[Pip], top: int) -> None:
    """Draw up to six categories in two rows of eight dots, each name before its blocks."""
    canvas.stamp(_strip(tuple(pips[:6])), 0, top)


@lru_cache(maxsize=128)
def _strip(pips: tuple[Pip, ...]) -> Stamp:
    """The strip of this wear; kept, as most presses wear one car or none."""
    canvas = Canvas()
    if len(pips) == 1:
        _draw_pool(canvas, pips[0])
        return Stamp(canvas.dots, WIDTH)
    for number, pip in enumerate(pips):
        place = number % 3
        room = _STRIP_ENDS[place] - _STRIP_EDGES[place]
        _draw_in_strip(canvas, pip, _STRIP_EDGES[place], number // 3 * STRIP_ROW, room)
    return Stamp(canvas.dots, WIDTH)


def _draw_pool(canvas: Canvas, pip: Pip) -> None:
    """The one pool has the strip to itself: how many points in a row, a block for each below."""
    letters = font("5x8")
    letters.draw(canvas, 1, 0, f"{pip.left} {pip.word or pip.name}")
    _draw_blocks(canvas, pip, 1, STRIP_ROW + letters.top, letters.bottom - letters.top, WIDTH)


def _draw_in_strip(canvas: Canvas, pip: Pip, x: int, y: int, room: int) -> None:
    """One category in a row of the strip; more points than can be counted are a figure."""
    letters = font("5x8")
    name = fit(pip.short or pip.name, (_STRIP_NAME - 3) // letters.width)
    letters.draw(canvas, x + 1, y, name)
    if pip.left <= 0:
        canvas.invert(x, y, letters.width * columns(name) + 1, STRIP_ROW - 1)
    x, y, room = x + _STRIP_NAME, y + letters.top, room - _STRIP_NAME + 1  # a gap less than blocks
    pitch = next((wide for wide in _STRIP_PITCHES if wide * pip.full <= room), 0)
    if not pitch:
        letters.draw(canvas, x + 1, y - letters.top, str(pip.left))
        return
    rows = letters.bottom - letters.top
    for point in range(max(pip.full, 0)):
        tall = rows if point < pip.left else 1
        canvas.rect(x + point * pitch, y + rows - tall, pitch - 1, tall)


def _draw_category(
    canvas: Canvas, pip: Pip, x: int, y: int, height: int, width: int = KEY_WIDTH
) -> None:
    is_tall = height >= _TALL_CELL
    letters = font("6x12" if is_tall else "5x8")
    gap = 4 if is_tall else 1
    room = width
    if pip.full > _COUNTABLE:
        count = str(pip.left)
        room -= letters.width * len(count)
        letters.draw(canvas, x + room - 2, y, count)
        room -= 2
    name = fit(pip.name, room // letters.width)
    letters.draw(canvas, x + 1, y, name)
    if pip.left <= 0:
        canvas.invert(x, y, letters.width * columns(name) + 1, letters.height)
    under = letters.height
    _draw_blocks(canvas, pip, x + 1, y + under, height - under - gap, width)


def _draw_blocks(canvas: Canvas, pip: Pip, x: int, y: int, height: int, width: int) -> None:
    """A high block for each point left, a low one for each point spent."""
    if pip.full <= 0:
        return
    pitch = max(min((width - 1) // pip.full, _WIDEST_PITCH), 2)
    for point in range(min(pip.full, (width - 1) // pitch)):
        tall = height if point < pip.left else 1
        canvas.rect(x + point * pitch, y + height - tall, pitch - 1, tall)


# -- a QR code ------------------------------------------------------------------------------------


_ROW = 12
_SMALLEST_BORDER = 3


def _draw_beside(canvas: Canvas, view: SeatView) -> None:
    """Draw the code of `view`, and at its left the title, lines, and keys with their numbers."""
    _draw_code(canvas, view.qr)
    keys = [(number, key) for number, key in enumerate(view.keys, 1) if key]
    title = wrap(view.title, QR_LINE_COLUMNS)[:2]
    rows = HEIGHT // _ROW
    letters = font("6x12")
    texts = [*title, *(fit(line, QR_LINE_COLUMNS) for line in view.lines)]
    for row, text in enumerate(texts[: rows - len(keys)]):
        letters.draw(canvas, 1, row * _ROW + (row >= len(title)) * 2, text)
    if view.blink:
        canvas.invert(0, 0, WIDTH - HEIGHT, _ROW * len(title))
    else:
        canvas.hline(0, _ROW * len(title), WIDTH - HEIGHT - 2)
    for row, (number, key) in enumerate(reversed(keys[-rows + 1 :])):
        _draw_numbered(canvas, number, key, HEIGHT - _ROW * (row + 1))


def _draw_numbered(canvas: Canvas, number: int, key: Key, y: int) -> None:
    """A key by the number of its button, as the gear gate has no room here."""
    letters = font("6x12")
    letters.draw(canvas, 2, y, str(number))
    canvas.invert(0, y + 1, 9, _ROW - 2)
    letters.draw(canvas, 13, y, fit(key.label, KEY_COLUMNS))


def _draw_code(canvas: Canvas, text: str) -> None:
    """The code, centred in a lit square at the right edge."""
    # A camera wants dark modules on light ground. At two dots a module a code of 29 modules fits
    # (up to 53 bytes of link); a longer one is drawn at one dot, which few cameras read.
    modules = _modules(text)
    size = len(modules)
    scale = max((HEIGHT - 2 * _SMALLEST_BORDER) // size, 1)
    canvas.rect(WIDTH - HEIGHT, 0, HEIGHT, HEIGHT)
    border = (HEIGHT - size * scale) // 2
    for row, line in enumerate(modules):
        for column, is_dark in enumerate(line):
            if is_dark:
                x, y = WIDTH - HEIGHT + border + column * scale, border + row * scale
                canvas.rect(x, y, scale, scale, on=False)


@lru_cache(maxsize=32)
def _modules(text: str) -> tuple[bytes, ...]:
    """The modules of the code, 1 for dark, without a border; kept, as screens are drawn often."""
    import segno  # only screens with a code need it, and it is slow to import

    # The lowest level keeps the modules large; more correction is taken where it costs none.
    code = segno.make_qr(text, error="l", boost_error=True)
    return tuple(bytes(row) for row in code.matrix)


# -- what a pod shows that no seat is for ---------------------------------------------------------


_STRAY = phrase("Pod {n}: no seat here")
_TWICE = phrase("Pod {n} is here twice")
_SIT = phrase("Press: sit at {n}")
_NEW = phrase("Pod without a number")
_FULL = phrase("No seat free")
_BLOCK = HEIGHT // len(LANGUAGES)
_SPARE_ROW = 9


def spare_pod(number: int, *, is_twin: bool, free: int | None) -> bytes:
    """The picture of a pod without a seat: in every language, as nobody sits there who has one.

    Args:
        number: its own; 0: it has none yet.
        is_twin: another pod of its number has the seat.
        free: the seat that a press of any button gives it; None: there is none.
    """
    canvas, letters = Canvas(), font("5x8")
    for top, code in zip(range(0, HEIGHT, _BLOCK), LANGUAGES, strict=False):
        if top:
            canvas.hline(0, top, WIDTH, step=2)
        for row, line in enumerate(spare_lines(words(code), number, is_twin=is_twin, free=free)):
            letters.draw(canvas, 1, top + 2 + row * _SPARE_ROW, line)
    return canvas.to_bytes()


def spare_lines(say: Words, number: int, *, is_twin: bool, free: int | None) -> tuple[str, str]:
    """Whose pod it is, and what a press does; in one language."""
    first = say(_TWICE if is_twin else _STRAY, n=number) if number else say(_NEW)
    return first, say(_FULL) if free is None else say(_SIT, n=free)


# -- a screen under test --------------------------------------------------------------------------


_NUMBER_AT, _BOARD_AT, _GATE_AT = (6, 6), (46, 6), (88, 6)
_BOARD, _CELL, _PITCH = 36, 9, 12
_LINE_AT = (6, 48)


def trial_picture(seat: int, pressed: Collection[int], wanted: int | None) -> bytes:
    """A frame at the very edge, the seat's number, a checkerboard of single dots, the gate.

    Args:
        pressed: the buttons whose keys are lit.
        wanted: the button to press now; None: this seat has nothing to do.
    """
    canvas = Canvas()
    canvas.frame(0, 0, WIDTH, HEIGHT)
    digits = font("8x16").figure(str(seat), 3 if seat < 10 else 2)
    canvas.stamp(stamp_of(digits), *_NUMBER_AT)
    for row in range(_BOARD):
        canvas.hline(_BOARD_AT[0] + row % 2, _BOARD_AT[1] + row, _BOARD - row % 2, step=2)
    for button in range(1, 7):
        x = _GATE_AT[0] + (button - 1) // 2 * _PITCH
        y = _GATE_AT[1] + (button - 1) % 2 * (_PITCH + 4)
        canvas.frame(x, y, _CELL, _CELL)
        if button in pressed:
            canvas.rect(x, y, _CELL, _CELL)
    if wanted is not None:
        font("6x12").draw(canvas, *_LINE_AT, f"press {wanted} / touche {wanted}")
    return canvas.to_bytes()


# -- the road --------------------------------------------------------------------------------------


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
