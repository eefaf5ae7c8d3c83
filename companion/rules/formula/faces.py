"""The faces of the physical gear dice, which FD-DIE-1 gives the ranges of."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Final

GEAR_FACES: Final[Mapping[int, tuple[int, ...]]] = MappingProxyType(
    {
        1: (1, 1, 2, 2),
        2: (2, 3, 3, 4, 4, 4),
        3: (4, 5, 6, 6, 7, 7, 8, 8),
        4: tuple(range(7, 13)) * 2,
        5: tuple(range(11, 21)) * 2,
        6: tuple(range(21, 31)) * 3,
    }
)
"""By gear; the dice have 4, 6, 8, 12, 20 and 30 sides."""


def mean_face(gear: int) -> Fraction:
    """What the die of a gear shows in the long run.

    >>> mean_face(2), float(mean_face(4))
    (Fraction(10, 3), 9.5)
    """
    faces = GEAR_FACES[gear]
    return Fraction(sum(faces), len(faces))
