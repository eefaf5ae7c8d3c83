"""Formule Dé on the screens: its categories, its collisions, and a whole race on the keys."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from support.formula import careful
from support.screens.hands import presses_to, sends

from companion.rules.formula.car import Car, PitMark, Status
from companion.rules.formula.order import gears_to_come
from companion.rules.lines import Answer
from companion.views.dialog import choices, press
from companion.views.formula.parts import car_pips, full_wear
from companion.views.screen import HOME
from companion.views.words import words

GAME = "formule-de"
FULL = {"tires": 6, "brakes": 4, "fuel": 3, "body": 3, "engine": 3}
CHAIN = {"1": "S6.m4", "2": "S6.m7", "3": "S6.l7", "4": "S6.m8"}
"""Seat 1 comes to stand behind seat 2; seats 2, 3 and 4 touch one another (DE-BUMP-1)."""


@pytest.fixture
def collision(table: Callable[..., Any]) -> Any:
    """The collision of the book: seat 2 rolls 3, seats 3 and 4 two each, then seat 1 once."""
    cars = {seat: {"space": space, "gear": 2, "lap": 1} for seat, space in CHAIN.items()}
    position = {"cars": cars, "order": [1, 2, 3, 4], "turn": 1, "round": 3}
    race = table(names=("Ana", "Bob", "Cid", "Dora")).new(game=GAME, position=position)
    for line in ({"gear": 2}, {"roll": 2}, {"move": {"to": "S6.m6", "brakes": 0}}):
        race.answer(seat=1, **line)
    return race


def test_a_seat_shows_fuel_and_no_handling_that_it_does_not_have(collision: Any) -> None:
    """DE-CAR-1"""
    assert full_wear(collision.scene(), 2) == FULL
    pips = car_pips(collision.scene(), 2, words("en"))
    assert [pip.name for pip in pips] == ["tires", "brakes", "fuel", "body", "engine"]


@pytest.mark.parametrize(
    ("header", "handling"), [({"laps": 1}, None), ({"rules": ["advanced"], "laps": 1}, 1)]
)
def test_the_points_at_the_start_are_those_of_the_race(
    table: Callable[..., Any], header: dict[str, Any], handling: int | None
) -> None:
    """DE-CAR-1: of one lap, or advanced."""
    race = table(names=("Ana", "Bob")).new(game=GAME, **header)
    full = full_wear(race.scene(), 1)
    assert full.get("handling") == handling
    assert full["tires"] == (6 if handling else 4)


def test_one_press_tells_that_nobody_of_the_group_was_hurt(collision: Any) -> None:
    """DE-BUMP-1: seven rolls in one; the cause rolls when all others have."""
    row = choices(collision.scene(), 1, HOME)
    nobody = next(c for c in row if c and len(c.does) == 7)
    for intent in nobody.does:
        assert isinstance(intent, Answer)
        collision.answer(**intent.line)
    assert [(ask["seat"], ask["kind"]) for ask in collision.engine.asks()] == [(1, "black")]


def test_after_a_fast_stop_fourth_is_the_most_that_can_be_wished_for() -> None:
    """DE-PIT-2"""
    car = Car(1, "Ana", 1, gear=4, status=Status.RACING)
    assert max(gears_to_come(replace(car, pit_mark=PitMark.FRESH))) == 4
    assert max(gears_to_come(car)) == 5


@pytest.mark.parametrize(
    ("game", "gear", "hint"),
    [(GAME, 4, ""), (GAME, 5, "+1 turn"), ("formula-d", 5, "")],
)
def test_a_pit_entry_that_costs_a_turn_says_so(
    table: Callable[..., Any], game: str, gear: int, hint: str
) -> None:
    """DE-PIT-1: in 5th or 6th the car stands a turn in its box first."""
    cars = {
        "1": {"space": "T10.r2", "gear": gear, "lap": 1, "stops": 1, "wear": {"tires": 3}},
        "2": {"space": "S6.m4", "gear": 2, "lap": 1},
    }
    race = table(names=("Ana", "Bob")).new(
        game=game, position={"cars": cars, "order": [1, 2], "turn": 1}
    )
    for line in ({"gear": gear}, {"roll": 12}):
        race.answer(seat=1, **line)
    wanted = sends({"seat": 1, "move": {"to": "B1", "brakes": 0}})
    *pages, button = presses_to(race.scene(), 1, wanted) or ()
    dialog = HOME
    for turn in pages:
        dialog, _ = press(race.scene(), 1, dialog, turn)
    choice = choices(race.scene(), 1, dialog)[button - 1]
    assert choice is not None
    assert choice.key is not None
    assert (choice.key.label, choice.key.hint) == ("box", hint)


def test_the_usual_car_of_an_advanced_race_is_one_press(table: Callable[..., Any]) -> None:
    """DE-CAR-1: 6, 4, 3, 3, 3 and 1 handling are 20 points."""
    race = table(names=("Ana", "Bob")).new(game=GAME, rules=["advanced"], grid=[1, 2])
    race.press(2, 1)
    assert race.engine.state()["cars"]["2"]["wear"] == FULL | {"handling": 1}


@pytest.mark.slow
@pytest.mark.parametrize("rules", [[], ["advanced", "weather", "tires"]], ids="+".join)
def test_a_whole_race_is_played_on_the_keys(table: Callable[..., Any], rules: list[str]) -> None:
    """Every ask has keys that give any answer to it, at most four presses away."""
    race, dice = table().new(game=GAME, laps=2, rules=rules), random.Random(3)
    while asks := race.engine.asks():
        ask = asks[0]
        value = careful.answer(ask, race.engine.moment, dice)
        if ask["kind"] == "build":  # the usual car, in one press
            value = race.engine.state()["cars"][str(ask["seat"])]["wear"]
        line = {"seat": ask["seat"], ask["kind"]: value}
        seat = ask["seat"] or 1  # anybody answers for the table
        buttons = presses_to(race.scene(), seat, sends(line)) or alone(race, seat)
        assert len(buttons) <= 4
        race.press(seat, *buttons)
    assert race.engine.state()["phase"] == "finished"


def alone(race: Any, seat: int) -> tuple[int, ...]:
    """The list of a collision answers all rolls of a seat at once: spare them all."""
    found = presses_to(
        race.scene(),
        seat,
        lambda does: all(isinstance(intent, Answer) and intent.kind == "black" for intent in does),
    )
    assert found is not None, race.engine.asks()
    return found
