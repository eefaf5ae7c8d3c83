"""Few rows in which every pair of values meets: a small greedy choice among random draws.

Most faults that a mixture brings out need two values to meet, seldom three; rows that hold
every pair are a few hundred where all mixtures are millions. A value is a feature like
`("board", "monaco")`; a row may have several of a kind, as a race has several drivers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from random import Random
from typing import Protocol, TypeVar

Feature = tuple[str, object]
Pair = frozenset[Feature]


class Row(Protocol):
    """What can say of itself which features it has."""

    @property
    def features(self) -> Iterable[Feature]:
        """All of them."""

    @property
    def cost(self) -> float:
        """What it costs to try, beside the other rows."""


AnyRow = TypeVar("AnyRow", bound=Row)


def pairs_of(rows: Iterable[Row]) -> set[Pair]:
    """The pairs of features that meet in a row."""
    return {frozenset(pair) for row in rows for pair in combinations(sorted_features(row), 2)}


def sorted_features(row: Row) -> list[Feature]:
    """The features of a row in one order, whatever their values are."""
    return sorted(row.features, key=repr)


def cover(draw: Callable[[Random], AnyRow], count: int, *, seed: int, tries: int) -> list[AnyRow]:
    """`count` rows, each the draw of `tries` that brings most pairs not met yet for its cost."""
    dice, met, rows = Random(seed), set[int](), []
    numbers: dict[Feature, int] = {}

    def coded(row: Row) -> set[int]:
        """Its pairs as whole numbers, which are many times faster to compare."""
        held = sorted({numbers.setdefault(one, len(numbers)) for one in row.features})
        return {one << 16 | other for one, other in combinations(held, 2)}

    for _ in range(count):
        drawn = [(row, coded(row) - met) for row in (draw(dice) for _ in range(tries))]
        best, new = max(drawn, key=lambda one: len(one[1]) / one[0].cost)
        rows.append(best)
        met |= new
    return rows
