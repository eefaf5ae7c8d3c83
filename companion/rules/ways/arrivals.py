"""The records of a move over the board: what stands in its way, and where it may end."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

Trail = tuple[int, ...]


class Arrival(NamedTuple):
    """The end of the ways of one length that agree in all that has consequences.

    `debris` are the spaces crossed, in order; `line` tells whether the finish line was passed.
    Of an overshoot: `beyond` are the tires that it asks for (FD-CORNER-2, FD-CORNER-5),
    `spaces` those moved beyond the first limit (0: no overshoot), `limits` the corners left so
    far with exactly one stop missing, `corner` the first corner overshot (or -1), `fatal`
    whether two stops or more were missing somewhere (FD-CORNER-3).
    """

    space: int
    debris: Trail
    line: bool = False
    beyond: int = 0
    spaces: int = 0
    limits: int = 0
    corner: int = -1
    fatal: bool = False


@dataclass(frozen=True, slots=True)
class Traffic:
    """What lies on the board for one move: other cars, debris, and who moves.

    `stops` are those made in the corner in which the move begins; `last_lap` whether passing
    the line finishes the race; `whole` is the house switch `corner_ways: shortest`.
    In a `trial` a stop made is enough to go on (FD-TRIAL-3).
    """

    taken: Collection[int]
    debris: Collection[int] = frozenset()
    stops: int = 0
    last_lap: bool = False
    whole: bool = False
    trial: bool = False

    def missing(self, needed: int, made: int) -> int:
        """Stops missing in a corner: 1 is an overshoot, more end the drive (FD-CORNER-3)."""
        missing = max(0, needed - made)
        return min(missing, 1) if self.trial and made else missing


class Reach(Protocol):
    """Where the legal ways of a move end, by their length in spaces."""

    @property
    def furthest(self) -> int:
        """The greatest length that has a legal way (FD-BLOCK-2)."""

    def ends(self, length: int) -> Sequence[Arrival]:
        """The ends of all legal ways of exactly this length, 0 to `furthest`."""
