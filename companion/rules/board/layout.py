"""How the spaces of neighbouring lanes lie: straights and corners laid out from counts.

In a straight the lanes stand half a space apart, and a lane change goes to the first
space whose front is ahead. In a corner the outer lane has more spaces than the inner:
both are spread evenly between the limits, which the stagger of the straights makes
slanted, so that the outer lane reaches half a space of the inner one farther at either
end. A space of the inner lane is entered from the hindmost space of the outer lane that
it lies beside (where four spaces meet in a point, the hindmost one counts as beside).

A `Place` is (lane, number), and the numbers run on past the ends of the section: in a
lane of 7 spaces number 8 is the first space of the next section, number 0 the last space
of the section before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from companion.rules.board.track import Turn


class Place(NamedTuple):
    """A space seen from a section: index of the lane from the left, number from 1."""

    lane: int
    number: int


class Pair(NamedTuple):
    """Two places side by side; as a lane change from `start` to `end`."""

    start: Place
    end: Place


class Layout(NamedTuple):
    """The lane changes of a section, and its pairs side by side that are none."""

    changes: tuple[Pair, ...]
    beside: tuple[Pair, ...]


def neighbours(lanes: int) -> Iterator[tuple[int, int]]:
    """Each pair of neighbouring lanes, both ways round.

    >>> list(neighbours(3))
    [(0, 1), (1, 0), (1, 2), (2, 1)]
    """
    for left in range(lanes - 1):
        yield left, left + 1
        yield left + 1, left


def inward(lanes: int, turns: Turn) -> list[tuple[int, int]]:
    """The pairs of neighbouring lanes (outer, inner) of a corner.

    >>> inward(3, "right"), inward(3, "left")
    ([(0, 1), (1, 2)], [(1, 0), (2, 1)])
    """
    return [(a, b) for a, b in neighbours(lanes) if (b > a) == (turns == "right")]


def lay_straight(spaces: tuple[int, ...], lead: str) -> Layout:
    """All lane changes of a straight, the closed ones too.

    `lead` is the side whose lane stands farthest ahead, "left" or "right", or "level"
    where the lanes stand in line; there the spaces in line are side by side as well.

    >>> lay_straight((1, 2), "left").changes
    (Pair(start=Place(lane=0, number=1), end=Place(lane=1, number=2)), \
Pair(start=Place(lane=1, number=1), end=Place(lane=0, number=1)))
    """
    last = len(spaces) - 1
    halves = {"left": range(last, -1, -1), "right": range(last + 1), "level": [0] * (last + 1)}
    # the front of a space, in half spaces, is twice its number and this
    stagger = halves[lead]
    changes = [
        Pair(Place(lane, number), Place(other, target))
        for lane, other in neighbours(len(spaces))
        for number in range(1, spaces[lane] + 1)
        if (target := number + (stagger[lane] - stagger[other]) // 2 + 1) <= spaces[other]
    ]
    in_line = [
        Pair(Place(lane, number), Place(lane + 1, number))
        for lane in range(last)
        for number in range(1, min(spaces[lane], spaces[lane + 1]) + 1)
        if lead == "level"
    ]
    return Layout(tuple(changes), tuple(in_line))


def lay_corner(spaces: tuple[int, ...], turns: Turn) -> Layout:
    """A corner that turns one way, laid out from its counts."""
    pairs: list[Pair] = []
    for outer, inner in inward(len(spaces), turns):
        if spaces[outer] and spaces[inner]:
            pairs += _staircase(outer, spaces[outer], inner, spaces[inner])
    changes = changes_inward(pairs, spaces, turns)
    return Layout(changes, tuple(pair for pair in pairs if pair not in changes))


def hindmost(many: int, few: int, target: int) -> int:
    """The hindmost of `many` outer spaces beside space `target` of `few` inner ones.

    >>> [hindmost(7, 5, target) for target in range(1, 6)]
    [1, 2, 3, 5, 6]
    """
    half_inner_spaces = 2 * target - 1
    return max(1, -(-half_inner_spaces * many // (2 * few + 2)))


def _staircase(outer: int, many: int, inner: int, few: int) -> Iterator[Pair]:
    """All pairs of two lanes of a corner, each from the outer place to the inner one."""
    first = [1, *(hindmost(many, few, target) for target in range(1, few + 1)), many]
    last = [*first[1:], many]
    for target in range(few + 2):
        for number in range(first[target], last[target] + 1):
            yield Pair(Place(outer, number), Place(inner, target))


def changes_inward(pairs: Sequence[Pair], spaces: tuple[int, ...], turns: Turn) -> tuple[Pair, ...]:
    """The lane changes of a corner of which the pairs side by side are known.

    The hindmost outer space beside an inner one is the foremost beside the inner one
    behind it. So it does not matter whether `pairs` (either way round) hold the changes
    themselves or, as `beside` of a track file does, only the other pairs.
    """
    known = [*pairs, *(Pair(pair.end, pair.start) for pair in pairs)]
    changes = []
    for outer, inner in inward(len(spaces), turns):
        if not (spaces[outer] and spaces[inner]):
            continue
        entered_from = 1
        for target in range(1, spaces[inner] + 2):
            behind = Place(inner, target - 1)
            beside = [p.start.number for p in known if p.end == behind and p.start.lane == outer]
            entered_from = max(beside, default=entered_from)
            changes.append(Pair(Place(outer, entered_from), Place(inner, target)))
    return tuple(changes)
