"""The records of a move over the board: what stands in its way, and where it may end."""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

Trail = tuple[int, ...]
"""The debris spaces that a way crosses, in order."""


class Arrival(NamedTuple):
    """The end of the ways of one length that agree in all that has consequences.

    `debris` are the spaces crossed, in order; `line` tells whether the finish line was passed.
    Of an overshoot: `beyond` are the tires that it asks for (FD-CORNER-2, FD-CORNER-5),
    `spaces` those moved beyond the first limit (0: no overshoot), `corner` the first corner
    overshot (or -1), `fatal` whether two stops or more were missing somewhere (FD-CORNER-3).
    Where it matters: `touched` is the step that first touched a corner (0: none did; only
    looked for where a car slides), `passed` whether Li-Tsu was passed (FD-DRV-1).
    """

    space: int
    debris: Trail
    line: bool = False
    beyond: int = 0
    spaces: int = 0
    corner: int = -1
    fatal: bool = False
    touched: int = 0
    passed: bool = False


class Ends(NamedTuple):
    """Ends of one move: the spaces moved by now, and how many more there should have been.

    `charmed` tells that passing Li-Tsu has made the move a space shorter (FD-DRV-1).
    """

    spaces: int
    blocked: int
    arrivals: list[Arrival]
    charmed: bool = False


class Traffic(NamedTuple):
    """What lies on the board for one move: other cars, debris, and who moves.

    `stops` are those made in the corner in which the move begins; `last_lap` whether passing
    the line finishes the race; `whole` that FD-MOVE-4 holds in corners too.
    In a `trial` a stop made is enough to go on (FD-TRIAL-3). `done` is a corner in which the car
    does not slide any more, -1 for none.
    """

    taken: Set[int]
    debris: Set[int] = frozenset()
    stops: int = 0
    last_lap: bool = False
    whole: bool = False
    trial: bool = False
    done: int = -1

    def missing(self, needed: int, made: int) -> int:
        """Stops missing in a corner: 1 is an overshoot, more end the drive (FD-CORNER-3)."""
        missing = max(0, needed - made)
        return min(missing, 1) if self.trial and made else missing
