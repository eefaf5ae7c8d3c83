"""A seat's screen: from what stands on it, in words, to its 1024 bytes.

The screen is read across a table and written over a slow bus, so nothing moves that need not:
the title is always at the top, the keys always at the foot. A driver's screen, which shows wear
and a gear or keys, has a form of its own (`dashboard`). Of all others, from the top (rows of dots):

    0–11   title, lit when it blinks        12      rule
    14–37  lines or a big figure            38–63   keys

With one line or none the keys grow upwards; without keys the middle grows down to the foot.
A QR code has the right half to itself, from top to bottom.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.drawing import qr
from companion.drawing.bitmap import HEIGHT, WIDTH, Canvas
from companion.drawing.dashboard import draw_clock, draw_dashboard
from companion.drawing.fit import columns, fit
from companion.drawing.keys import LOW, ROOMY, TALL, Rows, draw_keys
from companion.drawing.letters import font
from companion.drawing.wear import draw_wear
from companion.views.model import SeatView

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
        qr.draw_beside(canvas, view)
    elif view.pips and (view.big or any(view.keys)):
        draw_dashboard(canvas, view)
    else:
        _draw_page(canvas, view)
    return canvas.to_bytes()


def _draw_page(canvas: Canvas, view: SeatView) -> None:
    """A page of its own form: the title over its rule, and all the room that is left."""
    room = WIDTH - draw_clock(canvas, view.clock, WIDTH - 1)
    _draw_title(canvas, view.title, room, lit=view.blink)
    top, bottom = MIDDLE, HEIGHT
    if any(view.keys):
        rows = _rows_of_keys(view)
        draw_keys(canvas, view.keys, rows)
        bottom = rows.upper
    if view.pips:
        top = UNDER_WEAR if view.lines else HEIGHT
        draw_wear(canvas, view.pips, WEAR_TOP, top - WEAR_TOP)
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
