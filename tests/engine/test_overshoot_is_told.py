"""That a corner was overshot is not forgotten while the checkpoint is asked for (FD-CORNER-4)."""

from __future__ import annotations

from typing import Any

from support.formula.scenes import Scene, at

CORRECTION = {"correct": {"cars": {"2": {"wear": {"tires": 3}}}}}


def overshot() -> Scene:
    """Jack has overshot the first corner over the line and stands in the second."""
    worn = {"body": 1, "engine": 1, "brakes": 1}
    cars = {1: at("S1.l7", gear=6, wear=worn), 2: at("S3.m5")}
    drivers = ("Jack Owens", "Derek Manson")
    seats = [{"seat": seat, "driver": name} for seat, name in enumerate(drivers, 1)]
    header = {"track": "budapest", "laps": 3, "rules": ["urban"], "seats": seats}
    scene = Scene(cars, header=header).gear(6).roll(30)
    return scene.say({"seat": 1, "length": {"spaces": 30, "by": []}}).move("T2.r1")


def recovered(scene: Scene) -> list[dict[str, Any]]:
    """The stops that are made when the points of the checkpoint have come back."""
    return scene.say({"seat": 1, "recover": {"body": 1}}).told("StopMade")


def test_the_end_of_an_overshoot_is_no_stop() -> None:
    scene = overshot()
    assert scene.told("Overshot")
    assert recovered(scene) == []
    assert scene.car(1)["stops"] == 0


def test_it_is_no_stop_after_a_correction_of_another_car() -> None:
    scene = overshot().say(CORRECTION)
    assert recovered(scene) == []
    assert scene.car(1)["stops"] == 0


def test_it_is_no_stop_after_a_restart_from_state() -> None:
    scene = overshot()
    scene.say({"new": {**(scene.engine.header or {}), "position": scene.state}})
    assert recovered(scene) == []


def test_state_says_how() -> None:
    halts = [step for step in overshot().state["pending"] if step["step"] == "halt"]
    assert halts == [{"step": "halt", "seat": 1, "how": ["overshot"]}]
