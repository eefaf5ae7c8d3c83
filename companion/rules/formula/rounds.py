"""From the first round to the last: whose turn it is, how a turn ends, when the race is over.

What a house lets come of a turn that takes too long, and of a long evening, stands here too.
"""

from __future__ import annotations

from typing import Final

from companion.rules.codec import Seats, replace
from companion.rules.formula import gears, urban
from companion.rules.formula.book import COAST_GEAR, TIRES, Setup
from companion.rules.formula.car import UNMOVED, Car, PitMark, Point, Status, has_one_grace
from companion.rules.formula.losses import lay_marker, put_out, stand
from companion.rules.formula.order import (
    classification,
    following,
    laps_behind,
    lose_turn,
    lose_turns,
    regain_turn,
)
from companion.rules.formula.pit import PitTurnServed
from companion.rules.formula.state import ByItself, Event, Flow, Phase, State, Step, but
from companion.rules.formula.weather import by_round, tests_at_round_end
from companion.rules.game import Decision, Timing
from companion.rules.lines import bad, refuse


class RoundBegan(Event):
    """A round began; its order is fixed."""

    round: int
    order: tuple[int, ...]

    def applied(self, state: State) -> State:
        return replace(state, phase=Phase.RACE, round=self.round, order=self.order, turn=None)


class TurnBegan(Event):
    """A seat is on turn."""

    def applied(self, state: State) -> State:
        state = replace(state, turn=self.seat)
        car = state.cars[self.seat]
        if lose_turn(state.setup):
            state = state.remembering(self.seat, laps_down=laps_behind(state, car))
        if car.wear[TIRES] or not has_one_grace(state.setup):
            return state
        # True in the first turn without tires and False in all later ones: the grace is for one
        # turn (FD-CORNER-7).
        return state.remembering(self.seat, grace=car.memory.grace is None)


class TurnEnded(Event):
    """A turn is over."""


class WreckLifted(Event):
    """A wreck is taken away (DE-BLOCK-1)."""

    def applied(self, state: State) -> State:
        return stand(state, self.seat, stands=False)


class RaceEnded(Event):
    """The race is over; `order` is the classification."""

    order: tuple[int, ...]

    def applied(self, state: State) -> State:
        places = {seat: place for place, seat in enumerate(self.order, 1)}
        cars = {seat: replace(car, place=places[seat]) for seat, car in state.cars.items()}
        if state.phase is Phase.TRIALS:
            # Who drives a lap alone has not started its race either (FD-TRIAL-1).
            cars |= {s: replace(car, **UNMOVED) for s, car in cars.items() if car.space is not None}
        return replace(state, phase=Phase.FINISHED, turn=None, order=(), cars=cars, pending=())


class Lift(ByItself, kind="lift", at=Point.LIFT, rule="DE-BLOCK-1", outlives=True):
    """The turn of a car that a block put out: it is taken away (DE-BLOCK-1)."""

    def settle(self, flow: Flow) -> None:
        flow.tell(WreckLifted(seat=self.seat, rule=self.rule))

    def check(self, state: State) -> None:
        if not state.setup.wrecks_stand:
            bad(
                "pending-form",
                f"lift is never pending in {state.setup.edition.name}: no wrecks stand",
            )
        if not state.cars[self.seat].is_wreck:
            bad("pending-form", "a wreck that stands is lifted", rule=self.rule)


class End(ByItself, kind="end", at=Point.END, rule="FD-DEBRIS-1", outlives=True):
    """The end of a turn: markers are laid where `lost` cars stand or stood (FD-DEBRIS-1)."""

    lost: Seats = ()

    def settle(self, flow: Flow) -> None:
        """The next turn begins, once the contest of the police station is decided."""
        # Whoever the contest waited for may be out by now; its prize comes before this end
        # (FD-URBAN-5).
        if flow.state.is_urban and urban.decide(flow):
            # So this end is put back, behind the prize.
            flow.due(self)
            return
        for seat in self.lost:
            lay_marker(flow, seat)
        _roll_out(flow, self.seat)
        regain_turn(flow, self.seat)
        if not following(flow.state) and by_round(flow.state) and tests_at_round_end(flow):
            # The markers are laid; the end comes back without them, once the weather is rolled.
            flow.due(replace(self, lost=()))
            return
        flow.tell(TurnEnded.just(self.seat))
        _next_turn(flow)

    def marked(self, seat: int) -> Step:
        return self if seat in self.lost else replace(self, lost=(*self.lost, seat))

    def without(self, seat: int, *, retired: bool) -> Step | None:
        """A car that the referee retires leaves no debris."""
        return replace(self, lost=but(self.lost, seat)) if retired else self


def settle(flow: Flow) -> None:
    """Do all that goes by itself, up to the next step that waits for an answer.

    When nothing is left to be settled before the race, it begins.
    """
    finished = Phase.FINISHED
    while flow.state.phase is not finished:
        if not flow.queue and flow.state.phase is Phase.SETUP:
            begin_round(flow)
            begin_turn(flow, flow.state.order[0])
        if not flow.queue or flow.queue[0].waits(flow.state):
            return
        flow.take().settle(flow)


def begin_round(flow: Flow, order: tuple[int, ...] | None = None) -> None:
    """A new round in a new order (FD-START-1, FD-ORDER-1); None: by where the cars stand."""
    number = flow.state.round + 1
    rule = "FD-START-1" if number == 1 else "FD-ORDER-1"
    order = order or flow.state.ground.round_order(flow.state)
    flow.tell(RoundBegan(seat=0, rule=rule, round=number, order=order))


def _next_turn(flow: Flow) -> None:
    """The next turn, in this round or a new one, or the end of the race (FD-END-1)."""
    state = flow.state
    if not any(car.runs for car in state.cars.values()):
        end_race(flow)
        return
    # Before asking who follows: a lapped car leaves the order here (FD-ORDER-1).
    lose_turns(flow)
    still = following(flow.state)
    if still:
        begin_turn(flow, still[0])
    elif state.ground.orders_itself(flow):
        begin_round(flow)
        begin_turn(flow, flow.state.order[0])


def begin_turn(flow: Flow, seat: int) -> None:
    """A seat's turn: its start roll where it is due, else its gear.

    DE-BLOCK-1: a wreck is taken away. DE-PIT-1: the stop of a car that has stood its turn.
    """
    flow.tell(TurnBegan.just(seat))
    car = flow.car(seat)
    if car.is_wreck:
        flow.due(Lift(seat=seat), End(seat=seat, lost=(seat,)))
    elif car.flags.sits_out:
        _sit_out(flow, seat)
        flow.due(End(seat=seat))
    elif car.pit_mark is PitMark.WAITS:
        flow.tell(PitTurnServed(seat=seat, rule="DE-PIT-1"))
        flow.due(flow.state.ground.stop_in_box(seat), End(seat=seat))
    elif car.memory.blown:
        _roll_on(flow, car)
    elif gears.rolls_to_start(flow.state, car):
        flow.due(gears.Start.just(seat), End.just(seat))
    else:
        flow.due(gears.Gear.just(seat), End.just(seat))


def _roll_on(flow: Flow, car: Car) -> None:
    """The turn of a car without an engine: a die and a move; of a spun car it is the end.

    On its way home it is a gear lower each turn, by house switch `coast_gears` more than one where
    it pays for that.
    """
    # The end first: it is where `put_out` notes the marker to be laid (FD-DEBRIS-1).
    flow.due(End(seat=car.seat))
    if car.status is Status.SPUN:
        put_out(flow, car.seat, "engine", "FD-ENGINE-3")
        return
    if car.coasts and len(gears.gears_on_offer(flow.state, car.seat)) > 1:
        flow.due(gears.Gear(seat=car.seat))
        return
    gear = car.gear - 1 if car.coasts else COAST_GEAR
    flow.tell(gears.GearEngaged(seat=car.seat, rule="FD-ENGINE-3", gear=gear, before=car.gear))
    flow.due(gears.GearRoll(seat=car.seat))


def _roll_out(flow: Flow, seat: int) -> None:
    """Where a car without an engine has come to: debris, and the end but on its way home."""
    car = flow.car(seat)
    if car.runs and car.coasts:
        lay_marker(flow, seat)
        if car.memory.blown == "last" or car.gear <= 1:
            put_out(flow, seat, "engine", "FD-ENGINE-3", stands=True)


def end_race(flow: Flow) -> None:
    """The race is over: everybody gets a place."""
    flow.drop_all()
    order = tuple(car.seat for car in classification(flow.state))
    flow.tell(RaceEnded(seat=0, rule="FD-END-1", order=order))


# -- time and flags -------------------------------------------------------------------------------

# There is no clock in the rules. A line says that a flag has fallen for a seat or that the bell
# has rung; the companion gives it, or a referee with a watch, and a replay finds it in the
# record.
#
# House switches: `turn_clock` (seconds a turn), `turn_late` (what comes of a longer one),
# `race_time` (minutes until the bell), `time_up` (what it means), `error_flags`. A turn is lost
# by sitting it out (FD-ORDER-1): the car stays where it is, in its gear. The bell makes the lap
# of the leader the last one (FD-LAPS-1, FD-END-1): all race on to that line.

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


def _sit_out(flow: Flow, seat: int) -> None:
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
    # Somebody is home, so the last lap is under way already.
    if any(car.status is Status.FINISHED for car in state.cars.values()):
        return state.setup.laps
    laps = (
        car.lap + (car.status is Status.PIT and not car.counts_lap_early) for car in state.running()
    )
    return min(state.setup.laps, max(1, *laps))
