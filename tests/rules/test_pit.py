"""FD-PIT: the lane, the boxes, and the order of cars that stop."""

from __future__ import annotations

from typing import Any

import pytest
from support.formula.scenes import Scene, at

DOOR = at("T10.r2", lap=1, stops=1)
"""One space before S1.r1: P4 is five spaces away, B1 six."""


def at_the_door(gear: int = 4, face: int = 10, **more: Any) -> Scene:
    """Seat 1 has rolled on T10.r2 at the end of the first of three laps."""
    laps = more.pop("laps", 3)
    cars = {1: {**DOOR, "gear": gear, **more}, 2: at("S6.m1", lap=1)}
    return Scene(cars, header={"laps": laps}).gear(gear).roll(face)


def in_box(roll: int, **more: Any) -> Scene:
    """Seat 1 has driven into its box and rolled the pit's black die."""
    return at_the_door(**more).move("B1").black(1, roll)


def pit_ends(scene: Scene) -> set[str]:
    """The ends in the pit that are on offer."""
    return {option["to"] for option in scene.ask("move")["options"] if option["to"][0] in "PB"}


def test_at_the_end_of_a_lap_a_car_may_go_to_its_own_box() -> None:
    """FD-PIT-1: beside the ways on the track, and to no other box."""
    scene = at_the_door()
    assert pit_ends(scene) == {"B1"}
    assert "S1.r10" in scene.ends()


def test_box_i_belongs_to_the_ith_seat() -> None:
    """FD-PIT-1: the second seat's box is beside P5, so eight spaces away at most."""
    cars = {1: at("S6.m1"), 2: DOOR}
    assert pit_ends(Scene(cars, order=[2, 1]).gear(4).roll(8)) == {"B2"}


def test_a_seat_may_have_another_box() -> None:
    """FD-PIT-1: the header's `box` says which."""
    header = {"seats": [{"seat": 1, "box": 10}, {"seat": 2, "box": 1}]}
    cars = {1: DOOR, 2: at("S6.m1")}
    assert pit_ends(Scene(cars, header=header).gear(5).roll(20)) == {"B10"}


@pytest.mark.parametrize("face", [7, 9, 12])
def test_no_exact_roll_is_needed(face: int) -> None:
    """FD-PIT-1: reaching at least the distance is enough."""
    assert pit_ends(at_the_door(face=face)) == {"B1"}


def test_the_speed_does_not_matter() -> None:
    """FD-PIT-1: no speed limit."""
    assert pit_ends(at_the_door(gear=6, face=30)) == {"B1"}


def test_too_short_a_roll_leaves_the_car_in_the_lane() -> None:
    """FD-PIT-6: three spaces are S1.r1, P1, P2 by the first door; no brakes in the lane."""
    scene = at_the_door(gear=2, face=3)
    assert pit_ends(scene) >= {"P2"}
    scene.move("P2")
    assert scene.car(1)["status"] == "pit"
    assert scene.car(1)["lap"] == 1
    assert scene.car(1)["pit_stops"] == 0


def test_entering_the_box_is_one_space_more_than_the_lane_space() -> None:
    """FD-PIT-6, ruling: five spaces reach P4, six the box beside it."""
    assert "P4" in pit_ends(at_the_door(gear=3, face=5))
    assert "B1" not in pit_ends(at_the_door(gear=3, face=5))
    assert "B1" in pit_ends(at_the_door(gear=3, face=6))


def test_the_second_door_is_one_space_further() -> None:
    """FD-PIT-6: by S1.r2 six spaces reach P4 only, seven the box."""
    assert pit_ends(at_the_door(gear=3, face=6)) == {"B1", "P4"}
    assert pit_ends(at_the_door(gear=3, face=7)) == {"B1"}


def test_a_car_that_has_entered_the_lane_must_go_to_its_box() -> None:
    """FD-PIT-6, ruling: from P2 a four ends in B1, not on P6."""
    scene = Scene({1: at("P2", gear=2), 2: at("S6.m1")}).gear(2).roll(4)
    assert [option["to"] for option in scene.ask("move")["options"]] == ["B1"]


def test_no_pit_stop_before_the_first_lap() -> None:
    """FD-PIT-1, ruling: not in lap 0."""
    cars = {1: at("S1.r1", gear=2, lap=0), 2: at("S6.m1")}
    assert not pit_ends(Scene(cars).gear(2).roll(2))


def test_no_pit_stop_at_the_end_of_the_last_lap() -> None:
    """FD-PIT-1, ruling: in lap 2 of 2 the lane is shut."""
    assert not pit_ends(at_the_door(lap=2, laps=2))
    assert pit_ends(at_the_door(lap=2, laps=3))
    assert not pit_ends(at_the_door(lap=3, laps=3))


def test_an_overshoot_does_not_lead_into_the_lane() -> None:
    """FD-CORNER-4, FD-PIT-1: out of the last corner without its stop."""
    assert not pit_ends(at_the_door(gear=2, face=2, stops=0))


def test_no_brakes_are_offered_on_a_way_into_a_box() -> None:
    """FD-PIT-3: braking does not apply, reaching the box is enough."""
    options = at_the_door().ask("move")["options"]
    assert [option["brakes"] for option in options if option["to"] == "B1"] == [0]


def test_the_box_gives_back_all_tires() -> None:
    """FD-PIT-2: and nothing else."""
    scene = at_the_door(wear={"tires": 1, "brakes": 1}).move("B1")
    assert (scene.wear(1, "tires"), scene.wear(1, "brakes")) == (6, 1)


def test_the_outcomes_of_the_pit_die_are_six() -> None:
    """FD-PIT-2: two faces for each length of a fast exit, the rest is slow."""
    fast = [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]]
    assert at_the_door().move("B1").ask("black")["options"] == [*fast, [11, 20]]
    assert at_the_door().move("B1").ask("black")["for"] == "pit"


@pytest.mark.parametrize(("roll", "end"), [(1, "P4"), (2, "P4"), (7, "P7"), (10, "P8")])
def test_a_fast_stop_leaves_at_once_by_half_the_roll(roll: int, end: str) -> None:
    """FD-PIT-2, FD-PIT-6: rounded up; the lane space beside the box is the first moved."""
    scene = in_box(roll)
    assert [option["to"] for option in scene.ask("move")["options"]] == [end]
    scene.move(end)
    assert (scene.car(1)["space"], scene.car(1)["gear"]) == (end, 4)
    assert scene.ask("gear")["seat"] == 2


def test_a_fast_stop_puts_the_car_in_fourth_whatever_it_came_in() -> None:
    """FD-PIT-2: it is in 4th; at its next turn 5th is open to it."""
    scene = in_box(7, gear=3, face=6).move("P7")
    assert scene.car(1)["gear"] == 4


def test_a_slow_stop_ends_the_turn_in_the_box() -> None:
    """FD-PIT-2: 11–20, it stays until its next turn."""
    for roll in (11, 20):
        scene = in_box(roll)
        assert scene.ask("gear")["seat"] == 2
        assert (scene.car(1)["space"], scene.car(1)["status"]) == ("B1", "pit")


@pytest.mark.parametrize("came_in", [2, 6])
def test_after_a_slow_stop_the_car_leaves_in_fourth_or_lower(came_in: int) -> None:
    """FD-PIT-2, FD-REV-2: whatever it came in, and at no cost."""
    car = at("B1", gear=came_in, lap=2, pit_stops=1, wear={"gearbox": 0, "brakes": 0})
    ask = Scene({1: car, 2: at("S6.m1")}).ask("gear")
    assert ask["options"] == [1, 2, 3, 4]
    assert ask["costs"] == {}
    assert ask["out"] == []


def test_leaving_the_box_the_lane_space_is_the_first_space_moved() -> None:
    """FD-PIT-6, ruling: a two from B1 ends on P5."""
    car = at("B1", gear=4, lap=2, pit_stops=1)
    assert set(Scene({1: car, 2: at("S6.m1")}).gear(1).roll(2).ends()) == {"P5"}


def test_over_rev_does_not_apply_in_the_lane() -> None:
    """FD-PIT-3: 4th to 1st costs nothing, even without a gearbox."""
    car = at("P10", gear=4, lap=2, pit_stops=1, wear={"gearbox": 0, "brakes": 0})
    ask = Scene({1: car, 2: at("S6.m1")}).ask("gear")
    assert set(ask["options"]) >= {1, 2, 3, 4}
    assert ask["costs"] == {}


def test_cars_of_the_lane_do_not_collide() -> None:
    """FD-PIT-3: directly behind one another, and beside the track at the lane's end."""
    cars = {1: at("P5", gear=2, lap=2, pit_stops=1), 2: at("P8", lap=2, pit_stops=1)}
    assert not Scene(cars).drive(2, 2, "P7").rollers("collision")
    cars = {1: at("P16", gear=2, lap=2, pit_stops=1), 2: at("S1.r19", lap=2)}
    assert not Scene(cars).drive(2, 2, "P18").rollers("collision")


def test_no_brakes_are_spent_in_the_lane() -> None:
    """FD-PIT-3: the rules of braking do not apply."""
    car = at("P7", gear=2, lap=2, pit_stops=1)
    options = Scene({1: car, 2: at("S6.m1")}).gear(2).roll(4).ask("move")["options"]
    assert [(option["to"], option["brakes"]) for option in options] == [("P11", 0)]


def test_in_the_lane_a_car_waits_behind_another_at_no_cost() -> None:
    """FD-PIT-3: whatever its gear, even ten spaces too fast."""
    cars = {1: at("P6", gear=4, lap=2, pit_stops=1), 2: at("P8", lap=2, pit_stops=1)}
    scene = Scene(cars).gear(5).roll(17)
    ends = scene.ends()
    assert set(ends) == {"P7"}
    assert (ends["P7"]["blocked"], ends["P7"]["cost"]) == (0, {})
    scene.move("P7")
    assert scene.car(1)["status"] == "pit"
    assert scene.car(1)["wear"]["brakes"] == 3


def test_a_car_waits_on_its_way_to_the_box_as_well() -> None:
    """FD-PIT-3: seat 2 goes to B2 beside P5 and meets a car on P4."""
    cars = {2: at("P1", gear=3), 1: at("P4", gear=2, lap=2, pit_stops=1, served=True)}
    header = {"seats": [{"seat": 1}, {"seat": 2}]}
    assert set(Scene(cars, header=header).gear(3).roll(8).ends()) == {"P3"}


def test_a_fast_exit_waits_behind_a_car_in_the_lane() -> None:
    """FD-PIT-3: half of ten is five spaces, but P6 is taken."""
    cars = {1: DOOR, 2: at("P6", lap=2, pit_stops=1)}
    scene = Scene(cars).drive(4, 10, "B1").black(1, 10)
    assert [(o["to"], o["cost"]) for o in scene.ask("move")["options"]] == [("P5", {})]


LATE = {"seats": [{"seat": 1}, {"seat": 2, "box": 9}], "laps": 3}
"""Seat 2 has its box beside P12, so on P4 it is still on its way."""


def test_a_car_held_up_in_its_box_waits_there_and_has_made_its_stop() -> None:
    """FD-PIT-3, FD-PIT-1: P4 is taken; the stop is not begun again."""
    cars = {1: at("B1", lap=2, pit_stops=1), 2: at("P4")}
    scene = Scene(cars, header=LATE).drive(2, 4, "B1")
    assert scene.ask("gear")["seat"] == 2
    assert (scene.car(1)["lap"], scene.car(1)["pit_stops"]) == (2, 1)
    assert scene.wear(1, "brakes") == 3


def test_a_fast_exit_that_is_held_up_stays_in_the_box() -> None:
    """FD-PIT-3, FD-PIT-2: it has rolled once and is in 4th."""
    cars = {1: DOOR, 2: at("P5")}
    scene = Scene(cars, header=LATE).drive(4, 10, "B1")
    scene.say({"correct": {"cars": {"2": {"space": "P4"}}}, "reason": "held up"})
    scene.black(1, 8).move("B1")
    assert scene.ask("gear")["seat"] == 2
    assert (scene.car(1)["lap"], scene.car(1)["gear"]) == (2, 4)


def test_a_car_in_its_box_does_not_hold_up_the_lane() -> None:
    """FD-PIT-6, ruling: the box is a space of its own."""
    cars = {1: at("B1", lap=2, pit_stops=1), 2: at("P1", gear=3)}
    assert set(Scene(cars, order=[2, 1]).gear(3).roll(8).ends()) == {"B2"}


def test_out_of_the_lane_the_car_is_on_the_track_again() -> None:
    """FD-PIT-6: P18 leads to S1.r19 and S1.r20; from there the rules of the track hold."""
    car = at("P17", gear=2, lap=2, pit_stops=1)
    scene = Scene({1: car, 2: at("S6.m1", lap=2)}).gear(2).roll(2)
    assert set(scene.ends()) == {"S1.r19", "S1.r20"}
    scene.move("S1.r19")
    assert scene.car(1)["status"] == "racing"


def test_collisions_count_again_on_the_track() -> None:
    """FD-PIT-3: the lane's peace ends with the lane."""
    cars = {1: at("P17", gear=2, lap=2, pit_stops=1), 2: at("S1.r20", lap=2)}
    assert Scene(cars).drive(2, 2, "S1.r19").rollers("collision") == [2, 1]


def test_the_lap_counts_as_the_car_enters_its_box() -> None:
    """FD-PIT-5, ruling: and its stop is counted."""
    scene = at_the_door().move("B1")
    assert (scene.car(1)["lap"], scene.car(1)["pit_stops"]) == (2, 1)
    assert scene.car(1)["stops"] == 0


def test_passing_the_line_in_the_lane_does_nothing_more() -> None:
    """FD-PIT-5, ruling: new tires are in their first lap as the car leaves."""
    car = at("P17", gear=2, lap=2, pit_stops=1, tires_lap=1)
    scene = Scene({1: car, 2: at("S6.m1")}).drive(2, 3, "S1.r21")
    assert (scene.car(1)["lap"], scene.car(1)["tires_lap"]) == (2, 1)
    assert not scene.told("LineCrossed")


def test_new_tires_are_in_their_first_lap() -> None:
    """FD-PIT-5, FD-TIRE-6: a lap on a set counts from fitting."""
    cars = {1: {**DOOR, "lap": 2, "tires_lap": 2}, 2: at("S6.m1")}
    scene = Scene(cars, header={"laps": 3}).drive(4, 10, "B1")
    assert scene.car(1)["tires_lap"] == 1


def order(cars: dict[int, Any], laps: int = 3) -> list[int]:
    """The order of a new round."""
    found: list[int] = Scene(cars, new_round=True, header={"laps": laps}).state["order"]
    return found


def test_cars_of_the_straight_play_before_cars_of_the_lane() -> None:
    """FD-PIT-4: though the pit car's level is higher, here on P16 against S1.r3."""
    assert order({1: at("P16", lap=2, pit_stops=1), 2: at("S1.r3", lap=1)}) == [2, 1]


def test_a_car_past_the_exit_plays_before_the_lane_too() -> None:
    """FD-PIT-4: further along it is ahead anyway."""
    assert order({1: at("P16", lap=2, pit_stops=1), 2: at("S1.r21", lap=2)}) == [2, 1]


def test_cars_of_the_lane_play_furthest_first() -> None:
    """FD-PIT-4, ruling: and after the whole straight."""
    cars = {
        1: at("B1", lap=2, pit_stops=1),
        2: at("P12", lap=2, pit_stops=1),
        3: at("S1.l2", lap=1),
    }
    assert order(cars) == [3, 2, 1]


def test_a_pit_car_still_plays_before_those_behind_the_straight() -> None:
    """FD-PIT-4: the straight goes first, not the corner before it."""
    assert order({1: at("T10.l1", lap=1), 2: at("B2", lap=2, pit_stops=1)}) == [2, 1]


def test_nobody_gains_a_lap_in_the_order_by_stopping() -> None:
    """FD-PIT-5, ruling: in its box a car counts without the added lap."""
    cars = {1: at("B1", lap=2, pit_stops=1), 2: at("S2.m5", lap=2), 3: at("S9.l1", lap=1)}
    assert order(cars) == [2, 1, 3]


def test_past_the_line_in_the_lane_the_added_lap_counts() -> None:
    """FD-PIT-5, ruling: P18 lies behind the line, P17 before it."""
    cars = {1: at("P18", lap=2, pit_stops=1), 2: at("T10.l1", lap=1), 3: at("S2.m1", lap=2)}
    assert order(cars) == [3, 1, 2]


def test_a_second_stop_is_for_the_next_lap() -> None:
    """FD-PIT-1, ruling: one stop a completed lap; lap 2 of 3 may end in the box again."""
    assert pit_ends(at_the_door(lap=2, pit_stops=1, laps=3)) == {"B1"}


def test_a_roll_of_twenty_into_the_box_tests_others_only() -> None:
    """FD-PIT-3, FD-ENGINE-2: no test for the car in the pit lane."""
    cars = {1: at("T10.r2", gear=5, stops=1), 2: at("S6.m1", gear=5)}
    scene = Scene(cars).drive(5, 20, "B1").black(1, 15)
    assert scene.rollers("engine") == [2]
