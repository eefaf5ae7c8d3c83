"""The black die: one key for each outcome that matters, and the list "who rolled a 1?".

All that may be rolled together is asked together. Each seat has its own keys; and the mover
(the host while a race is set up) has one list with everybody who still has to roll, so that
one press settles the usual case, that nobody was hurt.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.rules.commands import Answer
from companion.views.facts import name_of, weather_table
from companion.views.formula.gear import asked
from companion.views.formula.parts import car_screen
from companion.views.model import Mark
from companion.views.seat.core import (
    KEYS,
    Choice,
    Screen,
    Talk,
    at,
    back,
    make_key,
    paged,
    to_page,
)
from companion.views.words import LINE_COLUMNS, Words, phrase, range_text
from companion.views.words.wear import WEAR_SHORT

Range = Sequence[int]
WeatherTable = Mapping[str, tuple[int, int]]

QUESTIONS = {
    "grid": phrase("Grid: your black die?"),
    "start": phrase("Start: black die?"),
    "collision": phrase("Contact {name}: die?"),
    "engine": phrase("Engine: black die?"),
    "debris": phrase("Debris: black die?"),
    "pit": phrase("Pit: black die?"),
    "weather": phrase("Weather: black die?"),
    "noise": phrase("Noise: black die?"),
    "radio": phrase("Radio: black die?"),
}

HURT = {"collision": "body", "engine": "engine", "debris": "handling"}
"""What the first range of such a roll costs (FD-BUMP-1, FD-ENGINE-1, FD-DEBRIS-2)."""

START = (phrase("stalls"), phrase("normal"), phrase("great!"))
"""FD-START-2 to FD-START-4."""

NOISE = ("tires", "body", "engine")
"""FD-URBAN-3, after the range in which nothing happens."""

GROUP = 4
"""Single numbers a page of keys, so that five groups hold a d20."""

REASONS = {
    "grid": phrase("Grid"),
    "start": phrase("Start"),
    "collision": phrase("Contact"),
    "engine": phrase("Engine"),
    "debris": phrase("Debris"),
    "pit": phrase("Pit"),
    "weather": phrase("Weather"),
    "noise": phrase("Noise"),
    "radio": phrase("Radio"),
}
"""The same in a word, where a name stands before it."""

RADIO = ("tires", "brakes", "gearbox", "body", "engine", "handling")
"""FD-DRV-3."""

WEATHER = {"fine": phrase("fine"), "variable": phrase("changes"), "rain": phrase("rain")}


def _hurt(reason: str, place: int, say: Words) -> str:
    return say(WEAR_SHORT[HURT[reason]], n=1) if place == 0 else say("nothing")


def _loses(categories: Sequence[str], place: int, say: Words) -> str:
    if 0 <= place < len(categories):
        return say(WEAR_SHORT[categories[place]], n=1)
    return say("nothing")


def _pit(outcome: Range, say: Words) -> str:
    """FD-PIT-2: half the roll, rounded up; from 11 on the car stays."""
    low, high = outcome
    return say("stays") if high > 10 else say.many("{n} space", "{n} spaces", (low + 1) // 2)


def _weather(outcome: Range, table: WeatherTable, say: Words) -> str:
    row = next((name for name, numbers in table.items() if tuple(outcome) == numbers), "")
    return say(WEATHER[row]) if row in WEATHER else ""


def meaning_of(ask: Mapping[str, Any], place: int, sky: WeatherTable, say: Words) -> str:
    """What the outcome at this place of the list does, in a key's width."""
    reason, outcome = ask.get("for", ""), ask["options"][place]
    told: dict[str, Callable[[], str]] = {
        "start": lambda: say(START[place]) if place < len(START) else "",
        "pit": lambda: _pit(outcome, say),
        "weather": lambda: _weather(outcome, sky, say),
        "noise": lambda: _loses(NOISE, place - 1, say),
        "radio": lambda: _loses(RADIO, place, say),
    }
    if reason in HURT:
        return _hurt(reason, place, say)
    return told[reason]() if reason in told else ""


def question_of(talk: Talk, ask: Mapping[str, Any]) -> str:
    """What the black die is rolled for; in a word behind the name of who is answered for."""
    if talk.dialog.target:
        return talk.say(REASONS.get(ask.get("for", ""), phrase("Black die")))
    question = QUESTIONS.get(ask.get("for", ""), phrase("Black die?"))
    name = name_of(talk.scene, ask["with"]) if "with" in ask else ""
    return talk.say.fitting(question, LINE_COLUMNS, name=name)


def black_page(talk: Talk) -> Screen:
    """The outcomes of a roll; twenty of one in five groups of four."""
    if len(talk.ask["options"]) > KEYS:
        choices = at(dict(enumerate(_groups(talk), 1)))
    else:
        choices = paged(talk, [_outcome(talk, n) for n in range(len(talk.ask["options"]))])
    return car_screen(talk, talk.who, asked(talk, question_of(talk, talk.ask)), choices)


def _is_old(talk: Talk, outcome: Range) -> bool:
    """Does the answer that was taken back lie in this range?"""
    old = talk.old
    if isinstance(old, int):
        return outcome[0] <= old <= outcome[1]
    return old is not None and list(old) == list(outcome)


def _outcome(talk: Talk, place: int) -> Choice:
    """The key of one outcome."""
    outcome = talk.ask["options"][place]
    hint = meaning_of(talk.ask, place, weather_table(talk.scene), talk.say)
    mark: Mark = "costs" if talk.ask.get("for") in HURT and place == 0 else ""
    key = make_key(range_text(outcome), hint, "old" if _is_old(talk, outcome) else mark)
    return Choice(key, talk.answer(answer_of(outcome)), talk.home())


def _groups(talk: Talk) -> list[Choice]:
    """Single numbers in groups, each with a page: two presses for any of twenty."""
    numbers = [outcome[0] for outcome in talk.ask["options"]]
    groups = [numbers[at : at + GROUP] for at in range(0, len(numbers), GROUP)]
    return [
        to_page(
            range_text((group[0], group[-1])),
            talk.turn_to("group", number=number),
            "old" if _is_old(talk, (group[0], group[-1])) else "",
        )
        for number, group in enumerate(groups)
    ]


def group_page(talk: Talk) -> Screen:
    """The numbers of one group."""
    first = talk.dialog.number * GROUP
    places = range(first, min(first + GROUP, len(talk.ask["options"])))
    choices = paged(
        talk, [_outcome(talk, place) for place in places], leave=back(talk, talk.home())
    )
    return car_screen(talk, talk.who, asked(talk, question_of(talk, talk.ask)), choices)


def answer_of(outcome: Range) -> int | list[int]:
    """The answer that an outcome is: its number, or the range."""
    return outcome[0] if outcome[0] == outcome[1] else list(outcome)


def hurt_asks(talk: Talk) -> list[Mapping[str, Any]]:
    """The open rolls that end in "hurt" or "nothing", the seat's own first."""
    rolls = [
        ask
        for ask in talk.scene.asks
        if ask["kind"] == "black" and ask.get("for") in HURT and len(ask["options"]) == 2
    ]
    return sorted(rolls, key=lambda ask: ask["seat"] != talk.seat)


def times_to_roll(talk: Talk, seat: int) -> int:
    """How often a seat still rolls for what is open: in a collision once a car met or touched.

    Whoever meets Derek rolls twice (FD-DRV-8).
    """
    pending = (talk.scene.state or {}).get("pending", ())
    step = pending[0] if pending else {}
    if step.get("step") == "collision" and step.get("seat") == seat:
        return max(1, len(step.get("against", ())))
    if step.get("step") == "collision":
        return max(1, list(step.get("others", ())).count(seat))
    if step.get("step") == "touch" and step.get("rolls"):
        return sum(roller == seat for roller, _ in step["rolls"])
    if step.get("step") == "touch" and step.get("seat") == seat:
        return len(step["against"])
    return 1


def list_page(talk: Talk) -> Screen:
    """Who was hurt? A name each, and one key for "nobody (else)".

    That key answers the mover's further rolls of the same collision too: they are asked one
    after another, but thrown together.
    """
    rolls = hurt_asks(talk)
    hurt = [
        Choice(
            make_key(who_rolls(talk, ask["seat"]), range_text(ask["options"][0]), "costs"),
            (Answer(ask["seat"], "black", answer_of(ask["options"][0])),),
        )
        for ask in rolls
    ]
    spared = tuple(
        Answer(ask["seat"], "black", answer_of(ask["options"][1]))
        for ask in rolls
        for _ in range(times_to_roll(talk, ask["seat"]))
    )
    nobody = Choice(make_key(talk.say("nobody")), spared)
    ranges = {range_text(ask["options"][0]) for ask in rolls}
    numbers = ranges.pop() if len(ranges) == 1 else talk.say("low")
    page = car_screen(
        talk,
        talk.seat,
        talk.say("Who rolled {numbers}?", numbers=numbers),
        paged(talk, hurt, leave=nobody),
    )
    return replace(page, lines=(talk.say(REASONS[rolls[0]["for"]]),))


def who_rolls(talk: Talk, seat: int) -> str:
    """The name on a key of the list; one's own roll is "you"."""
    return talk.say("you") if seat == talk.seat else name_of(talk.scene, seat)
