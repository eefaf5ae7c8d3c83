"""The first two presses of a turn: the gear, and what its die shows."""

from __future__ import annotations

from companion.rules.formula.asks import GearAsk, RollAsk
from companion.rules.formula.wear import tell_cost
from companion.views.formula.parts import car_screen
from companion.views.formula.trial import start_page
from companion.views.games import AskWords, Event, Outcomes
from companion.views.model import Mark
from companion.views.seat.core import Choice, Choices, Screen, Talk, at, in_sight, paged
from companion.views.seat.parts import asked
from companion.views.words import phrase, phrases
from companion.views.words.wear import cost_letters


def gear_page(talk: Talk) -> Screen:
    """Gears on the buttons of the gear gate; what a change costs stands under it."""
    start = start_page(talk)
    if start is not None:
        return start
    return car_screen(talk, talk.who, asked(talk, talk.say("Gear?")), gear_choices(talk))


def gear_choices(talk: Talk) -> Choices:
    """Gear n on button n, only the legal ones (FD-GEAR-2); an old answer is marked in its place."""
    ask = talk.the(GearAsk)
    places: dict[int, Choice | None] = {}
    for choice in ask.choices:
        hint = cost_letters(tell_cost(choice.cost, ask.categories), talk.say)
        mark: Mark = "costs" if hint else ""
        if choice.out:
            hint, mark = talk.say("OUT"), "out"
        places[choice.gear] = talk.answers(str(choice.gear), choice.gear, hint, mark)
    return at(places)


def roll_page(talk: Talk) -> Screen:
    """The faces of the engaged gear's die, each once, in ascending order.

    Ten faces (5th and 6th) take two pages, five and five: with equal chances no split of ten
    over six keys needs fewer presses than 1.5 on average.
    """
    faces = [talk.answers(str(face), face) for face in talk.the(RollAsk).faces]
    keys = paged(talk, in_sight(faces))
    return car_screen(talk, talk.who, asked(talk, talk.say("Die shows?")), keys)


DICE = dict(enumerate(phrases("yellow | orange | red | green | violet | blue"), 1))
"""The colors of the dice by their gear, as in the box."""
ASKS = {
    GearAsk.kind: AskWords("{name} chooses a gear", "{name}: which gear?", "gear", gear_page),
    RollAsk.kind: AskWords(
        "{name} rolls the gear die", "{name}: what does the die show?", "die", roll_page
    ),
}

SENTENCES = {
    ("StartRolled", "stalled"): phrase("{name} stalls at the start."),
    ("StartRolled", "normal"): phrase("{name} gets away."),
    ("StartRolled", "great"): phrase("{name} makes a great start!"),
    ("StartRolled", "double"): phrase("{name} makes a great start: the roll counts double!"),
    ("TurnedRound", ""): phrase("{name} is turned round."),
    ("GearEngaged", ""): phrase("{name} changes from gear {before} to {gear}."),
    ("GearEngaged", "first"): phrase("{name} engages gear {gear}."),
    ("GearEngaged", "same"): phrase("{name} stays in gear {gear}."),
    ("OverRevved", ""): phrase("{name} over-revs{cost}."),
    ("DieRolled", ""): phrase("{name} rolls {face}."),
}


def _gear(event: Event) -> str:
    if not event.get("before"):
        return "first"
    return "same" if event.get("gear") == event.get("before") else ""


OUTCOMES: Outcomes = {
    "StartRolled": lambda event: str(event.get("outcome", "normal")),
    "GearEngaged": _gear,
}
