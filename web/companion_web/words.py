"""The language of a page, and the words in it that only a race tells.

Texts stand in English where they are read: `_("…")` in a template, `say("…")` in a script (which
`assets.py` writes in the language of the page). What is left are names of things that come by
their keys in what the table tells: a page that reads any says so (`{% set groups = ["wear"] %}`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from flask import Request

from companion.views.downforce.words import CARS, POWERS
from companion.views.formula.turn import DICE
from companion.views.screen import questions
from companion.views.words import LANGUAGES, phrase, words
from companion.views.words.places import COLOR_WORDS, WEAR


def choose_language(request: Request) -> str:
    """The language of a page: the one asked for, else the one chosen before, else the browser's."""
    for chosen in (request.args.get("lang"), request.cookies.get("lang")):
        if chosen in LANGUAGES:
            return chosen
    primary = (tag.partition("-")[0].lower() for tag in request.accept_languages.values())
    return next((tag for tag in primary if tag in LANGUAGES), "en")


@cache
def groups() -> Mapping[str, Mapping[str, str]]:
    """The names by group and key, in English; asks are those of all games, which a start need not
    wait for."""
    return {
        "wear": {category: its.name for category, its in WEAR.items()},
        "color": COLOR_WORDS,
        "die": {str(gear): color for gear, color in DICE.items()},
        "ask": questions(),
        "car": CARS,
        "power": POWERS,
        "live": {  # why the seats are not tested
            "live-racing": phrase("A race is running: pause it first, or wait until it is over."),
            "live-no-seats": phrase("No seat has buttons of its own: all are phones."),
            "live-not-on": phrase("The seats are not under test."),
            "live-no-lamp": phrase("This seat has neither lamp nor buzzer."),
        },
    }


def names_of(language: str, wanted: Iterable[str]) -> Mapping[str, Mapping[str, str]]:
    """The names in these groups, in a language."""
    return {group: _names(language, group) for group in wanted}


@cache
def _names(language: str, group: str) -> Mapping[str, str]:
    say = words(language)
    return {key: say(text) for key, text in groups()[group].items()}
