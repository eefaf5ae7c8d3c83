"""The auction: the grid, the lots one by one, those set aside, and what becomes of the rest.

A lot is turned up, and somebody has it: by the highest bid, by the table's own chance device after
a tie, or dealt. A lot that nobody wants is set aside and comes back once. Where bid cards lie open,
the table enters who won.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated

from companion.rules.codec import Nested, Spread, Within
from companion.rules.downforce import asks, cards, tables
from companion.rules.downforce.asks import AwardAsk, BidAsk, LotAsk, PoleAsk
from companion.rules.downforce.cards import with_eight
from companion.rules.downforce.state import (
    TABLE,
    Bid,
    Event,
    Flow,
    Lot,
    LotStep,
    Phase,
    SeatsStep,
    State,
    Step,
    may_bid_eight,
)
from companion.rules.downforce.tables import BIDS, CARS, CARS_ON_CARD, EIGHT
from companion.rules.game import Ask
from companion.rules.lines import Illegal, bad, refuse


class NextLot(Step, kind="lot", rule="DF-SETUP-1", phases=(Phase.AUCTION,)):
    """The table turns up a car and a power that have not been turned up yet."""

    def asks(self, state: State) -> Sequence[Ask]:
        return [LotAsk(TABLE, lots=_lots_to_turn(state))]

    def answer(self, flow: Flow, seat: int, value: object) -> None:
        lot = _read_lot(flow.state, asks.an_object(value, ("car", "power"), "lot"))
        flow.take()
        flow.emit(LotTurned(seat=TABLE, rule=self.rule, lot=lot, again=False))
        is_dealt = flow.state.setup.plays("dealt")
        flow.first(Deal(lot=lot) if is_dealt else _bids_on(flow.state, lot, again=False))

    def check(self, state: State) -> None:
        super().check(state)
        if not state.grid or len(state.lots) == len(CARS):
            bad("pending-form", "lots are turned up once there is a grid, and until all are")


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
        flow.first(Enter(again=False) if state.setup.enters else NextLot())
    elif state.aside and _carless(state) and state.setup.enters:
        flow.first(Enter(again=True))
    elif state.aside and _carless(state):
        lot = state.aside[0]
        flow.emit(LotTurned(seat=TABLE, rule="DF-BID-5", lot=lot, again=True))
        flow.first(_bids_on(flow.state, lot, again=True))
    else:
        # Everybody has a car by now, so what is still set aside stays nobody's (DF-BID-5).
        for lot in state.aside:
            flow.emit(CarUnsold(seat=TABLE, rule="DF-BID-5", car=lot.car))
        flow.emit(AuctionClosed(seat=TABLE, rule="DF-BID-4"))


# -- the grid and the lots ------------------------------------------------------------------------

# What is turned up, and how many are left for whom (DF-SETUP-1). Lots left count the one on the
# table. The first time through, those set aside do not count (DF-BID-4, DF-BID-5); the second
# time only they are left.


class GridSet(Event):
    """The cars stand on the grid, pole first."""

    order: tuple[str, ...]

    def applied(self, state: State) -> State:
        return replace(state, grid=self.order)


class Pole(Step, kind="pole", rule="DF-SETUP-1", phases=(Phase.AUCTION,)):
    """The table says how the cars stand on the grid."""

    def asks(self, state: State) -> Sequence[Ask]:
        return [PoleAsk(TABLE)]

    def answer(self, flow: Flow, seat: int, value: object) -> None:
        order = asks.all_cars(value, "pole")
        flow.take()
        flow.emit(GridSet(seat=TABLE, rule=self.rule, order=order))

    def check(self, state: State) -> None:
        super().check(state)
        if state.grid:
            bad("pending-form", "the grid is asked only as long as there is none")


class LotTurned(Event):
    """A lot was turned up, or `again` came back after it had been set aside."""

    lot: Annotated[Lot, Spread(Lot)]
    again: bool

    def applied(self, state: State) -> State:
        if self.again:
            return replace(state, aside=tuple(one for one in state.aside if one != self.lot))
        return replace(state, lots=(*state.lots, self.lot))


class LotSetAside(Event):
    """Nobody bid on the lot; it may come back after the auction."""

    lot: Annotated[Lot, Spread(Lot)]

    def applied(self, state: State) -> State:
        return replace(state, aside=(*state.aside, self.lot))


class CarUnsold(Event):
    """The car is nobody's; it races all the same."""

    car: str

    def applied(self, state: State) -> State:
        return replace(state, aside=tuple(lot for lot in state.aside if lot.car != self.car))


def _powers_to_turn(state: State) -> list[str | None]:
    """The powers that the next lot may have; None is a lot without a power.

    Without powers all lots have none, of two players' lots one (DF-VAR-2); where cars are
    dealt (DF-VAR-1) the powers may be left out of any.
    """
    setup = state.setup
    if setup.plays("no-powers"):
        return [None]
    turned = [lot.power for lot in state.lots]
    left: list[str | None] = [power for power in setup.powers if power not in turned]
    spare = setup.plays("two-players") and None not in turned
    return [*left, None] if spare or setup.plays("dealt") else left


def _lots_to_turn(state: State) -> tuple[Lot, ...]:
    """Every car and power that have not been turned up yet."""
    turned = {lot.car for lot in state.lots}
    cars = [car for car in CARS if car not in turned]
    return tuple(Lot(car, power) for car in cars for power in _powers_to_turn(state))


def _read_lot(state: State, data: Mapping[str, object]) -> Lot:
    """The lot that was turned up, as an answer names it."""
    car, power = asks.a_car(data.get("car"), "car"), data.get("power")
    if power is not None and (not isinstance(power, str) or power not in state.setup.powers):
        known = ", ".join(state.setup.powers)
        bad("no-such-power", f"power is one of {known}, or null", known=known)
    if car in {lot.car for lot in state.lots}:
        refuse("car-turned-up", f"{car} has been turned up before", rule="DF-SETUP-1", car=car)
    if power not in _powers_to_turn(state):
        if power is None:
            rule = "DF-VAR-2" if state.setup.plays("two-players") else "DF-SETUP-1"
            refuse("power-missing", "a power is turned up with this lot", rule=rule)
        if state.setup.plays("no-powers"):
            refuse("no-powers", "this game is played without powers", rule="DF-VAR-1", power=power)
        refuse(
            "power-turned-up", f"{power} has been turned up before", rule="DF-SETUP-1", power=power
        )
    return Lot(car, power)


def _carless(state: State) -> list[int]:
    """The seats at the table that own no car, clockwise."""
    owners = {car.owner for car in state.cars.values()}
    return [seat for seat in state.here() if seat not in owners]


def _lots_left(state: State, *, again: bool) -> int:
    """How many lots are left, with the one that is on the table now."""
    return 1 + (len(state.aside) if again else len(CARS) - len(state.lots))


def _is_forced(state: State, *, again: bool) -> bool:
    """Whether the one bidder takes the last lot at the hand's lowest number (DF-BID-4)."""
    return len(_carless(state)) == 1 and _lots_left(state, again=again) == 1


# -- who gets a lot (DF-BID-3, DF-VAR-1) ----------------------------------------------------------


class CarSold(Event):
    """A seat has the car and its power, at this price in millions."""

    lot: Annotated[Lot, Spread(Lot)]
    price: int

    def applied(self, state: State) -> State:
        return _owned(state, self.seat, self.lot, self.price)


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


class Award(SeatsStep, LotStep, kind="award", rule="DF-BID-2"):
    """A tie for a lot at the price `number`: the table's own chance device decides."""

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
        _sell(flow, self.lot, seat, self.number, self.rule)
        return True

    def check(self, state: State) -> None:
        super().check(state)
        if not self.seats or self.number not in BIDS:
            bad("pending-form", "seats tie for a lot at what a card can bid", rule=self.rule)


class Deal(LotStep, kind="deal", rule="DF-VAR-1"):
    """A car that is dealt, not sold."""

    def asks(self, state: State) -> Sequence[Ask]:
        return [AwardAsk(TABLE, seats=_shares(state), lot=self.lot)]

    def answer(self, flow: Flow, seat: int, value: object) -> None:
        owner = _awarded(value, _shares(flow.state), self.rule)
        flow.take()
        _deal(flow, self.lot, owner)


def _shares(state: State) -> tuple[int | None, ...]:
    """Who may be dealt the next car: all get as many; a car left over is nobody's (DF-VAR-1)."""
    here = state.here()
    each = len(CARS) // len(here)
    due = tuple(seat for seat in here if len(state.cars_of(seat)) < each)
    missing = sum(max(0, each - len(state.cars_of(seat))) for seat in here)
    return (*due, None) if _lots_left(state, again=False) > missing else due


def _awarded(value: object, among: Sequence[int | None], rule: str) -> int:
    """The seat that an answer names, 0 for nobody."""
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        bad("award-form", f"award is a seat or null, not {value!r:.60}")
    if value not in among:
        listed = ", ".join("null" if one is None else str(one) for one in among)
        refuse("not-to-award", f"the lot goes to one of {listed}, not {value}", rule=rule,
            seats=list(among), seat=value)  # fmt: skip
    return value or TABLE


def _deal(flow: Flow, lot: Lot, seat: int) -> None:
    """A seat is dealt the car (DF-VAR-1); seat 0: it is left over."""
    flow.emit(CarDealt(seat=seat, rule="DF-VAR-1", lot=lot))


def _sell(flow: Flow, lot: Lot, seat: int, price: int, rule: str) -> None:
    """A seat has the lot (DF-BID-3)."""
    flow.emit(CarSold(seat=seat, rule=rule, lot=lot, price=price))


# -- bids, secret and then compared (DF-BID-1 to DF-BID-5) ----------------------------------------


class BidMade(Event):
    """A seat has bid; what, is a secret yet."""

    car: str
    bid: Annotated[Bid, tables.FaceDown()]


class BidsRevealed(Event):
    """The cards that were bid are turned up."""

    car: str
    bids: Annotated[Mapping[int, Bid], tables.BySeat(Nested(Bid))]


class LotTied(Event):
    """These seats tie for the lot; the table decides."""

    car: str
    seats: tuple[int, ...]


class Bids(SeatsStep, LotStep, kind="bids", rule="DF-BID-1"):
    """Bids on a lot, and those that are in; `again`: the lot has been set aside once (DF-BID-5).

    A None is a bid that was made, but of which this program does not know (a position).
    """

    bids: Annotated[Mapping[int, Bid | None], tables.BySeat(tables.FaceDown())]
    again: Annotated[bool, tables.AGAIN]

    def asks(self, state: State) -> Sequence[Ask]:
        again, forced = self.again, _is_forced(state, again=self.again)
        return [
            BidAsk(
                seat,
                amounts=_amounts(state, seat, forced=forced),
                lot=self.lot,
                again=again,
                forced=forced,
            )
            for seat in self.seats
        ]

    def answer(self, flow: Flow, seat: int, value: object) -> None:
        bid = _read_bid(value)
        forced = _is_forced(flow.state, again=self.again)
        if not bid.amount and forced:
            refuse("must-bid", "the last lot is taken at the lowest number in hand, not 0",
                rule="DF-BID-4")  # fmt: skip
        held = _amounts(flow.state, seat, forced=False)
        if bid.amount not in held:
            known = ", ".join(map(str, held))
            refuse("no-such-bid", f"a card bids one of {known}", rule=self.rule, amounts=list(held))
        cards.check_bid(flow.state.players[seat].cards, self.lot.car, bid, forced=forced)
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
            rule = "DF-BID-4" if _is_forced(flow.state, again=self.again) else "DF-BID-2"
            _sell(flow, lot, best[0], bids[best[0]].amount, rule)
        else:
            flow.emit(LotTied(seat=TABLE, rule="DF-BID-2", car=lot.car, seats=best))
            flow.instead(Award(lot=lot, seats=best, number=bids[best[0]].amount))
            return True
        return flow.take()

    def _winners(self, state: State, bids: Mapping[int, Bid]) -> tuple[int, ...]:
        """Who has the highest bid; nobody where the lot goes without an owner (DF-BID-5)."""
        is_spare = _is_to_spare(state, again=self.again)
        nothing = not any(bid.amount for bid in bids.values())
        return () if not bids or (nothing and is_spare) else _winners(bids)

    def without(self, flow: Flow, seat: int) -> Step:
        """A player who leaves takes the bid along."""
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
    data = asks.an_object(value, ("amount", "cars", "wild"), "bid")
    amount = asks.a_number(data.get("amount"), "amount")
    cars = asks.a_number(data.get("cars", None if amount else 1), "cars")
    wild = asks.a_flag(data.get("wild", None if amount else False), "wild")
    low, high = CARS_ON_CARD
    if not low <= cars <= high:
        refuse("cars-on-card", f"a card shows {low} to {high} cars", rule="DF-BID-2")
    return Bid(amount, cars, wild)


def _amounts(state: State, seat: int, *, forced: bool) -> tuple[int, ...]:
    """What a seat may bid: not 0 where it must buy, 8 only where it may hold one (DF-BID-1)."""
    held = may_bid_eight(state, seat)
    return tuple(n for n in BIDS if (n or not forced) and (n != EIGHT or held))


def _is_to_spare(state: State, *, again: bool) -> bool:
    """Whether a lot that nobody wants goes without an owner (DF-BID-5).

    **Ruling**: a second time it does only where lots are to spare, as everybody must have a
    car (DF-BID-4); else the bids of 0 are compared like any others.
    """
    return not again or _lots_left(state, again=True) > len(_carless(state))


def _bids_on(state: State, lot: Lot, *, again: bool) -> Bids:
    """The bids of everybody, or of those without a car only (DF-BID-4, DF-BID-5)."""
    seats = _carless(state)
    if not again and _lots_left(state, again=again) > len(seats):
        seats = state.here()
    return Bids(lot=lot, seats=tuple(seats), bids={}, again=again)


def _winners(bids: Mapping[int, Bid]) -> tuple[int, ...]:
    """Who has the highest bid: amount, then cars on the card, then no wild (DF-BID-2).

    >>> _winners({1: Bid(0), 2: Bid(6, cars=4), 3: Bid(4), 4: Bid(6, cars=3)})
    (2,)
    """
    ranks = {seat: (bid.amount, bid.cars, not bid.wild) for seat, bid in bids.items()}
    best = max(ranks.values())
    return tuple(seat for seat, rank in ranks.items() if rank == best)


# -- lots as the table enters them ----------------------------------------------------------------

# The bid cards lie open, so the table says who won, and for how much; nobody is asked for a bid.
# What DF-BID-2 to DF-BID-5 allow is checked as far as it can be without the cards: who may win,
# whether nobody may, and what numbers there are. A lot that comes back is asked once more as
# `lot`, with its car alone. Cars that are dealt are entered likewise, without a price (DF-VAR-1).


class Enter(Step, kind="enter", rule="DF-BID-3", phases=(Phase.AUCTION,)):
    """The table says which lot was turned up and who has it; `again`: it was set aside once."""

    again: Annotated[bool, tables.AGAIN]

    def asks(self, state: State) -> Sequence[Ask]:
        lots = state.aside[:1] if self.again else _lots_to_turn(state)
        # Any lot will do: who may take it, and for how much, depends on how many are left.
        then = _turned(state, lots[0], again=self.again)
        if state.setup.plays("dealt"):
            return [LotAsk(TABLE, lots=lots, seats=_shares(then))]
        seats = _takers(then, lots[0], again=self.again)
        prices = {n for seat in seats if seat is not None for n in _prices(then, seat, self.again)}
        return [
            LotAsk(TABLE, lots=lots, seats=seats, prices=tuple(sorted(prices)), again=self.again)
        ]

    def answer(self, flow: Flow, seat: int, value: object) -> None:
        lot, owner, price = self._read(flow.state, value)
        flow.take()
        rule = "DF-BID-5" if self.again else "DF-SETUP-1"
        flow.emit(LotTurned(seat=TABLE, rule=rule, lot=lot, again=self.again))
        if flow.state.setup.plays("dealt"):
            _deal(flow, lot, owner)
        elif owner:
            is_last = _is_forced(flow.state, again=self.again)
            _sell(flow, lot, owner, price, "DF-BID-4" if is_last else "DF-BID-2")
        elif self.again:
            flow.emit(CarUnsold(seat=TABLE, rule="DF-BID-5", car=lot.car))
        else:
            flow.emit(LotSetAside(seat=TABLE, rule="DF-BID-5", lot=lot))

    def _read(self, state: State, value: object) -> tuple[Lot, int, int]:
        """The lot, who has it (0: nobody), and for how much."""
        is_dealt = state.setup.plays("dealt")
        known = ("car", "power", "seat") if is_dealt else ("car", "power", "seat", "price")
        data = asks.an_object(value, known, "lot")
        lot = _aside(state, data) if self.again else _read_lot(state, data)
        if "seat" not in data:
            bad("award-form", "who has the lot is told with it: seat, or null for nobody")
        then = _turned(state, lot, again=self.again)
        if is_dealt:
            return lot, _awarded(data["seat"], _shares(then), "DF-VAR-1"), 0
        owner = _awarded(data["seat"], _takers(then, lot, again=self.again), "DF-BID-4")
        return lot, owner, _price(then, data, owner, again=self.again)

    def check(self, state: State) -> None:
        super().check(state)
        turned = len(state.lots) == len(CARS)
        if not state.setup.enters or not state.grid or turned != self.again:
            bad("pending-form", "lots are entered once there is a grid, and until all are")
        if self.again and not state.aside:
            bad("pending-form", "no lot is set aside", rule="DF-BID-5")


def _turned(state: State, lot: Lot, *, again: bool) -> State:
    """The state with this lot on the table."""
    return LotTurned(seat=TABLE, rule=None, lot=lot, again=again).applied(state)


def _aside(state: State, data: Mapping[str, object]) -> Lot:
    """The lot that was set aside; its power is known and may be left out."""
    lot = state.aside[0]
    car = asks.a_car(data.get("car"), "car")
    if (car, data.get("power", lot.power)) != (lot.car, lot.power):
        refuse("not-set-aside", f"on the table is {lot.car}, with {lot.power}", rule="DF-BID-5",
            car=lot.car)  # fmt: skip
    return lot


def _takers(state: State, lot: Lot, *, again: bool) -> tuple[int | None, ...]:
    """Who may win the lot on the table: its bidders, or nobody (None) if it may be set aside."""
    seats = _bids_on(state, lot, again=again).seats
    must = _is_forced(state, again=again) or not _is_to_spare(state, again=again)
    return seats if must else (*seats, None)


def _prices(state: State, seat: int, again: bool) -> tuple[int, ...]:
    """What a seat may have paid: 0 only where the bids of 0 are compared (DF-BID-5)."""
    forced = _is_forced(state, again=again)
    return _amounts(state, seat, forced=forced or _is_to_spare(state, again=again))


def _price(state: State, data: Mapping[str, object], owner: int, *, again: bool) -> int:
    if not owner:
        if data.get("price") is not None:
            bad("price-without-owner", "a lot that nobody has has no price", rule="DF-BID-5")
        return 0
    price, known = asks.a_number(data.get("price"), "price"), _prices(state, owner, again)
    if price in known:
        return price
    rule = "DF-BID-4" if _is_forced(state, again=again) else "DF-BID-5"
    raise _no_such_price(price, known, rule)


def _no_such_price(price: int, known: tuple[int, ...], rule: str) -> Illegal:
    if price == 0:
        message = "nobody wins a lot with 0: it is set aside, or costs the lowest number"
        return Illegal("must-bid", message, rule=rule)
    message = f"a card bids one of {', '.join(map(str, known))}"
    return Illegal("no-such-bid", message, rule="DF-BID-1", args={"amounts": list(known)})
