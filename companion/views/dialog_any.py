"""Any ask without a page of its own: a paged list, points to spread, or a number.

The answers of games and rules still to come can be given from a seat before anybody has
made a page for them, so that no race can hang at the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.views.costs import WEAR
from companion.views.dialog_core import (
    KEYS,
    Choice,
    Screen,
    Talk,
    at,
    in_sight,
    make_key,
    paged,
    remembered,
)
from companion.views.dialog_turn import asked
from companion.views.facts import name_of
from companion.views.words import phrase

QUESTIONS = {
    "pit": phrase("Which pit stop?"),
    "tires": phrase("Which tires?"),
    "length": phrase("Move how far?"),
    "repair": phrase("Repair what?"),
    "recover": phrase("Regain what?"),
    "build": phrase("Build your car"),
    "radio": phrase("Shoot at whom?"),
    "trail": phrase("Leave debris?"),
    "reroll": phrase("Roll again?"),
    "time": phrase("Seconds?"),
}

OPTION_WORDS = {
    "tires": phrase("tires"),
    "technical": phrase("techn."),
    "hard": phrase("hard"),
    "soft": phrase("soft"),
    "rain": phrase("rain"),
    "nitro": phrase("nitro"),
    "drift": phrase("drift"),
    "nitro+drift": phrase("nitro+d."),
    "true": phrase("yes"),
    "false": phrase("no"),
    "null": phrase("nobody"),
}

STEPS = {1: 1, 2: -1, 3: 10, 4: -10, 6: 60}
"""What the buttons add to a number being entered; 5 sends it."""


def any_page(talk: Talk) -> Screen:
    """The page of an ask by the form of its options."""
    options = talk.ask.get("options")
    if isinstance(options, list | tuple):
        return list_page(talk)
    points = options if isinstance(options, Mapping) else talk.ask
    return spread_page(talk, points) if "points" in points else number_page(talk)


def question(talk: Talk) -> str:
    """What is asked; the bare kind where nobody has put it into words."""
    kind = talk.ask["kind"]
    return asked(talk, talk.say(QUESTIONS[kind]) if kind in QUESTIONS else f"{kind}?")


def list_page(talk: Talk) -> Screen:
    """One key for each option."""
    options = list(talk.ask["options"])
    choices = [
        Choice(
            make_key(option_word(talk, option), option_hint(talk, option)),
            talk.answer(option),
            talk.home(),
        )
        for option in options
    ]
    old = options.index(talk.old) if talk.old in options else None
    return Screen(
        title=question(talk), choices=paged(talk, in_sight(remembered(choices, old), old))
    )


def option_word(talk: Talk, option: Any) -> str:
    """An option on a key: its word, a car's name, a length with what gives it, or as it is."""
    if isinstance(option, Mapping):
        return str(option.get("spaces", next(iter(option.values()), "")))
    if talk.ask["kind"] == "radio" and isinstance(option, int):
        return name_of(talk.scene, option)
    plain = {True: "true", False: "false", None: "null"}.get(option, option)
    return talk.say(OPTION_WORDS[plain]) if plain in OPTION_WORDS else str(option)


def option_hint(talk: Talk, option: Any) -> str:
    """What gives a length: two of them may be equally long."""
    by = "+".join(option.get("by", ())) if isinstance(option, Mapping) else ""
    return talk.say(OPTION_WORDS[by]) if by in OPTION_WORDS else by


def spread_page(talk: Talk, asked_for: Mapping[str, Any]) -> Screen:
    """Points to spread over categories: a press is a point, the last one sends.

    Where fewer points may be spent and a key is free, it sends what there is.
    """
    limits = asked_for.get("limits", {})
    categories = list(asked_for.get("categories", limits))
    least = {name: int(limits[name][0]) if name in limits else 0 for name in categories}
    spent = {name: least[name] + talk.dialog.picked.count(name) for name in categories}
    left = int(asked_for["points"]) - sum(spent.values())
    choices: dict[int, Choice | None] = {
        button: _point(talk, name, spent, left) for button, name in enumerate(categories[:KEYS], 1)
    }
    if len(categories) < KEYS:
        told = {name: n for name, n in spent.items() if n}
        choices[KEYS] = Choice(make_key(talk.say("done")), talk.answer(told), talk.home())
    lines = (talk.say.many("{n} point left", "{n} points left", left),)
    return Screen(title=question(talk), lines=lines, choices=at(choices))


def _point(talk: Talk, name: str, spent: Mapping[str, int], left: int) -> Choice:
    """One more point in a category."""
    key = make_key(talk.say(WEAR[name]) if name in WEAR else name, str(spent[name]))
    if left <= 1:
        told = {other: n + (other == name) for other, n in spent.items() if n or other == name}
        return Choice(key, talk.answer(told), talk.home())
    page = talk.dialog.page or "list"
    return Choice(key, then=talk.turn_to(page, picked=(*talk.dialog.picked, name)))


def number_page(talk: Talk) -> Screen:
    """A free number, stepped up and down."""
    now = talk.dialog.number
    choices: dict[int, Choice | None] = {
        button: Choice(make_key(f"{step:+d}"), then=talk.turn_to("list", number=max(0, now + step)))
        for button, step in STEPS.items()
    }
    choices[5] = Choice(make_key(talk.say("ok"), str(now)), talk.answer(now), talk.home())
    return Screen(title=question(talk), choices=at(choices), big=str(now))
