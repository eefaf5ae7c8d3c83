"""What is settled before the first round: weather, construction and tires, in this order."""

from __future__ import annotations

from typing import Any

import pytest
from support.each import in_one
from support.formula.scenes import Scene, at
from support.formula.table import Table, header

BUILT = {"tires": 9, "brakes": 4, "gearbox": 1, "body": 2, "engine": 3, "handling": 1}
EVERYTHING = ["build", "weather", "tires"]


def setting_up(*rules: str, seats: Any = ({"seat": 1}, {"seat": 2}), **more: Any) -> Table:
    """A race with a given grid and these rules; what is left out of the header is asked."""
    told = header(2, rules=list(rules), grid=[2, 1], start="normal", **more)
    return Table.of(told | {"seats": list(seats)})


def test_the_order_is_grid_weather_construction_tires_start() -> None:
    """FD-TIRE-1: the order of setting up."""
    table = Table.of(header(2, rules=EVERYTHING))
    table.plays(1, black=20)
    table.plays(2, black=3)
    assert table.asked == [(0, "black")]
    table.plays(0, black=[13, 20])
    assert table.asked == [(1, "build"), (2, "build")]
    table.plays(2, build=BUILT)
    table.plays(1, build=BUILT)
    assert table.asked == [(1, "tires"), (2, "tires")]
    table.plays(1, tires="hard")
    assert table.state["phase"] == "setup"
    table.plays(2, tires="soft")
    assert (table.state["phase"], table.state["round"]) == ("race", 1)
    assert table.ask(1, "black")["for"] == "start"


def test_without_optional_rules_nothing_is_asked_before_the_race() -> None:
    """FD-CAR-1: the plain race begins at once."""
    assert setting_up().asked == [(2, "gear")]


# construction


def test_every_car_is_asked_at_once_with_points_and_bounds() -> None:
    """FD-BUILD-1: 20 points, tires 1–14, each other category 1–7."""
    bounds = table_of_bounds(setting_up("build"))
    assert bounds == {
        "points": 20,
        "limits": {"tires": [1, 14]}
        | {name: [1, 7] for name in ("brakes", "gearbox", "body", "engine", "handling")},
    }


def table_of_bounds(table: Table) -> Any:
    """What the two build asks offer, which is the same."""
    assert table.ask(1, "build")["options"] == table.ask(2, "build")["options"]
    return table.ask(1, "build")["options"]


def test_a_built_car_has_its_points() -> None:
    """FD-BUILD-1"""
    table = setting_up("build")
    table.plays(1, build=BUILT)
    assert table.car(1)["wear"] == table.car(1)["full"] == BUILT
    assert table.car(2)["wear"]["tires"] == 6


@in_one(
    ("change", "code"),
    [
        ({"tires": 10}, "illegal"),
        ({"tires": 8}, "illegal"),
        ({"tires": 15, "brakes": 1}, "illegal"),
        ({"brakes": 8, "tires": 5}, "illegal"),
        ({"gearbox": 0, "tires": 10}, "illegal"),
        ({"fuel": 1}, "malformed"),
    ],
)
def test_a_construction_against_the_rule_is_refused(change: dict[str, int], code: str) -> None:
    """FD-BUILD-1: all 20 spent, within the bounds of each category."""
    error = setting_up("build").is_refused({"seat": 1, "build": BUILT | change})
    assert (error["code"], error["rule"]) == (code, "FD-BUILD-1")


def test_a_category_left_out_of_a_construction_is_refused() -> None:
    """FD-BUILD-1"""
    part = {name: points for name, points in BUILT.items() if name != "handling"}
    error = setting_up("build").is_refused({"seat": 1, "build": part})
    assert (error["code"], error["rule"]) == ("malformed", "FD-BUILD-1")


def test_wear_in_the_header_is_a_construction_and_is_not_asked_for() -> None:
    """FD-BUILD-1"""
    table = setting_up("build", seats=({"seat": 1, "wear": BUILT}, {"seat": 2}))
    assert table.asked == [(2, "build")]
    assert table.car(1)["wear"] == BUILT


@pytest.mark.parametrize("change", [{"tires": 10}, {"tires": 15, "brakes": 1}, {"engine": -1}])
def test_a_construction_of_the_header_keeps_the_rule_too(change: dict[str, int]) -> None:
    """FD-BUILD-1"""
    told = header(2, rules=["build"]) | {"seats": [{"seat": 1, "wear": BUILT | change}]}
    error = setting_up().is_refused({"new": told})
    assert (error["code"], error["rule"]) == ("malformed", "FD-BUILD-1")


def test_the_box_gives_back_the_tires_that_the_car_was_built_with() -> None:
    """FD-CAR-2, FD-BUILD-1: a starting value is the constructed one."""
    cars = {1: at("T10.r2", stops=1, full=BUILT, wear=BUILT | {"tires": 1}), 2: at("S6.m1")}
    scene = Scene(cars, header={"laps": 3, "rules": ["build"]}).drive(4, 10, "B1")
    assert scene.wear(1, "tires") == 9


# tires


def test_tires_of_the_header_are_not_asked_for() -> None:
    """FD-TIRE-1"""
    table = setting_up("tires", seats=({"seat": 1, "tires": "rain"}, {"seat": 2}))
    assert table.asked == [(2, "tires")]
    assert table.ask(2, "tires")["options"] == ["hard", "soft", "rain"]
    assert table.car(1)["tires"] == "rain"


@pytest.mark.parametrize(("value", "code"), [("slick", "illegal"), (3, "malformed")])
def test_other_tires_there_are_none(value: Any, code: str) -> None:
    """FD-TIRE-1"""
    error = setting_up("tires").is_refused({"seat": 1, "tires": value})
    assert error["code"] == code


def test_tires_are_hard_where_they_are_not_chosen() -> None:
    """FD-TIRE-1: without the rule a header with others is refused."""
    told = header(1) | {"seats": [{"seat": 1, "tires": "soft"}]}
    assert setting_up().is_refused({"new": told})["rule"] == "FD-TIRE-1"


# mid-way


def test_a_race_that_is_being_set_up_goes_on_from_its_state() -> None:
    """FD-TIRE-1: weather rolled, one car built; the grid stands."""
    told = header(2, rules=EVERYTHING, grid=[2, 1])
    first = Table.of(told)
    first.plays(0, black=9)
    first.plays(2, build=BUILT)
    plain = {key: value for key, value in told.items() if key != "grid"}
    again = Table.of(plain | {"position": first.state})
    assert again.state == first.state
    assert again.asked == [(1, "build")]


@in_one(
    "pending",
    [
        [{"step": "build", "seats": [1]}],
        [{"step": "weather", "seat": 1}],
        [{"step": "tires", "seats": [1]}, {"step": "weather", "seat": 0}, {"step": "grid"}],
        [{"step": "weather", "seat": 0}, {"step": "weather", "seat": 0}],
        [{"step": "gear", "seat": 1}],
    ],
)
def test_a_setting_up_that_contradicts_itself_is_refused(pending: list[dict[str, Any]]) -> None:
    """FD-TIRE-1: what is not known yet is pending, once, and the grid first."""
    told = header(2, rules=EVERYTHING, position={"phase": "setup", "pending": pending})
    assert setting_up().is_refused({"new": told})["code"] == "malformed"


def test_a_car_retired_while_setting_up_is_not_asked_any_more() -> None:
    """FD-BUILD-1: the race begins when the others have answered."""
    table = setting_up("build")
    table.says({"seat": 1, "retire": True})
    table.plays(2, build=BUILT)
    assert table.asked == [(2, "gear")]
