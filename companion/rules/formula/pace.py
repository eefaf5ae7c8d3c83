"""Time and flags: what a house lets come of a turn that takes too long, and of a long evening.

There is no clock in the rules. A line says that a flag has fallen for a seat or that the bell has
rung; the companion gives it, or a referee with a watch, and a replay finds it in the record.

House switches: `turn_clock` (seconds a turn), `turn_late` (what comes of a longer one), `race_time`
(minutes until the bell), `time_up` (what it means), `error_flags`.

A turn is lost by sitting it out (FD-ORDER-1): the car stays where it is, in its gear. The bell
makes the lap of the leader the last one (FD-LAPS-1, FD-END-1): all race on to that line.
"""

from __future__ import annotations

from typing import Final

from companion.rules.copies import replace
from companion.rules.formula.car import Car, Status
from companion.rules.formula.settings import Setup
from companion.rules.formula.state import Event, Flow, Phase, State
from companion.rules.game import Decision, Timing
from companion.rules.reading import refuse

FLAGS_A_TURN: Final = 3
"""So many flags of a kind cost a turn; the kinds are not added together."""
WARNINGS: Final = 1
SLOW: Final = "too slow"
"""The reason that a record gives for a car which its second time flag put out; `views` has it
in every language."""
MINUTE_S: Final = 60
BANK_S: Final = 10 * MINUTE_S
"""What a seat has of its own for the race, where turns that are too long come off a bank."""


class Flagged(Event):
    """A flag fell for a seat, the `count`th of its kind; `out`: it costs the seat a turn."""

    why: str
    count: int
    out: bool

    def applied(self, state: State) -> State:
        flags = state.cars[self.seat].flags
        flags = replace(flags, **{self.why: self.count}, sits_out=flags.sits_out + self.out)
        return state.change(self.seat, flags=flags)


class TurnLost(Event):
    """A car sits a turn out, for its flags."""

    def applied(self, state: State) -> State:
        flags = state.cars[self.seat].flags
        return state.change(self.seat, flags=replace(flags, sits_out=flags.sits_out - 1))


class BellRung(Event):
    """The time of the race is over: it has so many `laps` and no more."""

    laps: int

    def applied(self, state: State) -> State:
        return replace(state, setup=replace(state.setup, laps=self.laps))


def timing(setup: Setup) -> Timing:
    """What a race says of time."""
    turn, race = setup.house.turn_clock, setup.house.race_time
    return Timing(
        turn_s=None if turn == "none" else int(turn),
        late=setup.house.turn_late,
        bank_s=BANK_S if setup.house.turn_late == "bank" else 0,
        race_s=None if race == "none" else int(race) * MINUTE_S,
        freezes=setup.house.time_up == "freeze",
    )


def sit_out(flow: Flow, seat: int) -> None:
    """A turn that its flags have cost this car is over at once."""
    flow.tell(TurnLost(seat=seat, rule="FD-ORDER-1"))


def flag(flow: Flow, car: Car, why: str) -> bool:
    """A flag falls for a car; whether it puts the car out.

    Raises:
        Illegal: nobody races, or at this table no such flag falls.
    """
    setup = flow.state.setup
    if flow.state.phase is not Phase.RACE or not car.runs:
        refuse("not-running", f"the car of seat {car.seat} does not run", seat=car.seat)
    late = setup.house.turn_late
    if (late == "show") if why == "time" else setup.house.error_flags == "off":
        refuse("no-flags", f"at this table no flag falls for {why}")
    count = 1 + (car.flags.time if why == "time" else car.flags.error)
    by_count = why == "error" or late == "flag"
    lost = count % FLAGS_A_TURN == 0 if by_count else late in ("lost", "bank")
    flow.tell(Flagged(seat=car.seat, rule=None, why=why, count=count, out=lost))
    return why == "time" and late == "warn-out" and count > WARNINGS


def ring(state: State) -> Decision[State, Event]:
    """The bell: the lap that the leader is in is the last.

    A car on its way to its box is in the lap that its stop will begin (FD-PIT-5).

    Raises:
        Illegal: nobody races, or the race has no bell.
    """
    setup = state.setup
    if state.phase is not Phase.RACE:
        refuse("no-bell", "the bell rings in a race under way")
    if setup.house.race_time == "none" or setup.house.time_up != "last-lap":
        refuse("no-bell", "the time of this race brings no last lap")
    flow = Flow(state)
    flow.tell(BellRung(seat=0, rule="FD-LAPS-1", laps=_last_lap(state)))
    return flow.done()


def _last_lap(state: State) -> int:
    if any(car.status is Status.FINISHED for car in state.cars.values()):
        return state.setup.laps
    laps = (
        car.lap + (car.status is Status.PIT and not car.counts_lap_early) for car in state.running()
    )
    return min(state.setup.laps, max(1, *laps))
