"""A small sound track file for tests, and how to spoil it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

SOUND = """\
name = "Oval"
lanes = ["l", "m", "r"]
grid = ["l3", "r3"]
finish = { l = 4, m = 5, r = 5 }

[weather]
rain = "1-7"
variable = "8"
fine = "9-20"

[pit]
spaces = 4
entry = ["r1", "S1.r2"]
exit = ["r7"]
boxes = [2, 3]

[[section]]
kind = "straight"
spaces = [6, 7, 8]
lead = "left"
closed = ["m7>r8"]

[[section]]
kind = "corner"
name = "East"
stops = 1
turns = "right"
spaces = [6, 4, 2]
changes = ["l1>m1", "l2>m2", "l3>m3", "l5>m4", "l6>S2.m1", "m1>r1", "m2>r2", "m4>S2.r1"]
beside = [
    "l1|S1.m7", "l2|m1", "l3|m2", "l4|m3", "l5|m3", "l6|m4",
    "m1|S1.r8", "m2|r1", "m3|r2", "m4|r2",
]
shortest = 2
longest = 6

[[section]]
kind = "straight"
spaces = [6, 7, 8]
lead = "left"
closed = ["m7>r8"]

[[section]]
kind = "corner"
name = "West"
stops = 2
turns = "right"
spaces = [6, 4, 2]
shortest = 2
longest = 6
"""


@pytest.fixture
def sound() -> str:
    """A track file without a fault: two straights, two corners to the right, a pit."""
    return SOUND


@pytest.fixture
def spoiled() -> Callable[[str, str], str]:
    """The sound file with one place changed: the first occurrence of a text replaced."""

    def spoil(old: str, new: str) -> str:
        assert old in SOUND, old
        return SOUND.replace(old, new, 1)

    return spoil
