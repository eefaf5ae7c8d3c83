"""The basic game on the screens: points, and no word of the categories that it has not."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from statistics import mean
from typing import Any

import pytest
from support.each import few_now
from support.formula import boardless, careful

from companion.views.dialog import choices
from companion.views.model import Scene
from companion.views.page import seat_view, table_view
from companion.views.screen import HOME, Dialog
from companion.views.words import LANGUAGES, WEAR, words

BASIC = {"rules": ["basic"], "laps": 1}
RARE = ("wear", "standings", "menu", "odds", "road")
"""Pages that a seat may open at any time."""


def foreign(code: str) -> re.Pattern[str]:
    """The names of the six categories in a language, and of Formule Dé's."""
    names = {words(code)(one.name) for name, one in WEAR.items() if name != "points"}
    # The first word of a name is what a key has of it: "tenue de route" is "tenue".
    return re.compile(rf"\b({'|'.join(map(re.escape, names))})\b", re.IGNORECASE)


def texts(value: object) -> Iterator[str]:
    """Every text of a view, but those that programs read."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        # The state and the asks of the engine name things by keys of its own.
        for key, one in value.items():
            yield from () if key in ("state", "asks", "race", "asked") else texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from texts(one)


def pages_of(scene: Scene, seat: int) -> list[Dialog]:
    """The first page, those a key away, and what a seat may look up."""
    row = choices(scene, seat, HOME)
    near = [choice.then for choice in row if choice and not choice.does]
    return list(dict.fromkeys([HOME, *near, *(Dialog(page) for page in RARE)]))


def told(scene: Scene, seat: int, code: str) -> Iterator[str]:
    """All that a seat's screens and the page of the table say in a language."""
    for dialog in pages_of(scene, seat):
        yield from texts(seat_view(scene, seat, dialog, lambda road: {}, own=True))
    table = table_view(scene)
    yield from (str(row[code]) for row in table["story"])  # type: ignore[attr-defined, index]
    yield from (str(task[code]) for task in table["tasks"])  # type: ignore[attr-defined, index]


@pytest.mark.parametrize("track", few_now(["manege", None], 2, quick=[None]))
def test_no_screen_of_a_race_names_one_of_the_six_categories(
    table: Callable[..., Any], track: str | None
) -> None:
    """FD-BASIC-16: whole races, in every language."""
    names = ("Ana", "Bob", "Cid")
    races = [table(code, names).new(track=track, **BASIC) for code in LANGUAGES]
    dice, found = random.Random(4), []
    step = 0
    while asks := races[0].engine.asks():
        ask, step = asks[0], step + 1
        for race in races if step % 4 == 0 else ():
            code, scene = race.language, race.scene()
            said = dict.fromkeys(told(scene, ask["seat"] or 1, code))
            found += [(code, text) for text in said if foreign(code).search(text)]
        if track is None:
            value = boardless.answer(ask, dice)
        else:
            value = careful.answer(ask, races[0].engine.moment, dice)
        for race in races:
            race.answer(seat=ask["seat"], **{ask["kind"]: value})
    assert sorted(set(found)) == []
    assert step > 60


@pytest.mark.parametrize("track", few_now(["monaco", None], 2, quick=[None]))
def test_a_whole_race_is_played_on_the_keys(
    rehearse: Callable[..., Any], track: str | None
) -> None:
    """FD-BASIC-10: contacts hurt four times as often, and who is hurt is a press."""
    race = rehearse(2, track=track, **BASIC)
    assert race.table.engine.state()["phase"] == "finished"
    assert mean(race.turns) <= 3.9
