"""The pages of the auction: the grid, a lot, a bid in two presses, a tie, the power kept.

A bid is an amount and what its card shows, which decides ties only (DF-BID-2). The amount n is on
button n, and button 1 opens the three that are seldom or need no thought: 0, 1, 8. Then one press
says how many cars the card shows; a wild on it is a press more, before that one. Amounts of 0 and 8
need no second page (no card counts; a speed-8 card shows one car), so nearly every bid takes two
presses, and nobody can count off a neighbour's presses whether it was a 0.

A lot is its car, its power and, where it is entered, who has it for how much: a press for each;
what there is only one of is not asked. The price is on the same keys as a bid. It is open on every
seat, since whoever has won it says so; the host alone is asked whose it is. A phone has car and
power in one touch, the price in another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.rules.downforce.asks import AwardAsk, BidAsk, KeepAsk, LotAsk, PoleAsk
from companion.rules.downforce.state import Lot, may_bid_eight
from companion.rules.downforce.tables import CARS_ON_CARD, EIGHT
from companion.rules.lines import Answer
from companion.views.downforce import parts
from companion.views.downforce.words import car_word, power_key, power_word
from companion.views.model import JSON, Key, Mark
from companion.views.screen import (
    HOME,
    Choice,
    Pages,
    Screen,
    Talk,
    at,
    make_key,
    to_page,
)
from companion.views.words import LINE_COLUMNS, fit


def pole_page(talk: Talk) -> Screen:
    """The six cars as they stand on the grid, pole first."""
    place = len(talk.dialog.picked) + 1
    asks = talk.say("Which car stands on place {n} of the grid?", n=place)
    return parts.order_page(talk, "pole", talk.asked(talk.say("Grid: place {n}?", n=place), asks))


# -- a lot ----------------------------------------------------------------------------------------


RARE = (0, 1, EIGHT)
"""The amounts that share button 1."""


def lot_page(talk: Talk) -> Screen:
    """What is not known of the lot yet: the car that was turned up first."""
    # The presses so far are used up in their order: car, power, winner, price; what there is only
    # one of has taken no press.
    ask = parts.for_table(talk).the(LotAsk)
    form = _form(talk, ask)
    if ask.seats and is_winners(talk):
        ask = replace(ask, seats=(talk.seat,))
    cars = list(dict.fromkeys(lot.car for lot in ask.lots))
    there = {SEVERAL, *cars, *(lot.power or "" for lot in ask.lots), *map(str, ask.seats)}
    if not there.issuperset(talk.dialog.picked):  # somebody has entered it meanwhile
        talk = replace(talk, dialog=replace(talk.dialog, picked=()))
    picked, is_entered = list(talk.dialog.picked), bool(ask.seats)
    if (car := _part(picked, cars, is_entered=is_entered)) is None:
        return replace(_cars(talk, ask), form=form)
    lots = [lot for lot in ask.lots if lot.car == car]
    power = _part(picked, [lot.power or "" for lot in lots], is_entered=is_entered)
    if power is None:
        return replace(_powers(talk, lots), form=form)
    lot = Lot(car, power or None)
    if ask.prices and len(ask.seats) == 1:
        picked.insert(0, str(ask.seats[0]))
    page = (
        _prices(talk, ask, lot, int(picked[0]), rare=SEVERAL in picked)
        if picked
        else _owners(talk, ask, lot)
    )
    return replace(page, kind="cars", form=form, asks=talk.say("Won a lot? Touch it."), tells=())


def _part(picked: list[str], parts: list[str], *, is_entered: bool) -> str | None:
    """The next of these presses, if it is one of these parts; else the only one; None: it is asked
    for."""
    if picked and picked[0] in parts:
        return picked.pop(0)
    return parts[0] if is_entered and len(parts) == 1 else None


def is_winners(talk: Talk) -> bool:
    """Whether the page is that of a seat which says for itself that it has won a lot."""
    return not talk.info.host and talk.dialog.page != "table"


def _form(talk: Talk, ask: LotAsk) -> JSON:
    """What a phone touches, one's own name first; `eights` may hold a speed-8 card."""
    game = parts.game_of(talk.scene)
    seats = sorted(ask.seats, key=lambda seat: seat != talk.seat)
    return {
        "of": ask.kind,
        "options": [{"car": lot.car, "power": lot.power} for lot in ask.lots],
        "seats": [[seat, _owner(talk, seat)] for seat in seats],
        "prices": [*ask.prices],
        "eights": [seat for seat in seats if seat and may_bid_eight(game, seat)],
    }


def _cars(talk: Talk, ask: LotAsk) -> Screen:
    """The cars that have not been turned up; one with a single lot needs no page of powers."""
    choices, was = {}, _old(talk, "car")
    for car in dict.fromkeys(lot.car for lot in ask.lots):
        its = [lot for lot in ask.lots if lot.car == car]
        key = parts.car_key(talk, car, mark="old" if car == was else "")
        if len(its) == 1 and not ask.seats:
            choices[car] = Choice(key, _sent(its[0]))
        else:
            choices[car] = Choice(key, then=talk.turn_to(parts.page_of(talk), picked=(car,)))
    title, whole = talk.say("Next lot: which car?"), talk.say("Which lot is up?")
    if ask.seats:
        whole = talk.say("Won a lot? Touch it.")
        title = talk.say("Won a lot: which car?") if is_winners(talk) else title
    return Screen(title, choices=parts.of_cars(choices), asks=whole)


def _powers(talk: Talk, lots: list[Lot]) -> Screen:
    """The power of a lot; none, where the game leaves one out."""
    was, order = _old(talk, "power"), parts.game_of(talk.scene).setup.powers
    lots = sorted(lots, key=lambda lot: order.index(lot.power) if lot.power else len(order))
    is_entered = bool(parts.for_table(talk).the(LotAsk).seats)
    choices = []
    for lot in lots:
        key = power_key(lot.power, talk.say, "old" if lot.power == was else "")
        if is_entered:
            then = talk.turn_to(parts.page_of(talk), picked=_then(talk, lot.power or ""))
            choices.append(Choice(key, then=then))
        else:
            choices.append(Choice(key, _sent(lot)))
    title = talk.say("{car}: which power?", car=car_word(lots[0].car, talk.say))
    return Screen(title, choices=talk.paged(choices))


def _owners(talk: Talk, ask: LotAsk, lot: Lot) -> Screen:
    """Who has it; nobody, where it is set aside or left over."""
    was, choices = _old(talk, "seat"), []
    for seat in ask.seats:
        name = talk.say("nobody") if seat is None else talk.name_of(seat)
        if seat is None or not ask.prices:
            key = make_key(name, mark="old" if seat == was else "")
            choices.append(Choice(key, _sent(lot, seat=seat)))
        else:
            choices.append(_turned(talk, name, str(seat), seat == was))
    title = talk.say("{car}: whose is it?", car=car_word(lot.car, talk.say))
    return Screen(title, choices=talk.paged(choices))


SEVERAL = "rare"


def _prices(talk: Talk, ask: LotAsk, lot: Lot, seat: int, *, rare: bool) -> Screen:
    """For how much."""
    has_eight = may_bid_eight(parts.game_of(talk.scene), seat)
    prices = [n for n in ask.prices if n != EIGHT or has_eight]
    few = [n for n in prices if n in RARE]
    name = talk.name_of(seat)
    title = talk.say.fitting("{car}: {name} for?", 21, car=car_word(lot.car, talk.say), name=name)
    was = _old(talk, "price")

    def key(n: int) -> Choice:
        mark: Mark = "old" if n == was else ""
        return Choice(make_key(str(n), "", mark), _sent(lot, seat=seat, price=n))

    if rare:
        return Screen(title, choices=talk.paged([key(n) for n in few]))
    choices = {n: key(n) for n in prices if n not in RARE}
    if len(few) > 1:
        choices[1] = _turned(talk, " ".join(map(str, few)), SEVERAL)
    elif few:
        choices[1] = key(few[0])
    return Screen(title, (talk.say("in millions"),), at(choices))


def _then(talk: Talk, value: str) -> tuple[str, ...]:
    return (*talk.dialog.picked, value)


def _turned(talk: Talk, label: str, value: str, mark_if: bool = False) -> Choice:
    """A key that notes a part of the answer."""
    key = make_key(label, mark="old" if mark_if else "")
    return Choice(key, then=talk.turn_to(parts.page_of(talk), picked=_then(talk, value)))


def _old(talk: Talk, part: str) -> object:
    """A part of the answer that was taken back; "" for none."""
    old = parts.for_table(talk).old
    return old.get(part) if isinstance(old, Mapping) else ""


def _sent(lot: Lot, **more: object) -> tuple[Answer, ...]:
    return (Answer(parts.TABLE, "lot", {"car": lot.car, "power": lot.power, **more}),)


# -- a bid in secret ------------------------------------------------------------------------------


ONE_CAR = EIGHT
"""The amount of a speed-8 card, the only cards that show a single car."""
WILD = "wild"


def bid_page(talk: Talk) -> Screen:
    """The amount, then what the card shows; to everybody else a closed face."""
    picked, ask = talk.dialog.picked, talk.the(BidAsk)
    if not picked:
        page = _amounts(talk)
    else:
        page = _rare_amounts(talk) if picked == ("rare",) else _card(talk, int(picked[0]))
    sent = [n for n in ask.amounts if _needs_no_card(n, ask)]
    cards = range(CARS_ON_CARD[0] + 1, CARS_ON_CARD[1] + 1)
    form = {"of": ask.kind, "amounts": [*ask.amounts], "sent": sent, "cards": [*cards]}
    return replace(page, kind="amount", form=form)


def _needs_no_card(amount: int, ask: BidAsk) -> bool:
    """Whether a bid is whole without what its card shows: only zeros of a second time are
    compared."""
    return amount == ONE_CAR or (amount == 0 and not ask.again)


def _amounts(talk: Talk) -> Screen:
    """Amount n on button n; 0, 1 and 8 on button 1."""
    ask = talk.the(BidAsk)
    rare = " ".join(str(amount) for amount in ask.amounts if amount in RARE)
    was = _old_amount(talk)
    first = make_key(rare, mark="old" if was in RARE else "")
    choices: dict[int, Choice | None] = {
        1: Choice(first, then=talk.turn_to(parts.page_of(talk), picked=("rare",)))
    }
    choices |= {n: _to_card(talk, n) for n in ask.amounts if n not in RARE}
    car, power = car_word(ask.lot.car, talk.say), power_word(ask.lot.power, talk.say)
    return Screen(
        parts.question(talk, talk.say("{car}: your bid?", car=car), f"{car}?"),
        (power,) if power else (),
        at(choices),
        face=parts.closed_face(talk),
    )


def _rare_amounts(talk: Talk) -> Screen:
    """0 and 8 are sent at once; where even zeros are compared, 0 has its card too."""
    ask, choices = talk.the(BidAsk), []
    for amount in (n for n in RARE if n in ask.amounts):
        if _needs_no_card(amount, ask):
            mark: Mark = "old" if amount == _old_amount(talk) else ""
            choices.append(Choice(make_key(str(amount), "", mark), _bid(talk, amount, 1)))
        else:
            choices.append(_to_card(talk, amount))
    title = talk.asked(talk.say("How much?"))
    return Screen(title, choices=talk.paged(choices), face=parts.closed_face(talk))


def _to_card(talk: Talk, amount: int) -> Choice:
    key = make_key(str(amount), mark="old" if amount == _old_amount(talk) else "")
    return Choice(key, then=talk.turn_to(parts.page_of(talk), picked=(str(amount),)))


def _card(talk: Talk, amount: int) -> Screen:
    """So many cars on button n; button 1 first says that one of them is a wild.

    A single car is on speed-8 cards only, which have no page of their own.
    """
    wild = WILD in talk.dialog.picked
    choices: dict[int, Choice | None] = {
        cars: Choice(_cars_key(talk, amount, cars, wild=wild), _bid(talk, amount, cars, wild=wild))
        for cars in range(CARS_ON_CARD[0] + 1, CARS_ON_CARD[1] + 1)
    }
    picked = (str(amount),) if wild else (str(amount), WILD)
    then = talk.turn_to(parts.page_of(talk), picked=picked)
    choices[1] = talk.back(then) if wild else to_page(talk.say("wild"), then, "more")
    return Screen(
        parts.question(
            talk, talk.say("{n} M$: cars on card?", n=amount), talk.say("{n}: cars?", n=amount)
        ),
        (talk.say("one or more wild"),) if wild else (),
        at(choices),
        face=parts.closed_face(talk),
    )


def _cars_key(talk: Talk, amount: int, cars: int, *, wild: bool) -> Key:
    was = talk.old == {"amount": amount, "cars": cars, "wild": wild}
    return make_key(str(cars), mark="old" if was else "")


def _bid(talk: Talk, amount: int, cars: int, *, wild: bool = False) -> tuple[Answer, ...]:
    return (Answer(talk.who, "bid", {"amount": amount, "cars": cars, "wild": wild}),)


def _old_amount(talk: Talk) -> int | None:
    old = talk.old
    return old["amount"] if isinstance(old, dict) else None


# -- who has it, and what is kept -----------------------------------------------------------------


def award_page(talk: Talk) -> Screen:
    """Who won a tie, by whatever the table has drawn; or to whom a car was dealt."""
    table = parts.for_table(talk)
    ask = table.the(AwardAsk)
    choices = [replace(table.answers(_owner(talk, one), one), then=HOME) for one in ask.seats]
    lines = () if ask.price is None else (talk.say("A tie at {n} M$", n=ask.price),)
    title = talk.say("{car}: whose is it?", car=car_word(ask.lot.car, talk.say))
    return Screen(title, lines, talk.paged(choices))


def _owner(talk: Talk, seat: int | None) -> str:
    return talk.say("nobody") if seat is None else talk.name_of(seat)


def keep_page(talk: Talk) -> Screen:
    """One power of those won (DF-BID-6)."""
    powers = talk.the(KeepAsk).powers
    keys = [power_key(one, talk.say, "old" if one == talk.old else "") for one in powers]
    choices = [Choice(key, talk.answer(one)) for key, one in zip(keys, powers, strict=True)]
    return Screen(
        parts.question(talk, talk.say("Keep which power?"), talk.say("power?")),
        tuple(fit(power_word(one, talk.say), LINE_COLUMNS) for one in powers[:3]),
        talk.paged(choices),
        tells=(),
    )


PAGES: Pages = {
    (PoleAsk.kind, ""): pole_page,
    (LotAsk.kind, ""): lot_page,
    (BidAsk.kind, ""): bid_page,
    (AwardAsk.kind, ""): award_page,
    (KeepAsk.kind, ""): keep_page,
}
