"""The referee's lines: correct, retire, return, join and end."""

from __future__ import annotations

from companion.rules.codec import Context
from companion.rules.commands import Bell, Correct, End, Flag, Join, Referee, Retire
from companion.rules.copies import replace
from companion.rules.formula.car import Car, Status
from companion.rules.formula.elimination import lift
from companion.rules.formula.late import join
from companion.rules.formula.marshals import BLACK, may_be_black, penalize
from companion.rules.formula.order import arrival_number, lap_back_at
from companion.rules.formula.pace import SLOW, flag, ring
from companion.rules.formula.rounds import end_race, settle
from companion.rules.formula.setup import resume
from companion.rules.formula.state import Event, Flow, Phase, State
from companion.rules.formula.tell import tell_state
from companion.rules.game import Decision
from companion.rules.reading import merged, refuse


class Corrected(Event):
    """The referee corrected the state."""

    reason: str
    state: State

    def applied(self, state: State) -> State:
        return self.state

    def as_json(self, context: Context) -> dict[str, object]:
        """The reason; what it became is STATE."""
        return {"event": "Corrected", "seat": 0, "rule": self.rule, "reason": self.reason}


class Retired(Event):
    """A car was retired by the referee; it leaves no debris."""

    reason: str
    round: int

    def applied(self, state: State) -> State:
        return lift(state, self.seat, "retired", self.rule, self.round)


class Returned(Event):
    """A car is back in the race, from the next round; boardless, `space` is None."""

    space: str | None

    def applied(self, state: State) -> State:
        """Back in the race, but not in the order of this round any more."""
        car, track = state.cars[self.seat], state.setup.track
        assert car.out is not None
        space = None if self.space is None else track.index[self.space]
        in_corner = space is None or track.corner[space] >= 0
        order = tuple(s for s in state.order if s != self.seat or s == state.turn)
        state = state.change(
            self.seat,
            status=car.out.was,
            space=space,
            lap=lap_back_at(state, car, space),
            stops=car.stops if in_corner and space == car.out.space else 0,
            out=None,
            place=None,
            arrived=arrival_number(state),
        )
        return replace(state, order=order)


def referee(state: State, command: Referee) -> Decision[State, Event]:
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
        case Join(entry):
            return join(state, entry)
        case Bell():
            return ring(state)
    car = state.cars.get(command.seat)
    if car is None:
        seats, seat = sorted(state.cars), command.seat
        refuse("no-such-seat", f"this race has seats {seats}, not {seat}", seat=seat)
    if isinstance(command, Retire):
        return _retire(state, car, command.reason or "")
    if isinstance(command, Flag):
        return _flag(state, car, command.why)
    return _return(state, car)


def _correct(state: State, command: Correct) -> Decision[State, Event]:
    """Merge a part of STATE into the state; all else stays, open steps too.

    Cars that it does not name stay as they are; another phase asks all of them whether they may.
    """
    from companion.rules.formula.position import read_state  # few races are corrected

    part = command.part
    named = None if "phase" in part else part.get("cars", {})
    kept = [s for s in state.cars if isinstance(named, dict) and str(s) not in named]
    data = merged(tell_state(state, state.cars.keys() - kept), part)
    for derived in ("raining", "classification", *(("laid",) * ("debris" in part))):
        if derived not in part:
            data.pop(derived, None)
    blank = replace(state, pending=(), order=(), turn=None)
    corrected = read_state(blank, data, kept=kept)
    flow = Flow(corrected)
    flow.tell(Corrected(seat=0, rule=None, reason=command.reason or "", state=corrected))
    resume(flow)
    return flow.done()


def _flag(state: State, car: Car, why: str) -> Decision[State, Event]:
    """A flag falls, and what the house says comes of it."""
    flow = Flow(state)
    if why == "black":
        may_be_black(state)
        return _retire(state, car, BLACK)
    if why == "placing":
        penalize(flow, car)
        return flow.done()
    if flag(flow, car, why):
        return _retire(flow.state, flow.car(car.seat), SLOW, before=flow)
    return flow.done()


def _retire(
    state: State, car: Car, reason: str, before: Flow | None = None
) -> Decision[State, Event]:
    """Take a car out of the race; it leaves no debris."""
    if state.phase is Phase.FINISHED or not car.runs:
        message = f"the car of seat {car.seat} does not run"
        refuse("not-running", message, seat=car.seat)
    flow = before or Flow(state)
    flow.tell(Retired(seat=car.seat, rule=None, reason=reason, round=state.round))
    flow.drop_car(car.seat, retired=True)
    if flow.state.running():
        settle(flow)
    else:
        end_race(flow)
    return flow.done()


def _return(state: State, car: Car) -> Decision[State, Event]:
    """Put a car back where it went out, or near by."""
    if state.phase is not Phase.RACE or car.status is not Status.OUT or car.out is None:
        message = f"the car of seat {car.seat} is not out of a running race"
        refuse("not-out", message, seat=car.seat)
    space = state.ground.space_of_return(state, car)
    where = None if space is None else state.setup.track.ids[space]
    flow = Flow(state)
    flow.tell(Returned(seat=car.seat, rule=None, space=where))
    return flow.done()


def _end(state: State) -> Decision[State, Event]:
    """End now: running cars are classified as they stand."""
    if state.phase is Phase.FINISHED:
        refuse("race-over", "the race is over")
    flow = Flow(state)
    end_race(flow)
    return flow.done()
