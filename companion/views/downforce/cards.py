"""Cards that are known: a bot's hand, which somebody enters for it, and the card that it plays.

A bot sits at no screen. What a person does for it (its hand, what its card has done) is asked on
the host's screen by itself; any other seat has the card before it while it is resolved.
"""

from __future__ import annotations

from dataclasses import replace

from companion.rules.downforce.asks import CardAsk, HandAsk, PlayedAsk, StandingAsk
from companion.rules.downforce.forms import Card
from companion.rules.downforce.tables import EIGHT
from companion.views.downforce.facts import game_of, player_of
from companion.views.downforce.parts import order_page
from companion.views.downforce.words import card_word, reminder
from companion.views.games import AskWords, name_of
from companion.views.model import JSON, Scene
from companion.views.seat.core import Screen, Talk, any_button, spoken
from companion.views.seat.parts import LINES, asked
from companion.views.words import LINE_COLUMNS, Words, fit

BY_HAND = (HandAsk, PlayedAsk)
"""What a person answers for a bot."""


# -- the card that is played ----------------------------------------------------------------


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
    player = player_of(scene, seat)
    return " ".join(
        reminder(power, game_of(scene).setup, say) for power in (player.powers if player else ())
    )


def card_page(talk: Talk) -> Screen:
    """A bot's card, for everybody who is not asked what it did; any button: the own seat."""
    found = played_card(talk.scene)
    assert found is not None, "a card lies open"
    seat, card = found
    return Screen(
        talk.say.fitting("{name} plays", LINE_COLUMNS, name=name_of(talk.scene, seat)),
        card_rows(card, talk.say, LINES),
        any_button(talk.turn_to("car")),
        tells=(),
        go=talk.say("my cars"),
    )


# -- whoever serves a bot -------------------------------------------------------------------


def served(talk: Talk) -> Talk | None:
    """The same, answering for the bot that needs a hand; None: none does, or another serves it."""
    bots = game_of(talk.scene).setup.entered if talk.info.host else ()
    asks = (one.ask for one in talk.scene.asks if one.seat in bots)
    seat = next((ask.seat for ask in asks if isinstance(ask, BY_HAND)), None)
    return None if seat is None else replace(talk, dialog=replace(talk.dialog, target=seat))


def card_ask_page(talk: Talk) -> Screen:
    """Which card is turned up, of a bot that does not say it itself: that is said on the page."""
    text = talk.say("They are entered on the page, out of sight of the others.")
    title = asked(talk, talk.say("which card?"))
    return Screen(title, **spoken(text, 3), choices=any_button(talk.turn_to("car")))


def standing_page(talk: Talk) -> Screen:
    """The cars on the road, the foremost first; how they stood when last told is marked."""
    table = replace(talk, for_table=True)
    place, cars = len(talk.dialog.picked) + 1, table.the(StandingAsk).cars
    game = game_of(talk.scene)
    before = [car for car in game.standing or game.grid if car in cars]
    return order_page(talk, "standing", talk.say("On the road: {n}.?", n=place), cars, before)


def cards_of(talk: Talk) -> JSON | None:
    """What a phone draws of cards: the one that is played, and the form of a hand."""
    if talk.dialog.page in ("menu", "menu2", "link", "language"):
        return None
    serving, found = served(talk) or talk, played_card(talk.scene)
    ask = talk.ask or serving.ask
    played = found and _played(talk, *found)
    hand = _hand(talk.scene, ask) if isinstance(ask, HandAsk) else None
    return {"played": played, "hand": hand} if played or hand else None


def _played(talk: Talk, seat: int, card: Card) -> JSON:
    return {
        "seat": seat,
        "name": name_of(talk.scene, seat),
        "lines": [list(line) for line in card],
        "power": power_reminder(talk.scene, seat, talk.say),
    }


def _hand(scene: Scene, ask: HandAsk) -> JSON:
    """How many cards, which spaces a line may have, and the name that the draft is kept under."""
    game = game_of(scene)
    eight = (EIGHT,) if game.cars_of(ask.seat) else ()
    draft = f"hand-{scene.race}-{game.leg}-{ask.seat}"
    return {"seat": ask.seat, "cards": ask.cards, "spaces": [*ask.spaces, *eight], "draft": draft}


ASKS = {
    CardAsk.kind: AskWords(
        "{name} turns up a card", "{name}: which card is turned up?", "card", card_ask_page
    ),
    StandingAsk.kind: AskWords(
        "{name} says how the cars stand",
        "{name}: how do the cars on the road stand, the foremost first?",
        "",
        standing_page,
    ),
}
