"""The screen of a driver: the same form on all pages of a turn and while waiting.

What is read across the table is always there and always in its place; what a page asks is a
short title and the six cells at the foot. Everything is aligned with the rows of eight dots that
the screen's memory is made of, so that a change costs few bytes on the bus. From the top:

    0–9    title, lit when it blinks         at the right, 0–15: the gear
    9–15   the first line, in small letters
    16–31  wear
    32–63  the gear gate: keys, or the other lines
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.drawing.bitmap import WIDTH, Canvas
from companion.drawing.cells import draw_cells, draw_gate
from companion.drawing.fit import columns, fit
from companion.drawing.letters import font
from companion.drawing.wear import draw_strip
from companion.views.model import SeatView

TITLE_HEIGHT = 10
_TITLE, _SMALL = "6x12", "5x8"
_UNDER_TITLE = 9
_WEAR = 16
_FIGURES = ("12x24", "8x16", "6x12")
_FIGURE_ROOM = 26
_FIGURE_GAP = 3
_DIGITS = 2
_LINES = (32, 40, 48, 56)
"""Further lines, each in a row of the screen's memory."""


def draw_dashboard(canvas: Canvas, view: SeatView) -> None:
    """Draw a view with wear. Its first line stands under the title; further lines stand at the
    foot, or give way to keys."""
    room = WIDTH - _draw_figure(canvas, view.big)
    of_title = room - draw_clock(canvas, view.clock, room)
    _draw_title(canvas, view.title, of_title, lit=view.blink)
    if view.lines:
        small = font(_SMALL)
        small.draw(canvas, 1, _UNDER_TITLE, fit(view.lines[0], (room - 1) // small.width))
    draw_strip(canvas, view.pips, _WEAR)
    if any(view.keys):
        draw_gate(canvas)
        draw_cells(canvas, view.keys)
    else:
        _draw_lines(canvas, view.lines[1:])


def _draw_figure(canvas: Canvas, figure: str) -> int:
    """The figure in the upper right corner; the columns that it takes."""
    if not figure:
        return 0
    name = next((name for name in _FIGURES if _width(name, figure) <= _FIGURE_ROOM), _FIGURES[-1])
    letters = font(name)
    letters.draw(canvas, WIDTH - _width(name, figure), -letters.top, figure)
    return _width(name, figure) + _FIGURE_GAP


def draw_clock(canvas: Canvas, clock: str, right: int) -> int:
    """What is left of a turn, before the column `right`; the columns that it takes, always those
    of two digits at least, so that the title stays where it is."""
    if not clock:
        return 0
    letters = font(_SMALL)
    letters.draw(canvas, right - letters.width * len(clock), 1, clock)
    return letters.width * max(_DIGITS, len(clock)) + _FIGURE_GAP


def _width(name: str, text: str) -> int:
    return font(name).width * columns(text)


def _draw_title(canvas: Canvas, title: str, room: int, *, lit: bool) -> None:
    """The title with its capitals in the topmost row of the memory, accents allowing."""
    letters = font(_TITLE)
    if columns(title) > (room - 1) // letters.width:
        letters = font(_SMALL)
    title = fit(title, (room - 1) // letters.width)
    letters.draw_low(canvas, 1, letters.rise(title) - letters.top, title)
    if lit:
        canvas.invert(0, 0, room, TITLE_HEIGHT)


def _draw_lines(canvas: Canvas, lines: Sequence[str]) -> None:
    letters = font(_SMALL)
    for line, top in zip(lines, _LINES, strict=False):
        letters.draw(canvas, 1, top, fit(line, (WIDTH - 1) // letters.width))
