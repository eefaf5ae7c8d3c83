"""FD-BUMP: cars that end beside or directly behind one another."""

from __future__ import annotations

import pytest
from support.each import in_one
from support.formula.scenes import Scene, at

FAR = "S8.m1"
MOVER = at("S6.r5", gear=2)


def meets(*others: str, body: int = 3, weather: str = "fine") -> Scene:
    """Seat 1 moves from S6.r5 to S6.r7 in 2nd; seats 2, 3 … stand on the spaces given."""
    cars = {1: {**MOVER, "wear": {"body": body}}}
    cars |= {seat: at(space) for seat, space in enumerate(others, 2)}
    return Scene(cars, weather=weather).drive(2, 2, "S6.r7")


def test_a_car_that_ends_directly_behind_another_makes_both_roll() -> None:
    """FD-BUMP-1: the car ahead rolls once, then the mover once for it."""
    scene = meets("S6.r8")
    assert scene.rollers("collision") == [2, 1]
    scene.black(2, 5)
    assert scene.ask("black")["with"] == 2
    scene.black(1, 5)
    assert "black" not in scene.kinds


@pytest.mark.parametrize("space", ["S6.m7", "S6.m6"])
def test_a_car_that_ends_beside_another_makes_both_roll(space: str) -> None:
    """FD-BUMP-1, FD-BUMP-3: r7 lies beside m6 and m7."""
    assert set(meets(space).rollers("collision")) == {1, 2}


@in_one("space", ["S6.r9", "S6.m8", "S6.m5", "S6.l7", FAR])
def test_a_car_further_away_is_no_risk(space: str) -> None:
    """FD-BUMP-1: only beside and directly behind count."""
    assert not meets(space).rollers("collision")


def test_a_car_directly_behind_the_mover_is_no_risk() -> None:
    """FD-BUMP-3, ruling: we look beside and ahead, never back."""
    cars = {1: at("S6.r5", gear=3), 2: at("S6.r9")}
    scene = Scene(cars).gear(3).roll(6)
    assert "S6.r10" in scene.ends()  # around r9 and in front of it
    assert not scene.move("S6.r10").rollers("collision")


def test_cars_side_by_side_without_a_lane_change_collide_too() -> None:
    """FD-BUMP-3: beside is what the track says; T1.l1 lies beside S1.m22 without a change."""
    cars = {1: at("S1.m20", gear=2), 2: at("T1.l1")}
    assert Scene(cars).drive(2, 2, "S1.m22").rollers("collision") == [2, 1]


def test_a_closed_lane_change_does_not_keep_cars_apart() -> None:
    """FD-BUMP-3: S6.m28 and S6.l28 stand side by side though the change is closed."""
    cars = {1: at("S6.m26", gear=2), 2: at("S6.l28")}
    assert Scene(cars).drive(2, 2, "S6.m28").rollers("collision") == [2, 1]


def test_the_car_ahead_may_stand_in_the_next_section() -> None:
    """FD-BUMP-3: behind is the next space of our lane, here over the edge of a corner."""
    cars = {1: at("S1.l19", gear=2), 2: at("T1.l1")}
    assert Scene(cars).drive(2, 2, "S1.l21").rollers("collision") == [2, 1]


def test_of_three_cars_each_other_rolls_once_and_the_mover_once_for_each() -> None:
    """FD-BUMP-1: two cars met are two rolls of theirs and two of the mover's."""
    scene = meets("S6.r8", "S6.m7").settle()
    rolls = [(event["seat"], event["against"]) for event in scene.told("CollisionRolled")]
    assert sorted(rolls) == [(1, 2), (1, 3), (2, 1), (3, 1)]


def test_the_others_are_listed_in_running_order() -> None:
    """FD-BUMP-3, ruling: the car further ahead is asked first, whatever the seats."""
    assert meets("S6.m7", "S6.r8").rollers("collision")[:2] == [3, 2]
    assert meets("S6.r8", "S6.m7").rollers("collision")[:2] == [2, 3]


def test_only_a_one_matters() -> None:
    """FD-BUMP-1: the ask names the two outcomes, and takes a number or a range."""
    scene = meets("S6.r8")
    assert scene.ask("black", 2)["options"] == [[1, 1], [2, 20]]
    scene.black(2, 2).black(1, [2, 20])
    assert scene.wear(1, "body") == scene.wear(2, "body") == 3


def test_a_one_costs_the_roller_one_body_point() -> None:
    """FD-BUMP-1: not the car that it rolled against."""
    scene = meets("S6.r8").black(2, 1).black(1, 20)
    assert (scene.wear(1, "body"), scene.wear(2, "body")) == (3, 2)
    scene = meets("S6.r8").black(2, 20).black(1, [1, 1])
    assert (scene.wear(1, "body"), scene.wear(2, "body")) == (2, 3)


def test_the_mover_may_lose_a_point_for_each_car_it_met() -> None:
    """FD-BUMP-1: one roll for each of them."""
    scene = meets("S6.r8", "S6.m7").settle(s1=1)
    assert scene.wear(1, "body") == 1


def test_the_last_body_point_puts_a_car_out() -> None:
    """FD-BUMP-2: here the car that was met."""
    cars = {1: MOVER, 2: at("S6.r8", wear={"body": 1})}
    scene = Scene(cars).drive(2, 2, "S6.r7").settle(s2=1)
    assert scene.car(2)["status"] == "out"
    assert scene.car(2)["space"] is None
    assert scene.car(2)["out"]["rule"] == "FD-BUMP-2"
    assert scene.car(2)["wear"]["body"] == 0


def test_a_mover_that_is_out_rolls_no_more() -> None:
    """FD-BUMP-2, ruling: its second roll falls away; the others have all rolled."""
    scene = meets("S6.r8", "S6.m7", body=1)
    scene.black(2, 20).black(3, 20).black(1, 1)
    assert not scene.rollers("collision")
    assert len(scene.told("CollisionRolled")) == 3
    assert scene.car(1)["status"] == "out"


def test_a_spun_car_counts() -> None:
    """FD-BUMP-3, ruling: it stands reversed, and is met all the same."""
    cars = {1: MOVER, 2: at("S6.r8", status="spun")}
    assert Scene(cars).drive(2, 2, "S6.r7").rollers("collision") == [2, 1]


def test_a_stalled_car_counts() -> None:
    """FD-BUMP-3: nothing excepts a car that stands on the grid."""
    cars = {1: at("S1.l15", gear=1, lap=0), 2: at("S1.l16", gear=0, lap=0, status="stalled")}
    assert 2 in Scene(cars).drive(1, 1, "S1.m16").rollers("collision")


def test_a_car_in_the_pit_lane_does_not_count() -> None:
    """FD-BUMP-3, FD-PIT-3: P1 stands beside nobody on the track."""
    cars = {1: at("T10.r2", gear=2, stops=1), 2: at("P1")}
    scene = Scene(cars).drive(2, 2, "S1.r2")
    assert not scene.rollers("collision")


def test_a_car_that_spins_in_this_turn_still_rolls() -> None:
    """FD-CORNER-6, FD-BUMP-1: the spun mover still makes this turn's rolls."""
    cars = {1: at("T1.l7", gear=2, wear={"tires": 2}), 2: at("S2.l3")}
    scene = Scene(cars).drive(2, 2, "S2.l2")
    assert scene.car(1)["status"] == "spun"
    assert set(scene.rollers("collision")) == {1, 2}


def test_a_mover_eliminated_by_a_corner_meets_nobody() -> None:
    """FD-BUMP-3, ruling: eliminated cars do not count."""
    cars = {1: at("T5.l12", gear=2), 2: at("S6.l3")}
    scene = Scene(cars).drive(2, 2, "S6.l2")
    assert scene.car(1)["status"] == "out"
    assert not scene.told("CollisionRolled")


def test_a_move_of_no_space_makes_collision_rolls() -> None:
    """FD-MOVE-5, FD-BUMP-1: all braked away beside a car."""
    cars = {1: at("S6.r5", gear=2), 2: at("S6.m5")}
    scene = Scene(cars).drive(2, 2, "S6.r5", brakes=2)
    assert scene.rollers("collision") == [2, 1]


def test_only_where_the_move_ends_are_cars_met() -> None:
    """FD-BUMP-1: passing beside a car is no risk."""
    cars = {1: at("S6.r5", gear=3), 2: at("S6.m7")}
    scene = Scene(cars).drive(3, 6, "S6.r11")
    assert not scene.told("CollisionRolled")
    assert not scene.rollers("collision")


def test_in_rain_one_and_two_hurt() -> None:
    """FD-WEATHER-4: a collision on 1–2."""
    scene = meets("S6.r8", weather="rain")
    assert scene.ask("black", 2)["options"] == [[1, 2], [3, 20]]
    scene.black(2, 2).black(1, 3)
    assert (scene.wear(2, "body"), scene.wear(1, "body")) == (2, 3)
