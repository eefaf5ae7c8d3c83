"""Why an answer is refused: the sentence, the rule, and what would be accepted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.rules.errors import Illegal, Malformed, sentence
from companion.rules.formula.option import Option
from companion.rules.formula.state import Car, State, Status
from companion.rules.formula.tables import GEAR_DICE, GEARBOX, PIT_GEAR, TOP_GEAR
from companion.rules.game import Answer, Ask


def whole_number(kind: str, value: Any) -> int:
    """The value as a whole number.

    Raises:
        Malformed: anything else (true and 3.0 too).
    """
    if type(value) is not int:
        raise Malformed(
            "not-a-number", f"{kind} is a whole number, not {value!r:.60}", args={"kind": kind}
        )
    return value


ONE_BY_ONE = frozenset({"gear", "roll", "move"})
"""A turn is the gear, then its die, then the move (FD-GEAR-1)."""


def not_asked(state: State, answer: Answer, asks: Sequence[Ask]) -> Illegal:
    """Nobody asked this seat that, with the rule by which it is not its moment."""
    wanted = ", ".join(f"seat {ask.seat}: {ask.kind}" for ask in asks) or "nothing"
    return Illegal(
        "not-asked",
        f"seat {answer.seat} is not asked for {answer.kind} now; asked is {wanted}",
        rule=_why_not_asked(state, answer, asks),
        args={"seat": answer.seat, "kind": answer.kind},
    )


def _why_not_asked(state: State, answer: Answer, asks: Sequence[Ask]) -> str | None:
    """Rolls that are open come first, then whose turn it is, then the order of a turn."""
    if not asks:
        return None
    step = state.pending[0]
    if any(ask.kind == "black" for ask in asks):
        return step.rule
    if state.turn is not None and answer.seat != state.turn:
        return "FD-ORDER-1"
    if answer.kind in ONE_BY_ONE and step.kind in ONE_BY_ONE:
        return "FD-GEAR-1"
    return "FD-SLIP-1" if answer.kind == "slipstream" else step.rule


def yes_or_no(kind: str, value: Any) -> bool:
    """The value as true or false.

    Raises:
        Malformed: anything else (1 and "yes" too).
    """
    if type(value) is not bool:
        message = f"{kind} is true or false, not {value!r:.60}"
        raise Malformed("yes-or-no", message, args={"kind": kind})
    return value


def refuse_gear(state: State, car: Car, gear: int) -> Illegal:
    """Why this gear is not on offer."""
    in_box = state.setup.ground.in_box(state, car)
    args = {"gear": gear, "from": car.gear}
    if not 1 <= gear <= TOP_GEAR:
        return Illegal("no-such-gear", f"gears are 1 to {TOP_GEAR}, not {gear}", args=args)
    if car.status is Status.SPUN:
        return _only_first("FD-CORNER-6", "after-spin", "a car that has spun starts in 1st", args)
    if car.status is Status.STALLED:
        return _only_first("FD-START-2", "after-stall", "a stalled car starts in 1st", args)
    if car.status is Status.GRID:
        return _only_first("FD-GEAR-1", "first-gear-first", "the first gear is 1st", args)
    if (in_box and car.served) or (car.pit_mark == "fresh" and gear > PIT_GEAR):
        message = f"a car leaves its box in {PIT_GEAR}th or lower, not in {gear}"
        return Illegal("leave-box", message, rule="FD-PIT-2", args=args)
    if gear > car.gear:
        message = f"from {car.gear} at most gear {car.gear + 1}, not {gear}"
        return Illegal("gear-too-high", message, rule="FD-GEAR-2", args=args)
    if car.gear - gear > 4:
        message = f"from {car.gear} down to {gear} is impossible"
        return Illegal("gear-too-low", message, rule="FD-GEAR-3", args=args)
    if not car.wear[GEARBOX]:
        name = state.setup.edition.categories[GEARBOX]
        message = f"without {name} points only one gear down, to {car.gear - 1}"
        return Illegal(f"no-{name}", message, rule="FD-REV-2", args=args)
    message = f"the wear points for {car.gear} down to {gear} are not there"
    return Illegal("over-rev-unaffordable", message, rule="FD-REV-2", args=args)


def _only_first(rule: str, key: str, why: str, args: dict[str, Any]) -> Illegal:
    return Illegal(key, f"{why}, not in {args['gear']}", rule=rule, args=args)


def refuse_face(gear: int, face: int) -> Illegal:
    """A face that the engaged gear's die does not have."""
    low, high = GEAR_DICE[gear]
    return Illegal(
        "face-out-of-range",
        f"the die of gear {gear} shows {low} to {high}, not {face}",
        rule="FD-DIE-1",
        args={"gear": gear, "face": face, "low": low, "high": high},
    )


NOT_AN_END: Mapping[str, str] = {
    "FD-MOVE-1": sentence("Too far, too near, or through a car."),
    "FD-MOVE-2": sentence("No zigzag in a straight."),
    "FD-MOVE-3": sentence("Beside and in corners only along the arrows."),
    "FD-MOVE-4": sentence("In a straight the shortest way is driven."),
    "FD-CORNER-4": sentence("Who overshoots a corner keeps the lane."),
    "FD-BRAKE-1": sentence("The car has not so many brakes points."),
    "FD-BLOCK-2": sentence("Another way is free: the car is not blocked."),
    "FD-SLIP-1": sentence("No slipstream in this gear or place."),
    "FD-SLIP-2": sentence("A slipstream moves three spaces."),
    "FD-SLIP-5": sentence("No brakes points left to enter the corner."),
    "FD-PIT-1": sentence("The car cannot come to this box now."),
}
"""Why a space is no end of a move, by the rule that is met first."""


def refuse_end(state: State, ends: Sequence[Option], to: str, brakes: int, rule: str) -> Illegal:
    """An end that is not on the list, by the first rule that it breaks; names those that are."""
    track = state.setup.track
    listed = sorted({track.ids[end.to] for end in ends if end.brakes == brakes})[:12]
    return Illegal(
        "no-such-move",
        NOT_AN_END.get(rule, sentence("The move cannot end there.")),
        rule=rule,
        args={"to": to, "brakes": brakes, "ends": listed},
    )


def unknown_end(to: str) -> Illegal:
    """A space that the board does not have."""
    return Illegal("no-such-space", f"this track has no space {to!r:.40}", args={"to": to[:40]})
