"""The referee's lines: correct, retire, return and end."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.commands import Correct, End, Referee, Retire
from companion.rules.errors import Illegal
from companion.rules.formula import events as ev
from companion.rules.formula import rounds, turn
from companion.rules.formula.evolve import lap_back_at
from companion.rules.formula.flow import Decision, Flow
from companion.rules.formula.position import read_state
from companion.rules.formula.setup import resume
from companion.rules.formula.state import Car, Phase, State, Status, Step
from companion.rules.formula.tell import tell_state
from companion.rules.reading import merged


def referee(state: State, command: Referee) -> Decision:
    """What follows from a referee's command.

    Raises:
        Malformed: a correction contradicts itself.
        Illegal: it makes no sense now.
    """
    match command:
        case Correct():
            return _correct(state, command)
        case End():
            return _end(state)
    car = state.cars.get(command.seat)
    if car is None:
        raise no_such_seat(state, command.seat)
    if isinstance(command, Retire):
        return _retire(state, car, command.reason or "")
    return _return(state, car)


def no_such_seat(state: State, seat: int) -> Illegal:
    """A seat that is not in this race."""
    seats = sorted(state.cars)
    return Illegal("no-such-seat", f"this race has seats {seats}, not {seat}", args={"seat": seat})


# -- correct ------------------------------------------------------------------------------


def _correct(state: State, command: Correct) -> Decision:
    """Merge a part of STATE into the state; all else stays, open steps too."""
    part = command.part
    told = merged(tell_state(state), part)
    for derived in ("raining", "classification"):
        if derived not in part:
            told.pop(derived, None)
    corrected = read_state(replace(state, pending=(), order=(), turn=None), told)
    flow = Flow(corrected)
    flow.tell(ev.Corrected(reason=command.reason or "", state=corrected))
    resume(flow)
    return flow.done()


# -- retire and return --------------------------------------------------------------------


def _retire(state: State, car: Car, reason: str) -> Decision:
    """Take a car out of the race; it leaves no debris."""
    if state.phase is Phase.FINISHED or not car.runs:
        raise Illegal("not-running", f"the car of seat {car.seat} does not run", args={
            "seat": car.seat})  # fmt: skip
    flow = Flow(state)
    flow.tell(ev.Retired(seat=car.seat, reason=reason, round=state.round))
    flow.queue = [left for step in flow.queue for left in _without(step, car.seat)]
    if not flow.state.running():
        rounds.end_race(flow)
        return flow.done()
    turn.settle(flow)
    return flow.done()


def _without(step: Step, seat: int) -> list[Step]:
    """A pending step without a car that is gone: nothing, or the step for the others."""
    step = replace(
        step,
        groups=tuple(g for group in step.groups if (g := tuple(s for s in group if s != seat))),
        rolls=tuple(roll for roll in step.rolls if roll[0] != seat),
        others=tuple(other for other in step.others if other != seat),
        seats=tuple(s for s in step.seats if s != seat),
    )
    if step.kind in ("collision", "touch") and step.seat == seat:
        return [replace(step, seats=())]
    stays = step.kind in ("end", "tests", "weather", "reroll")
    return [] if step.seat == seat and not stays else [step]


def _return(state: State, car: Car) -> Decision:
    """Put a car back where it went out, or on the nearest free space behind in its lane.

    A car that went out past its last line has not finished: it comes back before the line.
    """
    if state.phase is not Phase.RACE or car.status is not Status.OUT or car.out is None:
        raise Illegal("not-out", f"the car of seat {car.seat} is not out of a running race",
            args={"seat": car.seat})  # fmt: skip
    space = car.out.space
    if state.setup.boardless:
        flow = Flow(state)
        flow.tell(ev.Returned(seat=car.seat, space=None))
        return flow.done()
    if space is None:
        raise Illegal("nowhere-to-return", f"it is not known where seat {car.seat} stood",
            args={"seat": car.seat})  # fmt: skip
    track = state.setup.track
    taken = {other.space for other in state.cars.values()}
    taken |= {other for other, wreck in state.wrecks().items() if wreck is not car}
    for _ in track.ids:
        if space not in taken and lap_back_at(state, car, space) <= state.setup.laps:
            flow = Flow(state)
            flow.tell(ev.Returned(seat=car.seat, space=track.ids[space]))
            return flow.done()
        space = track.behind[space]
        if space < 0:
            break
    raise Illegal("nowhere-to-return", "no space behind it is free", args={"seat": car.seat})


def _end(state: State) -> Decision:
    """End now: running cars are classified as they stand."""
    if state.phase is Phase.FINISHED:
        raise Illegal("race-over", "the race is over")
    flow = Flow(state)
    rounds.end_race(flow)
    return flow.done()
