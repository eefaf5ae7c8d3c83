"""What the report of a move may say: the ask, and the check of its answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, NoReturn

from companion.rules.board.plan import MOST_STOPS
from companion.rules.formula.car import Status
from companion.rules.formula.moving import Move
from companion.rules.formula.order import by_position
from companion.rules.formula.pitways import may_stop
from companion.rules.formula.slipstream import most_slipstreams
from companion.rules.formula.state import State
from companion.rules.formula.tables import BRAKES, HANDLING, SLIPSTREAM, SLIPSTREAM_GEAR
from companion.rules.formula.tires import slide_of
from companion.rules.reading import bad, refuse

RULES: Final[Mapping[str, str]] = {
    "brakes": "FD-BRAKE-1",
    "overshoot": "FD-CORNER-2",
    "missing": "FD-CORNER-3",
    "blocked": "FD-BLOCK-1",
    "touched": "FD-BUMP-1",
    "debris": "FD-DEBRIS-2",
    "corner": "FD-MOVE-5",
    "next": "FD-MOVE-5",
    "line": "FD-END-2",
    "pit": "FD-PIT-1",
}


class Report(NamedTuple):
    """What a seat reports of its whole move, slipstreams included; what is left out was not so.

    `brakes` spent (the one that a slipstream into a corner costs too), `overshoot` in spaces
    beyond the limit with the stops `missing`, spaces `blocked`, the cars `touched` where it ended
    (beside, or directly behind; the first is the one directly in front), spaces of `debris`
    crossed, whether it ended in a `corner`, passed the `line`, or came to its `pit` box. `next`:
    the corner is the one behind that where it had made its stops already.
    """

    brakes: int = 0
    overshoot: int = 0
    missing: int = 0
    blocked: int = 0
    touched: tuple[int, ...] = ()
    debris: int = 0
    corner: bool = False
    line: bool = False
    pit: bool = False
    next: bool = False


Bounds = Mapping[str, Sequence[int]]
"""By what a report says: lowest and highest number, the seats, or the truths on offer."""


def reach(state: State, step: Move) -> int:
    """The spaces that a move may count at most: the roll, a slide, and slipstreams.

    Each slipstream passes another car (FD-SLIP-2).
    """
    car = state.cars[step.seat]
    others = [c for c in state.running() if c is not car and SLIPSTREAM_GEAR <= c.gear <= car.gear]
    may_slip = car.gear >= SLIPSTREAM_GEAR and step.how == "move"
    slips = most_slipstreams(state, len(others)) if may_slip else 0
    return step.spaces + slide_of(state, car) + SLIPSTREAM * slips


def bounds(state: State, step: Move, *, next_corner: bool) -> Bounds:
    """What a report of this move may say; `next_corner`: it may have come into the next one."""
    car, most = state.cars[step.seat], reach(state, step)
    ranked = by_position(state, state.running())
    met = [c.seat for c in ranked if c is not car and c.status is not Status.PIT]  # FD-BUMP-3
    return {
        "brakes": [0, min(car.wear[BRAKES], most)],
        "overshoot": [0, most],
        "missing": [0, MOST_STOPS],
        "blocked": [0, most],
        "touched": met,
        "debris": [0, most if car.full[HANDLING] else 0],  # DE-DEBRIS-1
        "corner": [False, True],
        # FD-PIT-5: for a car that has stopped the line of its lap is behind it
        "line": [False] if car.status is Status.PIT else [False, True],
        "pit": [False, True] if may_stop(state, car) else [False],
        "next": [False, True] if next_corner else [False],
    }


def read_report(state: State, step: Move, listed: Bounds, value: object) -> Report:
    """A report, within the bounds that are listed for it and without contradiction.

    Raises:
        Malformed: not an object of the words of a report, each with a value of its kind.
        Illegal: beyond the bounds, or two words that contradict one another.
    """
    names = Report._fields
    if not isinstance(value, Mapping) or not set(value) <= set(names):
        bad("report-form", f"report is an object of {', '.join(names)}, not {value!r:.60}")
    report = Report._make(
        _read(name, value[name], listed[name]) if name in value else usual
        for name, usual in zip(names, Report(), strict=True)
    )
    _refuse_contradictions(state, step, report)
    return report


def _read(name: str, value: object, listed: Sequence[int]) -> int | tuple[int, ...]:
    """One word of a report, of the kind that it has where nothing is reported."""
    read: int | tuple[int, ...]
    match getattr(Report(), name):
        case bool():
            read = value if isinstance(value, bool) else _refuse_kind(name, "true or false", value)
            fits = read in listed
        case int():
            read = value if type(value) is int else _refuse_kind(name, "a whole number", value)
            fits = listed[0] <= read <= listed[1]
        case _:
            if not isinstance(value, list) or any(type(seat) is not int for seat in value):
                _refuse_kind(name, "a list of seats", value)
            read = tuple(value)
            fits = set(read) <= set(listed) and len(set(read)) == len(read)
    if not fits:
        message = f"{name} is within {listed}, not {read!r:.60}"
        refuse("report-bounds", message, rule=RULES[name], name=name, listed=listed)
    return read


def _refuse_kind(name: str, wanted: str, value: object) -> NoReturn:
    message = f"{name} of a report is {wanted}, not {value!r:.60}"
    bad("report-value", message, rule=RULES[name], name=name)


def _refuse_contradictions(state: State, step: Move, report: Report) -> None:
    """Words that cannot be true together."""
    most, brakes, blocked = reach(state, step), report.brakes, report.blocked
    finishes = report.line and state.cars[step.seat].lap >= state.setup.laps
    on_way = report.overshoot or report.missing or blocked or brakes or report.touched
    if report.missing == 1 and not report.overshoot:
        why = "a corner left a stop too early is overshot by a space"
        _refuse("overshoot", "FD-CORNER-2", why)
    if report.pit and (on_way or report.corner):
        why = "neither brakes, overshoots nor is blocked, and touches nobody"
        _refuse("pit", "FD-PIT-3", f"a car that comes to its box {why}")
    if report.next and not report.corner:
        _refuse("next", "FD-MOVE-5", "the next corner is one that the car has ended in")
    if blocked and finishes:
        _refuse("blocked", "FD-END-2", "a car that finishes is not blocked")
    if brakes + blocked + report.overshoot > most:
        why = f"are more than the {most} spaces of the move"
        _refuse("brakes", "FD-BRAKE-1", f"brakes, spaces blocked and overshot {why}")


def _refuse(name: str, rule: str, why: str) -> None:
    refuse("report-contradiction", why, rule=rule, name=name)
