"""Wear as pips: a name and a row of blocks for each category, high where a point is left.

Six categories stand in the columns of the six keys, three above and three below, so each is
found by its place. A spent point leaves a low mark; a category with nothing left has its name
lit, to be seen across the table.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.drawing.bitmap import Canvas
from companion.drawing.fit import columns, fit
from companion.drawing.keys import KEY_WIDTH, LEFT_EDGES
from companion.drawing.letters import font
from companion.views.model import Pip

WEAR_HEIGHT = 26
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


def _draw_category(canvas: Canvas, pip: Pip, x: int, y: int, height: int) -> None:
    """One category: name above, blocks below."""
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
