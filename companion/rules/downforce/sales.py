"""Who gets a lot: sold, drawn after a tie, or dealt (DF-BID-3, DF-VAR-1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from companion.frozen import dataclass
from companion.rules.codec import Spread
from companion.rules.downforce.asks import AwardAsk
from companion.rules.downforce.cards import with_eight
from companion.rules.downforce.lots import lots_left
from companion.rules.downforce.refuse import illegal
from companion.rules.downforce.state import TABLE, Event, Flow, Lot, LotStep, SeatsStep, State
from companion.rules.downforce.tables import BIDS, CARS
from companion.rules.forms import Within
from companion.rules.game import Ask
from companion.rules.reading import bad


@dataclass(frozen=True, slots=True, kw_only=True)
class CarSold(Event):
    """A seat has the car and its power, at this price in millions."""

    lot: Annotated[Lot, Spread(Lot)]
    price: int

    def applied(self, state: State) -> State:
        return _owned(state, self.seat, self.lot, self.price)


@dataclass(frozen=True, slots=True, kw_only=True)
class CarDealt(Event):
    """A seat was dealt the car; seat 0: it is left over and nobody's."""

    lot: Annotated[Lot, Spread(Lot)]

    def applied(self, state: State) -> State:
        return _owned(state, self.seat, self.lot, 0) if self.seat else state


def _owned(state: State, seat: int, lot: Lot, price: int) -> State:
    player, won = state.players[seat], () if lot.power is None else (lot.power,)
    car = replace(state.cars[lot.car], owner=seat, price=price)
    player = replace(player, powers=(*player.powers, *won), cards=with_eight(player, lot.car))
    return state.with_car(lot.car, car).with_player(seat, player)


@dataclass(frozen=True, kw_only=True)
class Award(SeatsStep, LotStep):
    """A tie for a lot at the price `number`: the table's own chance device decides."""

    kind = "award"
    rule = "DF-BID-2"
    number: Annotated[int, Within(BIDS[0], BIDS[-1])]

    def asks(self, state: State) -> Sequence[Ask]:
        return [AwardAsk(TABLE, seats=self.seats, lot=self.lot, price=self.number)]

    def answer(self, flow: Flow, seat: int, value: object) -> None:
        self._to(flow, awarded(value, self.seats, self.rule))

    def settle(self, flow: Flow) -> bool:
        """Where all but one have left, that one has it."""
        return len(self.seats) == 1 and self._to(flow, self.seats[0])

    def _to(self, flow: Flow, seat: int) -> bool:
        flow.take()
        sell(flow, self.lot, seat, self.number, self.rule)
        return True

    def check(self, state: State) -> None:
        super().check(state)
        if not self.seats or self.number not in BIDS:
            bad("pending-form", "seats tie for a lot at what a card can bid", rule=self.rule)


@dataclass(frozen=True, kw_only=True)
class Deal(LotStep):
    """A car that is dealt, not sold."""

    kind = "deal"
    rule = "DF-VAR-1"

    def asks(self, state: State) -> Sequence[Ask]:
        return [AwardAsk(TABLE, seats=shares(state), lot=self.lot)]

    def answer(self, flow: Flow, seat: int, value: object) -> None:
        owner = awarded(value, shares(flow.state), self.rule)
        flow.take()
        deal(flow, self.lot, owner)


def shares(state: State) -> tuple[int | None, ...]:
    """Who may be dealt the next car: everybody evenly, what is left over nobody (DF-VAR-1)."""
    here = state.here()
    each = len(CARS) // len(here)
    due = tuple(seat for seat in here if len(state.cars_of(seat)) < each)
    missing = sum(max(0, each - len(state.cars_of(seat))) for seat in here)
    return (*due, None) if lots_left(state, again=False) > missing else due


def awarded(value: object, among: Sequence[int | None], rule: str) -> int:
    """The seat that an answer names, 0 for nobody."""
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        bad("award-form", f"award is a seat or null, not {value!r:.60}")
    if value not in among:
        listed = ", ".join("null" if one is None else str(one) for one in among)
        illegal("not-to-award", f"the lot goes to one of {listed}, not {value}", rule,
            seats=list(among), seat=value)  # fmt: skip
    return value or TABLE


def deal(flow: Flow, lot: Lot, seat: int) -> None:
    """A seat is dealt the car (DF-VAR-1); seat 0: it is left over."""
    flow.emit(CarDealt(seat=seat, rule="DF-VAR-1", lot=lot))


def sell(flow: Flow, lot: Lot, seat: int, price: int, rule: str) -> None:
    """A seat has the lot (DF-BID-3)."""
    flow.emit(CarSold(seat=seat, rule=rule, lot=lot, price=price))
