"""The letters of the screens: five fixed widths, read from the glyph files beside this module.

A column is one character of the 6×12 letters. A view that keeps to these widths is never cut;
whatever is wider is cut here, at a letter and visibly, and not at the edge of the screen.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

from companion.drawing.bitmap import Canvas, Stamp, stamp_of
from companion.frozen import dataclass
from companion.views import words

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
