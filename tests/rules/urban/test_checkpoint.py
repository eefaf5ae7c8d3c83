"""FD-URBAN-7: the line at the end of a lap; FD-DRV-6: Jenny's skill."""

from __future__ import annotations

from typing import Any

import pytest
from support.formula.scenes import Scene, at
from support.formula.street import DIMITRI, JENNY, TEMANA, street

KEEP = {"nitro": True}
WORN = {"tires": 1, "brakes": 1, "gearbox": 1, "body": 1}
FAR = {TEMANA: at("S2.m6", gear=1)}


def crosses(driver: str = DIMITRI, laps: int = 3, lap: int = 1, **car: Any) -> Scene:
    """A car crosses the line in 2nd gear."""
    cars = {driver: at("S1.m3", gear=2, lap=lap, **{**KEEP, "wear": WORN, **car})}
    return street(cars | FAR, laps=laps).drive(2, 3, "S1.m6")


def test_a_car_regains_all_tires_and_two_points_of_its_choice() -> None:
    """FD-URBAN-7"""
    scene = crosses()
    assert scene.wear(1, "tires") == 5
    ask = scene.ask("recover")
    assert ask["options"] == {"points": 2, "categories": ["brakes", "gearbox", "body"]}
    scene.say({"seat": 1, "recover": {"brakes": 1, "body": 1}})
    assert (scene.wear(1, "brakes"), scene.wear(1, "body")) == (2, 2)
    assert scene.told("CheckpointPassed")[0]["gain"] == {"tires": 4}
    assert scene.told("Recovered")[0]["rule"] == "FD-URBAN-7"


def test_fewer_points_may_be_taken_but_none_of_tires() -> None:
    """FD-URBAN-7: the two points are for the other categories."""
    scene = crosses()
    error = scene.refused({"seat": 1, "recover": {"tires": 1}})
    assert (error["code"], error["rule"]) == ("illegal", "FD-URBAN-7")
    scene.say({"seat": 1, "recover": {"body": 1}})
    assert scene.wear(1, "body") == 2


def test_jenny_regains_four() -> None:
    """FD-DRV-6"""
    scene = crosses(JENNY)
    assert scene.ask("recover")["options"]["points"] == 4
    scene.say({"seat": 1, "recover": {"brakes": 3, "body": 1}})
    assert (scene.wear(1, "brakes"), scene.wear(1, "tires")) == (4, 4)
    assert scene.told("Recovered")[0]["rule"] == "FD-DRV-6"


def test_the_first_crossing_refills_nothing() -> None:
    """FD-END-2"""
    scene = crosses(lap=0)
    assert scene.wear(1, "tires") == 1
    assert not scene.told("CheckpointPassed")


def test_the_last_crossing_is_the_finish() -> None:
    """FD-URBAN-7: and a race of one lap has no checkpoint."""
    assert not crosses(laps=1).told("CheckpointPassed")
    assert not crosses(laps=2, lap=2).told("CheckpointPassed")


def overshoots(tires: int) -> Scene:
    """Dimitri leaves the last corner without its stop, five spaces too far, over the line."""
    car = at("T2.l8", gear=3, wear={"tires": tires}, **KEEP)
    return street({DIMITRI: car} | FAR, laps=3).drive(3, 5, "S1.l5")


def test_losses_of_a_corner_before_the_line_come_first() -> None:
    """FD-URBAN-7: with four tires WP the new ones come too late."""
    scene = overshoots(4)
    assert scene.story("LineCrossed", "Overshot", "Eliminated", "CheckpointPassed") == [
        "LineCrossed",
        "Overshot",
        "Eliminated",
    ]


def test_a_car_that_spins_over_the_line_has_new_tires() -> None:
    """FD-CORNER-6, FD-URBAN-7"""
    scene = overshoots(5)
    assert (scene.car(1)["status"], scene.wear(1, "tires")) == ("spun", 5)


@pytest.mark.parametrize("driver", [DIMITRI, JENNY])
def test_a_whole_car_is_asked_nothing(driver: str) -> None:
    """FD-URBAN-7: asked only where there is a choice."""
    scene = crosses(driver, wear={})
    assert scene.open == [(2, "gear", None)]
    assert scene.told("CheckpointPassed")
    assert not scene.told("Recovered")


def test_what_leaves_no_choice_comes_back_by_itself() -> None:
    """FD-URBAN-7"""
    scene = crosses(wear={"body": 2, "engine": 2})
    assert scene.told("Recovered")[0]["gain"] == {"body": 1, "engine": 1}
    scene = crosses(wear={"brakes": 1})
    assert scene.told("Recovered")[0]["gain"] == {"brakes": 2}


def test_a_slipstream_over_the_line_passes_the_checkpoint_once() -> None:
    """FD-URBAN-7"""
    cars = {
        DIMITRI: at("T2.r1", gear=4, stops=1, wear={"tires": 2}, **KEEP),
        JENNY: at("S1.r5", gear=4),
    }
    scene = street(cars, laps=3).drive(4, 7, "S1.r4")
    assert not scene.told("CheckpointPassed")
    scene.slip("S1.m6")
    assert len(scene.told("CheckpointPassed")) == 1
    assert scene.wear(1, "tires") == 5
