"""A screen of 128×64 dots, each lit or dark, what of it has changed, and its picture for the page.

While it is drawn, a screen is one whole number of 8192 bits: 64 for each column from the left,
the lowest the topmost dot. A line of text is such a number too, shifted to its place, so
drawing is a few operations on numbers, and nothing is done per dot or column. When it is finished
it becomes the 1024 bytes of the SSD1306's memory: 8 pages of 128 bytes, each byte eight dots,
bit 0 on top.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

WIDTH = 128
HEIGHT = 64
PAGES = HEIGHT // 8
SIZE = WIDTH * PAGES

_ALL = (1 << HEIGHT * WIDTH) - 1


class Canvas:
    """A dark screen to draw on. What falls outside is clipped."""

    def __init__(self) -> None:
        self.dots = 0

    def rect(self, x: int, y: int, width: int, height: int, *, on: bool = True) -> None:
        """Light (or darken) a filled rectangle."""
        block = _block(x, y, width, height)
        self.dots |= block
        if not on:
            self.dots ^= block

    def frame(self, x: int, y: int, width: int, height: int) -> None:
        """Light the outline of a rectangle, one dot wide."""
        self.hline(x, y, width)
        self.hline(x, y + height - 1, width)
        self.rect(x, y, 1, height)
        self.rect(x + width - 1, y, 1, height)

    def hline(self, x: int, y: int, width: int, *, step: int = 1) -> None:
        """Light a horizontal line, or every `step`-th dot of it."""
        self.dots |= _block(x, y, width, 1, step)

    def vline(self, x: int, y: int, height: int, *, step: int = 1) -> None:
        """Light a vertical line, or every `step`-th dot of it."""
        self.dots |= _block(x, y, 1, height, 1, step)

    def hatch(self, x: int, y: int, width: int, height: int) -> None:
        """Light slanting stripes, the sign of danger."""
        self.dots |= _STRIPES & _block(x, y, width, height)

    def invert(self, x: int, y: int, width: int, height: int) -> None:
        """Exchange lit and dark in a rectangle."""
        self.dots ^= _block(x, y, width, height)

    def blit(self, shape: Sequence[int], x: int, y: int) -> None:
        """Light the dots of `shape`, columns of a bitmap with bit 0 on top."""
        self.stamp(stamp_of(shape), x, y)

    def stamp(self, stamp: Stamp, x: int, y: int) -> None:
        """Light the dots of a stamp."""
        dots = stamp.dots
        if y < 0:
            dots = dots >> -y & _rows(HEIGHT + y)
        elif y > 0:
            dots = (dots & _rows(HEIGHT - y)) << y
        dots = dots << HEIGHT * x if x >= 0 else dots >> HEIGHT * -x
        self.dots |= dots if x + stamp.width <= WIDTH else dots & _ALL

    def to_bytes(self) -> bytes:
        """The 1024 bytes of the screen in page order."""
        upright = self.dots.to_bytes(SIZE, "little")
        return b"".join([upright[page::PAGES] for page in range(PAGES)])


class Stamp(NamedTuple):
    """A bitmap that is drawn often: its dots as a canvas has them, at the upper left corner."""

    dots: int
    width: int


def stamp_of(shape: Sequence[int]) -> Stamp:
    """A stamp of columns of a bitmap, bit 0 on top."""
    return Stamp(int.from_bytes(struct.pack(f"<{len(shape)}Q", *shape), "little"), len(shape))


class Span(NamedTuple):
    """The columns from `start` up to, not with, `stop` of one page."""

    page: int
    start: int
    stop: int


_GAP = 6
"""Equal bytes that are no dearer sent than skipped: another span of the same page costs the
device's address twice, two control bytes and two of the column."""


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


@lru_cache(maxsize=1024)
def _block(x: int, y: int, width: int, height: int, across: int = 1, down: int = 1) -> int:
    """The dots of a rectangle as far as it is on the screen, or every so many of them.

    Kept, as nearly all that is drawn is drawn in the same places.
    """
    column = sum(1 << row for row in range(y, y + height, down) if 0 <= row < HEIGHT)
    return sum(column << HEIGHT * at for at in range(x, x + width, across) if 0 <= at < WIDTH)


@lru_cache(maxsize=HEIGHT + 1)
def _rows(count: int) -> int:
    return _block(0, 0, WIDTH, count)


_STRIPES = sum(_block(x, -x % 4, 1, HEIGHT, 1, 4) for x in range(WIDTH))


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


# -- as a PNG picture: one bit a dot, by hand with zlib -------------------------------------------


_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_FILTER_NONE = b"\0"


def png(bitmap: bytes, scale: int = 1) -> bytes:
    """The screen (1024 bytes in page order) as PNG, each dot `scale` pixels wide and high."""
    header = struct.pack(">IIBBBBB", WIDTH * scale, HEIGHT * scale, 1, 0, 0, 0, 0)
    rows = b"".join((_FILTER_NONE + _row(bitmap, y, scale)) * scale for y in range(HEIGHT))
    return (
        _SIGNATURE
        + _chunk(b"IHDR", header)
        + _chunk(b"IDAT", zlib.compress(rows, 6))
        + _chunk(b"IEND", b"")
    )


def _row(bitmap: bytes, y: int, scale: int) -> bytes:
    """One row of dots, eight to a byte, the leftmost in the highest bit."""
    page, bit = divmod(y, 8)
    dots = "".join(
        ("1" if byte >> bit & 1 else "0") * scale
        for byte in bitmap[page * WIDTH : (page + 1) * WIDTH]
    )
    return int(dots, 2).to_bytes(WIDTH * scale // 8, "big")


def _chunk(kind: bytes, body: bytes) -> bytes:
    """A chunk of the PNG format: length, kind, body, checksum."""
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
