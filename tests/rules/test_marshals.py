"""What marshals say: a black flag, a red one with a restart, a placing error in a trial."""

from __future__ import annotations

from typing import Any

import pytest
from support.formula.scenes import LIBRARY, Scene, at

from companion.engine import Engine


def race(**house: str) -> Scene:
    cars = {1: at("S6.m9", lap=2, tires_lap=2), 2: at("S6.m3", lap=2), 3: at("T7.m1", 3, stops=1)}
    return Scene(cars, header={"laps": 3, "house": house}, debris=["S1.l4"])


def test_a_black_flag_takes_a_car_out_of_the_race() -> None:
    scene = race(black_flag="on").say({"seat": 2, "flag": "black"})
    assert scene.car(2)["out"]["why"] == "retired"
    assert scene.told("Retired")[0]["reason"] == "black flag"


def test_a_red_flag_starts_the_race_again_from_the_grid() -> None:
    """FD-START-1: in the order on the track, in the laps that they were in, without debris."""
    scene = race(red_flag="on").say({"seat": 0, "flag": "red"})
    state = scene.state
    assert (state["order"], state["debris"]) == ([1, 2, 3], [])
    assert [scene.car(seat)["status"] for seat in (1, 2, 3)] == ["grid"] * 3
    assert [scene.car(seat)["lap"] for seat in (1, 2, 3)] == [1, 1, 0]
    assert scene.car(1)["tires_lap"] == 1
    assert scene.rollers("start") == [1]


def test_what_a_red_flag_leaves_is_a_position_like_any_other() -> None:
    scene = race(red_flag="on").say({"seat": 0, "flag": "red"})
    seats = [{"seat": seat} for seat in (1, 2, 3)]
    header: dict[str, Any] = {"game": "formula-d", "track": "monaco", "laps": 3, "seats": seats}
    engine = Engine(LIBRARY)
    told = {**header, "house": {"red_flag": "on"}, "position": scene.state}
    assert engine.handle({"new": told})["ok"]
    assert engine.state() == scene.state


def on_trial(**house: str) -> Scene:
    cars: dict[int, Any] = {1: {"space": None}, 2: {"space": None}}
    scene = Scene.__new__(Scene)
    scene.engine, scene.events = Engine(LIBRARY), []
    seats = [{"seat": seat} for seat in cars]
    header = {"game": "formula-d", "track": "monaco", "seats": seats, "rules": ["trials"]}
    return scene.say({"new": {**header, "house": house}})


def test_a_wrong_space_in_a_trial_costs_ten_rolls() -> None:
    """FD-TRIAL-2, switch trial_error (competition rules of 2018, 1-1-11)."""
    scene = on_trial(trial_error="10").say({"seat": 1, "flag": "placing"})
    assert scene.car(1)["trial"]["rolls"] == 10
    assert scene.refused({"seat": 2, "flag": "placing"})["key"] == "no-trial"


@pytest.mark.parametrize("why", ["black", "red", "placing"])
def test_a_table_without_such_a_flag_refuses_it(why: str) -> None:
    seat = 0 if why == "red" else 1
    assert race().refused({"seat": seat, "flag": why})["key"] == "no-flags"


def test_no_red_flag_falls_before_the_race() -> None:
    scene = on_trial(red_flag="on")
    assert scene.refused({"seat": 0, "flag": "red"})["key"] == "no-race-to-stop"
