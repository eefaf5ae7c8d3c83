"""What the tires do: the soft bonus, the slide in rain, what an overshoot costs (FD-TIRE)."""

from __future__ import annotations

from typing import Any

from companion.rules.errors import Illegal, Malformed
from companion.rules.formula import events as ev
from companion.rules.formula.flow import Flow
from companion.rules.formula.state import Car, State, Status, Step
from companion.rules.formula.tables import OVERSHOOT, SLIDE, SOFT_BONUS, SOFT_DRY_BY_THE_LETTER
from companion.rules.game import Ask

BY_SOFT = "soft"


def slide_of(state: State, car: Car) -> int:
    """The spaces by which this car slides on a move that touches a corner (FD-TIRE-6).

    FD-WEATHER-4: without `tires` nobody slides.
    """
    return SLIDE[car.tires] if state.raining and "tires" in state.setup.rules else 0


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


# -- the soft bonus -----------------------------------------------------------------------


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


def to_move(state: State, seat: int, spaces: int, flags: tuple[str, ...] = ()) -> Step:
    """The next step of a car that may move so many spaces."""
    kind = "length" if has_bonus(state, state.cars[seat]) else "move"
    return Step(kind, seat, number=spaces, flags=flags)


def move_if_plain(flow: Flow, step: Step) -> bool:
    """An automatic step: without a bonus (any more) the move is as long as rolled."""
    if has_bonus(flow.state, flow.car(step.seat)):
        return False
    flow.take()
    flow.first(Step("move", step.seat, number=step.number, flags=step.flags))
    return True


def lengths(step: Step) -> list[dict[str, Any]]:
    """The totals on offer, ascending."""
    return [
        {"spaces": step.number, "by": []},
        {"spaces": step.number + SOFT_BONUS, "by": [BY_SOFT]},
    ]


def ask_length(_: State, step: Step) -> list[Ask]:
    """FD-TIRE-3: the bonus is optional."""
    return [Ask(step.seat, "length", lengths(step))]


def answer_length(flow: Flow, seat: int, value: Any) -> None:
    """FD-TIRE-3."""
    step = flow.queue[0]
    if not isinstance(value, dict) or set(value) != {"spaces", "by"}:
        raise Malformed("length-form", f"length is one of {lengths(step)}, not {value!r:.60}")
    if value not in lengths(step) or type(value["spaces"]) is not int:
        raise Illegal(
            "no-such-length",
            f"length is one of {lengths(step)}, not {value!r:.60}",
            rule="FD-TIRE-3",
            args={"options": lengths(step)},
        )
    flow.take()
    spaces = value["spaces"]
    flow.tell(ev.LengthChosen(seat=seat, rule="FD-TIRE-3", spaces=spaces, by=tuple(value["by"])))
    flow.first(Step("move", seat, number=spaces, flags=step.flags))
