"""The black die: what a roll that may hurt does, and reading an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.rules.formula.asks import BlackAsk
from companion.rules.formula.meanings import Loses, Meaning, Outcome, Reason, Unhurt
from companion.rules.formula.state import Roll, State
from companion.rules.formula.tables import BLACK_DIE
from companion.rules.formula.urban.drivers import own_limit
from companion.rules.formula.wear import NOTHING, Wear, one
from companion.rules.game import Ask
from companion.rules.reading import bad, refuse, whole_number


class Rolled(NamedTuple):
    """A roll: its number (the lowest of a range), what was answered, and what that does."""

    number: int
    roll: Roll
    meaning: Meaning

    @property
    def cost(self) -> Wear:
        """What a roll that may hurt costs."""
        return one(self.meaning.category) if isinstance(self.meaning, Loses) else NOTHING


def ask_hurting(
    state: State,
    seat: int,
    reason: Reason,
    limits: Mapping[bool, int],
    category: int,
    *,
    against: int | None = None,
    at: str | None = None,
    times: int = 1,
) -> BlackAsk:
    """The ask of a roll that costs a point up to a limit: dry, and in rain (FD-WEATHER-4).

    Some drivers have limits of their own (FD-DRV-4, FD-DRV-10). The rest as in `BlackAsk`.
    """
    upto = own_limit(state, seat, reason) or limits[state.raining]
    hurts = Outcome(BLACK_DIE[0], upto, Loses(category))
    outcomes = (hurts, Outcome(upto + 1, BLACK_DIE[1], Unhurt()))
    return BlackAsk(seat, reason=reason, outcomes=outcomes, against=against, at=at, times=times)


def read_roll(ask: Ask, value: object) -> Rolled:
    """What was rolled: a number of the die, or one of the ranges on offer.

    Raises:
        Malformed: neither a number from 1 to 20 nor a pair of numbers.
        Illegal: a range that was not offered.
    """
    assert isinstance(ask, BlackAsk)
    if not isinstance(value, list):
        number = whole_number(value, "black")
        if not BLACK_DIE[0] <= number <= BLACK_DIE[1]:
            message = f"the black die shows {BLACK_DIE[0]} to {BLACK_DIE[1]}, not {number}"
            bad("black-out-of-range", message, number=number)
        return Rolled(number, number, _meaning(ask, number))
    ranges = [[outcome.low, outcome.high] for outcome in ask.outcomes]
    if len(value) != 2 or any(type(end) is not int for end in value):
        message = f"black is a number from 1 to 20 or one of the ranges {ranges}"
        bad("black-form", f"{message}, not {value!r:.60}", ranges=ranges)
    if value not in ranges:
        message = f"{value} is not one of the ranges {ranges}"
        refuse("range-not-offered", message, value=value, ranges=ranges)
    return Rolled(value[0], value, _meaning(ask, value[0]))


def _meaning(ask: BlackAsk, number: int) -> Meaning:
    return next(one.meaning for one in ask.outcomes if one.low <= number <= one.high)
