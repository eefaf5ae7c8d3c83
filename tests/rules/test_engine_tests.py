"""FD-ENGINE: a 20 in 5th or a 30 in 6th tries the engines of all fast cars."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from support.formula.scenes import JSON, Scene, at


def flat_out(others: Mapping[int, JSON], *, start: str = "S6.r3") -> Scene:
    """Seat 1 rolls a 20 in 5th, not yet moved."""
    return Scene({1: at(start, gear=4), **others}).gear(5).roll(20)


def test_a_twenty_in_fifth_tests_every_car_in_fifth_or_sixth() -> None:
    """FD-ENGINE-1: the roller too; nobody in 4th or below."""
    others = {2: at("S9.l1", gear=5), 3: at("S4.l1", gear=6), 4: at("S2.l1", gear=4)}
    scene = flat_out(others).move("S6.r23")
    assert set(scene.rollers("engine")) == {1, 2, 3}


def test_a_thirty_in_sixth_tests_engines() -> None:
    """FD-ENGINE-1: 30 on the die of 6th."""
    cars = {1: at("T5.m12", gear=5, stops=3), 2: at("S9.l1", gear=5)}
    scene = Scene(cars).gear(6).roll(30)
    scene.move(next(iter(scene.ends())))
    assert set(scene.rollers("engine")) == {1, 2}


@pytest.mark.parametrize(("gear", "face"), [(5, 19), (6, 29), (6, 21)])
def test_any_other_face_tests_nothing(gear: int, face: int) -> None:
    """FD-ENGINE-1: only the highest face of each of the two dice."""
    scene = Scene({1: at("T5.m12", gear=5, stops=3), 2: at("S9.l1", gear=6)}).gear(gear).roll(face)
    scene.move(next(iter(scene.ends())))
    assert not scene.rollers("engine")


def test_one_to_four_cost_an_engine_point() -> None:
    """FD-ENGINE-1: 5 and more cost nothing."""
    scene = flat_out({2: at("S9.l1", gear=5)}).move("S6.r23")
    assert scene.ask("black", 1)["options"] == [[1, 4], [5, 20]]
    scene.black(1, 4).black(2, 5)
    assert (scene.wear(1, "engine"), scene.wear(2, "engine")) == (2, 3)


def test_the_face_counts_whatever_is_braked() -> None:
    """FD-ENGINE-2, ruling: a 20 of which three spaces are braked is a 20."""
    scene = flat_out({}).move("S6.r20", brakes=3)
    assert scene.rollers("engine") == [1]


def test_the_roller_is_first_then_the_others_in_running_order() -> None:
    """FD-ENGINE-2, ruling: by position, whatever the seats."""
    others = {2: at("S2.l1", gear=5), 3: at("S9.l1", gear=5), 4: at("S7.m1", gear=5)}
    scene = flat_out(others).move("S6.r23")
    assert scene.rollers("engine") == [1, 3, 4, 2]


def test_engine_tests_may_be_answered_in_any_order() -> None:
    """FD-ENGINE-1: all that may be rolled together is asked together."""
    scene = flat_out({2: at("S9.l1", gear=5)}).move("S6.r23")
    scene.black(2, 1).black(1, 20)
    assert (scene.wear(1, "engine"), scene.wear(2, "engine")) == (3, 2)


def test_the_others_test_though_the_roller_is_out() -> None:
    """FD-ENGINE-2, ruling: the roller left a 3-stop corner with no stop."""
    scene = flat_out({2: at("S9.l1", gear=5)}, start="T5.m11").move("S6.m19")
    assert scene.car(1)["status"] == "out"
    assert scene.rollers("engine") == [2]


def test_a_roller_stopped_by_debris_leaves_the_others_their_test() -> None:
    """FD-ENGINE-2, FD-DEBRIS-3: an out by debris ends the roller's turn, not the test."""
    others = {2: at("S9.l1", gear=5), 3: at("S6.r24")}
    cars = {1: at("S6.r3", gear=4, wear={"handling": 1})}
    scene = Scene(cars | others, debris=["S6.r10"]).drive(5, 20, "S6.r23").black(1, 1)
    assert scene.open == [(2, "black", "engine")]


def test_cars_in_the_pit_lane_are_not_tested() -> None:
    """FD-ENGINE-2, FD-PIT-3: neither others nor a roller that drove in."""
    others = {2: at("P2", gear=5), 3: at("S6.m1", gear=6)}
    scene = flat_out(others).move("S6.r23")
    assert scene.rollers("engine") == [1, 3]
    cars = {1: at("T10.r2", gear=5, stops=1), 2: at("S6.m1", gear=5)}
    scene = Scene(cars).drive(5, 20, "B1").settle()
    assert [event["seat"] for event in scene.told("EngineTested")] == [2]


def test_a_spun_car_keeps_its_gear_for_the_test() -> None:
    """FD-CORNER-6, FD-ENGINE-1: until its next turn its lever stays."""
    scene = flat_out({2: at("S9.l1", gear=5, status="spun")}).move("S6.r23")
    assert scene.rollers("engine") == [1, 2]


def test_a_car_put_out_by_the_collision_is_not_tested() -> None:
    """FD-ENGINE-1, FD-TURN-1: those that are in 5th or 6th after the collision rolls."""
    others = {2: at("S6.r24", gear=5, wear={"body": 1}), 3: at("S9.l1", gear=5)}
    scene = flat_out(others).move("S6.r23").slip(None).black(2, 1).black(1, 20)
    assert scene.rollers("engine") == [1, 3]


def test_the_last_engine_point_puts_a_car_out_where_it_stands() -> None:
    """FD-ENGINE-3, FD-DEBRIS-1: the car of another seat, with its debris."""
    scene = flat_out({2: at("S9.l1", gear=5, wear={"engine": 1})}).move("S6.r23").settle(s2=1)
    assert scene.car(2)["out"]["rule"] == "FD-ENGINE-3"
    assert scene.car(2)["space"] is None
    assert scene.state["debris"] == ["S9.l1"]


def test_a_finisher_is_not_tested_and_the_others_are() -> None:
    """FD-END-2, FD-ENGINE-2: no engine test beyond the line, for the car that is over it."""
    cars = {1: at("S1.l10", gear=4, lap=2), 2: at("S6.m1", gear=5, lap=2)}
    scene = Scene(cars).gear(5).roll(20)
    scene.move(next(iter(scene.ends())))
    assert scene.car(1)["status"] == "finished"
    assert 1 not in scene.rollers("engine")


def test_in_rain_engines_hold_on_a_four() -> None:
    """FD-WEATHER-4: engine on 1–3 instead of 1–4."""
    cars = {1: at("S6.r3", gear=4), 2: at("S9.l1", gear=5)}
    scene = Scene(cars, weather="rain").drive(5, 20, "S6.r23")
    assert scene.ask("black", 1)["options"] == [[1, 3], [4, 20]]
    scene.black(1, 4).black(2, 3)
    assert (scene.wear(1, "engine"), scene.wear(2, "engine")) == (3, 2)


def test_a_roller_put_out_by_its_collision_leaves_the_others_their_test() -> None:
    """FD-ENGINE-2, ruling: out by body before the engines are tested."""
    cars = {1: at("S6.r3", wear={"body": 1}), 2: at("S6.m23"), 3: at("S9.l1", gear=5)}
    scene = Scene(cars).drive(5, 20, "S6.r23").black(2, 20).black(1, 1)
    assert scene.open == [(3, "black", "engine")]
