"""What the tires do: the soft bonus, the slide in rain, what an overshoot costs (FD-TIRE)."""

from __future__ import annotations

from companion.rules.formula.state import Car, State, Status
from companion.rules.formula.tables import OVERSHOOT, SLIDE, SOFT_DRY_BY_THE_LETTER
from companion.rules.formula.urban.drivers import driver_of, is_urban


def slide_of(state: State, car: Car) -> int:
    """The spaces by which this car slides on a move that touches a corner (FD-TIRE-6).

    FD-WEATHER-4: without `tires` nobody slides, except in urban races.
    """
    if not state.raining:
        return 0
    if is_urban(state):
        return driver_of(car).slide
    return SLIDE[car.tires] if "tires" in state.setup.rules else 0


def overshoot_factor(state: State, car: Car) -> int:
    """How many tires WP a space beyond a limit costs, by kind, weather and lap on the set.

    FD-TIRE-2 to FD-TIRE-5; the house switch `soft_second_lap` decides the second lap of soft
    tires in the dry.
    """
    if car.tires == "hard":
        return 1
    by_lap: tuple[int, ...] = OVERSHOOT[car.tires, state.raining]
    if (car.tires, state.raining) == ("soft", False) and state.setup.soft_second_lap == "single":
        by_lap = SOFT_DRY_BY_THE_LETTER
    return by_lap[min(car.tires_lap, len(by_lap)) - 1]


def has_bonus(state: State, car: Car) -> bool:
    """FD-TIRE-3: soft, dry, in the first lap on them; FD-TECH-2: not as it leaves the pit."""
    leaves_pit = car.status is Status.PIT and car.served
    return (
        car.tires == "soft"
        and "tires" in state.setup.rules
        and not state.raining
        and car.tires_lap == 1
        and not leaves_pit
    )
