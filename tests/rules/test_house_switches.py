"""The switches of a house: what the letter of the book says where our ruling is milder."""

from __future__ import annotations

from typing import Any

import pytest
from support.formula.scenes import Scene, at
from support.formula.table import Table, car, position

NO_LIFT = {"house": {"repair_lifts": "no"}}
ONE_TURN = {"house": {"spin_grace": "next-turn"}}


def repaired(house: dict[str, Any]) -> Scene:
    """Seat 1, without gearbox points, has had one repaired in its box."""
    cars = {1: at("T10.r2", stops=1, wear={"gearbox": 0, "brakes": 1}), 2: at("S6.m1")}
    told = {"laps": 3, "rules": ["technical"], **house}
    scene = Scene(cars, header=told).gear(4).roll(10).move("B1")
    scene.say({"seat": 1, "pit": "technical"})
    return scene.say({"seat": 1, "repair": {"gearbox": 1, "brakes": 1}})


def gears(also: dict[str, Any], **more: Any) -> list[int]:
    """The gears on offer to a car in 5th with one gearbox point."""
    cars = {1: car("S6.m1", 5, wear={"gearbox": 1}, **more)}
    options: list[int] = Table(cars, order=[1], turn=1, also=also).ask(1, "gear")["options"]
    return options


def test_a_repair_lifts_the_limit_of_an_empty_gearbox() -> None:
    """FD-REV-2, ruling: nothing is remembered."""
    assert "limited" not in repaired({}).car(1)
    assert gears({}) == [1, 2, 3, 4, 5, 6]


def test_by_the_letter_an_empty_gearbox_is_limited_for_good() -> None:
    """FD-REV-2, switch repair_lifts."""
    assert repaired(NO_LIFT).car(1)["limited"] is True
    assert gears(NO_LIFT) == [1, 2, 3, 4, 5, 6]
    assert gears(NO_LIFT, limited=True) == [4, 5, 6]


def without_tires(*, face: int = 1, **more: Any) -> Table:
    """Seat 1 stands on the last space of a corner without tires, and moves; by the letter."""
    cars = {1: car("T1.m5", 1, wear={"tires": 0}, **more), 2: car("S6.m1")}
    table = Table(cars, order=[1, 2], turn=1, also=ONE_TURN)
    table.plays(1, gear=1, roll=face)
    return table


def test_by_the_letter_the_grace_holds_in_the_turn_after_the_last_tires() -> None:
    """FD-CORNER-7, switch spin_grace: and of two spaces it is the end as ever."""
    table = without_tires()
    option = table.options(1)["S2.m1", 0]
    assert (option["spin"], option["out"], table.car(1)["grace"]) == (True, False, True)
    assert without_tires(face=2).options(1)["S2.m2", 0]["out"]


def test_by_the_letter_the_grace_is_over_after_that_turn() -> None:
    """FD-CORNER-7, switch spin_grace"""
    table = without_tires(grace=True)
    assert table.car(1)["grace"] is False
    assert table.options(1)["S2.m1", 0]["out"]
    table.plays(1, move="S2.m1")
    assert table.car(1)["out"]["why"] == "tires"


def test_by_the_letter_there_is_no_grace_in_the_turn_in_which_the_tires_go() -> None:
    """FD-CORNER-7, switch spin_grace: a block takes the last tires, and then one space too far."""
    cars = {1: car("T1.m5", 3, wear={"tires": 2}), 2: car("S2.m2"), 3: car("S2.r2")}
    table = Table({**cars, 4: car("T7.r1")}, order=[1, 2, 3, 4], turn=1, also=ONE_TURN)
    table.plays(1, gear=3, roll=6)
    assert "grace" not in table.car(1)
    assert table.options(1)["S2.m1", 0]["out"]


def test_new_tires_begin_the_grace_anew() -> None:
    """FD-CORNER-7, switch spin_grace: a stop forgets what was."""
    cars = {1: at("T10.r2", stops=1, grace=False, wear={"tires": 0}), 2: at("S6.m1")}
    scene = Scene(cars, header={"laps": 3, **ONE_TURN}).gear(4).roll(10).move("B1")
    assert "grace" not in scene.car(1)


@pytest.mark.parametrize(
    ("more", "rule"), [({"limited": True}, "FD-REV-2"), ({"grace": True}, "FD-CORNER-7")]
)
def test_what_no_switch_asks_for_is_not_remembered(more: dict[str, Any], rule: str) -> None:
    """FD-REV-2, FD-CORNER-7: a position that says it is refused."""
    told = position({1: car("S6.m1", 4, **more)})
    error = Table({1: car("S6.m1", 4)}).is_refused({"new": told})
    assert (error["code"], error["rule"]) == ("malformed", rule)


def test_with_no_grace_at_all_any_overshoot_without_tires_is_the_end() -> None:
    """FD-CORNER-7, switch spin_grace at never."""
    cars = {1: car("T1.m5", 1, wear={"tires": 0}), 2: car("S6.m1")}
    table = Table(cars, order=[1, 2], turn=1, also={"house": {"spin_grace": "never"}})
    table.plays(1, gear=1, roll=1)
    option = table.options(1)["S2.m1", 0]
    assert (option["spin"], option["out"]) == (False, True)


def behind(**house: str) -> Scene:
    """Seat 1 has come directly behind seat 2, both in 4th."""
    cars = {1: at("S6.m2"), 2: at("S6.m10")}
    return Scene(cars, header={"house": house}).gear(4).roll(7).move("S6.m9")


def test_at_a_table_without_slipstreams_none_is_offered() -> None:
    """FD-SLIP-4, switch slipstream_chain at none: and asked why, its own rule is named."""
    assert behind().kinds == {"slipstream"}
    scene = behind(slipstream_chain="none")
    line = {"seat": 1, "slipstream": {"to": "S6.m12", "brakes": 0}}
    error = scene.refused(line)
    assert (error["rule"], error["key"]) == ("FD-SLIP-4", "slip-house")
    assert scene.engine.handle({"explain": line})["explain"]["rules"] == ["FD-SLIP-4"]


def test_brakes_that_lack_for_a_block_are_paid_in_tires_until_both_are_gone() -> None:
    """FD-BLOCK-2, switch block_rest"""
    for tires, out in ((5, False), (3, True)):
        wall = {2: at("S6.l8", 1), 3: at("S6.m8", 1), 4: at("S6.r9", 1)}
        cars = {1: at("S6.m6", wear={"brakes": 1, "tires": tires}), **wall}
        scene = Scene(cars, header={"house": {"block_rest": "tires"}}).gear(4).roll(7)
        assert scene.ends()["S6.l7"]["out"] == out
        scene.move("S6.l7")
        assert (scene.car(1)["status"] == "out") == out
