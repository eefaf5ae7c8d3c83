"""What others are asked, on the screen of the one who has to see to it.

The mover's screen lists those who still have to roll because of the move. While a race is
set up, or several are asked at once, that is the host's part; the host may answer for them.
"""

from __future__ import annotations

from companion.views.facts import name_of
from companion.views.formula.die import hurt_asks, times_to_roll
from companion.views.seat.core import Screen, Talk, any_button, paged, to_page
from companion.views.seat.menu import answering_for, kind_word, may_steward
from companion.views.words import wrap


def _others(talk: Talk) -> list[int]:
    """The other seats that are asked something."""
    return sorted({ask["seat"] for ask in talk.scene.asks} - {talk.seat, 0})


def is_mover(talk: Talk) -> bool:
    """Is it this seat's turn?"""
    return (talk.scene.state or {}).get("turn") == talk.seat


def has_list(talk: Talk) -> bool:
    """Does this screen show the list "who rolled a 1?": the mover's, for more than one roll."""
    if not is_mover(talk):
        return False
    rolls = hurt_asks(talk)
    others = any(ask["seat"] != talk.seat for ask in rolls)
    return bool(rolls) and (others or times_to_roll(talk, talk.seat) > 1)


def waits(talk: Talk) -> bool:
    """Does this screen list who is still asked: the mover's, and in the setting up the host's."""
    setting_up = (talk.scene.state or {}).get("turn") is None
    may_see = is_mover(talk) or (setting_up and talk.info.host)
    return may_see and bool(_others(talk))


def others_page(talk: Talk) -> Screen:
    """Who is still asked; one who may answer for others has a key for each."""
    seats = _others(talk)
    names = ", ".join(name_of(talk.scene, seat) for seat in seats)
    title = talk.say("Still to answer:")
    if not may_steward(talk):
        return Screen(title, wrap(names, 3), any_button(talk.turn_to("car")))
    choices = [
        to_page(name_of(talk.scene, seat), answering_for(talk, seat), hint=kind_word(talk, seat))
        for seat in seats
    ]
    return Screen(title, wrap(names, 3), paged(talk, choices))
