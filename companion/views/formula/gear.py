"""The first two presses of a turn: the gear, and what its die shows."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.formula.asks import GearAsk, RollAsk
from companion.rules.formula.tables import GEAR_DICE
from companion.rules.formula.wear import tell_cost
from companion.views.formula.facts import car_of
from companion.views.formula.parts import car_screen
from companion.views.formula.throw import is_thrown, throw_page
from companion.views.formula.trial import start_page
from companion.views.games import AskWords, Event, Outcomes
from companion.views.model import Mark
from companion.views.seat.core import KEYS, Choice, Choices, Screen, Talk, at, in_sight, paged
from companion.views.seat.parts import asked, in_full, running
from companion.views.words import LINE_COLUMNS, phrase, phrases, range_text
from companion.views.words.wear import cost_letters, cost_words


def gear_page(talk: Talk) -> Screen:
    """Gears on the buttons of the gear gate; what a change costs stands under it."""
    start = start_page(talk)
    if start is not None:
        return start
    question = talk.say("Which gear?")
    asks = in_full(talk, talk.say("Which gear now?"))
    return car_screen(talk, talk.who, asked(talk, question), gear_choices(talk), asks=asks)


def gear_choices(talk: Talk) -> Choices:
    """Gear n on button n, only the legal ones (FD-GEAR-2); an old answer is marked in its place."""
    ask = talk.the(GearAsk)
    places: dict[int, Choice | None] = {}
    for choice in ask.choices:
        cost = tell_cost(choice.cost, ask.categories)
        hint = cost_letters(cost, talk.say)
        mark: Mark = "costs" if hint else "free"
        price = cost_words(cost, talk.say)
        if choice.out:
            hint, mark, price = talk.say("OUT"), "out", talk.say("puts the car out")
        says = " · ".join(filter(None, (range_text(GEAR_DICE[choice.gear]), price)))
        places[choice.gear] = talk.answers(str(choice.gear), choice.gear, hint, mark, says=says)
    return at(places)


def roll_page(talk: Talk) -> Screen:
    """The faces of the engaged gear's die, each once, in ascending order.

    Ten faces (5th and 6th) take two pages, five and five: with equal chances no split of ten
    over six keys needs fewer presses than 1.5 on average.
    """
    ask = talk.the(RollAsk)
    if is_thrown(talk):
        asks = talk.say("Throw the {die} die", die=die_word(talk))
        return throw_page(talk, asked(talk, die_line(talk, ask)), in_full(talk, asks))
    faces = [talk.answers(str(face), face) for face in ask.faces]
    page = car_screen(
        talk,
        talk.who,
        asked(talk, die_line(talk, ask)),
        paged(talk, in_sight(faces)),
        asks=in_full(talk, talk.say("What does the {die} die show?", die=die_word(talk))),
    )
    return replace(page, row=tuple(faces)) if len(faces) > KEYS else page


def die_word(talk: Talk) -> str:
    """The color of the die that is rolled."""
    return talk.say(DICE[_gear(talk)])


def die_line(talk: Talk, ask: RollAsk) -> str:
    """The gear, its die, and what that shows: "gear 3: red die, 4–8", or less of it."""
    die, faces = die_word(talk), range_text((ask.faces[0], ask.faces[-1]))
    if talk.dialog.target or running(talk.scene, talk.who):  # behind a name or the watch
        return talk.say("{die} die?", die=die)
    line = talk.say("gear {gear}: {die} die, {faces}", gear=_gear(talk), die=die, faces=faces)
    short = talk.say("{gear}: {die} die, {faces}", gear=_gear(talk), die=die, faces=faces)
    return line if len(line) <= LINE_COLUMNS else short


def _gear(talk: Talk) -> int:
    """The gear that is engaged."""
    car = car_of(talk.scene, talk.who)
    return max(1, car.gear) if car else 1


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


def _change(event: Event) -> str:
    if not event.get("before"):
        return "first"
    return "same" if event.get("gear") == event.get("before") else ""


OUTCOMES: Outcomes = {
    "StartRolled": lambda event: str(event.get("outcome", "normal")),
    "GearEngaged": _change,
}
