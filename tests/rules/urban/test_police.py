"""FD-URBAN-5: the police station, between S3.l3 and S3.l4 of the street."""

from __future__ import annotations

from typing import Any

import pytest
from support.each import in_one
from support.formula.scenes import Scene, at
from support.formula.street import DIMITRI, JENNY, STANLEY, STREETS, street

KEEP = {"nitro": True}
BEFORE, BEYOND = "S3.l2", "S3.l8"


def note(speed: int, passed: int = 1, lap: int = 1) -> dict[str, Any]:
    """A note of the police."""
    return {str(lap): {"speed": speed, "passed": passed}}


def passes(face: int, others: dict[str, dict[str, Any]], **car: Any) -> Scene:
    """Dimitri passes the station in 2nd gear with this face; others stand where they stand."""
    cars = {DIMITRI: at(BEFORE, gear=2, **KEEP, **car)} | others
    return street(cars).drive(2, face, f"S3.l{2 + face}")


def test_who_passes_the_station_notes_the_face_times_ten() -> None:
    """FD-URBAN-5"""
    scene = passes(3, {JENNY: at("S1.l8", gear=2, **KEEP)})
    assert scene.car(1)["police"] == note(30)
    assert scene.told("PolicePassed")[0]["rule"] == "FD-URBAN-5"


@pytest.mark.parametrize(
    ("space", "face", "to"), [("S2.m5", 3, "S2.m8"), ("S3.m4", 3, "S3.m7"), ("S3.l4", 2, "S3.l6")]
)
def test_who_is_not_there_yet_or_was_there_before_notes_nothing(
    space: str, face: int, to: str
) -> None:
    """FD-URBAN-5"""
    scene = street({DIMITRI: at(space, gear=2, **KEEP), JENNY: at("S1.l8", gear=2)})
    assert "police" not in scene.drive(2, face, to).car(1)


def test_it_is_the_face_that_counts_not_the_spaces() -> None:
    """FD-URBAN-5: nitro and brakes change nothing."""
    scene = street({DIMITRI: at(BEFORE, gear=2), JENNY: at("S1.l8", gear=2)}).gear(2).roll(4)
    scene.say({"seat": 1, "length": {"spaces": 6, "by": ["nitro"]}}).move("S3.l6", brakes=2)
    assert scene.car(1)["police"] == note(40)


def test_a_slipstream_past_the_station_counts_too() -> None:
    """FD-URBAN-5: the whole move, with the face of its roll."""
    cars = {DIMITRI: at("S2.r1", gear=4, **KEEP), JENNY: at("S3.r3", gear=4, **KEEP)}
    scene = street(cars).drive(4, 10, "S3.r2")
    assert not scene.told("PolicePassed")
    scene.slip("S3.m4")
    assert scene.told("PolicePassed")[0]["speed"] == 100


def test_the_contest_waits_for_every_car_still_running() -> None:
    """FD-URBAN-5"""
    scene = passes(3, {JENNY: at("S1.l8", gear=2), STANLEY: at(BEYOND, police=note(200))})
    assert not scene.told("PoliceWon")
    assert scene.car(3)["police"] == note(200)


def test_the_fastest_gains_two_points_in_any_categories() -> None:
    """FD-URBAN-5"""
    worn = {"wear": {"tires": 3, "brakes": 1, "engine": 2}}
    scene = passes(3, {JENNY: at(BEYOND, police=note(20))}, **worn)
    (ask,) = scene.asks
    assert (ask["seat"], ask["kind"]) == (1, "recover")
    assert ask["options"] == {"points": 2, "categories": ["tires", "brakes", "engine"]}
    scene.say({"seat": 1, "recover": {"tires": 1, "engine": 1}})
    assert (scene.wear(1, "tires"), scene.wear(1, "engine")) == (4, 3)
    assert scene.told("PoliceWon")[0]["speed"] == 30
    assert "police" not in scene.car(1)
    assert "police" not in scene.car(2)


def test_another_may_be_the_fastest() -> None:
    """FD-URBAN-5"""
    car = at(BEYOND, police=note(200), wear={"tires": 1, "body": 1})
    scene = passes(3, {JENNY: car})
    assert scene.open == [(2, "recover", None)]
    scene.say({"seat": 2, "recover": {"body": 2}})
    assert scene.told("Recovered")[0]["source"] == "police"
    assert scene.open == [(2, "gear", None)]


def test_of_equals_the_first_past_the_station_gains() -> None:
    """FD-URBAN-5"""
    others = {
        JENNY: at(BEYOND, police=note(30, passed=2), wear={"tires": 1}),
        STANLEY: at("S3.m8", police=note(30, passed=1), wear={"tires": 1}),
    }
    assert passes(3, others).told("PoliceWon")[0]["seat"] == 3


def test_nobody_is_asked_where_all_worn_points_come_back() -> None:
    """FD-URBAN-5, FD-CAR-2: up to the starting values."""
    scene = passes(3, {JENNY: at(BEYOND, police=note(20))}, wear={"tires": 4})
    assert scene.wear(1, "tires") == 5
    assert scene.told("Recovered")[0]["gain"] == {"tires": 1}
    whole = passes(3, {JENNY: at(BEYOND, police=note(20))})
    assert whole.told("PoliceWon")
    assert not whole.told("Recovered")


def test_points_to_one_category_only_are_not_asked_for() -> None:
    """FD-URBAN-5"""
    scene = passes(3, {JENNY: at(BEYOND, police=note(20))}, wear={"tires": 1})
    assert scene.wear(1, "tires") == 3


@in_one(
    ("value", "code"),
    [
        ({"tires": 2, "brakes": 1}, "illegal"),
        ({"gearbox": 1}, "illegal"),
        ({"engine": 2}, "illegal"),
        ({"engine": 0}, "malformed"),
        ({}, "malformed"),
        ({"fuel": 1}, "malformed"),
        (2, "malformed"),
    ],
)
def test_points_that_are_not_there_are_refused(value: Any, code: str) -> None:
    """FD-URBAN-5, FD-CAR-2"""
    worn = {"wear": {"tires": 3, "brakes": 1, "engine": 2}}
    scene = passes(3, {JENNY: at(BEYOND, police=note(20))}, **worn)
    assert scene.refused({"seat": 1, "recover": value})["code"] == code


def test_there_is_one_contest_a_lap() -> None:
    """FD-URBAN-5: a leader who passes again begins the next one."""
    others = {JENNY: at("S1.l8", gear=2, lap=1)}
    scene = passes(3, others, lap=2, police=note(40))
    assert scene.car(1)["police"] == note(40) | note(30, lap=2)


def test_lap_nought_and_one_are_one_lap() -> None:
    """FD-URBAN-5, FD-END-2"""
    scene = passes(3, {JENNY: at("S1.l8", gear=2)}, lap=0)
    assert scene.car(1)["police"] == note(30)


def test_the_last_that_had_not_passed_goes_out_and_the_contest_is_decided() -> None:
    """FD-URBAN-5: every car still running has passed."""
    cars = {
        DIMITRI: at("S1.l5", gear=2, wear={"engine": 1}, **KEEP),
        JENNY: at(BEYOND, police=note(120), wear={"tires": 1}),
        STANLEY: at("S3.m8", police=note(90, passed=2)),
    }
    scene = street(cars).drive(2, 2, "S1.l7")
    scene.black(1, 20)
    assert scene.car(1)["status"] == "out"
    assert scene.told("PoliceWon")[0]["seat"] == 2
    assert scene.wear(2, "tires") == 3


def test_a_car_that_comes_back_after_the_contest_passes_in_vain() -> None:
    """FD-URBAN-5: one contest a lap."""
    scene = passes(3, {JENNY: at(BEYOND)})
    assert not scene.told("PolicePassed")


def test_the_note_comes_before_the_collision() -> None:
    """FD-TURN-1: 9 before 11; a body WP gained may save the car."""
    others = {JENNY: at("S3.m5", gear=2, police=note(20))}
    scene = passes(3, others, wear={"body": 1, "tires": 1})
    assert scene.open == [(1, "recover", None)]
    scene.say({"seat": 1, "recover": {"body": 2}})
    assert scene.rollers("collision") == [2, 1]


def test_the_station_is_as_far_in_every_lane() -> None:
    """FD-URBAN-5: a lane without a space of its own goes by the level of the others."""
    track = STREETS.load("street")
    assert [track.level[space] for space in sorted(track.police)] == [57, 56, 57]


def test_a_board_without_a_station_notes_nothing() -> None:
    """FD-URBAN-5: features that it lacks do nothing."""
    cars = {DIMITRI: at("S2.m1", gear=2, **KEEP), JENNY: at("S6.m6", gear=2)}
    scene = street(cars, track="monaco").gear(2).roll(3)
    assert [step["step"] for step in scene.state["pending"]] == ["move", "end"]
