"""Wear points as tuples in the order of the car's board, and their JSON words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from companion.rules.formula.tables import CATEGORIES

Wear = tuple[int, ...]
NOTHING: Wear = (0,) * len(CATEGORIES)


def as_wear(cost: Mapping[int, int]) -> Wear:
    """A table's cost (`{BRAKES: 1}`) as wear.

    >>> as_wear({1: 3, 0: 2})
    (2, 3, 0, 0, 0, 0)
    """
    return tuple(cost.get(category, 0) for category in range(len(CATEGORIES)))


def one(category: int, points: int = 1) -> Wear:
    """Wear of one category only."""
    return (*NOTHING[:category], points, *NOTHING[category + 1 :])


def total(wear: Wear, cost: Wear) -> Wear:
    """Two costs added."""
    return tuple([a + b for a, b in zip(wear, cost, strict=True)])


def less(wear: Wear, cost: Wear) -> Wear:
    """What is left; never below 0 (FD-CAR-2)."""
    return tuple([have - gone if have > gone else 0 for have, gone in zip(wear, cost, strict=True)])


def lost(wear: Wear, cost: Wear) -> Wear:
    """What a car can really lose of a cost: no more than it has (FD-CAR-2)."""
    return tuple([min(have, gone) for have, gone in zip(wear, cost, strict=True)])


def affords(wear: Wear, cost: Wear) -> bool:
    """Whether every point of the cost is there."""
    return all(have >= gone for have, gone in zip(wear, cost, strict=True))


def tell_wear(wear: Wear, names: tuple[str, ...] = CATEGORIES) -> dict[str, int]:
    """All six categories by the names of an edition, as STATE tells them."""
    return dict(zip(names, wear, strict=True))


def tell_cost(cost: Wear, names: tuple[str, ...] = CATEGORIES) -> dict[str, int]:
    """Only the categories that lose.

    >>> tell_cost((2, 0, 0, 0, 0, 0))
    {'tires': 2}
    """
    return dict(_named(cost, names))


@lru_cache(maxsize=1024)
def _named(cost: Wear, names: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """The categories that lose by their names; a race has few costs, and tells them often."""
    return tuple((name, points) for name, points in zip(names, cost, strict=True) if points)
