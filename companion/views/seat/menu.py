"""The seat's menu, opened by holding 6: what only a person decides. A game adds its own keys."""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.commands import Retire
from companion.views.facts import outline_of
from companion.views.games import name_of, views_of
from companion.views.model import Language, Pause
from companion.views.seat.core import (
    HOME,
    Choice,
    Dialog,
    Screen,
    Talk,
    any_button,
    at,
    back,
    make_key,
    more,
    paged,
    spoken,
    to_page,
    turn_of,
)
from companion.views.seat.dead import scan_me
from companion.views.words import LANGUAGES


def menu_screen(
    talk: Talk, first: Choice, second: Choice | None, third: Choice | None = None
) -> Screen:
    """The game's own keys, language where it has no third one, pause; more: what is seldom wanted.

    With a third one the language is among what is seldom wanted.
    """
    say = talk.say
    label = say("resume") if talk.scene.paused else say("pause")
    pause = Choice(make_key(label), (Pause(not talk.scene.paused),))
    return Screen(
        say("Menu"),
        choices=at(
            {
                1: first,
                2: second,
                3: third or to_language(talk),
                4: pause if talk.scene.state else None,
                5: more(talk, talk.turn_to("menu2")),
                6: back(talk),
            }
        ),
    )


def to_language(talk: Talk) -> Choice:
    """The key to the languages."""
    code = talk.say.language.upper()
    return to_page(code, talk.turn_to("language"), hint=talk.say("language"))


def menu2_screen(talk: Talk, keys: Mapping[int, Choice]) -> Screen:
    """Phone and steward on 1 and 2, and the game's own rarer keys."""
    say = talk.say
    choices: dict[int, Choice | None] = {**keys, 6: back(talk, talk.turn_to("menu"))}
    if talk.info.link:
        choices[1] = to_page(say("phone"), talk.turn_to("link"), hint=say("QR code"))
    if may_steward(talk):
        choices[2] = to_page(say("steward"), talk.turn_to("steward"))
    return Screen(say("Menu"), choices=at(choices))


def leave_screen(talk: Talk, title: str, text: str, label: str, reason: str) -> Screen:
    """Asked again before somebody goes: on 1, for good."""
    leave = Choice(make_key(label, "", "out"), (Retire(talk.seat, reason),))
    stay = back(talk, talk.turn_to("menu2"))
    return Screen(title, **spoken(text, 3), choices=at({1: leave, 6: stay}))


def may_steward(talk: Talk) -> bool:
    """The host, and whoever has no part in the race any more, may answer for others."""
    outline = outline_of(talk.scene)
    return talk.info.host or (outline is not None and talk.seat in outline.bystanders)


def language_page(talk: Talk) -> Screen:
    """The languages, each by its own name."""
    choices = [
        Choice(make_key(code.upper(), name), (Language(code),)) for code, name in LANGUAGES.items()
    ]
    return Screen(
        talk.say("Language"), choices=paged(talk, choices, leave=back(talk, talk.turn_to("menu")))
    )


def link_page(talk: Talk) -> Screen:
    """This seat on a phone."""
    return Screen(
        talk.say("Seat {n}", n=talk.seat), scan_me(talk), any_button(HOME), qr=talk.info.link
    )


def steward_page(talk: Talk) -> Screen:
    """Answer for whom? The seats that are asked something."""
    asked = dict.fromkeys(ask.seat for ask in talk.scene.asks if ask.seat not in (0, talk.seat))
    choices = [answer_key(talk, seat) for seat in asked]
    return Screen(
        talk.say("Answer for whom?"),
        () if choices else (talk.say("Nobody is asked."),),
        paged(talk, choices, leave=back(talk)),
    )


def answer_key(talk: Talk, seat: int) -> Choice:
    """The key to answering for another seat, until its turn has passed; below what it is asked."""
    kind = next((ask.kind for ask in talk.scene.asks if ask.seat == seat), "")
    known = views_of(talk.scene).asks
    hint = talk.say(known[kind].key) if kind in known and known[kind].key else kind
    then = Dialog(target=seat, about=turn_of(talk.scene))
    return to_page(name_of(talk.scene, seat), then, hint=hint)
