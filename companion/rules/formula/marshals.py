"""What marshals say: a black flag, and a placing error in a trial.

House switches of clubs' books: `black_flag` takes a car out of the race (a referee's decision, or
the vote of the drivers, which he enters); `trial_error` adds rolls to a trial for a car that was
put on a wrong space (competition rules of 2018, 1-1-11). At a table without them they are refused.
"""

from __future__ import annotations

from typing import Final

from companion.rules.copies import replace
from companion.rules.formula.car import Car, Trial
from companion.rules.formula.settings import Setup
from companion.rules.formula.state import Event, Flow, Phase, State
from companion.rules.reading import refuse

BLACK: Final = "black flag"
"""The reason that a record gives for a car which a black flag took out of the race."""


class TrialPenalized(Event):
    """So many rolls are added to a trial."""

    rolls: int

    def applied(self, state: State) -> State:
        trial = state.cars[self.seat].trial or Trial()
        return state.change(self.seat, trial=replace(trial, rolls=trial.rolls + self.rolls))


def has_signal(setup: Setup, why: str) -> bool:
    """Whether marshals say this at a table."""
    known = {
        "black": setup.house.black_flag == "on",
        "placing": setup.house.trial_error != "0",
    }
    return known[why]


def _refuse_unknown(setup: Setup, why: str) -> None:
    if not has_signal(setup, why):
        refuse("no-flags", f"at this table no flag falls for {why}")


def may_be_black(state: State) -> None:
    """Refuse a black flag at a table that has none.

    Raises:
        Illegal: so it is.
    """
    _refuse_unknown(state.setup, "black")


def penalize(flow: Flow, car: Car) -> None:
    """A placing error: rolls more for the trial that is driven.

    Raises:
        Illegal: nobody is penalized here, or this seat does not drive its trial now.
    """
    _refuse_unknown(flow.state.setup, "placing")
    if flow.state.phase is not Phase.TRIALS or car.space is None:
        refuse("no-trial", f"seat {car.seat} does not drive its trial now", seat=car.seat)
    rolls = int(flow.state.setup.house.trial_error)
    flow.tell(TrialPenalized(seat=car.seat, rule="FD-TRIAL-2", rolls=rolls))
