"""What a choice costs, in the seven columns of a key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.views.model import Mark
from companion.views.words import HINT_COLUMNS, Words, phrase

CATEGORIES = ("tires", "brakes", "gearbox", "fuel", "body", "engine", "handling")
"""The categories of wear points in the order of the card; Formule Dé has fuel for gearbox."""

WEAR = {
    "tires": phrase("tires"),
    "brakes": phrase("brakes"),
    "gearbox": phrase("gearbox"),
    "fuel": phrase("fuel"),
    "body": phrase("body"),
    "engine": phrase("engine"),
    "handling": phrase("handling"),
}

WEAR_SHORT = {
    "tires": phrase("tires−{n}"),
    "brakes": phrase("brake−{n}"),
    "gearbox": phrase("gear−{n}"),
    "fuel": phrase("fuel−{n}"),
    "body": phrase("body−{n}"),
    "engine": phrase("motor−{n}"),
    "handling": phrase("road−{n}"),
}
"""A loss in one category on a key."""

WEAR_LETTER = {
    "tires": phrase("T"),
    "brakes": phrase("B"),
    "gearbox": phrase("G"),
    "fuel": phrase("F"),
    "body": phrase("Y"),
    "engine": phrase("E"),
    "handling": phrase("H"),
}
"""A category in one column, where several lose or a key is narrow."""


def wear_brief(category: str, say: Words) -> str:
    """A category in five columns: the word of its `WEAR_SHORT`, without the figure."""
    return say(WEAR_SHORT[category], n="").rstrip("−")


def cost_key(cost: Mapping[str, int], say: Words) -> str:
    """The wear points lost: "tires−2", or "−2TB" where several categories lose; "" for none."""
    lost = [(category, cost[category]) for category in CATEGORIES if cost.get(category)]
    if len(lost) == 1:
        category, n = lost[0]
        word = say(WEAR_SHORT[category], n=n)
        return word if len(word) <= HINT_COLUMNS else cost_letters(cost, say)
    return cost_letters(cost, say)


def cost_letters(cost: Mapping[str, int], say: Words) -> str:
    """The wear points lost as letters, with a figure from two on: "−GB", "−2TB"; "" for none."""
    lost = [
        f"{cost[category] if cost[category] > 1 else ''}{say(WEAR_LETTER[category])}"
        for category in CATEGORIES
        if cost.get(category)
    ]
    return "−" + "".join(lost) if lost else ""


def move_hint(option: Mapping[str, Any], say: Words) -> tuple[str, Mark]:
    """The second line of a move's key and how the key is marked: the worst thing of all."""
    if option.get("out"):
        return say("OUT"), "out"
    cost = cost_key(option.get("cost", {}), say)
    if option.get("spin"):
        return say("spin"), "costs"
    if cost:
        return cost, "costs"
    if option.get("debris"):
        return say("debris"), "costs"
    return "", ""
