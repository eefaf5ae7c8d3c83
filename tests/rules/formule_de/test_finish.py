"""DE-END, DE-SLIP: what goes on as in Formula D."""

from __future__ import annotations

from support.formula.formule_de import scene
from support.formula.scenes import at


def test_the_first_over_the_line_wins_and_the_race_ends_when_all_have_crossed_it() -> None:
    """DE-END-1"""
    cars = {1: at("S1.m17", gear=2, lap=2), 2: at("S1.l15", gear=2, lap=2)}
    race = scene(cars, order=[1, 2]).drive(2, 2, "S1.m19")
    assert (race.car(1)["place"], race.state["phase"]) == (1, "race")
    race.drive(2, 2, "S1.l17")
    assert race.state["phase"] == "finished"
    assert [row["seat"] for row in race.state["classification"]] == [1, 2]
    assert race.told("RaceEnded")[0]["rule"] == "DE-END-1"


def test_a_wreck_does_not_hold_up_the_end() -> None:
    """DE-END-1, DE-BLOCK-1"""
    wreck = {"why": "blocked", "space": "S1.m12", "stands": True, "round": 4}
    cars = {1: at("S1.m17", gear=2, lap=2), 2: {"status": "out", "out": wreck, "gear": 2, "lap": 2}}
    race = scene(cars, order=[1, 2]).drive(2, 2, "S1.m19")
    assert race.state["phase"] == "finished"


def test_a_car_directly_behind_another_may_slipstream() -> None:
    """DE-SLIP-1: as FD-SLIP-1 to FD-SLIP-6; then the group rolls where the whole move ends."""
    cars = {1: at("S6.m3", gear=4), 2: at("S6.m12"), 3: at("S8.m1")}
    race = scene(cars).drive(4, 8, "S6.m11")
    assert {"S6.m13"} <= set(race.ends("slipstream"))
    race.slip("S6.m13")
    assert race.told("Slipstreamed")[0]["behind"] == 2
    assert not race.rollers("collision")


def test_a_brake_spent_forfeits_the_slipstream() -> None:
    """DE-SLIP-1, FD-SLIP-1"""
    cars = {1: at("S6.m3", gear=4), 2: at("S6.m12"), 3: at("S8.m1")}
    assert "slipstream" not in scene(cars).drive(4, 9, "S6.m11", 1).kinds
