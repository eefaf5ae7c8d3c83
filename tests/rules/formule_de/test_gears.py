"""DE-REV and DE-ENGINE: over-rev costs fuel; more faces ask for engine tests."""

from __future__ import annotations

from typing import Any

import pytest
from support.formula.formule_de import WEAR, scene
from support.formula.scenes import Scene, at

FAR = at("S8.m1", gear=3)


def driving(gear: int, **wear: int) -> Scene:
    """Seat 1 alone on a long straight, asked for its gear."""
    return scene({1: at("S6.m3", gear=gear, wear=wear), 2: FAR})


@pytest.mark.parametrize(
    ("gear", "cost"),
    [
        (4, {"fuel": 1}),
        (3, {"fuel": 1, "brakes": 1}),
        (2, {"fuel": 1, "brakes": 1, "engine": 1}),
    ],
)
def test_gears_skipped_cost_fuel_then_brakes_then_engine(gear: int, cost: dict[str, int]) -> None:
    """DE-REV-1"""
    race = driving(6)
    assert race.ask("gear")["costs"][str(gear)] == cost
    revved = race.gear(gear).told("OverRevved")[0]
    assert (revved["rule"], revved["cost"]) == ("DE-REV-1", cost)
    assert race.car(1)["wear"] == WEAR | {name: WEAR[name] - n for name, n in cost.items()}


def test_four_gears_cannot_be_skipped() -> None:
    """DE-REV-1"""
    race = driving(6)
    assert race.ask("gear")["options"] == [2, 3, 4, 5, 6]
    error = race.refused({"seat": 1, "gear": 1})
    assert (error["key"], error["rule"]) == ("gear-too-low", "DE-REV-1")


def test_without_fuel_a_car_goes_down_by_one_gear_only() -> None:
    """DE-REV-1, ruling."""
    race = driving(5, fuel=0)
    assert race.ask("gear")["options"] == [4, 5, 6]
    error = race.refused({"seat": 1, "gear": 3})
    assert (error["key"], error["rule"]) == ("no-fuel", "DE-REV-1")


def test_an_over_rev_that_takes_engine_makes_its_space_dangerous_at_once() -> None:
    """DE-DEBRIS-1: where the turn began."""
    race = driving(6).gear(2)
    assert race.state["debris"] == ["S6.m3"]
    race.roll(2).move("S6.m5").settle()
    assert race.state["debris"] == ["S6.m3"]


# engine tests


@pytest.mark.parametrize(("gear", "face"), [(5, 19), (5, 20), (6, 29), (6, 30)])
def test_these_faces_ask_every_car_in_fifth_or_sixth(gear: int, face: int) -> None:
    """DE-ENGINE-1, ruling: in 6th it is the faces 29 and 30."""
    race = after_a_roll(gear, face)
    assert race.rollers("engine") == [1, 3]
    assert race.ask("black", 3)["options"] == [[1, 4], [5, 20]]


@pytest.mark.parametrize(("gear", "face"), [(5, 18), (6, 28), (4, 12), (6, 21)])
def test_other_faces_ask_nobody(gear: int, face: int) -> None:
    """DE-ENGINE-1"""
    assert not after_a_roll(gear, face).rollers("engine")


def after_a_roll(gear: int, face: int, *rules: str, **position: Any) -> Scene:
    """Seat 1 has moved from S6.m1; seat 3 is in 5th, seat 2 in 3rd."""
    cars = {1: at("S6.m1", gear=gear), 2: FAR, 3: at("S2.m1", gear=5)}
    race = scene(cars, *rules, **position).gear(gear).roll(face)
    to = next(option["to"] for option in race.ask("move")["options"] if not option["out"])
    brakes = next(option["brakes"] for option in race.ask("move")["options"] if not option["out"])
    return race.move(to, brakes)


def test_one_to_four_costs_an_engine_and_the_last_one_is_the_end() -> None:
    """DE-ENGINE-1, DE-OUT-1: the space becomes dangerous at once (DE-DEBRIS-1)."""
    cars = {1: at("S6.m1", gear=5, wear={"engine": 1}), 2: FAR, 3: at("S2.m1", gear=5)}
    race = scene(cars).drive(5, 19, "S6.m20").black(1, 4)
    assert race.car(1)["out"]["rule"] == "DE-OUT-1"
    assert race.state["debris"] == ["S6.m20"]
    race.black(3, [1, 4])
    assert race.wear(3, "engine") == 2
    assert set(race.state["debris"]) == {"S2.m1", "S6.m20"}


def test_the_weather_still_moves_on_twenty_and_thirty_only() -> None:
    """FD-WEATHER-3 is not worded anew."""
    assert "weather" not in {ask.get("for") for ask in settled(19).asks}
    assert "weather" in {ask.get("for") for ask in settled(20).asks}


def settled(face: int) -> Scene:
    """A roll in 5th under variable weather; the engine tests are done."""
    cars = {1: at("S6.m1", gear=5), 2: FAR}
    race = scene(cars, "weather", weather="variable").gear(5).roll(face)
    race.move(f"S6.m{face + 1}")
    return race.black(1, 20)
