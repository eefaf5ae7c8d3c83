"""A screen of 128×64 dots, each lit or dark, what of it has changed, and its picture for the page.

While it is drawn, a screen is one whole number of 8192 bits: 64 for each column from the left,
the lowest the topmost dot. A line of text is such a number too, shifted to its place, so
drawing is a few operations on numbers, and nothing is done per dot or column. When it is finished
it becomes the 1024 bytes of the SSD1306's memory: 8 pages of 128 bytes, each byte eight dots,
bit 0 on top.

Letters come in five fixed widths, read from the glyph files beside this module; a column is one
character of the 6×12 letters. A view that keeps to these widths is never cut; whatever is wider is
cut here, at a letter and visibly, and not at the edge of the screen.
"""

from __future__ import annotations

import struct
import unicodedata
import zlib
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from companion.system.frozen import dataclass
from companion.views import words

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
            # Columns lie end to end in one number: what leaves one at its edge would come in at the
            # other edge of its neighbour.
            dots = dots >> -y & _rows(HEIGHT + y)
        elif y > 0:
            dots = (dots & _rows(HEIGHT - y)) << y
        dots = dots << HEIGHT * x if x >= 0 else dots >> HEIGHT * -x
        self.dots |= dots if x + stamp.width <= WIDTH else dots & _ALL

    def to_bytes(self) -> bytes:
        """The 1024 bytes of the screen in page order."""
        upright = self.dots.to_bytes(SIZE, "little")
        # Eight bytes a column in a row; a page wants the same one of each.
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


# -- letters --------------------------------------------------------------------------------------


Shape = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Font:
    """Letters of one size. `top` and `bottom` are the rows between which capitals stand."""

    width: int
    height: int
    top: int
    bottom: int
    glyphs: Mapping[str, str]
    """The columns of each letter as its file has them: read when the letter is first drawn."""
    missing: Shape
    """Drawn for a character that the font does not have: an empty frame."""

    def shape(self, text: str) -> list[int]:
        """A line of text as the columns of a bitmap."""
        dots: list[int] = []
        for character in _compose(text):
            line = self.glyphs.get(character)
            dots.extend(self.missing if line is None else _columns(line))
        return dots

    def has_all(self, text: str) -> bool:
        """Whether the font has every character of the text."""
        return all(character in self.glyphs for character in _compose(text))

    def overhang(self, text: str) -> tuple[int, int]:
        """Rows by which the text's accents stand above capitals, and its tails hang below."""
        first, after_last = _extent(self.shape(text))
        return max(self.top - first, 0), max(after_last - self.bottom, 0)

    def rise(self, text: str) -> int:
        """Rows that the text needs above its capitals where `draw_low` writes it: accents'."""
        return 0 if text.isascii() else _rise(self, text)

    def figure(self, text: str, scale: int) -> list[int]:
        """Capitals and digits only, magnified and without the empty rows above and below."""
        rows = self.bottom - self.top
        columns = []
        for dots in self.shape(text):
            tall = _stretch(dots >> self.top & (1 << rows) - 1, rows, scale)
            columns.extend([tall] * scale)
        return columns

    def draw(self, canvas: Canvas, x: int, y: int, text: str) -> None:
        """Write a line of text with its upper left corner at (x, y)."""
        canvas.stamp(_stamp(self, text), x, y)

    def draw_low(self, canvas: Canvas, x: int, y: int, text: str) -> None:
        """As `draw`, but nothing stands above capitals, accents excepted.

        The dot of an i is two dots high and stands out by one: one will do.
        """
        canvas.stamp(_low_stamp(self, text), x, y)


@cache
def font(name: str) -> Font:
    """A font by its size, such as `6x12`; read once.

    Raises:
        FileNotFoundError: there is no glyph file of that size.
    """
    width, height = (int(part) for part in name.split("x"))
    text = (Path(__file__).parent / "glyphs" / f"{name}.txt").read_text("ascii")
    lines = (line.partition(" ") for line in text.splitlines())
    glyphs = {chr(int(code, 16)): columns for code, _, columns in lines}
    top, bottom = _extent(_columns(glyphs["E"]))
    return Font(width, height, top, bottom, glyphs, _frame(width, top, bottom))


@lru_cache(maxsize=1024)
def _columns(line: str) -> Shape:
    return tuple(int(column, 16) for column in line.split(" "))


@lru_cache(maxsize=1024)
def _stamp(letters: Font, text: str) -> Stamp:
    """A line of text; kept, as screens say the same few hundred things."""
    return stamp_of(letters.shape(text))


@lru_cache(maxsize=1024)
def _rise(letters: Font, text: str) -> int:
    above = letters.overhang(text)[0]
    return above if above > _DOT else 0


_DOT = 1
"""Rows by which the dot of an i stands above capitals."""


@lru_cache(maxsize=1024)
def _low_stamp(letters: Font, text: str) -> Stamp:
    """A line of text without what stands one row above its capitals."""
    shape = letters.shape(text)
    if not letters.rise(text):
        shape = [dots >> letters.top << letters.top for dots in shape]
    return stamp_of(shape)


def _extent(shape: Sequence[int]) -> tuple[int, int]:
    """The first row with a lit dot, and the one after the last; (0, 0) if all is dark."""
    lit = 0
    for dots in shape:
        lit |= dots
    return max((lit & -lit).bit_length() - 1, 0), lit.bit_length()


def _frame(width: int, top: int, bottom: int) -> Shape:
    """An empty box as wide as a letter and as high as a capital."""
    side = (1 << bottom) - (1 << top)
    ends = 1 << top | 1 << bottom - 1
    return (side, *[ends] * (width - 3), side, 0)


def _stretch(dots: int, rows: int, scale: int) -> int:
    """A column with each of its dots drawn `scale` times."""
    block = (1 << scale) - 1
    return sum(block << row * scale for row in range(rows) if dots >> row & 1)


# -- how a text is made to fit --------------------------------------------------------------------


QR_LINE_COLUMNS = 10
"""What is left of a title or line beside a QR code."""


def _compose(text: str) -> str:
    """The text with every accent joined to its letter, as the glyphs have them."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def columns(text: str) -> int:
    """How many columns a text takes.

    >>> columns("cafe\\u0301")
    4
    """
    return len(_compose(text))


def fit(text: str, width: int) -> str:
    """The text, cut with an ellipsis if it is wider than `width` columns.

    >>> fit("Anthony Noghès", 9)
    'Anthony…'
    >>> fit("Noghès", 6)
    'Noghès'
    """
    return words.fit(_compose(text), width) if width > 0 else ""


_CELL = 42
_LETTER, _SMALL = 6, 5


def hint_columns(label: str) -> int:
    """Room for a hint beside its label, where two or three lines stand above the keys.

    >>> hint_columns("3"), hint_columns("Gauche")
    (6, 0)
    """
    return max((_CELL - 3 - _LETTER * columns(label)) // _SMALL, 0)


def wrap(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` columns, broken between words where it can be.

    >>> wrap("Take the seat over", 10)
    ['Take the', 'seat over']
    """
    lines: list[str] = []
    for word in _compose(text).split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(fit(word, width))
    return lines
