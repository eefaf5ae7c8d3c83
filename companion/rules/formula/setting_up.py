"""What is settled before the first round, in the order of FD-TIRE-1.

The grid is rolled for, or driven for in trials with their own weather and tires; then the
weather of the race is rolled, cars are constructed, tires chosen: each a pending step of the
phase `setup`. When none is left, the race begins (`rounds.settle`). A step that the header has
answered already is not there.
"""

from __future__ import annotations

from companion.rules.formula.construction import Build
from companion.rules.formula.fitting import Tires
from companion.rules.formula.grid import Grid
from companion.rules.formula.state import State
from companion.rules.formula.step import Step
from companion.rules.formula.trials import NextTrial, Ranking
from companion.rules.formula.weather import Weather


def plan(state: State) -> list[Step]:
    """The steps that lie before this race."""
    running = tuple(car.seat for car in state.running())
    fits = tuple(seat for seat in state.setup.fits if seat in running)
    builds = tuple(seat for seat in state.setup.builds if seat in running)
    weather: list[Step] = [Weather(seat=0)] if state.weather is None else []
    tires: list[Step] = [Tires(seats=fits)] if fits else []
    steps: list[Step] = []
    if state.setup.ground.grid_is_open(state):
        if "trials" in state.setup.rules:
            trials = [NextTrial(seat=seat) for seat in running]
            steps = [*weather, *tires, *trials, Ranking()]
        else:
            steps = [Grid(groups=(running,))]
    return [*steps, *weather, *([Build(seats=builds)] if builds else []), *tires]
