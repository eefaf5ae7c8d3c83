"""What a choice costs, in the seven columns of a key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.views.model import Mark
from companion.views.words import KEY_COLUMNS, Words, phrase

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
    "tires": phrase("T{n}"),
    "brakes": phrase("B{n}"),
    "gearbox": phrase("G{n}"),
    "fuel": phrase("F{n}"),
    "body": phrase("Y{n}"),
    "engine": phrase("E{n}"),
    "handling": phrase("H{n}"),
}
"""A loss in one of several categories on a key."""


def cost_key(cost: Mapping[str, int], say: Words) -> str:
    """The wear points lost: "tires−2", or "T2B1" where several categories lose; "" for none."""
    lost = [(category, cost[category]) for category in CATEGORIES if cost.get(category)]
    if len(lost) == 1:
        category, n = lost[0]
        word = say(WEAR_SHORT[category], n=n)
        return word if len(word) <= KEY_COLUMNS else say(WEAR_LETTER[category], n=n)
    return "".join(say(WEAR_LETTER[category], n=n) for category, n in lost)


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


def move_remark(option: Mapping[str, Any], say: Words) -> str:
    """What a line says besides the place: blocked, debris on the way; "" for nothing."""
    told = []
    if option.get("blocked"):
        told.append(say("blocked"))
    if option.get("debris"):
        told.append(say.many("debris", "{n} debris", len(option["debris"])))
    return ", ".join(told)
