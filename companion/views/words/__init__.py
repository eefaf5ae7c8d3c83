"""The words of one language, from gettext catalogues.

Several languages are spoken at one table, so there is no global "current language": a view
gets a `Words` and calls it. Messages are English sentences with named places:

>>> say = words("en")
>>> say("{name} plays", name="Ana")
'Ana plays'
>>> words("fr").many("{n} space braked", "{n} spaces braked", 2)
'2 cases freinées'

A message that stands in a table rather than in a call is marked by `phrase`, which does
nothing, or is a text of a class that `tools/catalogues.py` knows; it finds them all and writes
the catalogues.
"""

from __future__ import annotations

import gettext
import re
import textwrap
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

LANGUAGES = {"en": "English", "fr": "Français", "de": "Deutsch"}
"""The languages there are catalogues of, each by its own name."""

LOCALE = Path(__file__).parents[2] / "locale"
LINE_COLUMNS = 21
KEY_COLUMNS = 7
HINT_COLUMNS = 8
"""The second line of a key; its letters are smaller."""


def phrase(message: str) -> str:
    """Mark a message for the catalogues; it is translated where it is used."""
    return message


def phrases(messages: str) -> tuple[str, ...]:
    """As `phrase`, for short messages that stand together with " | " between them."""
    return tuple(messages.split(" | "))


def keyed(messages: str) -> dict[str, str]:
    """Messages as in `phrases`, each by the key that it makes itself.

    >>> keyed("Pit box | out")
    {'pit-box': 'Pit box', 'out': 'out'}
    """
    keys = (re.sub(r"[^a-z0-9]+", "-", one.lower()).strip("-") for one in phrases(messages))
    return dict(zip(keys, phrases(messages), strict=True))


class Words:
    """One language: called with a message it answers with that message's translation."""

    __slots__ = ("_catalogue", "_said", "language")

    def __init__(self, language: str, catalogue: gettext.NullTranslations) -> None:
        self.language = language
        self._catalogue = catalogue
        self._said: dict[str, str] = {}  # a screen says the same few hundred messages

    def __call__(self, message: str, /, **places: Any) -> str:
        """The message in this language, its `{places}` filled in."""
        text = self._said.get(message)
        if text is None:
            text = self._said[message] = self._catalogue.gettext(message)
        return text.format_map(places) if places else text

    def fitting(self, message: str, columns: int, /, *, name: str, **places: Any) -> str:
        """The message with its `{name}` cut so far that it fits a width.

        >>> words("en").fitting("{name} plays", 14, name="Anthony Noghès")
        'Anthony… plays'
        """
        room = columns - len(self(message, name="", **places))
        return fit(self(message, name=fit(name, max(room, 1)), **places), columns)

    def many(self, one: str, other: str, n: float, /, **places: Any) -> str:
        """The form of the message that goes with the number `n`, which is `{n}` in it."""
        whole = int(n) if n == int(n) else 2  # of no language here is half a point one point
        return self._catalogue.ngettext(one, other, whole).format_map({"n": n, **places})

    def nth(self, n: int) -> str:
        """The ordinal of a space or a place, n ≥ 1.

        >>> [words("en").nth(n) for n in (1, 2, 3, 4, 11, 21)]
        ['1st', '2nd', '3rd', '4th', '11th', '21st']
        """
        if n == 1:
            return self(phrase("1st"))
        if n % 100 in (11, 12, 13):
            return self("{n}th", n=n)
        endings = {1: phrase("{n}st"), 2: phrase("{n}nd"), 3: phrase("{n}rd")}
        return self(endings.get(n % 10, phrase("{n}th")), n=n)

    def tenths(self, n: float) -> str:
        """A number with one decimal, as the language writes it.

        >>> words("fr").tenths(0.44)
        '0,4'
        """
        return self.number(n, ".1f")

    def number(self, n: float, form: str) -> str:
        """A number in a form of `format`, with the decimal point of the language.

        >>> words("de").number(1.25, "+.2f")
        '+1,25'
        """
        return format(n, form).replace(".", self(phrase("0.5"))[1])


@cache
def words(language: str) -> Words:
    """The words of a language; English where there is no catalogue of it.

    A catalogue is read once, on first use, and never changes while the program runs.
    """
    home = LOCALE / language / "LC_MESSAGES" / "companion.mo"
    if language not in LANGUAGES or not home.is_file():
        return Words("en", gettext.NullTranslations())
    with home.open("rb") as catalogue:
        return Words(language, gettext.GNUTranslations(catalogue))


def fit(text: str, columns: int = LINE_COLUMNS) -> str:
    """The text cut to a width, with … where something is missing.

    >>> fit("Sainte-Dévote", 7)
    'Sainte…'
    """
    return text if len(text) <= columns else text[: columns - 1].rstrip() + "…"


def range_text(outcome: Sequence[int]) -> str:
    """The numbers of a range: "1–4", or "20" where it is one.

    >>> range_text([1, 4]), range_text([20, 20])
    ('1–4', '20')
    """
    low, high = outcome
    return str(low) if low == high else f"{low}–{high}"


def wrap(text: str, lines: int, columns: int = LINE_COLUMNS) -> tuple[str, ...]:
    """The text broken into at most `lines` lines; the last is cut where it does not fit."""
    broken = textwrap.wrap(text, columns) or [""]
    if len(broken) <= lines:
        return tuple(broken)
    return (*broken[: lines - 1], fit(" ".join(broken[lines - 1 :]), columns))
