"""Keys in cells that never move, for the pages of a turn.

A cell is two rows of eight dots high, as the screen's memory is, and whatever comes again on the
next page (a gear's figure, a lane's word, the bars of the gate) comes at the same dots: so it
need not be sent again, and a finger finds it where it was. Figures stand large at the left with
their hint beside them; words stand above their hint. Marks are those of `keys`.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.drawing.bitmap import Canvas
from companion.drawing.fit import columns, fit
from companion.drawing.keys import (
    ARROW_ROOM,
    ARROWED,
    HINT_FONT,
    KEY_WIDTH,
    LEFT_EDGES,
    beside_arrow,
    draw_arrow,
    draw_bars,
    draw_fold,
)
from companion.drawing.letters import Font, font
from companion.views.model import Key

TOPS = (32, 48)
HEIGHT = 16
_FIGURE_FONT, _WORD_FONT = "8x16", "6x12"
_FIGURE_LEFT, _FIGURE_TOP = 10, 1
_FIGURE_COLUMNS = 2
_HINT_TOP = 8
_HINT_GAP = 3
_ARROW_MIDDLE = 4


def draw_gate(canvas: Canvas) -> None:
    """The bars of a gear gate between the cells."""
    draw_bars(canvas, *TOPS, HEIGHT)


def draw_cells(canvas: Canvas, keys: Sequence[Key | None]) -> None:
    """Draw the keys of the six buttons, button 1 first; None leaves its cell empty."""
    for button, key in enumerate(keys):
        if key is not None:
            _draw_cell(canvas, key, LEFT_EDGES[button // 2], TOPS[button % 2])


def _draw_cell(canvas: Canvas, key: Key, x: int, y: int) -> None:
    if key.mark == "out":
        canvas.hatch(x, y, KEY_WIDTH, HEIGHT - 1)
    if _is_figure(key):
        _write_figure(canvas, key, x, y)
    else:
        _write_words(canvas, key, x, y)
    if key.mark == "old":
        canvas.invert(x, y - 1, KEY_WIDTH, HEIGHT)
    elif key.mark == "costs":
        draw_fold(canvas, x, y)
    elif _has_arrow(key):
        draw_arrow(canvas, x, y + _ARROW_MIDDLE, forward=key.mark == "more")


def _is_figure(key: Key) -> bool:
    """Whether the label is a number with room for its hint beside it."""
    if not key.label.isdecimal() or len(key.label) > _FIGURE_COLUMNS or key.mark in ARROWED:
        return False
    return columns(key.hint) <= _hint_room(key) // font(HINT_FONT).width


def _hint_room(key: Key) -> int:
    return KEY_WIDTH - _FIGURE_LEFT - font(_FIGURE_FONT).width * len(key.label) - _HINT_GAP + 1


def _write_figure(canvas: Canvas, key: Key, x: int, y: int) -> None:
    """A number, its hint beside its foot."""
    if key.hint:
        right = x + KEY_WIDTH + 1
        _write(canvas, key, key.hint, font(HINT_FONT), right - _hint_room(key), y + _HINT_TOP)
    _write(canvas, key, key.label, font(_FIGURE_FONT), x + _FIGURE_LEFT, y + _FIGURE_TOP)


def _write_words(canvas: Canvas, key: Key, x: int, y: int) -> None:
    """A label, its capitals in the upper half of the cell, and its hint in the lower half."""
    letters, small = font(_WORD_FONT), font(HINT_FONT)
    if key.hint:
        hint = fit(key.hint, KEY_WIDTH // small.width)
        _write(canvas, key, hint, small, _middle(x, KEY_WIDTH, hint, small), y + _HINT_TOP)
    left, room = beside_arrow(key, x) if _has_arrow(key) else (x, KEY_WIDTH)
    label = fit(key.label, room // letters.width)
    _write(canvas, key, label, letters, _middle(left, room, label, letters), y - letters.top)


def _has_arrow(key: Key) -> bool:
    """Whether the key turns a page and its label leaves room to say so."""
    wide = font(_WORD_FONT).width * columns(key.label) + ARROW_ROOM
    return key.mark in ARROWED and wide <= KEY_WIDTH


def _middle(x: int, room: int, text: str, letters: Font) -> int:
    """The left edge of a text in the middle of its room."""
    return x + (room - letters.width * columns(text) + 1) // 2


def _write(canvas: Canvas, key: Key, text: str, letters: Font, x: int, y: int) -> None:
    """Write a part of a key; where it has stripes, on dark ground."""
    if key.mark == "out":
        tall = letters.bottom - letters.top
        canvas.rect(x, y + letters.top, letters.width * columns(text), tall + 1, on=False)
    letters.draw_low(canvas, x, y, text)
