"""The categories of wear points, and what a choice costs, in the seven columns of a key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.views.words import HINT_COLUMNS, Words


class WearWords(NamedTuple):
    """A category: its name, a loss in it on a key, and one column where several lose."""

    name: str
    loss: str
    letter: str


WEAR = {
    "tires": WearWords("tires", "tires−{n}", "T"),
    "brakes": WearWords("brakes", "brake−{n}", "B"),
    "gearbox": WearWords("gearbox", "gear−{n}", "G"),
    "fuel": WearWords("fuel", "fuel−{n}", "F"),
    "body": WearWords("body", "body−{n}", "Y"),
    "engine": WearWords("engine", "motor−{n}", "E"),
    "handling": WearWords("handling", "road−{n}", "H"),
}
"""The categories in the order of the card; Formule Dé has fuel for gearbox."""


def wear_word(category: str, say: Words) -> str:
    """A category by its name; one that is unheard-of stays as it is."""
    return say(WEAR[category].name) if category in WEAR else category


def wear_brief(category: str, say: Words) -> str:
    """A category in five columns: the word of its loss, without the figure."""
    return wear_loss(category, "", say).rstrip("−")


def wear_loss(category: str, points: int | str, say: Words) -> str:
    """A loss in one category on a key: "tires−2"."""
    return say(WEAR[category].loss, n=points)


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
