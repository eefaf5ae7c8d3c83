"""DE-CAR: the figures of a car, who may race, and what a header may say."""

from __future__ import annotations

from typing import Any

import pytest
from support.formula.formule_de import SHORT_WEAR, WEAR, header, scene, table
from support.formula.scenes import at
from support.formula.table import named

BUILT = {"tires": 8, "brakes": 4, "fuel": 1, "body": 2, "engine": 3, "handling": 2}


@pytest.mark.parametrize(("laps", "wear"), [(1, SHORT_WEAR), (2, WEAR), (3, WEAR)])
def test_the_wear_at_the_start_goes_by_the_laps(laps: int, wear: dict[str, int]) -> None:
    """DE-CAR-1: one lap 4, 3, 2, 2, 2; two and, by ruling, three laps 6, 4, 3, 3, 3."""
    car = table(2, laps=laps).car(1)
    assert car["wear"] == wear
    assert car.get("full", WEAR) == wear


def test_a_race_is_of_two_laps_unless_it_says_otherwise() -> None:
    """DE-CAR-2"""
    assert table(2).state["laps"] == 2


@pytest.mark.parametrize("laps", [0, 4])
def test_other_numbers_of_laps_are_refused(laps: int) -> None:
    """DE-CAR-2: 1, 2 or 3 laps."""
    error = table(2).is_refused({"new": header(2, laps=laps)})
    assert (error["code"], error["rule"]) == ("malformed", "DE-CAR-2")


def test_one_to_ten_cars_race() -> None:
    """DE-CAR-2"""
    assert len(table(1).state["cars"]) == 1
    assert len(table(10).state["cars"]) == 10
    error = table(2).is_refused({"new": header(11)})
    assert (error["code"], error["rule"]) == ("malformed", "DE-CAR-2")


@pytest.mark.parametrize(
    ("wear", "rule"),
    [
        ({"fuel": 2}, "DE-CAR-1"),
        ({"tires": 7}, "FD-CAR-2"),
        ({"handling": 1}, "FD-CAR-2"),
        ({"gearbox": 3}, None),
    ],
)
def test_a_car_that_is_not_advanced_has_the_standard_wear(
    wear: dict[str, int], rule: str | None
) -> None:
    """DE-CAR-1: and no category of Formula D's name."""
    told = header(2) | {"seats": [{"seat": 1, "wear": wear}]}
    error = table(2).is_refused({"new": told})
    assert (error["code"], error["rule"]) == ("malformed", rule)


# advanced


def test_an_advanced_car_is_built_after_the_weather_is_known() -> None:
    """DE-CAR-1: 20 points, each of the six categories at least 1."""
    race = table(2, "advanced", "weather", grid=[1, 2], start="normal")
    assert race.asked == [(0, "black")]
    race.plays(0, black=[13, 20])
    assert race.asked == [(1, "build"), (2, "build")]
    assert race.ask(1, "build")["options"] == {
        "points": 20,
        "limits": {name: [1, 15] for name in WEAR},
    }
    (built,) = named(race.plays(1, build=BUILT), "CarBuilt")
    assert (built["rule"], built["wear"]) == ("DE-CAR-1", BUILT)
    assert race.car(1)["wear"] == race.car(1)["full"] == BUILT


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"fuel": 0, "tires": 9}, "illegal"),
        ({"handling": 0, "tires": 10}, "illegal"),
        ({"tires": 9}, "illegal"),
        ({"gearbox": 1}, "malformed"),
    ],
)
def test_a_construction_against_the_rule_is_refused(change: dict[str, int], code: str) -> None:
    """DE-CAR-1"""
    race = table(2, "advanced", grid=[1, 2], start="normal")
    error = race.is_refused({"seat": 1, "build": BUILT | change})
    assert (error["code"], error["rule"]) == (code, "DE-CAR-1")


def test_an_advanced_car_of_the_header_is_not_asked_for() -> None:
    """DE-CAR-1: what is left out is as in two laps, with 1 handling; that is 20 points."""
    told = header(2, "advanced", grid=[1, 2], start="normal")
    race = table(2)
    race.says({"new": told | {"seats": [{"seat": 1, "wear": BUILT}, {"seat": 2, "wear": {}}]}})
    assert race.asked == [(1, "gear")]
    assert race.car(1)["wear"] == BUILT
    assert race.car(2)["wear"] == WEAR | {"handling": 1}


# rules and switches


@pytest.mark.parametrize("rule", ["build", "trials", "urban", "no-bets"])
def test_rules_of_other_games_are_not_known(rule: str) -> None:
    """DE-CAR-1: advanced stands where Formula D has build."""
    assert table(2).is_refused({"new": header(2, rule)})["key"] == "rule-unknown"


def test_the_advanced_game_is_not_of_formula_d() -> None:
    told = header(2, "advanced") | {"game": "formula-d"}
    assert table(2).is_refused({"new": told})["key"] == "rule-unknown"


@pytest.mark.parametrize(
    "house", [{"late_block": "off"}, {"late_block": True}, {"late_block": False}]
)
def test_late_block_is_a_switch(house: dict[str, Any]) -> None:
    """DE-BLOCK-2"""
    assert table(2, house=house).asked


@pytest.mark.parametrize(
    "house", [{"corner_ways": "any"}, {"late_block": "maybe"}, {"late_block": 1}]
)
def test_there_is_no_switch_for_ways_in_corners(house: dict[str, Any]) -> None:
    """DE-MOVE-1: every way along the arrows, no switch."""
    assert table(2).is_refused({"new": header(2, house=house)})["code"] == "malformed"


def test_rules_that_are_not_worded_anew_keep_their_ids() -> None:
    """DE-CAR-1 for FD-CAR-1, but FD-GEAR-1 as it is."""
    race = scene({1: at("S6.m3", gear=2), 2: at("S8.m1")}).gear(2)
    assert race.told("GearEngaged")[0]["rule"] == "FD-GEAR-1"
