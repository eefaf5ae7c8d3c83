"""A screen of 128×64 dots, each lit or dark, and what of it has changed.

While it is drawn, a screen is 128 whole numbers, one a column: bit 0 is the topmost dot.
A letter is a few such numbers shifted down to its line, so drawing is a handful of shifts
and ors per letter, and nothing is done per dot. When it is finished it becomes the 1024
bytes of the SSD1306's memory: 8 pages of 128 bytes, each byte eight dots, bit 0 on top.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from typing import NamedTuple

WIDTH = 128
HEIGHT = 64
PAGES = HEIGHT // 8
SIZE = WIDTH * PAGES

_ALL = (1 << HEIGHT) - 1
_GAP = 6
"""Equal bytes that are no dearer sent than skipped: another span of the same page costs the
device's address twice, two control bytes and two of the column."""


class Canvas:
    """A dark screen to draw on. What falls outside is clipped."""

    def __init__(self) -> None:
        self.columns = [0] * WIDTH

    def rect(self, x: int, y: int, width: int, height: int, *, on: bool = True) -> None:
        """Light (or darken) a filled rectangle."""
        mask = _mask(y, height)
        for column in _clip(x, width):
            if on:
                self.columns[column] |= mask
            else:
                self.columns[column] &= ~mask

    def frame(self, x: int, y: int, width: int, height: int) -> None:
        """Light the outline of a rectangle, one dot wide."""
        self.hline(x, y, width)
        self.hline(x, y + height - 1, width)
        self.rect(x, y, 1, height)
        self.rect(x + width - 1, y, 1, height)

    def hline(self, x: int, y: int, width: int, *, step: int = 1) -> None:
        """Light a horizontal line, or every `step`-th dot of it."""
        mask = _mask(y, 1)
        for column in _clip(x, width)[::step]:
            self.columns[column] |= mask

    def vline(self, x: int, y: int, height: int, *, step: int = 1) -> None:
        """Light a vertical line, or every `step`-th dot of it."""
        mask = sum(1 << row for row in range(y, y + height, step) if 0 <= row < HEIGHT)
        for column in _clip(x, 1):
            self.columns[column] |= mask

    def hatch(self, x: int, y: int, width: int, height: int) -> None:
        """Light slanting stripes, the sign of danger."""
        mask = _mask(y, height)
        for column in _clip(x, width):
            self.columns[column] |= _STRIPES[column % 4] & mask

    def invert(self, x: int, y: int, width: int, height: int) -> None:
        """Exchange lit and dark in a rectangle."""
        mask = _mask(y, height)
        for column in _clip(x, width):
            self.columns[column] ^= mask

    def blit(self, shape: Sequence[int], x: int, y: int) -> None:
        """Light the dots of `shape`, columns of a bitmap with bit 0 on top."""
        columns, up = self.columns, max(-y, 0)
        down = max(y, 0)
        for column, dots in enumerate(shape, x):
            if dots and 0 <= column < WIDTH:
                columns[column] |= dots >> up << down & _ALL

    def to_bytes(self) -> bytes:
        """The 1024 bytes of the screen in page order."""
        dots = array("Q", self.columns)
        if sys.byteorder == "big":
            dots.byteswap()
        upright = dots.tobytes()
        return b"".join(upright[page::PAGES] for page in range(PAGES))


class Span(NamedTuple):
    """The columns from `start` up to, not with, `stop` of one page."""

    page: int
    start: int
    stop: int


def changed_spans(old: bytes, new: bytes) -> list[Span]:
    """What must be sent to a screen that shows `old` so that it shows `new`.

    >>> changed_spans(bytes(1024), bytes([1]) + bytes(1022) + bytes([1]))
    [Span(page=0, start=0, stop=1), Span(page=7, start=127, stop=128)]
    """
    spans: list[Span] = []
    for page in range(PAGES):
        first = page * WIDTH
        before, after = old[first : first + WIDTH], new[first : first + WIDTH]
        if before != after:
            changed = [x for x in range(WIDTH) if before[x] != after[x]]
            spans.extend(Span(page, start, stop) for start, stop in _runs(changed))
    return spans


def to_text(bitmap: bytes) -> str:
    """A screen as 64 lines of `#` and `.`, to be read and compared; `from_text` reads it back."""
    return "".join(
        "".join("#" if bitmap[y // 8 * WIDTH + x] >> y % 8 & 1 else "." for x in range(WIDTH))
        + "\n"
        for y in range(HEIGHT)
    )


def from_text(text: str) -> bytes:
    """The screen that `to_text` wrote.

    Raises:
        ValueError: the text is not 64 lines of 128 `#` or `.`.
    """
    rows = text.splitlines()
    if len(rows) != HEIGHT or any(len(row) != WIDTH or set(row) - {"#", "."} for row in rows):
        raise ValueError(f"not {HEIGHT} lines of {WIDTH} '#' or '.': {text[:40]!r}…")
    bitmap = bytearray(SIZE)
    for y, row in enumerate(rows):
        for x, dot in enumerate(row):
            if dot == "#":
                bitmap[y // 8 * WIDTH + x] |= 1 << y % 8
    return bytes(bitmap)


_STRIPES = [sum(1 << y for y in range(HEIGHT) if (x + y) % 4 == 0) for x in range(4)]


def _mask(y: int, height: int) -> int:
    """The bits of the rows from `y` on, as far as they are on the screen."""
    top, bottom = max(y, 0), min(y + height, HEIGHT)
    return ((1 << bottom - top) - 1) << top if bottom > top else 0


def _clip(x: int, width: int) -> range:
    """The columns from `x` on, as far as they are on the screen."""
    return range(max(x, 0), min(x + width, WIDTH))


def _runs(changed: list[int]) -> list[tuple[int, int]]:
    """The changed columns (not empty, rising) as runs; gaps not worth an address are bridged."""
    runs = []
    start = last = changed[0]
    for x in changed[1:]:
        if x - last > _GAP + 1:
            runs.append((start, last + 1))
            start = x
        last = x
    return [*runs, (start, last + 1)]
