"""A bot's hand on six keys: its cards line by line, a car and its spaces, two presses a line.

A car that is on the card has given its key away: the last one's says that the card is done, the
one's before it opens what is seldom (with a single line all of it). Holding 1 takes the last press
back. A phone shows a form for it instead (`cards.cards_of`), which is faster.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.rules.downforce.asks import HandAsk
from companion.rules.downforce.forms import Card
from companion.rules.downforce.tables import CARS, LINE_SPACES, WILD
from companion.views.downforce.cards import card_rows
from companion.views.downforce.parts import car_key, closed_face, of_cars, page_of
from companion.views.downforce.words import car_word
from companion.views.games import AskWords, name_of
from companion.views.seat.core import Choice, Dialog, Screen, Talk, at, back, make_key, to_page
from companion.views.seat.parts import asked

DONE, MORE, TOP = "done", "more", "top"
"""What may stand among the presses beside cars and spaces: a card is done; the seldom keys are
open; a wild comes above the lines that there are."""
ROWS = 2


class Entered(NamedTuple):
    """How far a hand has come: whole cards, the lines of the next, and a car without its spaces."""

    cards: tuple[Card, ...]
    lines: Card
    car: str


def entered(picked: Sequence[str]) -> Entered:
    """What presses have entered.

    >>> entered(("red", "6", "blue", "4", "done", "green"))
    Entered(cards=((('red', 6), ('blue', 4)),), lines=(), car='green')
    """
    cards: list[Card] = []
    lines: list[tuple[str, int]] = []
    car = ""
    for one in picked:
        if one == DONE:
            cards.append(tuple(lines))
            lines = []
        elif one.isdigit():
            lines.insert(0 if car == TOP else len(lines), (WILD if car == TOP else car, int(one)))
            car = ""
        elif one != MORE:
            car = one
    return Entered(tuple(cards), tuple(lines), car)


def hand_page(talk: Talk) -> Screen:
    """The next press of a hand; to everybody else a closed face."""
    so_far, count = entered(talk.dialog.picked), talk.the(HandAsk).cards
    if so_far.car:
        title, keys = _spaces(talk, so_far)
    elif talk.dialog.picked[-1:] == (MORE,):
        title, keys = talk.say("what else?"), _seldom(talk)
    elif len(so_far.cards) == count:
        title, keys = talk.say("all {n} in?", n=count), {1: _sends(talk, so_far.cards)}
    else:
        title = talk.say("card {n}/{all}", n=len(so_far.cards) + 1, all=count)
        keys = _cars(talk, so_far)
    hint = () if talk.dialog.picked else (talk.say("or touched on a phone"),)
    whole = talk.say("The hand of {name}", name=name_of(talk.scene, talk.who))
    return Screen(
        asked(talk, title),
        card_rows(so_far.lines, talk.say, ROWS) if so_far.lines else hint,
        at(keys),
        face=closed_face(talk),
        asks=whole,
        tells=(),
        before=_with(talk, talk.dialog.picked[:-1]) if talk.dialog.picked else None,
    )


def _with(talk: Talk, picked: tuple[str, ...]) -> Dialog:
    return talk.turn_to(page_of(talk), picked=picked)


def _then(talk: Talk, *more: str) -> Dialog:
    """After one press more; the page of what is seldom has closed."""
    picked = tuple(one for one in talk.dialog.picked if one != MORE)
    return _with(talk, (*picked, *more))


def _spaces(talk: Talk, so_far: Entered) -> tuple[str, dict[int, Choice | None]]:
    car = talk.say("wild") if so_far.car in (WILD, TOP) else car_word(so_far.car, talk.say)
    keys: dict[int, Choice | None] = {
        n: Choice(make_key(str(n)), then=_then(talk, str(n))) for n in LINE_SPACES
    }
    return f"{car}?", keys


def _cars(talk: Talk, so_far: Entered) -> dict[int, Choice | None]:
    """The cars that are not on the card; the keys of the others go on."""
    used = [car for car, _ in so_far.lines if car != WILD]
    choices = {
        car: Choice(car_key(talk, car), then=_then(talk, car)) for car in CARS if car not in used
    }
    if used:
        choices[used[-1]] = _done(talk)
        seldom = used[-2] if len(used) > 1 else used[-1]
        onward = _with(talk, (*talk.dialog.picked, MORE))
        choices[seldom] = to_page(talk.say("more"), onward, "more")
    return dict(enumerate(of_cars(choices), 1))


def _done(talk: Talk) -> Choice:
    return Choice(make_key(talk.say("done"), mark="free"), then=_then(talk, DONE))


def _seldom(talk: Talk) -> dict[int, Choice | None]:
    return {
        1: _done(talk),
        2: Choice(make_key(talk.say("wild")), then=_then(talk, WILD)),
        4: Choice(make_key(f"{talk.say('wild')} ↑"), then=_then(talk, TOP)),
        6: back(talk, _then(talk)),
    }


def _sends(talk: Talk, cards: Sequence[Card]) -> Choice:
    hand = {"cards": [[list(line) for line in card] for card in cards]}
    key = make_key(talk.say("done"), mark="free")
    return Choice(key, talk.answer(hand), talk.home())


ASKS = {
    HandAsk.kind: AskWords(
        "the hand of {name} is entered",
        "{name}: which cards are in hand?",
        "hand",
        hand_page,
    ),
}
