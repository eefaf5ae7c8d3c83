"""What the pages of Downforce share: what is on the table, the keys of cars, a closed face."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b

from companion.rules.downforce import asks
from companion.rules.downforce.bets import sheets
from companion.rules.downforce.header import Own
from companion.rules.downforce.state import Player, Sheet, State, cards_left
from companion.rules.downforce.tables import CARS
from companion.rules.game import Ask
from companion.rules.lines import Answer
from companion.views.downforce import words
from companion.views.model import Key, Mark, Scene
from companion.views.screen import Choice, Choices, Screen, Talk, at, make_key
from companion.views.words import LINE_COLUMNS, fit

TABLE = 0
"""The seat of what the whole table is asked."""


def game_of(scene: Scene) -> State:
    """The game, for a page that is shown in one only."""
    assert isinstance(scene.state, State), "no game of Downforce is on the table"
    return scene.state


def player_of(scene: Scene, seat: int) -> Player | None:
    """A player; None for a seat that does not play."""
    return game_of(scene).players.get(seat)


def own_of(scene: Scene, seat: int) -> Own:
    """The bets that a seat has made and its bid that lies face down, for its own screen."""
    own = scene.own.get(seat)
    return own if isinstance(own, Own) else Own(bets=())


def money_of(state: State, seat: int) -> Sheet:
    """What a seat has won and paid over all races so far; bets count once they are revealed."""
    every = sheets(state, seat)
    race, won = sum(one.race for one in every), sum(one.bets_won for one in every)
    return Sheet(race=race, bets_won=won, spent=sum(one.spent for one in every))


def table_ask(scene: Scene) -> Ask | None:
    """What the table is asked and everybody waits for; None for nothing.

    The end of a race, which is asked all through it, is that only where nothing else is asked:
    the cards are all played.
    """
    of_table = [one.ask for one in scene.asks if one.seat == TABLE]
    kinds = asks.PoleAsk | asks.LotAsk | asks.AwardAsk | asks.StandingAsk
    only = of_table[0] if len(scene.asks) == 1 and of_table else None
    return next((ask for ask in of_table if isinstance(ask, kinds)), only)


def event_ask(scene: Scene) -> asks.PlayedAsk | None:
    """What the table may tell while nobody is asked for a card (`house.cards` "events")."""
    of_table = (one.ask for one in scene.asks if one.seat == TABLE)
    return next((ask for ask in of_table if isinstance(ask, asks.PlayedAsk)), None)


def end_ask(scene: Scene) -> asks.EndAsk | None:
    """The ask that ends a race; None before and after it."""
    return next((one.ask for one in scene.asks if isinstance(one.ask, asks.EndAsk)), None)


def hands_line(talk: Talk) -> str:
    """The cards left: one's own, then the others' clockwise; "" where they are not counted."""
    game = game_of(talk.scene)
    if not game.setup.counts:
        return ""
    seats = list(game.players)
    at = seats.index(talk.seat) if talk.seat in seats else 0
    left = [str(cards_left(game, seat)) for seat in (*seats[at:], *seats[:at])]
    return fit(talk.say("cards {own} · {others}", own=left[0], others=" ".join(left[1:])))


# -- keys and titles ------------------------------------------------------------------------------


PICK = "pick"
"""The page of an answer that is being put together."""


def page_of(talk: Talk) -> str:
    """The page to stay on while an answer is put together."""
    return talk.dialog.page or PICK


def question(talk: Talk, whole: str, short: str) -> str:
    """A title: the whole question; behind the name of who is answered for its short form."""
    return talk.asked(short if talk.dialog.target else whole, whole)


def car_key(talk: Talk, car: str, hint: str = "", mark: Mark = "") -> Key:
    """The key of a car."""
    return make_key(words.car_word(car, talk.say), hint, mark)


def of_cars(choices: Mapping[str, Choice]) -> tuple[Choice | None, ...]:
    """Each car on its own button; the button of a car that is not on offer is free."""
    return at({button: _in_color(choices, car) for button, car in enumerate(CARS, 1)})


def _in_color(choices: Mapping[str, Choice], car: str) -> Choice | None:
    choice = choices.get(car)
    return None if choice is None else replace(choice, about={**choice.about, "paint": car})


def in_fresh_order(talk: Talk, choices: Mapping[str, Choice], since: int) -> Choices:
    """Cars on real buttons, on which everybody sees a finger: for each question in another order.

    The order follows from the seat's own link, which nobody else knows.
    """
    if not talk.info.buttons:
        return of_cars(choices)

    def drawn(car: str) -> bytes:
        return blake2b(f"{talk.info.link} {talk.who} {since} {car}".encode()).digest()

    drawn_cars = enumerate(sorted(CARS, key=drawn), 1)
    return at({button: _in_color(choices, car) for button, car in drawn_cars})


def picked_key(talk: Talk, car: str, page: str) -> Choice:
    """The key of a car that has its place already: pressed once more, it has none."""
    picked = talk.dialog.picked
    key = make_key(str(picked.index(car) + 1), words.car_word(car, talk.say))
    rest = tuple(other for other in picked if other != car)
    return Choice(key, then=talk.turn_to(page, picked=rest))


def order_page(
    talk: Talk, kind: str, title: str, cars: Sequence[str] = CARS, before: Sequence[str] = ()
) -> Screen:
    """These cars in an order, a press each; a car pressed by mistake is pressed once more.

    `before` is how they stood: the next of them is marked, as of an order that was taken back.
    """
    picked = talk.dialog.picked
    old = talk.scene.old.get((TABLE, kind), list(before))
    choices: dict[str, Choice] = {}
    for car in cars:
        if car in picked:
            choices[car] = picked_key(talk, car, page_of(talk))
            continue
        then = (*picked, car)
        was_next = isinstance(old, list) and old[: len(then)] == list(then)
        key = car_key(talk, car, mark="old" if was_next else "")
        if len(then) == len(cars):
            choices[car] = Choice(key, (Answer(TABLE, kind, list(then)),))
        else:
            choices[car] = Choice(key, then=talk.turn_to(page_of(talk), picked=then))
    return Screen(title, choices=of_cars(choices))


def for_table(talk: Talk) -> Talk:
    """The same with what the whole table is asked at hand."""
    return replace(talk, for_table=True)


def closed_face(talk: Talk) -> Screen:
    """What everybody else sees of a seat that answers in secret; the same all through it."""
    name = talk.name_of(talk.who)
    # Not a word of how far it has come: that would tell what is being entered.
    title = talk.say.fitting("{name} answers", LINE_COLUMNS, name=name)
    return Screen(title, (talk.say("in secret"),))
