"""The pages of a lot: its car, its power, and where the table enters it who has it, for how much.

A press for each; what there is only one of is not asked. The price n is on button n, and button 1
opens the three that are seldom paid: 0, 1, 8, as for a bid.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.commands import Answer
from companion.rules.downforce.asks import LotAsk
from companion.rules.downforce.hands import may_bid_eight
from companion.rules.downforce.state import Lot
from companion.rules.downforce.tables import EIGHT
from companion.views.downforce.facts import TABLE, game_of
from companion.views.downforce.parts import car_key, for_table, of_cars, page_of
from companion.views.downforce.words import car_word, power_key
from companion.views.games import name_of
from companion.views.model import Mark
from companion.views.seat.core import Choice, Screen, Talk, at, make_key, paged

RARE = (0, 1, EIGHT)
"""The amounts that share button 1."""
SEVERAL = "rare"
NOBODY = "0"


def lot_page(talk: Talk) -> Screen:
    """What is not known of the lot yet: the car that was turned up first."""
    ask, picked = for_table(talk).the(LotAsk), list(talk.dialog.picked)
    cars = list(dict.fromkeys(lot.car for lot in ask.lots))
    is_entered = bool(ask.seats)
    if not picked and not (is_entered and len(cars) == 1):
        return _cars(talk, ask)
    car = cars[0] if is_entered and len(cars) == 1 else picked.pop(0)
    lots = [lot for lot in ask.lots if lot.car == car]
    if not picked and not (is_entered and len(lots) == 1):
        return _powers(talk, lots)
    power = (lots[0].power or "") if len(lots) == 1 else picked.pop(0)
    lot = Lot(car, power or None)
    if ask.prices and len(ask.seats) == 1:
        picked.insert(0, str(ask.seats[0]))
    if not picked:
        return _owners(talk, ask, lot)
    return _prices(talk, ask, lot, int(picked[0]), rare=SEVERAL in picked)


def _then(talk: Talk, value: str) -> tuple[str, ...]:
    return (*talk.dialog.picked, value)


def _turned(talk: Talk, label: str, value: str, mark_if: bool = False) -> Choice:
    """A key that notes a part of the answer."""
    key = make_key(label, mark="old" if mark_if else "")
    return Choice(key, then=talk.turn_to(page_of(talk), picked=_then(talk, value)))


def _old(talk: Talk, part: str) -> object:
    """A part of the answer that was taken back; "" for none."""
    old = for_table(talk).old
    return old.get(part) if isinstance(old, Mapping) else ""


def _sent(lot: Lot, **more: object) -> tuple[Answer, ...]:
    return (Answer(TABLE, "lot", {"car": lot.car, "power": lot.power, **more}),)


def _cars(talk: Talk, ask: LotAsk) -> Screen:
    """The cars that have not been turned up; one with a single lot needs no page of powers."""
    choices, was = {}, _old(talk, "car")
    for car in dict.fromkeys(lot.car for lot in ask.lots):
        its = [lot for lot in ask.lots if lot.car == car]
        key = car_key(talk, car, mark="old" if car == was else "")
        if len(its) == 1 and not ask.seats:
            choices[car] = Choice(key, _sent(its[0]))
        else:
            choices[car] = Choice(key, then=talk.turn_to(page_of(talk), picked=(car,)))
    return Screen(talk.say("Next lot: which car?"), choices=of_cars(choices))


def _powers(talk: Talk, lots: list[Lot]) -> Screen:
    """The power of a lot; none, where the game leaves one out."""
    was, order = _old(talk, "power"), game_of(talk.scene).setup.powers
    lots = sorted(lots, key=lambda lot: order.index(lot.power) if lot.power else len(order))
    is_entered = bool(for_table(talk).the(LotAsk).seats)
    choices = []
    for lot in lots:
        word = power_key(lot.power, talk.say)
        if is_entered:
            choices.append(_turned(talk, word, lot.power or "", lot.power == was))
        else:
            key = make_key(word, mark="old" if lot.power == was else "")
            choices.append(Choice(key, _sent(lot)))
    title = talk.say("{car}: which power?", car=car_word(lots[0].car, talk.say))
    return Screen(title, choices=paged(talk, choices))


def _owners(talk: Talk, ask: LotAsk, lot: Lot) -> Screen:
    """Who has it; nobody, where it is set aside or left over."""
    was, choices = _old(talk, "seat"), []
    for seat in ask.seats:
        name = talk.say("nobody") if seat is None else name_of(talk.scene, seat)
        if seat is None or not ask.prices:
            key = make_key(name, mark="old" if seat == was else "")
            choices.append(Choice(key, _sent(lot, seat=seat)))
        else:
            choices.append(_turned(talk, name, str(seat), seat == was))
    title = talk.say("{car}: whose is it?", car=car_word(lot.car, talk.say))
    return Screen(title, choices=paged(talk, choices))


def _prices(talk: Talk, ask: LotAsk, lot: Lot, seat: int, *, rare: bool) -> Screen:
    """For how much."""
    has_eight = may_bid_eight(game_of(talk.scene), seat)
    prices = [n for n in ask.prices if n != EIGHT or has_eight]
    few = [n for n in prices if n in RARE]
    name = name_of(talk.scene, seat)
    title = talk.say.fitting("{car}: {name} for?", 21, car=car_word(lot.car, talk.say), name=name)
    was = _old(talk, "price")

    def key(n: int) -> Choice:
        mark: Mark = "old" if n == was else ""
        return Choice(make_key(str(n), "", mark), _sent(lot, seat=seat, price=n))

    if rare:
        return Screen(title, choices=paged(talk, [key(n) for n in few]))
    choices = {n: key(n) for n in prices if n not in RARE}
    if len(few) > 1:
        choices[1] = _turned(talk, " ".join(map(str, few)), SEVERAL)
    elif few:
        choices[1] = key(few[0])
    return Screen(title, (talk.say("in millions"),), at(choices))
