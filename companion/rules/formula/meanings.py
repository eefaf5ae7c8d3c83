"""What the black die is rolled for, and what each of its numbers then does."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from companion.frozen import dataclass


class Reason(StrEnum):
    """What the black die is rolled for."""

    GRID = "grid"
    START = "start"
    COLLISION = "collision"
    ENGINE = "engine"
    DEBRIS = "debris"
    PIT = "pit"
    WEATHER = "weather"
    NOISE = "noise"
    RADIO = "radio"


@dataclass(frozen=True, slots=True)
class Unhurt:
    """Nothing happens."""


@dataclass(frozen=True, slots=True)
class Loses:
    """A point of this category (an index into `tables.CATEGORIES`) is lost."""

    category: int


@dataclass(frozen=True, slots=True)
class Starts:
    """The start is stalled, normal, great, or double (FD-START-2 to FD-START-4, DE-START-1)."""

    how: str


@dataclass(frozen=True, slots=True)
class LeavesPit:
    """The car leaves its box at once by so many spaces; 0: it stays until its next turn."""

    spaces: int


@dataclass(frozen=True, slots=True)
class Sky:
    """This line of the weather table is hit: fine, variable or rain."""

    line: str


Meaning = Unhurt | Loses | Starts | LeavesPit | Sky | None
"""What an outcome of the black die does; None: the number itself counts (FD-GRID-1)."""


class Outcome(NamedTuple):
    """The numbers of the black die from `low` to `high`, both included, and what they do."""

    low: int
    high: int
    meaning: Meaning = None
