"""The six keys at the foot of a seat's screen, standing as the buttons do: a gear gate.

Keys 1 3 5 are above, 2 4 6 below. The fewer lines stand over them, the taller they are and the
larger their labels; their columns never move. A mark is a shape, not a word, so that it is seen
before it is read: a lit key is the answer given before, a folded corner costs something,
slanting stripes put the car out, an arrow at the edge turns a page.

On the pages of a turn they are cells that never move. A cell is two rows of eight dots high, as the
screen's memory is, and whatever comes again on the next page (a gear's figure, a lane's word, the
bars of the gate) comes at the same dots: so it need not be sent again, and a finger finds it where
it was. Figures stand large at the left with their hint beside them; words stand above their hint.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from companion.drawing.bitmap import WIDTH, Canvas, Font, columns, fit, font, hint_columns
from companion.system.frozen import dataclass
from companion.views.model import Key
from companion.views.words import HINT_COLUMNS, KEY_COLUMNS

KEY_WIDTH = 42
LEFT_EDGES = (0, 43, 86)
HINT_HEIGHT = 8
HINT_GAP = 2
HINT_FONT = "5x8"
ARROW_ROOM = 5
ARROWED = ("more", "back")


@dataclass(frozen=True, slots=True)
class Rows:
    """Where the two rows of keys stand, and which letters they may use, largest first."""

    upper: int
    lower: int
    height: int
    fonts: tuple[str, ...]
    hinted: tuple[str, ...]
    """The letters when a key has a hint below its label; empty: hints stand beside the label."""


ROOMY = Rows(14, 40, 24, fonts=("12x24", "8x16", "6x12"), hinted=("8x16", "6x12"))
TALL = Rows(27, 46, 18, fonts=("8x16", "6x12"), hinted=("8x16", "6x12"))
LOW = Rows(39, 51, 11, fonts=("8x16", "6x12"), hinted=())


def draw_keys(canvas: Canvas, keys: Sequence[Key | None], rows: Rows) -> None:
    """Draw the keys of the six buttons, button 1 first; None leaves its place empty."""
    _draw_gate(canvas, rows)
    is_hinted = bool(rows.hinted) and any(key and key.hint for key in keys)
    sizes = rows.hinted if is_hinted else rows.fonts
    room = rows.height - HINT_HEIGHT if is_hinted else rows.height
    largest = _common_size(keys, sizes, room)
    for button, key in enumerate(keys):
        if key is not None:
            place = (LEFT_EDGES[button // 2], rows.lower if button % 2 else rows.upper)
            is_answer = key.mark not in ARROWED
            letters = font(_largest(key, sizes[largest:], room) if is_answer else sizes[-1])
            _draw_key(canvas, key, place, rows, letters)


def _draw_gate(canvas: Canvas, rows: Rows) -> None:
    """The bars of a gear gate between the columns, fainter than anything that is read.

    There is no line between the rows: across the screen it would cost more to send than the
    labels do. Between lines of text and keys there is one, or they would be read as one.
    """
    _draw_bars(canvas, rows.upper, rows.lower, rows.height)
    if rows is not ROOMY:  # whose keys stand right under the rule of the title
        canvas.hline(0, rows.upper - 1, WIDTH, step=2)


_BAR = 4


def _draw_bars(canvas: Canvas, upper: int, lower: int, height: int) -> None:
    """The bars between the columns of two rows of keys, by the tops and the height of the rows."""
    for edge in LEFT_EDGES[1:]:
        canvas.vline(edge - 1, upper, lower + height - upper, step=2)
        canvas.hline(edge - 1 - _BAR, lower - 1, 2 * _BAR + 1)


def _common_size(keys: Sequence[Key | None], sizes: tuple[str, ...], room: int) -> int:
    """The largest size in which every answer fits; keys that turn pages have no say."""
    answers = [key for key in keys if key and key.mark not in ARROWED]
    return max((sizes.index(_largest(key, sizes, room)) for key in answers), default=0)


def _largest(key: Key, sizes: tuple[str, ...], room: int) -> str:
    """The first size in which the label fits; the last one is taken whether or not it does."""
    return next((size for size in sizes if _fits(key, size, room)), sizes[-1])


@lru_cache(maxsize=1024)
def _fits(key: Key, size: str, room: int) -> bool:
    """As `_has_room`; kept, as the same few keys (gears, dice, lanes) come all through a race."""
    return _has_room(key, font(size), room)


def _has_room(key: Key, letters: Font, room: int) -> bool:
    """Whether the label can be written so large, with its accents and tails and, in the low
    rows, with its hint beside it."""
    wide = letters.width * columns(key.label) + (ARROW_ROOM if key.mark in ARROWED else 0)
    if room == LOW.height and key.hint:
        wide += HINT_GAP + font(HINT_FONT).width * columns(key.hint)
    if wide > KEY_WIDTH or not letters.has_all(key.label):
        return False
    if key.label.isdecimal():  # no digit has an accent or a tail
        return letters.bottom - letters.top <= room
    above, below = letters.overhang(key.label)
    # Capitals stand in the middle, so room above them is room below them too.
    return letters.bottom - letters.top + 2 * max(above, below) <= room


def _draw_key(canvas: Canvas, key: Key, place: tuple[int, int], rows: Rows, letters: Font) -> None:
    x, y = place
    if key.mark == "out":
        canvas.hatch(x, y, KEY_WIDTH, rows.height)
    label = fit(key.label, KEY_COLUMNS)
    if key.hint and rows.hinted:
        room = rows.height - HINT_HEIGHT + 1  # the first row of a hint is for accents only
        _write(canvas, label, letters, (x, y, KEY_WIDTH, room))
        hint = fit(key.hint, HINT_COLUMNS)
        _write(canvas, hint, font(HINT_FONT), (x, y + room - 1, KEY_WIDTH, HINT_HEIGHT))
    else:
        hint = _hint_beside(key, letters)
        left, width = _beside_arrow(key, x) if _has_arrow(key) else (x, KEY_WIDTH)
        _write_both(canvas, label, hint, letters, (left, y, width, rows.height))
    _draw_mark(canvas, key, place, rows.height)


def _hint_beside(key: Key, letters: Font) -> str:
    """What of the hint has room beside the label; a piece of a page's hint says nothing."""
    if _has_room(key, letters, LOW.height):
        return fit(key.hint, HINT_COLUMNS)
    room = hint_columns(key.label)
    return fit(key.hint, room) if room > 1 and key.mark not in ARROWED else ""


def _draw_mark(canvas: Canvas, key: Key, place: tuple[int, int], height: int) -> None:
    """What can be known of a key without reading it, `out` excepted."""
    x, y = place
    match key.mark:
        case "old":
            canvas.invert(x, y, KEY_WIDTH, height)
        case "costs":
            _draw_fold(canvas, x, y)
        case "more" | "back" if _has_arrow(key):
            _draw_arrow(canvas, x, y + height // 2, forward=key.mark == "more")


def _has_arrow(key: Key) -> bool:
    """Whether the key turns a page and its label leaves room to say so."""
    return key.mark in ARROWED and columns(key.label) < KEY_COLUMNS


def _beside_arrow(key: Key, x: int) -> tuple[int, int]:
    """Left edge and width of what the arrow leaves to the label of a key at `x`."""
    return (x if key.mark == "more" else x + ARROW_ROOM), KEY_WIDTH - ARROW_ROOM


_FOLD = 4


def _draw_fold(canvas: Canvas, x: int, y: int) -> None:
    """The folded corner of a key whose upper left corner is (x, y): it costs something."""
    for row in range(_FOLD):
        canvas.hline(x + KEY_WIDTH - _FOLD + row, y + row, _FOLD - row)


_ARROW = 3


def _draw_arrow(canvas: Canvas, x: int, middle: int, *, forward: bool) -> None:
    """A small arrowhead at the right edge of a key (forward) or at its left."""
    for step in range(_ARROW):
        column = x + KEY_WIDTH - 2 - step if forward else x + 1 + step
        canvas.rect(column, middle - step, 1, 2 * step + 1)


Box = tuple[int, int, int, int]


def _write(canvas: Canvas, text: str, letters: Font, box: Box) -> None:
    """Write in the middle of a box (x, y, width, height), on dark ground."""
    x, y, width, height = box
    wide, tall = letters.width * len(text) - 1, letters.bottom - letters.top
    left, top = x + (width - wide) // 2, y + (height - tall) // 2
    canvas.rect(left - 2, top - 1, wide + 4, tall + 2, on=False)
    letters.draw(canvas, left, top - letters.top, text)


def _write_both(canvas: Canvas, label: str, hint: str, letters: Font, box: Box) -> None:
    """Write a label with its hint beside it, on one baseline."""
    if not hint:
        _write(canvas, label, letters, box)
        return
    small = font(HINT_FONT)
    x, y, width, height = box
    wide = letters.width * len(label) + HINT_GAP
    whole = wide + small.width * len(hint) - 1
    left = x + (width - whole) // 2
    tall = letters.bottom - letters.top
    _write(canvas, label, letters, (left, y, wide - 3, height))
    baseline = y + (height - tall) // 2 + tall
    canvas.rect(left + wide - 1, baseline - tall - 1, whole - wide + 2, tall + 2, on=False)
    small.draw(canvas, left + wide, baseline - small.bottom, hint)


# -- cells that never move ------------------------------------------------------------------------


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
    _draw_bars(canvas, *TOPS, HEIGHT)


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
        _draw_fold(canvas, x, y)
    elif _shows_arrow(key):
        _draw_arrow(canvas, x, y + _ARROW_MIDDLE, forward=key.mark == "more")


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
        _write_part(canvas, key, key.hint, font(HINT_FONT), right - _hint_room(key), y + _HINT_TOP)
    _write_part(canvas, key, key.label, font(_FIGURE_FONT), x + _FIGURE_LEFT, y + _FIGURE_TOP)


def _write_words(canvas: Canvas, key: Key, x: int, y: int) -> None:
    """A label, its capitals in the upper half of the cell, and its hint in the lower half."""
    letters, small = font(_WORD_FONT), font(HINT_FONT)
    if key.hint:
        hint = fit(key.hint, KEY_WIDTH // small.width)
        _write_part(canvas, key, hint, small, _middle(x, KEY_WIDTH, hint, small), y + _HINT_TOP)
    left, room = _beside_arrow(key, x) if _shows_arrow(key) else (x, KEY_WIDTH)
    label = fit(key.label, room // letters.width)
    _write_part(canvas, key, label, letters, _middle(left, room, label, letters), y - letters.top)


def _shows_arrow(key: Key) -> bool:
    """Whether the key turns a page and its label leaves room to say so."""
    wide = font(_WORD_FONT).width * columns(key.label) + ARROW_ROOM
    return key.mark in ARROWED and wide <= KEY_WIDTH


def _middle(x: int, room: int, text: str, letters: Font) -> int:
    """The left edge of a text in the middle of its room."""
    return x + (room - letters.width * columns(text) + 1) // 2


def _write_part(canvas: Canvas, key: Key, text: str, letters: Font, x: int, y: int) -> None:
    """Write a part of a key; where it has stripes, on dark ground."""
    if key.mark == "out":
        tall = letters.bottom - letters.top
        canvas.rect(x, y + letters.top, letters.width * columns(text), tall + 1, on=False)
    letters.draw_low(canvas, x, y, text)
