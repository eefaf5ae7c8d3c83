"""The racer: plays the solved board, move by move, as if it were alone on it.

Where others stand it sees only by the ends that are on offer.
"""

from __future__ import annotations

from companion.advice.alone import Alone
from companion.rules.formula.asks import GearAsk
from companion.rules.formula.option import Option
from companion.rules.formula.state import State


def is_tested(state: State) -> bool:
    """Whether an engine test follows the move that is asked for."""
    return any(step.kind == "tests" for step in state.pending)


class Racer:
    """A bot on a solved board."""

    def __init__(self, alone: Alone) -> None:
        self.alone = alone

    def gear(self, state: State, ask: GearAsk) -> int:
        """The gear with the least turns to come; of equal ones the lowest."""
        car, engaged = state.cars[ask.seat], self.alone.engaged
        return min(ask.choices, key=lambda choice: engaged(car, choice)).gear

    def end(self, state: State, seat: int, ends: list[Option]) -> Option:
        """The end with the least turns to come."""
        car, after, tested = state.cars[seat], self.alone.after, is_tested(state)
        return min(ends, key=lambda end: after(car, end, tested=tested))
