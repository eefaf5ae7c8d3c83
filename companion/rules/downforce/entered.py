"""Lots as the table enters them: the bid cards lie open, so it says who won, and for how much.

Nobody is asked for a bid. What DF-BID-2 to DF-BID-5 allow is checked as far as it can be without
the cards: who may win, whether nobody may, and what numbers there are. A lot that comes back is
asked once more as `lot`, with its car alone. Cars that are dealt are entered likewise, without a
price (DF-VAR-1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from companion.frozen import dataclass
from companion.rules.downforce import forms, refuse
from companion.rules.downforce.asks import LotAsk
from companion.rules.downforce.bids import amounts, bids_on, is_to_spare
from companion.rules.downforce.lots import (
    CarUnsold,
    LotSetAside,
    LotTurned,
    is_forced,
    lots_to_turn,
    read_lot,
)
from companion.rules.downforce.refuse import illegal
from companion.rules.downforce.sales import awarded, deal, sell, shares
from companion.rules.downforce.state import TABLE, Flow, Lot, Phase, State, Step
from companion.rules.downforce.tables import CARS
from companion.rules.errors import Illegal
from companion.rules.game import Ask
from companion.rules.reading import bad


@dataclass(frozen=True, kw_only=True)
class Enter(Step):
    """The table says which lot was turned up and who has it; `again`: it was set aside once."""

    kind = "enter"
    rule = "DF-BID-3"
    phases = (Phase.AUCTION,)
    again: Annotated[bool, forms.AGAIN]

    def asks(self, state: State) -> Sequence[Ask]:
        lots = state.aside[:1] if self.again else lots_to_turn(state)
        then = _turned(state, lots[0], again=self.again)
        if state.setup.plays("dealt"):
            return [LotAsk(TABLE, lots=lots, seats=shares(then))]
        seats = takers(then, lots[0], again=self.again)
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
            deal(flow, lot, owner)
        elif owner:
            is_last = is_forced(flow.state, again=self.again)
            sell(flow, lot, owner, price, "DF-BID-4" if is_last else "DF-BID-2")
        elif self.again:
            flow.emit(CarUnsold(seat=TABLE, rule="DF-BID-5", car=lot.car))
        else:
            flow.emit(LotSetAside(seat=TABLE, rule="DF-BID-5", lot=lot))

    def _read(self, state: State, value: object) -> tuple[Lot, int, int]:
        """The lot, who has it (0: nobody), and for how much."""
        is_dealt = state.setup.plays("dealt")
        known = ("car", "power", "seat") if is_dealt else ("car", "power", "seat", "price")
        data = refuse.an_object(value, known, "lot")
        lot = _aside(state, data) if self.again else read_lot(state, data)
        if "seat" not in data:
            bad("award-form", "who has the lot is told with it: seat, or null for nobody")
        then = _turned(state, lot, again=self.again)
        if is_dealt:
            return lot, awarded(data["seat"], shares(then), "DF-VAR-1"), 0
        owner = awarded(data["seat"], takers(then, lot, again=self.again), "DF-BID-4")
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
    car = refuse.a_car(data.get("car"), "car")
    if (car, data.get("power", lot.power)) != (lot.car, lot.power):
        illegal("not-set-aside", f"on the table is {lot.car}, with {lot.power}", "DF-BID-5",
            car=lot.car)  # fmt: skip
    return lot


def takers(state: State, lot: Lot, *, again: bool) -> tuple[int | None, ...]:
    """Who may have the lot on the table: who bids on it, and nobody where it may be set aside."""
    seats = bids_on(state, lot, again=again).seats
    must = is_forced(state, again=again) or not is_to_spare(state, again=again)
    return seats if must else (*seats, None)


def _prices(state: State, seat: int, again: bool) -> tuple[int, ...]:
    """What a seat may have paid: 0 only where the bids of 0 are compared (DF-BID-5)."""
    forced = is_forced(state, again=again)
    return amounts(state, seat, forced=forced or is_to_spare(state, again=again))


def _price(state: State, data: Mapping[str, object], owner: int, *, again: bool) -> int:
    if not owner:
        if data.get("price") is not None:
            bad("price-without-owner", "a lot that nobody has has no price", rule="DF-BID-5")
        return 0
    price, known = refuse.a_number(data.get("price"), "price"), _prices(state, owner, again)
    if price in known:
        return price
    rule = "DF-BID-4" if is_forced(state, again=again) else "DF-BID-5"
    raise _no_such_price(price, known, rule)


def _no_such_price(price: int, known: tuple[int, ...], rule: str) -> Illegal:
    if price == 0:
        message = "nobody wins a lot with 0: it is set aside, or costs the lowest number"
        return Illegal("must-bid", message, rule=rule)
    message = f"a card bids one of {', '.join(map(str, known))}"
    return Illegal("no-such-bid", message, rule="DF-BID-1", args={"amounts": list(known)})
