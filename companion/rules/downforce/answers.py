"""What an answer brings about: one small function for each kind of pending step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from companion.rules.downforce import auction, turns
from companion.rules.downforce import events as ev
from companion.rules.downforce.asking import amounts, lines_left, running
from companion.rules.downforce.flow import Decision, Flow
from companion.rules.downforce.refuse import (
    a_car,
    a_flag,
    a_number,
    all_cars,
    an_object,
    cars_in_order,
    illegal,
    not_asked,
)
from companion.rules.downforce.state import Bid, Lot, State, Step, Why
from companion.rules.downforce.tables import BIDS, CARS_ON_CARD, LINES, POWERS
from companion.rules.errors import Malformed
from companion.rules.game import Answer, Ask


def decide(state: State, answer: Answer, open_asks: Sequence[Ask]) -> Decision:
    """What follows from an answer, down to the next ask.

    Raises:
        Illegal: nobody asked this seat that, or the value is not on offer.
        Malformed: the value is not of the kind's form.
    """
    if (answer.seat, answer.kind) not in {(ask.seat, ask.kind) for ask in open_asks}:
        raise not_asked(answer, open_asks)
    flow = Flow(state)
    step = "end" if answer.kind == "end" else state.pending[0].kind
    _ANSWERS[step](flow, answer.seat, answer.value)
    turns.settle(flow)
    return flow.done()


# -- the auction --------------------------------------------------------------------------


def _pole(flow: Flow, seat: int, value: Any) -> None:
    """DF-SETUP-1."""
    order = all_cars(value, "pole")
    flow.take()
    flow.tell(ev.GridSet(rule="DF-SETUP-1", order=tuple(order)))


def _lot(flow: Flow, seat: int, value: Any) -> None:
    """DF-SETUP-1: a car and a power that have not been turned up yet."""
    told = an_object(value, ("car", "power"), "lot")
    car, power = a_car(told.get("car"), "car"), told.get("power")
    if power is not None and power not in POWERS:
        known = ", ".join(POWERS)
        raise Malformed("no-such-power", f"power is one of {known}, or null", args={"known": known})
    if car in {lot.car for lot in flow.state.lots}:
        illegal("car-turned-up", f"{car} has been turned up before", "DF-SETUP-1", car=car)
    if power not in auction.powers_to_turn(flow.state):
        _refuse_power(flow.state, power)
    flow.take()
    auction.turn_up(flow, Lot(car, power))


def _refuse_power(state: State, power: str | None) -> None:
    if power is None:
        rule = "DF-VAR-2" if state.setup.plays("two-players") else "DF-SETUP-1"
        illegal("power-missing", "a power is turned up with this lot", rule)
    if state.setup.plays("no-powers"):
        illegal("no-powers", "this game is played without powers", "DF-VAR-1", power=power)
    illegal("power-turned-up", f"{power} has been turned up before", "DF-SETUP-1", power=power)


def _bid(flow: Flow, seat: int, value: Any) -> None:
    """DF-BID-1."""
    bid = _read_bid(value)
    step = flow.queue[0]
    assert step.lot is not None
    if bid.amount not in amounts(flow.state, step):
        if not bid.amount:
            illegal("must-bid", "the last lot is taken at the lowest number in hand, not 0",
                "DF-BID-4")  # fmt: skip
        known = ", ".join(map(str, BIDS))
        illegal("no-such-bid", f"a card bids one of {known}", "DF-BID-1", amounts=list(BIDS))
    flow.queue[0] = replace(
        step,
        seats=tuple(other for other in step.seats if other != seat),
        bids=dict(sorted({**step.bids, seat: bid}.items())),
    )
    flow.tell(ev.BidMade(seat=seat, rule="DF-BID-1", car=step.lot.car, bid=bid))


def _read_bid(value: Any) -> Bid:
    """A bid; one of 0 may leave out the rest, which then decides nothing but a tie of zeros."""
    told = an_object(value, ("amount", "cars", "wild"), "bid")
    amount = a_number(told.get("amount"), "amount")
    cars = a_number(told.get("cars", None if amount else 1), "cars")
    wild = a_flag(told.get("wild", None if amount else False), "wild")
    low, high = CARS_ON_CARD
    if not low <= cars <= high:
        illegal("cars-on-card", f"a card shows {low} to {high} cars", "DF-BID-2")
    return Bid(amount, cars, wild)


def _award(flow: Flow, seat: int, value: Any) -> None:
    """DF-BID-2: the table's own chance device has decided."""
    step = flow.queue[0]
    assert step.lot is not None
    _refuse_award(value, list(step.seats), "DF-BID-2")
    flow.take()
    auction.sell(flow, step.lot, value, step.number, "DF-BID-2")


def _deal(flow: Flow, seat: int, value: Any) -> None:
    """DF-VAR-1: the car is dealt to a seat, or left over."""
    step = flow.queue[0]
    assert step.lot is not None
    _refuse_award(value, auction.shares(flow.state), "DF-VAR-1")
    flow.take()
    flow.tell(ev.CarDealt(seat=value or 0, rule="DF-VAR-1", car=step.lot.car, power=step.lot.power))


def _refuse_award(value: Any, among: list[Any], rule: str) -> None:
    if value is not None and type(value) is not int:
        raise Malformed("award-form", f"award is a seat or null, not {value!r:.60}")
    if value not in among:
        listed = ", ".join("null" if one is None else str(one) for one in among)
        illegal("not-to-award", f"the lot goes to one of {listed}, not {value}", rule,
            seats=among, seat=value)  # fmt: skip


def _keep(flow: Flow, seat: int, value: Any) -> None:
    """DF-BID-6."""
    powers = flow.state.players[seat].powers
    if not isinstance(value, str) or value not in POWERS:
        raise Malformed("no-such-power", f"keep is one of {', '.join(powers)}, not {value!r:.40}",
            args={"known": ", ".join(powers)})  # fmt: skip
    if value not in powers:
        illegal("power-not-won", f"seat {seat} has won {', '.join(powers)}, not {value}",
            "DF-BID-6", seat=seat, power=value)  # fmt: skip
    _answered(flow, seat)
    flow.tell(ev.PowerKept(seat=seat, rule="DF-BID-6", power=value))


def _answered(flow: Flow, seat: int) -> Step:
    """Take a seat off the first step; the step as it was."""
    step = flow.queue[0]
    flow.queue[0] = replace(step, seats=tuple(other for other in step.seats if other != seat))
    return step


# -- the race -----------------------------------------------------------------------------


def _played(flow: Flow, seat: int, value: Any) -> None:
    """DF-TURN-1, DF-BET-1, DF-END-1: a card is resolved."""
    told = an_object(value, ("lines", "finished", "out_of_cards"), "played")
    lines = a_number(told.get("lines", 0), "lines")
    finished = cars_in_order(told.get("finished", []), "finished")
    out = a_flag(told.get("out_of_cards", False), "out_of_cards")
    if lines not in lines_left(flow.state):
        most = lines_left(flow.state)[-1]
        illegal("too-many-lines", f"of {LINES} lines {most} are not crossed yet, not {lines}",
            "DF-BET-1", lines=lines, most=most)  # fmt: skip
    for car in finished:
        if car not in running(flow.state):
            _refuse_finish(flow.state, car)
    flow.take()
    flow.tell(ev.CardPlayed(seat=seat, rule="DF-TURN-1", lines=lines, out_of_cards=out))
    for place, car in enumerate(finished, len(flow.state.placed()) + 1):
        owner = flow.state.cars[car].owner or 0
        flow.tell(ev.CarFinished(seat=owner, rule="DF-END-1", car=car, place=place))
    turns.open_bets(flow, lines)


def _refuse_finish(state: State, car: str) -> None:
    if state.setup.plays("long-distance"):
        illegal("no-finish-line", "a long-distance race has no finish line", "DF-VAR-3", car=car)
    place = state.cars[car].place
    illegal("already-finished", f"{car} has finished before, as {place}", "DF-END-1",
        car=car, place=place)  # fmt: skip


def _bet(flow: Flow, seat: int, value: Any) -> None:
    """DF-BET-1, DF-BET-2."""
    car = a_car(value, "bet")
    step = _answered(flow, seat)
    flow.tell(ev.BetMade(seat=seat, rule="DF-BET-1", number=step.number, car=car))


def _end(flow: Flow, seat: int, value: Any) -> None:
    """DF-END-1, DF-VAR-3: the race is over once the bets that are open are made."""
    if flow.state.setup.plays("long-distance"):
        why, order = Why.DISTANCE, all_cars(value, "end")
        flow.tell(ev.CarsRanked(rule="DF-VAR-3", order=tuple(order)))
    elif value is not True:
        raise Malformed("not-true", "end is true: nobody can move any more", args={"word": "end"})
    else:
        why = Why.CALLED
    flow.queue = [step for step in flow.queue if step.kind == "bets"]
    flow.put(Step("count", why=why))


_ANSWERS: dict[str, Callable[[Flow, int, Any], None]] = {
    "pole": _pole,
    "lot": _lot,
    "bids": _bid,
    "award": _award,
    "deal": _deal,
    "keep": _keep,
    "play": _played,
    "bets": _bet,
    "end": _end,
}
