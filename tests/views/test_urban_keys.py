"""What urban races ask can be answered with the keys of a seat, whatever the answer is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest
from support.formula import careful
from support.formula.street import DEREK, JACK, JULIEN, MONTOYA, STANLEY, STREETS, TEMANA, seats
from support.screens.hands import presses_to, sends

from companion.race.engine import Engine
from companion.views.dialog import press, show
from companion.views.screen import HOME

DRIVERS = (JACK, STANLEY, MONTOYA, DEREK, TEMANA, JULIEN)
NEW = {"length", "recover", "radio", "trail", "reroll"}


def is_new(ask: Mapping[str, Any]) -> bool:
    """Whether an ask is one of urban races."""
    return ask["kind"] in NEW or ask.get("for") in ("noise", "radio")


def answers_to(ask: Mapping[str, Any]) -> list[Any]:
    """Every answer of a list, and the ways to spread points."""
    if ask["kind"] == "recover":
        return [careful.spread(ask["options"], Random(seed)) for seed in range(3)]
    if ask["kind"] == "black":
        return [low for low, _ in ask["options"]]
    return list(ask["options"])


def played(table: Any, seed: int) -> Counter[str]:
    """A race in which every new ask is tried on the keys; how often each kind came."""
    dice, met = Random(seed), Counter[str]()
    while asks := table.engine.asks():
        ask = asks[0]
        if is_new(ask):
            met[ask.get("for", ask["kind"])] += 1
            for value in answers_to(ask):
                wanted = sends({"seat": ask["seat"], ask["kind"]: value})
                assert presses_to(table.scene(), ask["seat"], wanted), (ask, value)
        value = careful.answer(ask, table.engine.moment, dice)
        table.answer(seat=ask["seat"], **{ask["kind"]: value})
    return met


@pytest.fixture
def urban(table: Callable[..., Any]) -> Callable[..., Any]:
    """An urban race of six on the street."""

    def make(**more: Any) -> Any:
        told = {"track": "street", "rules": ["urban", "weather"], "seats": seats(*DRIVERS), **more}
        return table(engine=Engine(STREETS)).new(**told)

    return make


def test_every_answer_is_on_some_key(urban: Callable[..., Any]) -> None:
    """FD-URBAN-2 to FD-URBAN-7, FD-DRV-1 to FD-DRV-10"""
    met = played(urban(laps=2, weather="variable", grid=[1, 2, 3, 4, 5, 6], start="normal"), 8)
    assert met.keys() >= {"length", "recover", "trail", "radio", "noise"}


def test_lengths_that_are_equal_are_told_apart(urban: Callable[..., Any]) -> None:
    """FD-DRV-2: four spaces by a drift, and four by nitro and a drift."""
    car = {"space": "T1.l1", "gear": 2, "lap": 1}
    race = urban(position={"cars": {"1": car}, "order": [1], "turn": 1})
    race.answer(seat=1, gear=2)
    race.answer(seat=1, roll=3)
    view = show(race.scene(), 1, HOME)
    keys = [(key.label, key.hint) for key in view.keys if key]
    assert keys == [
        ("2", "drift"),
        ("3", "as is"),
        ("4", "drift"),
        ("4", "nitro+d."),
        ("5", "nitro"),
        ("6", "nitro+d."),
    ]


def test_before_the_first_answer_no_target_of_the_radio_is_marked_as_the_old_one(
    scene_of: Callable[..., Any],
) -> None:
    """FD-DRV-3: null, nobody, is an answer; it is not what was said before."""
    scene = scene_of({"seat": 3, "kind": "radio", "options": [1, 2, None]})
    view = show(scene, 3, HOME)
    assert [(key.label, key.mark) for key in view.keys if key][-1] == ("nobody", "")
    assert {key.mark for key in view.keys if key} == {""}


def test_one_key_answers_both_rolls_against_derek(scene_of: Callable[..., Any]) -> None:
    """FD-DRV-8: they are thrown together."""
    roll = {"seat": 3, "kind": "black", "for": "collision", "options": [[1, 1], [2, 20]]}
    (nobody,) = press(scene_of({**roll, "times": 2}), 2, HOME, 6)[1:]
    assert [intent.line for intent in nobody] == [{"seat": 3, "black": [2, 20]}] * 2
