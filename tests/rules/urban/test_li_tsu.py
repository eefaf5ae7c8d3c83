"""FD-DRV-1: who passes Li-Tsu in a straight moves one space less.

In the straights of the street l8 and r9 stand level, m8 half a space behind them.
"""

from __future__ import annotations

from typing import Any

import pytest
from support.formula.scenes import Scene, at
from support.formula.street import DIMITRI, JENNY, LI_TSU, TEMANA, street

KEEP = {"nitro": True}


def beside(space: str, her: str, gear: int, face: int, **car: Any) -> Scene:
    """Dimitri has rolled, Li-Tsu stands somewhere."""
    cars = {DIMITRI: at(space, gear=gear, **KEEP, **car), LI_TSU: at(her, gear=gear)}
    return street(cars).gear(gear).roll(face)


def test_a_car_that_passes_her_in_a_straight_moves_one_space_less() -> None:
    """FD-DRV-1"""
    scene = beside("S1.m7", "S1.m8", 2, 3)
    assert set(scene.ends()) == {"S1.l8", "S1.r9"}
    scene.move("S1.l8")
    (told,) = scene.told("Charmed")
    assert (told["seat"], told["against"], told["rule"]) == (1, 2, "FD-DRV-1")
    assert scene.told("Moved")[0]["spaces"] == 2


def test_she_costs_no_wear_and_the_move_is_not_braked() -> None:
    """FD-DRV-1"""
    assert beside("S1.m7", "S1.m8", 2, 3).ends()["S1.l8"]["cost"] == {}


@pytest.mark.parametrize("lap", [1, 2])
def test_she_charms_behind_the_line_of_the_last_lap_too(lap: int) -> None:
    """FD-DRV-1, FD-END-2: the line ahead lifts a car, not the one behind it."""
    cars = {DIMITRI: at("S1.m7", gear=2, lap=lap, **KEEP), LI_TSU: at("S1.m8", gear=2, lap=lap)}
    assert set(street(cars, laps=2).gear(2).roll(3).ends()) == {"S1.l8", "S1.r9"}


def test_nobody_is_charmed_beyond_the_last_line() -> None:
    """FD-DRV-1, FD-END-2: who crosses it is lifted before he passes her."""
    cars = {DIMITRI: at("S1.m3", gear=3, lap=2, **KEEP), LI_TSU: at("S1.m6", gear=2, lap=2)}
    assert "S1.m8" in street(cars, laps=2).gear(3).roll(5).ends()


def test_one_space_less_even_where_the_car_then_fails_to_pass() -> None:
    """FD-DRV-1: from r8 the only way with a 1 leads past her."""
    scene = beside("S1.r8", "S1.m8", 1, 1)
    assert set(scene.ends()) == {"S1.r8"}
    scene.move("S1.r8")
    assert scene.told("Charmed")
    assert scene.told("Moved")[0]["spaces"] == 0


def test_from_level_to_ahead_is_passing_too() -> None:
    """FD-DRV-1: l8 and r9 are level."""
    assert "S1.l10" in beside("S1.l8", "S1.r9", 2, 3).ends()
    assert "S1.l11" not in beside("S1.l8", "S1.r9", 2, 3).ends()


def test_a_car_ahead_of_her_passes_nobody() -> None:
    """FD-DRV-1"""
    assert "S1.l12" in beside("S1.l9", "S1.m8", 2, 3).ends()


def test_a_car_that_stays_behind_her_is_not_charmed() -> None:
    """FD-DRV-1"""
    assert "S1.m10" in beside("S1.m7", "S1.m12", 2, 3).ends()


def test_in_a_corner_she_charms_nobody() -> None:
    """FD-DRV-1: in straights only."""
    scene = beside("S1.l13", "T1.m1", 2, 3)
    assert "T1.l2" in scene.ends()


def test_brakes_come_off_first() -> None:
    """FD-DRV-1: with one braked the way has two spaces, and one less."""
    assert set(beside("S1.m7", "S1.m8", 2, 3).ends(brakes=1)) == {"S1.l7", "S1.r8"}


def test_a_way_that_could_pass_her_by_a_zigzag_only_is_not_shorter() -> None:
    """FD-DRV-1, FD-MOVE-2: after m1, r1 of the straight no legal step leads to m2, ahead of her."""
    cars = {DIMITRI: at("T7.l2", gear=3, stops=1, **KEEP), LI_TSU: at("S8.l2", gear=2)}
    scene = street(cars, track="monaco").gear(3).roll(5)
    assert set(scene.ends()) == {"S8.m2", "T8.r1"}


@pytest.mark.parametrize(("ways", "offered"), [("any", True), ("shortest", False)])
def test_a_detour_past_her_is_no_shortest_way(ways: str, offered: bool) -> None:
    """FD-DRV-1, FD-MOVE-4, switch corner_ways: behind her the same space is reached sooner."""
    cars = {DIMITRI: at("T7.m2", gear=4, stops=1, **KEEP), LI_TSU: at("S8.m2", gear=2)}
    cars[JENNY] = at("T8.m1", gear=2)
    scene = street(cars, track="monaco", house={"corner_ways": ways})
    assert ("T8.m5" in scene.gear(4).roll(11).ends()) == offered


def test_she_may_be_passed_beyond_her_straight_at_no_price() -> None:
    """FD-DRV-1: at its last space nobody gets ahead of her inside it."""
    scene = beside("S1.m13", "S1.r15", 3, 4)
    assert "T1.m3" in scene.ends()


def test_a_slipstream_past_her_is_shorter_too() -> None:
    """FD-DRV-1, FD-SLIP-2"""
    cars = {DIMITRI: at("T2.r1", gear=4, stops=1, **KEEP), LI_TSU: at("S1.r5", gear=4)}
    scene = street(cars, laps=3).drive(4, 7, "S1.r4")
    assert set(scene.ends("slipstream")) == {"S1.m5", "S1.l4"}
    scene.slip("S1.m5")
    assert scene.told("Charmed")
    assert scene.told("Moved")[1]["spaces"] == 2


def test_a_move_is_shortened_once() -> None:
    """FD-DRV-1: passed in the move, she does nothing to its slipstream."""
    cars = {
        DIMITRI: at("T2.r1", gear=4, stops=1, **KEEP),
        LI_TSU: at("S1.m2", gear=4),
        JENNY: at("S1.r5", gear=4),
    }
    scene = street(cars, laps=3).gear(4).roll(8).move("S1.r4")
    assert scene.told("Charmed")
    (step,) = [step for step in scene.state["pending"] if step["step"] == "slipstream"]
    assert step["how"] == ["charmed"]
    assert "S1.m6" in scene.ends("slipstream")


def test_a_shortened_move_may_slipstream() -> None:
    """FD-DRV-1, FD-SLIP-1: nothing was braked, nobody was blocked."""
    cars = {
        DIMITRI: at("T2.r1", gear=4, stops=1, **KEEP),
        LI_TSU: at("S1.m2", gear=4),
        JENNY: at("S1.r5", gear=4),
    }
    assert street(cars, laps=3).gear(4).roll(8).move("S1.r4").kinds == {"slipstream"}


def test_she_herself_and_others_go_their_way() -> None:
    """FD-DRV-1: opponents who pass her, not those whom she passes."""
    cars = {LI_TSU: at("S1.m7", gear=2, **KEEP), TEMANA: at("S1.m8", gear=2)}
    assert set(street(cars).gear(2).roll(3).ends()) >= {"S1.l9", "S1.r10"}


def test_out_or_home_she_charms_nobody() -> None:
    """FD-DRV-1"""
    gone = {"status": "out", "space": None, "gear": 1}
    cars = {DIMITRI: at("S1.m7", gear=2, **KEEP), LI_TSU: gone}
    assert "S1.m10" in street(cars).gear(2).roll(3).ends()
