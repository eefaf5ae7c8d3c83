"""The auction: who bids on a lot, who wins it, and what becomes of it.

Lots left count the one on the table. The first time through, those set aside do not count
(DF-BID-4, DF-BID-5); the second time only they are left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.rules.downforce import events as ev
from companion.rules.downforce.flow import Flow
from companion.rules.downforce.state import Bid, Lot, State, Step
from companion.rules.downforce.tables import CARS, POWERS


def carless(state: State) -> list[int]:
    """The seats at the table that own no car, clockwise."""
    owners = {car.owner for car in state.cars.values()}
    return [seat for seat in state.here() if seat not in owners]


def lots_left(state: State, *, again: bool) -> int:
    """How many lots are left, with the one that is on the table now."""
    return 1 + (len(state.aside) if again else len(CARS) - len(state.lots))


def bidders(state: State, *, again: bool) -> list[int]:
    """Who bids on the lot on the table (DF-BID-4, DF-BID-5)."""
    without = carless(state)
    if again or lots_left(state, again=again) <= len(without):
        return without
    return state.here()


def is_forced(state: State, *, again: bool) -> bool:
    """Whether the one bidder takes the last lot at the hand's lowest number (DF-BID-4)."""
    return len(carless(state)) == 1 and lots_left(state, again=again) == 1


def can_be_set_aside(state: State, *, again: bool) -> bool:
    """Whether a lot goes without an owner when all bids are 0.

    **Ruling**: a second time only where lots are to spare, as everybody must have a car
    (DF-BID-4); else the bids of 0 are compared like any others.
    """
    return not again or lots_left(state, again=True) > len(carless(state))


def winners(bids: Mapping[int, Bid]) -> list[int]:
    """Who has the highest bid: amount, then cars on the card, then no wild (DF-BID-2).

    >>> winners({1: Bid(0), 2: Bid(6, cars=4), 3: Bid(4), 4: Bid(6, cars=3)})
    [2]
    """
    ranks = {seat: (bid.amount, bid.cars, not bid.wild) for seat, bid in bids.items()}
    best = max(ranks.values())
    return [seat for seat, rank in ranks.items() if rank == best]


def lots_to_turn(state: State) -> list[Lot]:
    """What may be turned up next: a car and a power that have not been yet (DF-SETUP-1)."""
    turned = {lot.car for lot in state.lots}
    cars = [car for car in CARS if car not in turned]
    return [Lot(car, power) for car in cars for power in powers_to_turn(state)]


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


def shares(state: State) -> list[int | None]:
    """Who may be dealt the next car: everybody evenly, what is left over nobody (DF-VAR-1)."""
    here = state.here()
    each = len(CARS) // len(here)
    due: list[int | None] = [seat for seat in here if len(state.cars_of(seat)) < each]
    missing = sum(max(0, each - len(state.cars_of(seat))) for seat in here)
    return [*due, None] if lots_left(state, again=False) > missing else due


def turn_up(flow: Flow, lot: Lot) -> None:
    """A lot was turned up: it is dealt, or bids are asked."""
    flow.tell(ev.LotTurned(rule="DF-SETUP-1", car=lot.car, power=lot.power))
    if flow.state.setup.plays("beginners"):
        flow.first(Step("deal", lot=lot))
    else:
        flow.first(Step("bids", lot=lot, seats=tuple(bidders(flow.state, again=False))))


def bring_back(flow: Flow) -> None:
    """The first lot that was set aside comes back (DF-BID-5)."""
    lot = flow.state.aside[0]
    flow.tell(ev.LotTurned(rule="DF-BID-5", car=lot.car, power=lot.power, again=True))
    seats = tuple(bidders(flow.state, again=True))
    flow.first(Step("bids", lot=lot, seats=seats, again=True))


def settle_bids(flow: Flow) -> None:
    """All bids of the first step are in: they are turned up."""
    step = flow.take()
    lot, again = step.lot, step.again
    assert lot is not None
    lost = tuple(seat for seat, bid in step.bids.items() if bid is None)
    bids = {seat: bid for seat, bid in step.bids.items() if bid is not None}
    if lost:
        flow.first(replace(step, seats=lost, bids=bids))
        return
    flow.tell(ev.BidsRevealed(rule="DF-BID-1", car=lot.car, bids=bids))
    nothing = not any(bid.amount for bid in bids.values())
    if not bids or (nothing and can_be_set_aside(flow.state, again=again)):
        _nobody(flow, lot, again=again)
        return
    best = winners(bids)
    price = bids[best[0]].amount
    if len(best) == 1:
        rule = "DF-BID-4" if is_forced(flow.state, again=again) else "DF-BID-2"
        sell(flow, lot, best[0], price, rule)
        return
    flow.tell(ev.LotTied(rule="DF-BID-2", car=lot.car, seats=tuple(best)))
    flow.first(Step("award", lot=lot, seats=tuple(best), number=price))


def _nobody(flow: Flow, lot: Lot, *, again: bool) -> None:
    """DF-BID-5: set aside, and set aside twice nobody's."""
    if again:
        flow.tell(ev.CarUnsold(rule="DF-BID-5", car=lot.car))
    else:
        flow.tell(ev.LotSetAside(rule="DF-BID-5", car=lot.car, power=lot.power))


def sell(flow: Flow, lot: Lot, seat: int, price: int, rule: str) -> None:
    """A seat has the lot (DF-BID-3)."""
    flow.tell(ev.CarSold(seat=seat, rule=rule, car=lot.car, power=lot.power, price=price))
