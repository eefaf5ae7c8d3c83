"""The categories of wear points, and what a choice costs, in the seven columns of a key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.views.words import HINT_COLUMNS, KEY_COLUMNS, Words


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


BRIEF_COLUMNS = 5


def wear_word(category: str, say: Words) -> str:
    """A category by its name; one that is unheard-of stays as it is."""
    return say(WEAR[category].name) if category in WEAR else category


def wear_key(category: str, say: Words) -> str:
    """A category in the width of a key: its first word, or the beginning of that."""
    return wear_word(category, say).partition(" ")[0][:KEY_COLUMNS]


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
