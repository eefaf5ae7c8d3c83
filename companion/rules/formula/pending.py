"""The pending steps of a position: read by their fields, and refused where they contradict it.

A step for itself is judged by its own `check`; here the queue is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from companion.rules.codec import read
from companion.rules.formula.boardless.by_report import Order
from companion.rules.formula.gears import Double, Gear, GearRoll
from companion.rules.formula.grid import Grid
from companion.rules.formula.rounds import End
from companion.rules.formula.state import Phase, SeatStep, State, Step
from companion.rules.formula.trials import NextTrial, Ranking
from companion.rules.formula.turn import On, Point
from companion.rules.formula.weather import Held, Weather
from companion.rules.reading import bad


def read_steps(state: State, data: object) -> tuple[Step, ...]:
    """The queue of pending steps, checked against the state.

    Raises:
        Malformed: a step that is unknown, or that the state contradicts.
    """
    if not isinstance(data, list):
        _wrong(data)
    steps = tuple(_read_step(state, one) for one in data)
    _check_double(steps)
    if state.phase is Phase.TRIALS:
        _check_trial(state, steps)
        return steps
    _refuse_foreign(state, steps)
    if not steps or (state.turn is None and [type(step) for step in steps] == [Order]):
        return steps
    if state.phase is Phase.SETUP:
        if not all(step.before_race for step in steps):
            known = sorted(kind.kind for kind in Step.kinds.values() if kind.before_race)
            bad("pending-form", f"while setting up only {', '.join(known)} are pending")
        _check_plan(state, steps)
    else:
        _check_turn(state, steps)
    return steps


def _read_step(state: State, data: object) -> Step:
    if not isinstance(data, dict) or data.get("step") not in tuple(Step.kinds):
        _wrong(data)
    name = str(data["step"])
    fields = {key: value for key, value in data.items() if key != "step"}
    step = read(Step.kinds[name], fields, f"the step {name}", state.context)
    if step.needs and not state.plays(step.needs):
        rule = ", ".join(sorted(step.needs))
        bad("rule-not-on", f"{name} is pending, but the rule {rule} is not on", name=rule)
    if not all(state.cars[seat].runs for seat in step.seats_named()):
        bad("pending-of-car-out", f"{name} is pending for a car that does not run")
    step.check(state)
    return step


def _wrong(data: object) -> NoReturn:
    known = ", ".join(sorted(Step.kinds))
    bad("pending-form", f"pending is a list of steps ({known}), not {data!r:.60}")


def _refuse_foreign(state: State, steps: Sequence[Step]) -> None:
    """Refuse steps that only a race with a board has, or only one without."""
    foreign = On.BOARD if state.setup.boardless else On.REPORT
    for step in steps:
        if step.on is foreign:
            has = "no" if state.setup.boardless else "a"
            message = f"{step.kind} is not pending in this race: it has {has} board"
            bad("pending-form", message, rule="FD-MOVE-1")


def _check_turn(state: State, steps: Sequence[Step]) -> None:
    """A turn ends with its end; what lies before the race is behind."""
    before = [
        kind.kind
        for kind in Step.kinds.values()
        if kind.at is Point.BEFORE_THE_RACE or "trials" in kind.needs
    ]
    if any(step.kind in before for step in steps):
        bad("pending-form", f"{', '.join(before)} are pending only before the race")
    ends = [step for step in steps if isinstance(step, End)]
    if state.turn is None or ends != [steps[-1]] or ends[0].seat != state.turn:
        bad("pending-form", "pending ends with the end of the turn of the seat on turn")


def _check_double(steps: Sequence[Step]) -> None:
    """What counts double is the roll right before it: else it would wait for ever (DE-START-1)."""
    for before, step in zip((None, *steps), steps, strict=False):
        if isinstance(step, Double) and not (
            isinstance(before, Gear | GearRoll) and before.seat == step.seat
        ):
            message = "double follows the gear or the roll of its seat"
            bad("pending-form", message, rule="DE-START-1")


def _check_trial(state: State, steps: Sequence[Step]) -> None:
    """One car drives; then the other trials, the ranking, and what lies before the race."""
    first = steps[0] if steps else None
    if not isinstance(first, SeatStep) or not first.on_trial:
        known = ", ".join(sorted(kind.kind for kind in Step.kinds.values() if kind.on_trial))
        message = f"in the trials one of {known} is pending"
        bad("pending-form", message, rule="FD-TRIAL-1")
    if not all(step.before_race for step in steps[1:]):
        bad("pending-form", "one car drives its trial at a time", rule="FD-TRIAL-1")
    if not any(isinstance(step, Ranking) for step in steps):
        bad("pending-form", "trials end with their ranking", rule="FD-TRIAL-2")
    _check_plan(state, steps[1:])
    on_track = [car.seat for car in state.cars.values() if car.space is not None]
    if on_track != [first.seat]:
        message = "the car that drives its trial is alone on the track"
        bad("pending-form", message, rule="FD-TRIAL-1")


def _check_plan(state: State, steps: Sequence[Step]) -> None:
    """Before the race each thing is pending once, and whatever is not known yet is pending.

    Weather and tires are pending twice where they lie before the trials too (FD-TIRE-1).
    """
    kinds = [type(step) for step in steps]
    raced = kinds[kinds.index(Ranking) + 1 :] if Ranking in kinds else kinds
    if len(set(raced)) != len(raced) or Grid in kinds[1:] or NextTrial in raced:
        bad("pending-form", "each thing is settled once before the race, the grid first")
    if not {Grid, Ranking} & set(kinds) and state.ground.grid_is_open(state):
        message = "cars without a place on the grid, and no grid pending"
        bad("pending-form", message, rule="FD-GRID-1")
    if not any(isinstance(step, Weather | Held) for step in steps) and state.weather is None:
        message = "no weather yet, and no weather pending"
        bad("pending-form", message, rule="FD-WEATHER-2")
