"""Reading a black die: a number, or one of the ranges that were asked for."""

from __future__ import annotations

from typing import Any

from companion.rules.errors import Illegal, Malformed
from companion.rules.formula.asking import outcomes_of
from companion.rules.formula.asks import Reason
from companion.rules.formula.refuse import not_on_the_die, whole_number
from companion.rules.formula.state import State
from companion.rules.formula.tables import BLACK_DIE


def black_roll(state: State, reason: str, value: Any, seat: int = 0) -> int:
    """The number of a black die, or the lowest of a range that was answered; `seat` rolls.

    Raises:
        Malformed: neither a whole number nor a pair of them.
        Illegal: a number that is not on the die, or a range that was not offered.
    """
    if not isinstance(value, list):
        number = whole_number("black", value)
        if not BLACK_DIE[0] <= number <= BLACK_DIE[1]:
            raise not_on_the_die(number)
        return number
    ranges = [[low, high] for low, high, _ in outcomes_of(state, Reason(reason), seat)]
    if len(value) != 2 or any(type(end) is not int for end in value):
        raise Malformed(
            "black-form",
            f"black is a number from 1 to 20 or one of the ranges {ranges}, not {value!r:.60}",
            args={"ranges": ranges},
        )
    if value not in ranges:
        raise Illegal(
            "range-not-offered",
            f"{value} is not one of the ranges {ranges}",
            args={"value": value, "ranges": ranges},
        )
    return int(value[0])
