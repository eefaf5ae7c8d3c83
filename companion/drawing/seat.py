"""A seat's screen: from what stands on it, in words, to its 1024 bytes.

The screen is read across a table and written over a slow bus, so nothing moves that need not:
the title is always at the top, the keys always at the foot, wear always in its six places.
From the top (rows of dots):

    0–11   title, lit when it blinks        12      rule
    14–37  lines, wear or a big figure      38–63   keys

With one line or none the keys grow upwards; without keys the middle grows down to the foot.
A QR code has the right half to itself, from top to bottom.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.drawing import qr
from companion.drawing.bitmap import HEIGHT, WIDTH, Canvas
from companion.drawing.fit import TITLE_COLUMNS, fit
from companion.drawing.keys import LOW, ROOMY, TALL, Rows, draw_keys
from companion.drawing.letters import font
from companion.drawing.wear import WEAR_HEIGHT, draw_wear
from companion.views.model import SeatView

TITLE_HEIGHT = 12
MIDDLE = 14
_FIGURE_FONT = "16x32"
_FIGURE_GAP = 4


def draw_seat(view: SeatView) -> bytes:
    """The screen as bytes in the SSD1306's page order.

    Texts too wide are cut with an ellipsis. Where wear and keys are shown together there is no
    room for lines or a figure, and they are left out; so is whatever line has no place.
    """
    canvas = Canvas()
    if view.qr:
        qr.draw_beside(canvas, view)
        return canvas.to_bytes()
    _draw_title(canvas, view.title, lit=view.blink)
    has_keys = any(view.keys)
    top, bottom = MIDDLE, HEIGHT
    if has_keys:
        rows = _rows_of_keys(view)
        draw_keys(canvas, view.keys, rows)
        bottom = rows.upper
    if view.pips:
        tall = (
            min(bottom - top, WEAR_HEIGHT) if has_keys or view.lines or view.big else bottom - top
        )
        draw_wear(canvas, view.pips, top, tall)
        top += tall
    _draw_middle(canvas, view, top, bottom)
    return canvas.to_bytes()


def _rows_of_keys(view: SeatView) -> Rows:
    """The tallest keys that leave room for what stands above them."""
    if view.pips or view.big or len(view.lines) > 1:
        return LOW
    return TALL if view.lines else ROOMY


def _draw_title(canvas: Canvas, title: str, *, lit: bool) -> None:
    """The title over its rule; lit, it is dark on light."""
    font("6x12").draw(canvas, 1, 0, fit(title, TITLE_COLUMNS))
    if lit:
        canvas.invert(0, 0, WIDTH, TITLE_HEIGHT)
    canvas.hline(0, TITLE_HEIGHT, WIDTH)


def _draw_middle(canvas: Canvas, view: SeatView, top: int, bottom: int) -> None:
    """The figure at the right, the lines at its left."""
    right = WIDTH
    if view.big:
        right = _draw_figure(canvas, view, top, bottom) - _FIGURE_GAP
    _draw_lines(canvas, view.lines, (top, bottom), right)


def _draw_figure(canvas: Canvas, view: SeatView, top: int, bottom: int) -> int:
    """A figure as large as fits, alone in the middle or to the right of the lines.

    Returns the first column that it takes.
    """
    letters = font(_FIGURE_FONT)
    beside = max((len(line) for line in view.lines), default=0) * font("6x12").width
    for scale in (2, 1):
        shape = letters.figure(view.big, scale)
        tall = (letters.bottom - letters.top) * scale
        if tall <= bottom - top and beside + _FIGURE_GAP + len(shape) <= WIDTH:
            break
    if tall > bottom - top:
        return WIDTH
    left = WIDTH - 1 - len(shape) if view.lines else (WIDTH - len(shape)) // 2
    canvas.blit(shape, left, top + (bottom - top - tall) // 2)
    return left


def _draw_lines(canvas: Canvas, lines: Sequence[str], rows: tuple[int, int], right: int) -> None:
    """The lines from the left edge up to the column `right`, as large as they fit."""
    top, bottom = rows
    size = _line_size(lines, bottom - top, right)
    letters = font(size)
    for number, line in enumerate(lines):
        y = top + number * letters.height
        if y + letters.height <= bottom:
            letters.draw(canvas, 1, y, fit(line, (right - 1) // letters.width))


def _line_size(lines: Sequence[str], room: int, right: int) -> str:
    """The largest letters in which every line fits; failing that the ordinary ones, or the
    small ones where else a line would have no place."""
    widest = max(map(len, lines), default=0)
    if 16 * len(lines) <= room and 8 * widest < right and len(lines) < 4:
        return "8x16"
    return "6x12" if 12 * len(lines) <= room else "5x8"
