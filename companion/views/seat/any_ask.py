"""Any ask without a page of its own: a paged list, or a number.

The answers of games and rules still to come can be given from a seat before anybody has
made a page for them, so that no race can hang at the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.views.facts import name_of
from companion.views.formula.die import WEATHER
from companion.views.formula.gear import asked
from companion.views.seat.core import (
    Choice,
    Screen,
    Talk,
    at,
    in_sight,
    make_key,
    paged,
    remembered,
)
from companion.views.words import phrase

QUESTIONS = {
    "radio": phrase("Radio at whom?"),
    "trail": phrase("Leave debris?"),
    "reroll": phrase("Roll again?"),
}

OPTION_WORDS = {
    "true": phrase("yes"),
    "false": phrase("no"),
    "null": phrase("nobody"),
}

STEPS = {1: 1, 2: -1, 3: 10, 4: -10, 6: 60}
"""What the buttons add to a number being entered; 5 sends it."""


def any_page(talk: Talk) -> Screen:
    """The page of an ask by the form of its options."""
    is_list = isinstance(talk.ask.get("options"), list | tuple)
    return list_page(talk) if is_list else number_page(talk)


def question(talk: Talk) -> str:
    """What is asked; the bare kind where nobody has put it into words."""
    kind = talk.ask["kind"]
    return asked(talk, talk.say(QUESTIONS[kind]) if kind in QUESTIONS else f"{kind}?")


def list_page(talk: Talk) -> Screen:
    """One key for each option."""
    options = list(talk.ask["options"])
    choices = [
        Choice(make_key(option_word(talk, option)), talk.answer(option), talk.home())
        for option in options
    ]
    given = talk.old is not None  # null is an option of some asks, and "none yet" of all
    old = options.index(talk.old) if given and talk.old in options else None
    return Screen(
        title=question(talk),
        lines=thrown(talk),
        choices=paged(talk, in_sight(remembered(choices, old), old)),
    )


def thrown(talk: Talk) -> tuple[str, ...]:
    """What the weather die says that may be rolled again (FD-DRV-5): "The die: rain"."""
    if talk.ask["kind"] != "reroll":
        return ()
    said = [event["outcome"] for event in talk.scene.log if event["event"] == "WeatherThrown"]
    return tuple(talk.say("The die: {sky}", sky=talk.say(WEATHER[one])) for one in said[-1:])


def option_word(talk: Talk, option: Any) -> str:
    """An option on a key: its word, a car's name, the first part of an object, or as it is."""
    if isinstance(option, Mapping):
        return str(option.get("spaces", next(iter(option.values()), "")))
    if talk.ask["kind"] == "radio" and isinstance(option, int):
        return name_of(talk.scene, option)
    plain = {True: "true", False: "false", None: "null"}.get(option, option)
    return talk.say(OPTION_WORDS[plain]) if plain in OPTION_WORDS else str(option)


def number_page(talk: Talk) -> Screen:
    """A free number, stepped up and down."""
    now = talk.dialog.number
    choices: dict[int, Choice | None] = {
        button: Choice(make_key(f"{step:+d}"), then=talk.turn_to("list", number=max(0, now + step)))
        for button, step in STEPS.items()
    }
    choices[5] = Choice(make_key(talk.say("ok"), str(now)), talk.answer(now), talk.home())
    return Screen(title=question(talk), choices=at(choices), big=str(now))
