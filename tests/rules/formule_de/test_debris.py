"""DE-DEBRIS and DE-OUT: dangerous spaces, laid at once, that only handling has to fear."""

from __future__ import annotations

from typing import Any

from support.formula.formule_de import scene
from support.formula.scenes import Scene, at

FAR = at("S8.m1")
HANDLING = {"tires": 6, "brakes": 4, "fuel": 3, "body": 3, "engine": 3, "handling": 1}


def over(*rules: str, **car: Any) -> Scene:
    """Seat 1 has moved from S6.m3 over a dangerous space, shut in by two cars."""
    cars = {1: {**at("S6.m3", gear=2), **car}, 2: at("S6.l3"), 3: at("S6.r4"), 4: FAR}
    return scene(cars, *rules, debris=["S6.m4"]).gear(2).roll(2)


def test_a_car_over_a_dangerous_space_rolls_in_an_advanced_race() -> None:
    """DE-DEBRIS-1: 1 to 4 costs 1 handling."""
    race = over("advanced", full=HANDLING | {"handling": 2, "tires": 5})
    race.move("S6.m5")
    ask = race.ask("black")
    assert (ask["for"], ask["options"]) == ("debris", [[1, 4], [5, 20]])
    race.black(1, 4)
    rolled = race.told("DebrisRolled")[0]
    assert (rolled["rule"], rolled["cost"]) == ("DE-DEBRIS-1", {"handling": 1})


def test_the_last_handling_is_the_end_and_leaves_no_dangerous_space() -> None:
    """DE-DEBRIS-1, DE-OUT-1: destroyed is by body, engine or block."""
    race = over("advanced").move("S6.m5").black(1, 1).settle()
    assert race.car(1)["out"]["why"] == "handling"
    assert race.state["debris"] == ["S6.m4"]


def test_a_car_without_handling_does_not_roll() -> None:
    """DE-DEBRIS-1: only cars that have the category."""
    race = over()
    assert race.ends()["S6.m5"]["debris"] == []
    assert not race.move("S6.m5").rollers("debris")


def test_a_dangerous_space_counts_as_a_car_for_going_around() -> None:
    """DE-DEBRIS-1: four spaces to S6.m6, three of them in the next lane, with handling or not."""
    cars = {1: at("S6.m3", gear=2), 2: FAR}
    marked = ["S6.m4", "S6.m5"]
    assert "S6.m6" not in scene(cars).gear(2).roll(4).ends()
    assert "S6.m6" in scene(cars, debris=marked).gear(2).roll(4).ends()
    advanced = scene(cars, "advanced", debris=marked).gear(2).roll(4).ends()
    assert advanced["S6.m6"]["debris"] == []
    assert advanced["S6.m7"]["debris"] == marked


def test_where_a_body_is_lost_the_space_is_dangerous_at_once() -> None:
    """DE-DEBRIS-1: before the turn is over, where each car stands at that moment."""
    cars = {1: at("S6.m4", gear=2), 2: at("S6.m7"), 3: FAR}
    race = scene(cars).drive(2, 2, "S6.m6").black(2, 1)
    assert race.state["debris"] == ["S6.m7"]
    race.black(1, 1)
    assert race.state["debris"] == ["S6.m6", "S6.m7"]
    assert {event["rule"] for event in race.told("DebrisLaid")} == {"DE-DEBRIS-1"}


def test_a_space_holds_one_marker() -> None:
    """FD-DEBRIS-4"""
    cars = {1: at("S6.m4", gear=2), 2: at("S6.m7"), 3: FAR}
    race = scene(cars, debris=["S6.m7"]).drive(2, 2, "S6.m6").black(2, 1)
    assert race.state["debris"] == ["S6.m7"]


def test_a_car_out_by_a_corner_leaves_none() -> None:
    """DE-DEBRIS-1, DE-OUT-1"""
    cars = {1: at("T1.m5", gear=3, wear={"tires": 2}), 2: FAR}
    race = scene(cars).gear(3).roll(4)
    race.move(next(to for to, option in race.ends().items() if option["out"])).settle()
    assert race.car(1)["out"]["rule"] == "DE-CORNER-3"
    assert race.state["debris"] == []
