"""The racer: plays the solved board, move by move, as if it were alone on it.

Others it sees only by the ends that are on offer.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.advice.alone import Alone
from companion.advice.bots.by_room import usual_tires
from companion.advice.by_sky import Figures
from companion.rules.formula.asks import GearChoice
from companion.rules.formula.option import Option
from companion.rules.formula.state import Phase, State
from companion.rules.formula.tables import TIRE_KINDS


def is_tested(state: State) -> bool:
    """Whether an engine test follows the move that is asked for."""
    return any(step.kind == "tests" for step in state.pending)


class Racer:
    """A level on a solved board."""

    def __init__(self, figures: Figures) -> None:
        self._figures = figures

    def alone(self, state: State, seat: int) -> Alone:
        """What a moment is worth to this car, were it alone."""
        return self._figures.of(state, seat)

    def gear(self, state: State, seat: int, choices: Sequence[GearChoice]) -> int:
        """The gear with the least turns to come; of equal ones the lowest."""
        car, engaged = state.cars[seat], self.alone(state, seat).engaged
        return min(choices, key=lambda choice: engaged(car, choice)).gear

    def end(self, state: State, seat: int, ends: Sequence[Option]) -> Option:
        """The end with the least turns to come."""
        if len(ends) == 1:
            return ends[0]
        car, after, tested = state.cars[seat], self.alone(state, seat).after, is_tested(state)
        return min(ends, key=lambda end: after(car, end, tested=tested))

    def slip(self, state: State, seat: int, ends: Sequence[Option]) -> Option | None:
        """The best end, if it is better than to stay; what the move has cost is paid by then."""
        car, end = state.cars[seat], self.end(state, seat, ends)
        tested = is_tested(state)
        alone = self.alone(state, seat)
        stays = alone.staying(car, tested=tested)
        return end if alone.after(car, end, tested=tested) < stays else None

    def length(self, state: State, seat: int, ends: Sequence[Sequence[Option]]) -> int:
        """The length with the best end."""
        car, after = state.cars[seat], self.alone(state, seat).after
        best = [min((after(car, end) for end in some), default=1e9) for some in ends]
        return min(range(len(ends)), key=best.__getitem__)

    def tires(self, state: State, seat: int) -> str:
        """At a stop the kind with the least turns to come; before the race the usual one."""
        if state.phase is not Phase.RACE:
            return usual_tires(state)
        car, alone = state.cars[seat], self.alone(state, seat)
        return min(TIRE_KINDS, key=lambda kind: alone.stopping(car, [kind]))
