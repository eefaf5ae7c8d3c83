"""Ways through one section of a board: circles (a fault) and the lengths of a corner.

The printed figures of a corner count its spaces on a way through: from the first space
of a lane to a space that leads out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from graphlib import CycleError, TopologicalSorter

Nexts = Sequence[Sequence[int]]


def circle(nexts: Nexts, spaces: frozenset[int]) -> list[int]:
    """A way that comes back to where it began without leaving these spaces; [] if none.

    >>> circle([[1], [2], [1]], frozenset({0, 1, 2}))
    [1, 2, 1]
    """
    try:
        TopologicalSorter(_steps(nexts, spaces)).prepare()
    except CycleError as error:
        found: list[int] = error.args[1]
        return found[::-1]
    return []


def ways_through(nexts: Nexts, spaces: frozenset[int], first: Iterable[int]) -> tuple[int, int]:
    """Spaces on the shortest and the longest way from one of `first` out of `spaces`.

    (0, 0) if no way leads out. The spaces hold no circle.

    >>> ways_through([[1, 2], [2], [3], []], frozenset({0, 1, 2}), [0])
    (2, 3)
    """
    inner = _steps(nexts, spaces)
    reach: dict[int, tuple[int, int]] = {}
    for space in TopologicalSorter(inner).static_order():  # what a space leads to comes first
        ways = [reach[end] for end in inner[space] if end in reach]
        if len(inner[space]) < len(nexts[space]):
            ways.append((0, 0))
        if ways:
            reach[space] = 1 + min(low for low, _ in ways), 1 + max(high for _, high in ways)
    through = [reach[space] for space in first if space in reach]
    if not through:
        return 0, 0
    return min(low for low, _ in through), max(high for _, high in through)


def _steps(nexts: Nexts, spaces: frozenset[int]) -> dict[int, list[int]]:
    return {space: [end for end in nexts[space] if end in spaces] for space in spaces}
