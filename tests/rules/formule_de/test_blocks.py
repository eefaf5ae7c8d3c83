"""DE-BLOCK: blocked cars, the wreck that stands, the block without brakes."""

from __future__ import annotations

from typing import Any

import pytest
from support.formula.formule_de import WEAR, scene
from support.formula.scenes import Scene, at

WALL = {2: at("S2.l8"), 3: at("S2.m8"), 4: at("S2.r9")}
FAR = {5: at("T7.r1")}


def blocked(missing: int, house: dict[str, Any] | None = None, **more: Any) -> Scene:
    """Seat 1 on S2.m5, in 3rd or 4th, behind a wall that lets it go three spaces."""
    gear = 3 if missing <= 5 else 4
    cars = {1: at("S2.m5", gear=gear, **more), **WALL, **FAR}
    return scene(cars, house=house or {}).gear(gear).roll(3 + missing)


def plays(race: Scene) -> None:
    """The car on turn plays 1st or as low as it can, to the first end on the list."""
    gears = race.ask("gear")["options"]
    race.gear(gears[0])
    race.roll(race.ask("roll")["options"][0])
    option = race.ask("move")["options"][0]
    race.move(option["to"], option["brakes"]).settle()


@pytest.mark.parametrize(
    ("missing", "cost"),
    [
        (1, {"brakes": 1}),
        (3, {"brakes": 3}),
        (4, {"brakes": 3, "tires": 1}),
        (6, {"brakes": 3, "tires": 3}),
    ],
)
def test_a_block_costs_as_in_formula_d(missing: int, cost: dict[str, int]) -> None:
    """DE-BLOCK-1"""
    race = blocked(missing)
    assert race.ends()["S2.l7"]["cost"] == cost
    race.move("S2.l7")
    assert race.told("Blocked")[0]["rule"] == "DE-BLOCK-1"
    assert race.car(1)["wear"] == WEAR | {name: WEAR[name] - n for name, n in cost.items()}


def test_the_last_tires_lost_by_a_block_are_a_spin() -> None:
    """DE-CORNER-3: by whatever cause, a block too."""
    race = blocked(6, wear={"tires": 3})
    assert race.ends()["S2.l7"]["spin"]
    race.move("S2.l7").settle()
    assert race.car(1)["status"] == "spun"


def test_seven_spaces_eliminate_and_cost_the_car_in_front_a_body() -> None:
    """DE-BLOCK-1: the next space of its lane, here S2.l8."""
    race = blocked(7)
    assert race.ends()["S2.l7"]["out"]
    race.move("S2.l7")
    assert race.car(1)["out"] | {"round": 5} == {
        "why": "blocked",
        "rule": "DE-BLOCK-1",
        "round": 5,
        "space": "S2.l7",
        "was": "racing",
        "stands": True,
    }
    assert [race.wear(seat, "body") for seat in (2, 3, 4)] == [2, 3, 3]
    damaged = race.told("Damaged")[0]
    assert (damaged["seat"], damaged["against"], damaged["cost"]) == (2, 1, {"body": 1})
    assert race.state["debris"] == ["S2.l8"]


def test_with_nobody_in_front_nobody_loses_a_body() -> None:
    """DE-BLOCK-1: it stands beside the wall, with S2.r9 one space further on."""
    cars = {1: at("S2.m5", gear=4), **WALL, **FAR}
    cars[4] = at("S2.r10")
    cars[6] = at("S2.m9")
    race = scene(cars).gear(4).roll(12)
    to = next(end for end in race.ends() if end == "S2.r9")
    race.move(to)
    assert race.wear(4, "body") == 2
    assert [race.wear(seat, "body") for seat in (2, 3, 6)] == [3, 3, 3]


def test_the_wreck_stands_in_the_way_until_its_next_turn() -> None:
    """DE-BLOCK-1: nobody drives over it; then it is taken away and leaves debris."""
    cars = {1: at("S2.m5", gear=4), **WALL, 5: at("S2.l5", gear=2)}
    race = scene(cars).gear(4).roll(10).move("S2.l7")
    while race.state["turn"] != 5:
        plays(race)
    race.gear(2).roll(2)
    assert "S2.l7" not in race.ends()
    assert "S2.l7" not in race.state["debris"]
    race.move(race.ask("move")["options"][0]["to"]).settle()
    assert 1 in race.state["order"]
    while not race.told("WreckLifted"):
        plays(race)
    assert "S2.l7" in race.state["debris"]
    assert "stands" not in race.car(1)["out"]
    assert race.told("DebrisLaid")[-1]["rule"] == "DE-DEBRIS-1"


def test_a_wreck_takes_part_in_no_collision() -> None:
    """DE-BLOCK-1, FD-BUMP-3: an eliminated car does not count."""
    wreck = {"why": "blocked", "space": "S6.r8", "stands": True}
    cars = {1: at("S6.r5", gear=2), 2: {"status": "out", "out": wreck, "gear": 4, "lap": 1}}
    race = scene({**cars, 3: at("S8.m1")}, order=[1, 3]).drive(2, 2, "S6.r7")
    assert not race.rollers("collision")


def test_no_car_stands_where_a_wreck_stands() -> None:
    """DE-BLOCK-1: a position that says so is refused."""
    wreck = {"why": "blocked", "space": "S6.r8", "stands": True}
    cars = {1: at("S6.r8"), 2: {"status": "out", "out": wreck, "gear": 4, "lap": 1}}
    with pytest.raises(AssertionError, match="both stand"):
        scene(cars, order=[1])


def test_no_wreck_stands_in_the_pit_lane() -> None:
    """DE-BLOCK-1, DE-PIT-4: there a car waits at no cost."""
    wreck = {"why": "blocked", "space": "P3", "stands": True}
    cars = {1: at("S6.r8"), 2: {"status": "out", "out": wreck, "gear": 4, "lap": 1}}
    with pytest.raises(AssertionError, match="a wreck on the track"):
        scene(cars, order=[1])


def test_too_few_points_for_a_block_eliminate() -> None:
    """DE-BLOCK-1, FD-BLOCK-2: with some brakes left it is no late block."""
    race = blocked(3, wear={"brakes": 2})
    assert race.ends()["S2.l7"]["out"]
    race.move("S2.l7")
    assert race.car(1)["out"]["rule"] == "FD-BLOCK-2"
    assert race.wear(2, "body") == 3


# late_block


def test_a_block_without_brakes_costs_all_tires_and_a_body() -> None:
    """DE-BLOCK-2: and the car in front 1 body; the car spins on its last tires."""
    race = blocked(2, wear={"brakes": 0, "tires": 5})
    option = race.ends()["S2.l7"]
    assert (option["cost"], option["spin"], option["out"]) == ({"tires": 5, "body": 1}, True, False)
    race.move("S2.l7")
    assert race.told("Blocked")[0]["rule"] == "DE-BLOCK-2"
    assert (race.wear(1, "tires"), race.wear(1, "body"), race.wear(2, "body")) == (0, 2, 2)
    assert race.car(1)["status"] == "spun"


def test_the_blocked_car_still_rolls_and_the_car_in_front_does_not() -> None:
    """DE-BLOCK-2: S2.l7 lies behind seat 2 and beside nobody else of the wall but seat 3."""
    race = blocked(2, wear={"brakes": 0}).move("S2.l7")
    rolled = race.settle().told("CollisionRolled")
    rollers = [event["seat"] for event in rolled]
    assert 1 in rollers
    assert 2 not in rollers


def test_brakes_spent_by_choice_come_first() -> None:
    """DE-BLOCK-2, FD-BLOCK-2: two of three spaces braked, none left for the last one."""
    race = blocked(3, wear={"brakes": 2})
    option = race.ends(brakes=2)["S2.l7"]
    assert (option["blocked"], option["out"]) == (1, False)
    assert option["cost"] == {"tires": 6, "brakes": 2, "body": 1}


def test_the_last_body_lost_so_is_the_end() -> None:
    """DE-BLOCK-2, DE-OUT-1"""
    race = blocked(1, wear={"brakes": 0, "body": 1})
    assert race.ends()["S2.l7"]["out"]
    race.move("S2.l7")
    assert (race.car(1)["out"]["why"], race.car(1)["out"]["rule"]) == ("body", "DE-OUT-1")
    assert "S2.l7" in race.state["debris"]


def test_seven_spaces_stay_an_elimination_without_brakes() -> None:
    """DE-BLOCK-2: 7 or more stays DE-BLOCK-1."""
    race = blocked(7, wear={"brakes": 0}).move("S2.l7")
    assert race.car(1)["out"]["why"] == "blocked"


def test_the_switch_turns_it_off() -> None:
    """DE-BLOCK-2: then a block that cannot be paid eliminates."""
    race = blocked(1, house={"late_block": "off"}, wear={"brakes": 0})
    assert race.ends()["S2.l7"]["out"]
    race.move("S2.l7")
    assert race.car(1)["out"]["why"] == "blocked"
