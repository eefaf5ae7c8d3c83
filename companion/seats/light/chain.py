"""What each light of the chain shows: no thread, no clock and no wire in here.

The chain begins with the five start lights; the seats follow, seat 1 first. A seat's lights have
the color of its car while it is asked, blink while its press stands refused, and are dark
otherwise. The five go on one after the other before the first round and out together; after
that they are blue in the rain, yellow while debris lies on the road, both in turn where both are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from companion.frozen import dataclass
from companion.table.ports import Lamp

FIVE = 5
LIGHT_S = 0.7
"""From one start light to the next; the television shows them at the same pace."""
BLINK_S = 0.5

Color = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""
DARK: Color = (0, 0, 0)
START: Color = (255, 0, 0)
RAIN: Color = (0, 0, 255)
DEBRIS: Color = (255, 150, 0)
CARS: Mapping[str, Color] = MappingProxyType(
    {
        "red": (255, 0, 0),
        "blue": (0, 0, 255),
        "yellow": (255, 180, 0),
        "green": (0, 255, 0),
        "black": (255, 255, 255),  # a light cannot be black: the black car's is white
        "orange": (255, 70, 0),
        "violet": (110, 0, 255),
        "cyan": (0, 200, 200),
        "pink": (255, 40, 110),
        "brown": (90, 25, 0),
    }
)
"""The light of each color of a car: what a diode shows of it, not what a screen does."""


@dataclass(frozen=True, slots=True)
class Chain:
    """How a chain is built: so many seats, `each` lights a seat, behind the five."""

    seats: int
    each: int = 1

    def __len__(self) -> int:
        return FIVE + self.seats * self.each


@dataclass(frozen=True, slots=True)
class Sight:
    """What the lights need to know of a table. `race` and `round` are None without a race."""

    lamps: Mapping[int, Lamp] = field(default_factory=dict)
    colors: Mapping[int, str] = field(default_factory=dict)
    race: str | None = None
    round: int | None = None
    raining: bool = False
    debris: bool = False


def begins(before: Sight, now: Sight) -> bool:
    """Whether the first round of a race has come between two sights of it."""
    return before.race == now.race and (before.round or 0) < 1 == now.round


def lights(chain: Chain, sight: Sight, elapsed: float, started: float) -> list[Color]:
    """The color of each light.

    Args:
        elapsed: seconds on the clock that blinking follows.
        started: seconds since the first round began; infinity where it was not seen.
    """
    shown = _five(sight, started)
    is_lit = elapsed % (2 * BLINK_S) < BLINK_S
    for seat in range(1, chain.seats + 1):
        lamp = sight.lamps.get(seat, "off")
        is_on = lamp == "on" or (lamp == "blinks" and is_lit)
        color = CARS.get(sight.colors.get(seat, ""), CARS["black"])
        shown += [color if is_on else DARK] * chain.each
    return shown


def rests(sight: Sight, started: float) -> bool:
    """Whether the lights stay as they are until the table changes."""
    return "blinks" not in sight.lamps.values() and started >= (FIVE + 1) * LIGHT_S


def _five(sight: Sight, started: float) -> list[Color]:
    if started < (FIVE + 1) * LIGHT_S:
        lit = min(int(started / LIGHT_S), FIVE)
        return [START] * lit + [DARK] * (FIVE - lit)
    even = RAIN if sight.raining else DEBRIS if sight.debris else DARK
    odd = DEBRIS if sight.debris else even
    return [odd if place % 2 else even for place in range(FIVE)]
