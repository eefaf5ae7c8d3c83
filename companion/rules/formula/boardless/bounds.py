"""What the report of a move may say: the ask, and the check of its answer.

A report tells of the whole move, slipstreams included: `brakes` spent (the one that a
slipstream into a corner costs too), `overshoot` in spaces beyond the limit with the stops
`missing`, spaces `blocked`, the cars `touched` where it ended (beside, or directly behind),
spaces of `debris` crossed, whether it ended in a `corner`, passed the `line`, or came to its
`pit` box. What is left out did not happen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from companion.rules.board.plan import MOST_STOPS
from companion.rules.errors import Illegal, Malformed
from companion.rules.formula.moving import Move
from companion.rules.formula.order import by_position
from companion.rules.formula.pitways import may_stop
from companion.rules.formula.slipstream import most_slipstreams
from companion.rules.formula.state import Car, State, Status
from companion.rules.formula.tables import (
    BRAKES,
    HANDLING,
    SLIPSTREAM,
    SLIPSTREAM_GEAR,
)
from companion.rules.formula.tires import slide_of

RULES: Final[Mapping[str, str]] = {
    "brakes": "FD-BRAKE-1",
    "overshoot": "FD-CORNER-2",
    "missing": "FD-CORNER-3",
    "blocked": "FD-BLOCK-1",
    "touched": "FD-BUMP-1",
    "debris": "FD-DEBRIS-2",
    "corner": "FD-MOVE-5",
    "line": "FD-END-2",
    "pit": "FD-PIT-1",
}


@dataclass(frozen=True, slots=True)
class Report:
    """What a seat has said of its move; the first of `touched` is the car directly in front."""

    brakes: int = 0
    overshoot: int = 0
    missing: int = 0
    blocked: int = 0
    touched: tuple[int, ...] = ()
    debris: int = 0
    corner: bool = False
    line: bool = False
    pit: bool = False


_NOTHING: Final = {field.name: field.default for field in fields(Report)}
NAMES: Final = tuple(_NOTHING)


def reach(state: State, step: Move) -> int:
    """The spaces that a move may count at most: the roll, a slide, and slipstreams.

    Each slipstream passes another car (FD-SLIP-2).
    """
    car = state.cars[step.seat]
    others = [c for c in state.running() if c is not car and SLIPSTREAM_GEAR <= c.gear <= car.gear]
    slips = (
        most_slipstreams(state, len(others))
        if car.gear >= SLIPSTREAM_GEAR and step.how == "move"
        else 0
    )
    return step.spaces + slide_of(state, car) + SLIPSTREAM * slips


def bounds(state: State, step: Move) -> dict[str, list[Any]]:
    """By what a report says: lowest and highest number, the seats, or the words on offer."""
    car, most = state.cars[step.seat], reach(state, step)
    others = [c.seat for c in by_position(state, state.running()) if _may_be_met(c, car)]
    leaves_pit = car.status is Status.PIT
    return {
        "brakes": [0, min(car.wear[BRAKES], most)],
        "overshoot": [0, most],
        "missing": [0, MOST_STOPS],
        "blocked": [0, most],
        "touched": others,
        "debris": [0, most if car.full[HANDLING] else 0],  # DE-DEBRIS-1
        "corner": [False, True],
        # FD-PIT-5: for a car that has stopped the line of its lap is behind it
        "line": [False] if leaves_pit else [False, True],
        "pit": [False, True] if may_stop(state, car) else [False],
    }


def _may_be_met(other: Car, car: Car) -> bool:
    """FD-BUMP-3: neither itself nor a car in the pit."""
    return other is not car and other.status is not Status.PIT


def read_report(state: State, step: Move, value: Any) -> Report:
    """A report, within its bounds and without contradiction.

    Raises:
        Malformed: not an object of the words of a report, each with a value of its kind.
        Illegal: beyond the bounds, or two words that contradict one another.
    """
    if not isinstance(value, Mapping) or not set(value) <= set(NAMES):
        raise Malformed(
            "report-form", f"report is an object of {', '.join(NAMES)}, not {value!r:.60}"
        )
    listed = bounds(state, step)
    said = {name: _read(name, value[name], listed[name]) for name in value}
    report = Report(**said)
    _refuse_contradictions(state, step, report)
    return report


def _read(name: str, value: Any, listed: list[Any]) -> Any:
    nothing = _NOTHING[name]
    if isinstance(nothing, bool):
        _of_kind(name, "true or false", value, isinstance(value, bool))
        fits = value in listed
    elif isinstance(nothing, int):
        _of_kind(name, "a whole number", value, type(value) is int)
        fits = listed[0] <= value <= listed[1]
    else:
        seats = isinstance(value, list) and all(type(seat) is int for seat in value)
        _of_kind(name, "a list of seats", value, seats)
        fits = set(value) <= set(listed) and len(set(value)) == len(value)
        value = tuple(value)
    if not fits:
        raise Illegal(
            "report-bounds",
            f"{name} is within {listed}, not {value!r:.60}",
            rule=RULES[name],
            args={"name": name, "listed": listed},
        )
    return value


def _of_kind(name: str, wanted: str, value: Any, right: bool) -> None:
    if not right:
        raise Malformed(
            "report-value",
            f"{name} of a report is {wanted}, not {value!r:.60}",
            rule=RULES[name],
            args={"name": name},
        )


def _refuse_contradictions(state: State, step: Move, said: Report) -> None:
    """Words that cannot be true together."""
    finishes = said.line and state.cars[step.seat].lap >= state.setup.laps
    on_way = said.overshoot or said.missing or said.blocked or said.brakes or said.touched
    if said.missing == 1 and not said.overshoot:
        _refuse("overshoot", "FD-CORNER-2", "a corner left a stop too early is overshot by a space")
    if said.pit and (on_way or said.corner):
        _refuse("pit", "FD-PIT-3", "a car that comes to its box neither brakes, overshoots nor"
                " is blocked, and touches nobody")  # fmt: skip
    if said.blocked and finishes:
        _refuse("blocked", "FD-END-2", "a car that finishes is not blocked")
    if said.brakes + said.blocked + said.overshoot > reach(state, step):
        _refuse("brakes", "FD-BRAKE-1", "brakes, spaces blocked and overshot are more than the"
                f" {reach(state, step)} spaces of the move")  # fmt: skip


def _refuse(name: str, rule: str, why: str) -> None:
    raise Illegal("report-contradiction", why, rule=rule, args={"name": name})
