"""Shots at a car: in the noise zone at one that has ended its move there (FD-URBAN-3).

What a shot does is the same for what Stanley throws (FD-DRV-3).
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.formula.asks import BlackAsk
from companion.rules.formula.black_die import read_roll
from companion.rules.formula.elimination import mark, put_out
from companion.rules.formula.meanings import Loses, Outcome, Reason, Unhurt
from companion.rules.formula.option import Way
from companion.rules.formula.state import Asks, Cost, Flow, Roll, SeatStep, State, Wears
from companion.rules.formula.tables import CATEGORIES
from companion.rules.formula.turn import Point
from companion.rules.formula.urban.drivers import OF_URBAN, is_urban
from companion.rules.formula.urban.tables import LEAVES_DEBRIS, NOISE, VITAL
from companion.rules.formula.wear import lost
from companion.rules.game import Ask


class NoiseRolled(Wears):
    """A shot at a car in the noise zone: the category that it aims at, "" for a miss."""

    roll: Roll
    category: str


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


class Noise(
    SeatStep, kind="noise", at=Point.NOISE, rule="FD-URBAN-3", needs=OF_URBAN, on_road=True
):
    """A move may have ended in the noise zone."""

    @classmethod
    def after_way(cls, flow: Flow, way: Way) -> None:
        if is_urban(flow.state) and not way.slips:
            flow.due(cls(seat=way.seat))

    def waits(self, state: State) -> bool:
        """Where the move has ended in the noise zone."""
        return state.cars[self.seat].space in state.setup.track.noise

    def asks(self, state: State) -> Asks:
        return [BlackAsk(self.seat, reason=Reason.NOISE, outcomes=outcomes(NOISE))]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """FD-URBAN-3; tires at 0 lose nothing more, and no shot spins a car."""
        seat, rule, rolled = self.seat, self.rule, read_roll(ask, value)
        category, cost = suffered(flow, seat, rolled.cost)
        flow.tell(NoiseRolled(seat=seat, rule=rule, roll=rolled.roll, category=category, cost=cost))
        suffer(flow, seat, category, cost, rule)
