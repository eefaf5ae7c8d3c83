"""What several pages of Downforce are made of: a key for a car, an order of cars, a closed face."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b

from companion.rules.commands import Answer
from companion.rules.downforce.tables import CARS
from companion.views.downforce.facts import TABLE
from companion.views.downforce.words import car_word
from companion.views.games import name_of
from companion.views.model import Key, Mark
from companion.views.seat.core import Choice, Choices, Screen, Talk, at, make_key
from companion.views.seat.parts import asked
from companion.views.words import LINE_COLUMNS, fit

PICK = "pick"
"""The page of an answer that is being put together."""


def car_key(talk: Talk, car: str, hint: str = "", mark: Mark = "") -> Key:
    """The key of a car."""
    return make_key(car_word(car, talk.say), hint, mark)


def question(talk: Talk, whole: str, short: str) -> str:
    """A title: the whole question; behind the name of who is answered for its short form."""
    return asked(talk, short) if talk.dialog.target else fit(whole)


def of_cars(choices: Mapping[str, Choice]) -> tuple[Choice | None, ...]:
    """Each car on its own button; the button of a car that is not on offer is free."""
    return at({button: choices.get(car) for button, car in enumerate(CARS, 1)})


def in_fresh_order(talk: Talk, choices: Mapping[str, Choice], since: int) -> Choices:
    """Cars on real buttons, on which everybody sees a finger: for each question in another order.

    The order follows from the seat's own link, which nobody else knows.
    """
    if not talk.info.buttons:
        return of_cars(choices)

    def drawn(car: str) -> bytes:
        return blake2b(f"{talk.info.link} {talk.who} {since} {car}".encode()).digest()

    return at({button: choices.get(car) for button, car in enumerate(sorted(CARS, key=drawn), 1)})


def page_of(talk: Talk) -> str:
    """The page to stay on while an answer is put together."""
    return talk.dialog.page or PICK


def for_table(talk: Talk) -> Talk:
    """The same with what the whole table is asked at hand."""
    return replace(talk, for_table=True)


def picked_key(talk: Talk, car: str, page: str) -> Choice:
    """The key of a car that has its place already: pressed once more, it has none."""
    picked = talk.dialog.picked
    key = make_key(str(picked.index(car) + 1), car_word(car, talk.say))
    rest = tuple(other for other in picked if other != car)
    return Choice(key, then=talk.turn_to(page, picked=rest))


def order_page(
    talk: Talk, kind: str, title: str, cars: Sequence[str] = CARS, before: Sequence[str] = ()
) -> Screen:
    """These cars in an order, a press each; a car pressed by mistake is pressed once more.

    `before` is how they stood: the next of them is marked, as of an order that was taken back.
    """
    picked = talk.dialog.picked
    old = talk.scene.old.get((TABLE, kind), list(before))
    choices: dict[str, Choice] = {}
    for car in cars:
        if car in picked:
            choices[car] = picked_key(talk, car, page_of(talk))
            continue
        then = (*picked, car)
        was_next = isinstance(old, list) and old[: len(then)] == list(then)
        key = car_key(talk, car, mark="old" if was_next else "")
        if len(then) == len(cars):
            choices[car] = Choice(key, (Answer(TABLE, kind, list(then)),))
        else:
            choices[car] = Choice(key, then=talk.turn_to(page_of(talk), picked=then))
    return Screen(title, choices=of_cars(choices))


def closed_face(talk: Talk) -> Screen:
    """What everybody else sees of a seat that answers in secret; the same all through it."""
    name = name_of(talk.scene, talk.who)
    title = talk.say.fitting("{name} answers", LINE_COLUMNS, name=name)
    return Screen(title, (talk.say("in secret"),))
