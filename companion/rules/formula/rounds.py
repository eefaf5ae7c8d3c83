"""From the first round to the last: whose turn it is, how a turn ends, when the race is over."""

from __future__ import annotations

from companion.rules.copies import replace
from companion.rules.forms import Seats
from companion.rules.formula.car import Car, PitMark, Status
from companion.rules.formula.elimination import lay_marker, put_out, stand
from companion.rules.formula.gears import Gear, GearEngaged, GearRoll
from companion.rules.formula.lapping import laps_behind, lose_turn, lose_turns, regain_turn
from companion.rules.formula.option import has_one_grace
from companion.rules.formula.order import classification, following
from companion.rules.formula.pace import sit_out
from companion.rules.formula.pit import PitTurnServed
from companion.rules.formula.start import Start, rolls_to_start
from companion.rules.formula.state import ByItself, Event, Flow, Phase, State, Step, but
from companion.rules.formula.tables import COAST_GEAR, TIRES
from companion.rules.formula.turn import Point
from companion.rules.formula.urban import police
from companion.rules.formula.weather import tests_at_round_end
from companion.rules.reading import bad


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
        if police.decide(flow):
            flow.due(self)  # FD-URBAN-5: the last that had not passed is out
            return
        for seat in self.lost:
            lay_marker(flow, seat)
        roll_out(flow, self.seat)
        regain_turn(flow, self.seat)
        if not following(flow.state) and tests_at_round_end(flow):
            flow.due(replace(self, lost=()))
            return
        flow.tell(TurnEnded(seat=self.seat, rule=None))
        next_turn(flow)

    def marked(self, seat: int) -> Step:
        return self if seat in self.lost else replace(self, lost=(*self.lost, seat))

    def without(self, seat: int, *, retired: bool) -> Step | None:
        """A car that the referee retires leaves no debris."""
        return replace(self, lost=but(self.lost, seat)) if retired else self


def settle(flow: Flow) -> None:
    """Do all that goes by itself, up to the next step that waits for an answer.

    When nothing is left to be settled before the race, it begins.
    """
    while flow.state.phase is not Phase.FINISHED:
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


def next_turn(flow: Flow) -> None:
    """Whoever comes next: in this round, in a new one, or nobody any more (FD-END-1)."""
    state = flow.state
    if not any(car.runs for car in state.cars.values()):
        end_race(flow)
        return
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
    flow.tell(TurnBegan(seat=seat, rule=None))
    car = flow.car(seat)
    if car.is_wreck:
        flow.due(Lift(seat=seat), End(seat=seat, lost=(seat,)))
    elif car.flags.sits_out:
        sit_out(flow, seat)
        flow.due(End(seat=seat))
    elif car.pit_mark is PitMark.WAITS:
        flow.tell(PitTurnServed(seat=seat, rule="DE-PIT-1"))
        flow.due(flow.state.ground.stop_in_box(seat), End(seat=seat))
    elif car.memory.blown:
        _roll_on(flow, car)
    elif rolls_to_start(flow.state, car):
        flow.due(Start(seat=seat), End(seat=seat))
    else:
        flow.due(Gear(seat=seat), End(seat=seat))


def _roll_on(flow: Flow, car: Car) -> None:
    """The turn of a car without an engine: a die and a move; of a spun car it is the end.

    On its way home it is a gear lower each turn.
    """
    flow.due(End(seat=car.seat))
    if car.status is Status.SPUN:
        put_out(flow, car.seat, "engine", "FD-ENGINE-3")
        return
    gear = car.gear - 1 if car.coasts else COAST_GEAR
    flow.tell(GearEngaged(seat=car.seat, rule="FD-ENGINE-3", gear=gear, before=car.gear))
    flow.due(GearRoll(seat=car.seat))


def roll_out(flow: Flow, seat: int) -> None:
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
