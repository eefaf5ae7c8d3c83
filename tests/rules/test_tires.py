"""FD-TIRE: the soft bonus, the slide in rain, what an overshoot costs on which tires.

In Sainte-Dévote (T1 of Monaco) the outer lane has 7 spaces, the middle 5, the inner 3.
"""

from __future__ import annotations

from typing import Any

import pytest
from support.formula.scenes import LIBRARY, Scene, at

from companion.race.engine import Engine

TIRES = {"rules": ["weather", "tires"]}
FAR = {2: at("S6.m6", gear=2)}
PLAIN, SOFT = {"spaces": 2, "by": []}, {"spaces": 3, "by": ["soft"]}
BUILT = {"tires": 14, "brakes": 2, "gearbox": 1, "body": 1, "engine": 1, "handling": 1}


def rolled(space: str, gear: int, face: int, *others: str, **more: Any) -> Scene:
    """Seat 1 has rolled; others stand in its way, one far off."""
    position = {key: more.pop(key) for key in ("weather", "header") if key in more}
    cars = {1: at(space, gear=gear, **more)} | FAR
    cars |= {seat: at(other, gear=1) for seat, other in enumerate(others, start=3)}
    return Scene(cars, **{"header": TIRES, **position}).gear(gear).roll(face)


def tires_lost(scene: Scene, to: str) -> int:
    """The tires WP of an end with nothing braked."""
    lost: int = scene.ends()[to]["tires"]
    return lost


# the soft bonus


def test_soft_tires_may_go_a_space_further_in_their_first_lap() -> None:
    """FD-TIRE-3: one space more, optional."""
    scene = rolled("S6.m2", 2, 2, tires="soft")
    assert scene.ask("length")["options"] == [PLAIN, SOFT]
    assert "S6.m5" in scene.say({"seat": 1, "length": SOFT}).ends()


def test_the_bonus_may_be_left_out() -> None:
    """FD-TIRE-3"""
    scene = rolled("S6.m2", 2, 2, tires="soft").say({"seat": 1, "length": PLAIN})
    assert "S6.m4" in scene.ends()
    assert "S6.m5" not in scene.ends()


@pytest.mark.parametrize(
    "car",
    [
        {"tires": "soft", "tires_lap": 2, "lap": 2},
        {"tires": "hard"},
        {"tires": "rain"},
        {"tires": "soft", "weather": "rain"},
    ],
)
def test_nobody_else_is_asked_for_a_length(car: dict[str, Any]) -> None:
    """FD-TIRE-3, FD-TIRE-4: no bonus after the first lap, in rain, or on other tires."""
    assert rolled("S6.m2", 2, 2, **car).kinds == {"move"}


def test_lap_nought_and_one_are_one_lap_for_tires() -> None:
    """FD-END-2, FD-TIRE-3"""
    scene = rolled("S1.m17", 2, 2, tires="soft", lap=0).say({"seat": 1, "length": PLAIN})
    scene.move("S1.m19")
    assert (scene.car(1)["lap"], scene.car(1)["tires_lap"]) == (1, 1)


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ({"spaces": 3, "by": []}, "illegal"),
        ({"spaces": 4, "by": ["soft"]}, "illegal"),
        ({"spaces": 3, "by": ["nitro"]}, "illegal"),
        (3, "malformed"),
    ],
)
def test_another_length_is_refused(value: Any, code: str) -> None:
    """FD-TIRE-3: exactly what is listed."""
    assert rolled("S6.m2", 2, 2, tires="soft").refused({"seat": 1, "length": value})["code"] == code


def test_a_great_start_on_soft_tires_may_be_five_spaces() -> None:
    """FD-TIRE-3, FD-START-4: on each move."""
    cars = {1: {"space": "S1.l16", "tires": "soft"}, 2: {"space": "S1.r16"}}
    scene = Scene(cars, header=TIRES).black(1, 20)
    assert [option["spaces"] for option in scene.ask("length")["options"]] == [4, 5]
    assert set(scene.say({"seat": 1, "length": {"spaces": 5, "by": ["soft"]}}).ends()) == {"S1.l21"}


# the slide


def test_in_rain_a_move_that_touches_a_corner_is_three_spaces_longer() -> None:
    """FD-TIRE-2, FD-TIRE-6: from S1.m20 three spaces reach T1.m1; round S1.r23 they do not."""
    ends = rolled("S1.m20", 2, 3, weather="rain").ends()
    assert set(ends) == {"S1.r23", "T1.l4", "T1.m3", "T1.m4", "T1.r2", "T1.r3"}


def test_a_move_that_touches_no_corner_does_not_slide() -> None:
    """FD-TIRE-6: two spaces end before Sainte-Dévote."""
    assert set(rolled("S1.m20", 2, 2, weather="rain").ends()) == {"S1.l21", "S1.m22", "S1.r22"}


def test_brakes_that_keep_a_car_out_of_the_corner_keep_it_from_sliding() -> None:
    """FD-TIRE-6, ruling: the way of n less b spaces decides."""
    ends = rolled("S1.m20", 2, 3, weather="rain").ends(brakes=1)
    assert set(ends) == {"S1.l21", "S1.m22", "S1.r22"}


def test_the_space_where_a_move_begins_is_not_counted() -> None:
    """FD-TIRE-6, ruling: from T1.m5 two spaces are on the straight."""
    ends = rolled("T1.m5", 2, 2, weather="rain", stops=1).ends()
    assert {"S2.m2", "S2.r2"} <= set(ends)
    assert not {"S2.m5", "S2.r5"} & set(ends)


def test_soft_tires_slide_as_hard_ones() -> None:
    """FD-TIRE-4"""
    hard = rolled("S1.m20", 2, 3, weather="rain").ends()
    assert rolled("S1.m20", 2, 3, weather="rain", tires="soft").ends() == hard


def test_rain_tires_slide_by_one_space() -> None:
    """FD-TIRE-5"""
    ends = rolled("S1.m20", 2, 3, weather="rain", tires="rain").ends()
    assert set(ends) == {"S1.r23", "T1.l2", "T1.m1", "T1.m2", "T1.r1"}


@pytest.mark.parametrize("tires", ["hard", "rain"])
def test_in_the_dry_nobody_slides(tires: str) -> None:
    """FD-TIRE-2, FD-TIRE-5"""
    assert "T1.m1" in rolled("S1.m20", 2, 3, tires=tires, weather="variable").ends()


def test_a_slide_may_carry_a_car_over_the_limit() -> None:
    """FD-TIRE-6, FD-CORNER-2: its spaces beyond are paid for."""
    scene = rolled("S1.m20", 3, 4, weather="rain")
    assert scene.ends()["S2.r1"]["cost"] == {"tires": 1}


def test_a_slide_that_is_blocked_is_paid_for() -> None:
    """FD-TIRE-6, FD-BLOCK-1: T1.r2 touches the corner, the three spaces more are not free."""
    ends = rolled("S1.r23", 2, 2, "T1.r3", weather="rain").ends()
    assert set(ends) == {"T1.r2"}
    assert (ends["T1.r2"]["blocked"], ends["T1.r2"]["cost"]) == (3, {"brakes": 3})


def test_who_is_blocked_before_its_length_is_up_slides_if_it_has_touched() -> None:
    """FD-TIRE-6, FD-BLOCK-1: a four is blocked at T1.r2 too: two spaces and the slide."""
    ends = rolled("S1.r23", 2, 4, "T1.r3", weather="rain").ends()
    assert set(ends) == {"T1.r2"}
    assert ends["T1.r2"]["blocked"] == 5
    dry = rolled("S1.r23", 2, 4, "T1.r3").ends()
    assert dry["T1.r2"]["blocked"] == 2


def test_a_slipstream_does_not_slide() -> None:
    """FD-TIRE-6, ruling: its three spaces reach into the corner, wet or dry."""

    def ends(weather: str) -> set[str]:
        cars = {1: at("S1.m13", gear=4), 2: at("S1.m21", gear=4)}
        scene = Scene(cars, header=TIRES, weather=weather).drive(4, 7, "S1.m20")
        return set(scene.ends("slipstream"))

    assert ends("rain") == ends("fine")
    assert ends("rain")


def test_a_slide_reaches_into_the_pit() -> None:
    """FD-TIRE-6, FD-PIT-1: from T10.r1 over T10.r2 to either door, and three spaces more."""
    dry = rolled("T10.r1", 2, 4, stops=1, header={**TIRES, "laps": 3}).ask("move")["options"]
    wet = rolled("T10.r1", 2, 4, stops=1, weather="rain", header={**TIRES, "laps": 3})
    assert {o["to"] for o in dry if o["to"][0] in "PB"} == {"P1", "P2"}
    assert {o["to"] for o in wet.ask("move")["options"] if o["to"][0] in "PB"} == {"P4", "B1"}


# what an overshoot costs: from T1.m2 a four may end on S2.r1, one space beyond the limit


@pytest.mark.parametrize(
    ("kind", "by_lap"),
    [("hard", (1, 1, 1, 1)), ("soft", (2, 2, 3, 3)), ("rain", (2, 2, 3, 3))],
)
def test_an_overshoot_in_the_dry(kind: str, by_lap: tuple[int, ...]) -> None:
    """FD-TIRE-2, FD-TIRE-3, FD-TIRE-5, FD-TIRE-6: a fourth lap is as the third."""
    for age, price in enumerate(by_lap, start=1):
        scene = rolled("T1.m2", 3, 4, tires=kind, tires_lap=age)
        if "length" in scene.kinds:
            scene.say({"seat": 1, "length": {"spaces": 4, "by": []}})
        assert tires_lost(scene, "S2.r1") == price, age


def test_by_the_letter_the_second_lap_of_soft_tires_is_no_dearer() -> None:
    """FD-TIRE-3: the house switch `soft_second_lap`; the first and the third stay."""
    prices = []
    for age in (1, 2, 3):
        header = {**TIRES, "house": {"soft_second_lap": "single"}}
        scene = rolled("T1.m2", 3, 4, tires="soft", tires_lap=age, header=header)
        if "length" in scene.kinds:
            scene.say({"seat": 1, "length": {"spaces": 4, "by": []}})
        prices.append(tires_lost(scene, "S2.r1"))
    assert prices == [2, 1, 3]


@pytest.mark.parametrize(
    ("kind", "face", "by_lap"), [("soft", 4, (1, 1, 3, 3)), ("rain", 4, (1, 1, 1, 1))]
)
def test_an_overshoot_in_rain(kind: str, face: int, by_lap: tuple[int, ...]) -> None:
    """FD-TIRE-4, FD-TIRE-5: one and two spaces beyond the limit after the slide."""
    start = {"soft": "S1.m20", "rain": "T1.m2"}[kind]
    end = {"soft": "S2.r1", "rain": "S2.m2"}[kind]
    for age, price in enumerate(by_lap, start=1):
        scene = rolled(start, 3, face, tires=kind, tires_lap=age, weather="rain")
        beyond = int(end[-1])
        assert tires_lost(scene, end) == price * beyond, age


def test_a_dearer_overshoot_spins_where_it_takes_the_last_tires() -> None:
    """FD-TIRE-3, FD-CORNER-6, FD-CORNER-7: two spaces at double, of 4 tires and of 3."""
    ends = rolled("T1.m2", 3, 5, tires="rain", wear={"tires": 4}).ends()
    assert (ends["S2.m2"]["spin"], ends["S2.m2"]["out"]) == (True, False)
    assert rolled("T1.m2", 3, 5, tires="rain", wear={"tires": 3}).ends()["S2.m2"]["out"]


def test_the_grace_counts_spaces_not_points() -> None:
    """FD-CORNER-7, ruling: with 0 tires one space at triple is a new spin."""
    ends = rolled("T1.m2", 3, 4, tires="rain", tires_lap=3, wear={"tires": 0}).ends()
    assert (ends["S2.r1"]["spin"], ends["S2.r1"]["out"]) == (True, False)


def test_a_dearer_overshoot_is_paid() -> None:
    """FD-TIRE-5"""
    scene = rolled("T1.m2", 3, 4, tires="rain").move("S2.r1")
    assert scene.wear(1, "tires") == 4


def test_the_age_before_the_line_counts() -> None:
    """FD-TIRE-6, ruling: in Montréal a car leaves the last corner and crosses the line."""
    header = {**TIRES, "rules": ["build", "weather", "tires"], "track": "montreal", "laps": 3}
    soft = at("T6.r4", lap=2, tires="soft", tires_lap=2, full=BUILT, wear=BUILT)
    scene = Scene({1: soft, 2: at("S3.m2", lap=2)}, header=header, weather="rain")
    scene.drive(4, 11, "S1.r11")
    assert (scene.car(1)["tires_lap"], scene.car(1)["lap"]) == (3, 3)
    assert (scene.car(1)["status"], scene.wear(1, "tires")) == ("racing", 3)


# in the pit


def in_box(**more: Any) -> Scene:
    """Seat 1 has driven into its box at the end of lap 1 of 3."""
    cars = {1: at("T10.r2", stops=1, **more), 2: at("S6.m1")}
    return Scene(cars, header={**TIRES, "laps": 3}).gear(4).roll(10).move("B1")


def test_another_kind_may_be_taken_in_the_pit() -> None:
    """FD-TIRE-7: asked before the die; the new set is in its first lap."""
    scene = in_box(tires="rain", wear={"tires": 1})
    assert scene.ask("tires")["options"] == ["hard", "soft", "rain"]
    scene.say({"seat": 1, "tires": "soft"})
    assert (scene.car(1)["tires"], scene.car(1)["tires_lap"]) == ("soft", 1)
    assert scene.wear(1, "tires") == 6
    assert scene.ask("black")["for"] == "pit"


def test_a_choice_in_the_box_goes_on_from_its_state() -> None:
    """FD-TIRE-7: the stop itself is still pending behind it."""
    scene = in_box()
    told = scene.engine.header
    assert told is not None
    fresh = Engine(LIBRARY)
    assert fresh.handle({"new": {**told, "position": scene.state}})["ok"]
    assert fresh.state() == scene.state
    assert fresh.handle({"seat": 1, "tires": "rain"})["asks"][0]["for"] == "pit"


def test_without_the_rule_a_stop_renews_the_same_kind() -> None:
    """FD-TIRE-7"""
    cars = {1: at("T10.r2", stops=1), 2: at("S6.m1")}
    scene = Scene(cars, header={"laps": 3}).drive(4, 10, "B1")
    assert scene.kinds == {"black"}


def test_soft_tires_have_no_bonus_as_the_car_leaves_the_pit() -> None:
    """FD-TECH-2: neither on a fast exit nor after a slow one; on the track again they have."""
    scene = in_box().say({"seat": 1, "tires": "soft"}).black(1, 7)
    assert scene.kinds == {"move"}
    car = at("B1", gear=4, lap=2, pit_stops=1, tires="soft", tires_lap=1)
    assert Scene({1: car} | FAR, header=TIRES).gear(2).roll(3).kinds == {"move"}
    car = at("S1.r20", gear=2, lap=2, pit_stops=1, tires="soft", tires_lap=1)
    assert Scene({1: car} | FAR, header=TIRES).gear(2).roll(2).kinds == {"length"}
