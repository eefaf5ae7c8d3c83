"""Levels: how far along the lap a space lies, for the turn order (FD-ORDER-1).

The spaces of the middle lane are counted from the finish line; the k-th has level 2k. A
space of another lane has the mean of the levels of the middle spaces that it lies beside,
taken along the lap without a jump at the line.
"""

from __future__ import annotations

from collections.abc import Sequence


def middle_lane(lanes: int) -> int:
    """The lane that levels are counted on: the middle one, of an even number the left.

    >>> middle_lane(3), middle_lane(2)
    (1, 0)
    """
    return (lanes - 1) // 2


def unroll(level: int, near: int, lap: int) -> int:
    """`level` moved by whole laps of `lap` levels to where it is nearest to `near`.

    >>> unroll(2, 332, 332), unroll(332, 2, 332), unroll(100, 90, 332)
    (334, 0, 100)
    """
    return level + lap * round((near - level) / lap)


def reduce_level(level: int, lap: int) -> int:
    """The level within one lap, 1 to `lap`.

    >>> reduce_level(333, 332), reduce_level(332, 332), reduce_level(0, 332)
    (1, 332, 332)
    """
    return (level - 1) % lap + 1


def mean_level(levels: Sequence[int], lap: int) -> int:
    """The mean of some levels of one neighbourhood, in 1 to `lap`, rounded down.

    >>> mean_level([332, 2], 332), mean_level([330, 332], 332)
    (1, 331)
    """
    flat = [unroll(level, levels[0], lap) for level in levels]
    return reduce_level(sum(flat) // len(flat), lap)


def space_levels(
    lane: Sequence[int], beside: Sequence[Sequence[int]], first: int, lanes: int
) -> tuple[list[int], int]:
    """The level of each space of the track (0: it lies beside nothing that has one), and
    the levels of a lap.

    Spaces are numbered in driving order within a lane; `first` is the first space of the
    middle lane past the line. Lanes beyond the neighbours of the middle one are counted
    outwards from lane to lane.
    """
    middle = middle_lane(lanes)
    counted = [space for space in range(len(lane)) if lane[space] == middle]
    start = counted.index(first)
    lap = 2 * len(counted)
    levels = [0] * len(lane)
    for number, space in enumerate(counted[start:] + counted[:start], 1):
        levels[space] = 2 * number
    for outward in sorted(set(range(lanes)) - {middle}, key=lambda other: abs(other - middle)):
        inner = outward + (1 if outward < middle else -1)
        for space in range(len(lane)):
            if lane[space] == outward:
                known = [levels[s] for s in beside[space] if lane[s] == inner and levels[s]]
                levels[space] = mean_level(known, lap) if known else 0
    return levels, lap


def hold_to_line(level: int, lap: int, lanes: int, *, past_line: bool) -> int:
    """The level of a space of the line's section, kept on its own side of the line.

    Where the line jogs, a space before it may lie beside a space past it; it is still the
    last of its lap (and the other way round). The jog is a space a lane at most.

    >>> hold_to_line(1, 332, 3, past_line=False), hold_to_line(1, 332, 3, past_line=True)
    (332, 1)
    """
    reach = 2 * lanes
    if past_line:
        return 1 if level > lap - reach else level
    return lap if level <= reach else level


def pit_levels(entry: int, first_exit: int, spaces: int, lap: int) -> list[int]:
    """Levels of a pit lane of n spaces, counted on over the line.

    Space k has a + (b − a)·k/(n + 1), rounded down; a and b are the levels of the last
    entry space and the first exit space.

    >>> pit_levels(301, 3, 18, 332)[0], pit_levels(301, 3, 18, 332)[-1]
    (302, 333)
    """
    reach = (first_exit - entry) % lap
    return [entry + reach * k // (spaces + 1) for k in range(1, spaces + 1)]
