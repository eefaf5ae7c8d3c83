"""Who drives a car of the urban races, and what is his alone.

An ability is a figure or a word in the table of drivers (`tables`); the modules beside it ask for
it where the flow of a turn comes by. A car without a driver is `NOBODY`, who can do nothing.
"""

from __future__ import annotations

from companion.rules.formula.car import Car
from companion.rules.formula.state import State
from companion.rules.formula.urban.tables import DRIVERS, NOBODY, Driver
from companion.rules.reading import bad

URBAN = "urban"
"""The name of the rule in a header."""
OF_URBAN = (URBAN,)
"""What pending steps of the street need to be on."""


def driver_of(car: Car) -> Driver:
    """Who drives a car."""
    name = car.street.driver
    return NOBODY if name is None else DRIVERS[name]


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
