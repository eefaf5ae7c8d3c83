"""The first two presses of a turn: the gear, and what its die shows."""

from __future__ import annotations

from companion.views.facts import name_of
from companion.views.formula.parts import car_screen
from companion.views.formula.watch import running
from companion.views.model import Mark
from companion.views.seat.core import (
    Choice,
    Choices,
    Screen,
    Talk,
    at,
    in_sight,
    make_key,
    paged,
    remembered,
)
from companion.views.words import LINE_COLUMNS, fit
from companion.views.words.wear import cost_letters

LEAST_OF_A_NAME = 4
"""Columns of a name in a title, however long the question is."""


def asked(talk: Talk, question: str) -> str:
    """A title: the question, and whose it is where a steward answers for another.

    While the watch of a trial runs for the seat's car, it stands at the left.
    """
    if not talk.dialog.target:
        return fit(f"{running(talk.scene, talk.who)} {question}".lstrip())
    room = max(LEAST_OF_A_NAME, LINE_COLUMNS - len(question) - 2)
    return fit(f"{fit(name_of(talk.scene, talk.who), room)}: {question}")


def gear_page(talk: Talk) -> Screen:
    """Gears on the buttons of the gear gate; what a change costs stands under it."""
    return car_screen(talk, talk.who, asked(talk, talk.say("Gear?")), gear_choices(talk))


def gear_choices(talk: Talk) -> Choices:
    """Gear n on button n, only the legal ones (FD-GEAR-2); an old answer is marked in its place."""
    places: dict[int, Choice | None] = {}
    for gear in talk.ask["options"]:
        mark: Mark = ""
        hint = cost_letters(talk.ask.get("costs", {}).get(str(gear), {}), talk.say)
        if hint:
            mark = "costs"
        if gear in talk.ask.get("out", ()):
            hint, mark = talk.say("OUT"), "out"
        if gear == talk.old:
            mark = "old"
        places[gear] = Choice(make_key(str(gear), hint, mark), talk.answer(gear), talk.home())
    return at(places)


def roll_page(talk: Talk) -> Screen:
    """The faces of the engaged gear's die, each once, in ascending order.

    Ten faces (5th and 6th) take two pages, five and five: with equal chances no split of ten
    over six keys needs fewer presses than 1.5 on average.
    """
    faces = list(talk.ask["options"])
    choices = [Choice(make_key(str(face)), talk.answer(face), talk.home()) for face in faces]
    old = faces.index(talk.old) if talk.old in faces else None
    keys = paged(talk, in_sight(remembered(choices, old), old))
    return car_screen(talk, talk.who, asked(talk, talk.say("Die shows?")), keys)
