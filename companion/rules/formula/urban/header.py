"""What a header says of an urban race: its drivers, and what does not go with it (FD-URBAN-1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from companion.rules.formula.state import Car
from companion.rules.formula.urban.drivers import DRIVERS, NOBODY, URBAN, Driver
from companion.rules.reading import bad

# Urban cars have the wear of their drivers, hard tires, and no pit to stop in.
NOT_WITH_URBAN = {
    "build": "the cars have the wear of their drivers",
    "tires": "the cars run on hard tires",
    "technical": "there are no pits",
}


def refuse_with_urban(rules: Iterable[str]) -> None:
    """Refuse the optional rules that urban races leave no room for."""
    for rule in rules:
        if rule in NOT_WITH_URBAN:
            why = NOT_WITH_URBAN[rule]
            bad("not-with-urban", f"in urban races {why}; leave {rule} out",
                rule="FD-URBAN-1", name=rule)  # fmt: skip


def read_driver(told: Mapping[str, Any], rules: frozenset[str]) -> Driver:
    """The driver of a seat; in other races a driver is a name without a meaning.

    Raises:
        Malformed: none, one that is not known, or Julien Marcellin where no weather is played.
    """
    if URBAN not in rules:
        return NOBODY
    name = told.get("driver")
    if not isinstance(name, str) or name not in DRIVERS:
        known = ", ".join(DRIVERS)
        bad("driver-missing", f"in urban races a seat's driver is one of {known}, not {name!r:.40}",
            rule="FD-URBAN-1", name=str(name)[:40])  # fmt: skip
    driver = DRIVERS[name]
    if driver.rerolls and "weather" not in rules:
        bad("driver-needs-weather", f"{name} drives only where weather is played",
            rule="FD-URBAN-1", name=name)  # fmt: skip
    return driver


def refuse_shared_drivers(cars: Mapping[int, Car]) -> None:
    """Every driver is there once."""
    seats: dict[str, int] = {}
    for car in cars.values():
        if car.driver is None:
            continue
        if car.driver in seats:
            bad("driver-twice", f"seats {seats[car.driver]} and {car.seat} both are {car.driver}",
                rule="FD-URBAN-1", name=car.driver)  # fmt: skip
        seats[car.driver] = car.seat
