"""FD-URBAN-1: who drives in an urban race, and what goes with it."""

from __future__ import annotations

from typing import Any

import pytest
from support.each import in_one
from support.formula.scenes import at
from support.formula.street import (
    DIMITRI,
    DRIVERS,
    JENNY,
    JULIEN,
    LI_TSU,
    PLAIN,
    STREETS,
    header,
    seats,
    street,
)

from companion.race.engine import Engine

WEAR = {
    "Li-Tsu Sin": (7, 3, 2, 2, 3, 3),
    "Jack Owens": (9, 2, 2, 2, 3, 2),
    "Stanley Washington": (7, 2, 3, 2, 3, 3),
    "Dimitri Tzarof": (5, 4, 3, 3, 3, 4),
    "Julien Marcellin": (8, 4, 2, 2, 3, 2),
    "Jenny Slivers": (4, 6, 2, 3, 3, 2),
    "Montoya Cadena": (5, 5, 3, 2, 3, 2),
    "Derek Manson": (6, 3, 2, 4, 3, 3),
    "Diane Montfort": (6, 4, 2, 3, 3, 3),
    "Temana Matahi": (6, 3, 3, 3, 3, 3),
}
"""Tires, brakes, gearbox, body, engine, handling, from the sheets of the box."""
CATEGORIES = ("tires", "brakes", "gearbox", "body", "engine", "handling")


def begun(told: dict[str, Any]) -> dict[str, Any]:
    """The state of a race with this header."""
    engine = Engine(STREETS)
    reply = engine.handle({"new": told})
    assert reply["ok"], reply
    state = engine.state()
    assert state is not None
    return state


def refused(told: dict[str, Any]) -> tuple[str, str, str]:
    """Code, rule and key of a header that is refused."""
    error = Engine(STREETS).handle({"new": told})["error"]
    return error["code"], error["rule"], error["key"]


def test_an_urban_race_has_one_lap_unless_more_are_chosen() -> None:
    """FD-URBAN-1"""
    assert begun(header(*PLAIN))["laps"] == 1
    assert begun(header(*PLAIN, laps=3))["laps"] == 3


@in_one("driver", DRIVERS)
def test_a_car_has_the_wear_of_its_driver(driver: str) -> None:
    """FD-URBAN-1, FD-CAR-2: and no more than that comes back."""
    car = begun(header(driver))["cars"]["1"]
    assert car["wear"] == car["full"] == dict(zip(CATEGORIES, WEAR[driver], strict=True))


def test_all_ten_race_together() -> None:
    """FD-URBAN-1"""
    state = begun(header(*DRIVERS, rules=("weather", "teams", "trials")) | {"seats": [
        {**seat, "team": f"team {seat['seat'] % 5}"} for seat in seats(*DRIVERS)]})  # fmt: skip
    assert len(state["cars"]) == 10


@pytest.mark.parametrize("name", [None, "Ana", "jack owens", "Jack"])
def test_every_seat_names_one_of_the_ten(name: Any) -> None:
    """FD-URBAN-1"""
    told = header(*PLAIN)
    told["seats"][1]["driver"] = name
    assert refused(told) == ("malformed", "FD-URBAN-1", "driver-missing")


def test_a_seat_without_a_driver_is_refused() -> None:
    """FD-URBAN-1"""
    told = header(*PLAIN)
    del told["seats"][0]["driver"]
    assert refused(told) == ("malformed", "FD-URBAN-1", "driver-missing")


def test_a_driver_drives_one_car() -> None:
    """FD-URBAN-1"""
    assert refused(header(DIMITRI, DIMITRI)) == ("malformed", "FD-URBAN-1", "driver-twice")


def test_julien_is_out_of_the_choice_where_no_weather_is_played() -> None:
    """FD-URBAN-1"""
    told = header(DIMITRI, JULIEN)
    assert begun(told)
    told["rules"] = ["urban"]
    assert refused(told) == ("malformed", "FD-URBAN-1", "driver-needs-weather")


@pytest.mark.parametrize("rule", ["build", "tires", "technical"])
def test_rules_that_the_streets_leave_no_room_for_are_refused(rule: str) -> None:
    """FD-URBAN-1: cars of the drivers, hard tires, no pits."""
    assert refused(header(*PLAIN, rules=(rule,))) == ("malformed", "FD-URBAN-1", "not-with-urban")


def test_other_tires_are_refused() -> None:
    """FD-URBAN-1: GT cars have hard tires."""
    told = header(*PLAIN)
    told["seats"][0]["tires"] = "soft"
    assert refused(told)[:2] == ("malformed", "FD-TIRE-1")


def test_wear_of_the_header_is_that_of_the_driver() -> None:
    """FD-CAR-1, FD-URBAN-1"""
    told = header(JENNY)
    told["seats"][0]["wear"] = {"tires": 4, "brakes": 6}
    assert begun(told)["cars"]["1"]["wear"]["brakes"] == 6
    told["seats"][0]["wear"] = {"tires": 6}
    assert refused(told)[0] == "malformed"


def test_elsewhere_a_driver_is_but_a_name() -> None:
    """FD-CAR-1"""
    told = header(*PLAIN) | {"rules": []}
    told["seats"][1]["driver"] = "Ana"
    state = begun(told)
    assert state["laps"] == 2
    assert state["cars"]["1"]["wear"]["tires"] == 6


def test_nobody_goes_to_the_pit() -> None:
    """FD-URBAN-1: on Monaco the entry is closed; features that the board lacks do nothing."""
    cars = {DIMITRI: at("S6.r20", gear=3), JENNY: at("S2.m1", gear=1)}
    scene = street(cars, track="monaco", laps=3).gear(3).roll(8)
    scene.say({"seat": 1, "length": {"spaces": 8, "by": []}})
    assert scene.ends()
    assert not {to for to in scene.ends() if to[0] in "PB"}


def test_a_position_with_a_car_in_the_pit_is_refused() -> None:
    """FD-URBAN-1"""
    position = {"cars": {"1": {"space": "P3", "gear": 3}}}
    told = header(DIMITRI, track="monaco", position=position)
    assert refused(told) == ("malformed", "FD-URBAN-1", "not-with-urban")


def test_no_trial_has_nitro_or_drifts() -> None:
    """FD-TRIAL-1: what is rolled is moved; WP are not counted."""
    engine = Engine(STREETS)
    engine.handle({"new": header("Jack Owens", LI_TSU, rules=("trials",))})
    engine.handle({"seat": 1, "gear": 1})
    assert engine.handle({"seat": 1, "roll": 2})["asks"][0]["kind"] == "move"


def test_the_first_round_goes_by_the_grid_even_where_its_rows_stand_level() -> None:
    """FD-START-1: not by the inside of the corner ahead (FD-ORDER-3), nor by Diane."""
    told = header(DIMITRI, JENNY, "Diane Montfort", grid=[2, 1, 3], start="normal")
    assert begun(told)["order"] == [2, 1, 3]
