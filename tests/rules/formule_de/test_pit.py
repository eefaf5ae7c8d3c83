"""DE-PIT: who may stop, the turn stood for coming in too fast, the stop, the order."""

from __future__ import annotations

from typing import Any

import pytest
from support.each import in_one
from support.formula.formule_de import header, scene, table
from support.formula.scenes import Scene, at

DOOR = at("T10.r2", lap=1, stops=1)
"""One space before S1.r1: P4 is five spaces away, B1 six."""


def at_the_door(gear: int = 4, face: int = 10, *rules: str, **more: Any) -> Scene:
    """Seat 1 has rolled on T10.r2 at the end of the first of three laps; it has lost 2 tires."""
    cars = {1: {**DOOR, "gear": gear, "wear": {"tires": 4}, **more}, 2: at("S6.m1", lap=1)}
    return scene(cars, *rules, laps=3).gear(gear).roll(face)


def pit_ends(race: Scene) -> set[str]:
    """The ends in the pit that are on offer."""
    return {option["to"] for option in race.ask("move")["options"] if option["to"][0] in "PB"}


def others_play(race: Scene) -> Scene:
    """Seat 2 dawdles on in 1st or as low as it can, until seat 1 is on turn."""
    while race.state["turn"] != 1:
        race.gear(race.ask("gear")["options"][0])
        race.roll(race.ask("roll")["options"][0])
        race.move(race.ask("move")["options"][0]["to"])
    return race


def test_a_car_that_has_lost_tires_may_stop() -> None:
    """DE-PIT-1"""
    assert pit_ends(at_the_door()) == {"B1"}


def test_a_car_with_all_its_tires_may_not() -> None:
    """DE-PIT-1: whatever else it has lost."""
    assert pit_ends(at_the_door(wear={"brakes": 0, "body": 1})) == set()


@pytest.mark.parametrize(("gear", "face"), [(3, 8), (4, 10)])
def test_up_to_fourth_the_stop_begins_at_once(gear: int, face: int) -> None:
    """DE-PIT-1, DE-PIT-2: all tires WP back, and the black die."""
    race = at_the_door(gear, face).move("B1")
    assert race.told("PitStopBegan")[0]["rule"] == "DE-PIT-2"
    assert race.wear(1, "tires") == 6
    assert race.ask("black")["for"] == "pit"


@pytest.mark.parametrize(("gear", "face"), [(5, 20), (6, 30)])
def test_in_fifth_or_sixth_it_stands_a_turn_and_gets_nothing(gear: int, face: int) -> None:
    """DE-PIT-1: at its next turn the stop itself begins."""
    race = at_the_door(gear, face).move("B1")
    assert race.told("PitEnteredFast")[0]["rule"] == "DE-PIT-1"
    assert not race.told("PitStopBegan")
    assert (race.wear(1, "tires"), race.car(1)["pit_mark"], race.state["turn"]) == (4, "waits", 2)
    others_play(race)
    assert [event["seat"] for event in race.told("PitTurnServed")] == [1]
    assert (race.wear(1, "tires"), race.ask("black")["for"]) == (6, "pit")
    assert "pit_mark" not in race.car(1)
    race.black(1, [11, 20])
    assert race.state["turn"] == 2


def test_the_turn_is_stood_where_the_car_was_held_up_in_the_lane_too() -> None:
    """DE-PIT-1: it is the gear in which it drove in that counts."""
    cars = {1: at("P3", gear=2, lap=1, wear={"tires": 4}, pit_mark="late"), 2: at("S6.m1", lap=1)}
    race = scene(cars, laps=3).drive(2, 4, "B1")
    assert not race.told("PitStopBegan")
    assert race.car(1)["pit_mark"] == "waits"


def test_the_lap_counts_once_as_the_car_comes_to_its_box() -> None:
    """FD-PIT-5: also where it stands a turn; its place on the road gains nothing by it."""
    race = at_the_door(5, 20).move("B1")
    assert race.car(1)["lap"] == 2
    assert race.state["order"] == [1, 2]
    others_play(race)
    assert (race.car(1)["lap"], race.told("PitStopBegan")[0]["lap"]) == (2, 2)
    beside = {1: at("B1", gear=5, lap=2, served=False, pit_mark="waits"), 2: at("S1.m21", lap=1)}
    assert scene(beside, new_round=True, laps=3).state["order"] == [2, 1]


def test_a_slow_stop_waits_for_the_next_turn_and_leaves_in_fourth_at_most() -> None:
    """DE-PIT-2: 11 to 20."""
    race = others_play(at_the_door().move("B1").black(1, 11).settle())
    assert race.car(1)["space"] == "B1"
    assert race.ask("gear")["options"] == [1, 2, 3, 4]


@pytest.mark.parametrize(("roll", "spaces"), [(1, 1), (7, 4), (10, 5)])
def test_a_fast_stop_moves_half_the_roll_at_once_and_counts_as_in_fourth(
    roll: int, spaces: int
) -> None:
    """DE-PIT-2: 1→1, 7→4, 10→5, rounded up."""
    race = at_the_door().move("B1").black(1, roll)
    assert race.told("PitRolled")[0]["spaces"] == spaces
    assert race.car(1)["gear"] == 4
    assert race.move(race.ask("move")["options"][0]["to"]).told("Moved")[-1]["spaces"] == spaces


def test_after_a_fast_stop_the_next_turn_is_in_fourth_at_most() -> None:
    """DE-PIT-2: Formula D would let it play 5th."""
    race = at_the_door().move("B1").black(1, 10)
    race.move(race.ask("move")["options"][0]["to"])
    assert race.car(1)["pit_mark"] == "fresh"
    others_play(race)
    assert max(race.ask("gear")["options"]) == 4
    error = race.refused({"seat": 1, "gear": 5})
    assert (error["key"], error["rule"]) == ("leave-box", "DE-PIT-2")
    assert "pit_mark" not in race.gear(4).car(1)


# repairs


@pytest.mark.parametrize("rule", ["advanced", "technical"])
def test_a_stop_for_repairs_brings_tires_too_and_waits(rule: str) -> None:
    """DE-PIT-2: on with advanced or technical; pool and limits of FD-TECH-1."""
    race = at_the_door(4, 10, rule, wear={"tires": 4, "engine": 1}).move("B1")
    assert race.ask("pit")["options"] == ["tires", "technical"]
    race.say({"seat": 1, "pit": "technical"})
    assert race.ask("repair")["options"]["points"] == 2
    race.say({"seat": 1, "repair": {"engine": 2}})
    assert (race.wear(1, "tires"), race.wear(1, "engine"), race.car(1)["pool"]) == (6, 3, 0)
    assert race.state["turn"] == 2
    assert max(others_play(race).ask("gear")["options"]) == 4


def test_without_either_rule_there_is_no_repair() -> None:
    """DE-PIT-2"""
    race = at_the_door(wear={"tires": 4, "engine": 1}).move("B1")
    assert race.kinds == {"black"}
    assert "pool" not in race.car(1)


def test_without_advanced_the_pool_does_not_repair_handling() -> None:
    """DE-PIT-2"""
    race = at_the_door(4, 10, "technical", wear={"tires": 4, "engine": 1, "fuel": 1}).move("B1")
    race.say({"seat": 1, "pit": "technical"})
    assert race.ask("repair")["options"]["categories"] == ["fuel", "engine"]
    assert race.refused({"seat": 1, "repair": {"handling": 1}})["rule"] == "FD-CAR-2"


# boxes and order


def test_a_header_gives_the_boxes_that_the_teams_have_chosen() -> None:
    """DE-PIT-3: by highest roll, later by the standings; without them box i is the i-th seat's."""
    seats = [{"seat": 1, "box": 10}, {"seat": 2, "box": 1}]
    cars = {1: {**DOOR, "wear": {"tires": 4}}, 2: at("S6.m1")}
    race = scene(cars, laps=3, seats=seats).gear(5).roll(20)
    assert pit_ends(race) == {"B10"}
    error = table(2).is_refused({"new": header(2) | {"seats": [{"seat": 1, "box": 11}]}})
    assert error["rule"] == "FD-PIT-1"


def test_cars_on_the_straight_beside_the_pits_play_before_cars_in_the_pits() -> None:
    """DE-PIT-4"""
    cars = {1: at("P9", lap=1), 2: at("S1.m3", lap=1), 3: at("S1.m12", lap=1)}
    assert scene(cars, new_round=True, laps=3).state["order"] == [3, 2, 1]


def test_in_the_pits_first_in_is_first_out() -> None:
    """DE-PIT-4: whoever drove in first, though the other stands further on."""
    cars = {
        1: at("B1", lap=2, served=True, arrived=2),
        2: at("B2", lap=2, served=True, arrived=5),
        3: at("S6.m3", lap=2, arrived=9),
    }
    assert scene(cars, new_round=True, laps=3).state["order"] == [3, 1, 2]
    cars[1]["arrived"] = 7
    assert scene(cars, new_round=True, laps=3).state["order"] == [3, 2, 1]


def test_what_counts_is_when_a_car_drove_in_not_where_it_went_in_the_lane() -> None:
    """DE-PIT-4"""
    cars = {1: at("P2", gear=2, lap=1, wear={"tires": 4}, arrived=3), 2: at("S6.m1", arrived=4)}
    race = scene(cars, laps=3).drive(2, 3, "B1")
    assert race.car(1)["arrived"] == 3


def test_nobody_passes_in_the_lane_and_nobody_collides_there() -> None:
    """DE-PIT-4: it waits behind, at no cost, and no die is rolled."""
    cars = {
        1: {**DOOR, "wear": {"tires": 4}},
        2: at("P3", lap=1, wear={"tires": 4}),
        3: at("S6.m1"),
    }
    race = scene(cars, laps=3).gear(4).roll(12)
    option = race.ends()["P2"]
    assert (option["blocked"], option["cost"]) == (0, {})
    race.move("P2")
    assert not race.rollers("collision")


def test_no_engine_is_tested_in_the_pit_lane() -> None:
    """DE-PIT-4"""
    cars = {1: at("S6.m1", gear=5), 2: at("P3", gear=5, lap=1, pit_mark="late")}
    race = scene(cars, laps=3).drive(5, 19, "S6.m20")
    assert race.rollers("engine") == [1]


@in_one(
    "car",
    [
        at("S6.m3", pit_mark="late"),
        at("S6.m3", pit_mark="slow"),
        at("P3", pit_mark="waits"),
        at("B1", lap=2, served=True, pit_mark="late"),
        at("S6.m3", arrived=-1),
    ],
)
def test_a_memory_that_cannot_be_is_refused(car: dict[str, Any]) -> None:
    """DE-PIT-1, DE-ORDER-1"""
    with pytest.raises(AssertionError, match=r"before its stop|pit_mark|waits|arrived"):
        scene({1: car, 2: at("S8.m1")}, laps=3, order=[2, 1])


def test_formula_d_has_neither_arrivals_nor_pit_marks() -> None:
    for memory in ({"arrived": 3}, {"pit_mark": "fresh"}):
        with pytest.raises(AssertionError, match=r"arrived|pit_mark"):
            Scene({1: at("S6.m3", **memory), 2: at("S8.m1")})
