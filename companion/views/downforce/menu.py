"""The seat's menu in Downforce, opened by holding 6."""

from __future__ import annotations

from companion.rules.downforce.state import Phase
from companion.rules.game import Ask
from companion.views.downforce import auction, cards, hand, race
from companion.views.downforce.facts import end_ask, game_of, player_of, table_ask
from companion.views.seat.core import Screen, Talk, at, back, to_page
from companion.views.seat.menu import leave_screen, menu2_screen, menu_screen
from companion.views.words import phrase

ASKS = auction.ASKS | hand.ASKS | cards.ASKS | race.ASKS
"""What the whole table is asked is on the host's screen by itself, on the others' by the menu."""

LEFT = phrase("left from the seat")
"""The reason that the record gets, and the story tells in every language."""


def menu_page(talk: Talk) -> Screen:
    """Money, power, language, pause; more: link, steward, leaving, the end, the table's asks."""
    say, player = talk.say, player_of(talk.scene, talk.seat)
    power = to_page(say("power"), talk.turn_to("power")) if player and player.powers else None
    return menu_screen(talk, to_page(say("money"), talk.turn_to("money")), power)


def menu2_page(talk: Talk) -> Screen:
    """The rarer things."""
    say, player = talk.say, player_of(talk.scene, talk.seat)
    keys = {}
    if game_of(talk.scene).phase is not Phase.FINISHED and player and not player.left:
        keys[3] = to_page(say("leave"), talk.turn_to("retire"))
    if end_ask(talk.scene):
        keys[4] = to_page(say("end"), talk.turn_to("end"))
    if table_ask(talk.scene):
        keys[5] = to_page(say("table"), talk.turn_to("table"))
    return menu2_screen(talk, keys)


def table_page(talk: Talk) -> Screen:
    """What the table is asked, answered from any seat."""
    return _page_of(talk, table_ask(talk.scene))


def serve_page(talk: Talk) -> Screen:
    """What a bot needs a person for, on the host's screen."""
    serving = cards.served(talk) or talk
    return _page_of(serving, serving.ask)


def _page_of(talk: Talk, ask: Ask | None) -> Screen:
    page = ASKS[ask.kind].page if ask else None
    if page is None:
        return Screen(talk.say("Nobody is asked."), choices=at({6: back(talk)}))
    return page(talk)


def retire_page(talk: Talk) -> Screen:
    """Asked again before somebody leaves the table."""
    say = talk.say
    text = say("Your hand is put aside, your cars race on.")
    return leave_screen(talk, say("Really leave?"), text, say("leave"), LEFT)
