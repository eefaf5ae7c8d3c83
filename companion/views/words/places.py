"""Names of spaces, of wear and of colors, in the width of a line or a key.

People have no coordinates: a space of a corner is named by the corner, its lane and its place in
it; a space of a straight by its lane and how many spaces it lies before the next corner (the last
one is "1 before"). No id is ever shown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from companion.rules.board.track import IN_PIT, Track
from companion.views.words import HINT_COLUMNS, KEY_COLUMNS, Words, fit, keyed, phrase

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
    """How many spaces a space of a straight lies before the next corner, at least 1."""
    section = track.sections[track.section[space]]
    return section.spaces[track.lane[space]] - track.number[space] + 1


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
}
"""The categories in the order of the card; Formule Dé has fuel for gearbox."""


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
