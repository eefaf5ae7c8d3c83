"""A screen with a QR code: the code at the right, as large as the screen allows, words beside it.

A camera wants dark modules on light ground, so the code stands on a lit square. At two dots a
module a code of 29 modules fits (up to 53 bytes of link); a longer one is drawn at one dot a
module, which few cameras read: links are kept short.
"""

from __future__ import annotations

from functools import lru_cache

from companion.drawing.bitmap import HEIGHT, WIDTH, Canvas
from companion.drawing.fit import KEY_COLUMNS, QR_LINE_COLUMNS, fit, wrap
from companion.drawing.letters import font
from companion.views.model import Key, SeatView

_ROW = 12
_SMALLEST_BORDER = 3


def draw_beside(canvas: Canvas, view: SeatView) -> None:
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

    code = segno.make_qr(text, error="l", boost_error=True)
    return tuple(bytes(row) for row in code.matrix)
