"""What marshals say: a black flag, a red one, and a placing error in a trial.

House switches of clubs' books: `black_flag` takes a car out of the race (a referee's decision, or
the vote of the drivers, which he enters); `red_flag` stops the race and starts it again from the
grid, in the order on the track, with all debris swept; `trial_error` adds rolls to a trial for a
car that was put on a wrong space (competition rules of 2018, 1-1-11). At a table without them they
are refused.
"""

from __future__ import annotations

from typing import Final

from companion.rules.copies import replace
from companion.rules.formula.car import Car, Status, Trial
from companion.rules.formula.elimination import put_out, stand
from companion.rules.formula.markers import cleared
from companion.rules.formula.order import by_position
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


class RaceStopped(Event):
    """A red flag: these cars stand on the grid, pole first; the lap of each begins anew."""

    order: tuple[int, ...]

    def applied(self, state: State) -> State:
        for car in state.wrecks().values():
            state = stand(state, car.seat, stands=False)
        for seat in self.order:
            state = _on_the_grid(state, state.cars[seat])
        state = replace(cleared(state), turn=None, order=())
        return state.ground.set_grid(state, self.order)


def _on_the_grid(state: State, car: Car) -> State:
    """A car before its first gear, in front of the line that its lap began with."""
    older = car.lap > 1
    return state.change(
        car.seat,
        status=Status.GRID,
        gear=0,
        stops=0,
        lap=max(0, car.lap - 1),
        tires_lap=max(1, car.tires_lap - older),
        served=False,
        pit_mark=None,
    )


def has_signal(setup: Setup, why: str) -> bool:
    """Whether marshals say this at a table."""
    known = {"black": setup.black_flag, "red": setup.red_flag, "placing": setup.trial_error != "0"}
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
    rolls = int(flow.state.setup.trial_error)
    flow.tell(TrialPenalized(seat=car.seat, rule="FD-TRIAL-2", rolls=rolls))


def stop_race(flow: Flow) -> None:
    """A red flag: the race begins again from the grid; a car without an engine is out.

    Raises:
        Illegal: at this table there is none, or nobody races.
    """
    _refuse_unknown(flow.state.setup, "red")
    if flow.state.phase is not Phase.RACE or not flow.state.running():
        refuse("no-race-to-stop", "a red flag stops a race under way")
    for car in flow.state.running():
        if car.memory.blown:
            put_out(flow, car.seat, "engine", "FD-ENGINE-3")
    order = tuple(car.seat for car in by_position(flow.state, flow.state.running()))
    flow.drop_all()
    flow.tell(RaceStopped(seat=0, rule="FD-START-1", order=order))
