"""The referee's lines: correct, retire, return, flag, join, end; a car that stands elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from companion.rules import lines
from companion.rules.board.track import Track
from companion.rules.codec import Context, replace
from companion.rules.formula import header
from companion.rules.formula.asks import MoveAsk
from companion.rules.formula.book import DRIVERS, TEAM_SIZE, Setup
from companion.rules.formula.car import Car, NearEnd, Status, Trial
from companion.rules.formula.collisions import Bump
from companion.rules.formula.corners import Halt
from companion.rules.formula.losses import WhereItWas, lift
from companion.rules.formula.moving import Move, Slipstream
from companion.rules.formula.order import arrival_number, lap_back_at, progress
from companion.rules.formula.position import read_state, resume, tell_state, tell_steps
from companion.rules.formula.rounds import SLOW, end_race, flag, ring, settle
from companion.rules.formula.state import Event, Flow, Phase, State, Step
from companion.rules.game import Ask, Decision


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
    space: WhereItWas

    def applied(self, state: State) -> State:
        return lift(state, self.seat, "retired", self.rule, self.round, self.space)


class Returned(Event):
    """A car is back in the race, from the next round; boardless, `space` is None."""

    space: str | None

    def applied(self, state: State) -> State:
        """Back in the race, but not in the order of this round any more."""
        car, track = state.cars[self.seat], state.setup.track
        assert car.out is not None
        space = None if self.space is None else track.index[self.space]
        in_corner = space is None or track.corner[space] >= 0
        # Its own turn may still be going on; without it in the order nobody would come next.
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


def referee(state: State, command: lines.Referee) -> Decision[State, Event]:
    """What follows from a referee's command.

    Raises:
        Malformed: a correction contradicts itself.
        Illegal: it makes no sense now.
    """
    match command:
        case lines.Correct():
            return _correct(state, command)
        case lines.End():
            return _end(state)
        case lines.Join(entry):
            return _join(state, entry)
        case lines.Bell():
            return ring(state)
    car = state.cars.get(command.seat)
    if car is None:
        seats, seat = sorted(state.cars), command.seat
        lines.refuse("no-such-seat", f"this race has seats {seats}, not {seat}", seat=seat)
    if isinstance(command, lines.Retire):
        return _retire(state, car, command.reason or "")
    if isinstance(command, lines.Flag):
        return _flag(state, car, command.why)
    return _return(state, car)


def _correct(state: State, command: lines.Correct) -> Decision[State, Event]:
    """Merge a part of STATE into the state; all else stays, open steps too.

    Cars that it does not name stay as they are; another phase asks all of them whether they may.
    """
    part = command.part
    named = None if "phase" in part else part.get("cars", {})
    kept = [s for s in state.cars if isinstance(named, dict) and str(s) not in named]
    data = lines.merged(tell_state(state, state.cars.keys() - kept), part)
    # These follow from the rest and are worked out anew; `laid` only where the debris was changed.
    for derived in ("raining", "classification", "laps_added", *(("laid",) * ("debris" in part))):
        if derived not in part:
            data.pop(derived, None)
    # What is open comes from the merged data alone, so a correction can take it away.
    blank = replace(_raised(state, part.get("laps")), pending=(), order=(), turn=None)
    corrected = read_state(blank, data, kept=kept)
    flow = Flow(corrected)
    flow.tell(Corrected(seat=0, rule=None, reason=command.reason or "", state=corrected))
    resume(flow)
    return flow.done()


def _raised(state: State, laps: object) -> State:
    """The state with the laps that the referee adds (FD-LAPS-1).

    Raises:
        Illegal: somebody has crossed the last line.
    """
    setup = state.setup
    if type(laps) is not int or not setup.laps < laps <= setup.edition.laps[1]:
        return state
    if any(car.lap > setup.laps for car in state.cars.values()):
        lines.refuse("laps-car-home", "a car is home: no lap is added", rule="FD-LAPS-1")
    added = state.laps_added + laps - setup.laps
    return replace(state, setup=replace(setup, laps=laps), laps_added=added)


def _flag(state: State, car: Car, why: str) -> Decision[State, Event]:
    """A flag falls, and what the house says comes of it."""
    flow = Flow(state)
    if why == "black":
        _may_be_black(state)
        return _retire(state, car, BLACK)
    if why == "placing":
        _penalize(flow, car)
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
        lines.refuse("not-running", message, seat=car.seat)
    flow = before or Flow(state)
    where = flow.stands(car.seat)
    flow.tell(Retired(seat=car.seat, rule=None, reason=reason, round=state.round, space=where))
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
        lines.refuse("not-out", message, seat=car.seat)
    space = state.ground.space_of_return(state, car)
    where = None if space is None else state.setup.track.ids[space]
    flow = Flow(state)
    flow.tell(Returned(seat=car.seat, rule=None, space=where))
    return flow.done()


def _end(state: State) -> Decision[State, Event]:
    """End now: running cars are classified as they stand."""
    if state.phase is Phase.FINISHED:
        lines.refuse("race-over", "the race is over")
    flow = Flow(state)
    end_race(flow)
    return flow.done()


# -- it stands elsewhere --------------------------------------------------------------------------

# The table may say at which space a car stands, whatever the state says. Where the car was just
# being moved, that move is closed: what a move brings where it ends (a stop, collisions) follows
# as ever; debris, overshoot and slipstream on a way that the companion does not know are for the
# table to settle. Near the ends that are listed a board that is a sketch believes the table: that
# is an answer like any other.

_AGREED = "it stands at {}, as the table agreed"


def format_agreed(space: str) -> str:
    """The reason of a correction that two seats agreed on, as a record keeps it."""
    return _AGREED.format(space)


def parse_agreed(reason: str) -> str | None:
    """The space that such a reason names; None: it is another reason.

    >>> parse_agreed(format_agreed("T2.m1"))
    'T2.m1'
    """
    before, after = _AGREED.split("{}")
    is_agreed = reason.startswith(before) and reason.endswith(after)
    return reason.removeprefix(before).removesuffix(after) if is_agreed else None


def elsewhere(
    state: State, asks: Sequence[Ask], seat: int, space: str
) -> lines.Answer | lines.Correct:
    """What says that the car of a seat stands at this space: its move ends there, or a correction.

    Raises:
        Malformed: the board has no such space.
        Illegal: the car is not on the board, or the space is not free.
    """
    track = state.setup.track
    if space not in track.index:
        raise lines.no_such_space(space)
    brakes = [end.listed.brakes for end in _near(asks, seat) if track.ids[end.space] == space]
    if brakes:
        # Only the place was said, so the fewest brakes that lead there are taken.
        return lines.Answer(seat, "move", {"to": space, "brakes": min(brakes)})
    car = state.cars.get(seat)
    if car is None or car.space is None:
        raise lines.Illegal(
            "not-on-board", f"seat {seat} has no car on the board", args={"seat": seat}
        )
    new = track.index[space]
    holder = next((one.seat for one in state.cars.values() if one.space == new), seat)
    if holder != seat:
        raise lines.Illegal(
            "space-taken", f"the car of seat {holder} stands there", args={"seat": holder}
        )
    step = state.pending[0] if state.pending else None
    moving = isinstance(step, Move | Slipstream) and step.seat == seat
    moved = _moved(track, car, car.space, new, forward=moving)
    part: dict[str, object] = {"cars": {str(seat): moved}}
    if moving:
        part["pending"] = tell_steps(state, _closed(state.pending, seat))
    return lines.Correct(part, format_agreed(space))


def _near(asks: Sequence[Ask], seat: int) -> list[NearEnd]:
    """The ends near those that are listed for the move of this seat."""
    moves = (ask for ask in asks if isinstance(ask, MoveAsk) and ask.seat == seat)
    return [end for ask in moves for end in ask.near]


def _closed(pending: Sequence[Step], seat: int) -> list[Step]:
    """The open steps without the move (or its slipstream), with what its end brings."""
    first, *rest = pending
    # Behind a slipstream both are pending already, since the move before it (FD-SLIP-6).
    return [Halt(seat=seat), Bump(seat=seat), *rest] if isinstance(first, Move) else rest


def _moved(track: Track, car: Car, old: int, new: int, *, forward: bool) -> dict[str, object]:
    """Space, lap and stops of the car at its new place.

    A car in its move has gone forward. Otherwise it stands wherever is nearer, which may be
    back over the line.
    """
    ahead = (track.level[new] - track.level[old]) % track.lap_levels
    back = not forward and ahead > track.lap_levels // 2
    lap = car.lap
    if back and track.level[new] > track.level[old]:
        lap = max(0, lap - 1)
    elif not back and track.level[new] < track.level[old]:
        lap += 1
    moved = {"space": track.ids[new], "stops": _stops(track, car, old, new, forward=forward)}
    return moved | ({"lap": lap} if lap != car.lap else {})


def _stops(track: Track, car: Car, old: int, new: int, *, forward: bool) -> int:
    """Stops made in the corner of the new space, the one of a move just ending not yet."""
    if track.corner[new] < 0:
        return 0
    if track.corner[new] == track.corner[old]:
        return car.stops
    # A move still to be closed marks its own stop; a car that is put there has made one
    # (FD-MOVE-5).
    return 0 if forward else 1


# -- what marshals say ----------------------------------------------------------------------------

# House switches of clubs' books: `black_flag` takes a car out of the race (a referee's decision,
# or the vote of the drivers, which he enters); `trial_error` adds rolls to a trial for a car that
# was put on a wrong space (competition rules of 2018, 1-1-11). At a table without them they are
# refused.

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
    known = {"black": setup.house.black_flag == "on", "placing": setup.house.trial_error != "0"}
    return known[why]


def _refuse_unknown(setup: Setup, why: str) -> None:
    if not has_signal(setup, why):
        lines.refuse("no-flags", f"at this table no flag falls for {why}")


def _may_be_black(state: State) -> None:
    """Refuse a black flag at a table that has none.

    Raises:
        Illegal: this table has no black flag.
    """
    _refuse_unknown(state.setup, "black")


def _penalize(flow: Flow, car: Car) -> None:
    """A placing error: rolls more for the trial that is driven.

    Raises:
        Illegal: nobody is penalized here, or this seat does not drive its trial now.
    """
    _refuse_unknown(flow.state.setup, "placing")
    if flow.state.phase is not Phase.TRIALS or car.space is None:
        lines.refuse("no-trial", f"seat {car.seat} does not drive its trial now", seat=car.seat)
    rolls = int(flow.state.setup.house.trial_error)
    flow.tell(TrialPenalized(seat=car.seat, rule="FD-TRIAL-2", rolls=rolls))


# -- a car that comes late stands at the back of the grid and plays from the next round -----------

# The rulebooks say nothing of it; a table that lets somebody in half-way has to. Our ruling: the
# car is as a header would have set it up, has all laps before it (FD-END-2), and makes its start
# roll, where there are any, in its first turn (FD-START-1). Trials and grid rolls are over: who
# comes then waits for the first round. What a rule that is on wants of a seat and the line leaves
# out follows by itself: the first driver that nobody has, the team that is one car short, else a
# new one; a car that nobody has constructed is a standard one (FD-CAR-1).


class Joined(Event):
    """A player has come late, so many spaces behind the first car (`gap`).

    Boardless, `space` and `gap` are None.
    """

    name: str
    space: str | None
    gap: int | None
    car: Car

    def applied(self, state: State) -> State:
        """One car more, which is in no order before the next round (FD-ORDER-1)."""
        cars = {**state.cars, self.seat: self.car}
        pools = header.team_pools(cars.values(), state.setup.builds, state.setup)
        # What teams have spent stays spent: only a new team's pool is added.
        return replace(state, cars=cars, pools={**pools, **state.pools})

    def as_json(self, context: object) -> dict[str, object]:
        """Who joined and where; the rest of the car is told in STATE."""
        event = {"event": "Joined", "seat": self.seat, "rule": self.rule}
        return {**event, "name": self.name, "space": self.space, "gap": self.gap}


def _join(state: State, entry: Mapping[str, object]) -> Decision[State, Event]:
    """One seat more, as an entry of a header's `seats` says it.

    Raises:
        Malformed: the entry breaks a rule, or contradicts the cars that are there.
        Illegal: the race has not begun, is over, or has no room.
    """
    if state.phase is not Phase.RACE:
        lines.refuse("no-late-join", f"nobody comes in late while a race is in {state.phase}")
    _refuse_full(state)
    box = next(box for box in range(1, 100) if all(box != c.box for c in state.cars.values()))
    car = header.read_car({**_unsaid(state), **entry}, box, state.setup)
    if car.seat in state.cars:
        lines.refuse("seat-taken", f"seat {car.seat} is there already", seat=car.seat)
    cars = {**state.cars, car.seat: car}
    header.refuse_shared_boxes(cars, state.setup.track)
    header.refuse_shared_drivers(cars)
    # Called for its refusals only; `Joined` sets the pools.
    header.team_pools(cars.values(), state.setup.builds, state.setup)
    space = state.ground.space_of_joining(state)
    car = replace(car, space=space, arrived=arrival_number(state))
    where = None if space is None else state.setup.track.ids[space]
    flow = Flow(state)
    gap = None if space is None else _gap(state, car)
    flow.tell(Joined(seat=car.seat, rule=None, name=car.name, space=where, gap=gap, car=car))
    return flow.done()


def _gap(state: State, car: Car) -> int:
    """The spaces, of two levels each, that a car stands behind the first one that runs."""
    track = state.setup.track
    first = max((progress(track, one) for one in state.running()), default=progress(track, car))
    return max(0, first - progress(track, car)) // 2


def _refuse_full(state: State) -> None:
    """No more cars than the rules and the grid have room for (DE-CAR-2)."""
    setup, cars = state.setup, len(state.cars)
    room = setup.edition.most_cars
    if not setup.boardless:
        room = min(room, len(setup.track.grid))
    if cars >= room:
        lines.refuse("no-room", f"{room} cars race, there is no room for another", room=room)


def _unsaid(state: State) -> dict[str, object]:
    """What the rules that are on want of a seat and its line leaves out (FD-URBAN-1, FD-TEAM-1)."""
    unsaid: dict[str, object] = {}
    if "urban" in state.setup.rules:
        taken = {car.street.driver for car in state.cars.values()}
        free = (d for d in DRIVERS.values() if d.needs is None or d.needs in state.setup.rules)
        unsaid["driver"] = next((d.name for d in free if d.name not in taken), None)
    if "teams" in state.setup.rules:
        teams = Counter(car.team for car in state.cars.values() if car.team)
        short = [team for team, cars in teams.items() if cars < TEAM_SIZE]
        names = (f"Team {number}" for number in range(1, 100))
        unsaid["team"] = short[0] if short else next(name for name in names if name not in teams)
    return unsaid
