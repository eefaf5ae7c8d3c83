"""The pages of the race: a card played, a secret bet, the end; a bot's hand and the card it plays.

A bot sits at no screen. What a person does for it (its hand, what its card has done) is asked on
the host's screen by itself; any other seat has the card before it while it is resolved.

A hand is entered line by line, a car and its spaces, two presses a line. A car that is on the card
has given its key away: the last one's says that the card is done, the one's before it opens what is
seldom (with a single line all of it). Holding 1 takes the last press back. A phone shows a form
instead (`cards_of`), which is faster.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from companion.rules.downforce.asks import BetAsk, CardAsk, EndAsk, HandAsk, PlayedAsk, StandingAsk
from companion.rules.downforce.state import Phase
from companion.rules.downforce.tables import CARS, EIGHT, LINE_SPACES, WILD, Card
from companion.rules.lines import Answer
from companion.views.downforce import parts
from companion.views.downforce.words import car_word, card_word, home_line, power_word, reminder
from companion.views.model import JSON, Scene
from companion.views.screen import (
    ANY,
    LINES,
    Choice,
    Dialog,
    Pages,
    Screen,
    Talk,
    any_button,
    at,
    make_key,
    spoken,
    to_page,
)
from companion.views.words import LINE_COLUMNS, Words, fit

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
    title, lines_below = parts.question(talk, whole, short), _so_far(talk, home)
    is_drawn = talk.the(PlayedAsk).card and not home  # where there is room for the card itself
    tells = () if is_drawn else _so_far(talk, home, ANY)
    return Screen(title, lines_below, at(choices), tells=tells)


def _lines(talk: Talk) -> list[int]:
    """The lines that may have been crossed; without bets nobody asks for them."""
    without = parts.game_of(talk.scene).setup.plays("no-bets")
    return [0] if without else list(talk.the(PlayedAsk).lines)


def _line_key(talk: Talk, n: int, lines: Sequence[int]) -> str:
    return str(n) if len(lines) > 1 else talk.say("done")


def _so_far(talk: Talk, home: Sequence[str], columns: int = LINE_COLUMNS) -> tuple[str, ...]:
    """The cars that this card brought home; else the card itself where it is known, or the power,
    which may matter now, or the hands."""
    if not home and (card := talk.the(PlayedAsk).card):
        return card_rows(card, talk.say, 1)
    if not home:
        player = parts.player_of(talk.scene, talk.who)
        powers = player.powers if player else ()
        return (power_word(powers[0], talk.say) if powers else parts.hands_line(talk),)
    return (home_line(home, talk.say, columns),)


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
            choices[car] = parts.picked_key(talk, car, parts.PICK)
        elif car in talk.the(PlayedAsk).cars:
            then = talk.turn_to(parts.PICK, picked=(*picked, car))
            choices[car] = Choice(parts.car_key(talk, car), then=then)
    title = parts.question(talk, talk.say("Which car is home?"), talk.say("home?"))
    return Screen(title, choices=parts.of_cars(choices))


def bet_page(talk: Talk) -> Screen:
    """Which car wins: one press (DF-BET-1); to everybody else a closed face.

    On real buttons the cars stand in a fresh order, so that the finger tells nothing.
    """
    choices = {}
    for name, car in parts.game_of(talk.scene).cars.items():
        hint = talk.say("P{place}", place=car.place) if car.place else ""
        choices[name] = talk.answers(car_word(name, talk.say), name, hint)
    number = talk.the(BetAsk).number
    whole, short = talk.say("Bet {n}: who wins?", n=number), talk.say("bet {n}?", n=number)
    title = parts.question(talk, whole, short)
    # The version at which the bet was asked makes the order of the keys another one for each bet.
    since = next((ask.since for ask in talk.scene.asks if ask.ask is talk.ask), 0)
    keys = parts.in_fresh_order(talk, choices, since)
    return Screen(title, choices=keys, face=parts.closed_face(talk))


def end_page(talk: Talk) -> Screen:
    """The race is over: asked once more; over a long distance, how the cars stand."""
    ask = parts.end_ask(talk.scene)
    if ask is None:
        return Screen(talk.say("No race goes on."), choices=at({6: talk.back()}))
    if len(ask.options) == len(CARS):
        place = len(talk.dialog.picked) + 1
        return parts.order_page(talk, "end", talk.say("Furthest: place {n}?", n=place))
    end = Choice(make_key(talk.say("end"), mark="out"), (Answer(parts.TABLE, "end", True),))
    return Screen(
        fit(talk.say("End the race?"), LINE_COLUMNS),
        **spoken(talk.say("Nobody can move any more."), 2),
        choices=at({1: end, 6: talk.back(talk.turn_to("menu2"))}),
    )


# -- the card of a bot ----------------------------------------------------------------------------


def played_card(scene: Scene) -> tuple[int, Card] | None:
    """The card of a bot that lies open, and whose it is; None: there is none."""
    asks = (one.ask for one in scene.asks if isinstance(one.ask, PlayedAsk))
    return next(((ask.seat, ask.card) for ask in asks if ask.card), None)


def card_rows(card: Card, say: Words, rows: int) -> tuple[str, ...]:
    """A card on so many rows of a small screen: a line each, or two side by side."""
    words = [card_word((line,), say) for line in card]
    if len(words) <= rows:
        return tuple(words)
    pairs = [", ".join(words[at : at + 2]) for at in range(0, len(words), 2)]
    return (*(fit(f"{pair},") for pair in pairs[:-1]), fit(pairs[-1]))


def power_reminder(scene: Scene, seat: int, say: Words) -> str:
    """What the power of a player does; "" without one."""
    player, setup = parts.player_of(scene, seat), parts.game_of(scene).setup
    return " ".join(reminder(power, setup, say) for power in (player.powers if player else ()))


def card_page(talk: Talk) -> Screen:
    """A bot's card, for everybody who is not asked what it did; any button: the own seat."""
    found = played_card(talk.scene)
    assert found is not None, "a card lies open"
    seat, card = found
    return Screen(
        talk.say.fitting("{name} plays", LINE_COLUMNS, name=talk.name_of(seat)),
        card_rows(card, talk.say, LINES),
        any_button(talk.turn_to("car")),
        tells=(),
        go=talk.say("my cars"),
    )


# -- whoever serves a bot -------------------------------------------------------------------------


BY_HAND = (HandAsk, PlayedAsk)
"""What a person answers for a bot."""


def served(talk: Talk) -> Talk | None:
    """The same, answering for the bot that needs a hand; None: none does, or another serves it."""
    bots = parts.game_of(talk.scene).setup.entered if talk.info.host else ()
    asks = (one.ask for one in talk.scene.asks if one.seat in bots)
    seat = next((ask.seat for ask in asks if isinstance(ask, BY_HAND)), None)
    return None if seat is None else replace(talk, dialog=replace(talk.dialog, target=seat))


def card_ask_page(talk: Talk) -> Screen:
    """Which card is turned up, of a bot that does not say it itself: that is said on the page."""
    text = talk.say("They are entered on the page, out of sight of the others.")
    title = talk.asked(talk.say("which card?"))
    return Screen(title, **spoken(text, 3), choices=any_button(talk.turn_to("car")))


def standing_page(talk: Talk) -> Screen:
    """The cars on the road, the foremost first; how they stood when last told is marked."""
    table = replace(talk, for_table=True)
    place, cars = len(talk.dialog.picked) + 1, table.the(StandingAsk).cars
    game = parts.game_of(talk.scene)
    before = [car for car in game.standing or game.grid if car in cars]
    return parts.order_page(talk, "standing", talk.say("On the road: {n}.?", n=place), cars, before)


def cards_of(talk: Talk) -> JSON | None:
    """What a phone draws: what the seat owns, the card that is played, and the form of a hand."""
    serving, found = served(talk) or talk, played_card(talk.scene)
    ask = talk.ask or serving.ask
    played = found and _cards_played(talk, *found)
    hand = _hand(talk.scene, ask) if isinstance(ask, HandAsk) else None
    if talk.dialog.page in ("menu", "menu2", "link", "language"):
        played = hand = None
    told = {"own": _owned(talk), "played": played, "hand": hand}
    return told if any(told.values()) else None


def _owned(talk: Talk) -> JSON | None:
    """The cars, the money and the powers of a seat, which everybody may see; None: it has none."""
    game, player = parts.game_of(talk.scene), parts.player_of(talk.scene, talk.seat)
    if player is None or game.phase is Phase.FINISHED:
        return None
    money, cars = parts.money_of(game, talk.seat), game.cars_of(talk.seat)
    if not cars and not money.spent:
        return None
    return {
        "cars": [[car, game.cars[car].place] for car in cars],
        "won": money.race,
        "paid": money.spent,
        "powers": [*player.powers],
    }


def _cards_played(talk: Talk, seat: int, card: Card) -> JSON:
    return {
        "seat": seat,
        "name": talk.name_of(seat),
        "lines": [list(line) for line in card],
        "power": power_reminder(talk.scene, seat, talk.say),
    }


def _hand(scene: Scene, ask: HandAsk) -> JSON:
    """How many cards, which spaces a line may have, and the name that the draft is kept under."""
    game = parts.game_of(scene)
    eight = (EIGHT,) if game.cars_of(ask.seat) else ()
    draft = f"hand-{scene.race}-{game.leg}-{ask.seat}"
    return {"seat": ask.seat, "cards": ask.cards, "spaces": [*ask.spaces, *eight], "draft": draft}


# -- a bot's hand on six keys ---------------------------------------------------------------------


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
    whole = talk.say("The hand of {name}", name=talk.name_of(talk.who))
    return Screen(
        talk.asked(title),
        card_rows(so_far.lines, talk.say, ROWS) if so_far.lines else hint,
        at(keys),
        face=parts.closed_face(talk),
        asks=whole,
        tells=(),
        before=_with(talk, talk.dialog.picked[:-1]) if talk.dialog.picked else None,
    )


def _with(talk: Talk, picked: tuple[str, ...]) -> Dialog:
    return talk.turn_to(parts.page_of(talk), picked=picked)


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
    rest = (car for car in CARS if car not in used)
    choices = {car: Choice(parts.car_key(talk, car), then=_then(talk, car)) for car in rest}
    if used:
        choices[used[-1]] = _done(talk)
        seldom = used[-2] if len(used) > 1 else used[-1]
        onward = _with(talk, (*talk.dialog.picked, MORE))
        choices[seldom] = to_page(talk.say("more"), onward, "more")
    return dict(enumerate(parts.of_cars(choices), 1))


def _done(talk: Talk) -> Choice:
    return Choice(make_key(talk.say("done"), mark="free"), then=_then(talk, DONE))


def _seldom(talk: Talk) -> dict[int, Choice | None]:
    return {
        1: _done(talk),
        2: Choice(make_key(talk.say("wild")), then=_then(talk, WILD)),
        4: Choice(make_key(f"{talk.say('wild')} ↑"), then=_then(talk, TOP)),
        6: talk.back(_then(talk)),
    }


def _sends(talk: Talk, cards: Sequence[Card]) -> Choice:
    hand = {"cards": [[list(line) for line in card] for card in cards]}
    key = make_key(talk.say("done"), mark="free")
    return Choice(key, talk.answer(hand), talk.home())


PAGES: Pages = {
    (CardAsk.kind, ""): card_ask_page,
    (StandingAsk.kind, ""): standing_page,
    (PlayedAsk.kind, ""): played_page,
    (PlayedAsk.kind, FINISH): finish_page,
    (BetAsk.kind, ""): bet_page,
    (EndAsk.kind, ""): end_page,
    (HandAsk.kind, ""): hand_page,
}
