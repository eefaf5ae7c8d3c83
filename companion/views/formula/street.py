"""An urban race to its players: who drives, and what a car has not used up yet."""

from __future__ import annotations

from companion.rules.formula.urban.drivers import DRIVERS, URBAN
from companion.views.facts import car_of, rules_of
from companion.views.lobby.tables import DRIVERS as TOLD
from companion.views.lobby.tables import Driver
from companion.views.model import Scene
from companion.views.words import Words


def driver_told(scene: Scene, seat: int) -> Driver | None:
    """Who drives a seat's car, with what the driver can do; None where nobody special does."""
    if URBAN not in rules_of(scene):
        return None
    seats = (scene.header or {}).get("seats", ())
    name = next((entry.get("driver") for entry in seats if entry["seat"] == seat), None)
    return next((driver for driver in TOLD if driver.name == name), None)


def left_to_use(scene: Scene, seat: int, say: Words) -> list[str]:
    """What an urban car can still use, in a word each: the nitro and the trail of this lap,
    the radio of this race (FD-URBAN-2, FD-DRV-3, FD-DRV-10). A nitro that is gone says so."""
    told, car = driver_told(scene, seat), car_of(scene, seat)
    if told is None or car is None:
        return []
    driver = DRIVERS[told.name]
    words = [say("no nitro") if car.get("nitro") else say("nitro")]
    if driver.throws and not car.get("radio"):
        words.append(say("radio"))
    if driver.litters and not car.get("trail"):
        words.append(say("debris"))
    return words
