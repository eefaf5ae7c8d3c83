"""The figures of the urban races, and their ten drivers: each table with its rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.frozen import dataclass
from companion.rules.formula.tables import GEAR_DICE, START_WEAR
from companion.rules.formula.wear import Wear

URBAN_LAPS: Final = 1  # FD-URBAN-1: laps unless chosen

# FD-URBAN-3: what the black die hits in the noise zone, "" where the shot misses.
NOISE: Final = {(1, 15): "", (16, 18): "tires", (19, 19): "body", (20, 20): "engine"}

SPEED_OF_A_FACE: Final = 10  # FD-URBAN-5
TOP_FACE: Final = max(high for _, high in GEAR_DICE.values())  # FD-DIE-1
USUAL_RECOVERY: Final = 2  # FD-URBAN-7
POLICE_PRIZE: Final = 2  # FD-URBAN-5
DRIFT: Final = 1  # FD-DRV-2: spaces more or less
DRIFT_COST: Final = 1  # FD-DRV-2: tires WP
CHARM: Final = 1  # FD-DRV-1: spaces less

# FD-BUMP-2, FD-ENGINE-3, FD-DEBRIS-3: the last of these puts a car out; of the first two each
# leaves debris (FD-DEBRIS-1).
VITAL: Final = ("body", "engine", "handling")
LEAVES_DEBRIS: Final = ("body", "engine")

# -- drivers ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Driver:
    """One driver. `wear` stands in the order of `tables.CATEGORIES`.

    `hurts` are upper ends of hurting ranges that are the driver's own, by what is rolled for
    and whether it rains; `slide` are the spaces in rain. `regains` WP come back at the
    checkpoint, `nitro` spaces may be added to each nitro, `blows` is how often an opponent
    rolls in a collision. What is done at will or by others: `charms` those who pass, `drifts`,
    `throws` things, rolls the weather `twice`, goes `first` of equals, `litters` the road.
    `needs` is an optional rule without which the driver stays at home.
    """

    name: str
    wear: Wear
    hurts: Mapping[tuple[str, bool], int]
    slide: int = 3
    regains: int = 2
    nitro: int = 0
    blows: int = 1
    charms: bool = False
    drifts: bool = False
    throws: bool = False
    twice: bool = False
    needs: str | None = None
    first: bool = False
    litters: bool = False


_PLAIN: Mapping[tuple[str, bool], int] = {}
_ENGINE = {("engine", False): 3, ("engine", True): 2}
_DEBRIS = {("debris", False): 2, ("debris", True): 2}

_ALL = (
    Driver("Li-Tsu Sin", (7, 3, 2, 2, 3, 3), _PLAIN, charms=True),  # FD-DRV-1
    Driver("Jack Owens", (9, 2, 2, 2, 3, 2), _PLAIN, drifts=True),  # FD-DRV-2
    Driver("Stanley Washington", (7, 2, 3, 2, 3, 3), _PLAIN, throws=True),  # FD-DRV-3
    Driver("Dimitri Tzarof", (5, 4, 3, 3, 3, 4), _ENGINE),  # FD-DRV-4
    Driver(
        "Julien Marcellin", (8, 4, 2, 2, 3, 2), _PLAIN, slide=1, twice=True, needs="weather"
    ),  # FD-DRV-5
    Driver("Jenny Slivers", (4, 6, 2, 3, 3, 2), _PLAIN, regains=4),  # FD-DRV-6
    Driver("Montoya Cadena", (5, 5, 3, 2, 3, 2), _PLAIN, nitro=3),  # FD-DRV-7
    Driver("Derek Manson", (6, 3, 2, 4, 3, 3), _PLAIN, blows=2),  # FD-DRV-8
    Driver("Diane Montfort", (6, 4, 2, 3, 3, 3), _PLAIN, first=True),  # FD-DRV-9
    Driver("Temana Matahi", (6, 3, 3, 3, 3, 3), _DEBRIS, litters=True),  # FD-DRV-10
)

DRIVERS: Mapping[str, Driver] = {driver.name: driver for driver in _ALL}
"""The drivers by name, in the order of their rules."""

NOBODY = Driver("", START_WEAR, _PLAIN)
