"""A race that waits or is over, and a press that was refused."""

from __future__ import annotations

from dataclasses import replace

from companion.views.model import Pause, Rematch, SetUp
from companion.views.seat.core import HOME, Choice, Screen, Talk, at, make_key, spoken, to_page
from companion.views.words import fit
from companion.views.words.refusals import refusal_text


def paused_page(talk: Talk) -> Screen:
    """The race waits; anybody may go on."""
    return Screen(
        talk.say("Paused"),
        (talk.say("The race is kept."),),
        at({1: Choice(make_key(talk.say("resume")), (Pause(False),))}),
    )


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
            }
        ),
    )


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
