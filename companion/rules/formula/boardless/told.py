"""What is told of a report: the report, and what cannot be so or has been left out.

A doubt refuses nothing and charges nothing: the table sees the board. It is a sentence that
names what is possible; what has been counted stands in `Reported`.
"""

from __future__ import annotations

from enum import StrEnum

from companion.rules.formula.car import Reckoning
from companion.rules.formula.state import Event, State
from companion.rules.formula.tables import BRAKES
from companion.rules.formula.wear import one


class Reported(Event):
    """A seat reported its move of so many spaces; `how`: move, great or fast.

    `stops` are the stops left in the corner where it ended, before this move's own is marked;
    `place` is the corner of the card that it is in or comes to next, from 0; `depth`, `line_due`
    and `run` are the car's from now on. The rest is said in `Report`.
    """

    spaces: int
    how: str
    brakes: int
    overshoot: int
    missing: int
    blocked: int
    touched: tuple[int, ...]
    debris: int
    corner: bool
    line: bool
    pit: bool
    next: bool
    stops: int
    place: int
    depth: tuple[int, int]
    line_due: bool
    run: int

    def applied(self, state: State) -> State:
        state = state.worn(self.seat, one(BRAKES, self.brakes))
        reckoning = Reckoning(self.place, self.depth, self.line_due, self.run)
        return state.change(self.seat, stops=self.stops, reckoning=reckoning)


class About(StrEnum):
    """What is doubted of a report; `corner` and `n` of the event are said with each."""

    STILL = "still"
    """Left the corner, which is `n` spaces long at least: it is in it, and its stop counts."""
    GONE = "gone"
    """No overshoot, with a stop missing in a corner that is `n` spaces long at most."""
    SHORT = "short"
    """No stop and no overshoot, with `n` stops missing in the corner."""
    DONE = "done"
    """An overshoot of a corner that has its `n` stops."""
    MISSING = "missing"
    """Another number of stops missing than `n`."""
    THROUGH = "through"
    """An overshoot of a corner that the move cannot pass, which is `n` spaces long at least."""
    BEYOND = "beyond"
    """Farther beyond the corner than the `n` spaces that are possible."""
    ROUND = "round"
    """The line, with `n` spaces of corners still before it at least, this one the next."""
    HOME = "home"
    """A stop behind the last corner of the last lap, and no line."""


class Doubted(Event):
    """A report cannot be so by the figures; `corner` is a label of the card."""

    about: str
    corner: str
    n: int


class LineFollowed(Event):
    """A car has stopped in a corner (or overshot it) behind the line, and nobody said the line."""
