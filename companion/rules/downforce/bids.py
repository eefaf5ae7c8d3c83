"""Bids on a lot: secret, then compared (DF-BID-1 to DF-BID-5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated

from companion.frozen import dataclass
from companion.rules.codec import Nested
from companion.rules.downforce import cards, forms, hands, refuse
from companion.rules.downforce.asks import BidAsk
from companion.rules.downforce.lots import CarUnsold, LotSetAside, carless, is_forced, lots_left
from companion.rules.downforce.refuse import illegal
from companion.rules.downforce.sales import Award, sell
from companion.rules.downforce.state import (
    TABLE,
    Bid,
    Event,
    Flow,
    Lot,
    LotStep,
    SeatsStep,
    State,
    Step,
)
from companion.rules.downforce.tables import BIDS, CARS_ON_CARD, EIGHT
from companion.rules.game import Ask
from companion.rules.reading import bad


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
        return [
            BidAsk(
                seat,
                amounts=amounts(state, seat, forced=forced),
                lot=self.lot,
                again=again,
                forced=forced,
            )
            for seat in self.seats
        ]

    def answer(self, flow: Flow, seat: int, value: object) -> None:
        bid = _read_bid(value)
        forced = is_forced(flow.state, again=self.again)
        if not bid.amount and forced:
            illegal("must-bid", "the last lot is taken at the lowest number in hand, not 0",
                "DF-BID-4")  # fmt: skip
        held = amounts(flow.state, seat, forced=False)
        if bid.amount not in held:
            known = ", ".join(map(str, held))
            illegal("no-such-bid", f"a card bids one of {known}", self.rule, amounts=list(held))
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
            rule = "DF-BID-4" if is_forced(flow.state, again=self.again) else "DF-BID-2"
            sell(flow, lot, best[0], bids[best[0]].amount, rule)
        else:
            flow.emit(LotTied(seat=TABLE, rule="DF-BID-2", car=lot.car, seats=best))
            flow.instead(Award(lot=lot, seats=best, number=bids[best[0]].amount))
            return True
        return flow.take()

    def _winners(self, state: State, bids: Mapping[int, Bid]) -> tuple[int, ...]:
        """Who has the highest bid; nobody where the lot goes without an owner (DF-BID-5)."""
        is_spare = is_to_spare(state, again=self.again)
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


def amounts(state: State, seat: int, *, forced: bool) -> tuple[int, ...]:
    """What a seat may bid: not 0 where it must buy, 8 only where it may hold one (DF-BID-1)."""
    held = hands.may_bid_eight(state, seat)
    return tuple(n for n in BIDS if (n or not forced) and (n != EIGHT or held))


def is_to_spare(state: State, *, again: bool) -> bool:
    """Whether a lot that nobody wants goes without an owner (DF-BID-5).

    **Ruling**: a second time it does only where lots are to spare, as everybody must have a
    car (DF-BID-4); else the bids of 0 are compared like any others.
    """
    return not again or lots_left(state, again=True) > len(carless(state))


def bids_on(state: State, lot: Lot, *, again: bool) -> Bids:
    """The bids of everybody, or of those without a car only (DF-BID-4, DF-BID-5)."""
    seats = carless(state)
    if not again and lots_left(state, again=again) > len(seats):
        seats = state.here()
    return Bids(lot=lot, seats=tuple(seats), bids={}, again=again)


def winners(bids: Mapping[int, Bid]) -> tuple[int, ...]:
    """Who has the highest bid: amount, then cars on the card, then no wild (DF-BID-2).

    >>> winners({1: Bid(0), 2: Bid(6, cars=4), 3: Bid(4), 4: Bid(6, cars=3)})
    (2,)
    """
    ranks = {seat: (bid.amount, bid.cars, not bid.wild) for seat, bid in bids.items()}
    best = max(ranks.values())
    return tuple(seat for seat, rank in ranks.items() if rank == best)
