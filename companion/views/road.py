"""The road before a car, for a screen that can be touched: where it may end and what stands there.

Spaces are numbers of the board. What it looks like is `drawing/road.py`'s business.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from companion.frozen import dataclass
from companion.rules.board.track import Track

Price = Literal["free", "costly", "out"]


class Standing(NamedTuple):
    """A car in figures: its place, the lap it is in of how many, its gear (0: none yet)."""

    place: int | None = None
    lap: int | None = None
    laps: int | None = None
    gear: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """A space on which the move may end with so many brakes spent.

    `cost` names the categories that lose; `name` is the place and `says` the price, in words;
    `short` is the price in four columns. `button` ends the move there now, None: no key does.
    """

    to: int
    brakes: int
    button: int | None
    cost: Mapping[str, int]
    price: Price
    name: str
    says: str
    short: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Road:
    """What lies before the car of `seat`, which stands at `at`.

    `asked` is the kind of ask that the ends answer, "" where nothing may be touched. `ghost`
    is the space that is being talked of. `cars` are all others by seat.
    """

    track: Track
    seat: int
    at: int
    asked: str = ""
    ends: tuple[End, ...] = ()
    cars: Mapping[int, int]
    debris: tuple[int, ...] = ()
    ghost: int | None = None
    corners: Mapping[int, str]
    """The corners of the board by name."""
