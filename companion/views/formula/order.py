"""Boardless: the running order between two rounds, on the host's screen.

As it is: one press. Else every car but the first has a key that moves it up a place, past the
car before it, as it has overtaken on the board; then the same first key sends the order.
"""

from __future__ import annotations

from dataclasses import replace

from companion.rules.formula.asks import OrderAsk
from companion.views.formula.facts import name_of
from companion.views.games import AskWords
from companion.views.seat.core import Choice, Screen, Talk, paged, to_page
from companion.views.words import fit, phrase, wrap

NAME_COLUMNS = 7
LINES = 3


def is_asked(talk: Talk) -> bool:
    """Is the running order asked, and is this the screen to set it on?"""
    return talk.info.host and any(isinstance(one.ask, OrderAsk) for one in talk.scene.asks)


def order_page(talk: Talk) -> Screen:
    """The order as it is, or as changed so far."""
    table = replace(talk, for_table=True)
    listed = list(table.the(OrderAsk).seats)
    now = [int(seat) for seat in talk.dialog.picked]
    if sorted(now) != sorted(listed):
        now = listed
    label = phrase("same") if now == listed else phrase("done")
    first = replace(table.answers(talk.say(label), now), then=talk.home())
    movers = [_overtakes(talk, now, at) for at in range(1, len(now))]
    lines = wrap(" ".join(f"{n}.{_name(talk, seat)}" for n, seat in enumerate(now, 1)), LINES)
    return Screen(talk.say("Who has overtaken?"), lines, paged(talk, movers, first=first))


def _overtakes(talk: Talk, now: list[int], at: int) -> Choice:
    order = [*now[: at - 1], now[at], now[at - 1], *now[at + 1 :]]
    then = talk.turn_to("order", number=talk.dialog.number, picked=tuple(map(str, order)))
    return to_page(name_of(talk.scene, now[at]), then)


def _name(talk: Talk, seat: int) -> str:
    return fit(name_of(talk.scene, seat), NAME_COLUMNS)


ASKS = {
    OrderAsk.kind: AskWords(
        "{name} says who is where",
        "The table: in which order do the cars run?",
        "",
        order_page,
        {"order": order_page},
    )
}
