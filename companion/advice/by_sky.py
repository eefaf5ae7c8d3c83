"""Which solved board tells of a moment: by the weather as it is, and the tires a car began on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from companion.advice.alone import Alone
from companion.advice.solve.model import USUAL, Sky
from companion.advice.solve.table import Table
from companion.rules.formula.settings import Setup
from companion.rules.formula.state import State
from companion.rules.formula.tables import CHANGEABLE, RAINS

Find = Callable[[Sky], Table | None]
"""The table of a race that is solved for this; None: there is none."""


class Figures(Protocol):
    """Whoever knows the values of a car alone."""

    def of(self, state: State, seat: int) -> Alone:
        """Those of a seat's car as the race stands."""


class BySky:
    """The values of one race, each table looked for once."""

    def __init__(self, setup: Setup, find: Find) -> None:
        self._setup, self._find = setup, find
        self._known: dict[Sky, Alone] = {}
        self._is_usual = not setup.rules & {"weather", "tires"}

    def of(self, state: State, seat: int) -> Alone:
        """Those of a seat's car; of a sky that is not solved those of any other."""
        found = None
        if self._is_usual and state.weather in (None, USUAL.weather):
            found = self._known.get(USUAL)
        if found is None:
            found = self.exactly(sky_of(state, seat))
        if found is None:
            found = next(iter(self._known.values()))
        return found

    def exactly(self, sky: Sky) -> Alone | None:
        """Those of a sky; None: it is not solved (yet: it is looked for again)."""
        if sky not in self._known:
            table = self._find(sky)
            if table is None:
                return None
            self._known[sky] = Alone(table, self._setup)
        return self._known[sky]


def moves_as_solved(setup: Setup) -> bool:
    """Whether the weather moves as it is solved: a row at a time, at once (FD-WEATHER-3)."""
    return setup.house.weather_machine == "rows" and setup.house.weather_test == "move"


def sky_of(state: State, seat: int) -> Sky:
    """What a seat's race is solved for, as it stands.

    After a stop it does not matter on which tires the car began. Weather that changes by a house
    switch is taken as it is.
    """
    car, weather = state.cars[seat], state.weather or "fine"
    if weather in CHANGEABLE and not moves_as_solved(state.setup):
        weather = "rain" if weather in RAINS else "fine"
    return Sky("hard" if car.pit_stops else car.tires, weather)


def skies(setup: Setup) -> list[Sky]:
    """What is solved for a race whose weather nobody knows yet, on the tires that bots fit."""
    if "weather" not in setup.rules:
        return [USUAL]
    in_rain = Sky("rain" if "tires" in setup.rules else "hard", "rain")
    changes = [Sky("hard", "variable")] if moves_as_solved(setup) else []
    return [USUAL, in_rain, *changes]


def skies_of(state: State) -> list[Sky]:
    """What is solved for a race as it stands, the first car's first."""
    if state.weather is None and "weather" in state.setup.rules:
        return skies(state.setup)
    return list(dict.fromkeys(sky_of(state, seat) for seat in state.cars))
