"""FD-DRV-3: Stanley throws his radio at a car near by, once a race."""

from __future__ import annotations

from typing import Any

import pytest
from support.each import in_one
from support.formula.scenes import Scene, at
from support.formula.street import DEREK, DIMITRI, JENNY, STANLEY, street

KEEP = {"nitro": True}
RANGES = [[1, 4], [5, 7], [8, 10], [11, 13], [14, 17], [18, 20]]


def moved(*others: str, victim: dict[str, Any] | None = None, **car: Any) -> Scene:
    """Stanley has moved to S1.m11; Jenny, and perhaps Derek, stand somewhere."""
    cars = {STANLEY: at("S1.l9", gear=2, **{**KEEP, **car})}
    for driver, space in zip((JENNY, DEREK), others, strict=False):
        cars[driver] = at(space, gear=2, **(victim or {}))
    return street(cars).drive(2, 2, "S1.m11").settle()


def test_the_shot_of_the_noise_zone_comes_before_the_radio() -> None:
    """FD-TURN-1: 14, then 15; FD-URBAN-3, FD-DRV-3."""
    cars = {STANLEY: at("S1.l5", gear=2, **KEEP), JENNY: at("S1.l8", gear=2)}
    scene = street(cars).drive(2, 2, "S1.l7")
    while scene.rollers("collision"):
        scene.black(scene.rollers("collision")[0], 20)
    assert scene.open == [(1, "black", "noise")]
    assert scene.black(1, 1).open == [(1, "radio", None)]


def thrown(roll: Any, **wear: int) -> Scene:
    """The radio hits Jenny."""
    return moved("S1.m12", victim={"wear": wear}).say({"seat": 1, "radio": 2}).black(1, roll)


@in_one("space", ["S1.m12", "S1.m10", "S1.l11", "S1.l10", "S1.r11", "S1.r12"])
def test_it_may_be_thrown_at_a_car_beside_ahead_or_behind(space: str) -> None:
    """FD-DRV-3"""
    assert moved(space).ask("radio")["options"] == [2, None]


@in_one("space", ["S1.m13", "S1.l12", "S1.l13", "S1.r10", "S2.m1"])
def test_with_nobody_near_he_is_not_asked(space: str) -> None:
    """FD-DRV-3"""
    assert "radio" not in moved(space).kinds


def test_of_several_he_chooses_one() -> None:
    """FD-DRV-3"""
    scene = moved("S1.m12", "S1.l11")
    assert scene.ask("radio")["options"] == [2, 3, None]
    scene.say({"seat": 1, "radio": 3})
    assert scene.told("RadioThrown")[0]["against"] == 3
    (ask,) = scene.asks
    assert (ask["seat"], ask["for"], ask["with"], ask["options"]) == (1, "radio", 3, RANGES)


@in_one(
    ("roll", "category"),
    [
        (1, "tires"),
        (4, "tires"),
        (5, "brakes"),
        ([5, 7], "brakes"),
        (10, "gearbox"),
        (11, "body"),
        (14, "engine"),
        ([14, 17], "engine"),
        (18, "handling"),
        (20, "handling"),
    ],
)
def test_the_black_die_says_what_is_lost(roll: Any, category: str) -> None:
    """FD-DRV-3"""
    scene = thrown(roll)
    (hit,) = scene.told("RadioHit")
    assert (hit["category"], hit["cost"], hit["against"]) == (category, {category: 1}, 2)
    assert scene.wear(2, category) == scene.car(2)["full"][category] - 1


def test_a_category_at_nought_loses_nothing() -> None:
    """FD-DRV-3, FD-CAR-2"""
    scene = thrown(8, gearbox=0)
    assert scene.told("RadioHit")[0]["cost"] == {}
    assert scene.wear(2, "gearbox") == 0


def test_body_and_engine_leave_debris_where_the_car_stands() -> None:
    """FD-DRV-3, FD-DEBRIS-1"""
    assert thrown(12).state["debris"] == ["S1.m12"]
    assert thrown(18).state["debris"] == []


@pytest.mark.parametrize(("roll", "category"), [(12, "body"), (15, "engine"), (19, "handling")])
def test_the_last_point_puts_the_car_out(roll: int, category: str) -> None:
    """FD-DRV-3"""
    scene = thrown(roll, **{category: 1})
    assert (scene.car(2)["status"], scene.car(2)["out"]["rule"]) == ("out", "FD-DRV-3")
    assert scene.state["debris"] == ["S1.m12"]


def test_he_throws_it_once_a_race() -> None:
    """FD-DRV-3"""
    assert thrown(1).car(1)["radio"] is True
    assert "radio" not in moved("S1.m12", radio=True).kinds


def test_he_may_keep_it() -> None:
    """FD-DRV-3"""
    scene = moved("S1.m12").say({"seat": 1, "radio": None})
    assert "radio" not in scene.car(1)
    assert scene.open == [(2, "gear", None)]


@pytest.mark.parametrize(
    ("value", "code"), [(1, "illegal"), (9, "illegal"), ("2", "malformed"), (True, "malformed")]
)
def test_it_hits_only_who_is_near(value: Any, code: str) -> None:
    """FD-DRV-3"""
    assert moved("S1.m12").refused({"seat": 1, "radio": value})["code"] == code


def test_it_comes_after_the_move_and_what_follows_from_it() -> None:
    """FD-TURN-1: 15 after the collisions."""
    cars = {STANLEY: at("S1.m9", gear=2, **KEEP), JENNY: at("S1.m12", gear=2)}
    scene = street(cars).drive(2, 2, "S1.m11")
    assert scene.rollers("collision") == [2, 1]
    assert scene.settle().kinds == {"radio"}


def test_it_flies_through_the_tunnel() -> None:
    """FD-DRV-3, FD-URBAN-6: the two ends are neighbours."""
    cars = {STANLEY: at("S2.m6", gear=2, **KEEP), JENNY: at("S3.m1", gear=2)}
    assert street(cars).drive(2, 2, "S2.m8").settle().ask("radio")["options"] == [2, None]


def test_retired_before_it_lands_the_target_loses_nothing() -> None:
    """FD-DRV-3: the referee takes the car out."""
    scene = moved("S1.m12", "S1.l11").say({"seat": 1, "radio": 2})
    scene.say({"seat": 2, "retire": True, "reason": "late"})
    assert not scene.told("RadioHit")
    assert scene.open == [(3, "gear", None)]


def test_nobody_else_has_a_radio() -> None:
    """FD-DRV-3"""
    cars = {DIMITRI: at("S1.m9", gear=2, **KEEP), JENNY: at("S1.m12", gear=2)}
    assert street(cars).drive(2, 2, "S1.m11").settle().kinds == {"gear"}
