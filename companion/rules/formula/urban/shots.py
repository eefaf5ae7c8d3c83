"""What a shot at a car does: the noise zone, and Stanley's radio (FD-URBAN-3, FD-DRV-3)."""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.formula.asks import Loses, Outcome, Unhurt
from companion.rules.formula.elimination import mark, put_out
from companion.rules.formula.event import Cost
from companion.rules.formula.flow import Flow
from companion.rules.formula.tables import CATEGORIES
from companion.rules.formula.urban.tables import LEAVES_DEBRIS, VITAL
from companion.rules.formula.wear import lost


def outcomes(table: Mapping[tuple[int, int], str]) -> tuple[Outcome, ...]:
    """The outcomes of a shot: the category that is hit, or a miss."""
    return tuple(
        Outcome(low, high, Loses(CATEGORIES.index(hit)) if hit else Unhurt())
        for (low, high), hit in table.items()
    )


def suffered(flow: Flow, seat: int, aimed: Cost) -> tuple[str, Cost]:
    """The category that a shot aims at ("": it misses), and what the car loses by it.

    Where there is nothing left nothing is lost (FD-CAR-2).
    """
    category = CATEGORIES[aimed.index(1)] if any(aimed) else ""
    return category, lost(flow.car(seat).wear, aimed)


def suffer(flow: Flow, seat: int, category: str, cost: Cost, rule: str) -> None:
    """A body or engine WP lost leaves debris; the last of a vital one puts the car out."""
    if not any(cost):
        return
    if category in VITAL and not flow.car(seat).wear[CATEGORIES.index(category)]:
        put_out(flow, seat, category, rule)
    elif category in LEAVES_DEBRIS:
        mark(flow, seat)
