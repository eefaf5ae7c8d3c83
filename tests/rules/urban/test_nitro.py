"""FD-URBAN-2: nitro; FD-DRV-7: Montoya's."""

from __future__ import annotations

from typing import Any

import pytest
from support.each import in_one
from support.formula.scenes import Scene, at
from support.formula.street import DIMITRI, JENNY, MONTOYA, STREETS, header, street

from companion.race.engine import Engine

FAR = {JENNY: at("T2.l1", gear=1)}
PLAIN, NITRO = {"spaces": 3, "by": []}, {"spaces": 5, "by": ["nitro"]}


def rolled(driver: str = DIMITRI, space: str = "S1.m7", **car: Any) -> Scene:
    """A 3 in 2nd gear."""
    return street({driver: at(space, gear=2, **car), **FAR}).gear(2).roll(3)


def test_nitro_adds_as_many_spaces_as_the_gear() -> None:
    """FD-URBAN-2"""
    scene = rolled()
    assert scene.ask("length")["options"] == [PLAIN, NITRO]
    scene.say({"seat": 1, "length": NITRO})
    assert "S1.m12" in scene.ends()
    assert "S1.m10" not in scene.ends()
    assert scene.told("LengthChosen")[0]["rule"] == "FD-URBAN-2"


def test_nitro_may_be_braked() -> None:
    """FD-URBAN-2, FD-BRAKE-1: all of it is used, and brakes take it off again."""
    scene = rolled().say({"seat": 1, "length": NITRO})
    assert "S1.m10" in scene.ends(brakes=2)


def test_nitro_is_there_once_a_lap() -> None:
    """FD-URBAN-2"""
    scene = rolled().say({"seat": 1, "length": NITRO}).move("S1.m12")
    assert scene.car(1)["nitro"] is True
    assert rolled(nitro=True).kinds == {"move"}


def test_without_nitro_it_is_kept() -> None:
    """FD-URBAN-2"""
    scene = rolled().say({"seat": 1, "length": PLAIN})
    assert "S1.m10" in scene.ends()
    assert "nitro" not in scene.move("S1.m10").car(1)


@pytest.mark.parametrize(("lap", "used"), [(0, True), (1, False)])
def test_the_line_refills_nitro_but_not_the_first_time(lap: int, used: bool) -> None:
    """FD-URBAN-2, FD-END-2: lap 0 and lap 1 are one lap."""
    scene = rolled(space="S1.m3", lap=lap, nitro=True).move("S1.m6")
    assert scene.car(1)["lap"] == lap + 1
    assert scene.car(1).get("nitro", False) is used


def test_a_great_start_has_no_gear_roll_and_no_nitro() -> None:
    """FD-URBAN-2, FD-START-4"""
    engine = Engine(STREETS)
    engine.handle({"new": header(DIMITRI, JENNY, grid=[1, 2])})
    assert engine.handle({"seat": 1, "black": 20})["asks"][0]["kind"] == "move"


def test_the_first_gear_of_a_race_has_nitro() -> None:
    """FD-URBAN-2: one space in 1st."""
    engine = Engine(STREETS)
    engine.handle({"new": header(DIMITRI, JENNY, grid=[1, 2], start="normal")})
    engine.handle({"seat": 1, "gear": 1})
    ask = engine.handle({"seat": 1, "roll": 2})["asks"][0]
    assert [option["spaces"] for option in ask["options"]] == [2, 3]


def test_montoya_may_add_three_to_each_nitro() -> None:
    """FD-DRV-7"""
    scene = rolled(MONTOYA)
    more = {"spaces": 8, "by": ["nitro"]}
    assert scene.ask("length")["options"] == [PLAIN, NITRO, more]
    scene.say({"seat": 1, "length": more})
    assert scene.told("LengthChosen")[0]["spaces"] == 8
    assert scene.move("T1.m1").car(1)["nitro"] is True


@in_one(
    ("value", "code"),
    [
        ({"spaces": 5, "by": []}, "illegal"),
        ({"spaces": 8, "by": ["nitro"]}, "illegal"),
        ({"spaces": 3, "by": ["nitro"]}, "illegal"),
        ({"spaces": 5}, "malformed"),
        ("nitro", "malformed"),
    ],
)
def test_lengths_that_are_not_on_offer_are_refused(value: Any, code: str) -> None:
    """FD-URBAN-2"""
    assert rolled().refused({"seat": 1, "length": value})["code"] == code
