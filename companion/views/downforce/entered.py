"""A hand that is entered, on a screen with six keys: what its cards are, which is turned up, and
how the cars on the road stand, which whoever plays it does not see (DF-CARD-1 to DF-CARD-4)."""

from __future__ import annotations

from companion.rules.downforce.asks import CardAsk, HandAsk, StandingAsk
from companion.views.downforce.facts import table_ask
from companion.views.downforce.parts import closed_face, order_page, question
from companion.views.games import AskWords
from companion.views.seat.core import Screen, Talk, any_button, spoken
from companion.views.words import fit


def hand_page(talk: Talk) -> Screen:
    """How many cards there are; they are entered on the page, which has room for them."""
    count = talk.the(HandAsk).cards
    return _on_the_page(talk, talk.say("Cards in hand: {n}", n=count), talk.say("the hand?"))


def card_page(talk: Talk) -> Screen:
    """A card of a hand that is entered is named on the page."""
    count = talk.the(CardAsk).cards
    return _on_the_page(talk, talk.say("Cards in hand: {n}", n=count), talk.say("which card?"))


def _on_the_page(talk: Talk, whole: str, short: str) -> Screen:
    told = spoken(talk.say("They are entered on the page, out of sight of the others."), 3)
    keys = any_button(talk.turn_to("car"))
    return Screen(fit(question(talk, whole, short)), **told, choices=keys, face=closed_face(talk))


def standing_page(talk: Talk) -> Screen:
    """The cars on the road in their order, a press each."""
    ask = table_ask(talk.scene)
    cars = ask.cars if isinstance(ask, StandingAsk) else ()
    place = len(talk.dialog.picked) + 1
    return order_page(talk, "standing", talk.say("On the road: {n}.?", n=place), cars)


ASKS = {
    HandAsk.kind: AskWords(
        "the hand of {name} is entered", "{name}: which cards are in hand?", "hand", hand_page
    ),
    CardAsk.kind: AskWords(
        "{name} turns up a card", "{name}: which card is turned up?", "card", card_page
    ),
    StandingAsk.kind: AskWords(
        "{name} says how the cars stand",
        "{name}: how do the cars on the road stand, the foremost first?",
        "",
        standing_page,
    ),
}
