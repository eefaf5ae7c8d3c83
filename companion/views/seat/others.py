"""What others are asked, on the screen of the one who has to see to it.

The mover's screen lists those who still have to answer because of the move. While a race is
set up, or several are asked at once, that is the host's part; the host may answer for them.
"""

from __future__ import annotations

from companion.views.facts import mover_of
from companion.views.games import name_of
from companion.views.seat.core import Screen, Talk, any_button, paged, spoken
from companion.views.seat.menu import answer_key, may_steward


def _others(talk: Talk) -> list[int]:
    return sorted({ask.seat for ask in talk.scene.asks} - {talk.seat, 0})


def waits(talk: Talk) -> bool:
    """Does this screen list who is still asked: the mover's, and in the setting up the host's."""
    mover = mover_of(talk.scene)
    may_see = mover == talk.seat or (mover is None and talk.info.host)
    return may_see and bool(_others(talk))


def others_page(talk: Talk) -> Screen:
    """Who is still asked; one who may answer for others has a key for each."""
    seats = _others(talk)
    names = ", ".join(name_of(talk.scene, seat) for seat in seats)
    title = talk.say("Still to answer:")
    if not may_steward(talk):
        return Screen(title, **spoken(names, 3), choices=any_button(talk.turn_to("car")))
    keys = paged(talk, [answer_key(talk, seat) for seat in seats])
    return Screen(title, **spoken(names, 3), choices=keys)
