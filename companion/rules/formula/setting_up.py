"""What is settled before the first round, in the order of FD-TIRE-1.

The grid is rolled for, or driven for in trials with their own weather and tires; then the
weather of the race is rolled, cars are constructed, tires chosen: each a pending step of the
phase `setup`. When none is left, the race begins (`turn.settle`). A step that the header has
answered already is not there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.rules.errors import Illegal, Malformed
from companion.rules.formula import events as ev
from companion.rules.formula.asks import BuildAsk, TiresAsk
from companion.rules.formula.edition import Edition
from companion.rules.formula.flow import Flow
from companion.rules.formula.refuse import whole_number
from companion.rules.formula.state import Phase, State, Step
from companion.rules.formula.tables import BUILD_POINTS, TIRE_KINDS
from companion.rules.game import Ask


def plan(state: State) -> list[Step]:
    """The steps that lie before this race."""
    running = tuple(car.seat for car in state.running())
    fits = tuple(seat for seat in state.setup.fits if seat in running)
    steps = []
    open_grid = is_grid_open(state)
    if open_grid and "trials" in state.setup.rules:
        steps += [Step("weather")] if state.weather is None else []
        steps += [Step("tires", seats=fits)] if fits else []
        steps += [*(Step("trial", seat) for seat in running), Step("ranking")]
    elif open_grid:
        steps.append(Step("grid", groups=(running,)))
    if state.weather is None:
        steps.append(Step("weather"))
    for kind, asked in (("build", state.setup.builds), ("tires", state.setup.fits)):
        seats = tuple(seat for seat in asked if seat in running)
        if seats:
            steps.append(Step(kind, seats=seats))
    return steps


def is_grid_open(state: State) -> bool:
    """Whether it is not known yet who begins where; boardless, that is the order."""
    if state.setup.boardless:
        return not state.order
    return any(car.space is None for car in state.running())


# -- construction -------------------------------------------------------------------------


def ask_build(state: State, step: Step) -> list[Ask]:
    """Every car that is not built yet is asked at once (FD-BUILD-1)."""
    edition = state.setup.edition
    limits = dict(zip(edition.categories, edition.build_limits, strict=True))
    return [BuildAsk(seat, BUILD_POINTS, limits) for seat in step.seats]


def answer_build(flow: Flow, seat: int, value: Any) -> None:
    """FD-BUILD-1."""
    wear = _construction(flow.state.setup.edition, value)
    without(flow, seat)
    flow.tell(ev.CarBuilt(seat=seat, rule="FD-BUILD-1", wear=wear))


def _construction(edition: Edition, value: Any) -> tuple[int, ...]:
    """The wear points of an answer.

    Raises:
        Malformed: not a whole number for each category.
        Illegal: beyond the bounds of a category, or another sum than the points given.
    """
    categories = edition.categories
    if not isinstance(value, Mapping) or set(value) != set(categories):
        raise Malformed(
            "build-form",
            f"build names all of {', '.join(categories)}, not {value!r:.60}",
            rule="FD-BUILD-1",
        )
    wear = tuple(whole_number(name, value[name]) for name in categories)
    for name, points, (low, high) in zip(categories, wear, edition.build_limits, strict=True):
        if not low <= points <= high:
            raise Illegal(
                "build-limits",
                f"{name} is {low} to {high} points, not {points}",
                rule="FD-BUILD-1",
                args={"category": name, "points": points, "low": low, "high": high},
            )
    if sum(wear) != BUILD_POINTS:
        raise Illegal(
            "build-points",
            f"a car is built of {BUILD_POINTS} points, not of {sum(wear)}",
            rule="FD-BUILD-1",
            args={"points": BUILD_POINTS, "given": sum(wear)},
        )
    return wear


# -- tires --------------------------------------------------------------------------------


def ask_tires(_: State, step: Step) -> list[Ask]:
    """Every car that has not chosen yet is asked at once (FD-TIRE-1, FD-TIRE-7)."""
    return [TiresAsk(seat) for seat in step.seats]


def answer_tires(flow: Flow, seat: int, value: Any) -> None:
    """FD-TIRE-1; in the box FD-TIRE-7."""
    if not isinstance(value, str):
        raise Malformed("tires-form", f"tires is one of {', '.join(TIRE_KINDS)}, not {value!r:.60}")
    if value not in TIRE_KINDS:
        raise Illegal(
            "no-such-tires",
            f"tires is one of {', '.join(TIRE_KINDS)}, not {value!r:.40}",
            rule="FD-TIRE-1",
            args={"tires": value[:40]},
        )
    without(flow, seat)
    rule = "FD-TIRE-7" if flow.state.phase is Phase.RACE else "FD-TIRE-1"
    flow.tell(ev.TiresFitted(seat=seat, rule=rule, tires=value))


def without(flow: Flow, seat: int) -> None:
    """Strike a seat from those that the first step still asks."""
    step = flow.take()
    flow.first(replace(step, seats=tuple(s for s in step.seats if s != seat)))


def all_said(flow: Flow, step: Step) -> bool:
    """An automatic step: it waits as long as somebody has not answered."""
    if step.seats:
        return False
    flow.take()
    return True
