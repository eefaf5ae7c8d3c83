"""Wear as pips: a name and a row of blocks for each category, high where a point is left.

Six categories have six places, three above and three below, so each is found by its place. A
spent point leaves a low mark; a category with nothing left has its name lit, to be seen across
the table. Alone on the screen wear is drawn large; on a driver's screen it is a strip of two
rows of the screen's memory, so that a point lost is a few bytes sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from companion.drawing.bitmap import WIDTH, Canvas, Stamp
from companion.drawing.fit import columns, fit
from companion.drawing.keys import KEY_WIDTH, LEFT_EDGES
from companion.drawing.letters import font
from companion.views.model import Pip

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


def draw_wear(canvas: Canvas, pips: Sequence[Pip], top: int, height: int) -> None:
    """Draw up to six categories in two rows, in `height` rows of dots from `top` on."""
    cell = height // 2
    for number, pip in enumerate(pips[:6]):
        x, y = LEFT_EDGES[number % 3], top + number // 3 * cell
        _draw_category(canvas, pip, x, y, cell)


def draw_strip(canvas: Canvas, pips: Sequence[Pip], top: int) -> None:
    """Draw up to six categories in two rows of eight dots, each name before its blocks."""
    canvas.stamp(_strip(tuple(pips[:6])), 0, top)


@lru_cache(maxsize=128)
def _strip(pips: tuple[Pip, ...]) -> Stamp:
    """The strip of this wear; kept, as most presses wear one car or none."""
    canvas = Canvas()
    for number, pip in enumerate(pips):
        place = number % 3
        room = _STRIP_ENDS[place] - _STRIP_EDGES[place]
        _draw_in_strip(canvas, pip, _STRIP_EDGES[place], number // 3 * STRIP_ROW, room)
    return Stamp(canvas.dots, WIDTH)


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


def _draw_category(canvas: Canvas, pip: Pip, x: int, y: int, height: int) -> None:
    is_tall = height >= _TALL_CELL
    letters = font("6x12" if is_tall else "5x8")
    gap = 4 if is_tall else 1
    room = KEY_WIDTH
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
    _draw_blocks(canvas, pip, x + 1, y + under, height - under - gap)


def _draw_blocks(canvas: Canvas, pip: Pip, x: int, y: int, height: int) -> None:
    """A high block for each point left, a low one for each point spent."""
    if pip.full <= 0:
        return
    pitch = max(min((KEY_WIDTH - 1) // pip.full, _WIDEST_PITCH), 2)
    for point in range(min(pip.full, (KEY_WIDTH - 1) // pitch)):
        tall = height if point < pip.left else 1
        canvas.rect(x + point * pitch, y + height - tall, pitch - 1, tall)
