"""The ten drivers of the urban races: the wear of their cars, and what each can do.

An ability is a figure or a word of this table; the modules beside it ask for it where the
flow of a turn comes by. A car without a driver is `NOBODY`, who can do nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.frozen import dataclass
from companion.rules.formula.state import Car, State
from companion.rules.formula.tables import START_WEAR
from companion.rules.formula.wear import Wear
from companion.rules.reading import bad

URBAN = "urban"
"""The name of the rule in a header."""
OF_URBAN = (URBAN,)
"""What pending steps of the street need to be on."""


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


def driver_of(car: Car) -> Driver:
    """Who drives a car."""
    return NOBODY if car.driver is None else DRIVERS[car.driver]


def is_urban(state: State) -> bool:
    """Whether this race is run through the streets."""
    return URBAN in state.setup.rules


def own_limit(state: State, seat: int, reason: str) -> int | None:
    """Up to which number the black die hurts this driver; None: as it hurts everybody."""
    car = state.cars.get(seat)
    return None if car is None else driver_of(car).hurts.get((reason, state.raining))


def refuse_other_driver(state: State, seat: int, kind: str, *, able: bool) -> None:
    """Refuse what only some driver can be asked for.

    Raises:
        Malformed: this seat's driver is not `able`.
    """
    if not able:
        name = driver_of(state.cars[seat]).name or "this car"
        bad("not-of-this-driver", f"{kind} is not for {name}", rule="FD-URBAN-1", name=kind)


def gallant(state: State, seats: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Seats that are equal on the grid: Diane goes before all others (FD-DRV-9)."""
    first = tuple(seat for seat in seats if driver_of(state.cars[seat]).first)
    rest = tuple(seat for seat in seats if seat not in first)
    return [group for group in (first, rest) if group]
