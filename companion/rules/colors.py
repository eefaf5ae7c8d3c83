"""The ten colors of cars, by name: a header may give one to each seat, and the record keeps it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.rules.reading import one_of

COLORS = (
    "red", "blue", "yellow", "green", "black", "orange", "violet", "cyan", "pink", "brown",
)  # fmt: skip
"""Seat 1 is red unless it says otherwise, seat 2 blue, and so on."""


def read_color(value: object) -> str | None:
    """A color of a header; None: it names none.

    Raises:
        Malformed: there is no such color.
    """
    return None if value is None else one_of(value, "color", COLORS)


def share_out(seats: Iterable[int], chosen: Mapping[int, str]) -> dict[int, str]:
    """The color of each seat: the chosen one, else its own, else the first that is left.

    >>> share_out([1, 2, 3], {3: "red"})
    {1: 'yellow', 2: 'blue', 3: 'red'}
    """
    seats = list(seats)
    free = [color for color in COLORS if color not in chosen.values()]
    own = {seat: COLORS[(seat - 1) % len(COLORS)] for seat in seats}
    shared = {seat: chosen.get(seat) or own[seat] for seat in seats}
    doubled = [seat for seat in seats if seat not in chosen and own[seat] not in free]
    left = iter([color for color in free if color not in shared.values()])
    return shared | {seat: next(left, own[seat]) for seat in doubled}
