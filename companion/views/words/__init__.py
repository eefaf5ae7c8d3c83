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

Names of spaces stand here too, in the width of a line or a key. People have no coordinates: a space
of a corner is named by the corner, its lane and its place in it; a space of a straight by its lane
and how many spaces it lies before the next corner. No id is ever shown.
"""

from __future__ import annotations

import gettext
import re
import textwrap
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from companion.rules.board.track import IN_PIT, Track

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


@cache
def read_texts(file: Path) -> dict[str, dict[str, str]]:
    """Tables of messages, each by its key, out of a TOML file beside the module that says them."""
    return tomllib.loads(file.read_text("utf-8"))


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
        """The message, its `{name}` cut as far as it must be to fit a width.

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
        # A catalogue translates "0.5" only for the sign between its digits.
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


# -- places, wear and colors ----------------------------------------------------------------------


LANES = {
    1: (phrase("left"),),
    2: (phrase("left"), phrase("right")),
    3: (phrase("left"), phrase("middle"), phrase("right")),
    4: (phrase("lane 1"), phrase("lane 2"), phrase("lane 3"), phrase("lane 4")),
}
"""Words for the lanes of a board by how many it has, left to right."""


def lane_word(track: Track, lane: int, say: Words) -> str:
    """The word for a lane by its index; the number of the lane on an unheard-of board."""
    known = LANES.get(len(track.lanes))
    return say(known[lane]) if known else str(lane + 1)


def lane_letter(track: Track, lane: int, say: Words) -> str:
    """The lane in one column, for a list of places; of four and more its number."""
    return lane_word(track, lane, say)[0].upper() if len(track.lanes) < 4 else str(lane + 1)


NAMES_KEPT = 1024
"""A press tells the place of every car in every language, and most cars have not moved."""
NUMBERED = re.compile(r"Corner (\d+)")


@lru_cache(maxsize=NAMES_KEPT)
def corner_name(track: Track, corner: int, say: Words) -> str:
    """The name of a corner, or "corner 3" where the board prints none.

    Sketches of boards call theirs "Corner 3" too: that is no name, and is said as any word.
    """
    printed = track.sections[track.corners[corner].section].name
    numbered = NUMBERED.fullmatch(printed or "")
    if numbered:
        return say("Corner {n}", n=numbered[1])
    return printed or say("corner {n}", n=corner + 1)


def before_corner(track: Track, space: int) -> int:
    """How many spaces a space lies before the next corner in its lane, at least 1.

    Of a space in a corner that is the one behind it.
    """
    here, lane = track.section[space], track.lane[space]
    left = track.sections[here].spaces[lane] - track.number[space] + 1
    behind = track.sections[(here + 1) % len(track.sections)]
    straight = track.corner[space] >= 0 and behind.kind != "corner"
    return left + behind.spaces[lane] * straight


@lru_cache(maxsize=NAMES_KEPT)
def place_name(track: Track, space: int, say: Words, owner: int | None = None) -> str:
    """The full name: "middle, 3 before Loews", "Loews, left, 2nd", "pit lane 4", "your box".

    `owner` is the number of the box of the one who reads it; other boxes have their number.
    """
    number = track.number[space]
    if track.straight[space] == IN_PIT:
        return _pit_name(track, space, say, owner)
    lane = lane_word(track, track.lane[space], say)
    corner = corner_name(track, track.next_corner[space], say)
    if track.corner[space] >= 0:
        return say("{corner}, {lane}, {nth}", corner=corner, lane=lane, nth=say.nth(number))
    n = before_corner(track, space)
    return say("{lane}, {n} before {corner}", lane=lane, n=n, corner=corner)


def spot(track: Track, space: int, say: Words) -> str:
    """The name without its lane: "3 before Loews", "Loews, 2nd"; of the pit the whole."""
    if track.straight[space] == IN_PIT:
        return _pit_name(track, space, say, None)
    corner = corner_name(track, track.next_corner[space], say)
    if track.corner[space] >= 0:
        return say("{corner}, {nth}", corner=corner, nth=say.nth(track.number[space]))
    return say("{n} before {corner}", n=before_corner(track, space), corner=corner)


def _pit_name(track: Track, space: int, say: Words, owner: int | None) -> str:
    number = track.number[space]
    if space not in track.boxes:
        return say("pit lane {n}", n=number)
    return say("your box") if number == owner else say("box {n}", n=number)


def place_line(track: Track, space: int, say: Words, columns: int, owner: int | None = None) -> str:
    """The name on one line, the lane as a letter: "M 3 before Loews", "L Loews, 2nd".

    Where the line is too short it is the corner's name that is cut.
    """
    if track.straight[space] == IN_PIT:
        return fit(_pit_name(track, space, say, owner), columns)
    lane = lane_letter(track, track.lane[space], say)
    name = corner_name(track, track.next_corner[space], say)
    nth = say.nth(track.number[space])
    inside = track.corner[space] >= 0
    pattern = phrase("{lane} {corner}, {nth}") if inside else phrase("{lane} {n} before {corner}")
    n = 0 if inside else before_corner(track, space)
    bare = say(pattern, lane=lane, n=n, nth=nth, corner="")
    return say(pattern, lane=lane, n=n, nth=nth, corner=_cut(name, columns - len(bare)))


def place_key(
    track: Track, space: int, say: Words, owner: int | None = None, columns: int = KEY_COLUMNS
) -> str:
    """The short form that fits a key: "3→Loews", "Loews 2", "pit 4", "box"."""
    number = track.number[space]
    if track.straight[space] == IN_PIT:
        if space not in track.boxes:
            return fit(say("pit {n}", n=number), columns)
        return say("box") if number == owner else fit(say("box {n}", n=number), columns)
    name = corner_name(track, track.next_corner[space], say)
    if track.corner[space] >= 0:
        return f"{_short(name, columns - 1 - len(str(number)))} {number}"
    n = before_corner(track, space)
    return f"{n}→{_short(name, columns - 1 - len(str(n)))}"


def _cut(name: str, columns: int) -> str:
    """The name in a width; a number at its end ("Casino 2") is kept."""
    head, _, tail = name.rpartition(" ")
    if len(name) <= columns or not tail.isdigit():
        return fit(name, columns)
    return fit(head, columns - len(tail)) + tail


def _short(name: str, columns: int) -> str:
    """The beginning of a name, without a sign for what is missing: on a key each column counts."""
    head, _, tail = name.rpartition(" ")
    if len(name) <= columns:
        return name
    return head[: columns - len(tail)] + tail if tail.isdigit() else name[:columns]


# -- the categories of wear, and what a choice costs ----------------------------------------------


class WearWords(NamedTuple):
    """A category: its name, a loss in it on a key, and one column where several lose.

    What does not fit is the beginning of the name: gearbox is never "gear", which is a number.
    """

    name: str
    loss: str
    letter: str


WEAR = {
    "tires": WearWords("tires", "tires−{n}", "T"),
    "brakes": WearWords("brakes", "brakes−{n}", "B"),
    "gearbox": WearWords("gearbox", "gearb.−{n}", "G"),
    "fuel": WearWords("fuel", "fuel−{n}", "F"),
    "body": WearWords("body", "body−{n}", "Y"),
    "engine": WearWords("engine", "engine−{n}", "E"),
    "handling": WearWords("handling", "handl.−{n}", "H"),
    "points": WearWords("points", "points−{n}", "P"),
}
"""The categories in the order of the card; Formule Dé has fuel for gearbox, the basic game one
pool."""


def wear_word(category: str, say: Words) -> str:
    """A category by its name; one that is unheard-of stays as it is."""
    return say(WEAR[category].name) if category in WEAR else category


def wear_key(category: str, say: Words) -> str:
    """A category in the width of a key: its first word, or the beginning of that."""
    return wear_word(category, say).partition(" ")[0][:KEY_COLUMNS]


BRIEF_COLUMNS = 5


def wear_brief(category: str, say: Words) -> str:
    """A category in five columns: the beginning of its name."""
    return wear_word(category, say)[:BRIEF_COLUMNS]


def wear_loss(category: str, points: int | str, say: Words) -> str:
    """A loss in one category on a key: "tires−2"."""
    return say(WEAR[category].loss, n=points)


def cost_words(cost: Mapping[str, int], say: Words) -> str:
    """The wear points lost, in full words: "−2 tires, −1 brakes"; "" for none."""
    if cost.get("points"):
        return say.many("−{n} point", "−{n} points", cost["points"])
    return ", ".join(f"−{cost[one]} {wear_word(one, say)}" for one in WEAR if cost.get(one))


def cost_key(cost: Mapping[str, int], say: Words) -> str:
    """The wear points lost: "tires−2", or "−2TB" where several categories lose; "" for none."""
    lost = [(category, cost[category]) for category in WEAR if cost.get(category)]
    word = wear_loss(*lost[0], say) if len(lost) == 1 else ""
    return word if word and len(word) <= HINT_COLUMNS else cost_letters(cost, say)


def cost_letters(cost: Mapping[str, int], say: Words) -> str:
    """The wear points lost as letters, with a figure from two on: "−GB", "−2TB"; "" for none."""
    lost = [
        f"{cost[category] if cost[category] > 1 else ''}{say(words.letter)}"
        for category, words in WEAR.items()
        if cost.get(category)
    ]
    return "−" + "".join(lost) if lost else ""


COLOR_WORDS = keyed("red | blue | yellow | green | black | orange | violet | cyan | pink | brown")
"""The colors of cars, each in words that fit a key."""
