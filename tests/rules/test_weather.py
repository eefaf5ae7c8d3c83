"""FD-WEATHER: the first roll, the weather that changes, and what rain does to the dice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.each import in_one
from support.formula.scenes import LIBRARY, Scene, at
from support.formula.table import Table, header

from companion.race.engine import Engine

WEATHER = {"rules": ["weather"]}
TABLE = [[1, 7], [8, 12], [13, 20]]
"""Monaco: rain, variable, fine."""


def first_roll(roll: Any) -> Table:
    """The weather of a race is rolled."""
    table = Table.of(header(2, rules=["weather"], grid=[1, 2], start="normal"))
    assert table.ask(0, "black")["for"] == "weather"
    table.plays(0, black=roll)
    return table


def flat_out(weather: str, *, rules: tuple[str, ...] = ("weather",), **car: Any) -> Scene:
    """Seat 1 has rolled 20 in 5th, moved, and tested its engine."""
    cars = {1: at("S6.r3", gear=4, **car), 2: at("S2.m1", gear=3)}
    scene = Scene(cars, header={"rules": list(rules)}, weather=weather).gear(5).roll(20)
    return scene.move("S6.r23")


def now(scene: Scene | Table) -> tuple[str, bool]:
    """The weather, and whether it rains."""
    return scene.state["weather"], scene.state["raining"]


def test_the_table_rolls_on_the_weather_table_of_the_track() -> None:
    """FD-WEATHER-1: three outcomes, asked of seat 0, and none before it is rolled."""
    table = Table.of(header(2, rules=["weather"], grid=[1, 2]))
    assert table.asked == [(0, "black")]
    assert table.ask(0, "black")["options"] == TABLE
    assert table.state["weather"] is None


@in_one(
    ("roll", "weather"),
    [(1, "rain"), (7, "rain"), (8, "variable"), (12, "variable"), (13, "fine"), ([13, 20], "fine")],
)
def test_the_first_roll_is_the_weather_of_the_race(roll: Any, weather: str) -> None:
    """FD-WEATHER-2: variable is dry."""
    assert now(first_roll(roll)) == (weather, weather == "rain")


def test_only_the_table_is_asked_for_the_first_roll() -> None:
    """FD-WEATHER-2"""
    table = Table.of(header(2, rules=["weather"], grid=[1, 2]))
    assert table.is_refused({"seat": 1, "black": 3})["key"] == "not-asked"


@pytest.mark.parametrize("weather", ["fine", "variable", "rain"])
def test_weather_of_the_header_is_not_rolled(weather: str) -> None:
    """FD-WEATHER-2"""
    told = header(2, rules=["weather"], grid=[1, 2], start="normal", weather=weather)
    table = Table.of(told)
    assert table.asked == [(1, "gear")]
    assert table.state["weather"] == weather


def test_a_board_without_a_weather_table_plays_no_weather() -> None:
    """FD-WEATHER-1"""

    class Dry:
        @staticmethod
        def load(name: str) -> Any:
            return replace(LIBRARY.load(name), weather=None)

    error = Engine(Dry()).handle({"new": header(2, rules=["weather"])})["error"]
    assert (error["code"], error["rule"]) == ("malformed", "FD-WEATHER-1")


def test_variable_turns_to_variable_rain_and_back() -> None:
    """FD-WEATHER-3, the worked example of the book."""
    scene = flat_out("variable").black(1, 20)
    assert scene.open == [(1, "black", "weather")]
    assert scene.ask("black")["options"] == TABLE
    scene.black(1, [1, 7])
    assert now(scene) == ("variable-rain", True)
    scene = flat_out("variable-rain").black(1, 20).black(1, 15)
    assert now(scene) == ("variable", False)


@in_one(
    ("before", "roll", "after"),
    [
        ("variable", 13, "fine"),
        ("variable", 8, "variable"),
        ("variable", 7, "variable-rain"),
        ("variable-rain", 20, "variable"),
        ("variable-rain", 12, "variable-rain"),
        ("variable-rain", 1, "rain"),
    ],
)
def test_a_roll_moves_the_weather_by_one_row(before: str, roll: int, after: str) -> None:
    """FD-WEATHER-3: up for fine, down for rain, variable does nothing."""
    scene = flat_out(before).black(1, 20).black(1, roll)
    assert scene.state["weather"] == after
    assert scene.ask("gear")["seat"] == 2


@pytest.mark.parametrize("weather", ["fine", "rain"])
def test_fine_and_rain_are_for_good(weather: str) -> None:
    """FD-WEATHER-2, FD-WEATHER-3"""
    assert flat_out(weather).black(1, 20).ask("gear")["seat"] == 2


def test_without_the_rule_the_weather_stays() -> None:
    """FD-WEATHER-3"""
    assert flat_out("variable", rules=()).black(1, 20).ask("gear")["seat"] == 2


def test_another_face_does_not_move_the_weather() -> None:
    """FD-WEATHER-3: only 20 in 5th and 30 in 6th."""
    cars = {1: at("S6.r3", gear=4), 2: at("S2.m1", gear=3)}
    scene = Scene(cars, header=WEATHER, weather="variable").drive(5, 19, "S6.r22")
    assert scene.ask("gear")["seat"] == 2


def test_a_thirty_in_sixth_moves_the_weather_too() -> None:
    """FD-WEATHER-3"""
    cars = {1: at("T5.m12", gear=5, stops=3), 2: at("S2.m1", gear=3)}
    scene = Scene(cars, header=WEATHER, weather="variable").gear(6).roll(30)
    scene.move(next(iter(scene.ends())))
    assert scene.settle().told("WeatherRolled")


def test_the_weather_comes_after_the_engine_tests_even_if_the_roller_is_out() -> None:
    """FD-WEATHER-3, ruling."""
    scene = flat_out("variable", wear={"engine": 1}).black(1, 1)
    assert scene.car(1)["status"] == "out"
    assert scene.open == [(1, "black", "weather")]
    scene.black(1, 3)
    assert now(scene) == ("variable-rain", True)


def test_the_weather_is_not_rolled_when_nobody_is_left_to_drive() -> None:
    """FD-WEATHER-3: it would change nothing."""
    cars = {1: at("S6.r3", gear=4, wear={"engine": 1})}
    scene = Scene(cars, header=WEATHER, weather="variable").drive(5, 20, "S6.r23").black(1, 1)
    assert scene.state["phase"] == "finished"


def test_in_rain_an_engine_holds_from_four_on() -> None:
    """FD-WEATHER-4: 1–3 instead of 1–4."""
    scene = flat_out("rain")
    assert scene.ask("black")["options"] == [[1, 3], [4, 20]]


def test_in_rain_a_collision_hurts_on_one_and_two() -> None:
    """FD-WEATHER-4"""
    cars = {1: at("S6.m2", gear=2), 2: at("S6.m6", gear=2)}
    scene = Scene(cars, header=WEATHER, weather="variable-rain").drive(2, 3, "S6.m5")
    assert scene.ask("black", 1)["options"] == [[1, 2], [3, 20]]


def test_in_rain_debris_hurts_up_to_five() -> None:
    """FD-WEATHER-4"""
    cars = {1: at("S6.m2", gear=1), 2: at("S2.m6", gear=2)}
    scene = Scene(cars, header=WEATHER, weather="rain", debris=["S6.m3", "S6.l4", "S6.r4"])
    scene.drive(1, 2, "S6.m4")
    assert scene.ask("black")["options"] == [[1, 5], [6, 20]]


def test_without_tires_nobody_slides() -> None:
    """FD-WEATHER-4, ruling."""
    cars = {1: at("T1.m1", gear=1), 2: at("S6.m6", gear=2)}
    assert "T1.m3" in Scene(cars, header=WEATHER, weather="rain").gear(1).roll(2).ends()
    slides = {"rules": ["weather", "tires"]}
    assert "T1.m3" not in Scene(cars, header=slides, weather="rain").gear(1).roll(2).ends()


def test_a_turn_goes_on_from_its_state_with_the_weather_open() -> None:
    """FD-WEATHER-3: the roll of a car that is out is pending in STATE."""
    scene = flat_out("variable", wear={"engine": 1}).black(1, 1)
    told = scene.engine.header
    assert told is not None
    fresh = Engine(LIBRARY)
    fresh.handle({"new": {**told, "position": scene.state}})
    assert fresh.state() == scene.state
    assert [ask["for"] for ask in fresh.asks()] == ["weather"]
