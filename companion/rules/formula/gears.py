"""Which gears a car may engage, and what they cost (FD-GEAR, FD-REV, FD-PIT-2)."""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.formula.state import Car, Status
from companion.rules.formula.tables import ENGINE, GEARBOX, OVER_REV_COST, PIT_GEAR, TOP_GEAR
from companion.rules.formula.wear import NOTHING, Wear, affords, as_wear


@dataclass(frozen=True, slots=True)
class GearChoice:
    """A gear on offer: what an over-rev costs, and whether it puts the car out."""

    gear: int
    cost: Wear = NOTHING
    skipped: int = 0
    out: bool = False


def gear_choices(car: Car, *, in_box: bool) -> list[GearChoice]:
    """The legal gears, ascending; `in_box` tells that the car leaves its box this turn.

    DE-PIT-2: nor is it in more than 4th in the turn after a fast stop.
    """
    if car.status in (Status.GRID, Status.STALLED, Status.SPUN):
        return [GearChoice(1)]
    if in_box and car.served:
        return [GearChoice(gear) for gear in range(1, PIT_GEAR + 1)]
    top = PIT_GEAR if car.pit_mark == "fresh" else min(car.gear + 1, TOP_GEAR)
    choices = (choose(car, gear) for gear in range(1, top + 1))
    return [choice for choice in choices if choice is not None]


def trial_gears(car: Car) -> list[GearChoice]:
    """FD-TRIAL-1: over-rev is free, 6th to 1st still impossible (FD-GEAR-3)."""
    if car.status is Status.GRID:
        return [GearChoice(1)]
    lowest = max(1, car.gear - max(OVER_REV_COST) - 1)
    return [GearChoice(gear) for gear in range(lowest, min(car.gear + 1, TOP_GEAR) + 1)]


def choose(car: Car, gear: int) -> GearChoice | None:
    """One gear for a car that runs; None where FD-GEAR-3 or FD-REV-2 forbid it."""
    skipped = car.gear - gear - 1
    if skipped < 1:
        return GearChoice(gear)
    table = OVER_REV_COST.get(skipped)
    if table is None:
        return None
    if car.status is Status.PIT:
        return GearChoice(gear)  # FD-PIT-3: no over-rev in the pit lane
    cost = as_wear(table)
    if not affords(car.wear, cost) or not car.wear[GEARBOX]:
        return None
    return GearChoice(
        gear, cost, skipped, out=cost[ENGINE] > 0 and car.wear[ENGINE] <= cost[ENGINE]
    )
