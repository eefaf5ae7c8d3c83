"""A race that waits, is over or is on without this seat; and a press that was refused."""

from __future__ import annotations

from dataclasses import replace

from companion.views.model import Pause, Power, Rematch, SetUp
from companion.views.seat.core import (
    HOME,
    Choice,
    Screen,
    Talk,
    any_button,
    at,
    back,
    make_key,
    spoken,
    to_page,
)
from companion.views.words import fit
from companion.views.words.refusals import refusal_text


def paused_page(talk: Talk) -> Screen:
    """The race waits; anybody may go on."""
    return Screen(
        talk.say("Paused"),
        (talk.say("The race is kept."),),
        at({1: Choice(make_key(talk.say("resume")), (Pause(False),)), **power_keys(talk, 3, 5)}),
    )


def power_keys(talk: Talk, off: int, restart: int) -> dict[int, Choice | None]:
    """The keys to the computer's power, for a seat that may: none while a race goes on."""
    if not talk.info.power:
        return {}
    return {
        off: to_page(talk.say("go off"), talk.turn_to("off"), hint=talk.say("computer")),
        restart: to_page(talk.say("reboot"), talk.turn_to("restart"), hint=talk.say("computer")),
    }


def off_page(talk: Talk) -> Screen:
    """Asked again before the computer goes off."""
    text = talk.say("The computer goes off. All is kept.")
    return _sure(talk, talk.say("Switch off?"), text, talk.say("go off"), "off")


def restart_page(talk: Talk) -> Screen:
    """Asked again before the computer restarts."""
    text = talk.say("The computer starts again. All is kept.")
    return _sure(talk, talk.say("Restart?"), text, talk.say("reboot"), "restart")


def _sure(talk: Talk, title: str, text: str, label: str, what: str) -> Screen:
    keys = {1: Choice(make_key(label, "", "out"), (Power(what),)), 6: back(talk)}
    return Screen(title, **spoken(text, 3), choices=at(keys))


def after_page(talk: Talk) -> Screen:
    """The race is over: look again, the same people again, or a new race."""
    say = talk.say
    return Screen(
        say("The race is over"),
        choices=at(
            {
                1: to_page(say("result"), HOME, "back"),
                3: Choice(make_key(say("rematch"), say("as is")), (Rematch(),)),
                5: Choice(make_key(say("new"), say("people")), (SetUp("join"),)),
                **power_keys(talk, 4, 6),
            }
        ),
    )


def guest_page(talk: Talk) -> Screen:
    """A race is on without this seat. Any button: whether it shall come in."""
    text = talk.say("A race is on. Press any button to come in.")
    onward = any_button(talk.turn_to("come-in"))
    return Screen(talk.say("Seat {n}", n=talk.seat), **spoken(text, 3), choices=onward)


def come_in_page(talk: Talk) -> Screen:
    """Asked again: whoever leans on an empty seat is not in the race."""
    text = talk.say("You start at the back, in the next round.")
    join = Choice(make_key(talk.say("Come in")), (SetUp("join", None, talk.seat),))
    keys = at({1: join, 6: back(talk)})
    return Screen(talk.say("Come in late?"), **spoken(text, 3), choices=keys)


def with_refusal(talk: Talk, screen: Screen) -> Screen:
    """The page with the reason why the last press was refused, and the rule, above its keys."""
    error = talk.scene.refused.get(talk.seat)
    if not error:
        return screen
    return replace(
        screen,
        title=fit(error.get("rule") or talk.say("Not now")),
        asks="",
        **spoken(refusal_text(error, talk.say), 3),
        pips=(),
        big="",
        qr="",
        blink=True,
    )
