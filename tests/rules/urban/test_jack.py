"""FD-DRV-2: Jack drifts, one space more or less in every corner, for a tires WP."""

from __future__ import annotations

from typing import Any

import pytest
from support.formula.scenes import Scene, at
from support.formula.street import DIMITRI, JACK, JENNY, street

KEEP = {"nitro": True}
FAR = {JENNY: at("S1.l8", gear=1)}


def rolled(space: str, gear: int = 2, face: int = 3, laps: int = 2, **car: Any) -> Scene:
    """Jack has rolled."""
    cars = {JACK: at(space, gear=gear, **{**KEEP, **car})} | FAR
    return street(cars, laps=laps).gear(gear).roll(face)


def lengths(scene: Scene) -> list[tuple[int, tuple[str, ...]]]:
    """The lengths on offer; none where the move is asked at once."""
    if "length" not in scene.kinds:
        return []
    return [(o["spaces"], tuple(o["by"])) for o in scene.ask("length")["options"]]


def drifts(scene: Scene, spaces: int, *by: str) -> Scene:
    """Jack takes this length."""
    return scene.say({"seat": 1, "length": {"spaces": spaces, "by": [*by, "drift"]}})


def test_in_a_corner_he_moves_one_more_or_one_less() -> None:
    """FD-DRV-2"""
    scene = rolled("T1.l2")
    assert lengths(scene) == [(2, ("drift",)), (3, ()), (4, ("drift",))]
    assert "T1.l6" in drifts(scene, 4).ends()


def test_each_drift_costs_a_tires_point() -> None:
    """FD-DRV-2: it stands in the cost of the move."""
    scene = drifts(rolled("T1.l2"), 4)
    assert scene.ends()["T1.l6"]["cost"] == {"tires": 1}
    scene.move("T1.l6")
    assert scene.wear(1, "tires") == 8
    (told,) = scene.told("Drifted")
    assert (told["corner"], told["cost"], told["rule"]) == ("T1", {"tires": 1}, "FD-DRV-2")


def test_a_corner_gives_one_drift_a_lap() -> None:
    """FD-DRV-2"""
    scene = drifts(rolled("T1.l1"), 4).move("T1.l5")
    assert scene.car(1)["drift"] == {"T1": 1}
    assert lengths(rolled("T1.l2", drift={"T1": 1})) == []
    assert lengths(rolled("T1.l2", drift={"T1": 1}, lap=2))


def test_the_move_must_touch_the_corner() -> None:
    """FD-DRV-2"""
    assert lengths(rolled("S1.m8")) == []
    # from l12 three spaces end on l15, the first of the corner: one less would not reach it
    assert lengths(rolled("S1.l12")) == [(3, ()), (4, ("drift",))]


def test_brakes_do_not_take_a_drift_out_of_its_corner() -> None:
    """FD-DRV-2: only ends that touch it are listed."""
    scene = drifts(rolled("S1.l13", face=3), 4)
    assert all(option["to"].startswith("T1") for option in scene.ask("move")["options"])
    assert "T1.l1" in scene.ends(brakes=2)


def test_without_tires_there_is_no_drift() -> None:
    """FD-DRV-2: it needs a tires WP."""
    assert lengths(rolled("T1.l2", wear={"tires": 0})) == []
    assert lengths(rolled("T1.l2", wear={"tires": 1}))


def test_a_drift_never_spins_him_by_itself() -> None:
    """FD-DRV-2"""
    scene = drifts(rolled("T1.l2", wear={"tires": 1}), 4).move("T1.l6")
    assert (scene.wear(1, "tires"), scene.car(1)["status"]) == (0, "racing")


def test_the_tires_of_a_drift_are_gone_for_the_overshoot() -> None:
    """FD-DRV-2, FD-CORNER-6: two tires, one drifted away, one spent beyond the limit."""
    scene = drifts(rolled("T1.l6", face=2, stops=1, wear={"tires": 2}), 3)
    option = scene.ends()["S2.l1"]
    assert (option["spin"], option["cost"]) == (True, {"tires": 2})
    scene.move("S2.l1")
    assert (scene.car(1)["status"], scene.wear(1, "tires")) == ("spun", 0)


def test_one_less_keeps_him_in_the_corner() -> None:
    """FD-DRV-2"""
    scene = drifts(rolled("T1.l6", face=3, stops=1), 2).move("T1.l8")
    assert scene.car(1)["stops"] == 2


def test_the_next_corner_is_fresh_and_so_is_the_same_one_a_lap_later() -> None:
    """FD-DRV-2: beyond the line the corner belongs to the next lap."""
    scene = rolled("T1.l2", drift={"T2": 1})
    assert lengths(scene)
    scene = rolled("S1.l3", gear=4, face=12, laps=3, drift={"T1": 1, "T2": 1})
    assert (13, ("drift",)) in lengths(scene)
    drifts(scene, 13).move("T1.m2")
    assert scene.car(1)["drift"] == {"T1": 2, "T2": 1}


def test_nitro_and_drift_go_together() -> None:
    """FD-DRV-2, FD-URBAN-2"""
    scene = rolled("T1.l1", nitro=False)
    assert lengths(scene) == [
        (2, ("drift",)),
        (3, ()),
        (4, ("drift",)),
        (4, ("nitro", "drift")),
        (5, ("nitro",)),
        (6, ("nitro", "drift")),
    ]
    drifts(scene, 6, "nitro").move("T1.l7")
    assert (scene.car(1)["nitro"], scene.car(1)["drift"]) == (True, {"T1": 1})


def test_a_one_may_be_drifted_to_nothing() -> None:
    """FD-DRV-2, FD-MOVE-5: a stop is marked where the car stands."""
    scene = drifts(rolled("T1.l2", gear=1, face=1), 0).move("T1.l2")
    assert scene.car(1)["stops"] == 1


def test_nobody_else_drifts() -> None:
    """FD-DRV-2"""
    scene = street({DIMITRI: at("T1.l2", gear=2, **KEEP)} | FAR).gear(2).roll(3)
    assert scene.kinds == {"move"}


@pytest.mark.parametrize("value", [{"spaces": 4, "by": []}, {"spaces": 5, "by": ["drift"]}])
def test_a_drift_that_is_not_on_offer_is_refused(value: Any) -> None:
    """FD-DRV-2"""
    assert rolled("T1.l2").refused({"seat": 1, "length": value})["code"] == "illegal"
