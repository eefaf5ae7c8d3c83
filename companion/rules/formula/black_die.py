"""The black die: asking for it, reading an answer, and rolls that may cost a point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.rules.errors import Illegal, Malformed
from companion.rules.formula.asks import BlackAsk, Loses, Outcome, Reason, Unhurt
from companion.rules.formula.event import Cost
from companion.rules.formula.refuse import whole_number
from companion.rules.formula.state import State
from companion.rules.formula.tables import BLACK_DIE
from companion.rules.formula.urban.drivers import own_limit
from companion.rules.formula.wear import NOTHING, one
from companion.rules.game import Ask


def ask_black(
    seat: int,
    reason: Reason,
    outcomes: Sequence[Outcome],
    *,
    against: int | None = None,
    at: str | None = None,
    times: int = 1,
) -> BlackAsk:
    """The ask for a black die of a seat; `times` it still rolls for what is open."""
    return BlackAsk(seat, reason, outcomes, against, at, times)


def hurting(
    state: State, seat: int, reason: Reason, limits: Mapping[bool, int], category: int
) -> tuple[Outcome, ...]:
    """The outcomes of a roll that costs a point up to a limit: dry, and in rain (FD-WEATHER-4).

    Some drivers have limits of their own (FD-DRV-4, FD-DRV-10).
    """
    upto = own_limit(state, seat, reason) or limits[state.raining]
    hurt = Outcome(BLACK_DIE[0], upto, Loses(category))
    return (hurt, Outcome(upto + 1, BLACK_DIE[1], Unhurt()))


def read_roll(ask: Ask, value: Any) -> int:
    """The number of a black die, or the lowest of a range that was answered.

    Raises:
        Malformed: neither a number from 1 to 20 nor a pair of numbers.
        Illegal: a range that was not offered.
    """
    assert isinstance(ask, BlackAsk)
    ranges = [[low, high] for low, high, _ in ask.outcomes]
    if not isinstance(value, list):
        number = whole_number("black", value)
        if not BLACK_DIE[0] <= number <= BLACK_DIE[1]:
            raise Malformed(
                "black-out-of-range",
                f"the black die shows {BLACK_DIE[0]} to {BLACK_DIE[1]}, not {number}",
                args={"number": number},
            )
        return number
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


def meant(ask: Ask, roll: int) -> Outcome:
    """The outcome that a number falls into."""
    assert isinstance(ask, BlackAsk)
    return next(outcome for outcome in ask.outcomes if outcome.low <= roll <= outcome.high)


def cost_of(ask: Ask, roll: int) -> Cost:
    """What a roll that may hurt costs."""
    does = meant(ask, roll).meaning
    return one(does.category) if isinstance(does, Loses) else NOTHING
