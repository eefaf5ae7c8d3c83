"""A seat with buttons that is not in the race that runs: somebody sits down and comes in late."""

from __future__ import annotations

from companion.views.model import SetUp
from companion.views.seat.core import Choice, Screen, Talk, any_button, at, back, make_key, spoken

LINES = 3


def guest_page(talk: Talk) -> Screen:
    """A race is on without this seat. Any button: whether it shall come in."""
    text = talk.say("A race is on. Press any button to come in.")
    onward = any_button(talk.turn_to("come-in"))
    return Screen(talk.say("Seat {n}", n=talk.seat), **spoken(text, LINES), choices=onward)


def come_in_page(talk: Talk) -> Screen:
    """Asked again: whoever leans on an empty seat is not in the race."""
    text = talk.say("You start at the back, in the next round.")
    join = Choice(make_key(talk.say("Come in")), (SetUp("join", None, talk.seat),))
    keys = at({1: join, 6: back(talk)})
    return Screen(talk.say("Come in late?"), **spoken(text, LINES), choices=keys)
