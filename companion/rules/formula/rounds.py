"""From the first round to the last: whose turn it is, how a turn ends, when the race is over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

from companion.rules.codec import Many, Seat
from companion.rules.formula.elimination import lay_marker, stand
from companion.rules.formula.event import Event
from companion.rules.formula.flow import Flow
from companion.rules.formula.gears import Gear
from companion.rules.formula.order import classification
from companion.rules.formula.start import Start
from companion.rules.formula.state import Phase, State, Status
from companion.rules.formula.step import Point, SeatStep, Step
from companion.rules.formula.urban import police
from companion.rules.reading import bad


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundBegan(Event):
    """A round began; its order is fixed."""

    round: int
    order: tuple[int, ...]

    def applied(self, state: State) -> State:
        return replace(state, phase=Phase.RACE, round=self.round, order=self.order, turn=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan(Event):
    """A seat is on turn."""

    def applied(self, state: State) -> State:
        return replace(state, turn=self.seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnded(Event):
    """A turn is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WreckLifted(Event):
    """A wreck is taken away (DE-BLOCK-1)."""

    def applied(self, state: State) -> State:
        return stand(state, self.seat, stands=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceEnded(Event):
    """The race is over; `order` is the classification."""

    order: tuple[int, ...]

    def applied(self, state: State) -> State:
        places = {seat: place for place, seat in enumerate(self.order, 1)}
        cars = {seat: replace(car, place=places[seat]) for seat, car in state.cars.items()}
        return replace(state, phase=Phase.FINISHED, turn=None, order=(), cars=cars, pending=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Lift(SeatStep):
    """The turn of a car that a block put out: it is taken away (DE-BLOCK-1)."""

    kind: ClassVar[str] = "lift"
    at: ClassVar[Point] = Point.LIFT
    rule: ClassVar[str] = "DE-BLOCK-1"

    def settle(self, flow: Flow) -> bool:
        flow.take()
        flow.tell(WreckLifted(seat=self.seat, rule=self.rule))
        return True

    def without(self, seat: int, *, retired: bool) -> Step | None:
        return self

    def seats_named(self) -> Iterable[int]:
        return ()

    def check(self, state: State) -> None:
        if state.setup.edition.blocks != "wreck":
            bad("pending-form", f"lift is never pending in {state.setup.edition.name}")
        if not state.cars[self.seat].is_wreck:
            bad("pending-form", "a wreck that stands is lifted", rule=self.rule)


@dataclass(frozen=True, slots=True, kw_only=True)
class End(SeatStep):
    """The end of a turn: markers are laid where `lost` cars stand or stood (FD-DEBRIS-1)."""

    kind: ClassVar[str] = "end"
    at: ClassVar[Point] = Point.END
    rule: ClassVar[str] = "FD-DEBRIS-1"
    lost: Annotated[tuple[int, ...], Many(Seat())] = ()

    def settle(self, flow: Flow) -> bool:
        """The next turn begins, once the contest of the police station is decided."""
        if police.decide(flow):
            return True  # FD-URBAN-5: the last that had not passed is out
        flow.take()
        for seat in self.lost:
            lay_marker(flow, seat)
        flow.tell(TurnEnded(seat=self.seat, rule=None))
        next_turn(flow)
        return True

    def marked(self, seat: int) -> Step:
        return self if seat in self.lost else replace(self, lost=(*self.lost, seat))

    def without(self, seat: int, *, retired: bool) -> Step | None:
        """A car that the referee retires leaves no debris."""
        if not retired:
            return self
        return replace(self, lost=tuple(other for other in self.lost if other != seat))

    def seats_named(self) -> Iterable[int]:
        return ()


def settle(flow: Flow) -> None:
    """Do all that goes by itself, up to the next step that waits for an answer.

    When nothing is left to be settled before the race, it begins.
    """
    while flow.state.phase is not Phase.FINISHED:
        if not flow.queue and flow.state.phase is Phase.SETUP:
            begin_round(flow)
            begin_turn(flow, flow.state.order[0])
        if not flow.queue or not flow.queue[0].settle(flow):
            return


def begin_round(flow: Flow, order: tuple[int, ...] | None = None) -> None:
    """A new round in a new order (FD-START-1, FD-ORDER-1); None: by where the cars stand."""
    number = flow.state.round + 1
    rule = "FD-START-1" if number == 1 else "FD-ORDER-1"
    order = order or flow.state.setup.ground.round_order(flow.state)
    flow.tell(RoundBegan(seat=0, rule=rule, round=number, order=order))


def next_turn(flow: Flow) -> None:
    """Whoever comes next: in this round, in a new one, or nobody any more (FD-END-1)."""
    state = flow.state
    if not state.running():
        end_race(flow)
        return
    order = state.order
    at = order.index(state.turn) + 1 if state.turn in order else 0
    following = [s for s in order[at:] if state.cars[s].runs or state.cars[s].is_wreck]
    if following:
        begin_turn(flow, following[0])
    elif state.setup.ground.orders_itself(flow):
        begin_round(flow)
        begin_turn(flow, flow.state.order[0])


def begin_turn(flow: Flow, seat: int) -> None:
    """A seat's turn: its start roll where it is due, else its gear.

    DE-BLOCK-1: a wreck is taken away. DE-PIT-1: the stop of a car that has stood its turn.
    """
    flow.tell(TurnBegan(seat=seat, rule=None))
    car = flow.car(seat)
    if car.is_wreck:
        flow.begin([Lift(seat=seat), End(seat=seat, lost=(seat,))])
    elif car.pit_mark == "waits":
        flow.begin([flow.state.setup.ground.stop_after_wait(flow, seat), End(seat=seat)])
    elif car.status is Status.GRID and flow.state.setup.start_rolls:
        flow.begin([Start(seat=seat), End(seat=seat)])
    else:
        flow.begin([Gear(seat=seat), End(seat=seat)])


def end_race(flow: Flow) -> None:
    """The race is over: everybody gets a place."""
    flow.begin([])
    order = tuple(car.seat for car in classification(flow.state))
    flow.tell(RaceEnded(seat=0, rule="FD-END-1", order=order))
