"""The auction: the grid, the lots, who bids and who wins, and what becomes of the rest.

Lots left count the one on the table. The first time through, those set aside do not count
(DF-BID-4, DF-BID-5); the second time only they are left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated

from companion.frozen import dataclass
from companion.rules.codec import Nested, Spread, Within
from companion.rules.downforce import forms, refuse
from companion.rules.downforce.asks import AwardAsk, BidAsk, LotAsk, PoleAsk
from companion.rules.downforce.flow import TABLE, Event, Flow
from companion.rules.downforce.refuse import illegal
from companion.rules.downforce.state import Bid, Lot, LotStep, Phase, SeatsStep, State, Step
from companion.rules.downforce.tables import BIDS, CARS, CARS_ON_CARD, POWERS
from companion.rules.game import Ask
from companion.rules.reading import bad

# -- the grid and the lots (DF-SETUP-1) ---------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class GridSet(Event):
    """The cars stand on the grid, pole first."""

    order: tuple[str, ...]

    def applied(self, state: State) -> State:
        return replace(state, grid=self.order)


@dataclass(frozen=True, kw_only=True)
class Pole(Step):
    """The table says how the cars stand on the grid."""

    kind = "pole"
    rule = "DF-SETUP-1"
    phases = (Phase.AUCTION,)

    def asks(self, state: State) -> Sequence[Ask]:
        return [PoleAsk(TABLE)]

    def answer(self, flow: Flow, seat: int, value: object) -> None:
        order = refuse.all_cars(value, "pole")
        flow.take()
        flow.emit(GridSet(seat=TABLE, rule=self.rule, order=order))

    def check(self, state: State) -> None:
        super().check(state)
        if state.grid:
            bad("pending-form", "the grid is asked only as long as there is none")


@dataclass(frozen=True, slots=True, kw_only=True)
class LotTurned(Event):
    """A lot was turned up, or `again` came back after it had been set aside."""

    lot: Annotated[Lot, Spread(Lot)]
    again: bool

    def applied(self, state: State) -> State:
        if self.again:
            return replace(state, aside=tuple(one for one in state.aside if one != self.lot))
        return replace(state, lots=(*state.lots, self.lot))


@dataclass(frozen=True, kw_only=True)
class NextLot(Step):
    """The table turns up a car and a power that have not been turned up yet."""

    kind = "lot"
    rule = "DF-SETUP-1"
    phases = (Phase.AUCTION,)

    def asks(self, state: State) -> Sequence[Ask]:
        turned = {lot.car for lot in state.lots}
        cars = [car for car in CARS if car not in turned]
        lots = tuple(Lot(car, power) for car in cars for power in powers_to_turn(state))
        return [LotAsk(TABLE, lots=lots)]

    def answer(self, flow: Flow, seat: int, value: object) -> None:
        lot = _read_lot(flow.state, value)
        flow.take()
        flow.emit(LotTurned(seat=TABLE, rule=self.rule, lot=lot, again=False))
        is_dealt = flow.state.setup.plays("beginners")
        flow.first(Deal(lot=lot) if is_dealt else bids_on(flow.state, lot, again=False))

    def check(self, state: State) -> None:
        super().check(state)
        if not state.grid or len(state.lots) == len(CARS):
            bad("pending-form", "lots are turned up once there is a grid, and until all are")


def powers_to_turn(state: State) -> list[str | None]:
    """The powers that the next lot may have; None is a lot without a power.

    Without powers all lots have none, of two players' lots one (DF-VAR-2); where cars are
    dealt (DF-VAR-1) the powers may be left out of any.
    """
    setup = state.setup
    if setup.plays("no-powers"):
        return [None]
    turned = [lot.power for lot in state.lots]
    left: list[str | None] = [power for power in POWERS if power not in turned]
    spare = setup.plays("two-players") and None not in turned
    return [*left, None] if spare or setup.plays("beginners") else left


def _read_lot(state: State, value: object) -> Lot:
    data = refuse.an_object(value, ("car", "power"), "lot")
    car, power = refuse.a_car(data.get("car"), "car"), data.get("power")
    if power is not None and (not isinstance(power, str) or power not in POWERS):
        known = ", ".join(POWERS)
        bad("no-such-power", f"power is one of {known}, or null", known=known)
    if car in {lot.car for lot in state.lots}:
        illegal("car-turned-up", f"{car} has been turned up before", "DF-SETUP-1", car=car)
    if power not in powers_to_turn(state):
        if power is None:
            rule = "DF-VAR-2" if state.setup.plays("two-players") else "DF-SETUP-1"
            illegal("power-missing", "a power is turned up with this lot", rule)
        if state.setup.plays("no-powers"):
            illegal("no-powers", "this game is played without powers", "DF-VAR-1", power=power)
        illegal("power-turned-up", f"{power} has been turned up before", "DF-SETUP-1", power=power)
    return Lot(car, power)


# -- bids (DF-BID-1 to DF-BID-5) ----------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class BidMade(Event):
    """A seat has bid; what, is a secret yet."""

    car: str
    bid: Annotated[Bid, forms.FaceDown()]


@dataclass(frozen=True, slots=True, kw_only=True)
class BidsRevealed(Event):
    """The cards that were bid are turned up."""

    car: str
    bids: Annotated[Mapping[int, Bid], forms.BySeat(Nested(Bid))]


@dataclass(frozen=True, slots=True, kw_only=True)
class LotTied(Event):
    """These seats tie for the lot; the table decides."""

    car: str
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LotSetAside(Event):
    """Nobody bid on the lot; it may come back after the auction."""

    lot: Annotated[Lot, Spread(Lot)]

    def applied(self, state: State) -> State:
        return replace(state, aside=(*state.aside, self.lot))


@dataclass(frozen=True, slots=True, kw_only=True)
class CarUnsold(Event):
    """The car is nobody's; it races all the same."""

    car: str

    def applied(self, state: State) -> State:
        return replace(state, aside=tuple(lot for lot in state.aside if lot.car != self.car))


@dataclass(frozen=True, kw_only=True)
class Bids(SeatsStep, LotStep):
    """Bids on a lot, and those that are in; `again`: the lot has been set aside once (DF-BID-5).

    A None is a bid that was made, but of which this program does not know (a position).
    """

    kind = "bids"
    rule = "DF-BID-1"
    bids: Annotated[Mapping[int, Bid | None], forms.BySeat(forms.FaceDown())]
    again: Annotated[bool, forms.AGAIN]

    def asks(self, state: State) -> Sequence[Ask]:
        again, forced = self.again, is_forced(state, again=self.again)
        amounts = tuple(amount for amount in BIDS if amount or not forced)
        return [
            BidAsk(seat, amounts=amounts, lot=self.lot, again=again, forced=forced)
            for seat in self.seats
        ]

    def answer(self, flow: Flow, seat: int, value: object) -> None:
        bid = _read_bid(value)
        if not bid.amount and is_forced(flow.state, again=self.again):
            illegal("must-bid", "the last lot is taken at the lowest number in hand, not 0",
                "DF-BID-4")  # fmt: skip
        if bid.amount not in BIDS:
            known = ", ".join(map(str, BIDS))
            illegal("no-such-bid", f"a card bids one of {known}", self.rule, amounts=list(BIDS))
        bids = dict(sorted({**self.bids, seat: bid}.items()))
        flow.instead(replace(self.answered(seat), bids=bids))
        flow.emit(BidMade(seat=seat, rule=self.rule, car=self.lot.car, bid=bid))

    def settle(self, flow: Flow) -> bool:
        """Once all bids are in they are turned up; those not known are asked again."""
        if self.seats:
            return False
        lot, bids = self.lot, {seat: bid for seat, bid in self.bids.items() if bid is not None}
        if len(bids) < len(self.bids):
            lost = tuple(seat for seat in self.bids if seat not in bids)
            flow.instead(replace(self, seats=lost, bids=bids))
            return True
        flow.emit(BidsRevealed(seat=TABLE, rule=self.rule, car=lot.car, bids=bids))
        best = self._winners(flow.state, bids)
        if not best and self.again:
            flow.emit(CarUnsold(seat=TABLE, rule="DF-BID-5", car=lot.car))
        elif not best:
            flow.emit(LotSetAside(seat=TABLE, rule="DF-BID-5", lot=lot))
        elif len(best) == 1:
            rule = "DF-BID-4" if is_forced(flow.state, again=self.again) else "DF-BID-2"
            sell(flow, lot, best[0], bids[best[0]].amount, rule)
        else:
            flow.emit(LotTied(seat=TABLE, rule="DF-BID-2", car=lot.car, seats=best))
            flow.instead(Award(lot=lot, seats=best, number=bids[best[0]].amount))
            return True
        return flow.take()

    def _winners(self, state: State, bids: Mapping[int, Bid]) -> tuple[int, ...]:
        """Who has the highest bid; nobody where the lot goes without an owner (DF-BID-5).

        **Ruling**: a second time it does only where lots are to spare, as everybody must have a
        car (DF-BID-4); else the bids of 0 are compared like any others.
        """
        is_spare = not self.again or lots_left(state, again=True) > len(carless(state))
        nothing = not any(bid.amount for bid in bids.values())
        return () if not bids or (nothing and is_spare) else winners(bids)

    def without(self, flow: Flow, seat: int) -> Step:
        """The bid of who leaves does not count either."""
        bids = {other: bid for other, bid in self.bids.items() if other != seat}
        return replace(self.answered(seat), bids=bids)

    def check(self, state: State) -> None:
        super().check(state)
        if set(self.bids) & set(self.seats):
            bad("pending-form", "a seat has bid, or is still asked, not both", rule=self.rule)

    def hidden(self) -> Step:
        return replace(self, bids=dict.fromkeys(self.bids))

    def recalled(self, known: Step | None) -> Step:
        """With the bids on this very lot."""
        if not isinstance(known, Bids) or (known.lot, known.again) != (self.lot, self.again):
            return self
        return replace(self, bids={seat: known.bids.get(seat) for seat in self.bids})


def _read_bid(value: object) -> Bid:
    """A bid; one of 0 may leave out the rest, which then decides nothing but a tie of zeros."""
    data = refuse.an_object(value, ("amount", "cars", "wild"), "bid")
    amount = refuse.a_number(data.get("amount"), "amount")
    cars = refuse.a_number(data.get("cars", None if amount else 1), "cars")
    wild = refuse.a_flag(data.get("wild", None if amount else False), "wild")
    low, high = CARS_ON_CARD
    if not low <= cars <= high:
        illegal("cars-on-card", f"a card shows {low} to {high} cars", "DF-BID-2")
    return Bid(amount, cars, wild)


def bids_on(state: State, lot: Lot, *, again: bool) -> Bids:
    """The bids of everybody, or of those without a car only (DF-BID-4, DF-BID-5)."""
    seats = carless(state)
    if not again and lots_left(state, again=again) > len(seats):
        seats = state.here()
    return Bids(lot=lot, seats=tuple(seats), bids={}, again=again)


def carless(state: State) -> list[int]:
    """The seats at the table that own no car, clockwise."""
    owners = {car.owner for car in state.cars.values()}
    return [seat for seat in state.here() if seat not in owners]


def lots_left(state: State, *, again: bool) -> int:
    """How many lots are left, with the one that is on the table now."""
    return 1 + (len(state.aside) if again else len(CARS) - len(state.lots))


def is_forced(state: State, *, again: bool) -> bool:
    """Whether the one bidder takes the last lot at the hand's lowest number (DF-BID-4)."""
    return len(carless(state)) == 1 and lots_left(state, again=again) == 1


def winners(bids: Mapping[int, Bid]) -> tuple[int, ...]:
    """Who has the highest bid: amount, then cars on the card, then no wild (DF-BID-2).

    >>> winners({1: Bid(0), 2: Bid(6, cars=4), 3: Bid(4), 4: Bid(6, cars=3)})
    (2,)
    """
    ranks = {seat: (bid.amount, bid.cars, not bid.wild) for seat, bid in bids.items()}
    best = max(ranks.values())
    return tuple(seat for seat, rank in ranks.items() if rank == best)


# -- who gets a lot (DF-BID-3, DF-VAR-1) --------------------------------------------------


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
    player = replace(player, powers=(*player.powers, *won))
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
        self._to(flow, _awarded(value, self.seats, self.rule))

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
        owner = _awarded(value, shares(flow.state), self.rule)
        flow.take()
        flow.emit(CarDealt(seat=owner, rule=self.rule, lot=self.lot))


def shares(state: State) -> tuple[int | None, ...]:
    """Who may be dealt the next car: everybody evenly, what is left over nobody (DF-VAR-1)."""
    here = state.here()
    each = len(CARS) // len(here)
    due = tuple(seat for seat in here if len(state.cars_of(seat)) < each)
    missing = sum(max(0, each - len(state.cars_of(seat))) for seat in here)
    return (*due, None) if lots_left(state, again=False) > missing else due


def _awarded(value: object, among: Sequence[int | None], rule: str) -> int:
    """The seat that an answer names, 0 for nobody."""
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        bad("award-form", f"award is a seat or null, not {value!r:.60}")
    if value not in among:
        listed = ", ".join("null" if one is None else str(one) for one in among)
        illegal("not-to-award", f"the lot goes to one of {listed}, not {value}", rule,
            seats=list(among), seat=value)  # fmt: skip
    return value or TABLE


def sell(flow: Flow, lot: Lot, seat: int, price: int, rule: str) -> None:
    """A seat has the lot (DF-BID-3)."""
    flow.emit(CarSold(seat=seat, rule=rule, lot=lot, price=price))


# -- what comes next ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class AuctionClosed(Event):
    """All lots are gone."""

    def applied(self, state: State) -> State:
        return replace(state, phase=Phase.POWERS)


def go_on(flow: Flow) -> None:
    """The grid, the six lots, those set aside (DF-BID-5), the powers."""
    state = flow.state
    if not state.grid:
        flow.first(Pole())
    elif len(state.lots) < len(CARS):
        flow.first(NextLot())
    elif state.aside and carless(state):
        lot = state.aside[0]
        flow.emit(LotTurned(seat=TABLE, rule="DF-BID-5", lot=lot, again=True))
        flow.first(bids_on(flow.state, lot, again=True))
    else:
        for lot in state.aside:
            flow.emit(CarUnsold(seat=TABLE, rule="DF-BID-5", car=lot.car))
        flow.emit(AuctionClosed(seat=TABLE, rule="DF-BID-4"))
