"""The pages of the race: a card played, a secret bet, the end."""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules.commands import Answer
from companion.rules.downforce.asks import BetAsk, EndAsk, PlayedAsk
from companion.rules.downforce.tables import CARS
from companion.views.downforce.car import hands_line
from companion.views.downforce.cards import card_rows
from companion.views.downforce.facts import TABLE, end_ask, game_of, player_of
from companion.views.downforce.parts import (
    PICK,
    car_key,
    closed_face,
    in_fresh_order,
    of_cars,
    order_page,
    picked_key,
    question,
)
from companion.views.downforce.words import car_word, cars_within, power_word
from companion.views.games import AskWords
from companion.views.seat.core import (
    Choice,
    Dialog,
    Screen,
    Talk,
    at,
    back,
    make_key,
    spoken,
    to_page,
)
from companion.views.seat.parts import in_full
from companion.views.words import LINE_COLUMNS, fit

FINISH = "finish"


def played_page(talk: Talk) -> Screen:
    """How many betting lines the card has crossed: for none, one press and the turn is over.

    Before that, seldom: cars that have finished (5).
    """
    home = talk.dialog.picked
    lines = _lines(talk)
    choices: dict[int, Choice | None] = {
        n + 1: Choice(make_key(_line_key(talk, n, lines)), _played(talk, n), talk.home())
        for n in lines
    }
    if set(talk.the(PlayedAsk).cars) - set(home):
        hint = str(len(home) or "")
        choices[5] = to_page(talk.say("finish"), _turn(talk, FINISH), "more", hint)
    whole = talk.say("Lines crossed?") if len(lines) > 1 else talk.say("Card resolved?")
    short = talk.say("lines?") if len(lines) > 1 else talk.say("card?")
    title, told = question(talk, whole, short), _so_far(talk, home)
    is_drawn = talk.the(PlayedAsk).card and not home  # where there is room for the card itself
    asks = in_full(talk, whole) if talk.dialog.target else ""
    return Screen(title, told, at(choices), asks=asks, tells=() if is_drawn else None)


def _lines(talk: Talk) -> list[int]:
    """The lines that may have been crossed; without bets nobody asks for them."""
    without = game_of(talk.scene).setup.plays("no-bets")
    return [0] if without else list(talk.the(PlayedAsk).lines)


def _line_key(talk: Talk, n: int, lines: Sequence[int]) -> str:
    return str(n) if len(lines) > 1 else talk.say("done")


def _so_far(talk: Talk, home: Sequence[str]) -> tuple[str, ...]:
    """The cars that this card brought home; else the card itself where it is known, or the power,
    which may matter now, or the hands."""
    if not home and (card := talk.the(PlayedAsk).card):
        return card_rows(card, talk.say, 1)
    if not home:
        player = player_of(talk.scene, talk.who)
        powers = player.powers if player else ()
        return (power_word(powers[0], talk.say) if powers else hands_line(talk),)
    room = LINE_COLUMNS - len(talk.say("home: {cars}", cars=""))
    cars = cars_within(home, room, talk.say)
    return (fit(talk.say("home: {cars}", cars=cars)),)


def _turn(talk: Talk, page: str) -> Dialog:
    return talk.turn_to(page, picked=talk.dialog.picked)


def _played(talk: Talk, lines: int) -> tuple[Answer, ...]:
    card = {"lines": lines, "finished": list(talk.dialog.picked)}
    return (Answer(talk.who, "played", card),)


def finish_page(talk: Talk) -> Screen:
    """A car that has crossed the finish; of several, the first one first."""
    picked = talk.dialog.picked
    choices = {}
    for car in CARS:
        if car in picked:
            choices[car] = picked_key(talk, car, PICK)
        elif car in talk.the(PlayedAsk).cars:
            then = talk.turn_to(PICK, picked=(*picked, car))
            choices[car] = Choice(car_key(talk, car), then=then)
    title = question(talk, talk.say("Which car is home?"), talk.say("home?"))
    return Screen(title, choices=of_cars(choices))


def bet_page(talk: Talk) -> Screen:
    """Which car wins: one press (DF-BET-1); to everybody else a closed face.

    On real buttons the cars stand in a fresh order, so that the finger tells nothing.
    """
    choices = {}
    for name, car in game_of(talk.scene).cars.items():
        hint = talk.say("P{place}", place=car.place) if car.place else ""
        choices[name] = talk.answers(car_word(name, talk.say), name, hint)
    number = talk.the(BetAsk).number
    whole, short = talk.say("Bet {n}: who wins?", n=number), talk.say("bet {n}?", n=number)
    title = question(talk, whole, short)
    since = next((ask.since for ask in talk.scene.asks if ask.ask is talk.ask), 0)
    keys = in_fresh_order(talk, choices, since)
    return Screen(title, choices=keys, face=closed_face(talk))


def end_page(talk: Talk) -> Screen:
    """The race is over: asked once more; over a long distance, how the cars stand."""
    ask = end_ask(talk.scene)
    if ask is None:
        return Screen(talk.say("No race goes on."), choices=at({6: back(talk)}))
    if len(ask.options) == len(CARS):
        place = len(talk.dialog.picked) + 1
        return order_page(talk, "end", talk.say("Furthest: place {n}?", n=place))
    end = Choice(make_key(talk.say("end"), mark="out"), (Answer(TABLE, "end", True),))
    return Screen(
        fit(talk.say("End the race?"), LINE_COLUMNS),
        **spoken(talk.say("Nobody can move any more."), 2),
        choices=at({1: end, 6: back(talk, talk.turn_to("menu2"))}),
    )


ASKS = {
    PlayedAsk.kind: AskWords(
        "{name} plays a card",
        "{name}: what has happened?",
        "card",
        played_page,
        {FINISH: finish_page},
    ),
    BetAsk.kind: AskWords("{name} bets in secret", "{name}: a secret bet", "bet", bet_page),
    EndAsk.kind: AskWords(
        "{name} says when nobody can move", "{name}: can nobody move any more?", "", end_page
    ),
}
