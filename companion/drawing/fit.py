"""How wide a text is on a seat's screen, and how it is made to fit: the widths, in one place.

A column is one character of the 6×12 letters. A view that keeps to these widths is never cut;
whatever is wider is cut here, at a letter and visibly, and not at the edge of the screen.
"""

from __future__ import annotations

import unicodedata

from companion.views import words
from companion.views.words import KEY_COLUMNS as KEY_COLUMNS
from companion.views.words import LINE_COLUMNS as LINE_COLUMNS

HINT_COLUMNS = 8
"""A hint below its label; beside it there is less room, see `hint_columns`."""
QR_LINE_COLUMNS = 10
"""What is left of a title or line beside a QR code."""

_CELL = 42
_LETTER, _SMALL = 6, 5


def compose(text: str) -> str:
    """The text with every accent joined to its letter, as the glyphs have them."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def columns(text: str) -> int:
    """How many columns a text takes.

    >>> columns("cafe\\u0301")
    4
    """
    return len(compose(text))


def fit(text: str, width: int) -> str:
    """The text, cut with an ellipsis if it is wider than `width` columns.

    >>> fit("Anthony Noghès", 9)
    'Anthony…'
    >>> fit("Noghès", 6)
    'Noghès'
    """
    return words.fit(compose(text), width) if width > 0 else ""


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
    for word in compose(text).split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(fit(word, width))
    return lines
