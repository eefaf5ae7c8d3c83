"""Cars that are constructed before the race (FD-BUILD-1, DE-CAR-1).

House switches, as clubs have them: `build_points` of a car, `build_most` of a
category; `pool_on_car`: the points that would lie in the pit may be on the car (2018, 5-3).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from companion.rules.copies import replace
from companion.rules.forms import Points
from companion.rules.formula.asks import BuildAsk
from companion.rules.formula.settings import Setup
from companion.rules.formula.state import AllSeats, Asks, Event, Flow, State
from companion.rules.formula.turn import Point
from companion.rules.formula.wear import Wear
from companion.rules.game import Ask
from companion.rules.reading import bad, refuse, whole_number


class CarBuilt(Event):
    """A car was constructed: all its wear points."""

    wear: Annotated[Wear, Points()]

    def applied(self, state: State) -> State:
        state = state.change(self.seat, wear=self.wear, full=self.wear)
        car, on_car = state.cars[self.seat], state.setup.on_car(self.wear)
        if on_car and car.team is not None:
            pools = {**state.pools, car.team: state.pools[car.team] - on_car}
            return replace(state, pools=pools)
        return state.change(self.seat, pool=(car.pool or 0) - on_car) if on_car else state


class Build(
    AllSeats,
    kind="build",
    at=Point.BEFORE_THE_RACE,
    rule="FD-BUILD-1",
    needs=("build", "advanced"),
    before_race=True,
):
    """Who still constructs a car; all at once."""

    def asks(self, state: State) -> Asks:
        setup = state.setup
        limits = dict(zip(setup.edition.categories, setup.build_limits, strict=True))
        points, more = int(setup.house.build_points), setup.most_on_car
        return [BuildAsk(seat, points=points, limits=limits, more=more) for seat in self.seats]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        wear = _construction(flow.state.setup, value)
        self.strike(flow, ask.seat)
        flow.tell(CarBuilt(seat=ask.seat, rule=self.rule, wear=wear))


def _construction(setup: Setup, value: object) -> Wear:
    """The wear points of an answer.

    Raises:
        Malformed: not a whole number for each category.
        Illegal: beyond the bounds of a category, or another sum than the points given.
    """
    categories, rule, total = setup.edition.categories, "FD-BUILD-1", int(setup.house.build_points)
    if not isinstance(value, Mapping) or set(value) != set(categories):
        message = f"build names all of {', '.join(categories)}, not {value!r:.60}"
        bad("build-form", message, rule=rule)
    wear = tuple(whole_number(value[name], name) for name in categories)
    for name, points, (low, high) in zip(categories, wear, setup.build_limits, strict=True):
        if not low <= points <= high:
            message = f"{name} is {low} to {high} points, not {points}"
            args = {"points": points, "low": low, "high": high}
            refuse("build-limits", message, rule=rule, category=name, **args)
    if not total <= sum(wear) <= total + setup.most_on_car:
        message = f"a car is built of {total} points, not of {sum(wear)}"
        refuse("build-points", message, rule=rule, points=total, given=sum(wear))
    return wear
