"""What marshals say: a black flag, a red one with a restart, a placing error in a trial."""

from __future__ import annotations

from typing import Any

import pytest
from support.formula.scenes import LIBRARY, Scene, at

from companion.race.engine import Engine


def race(**house: str) -> Scene:
    cars = {1: at("S6.m9", lap=2, tires_lap=2), 2: at("S6.m3", lap=2), 3: at("T7.m1", 3, stops=1)}
    return Scene(cars, header={"laps": 3, "house": house}, debris=["S1.l4"])


def test_a_black_flag_takes_a_car_out_of_the_race() -> None:
    scene = race(black_flag="on").say({"seat": 2, "flag": "black"})
    assert scene.car(2)["out"]["why"] == "retired"
    assert scene.told("Retired")[0]["reason"] == "black flag"


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


@pytest.mark.parametrize("why", ["black", "placing"])
def test_a_table_without_such_a_flag_refuses_it(why: str) -> None:
    assert race().refused({"seat": 1, "flag": why})["key"] == "no-flags"
