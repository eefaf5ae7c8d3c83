"""A roll that a driver may make once more, once a race: house switch `second_roll` (FD-DIE-1).

`gear`: of the die of a gear (the federation's variants: a point of "telemetry"); `any`: of every
die that the driver rolls, the black one too (the Italian Regolamento per il Campionato). The second
roll counts, whatever it shows. A driver has one such point a race; how a season gives more is not
played.

It hangs on no chapter: whatever asks a driver for a die, its answer waits here before it counts.
So nothing has happened yet while it is asked, and with "no" the answer goes where it was meant for.
Of those who roll together the others go on meanwhile. A roll that does no harm is not held.
"""

from __future__ import annotations

from typing import Annotated

from companion.rules.forms import Pair, Within
from companion.rules.formula.asks import BlackAsk, RollAsk, SecondRollAsk
from companion.rules.formula.black_die import read_roll
from companion.rules.formula.meanings import Unhurt
from companion.rules.formula.state import Asks, Event, Flow, Phase, Roll, SeatStep, State
from companion.rules.formula.turn import Point
from companion.rules.game import Ask
from companion.rules.reading import bad, yes_or_no

RULE = "FD-DIE-1"
DICE = {"none": (), "gear": (RollAsk,), "any": (RollAsk, BlackAsk)}
"""The asks whose answers may be rolled again, by the value of the switch."""
Thrown = tuple[int, int]
"""The lowest and the highest number of what was answered; both the same: that number."""


class RollHeld(Event):
    """A roll that may yet be made again: nothing has changed so far."""

    roll: Roll


class SecondRollChosen(Event):
    """Whether the die is rolled once more; then there is no further roll in this race."""

    again: bool

    def applied(self, state: State) -> State:
        return state.remembering(self.seat, second_roll=True) if self.again else state


class SecondRoll(SeatStep, kind="second_roll", at=Point.HELD, rule=RULE):
    """Whether the roll that waits counts; the step that has asked for it comes next."""

    roll: Annotated[Thrown, Pair(Within(0, 100), Within(0, 100))]

    def _behind(self, state: State) -> Asks:
        """What the step asks that this one has come before."""
        at = state.pending.index(self) + 1
        return state.pending[at].asks(state) if state.pending[at:] else ()

    def asks(self, state: State) -> Asks:
        others = [ask for ask in self._behind(state) if ask.seat != self.seat]
        return [SecondRollAsk(self.seat, roll=_as_answered(self.roll)), *others]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        if ask.seat != self.seat:
            flow.take().answer(flow, ask, value)
            flow.due(self)
            return
        again = yes_or_no(value, self.kind)
        asked = (a for a in self._behind(flow.state) if a.seat == self.seat)
        flow.tell(SecondRollChosen(seat=self.seat, rule=RULE, again=again))
        die = next((a for a in asked if isinstance(a, DICE["any"])), None)
        if die is not None and not again:
            flow.take().answer(flow, die, _as_answered(self.roll))

    def check(self, state: State) -> None:
        """It is the last that a car has, at a table that plays so."""
        if state.setup.house.second_roll == "none" or state.cars[self.seat].memory.second_roll:
            bad("pending-form", "this car has no second roll", rule=RULE)


def holds(flow: Flow, ask: Ask, value: object) -> bool:
    """Whether a roll waits for a step of this kind, now put in before the one that asked for it.

    Raises:
        Malformed, Illegal: it is no answer to what was asked.
    """
    state = flow.state
    if not isinstance(ask, DICE[state.setup.house.second_roll]) or state.phase is not Phase.RACE:
        return False
    car = state.cars.get(ask.seat)
    if car is None or car.memory.second_roll or not car.runs:
        return False
    trial = Flow(state)
    trial.take().answer(trial, ask, value)  # refuses what it would refuse
    rolled = read_roll(ask, value) if isinstance(ask, BlackAsk) else None
    if rolled and isinstance(rolled.meaning, Unhurt):
        return False
    roll = _as_pair(rolled.roll if rolled else value)
    flow.tell(RollHeld(seat=ask.seat, rule=RULE, roll=_as_answered(roll)))
    flow.due(SecondRoll(seat=ask.seat, roll=roll))
    return True


def _as_pair(roll: object) -> Thrown:
    if isinstance(roll, int):
        return roll, roll
    assert isinstance(roll, list)
    return roll[0], roll[1]


def _as_answered(roll: Thrown) -> Roll:
    low, high = roll
    return low if low == high else [low, high]
