"""The pending steps of a position that was taken in mid-turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from companion.rules.formula.asking import stands_in_box
from companion.rules.formula.boardless.position import is_between_rounds, refuse_foreign_steps
from companion.rules.formula.position_steps_de import check_double, check_edition
from companion.rules.formula.setting_up import is_grid_open
from companion.rules.formula.state import STEPS, Phase, State, Status, Step
from companion.rules.formula.urban.drivers import URBAN
from companion.rules.formula.urban.reroll import AGAIN
from companion.rules.formula.urban.steps import HOW as URBAN_HOW
from companion.rules.formula.urban.steps import STEPS as URBAN_STEPS
from companion.rules.formula.urban.steps import check_urban, rolls
from companion.rules.reading import bad, only_keys, whole

LONGEST = 100
_BEFORE_ONLY = ("grid", "trial", "ranking", "build")
SETTING_UP = ("grid", "trial", "ranking", "weather", "reroll", "build", "tires")
ON_TRIAL = ("gear", "roll", "length", "move", "judge", "time")
HOW = frozenset({"great", "fast", "fatal", "overshot", "corner", "pit"} | URBAN_HOW)
_OF_RUNNING = frozenset({"start", "gear", "roll", "move", "debris", "slipstream", "charge"})
_OF_ALL_RUNNING = frozenset({"engine", "build", "tires"})
_OF_RUNNING |= {"arrive", "double", "halt", "pit", "bump", "length", "stop", "repair"}
_OF_RUNNING |= {"trial", "judge", "time"} | URBAN_STEPS - {"reroll"}


def read_steps(state: State, told: Any) -> tuple[Step, ...]:
    """The queue of pending steps, checked against the state.

    Raises:
        Malformed: a step that is unknown, or that the state contradicts.
    """
    if not isinstance(told, list):
        _wrong(told)
    steps = tuple(_read_step(state, one) for one in told)
    check_double(steps)
    if state.phase is Phase.TRIALS:
        _check_trial(state, steps)
        return steps
    refuse_foreign_steps(state, steps)
    if not steps or is_between_rounds(state, steps):
        return steps
    if state.phase is Phase.SETUP:
        if not all(step.kind in SETTING_UP for step in steps):
            bad("pending-form", f"while setting up only {', '.join(SETTING_UP)} are pending")
        _check_plan(state, steps)
        return steps
    if any(step.kind in (*_BEFORE_ONLY, "judge", "time") for step in steps):
        bad("pending-form", f"{', '.join(_BEFORE_ONLY)} are pending only before the race")
    last = steps[-1]
    ends = [step for step in steps if step.kind == "end"]
    if state.turn is None or len(ends) != 1 or last.kind != "end" or last.seat != state.turn:
        bad("pending-form", "pending ends with the end of the turn of the seat on turn")
    return steps


def _check_trial(state: State, steps: tuple[Step, ...]) -> None:
    """One car drives; then the other trials, the ranking, and what lies before the race."""
    if not steps or steps[0].kind not in ON_TRIAL:
        bad("pending-form", f"in the trials one of {', '.join(ON_TRIAL)} is pending",
            rule="FD-TRIAL-1")  # fmt: skip
    if any(step.kind not in SETTING_UP for step in steps[1:]):
        bad("pending-form", "one car drives its trial at a time", rule="FD-TRIAL-1")
    if "ranking" not in [step.kind for step in steps]:
        bad("pending-form", "trials end with their ranking", rule="FD-TRIAL-2")
    _check_plan(state, steps[1:])
    on_track = [car.seat for car in state.cars.values() if car.space is not None]
    if on_track != [steps[0].seat]:
        bad("pending-form", "the car that drives its trial is alone on the track",
            rule="FD-TRIAL-1")  # fmt: skip


def _check_plan(state: State, steps: tuple[Step, ...]) -> None:
    """Before the race each thing is pending once, and whatever is not known yet is pending.

    Weather and tires are pending twice where they lie before the trials too (FD-TIRE-1).
    """
    kinds = [step.kind for step in steps]
    raced = kinds[kinds.index("ranking") + 1 :] if "ranking" in kinds else kinds
    if len(set(raced)) != len(raced) or "grid" in kinds[1:] or "trial" in raced:
        bad("pending-form", "each thing is settled once before the race, the grid first")
    if not {"grid", "ranking"} & set(kinds) and is_grid_open(state):
        bad("pending-form", "cars without a place on the grid, and no grid pending",
            rule="FD-GRID-1")  # fmt: skip
    if not {"weather", "reroll"} & set(kinds) and state.weather is None:
        bad("pending-form", "no weather yet, and no weather pending", rule="FD-WEATHER-2")


def _wrong(told: Any) -> NoReturn:
    known = ", ".join(STEPS)
    bad("pending-form", f"pending is a list of steps ({known}), not {told!r:.60}")


def _read_step(state: State, told: Any) -> Step:
    kind = told.get("step") if isinstance(told, dict) else None
    if not isinstance(kind, str) or kind not in STEPS:
        _wrong(told)
    words = STEPS[kind]
    only_keys(told, frozenset({"step", *words.values()}), f"the step {kind}")
    readers = {**_READ, **_READ_OF.get(kind, {})}
    values = {name: readers[name](state, told.get(word)) for name, word in words.items()}
    step = Step(kind, **values)
    _check(state, step)
    return step


def _seat(state: State, told: Any) -> int:
    if type(told) is not int or told not in state.cars:
        bad("no-such-seat", f"a pending step names a seat of the race, not {told!r:.20}")
    return told


def _roller(state: State, told: Any) -> int:
    """A seat, or 0 for the table."""
    return 0 if type(told) is int and told == 0 else _seat(state, told)


def _seats(state: State, told: Any) -> tuple[int, ...]:
    return tuple(_seat(state, one) for one in _list(told))


def _list(told: Any) -> list[Any]:
    if told is None:
        return []
    if not isinstance(told, list):
        _wrong(told)
    return told


def _spaces(state: State, told: Any) -> tuple[int, ...]:
    track, found = state.setup.track, []
    for name in _list(told):
        if not isinstance(name, str) or name not in track.index:
            bad("no-such-space", f"{track.name} has no space {name!r:.40}")
        found.append(track.index[name])
    return tuple(found)


def _rolls(state: State, told: Any) -> tuple[tuple[int, int], ...]:
    pairs = _list(told)
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        _wrong(told)
    return tuple((_seat(state, seat), whole(roll, "roll", 1, 20)) for seat, roll in pairs)


def _pairs(state: State, told: Any) -> tuple[tuple[int, int], ...]:
    """Who rolls for whom (DE-BUMP-1): running seats, each pair once."""
    pairs = _list(told)
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        _wrong(told)
    found = tuple((_seat(state, seat), _seat(state, against)) for seat, against in pairs)
    if len(set(found)) != len(found) or not all(state.cars[seat].runs for seat, _ in found):
        bad("pending-form", "touch names running cars, each pair once", rule="DE-BUMP-1")
    return found


def _groups(state: State, told: Any) -> tuple[tuple[int, ...], ...]:
    groups = tuple(_seats(state, group) for group in _list(told))
    seats = sorted(car.seat for car in state.running())
    if sorted(seat for group in groups for seat in group) != seats:
        bad("grid-form", f"groups name each of the seats {seats} once")
    return groups


def _damage(state: State, told: Any) -> tuple[int, ...]:
    numbers = _list(told)
    if len(numbers) != 4:
        _wrong(told)
    blocked, beyond, spaces, corner = numbers
    known = len(state.setup.track.corners) - 1
    return (
        *(whole(number, "damage", 0, 10 * LONGEST) for number in (blocked, beyond, spaces)),
        whole(corner, "damage", 0 if spaces and known >= 0 else -1, known),
    )


def _flags(state: State, told: Any) -> tuple[str, ...]:
    flags = _list(told)
    if not all(isinstance(flag, str) and flag in HOW for flag in flags):
        _wrong(told)
    return tuple(flags)


_READ: Mapping[str, Any] = {
    "seat": _seat,
    "number": lambda state, told: whole(told, "spaces", 0, LONGEST),
    "seats": _seats,
    "others": _seats,
    "spaces": _spaces,
    "rolls": _rolls,
    "groups": _groups,
    "damage": _damage,
    "flags": _flags,
}


_READ_OF: Mapping[str, Mapping[str, Any]] = {
    "weather": {"seat": _roller},
    "touch": {"rolls": _pairs},
}
"""Where a kind of step reads a field in its own way."""


def _check(state: State, step: Step) -> None:
    """Contradictions between a step and the state."""
    _check_rules(state, step)
    check_edition(state, step)
    car = state.cars.get(step.seat)
    rollers, met = (*step.seats, *step.others), (step.seats, step.others)
    lost = [seat for seat in step.others if not state.cars[seat].runs]
    if (step.kind in _OF_RUNNING and (car is None or not car.runs)) or lost:
        bad("pending-of-car-out", f"{step.kind} is pending for a car that does not run")
    if step.kind in _OF_ALL_RUNNING and not all(state.cars[seat].runs for seat in rollers):
        bad("pending-of-car-out", f"{step.kind} is pending for a car that does not run")
    if any(seats.count(seat) > rolls(state, step, seat) for seats in met for seat in seats):
        bad("pending-form", f"{step.kind} names a seat twice")
    if car is None:
        return
    check_urban(state, step)
    if step.kind == "roll" and not car.gear:
        bad("pending-form", "a die is rolled for a gear that is engaged", rule="FD-GEAR-1")
    if step.kind == "start" and car.status is not Status.GRID:
        bad("pending-form", "a start roll is for a car on the grid", rule="FD-START-1")
    in_box = stands_in_box(state, car.seat)
    if step.kind in ("pit", "stop", "repair") and not in_box:
        bad("pending-form", f"{step.kind} is for a car in its box", rule="FD-PIT-2")
    if step.kind == "lift" and not car.is_wreck:
        bad("pending-form", "a wreck that stands is lifted", rule="DE-BLOCK-1")
    if step.kind == "debris" and bool(step.spaces) == state.setup.boardless:
        bad("pending-form", "debris is rolled for on a space", rule="FD-DEBRIS-2")


_RULE_OF = {"tires": "tires", "weather": "weather"}
_RULE_OF |= dict.fromkeys(URBAN_STEPS, URBAN)
_RULE_OF |= {"trial": "trials", "judge": "trials", "time": "trials", "ranking": "trials"}


def _check_rules(state: State, step: Step) -> None:
    """A step of an optional rule needs it on."""
    edition = state.setup.edition
    of_edition = {
        "build": {edition.build_rule},
        "repair": edition.pool_rules,
        "length": {"tires", URBAN},
    }
    rule = _RULE_OF.get(step.kind)
    needed = {rule} if rule is not None else of_edition.get(step.kind)
    if needed and not needed & state.setup.rules:
        rule = ", ".join(sorted(needed))
        bad("rule-not-on", f"{step.kind} is pending, but the rule {rule} is not on", name=rule)
    if (
        step.kind == "weather"
        and AGAIN not in step.flags
        and (step.seat == 0) != (state.phase in (Phase.SETUP, Phase.TRIALS))
    ):
        bad("pending-form", "weather is rolled by the table before the race, then by a seat",
            rule="FD-WEATHER-3")  # fmt: skip
