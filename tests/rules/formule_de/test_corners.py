"""DE-CORNER, DE-MOVE and DE-BRAKE: an overshoot is judged by its spaces."""

from __future__ import annotations

from typing import Any

import pytest
from support.each import in_one
from support.formula.formule_de import WEAR, scene
from support.formula.scenes import Scene, at

FAR = "T7.r1"


def leaving(spaces: int, *rules: str, car: dict[str, Any] | None = None, **more: Any) -> Scene:
    """Seat 1 on T1.m5 without its stop: S2.m1 is the first space beyond the limit."""
    gear = 3 if spaces >= 4 else 2 if spaces >= 2 else 1
    cars = {1: {**at("T1.m5", gear=gear), **(car or {})}, 2: at(FAR)}
    return scene(cars, *rules, **more).gear(gear).roll(spaces)


def end(race: Scene) -> dict[str, Any]:
    """The end straight on, with nothing braked."""
    return next(option for to, option in race.ends().items() if to.startswith("S2.r"))


def goes(race: Scene) -> Scene:
    """Take that end."""
    return race.move(end(race)["to"]).settle()


@in_one("spaces", [1, 2, 3, 4, 5])
def test_up_to_five_spaces_cost_as_many_tires(spaces: int) -> None:
    """DE-CORNER-1"""
    option = end(leaving(spaces))
    assert (option["cost"], option["spin"], option["out"]) == ({"tires": spaces}, False, False)


def test_six_spaces_cost_six_tires_and_a_spin() -> None:
    """DE-CORNER-1: also where tires are left."""
    race = leaving(6, "advanced", car=built(tires=9))
    option = end(race)
    assert (option["cost"], option["spin"], option["out"]) == ({"tires": 6}, True, False)
    goes(race)
    assert (race.car(1)["status"], race.wear(1, "tires")) == ("spun", 3)
    assert [race.told(name)[0]["rule"] for name in ("Overshot", "Spun")] == ["DE-CORNER-1"] * 2


def built(**wear: int) -> dict[str, Any]:
    """A constructed car."""
    full = {"tires": 9, "brakes": 4, "fuel": 1, "body": 2, "engine": 2, "handling": 2}
    return {"full": full, "wear": wear}


@pytest.mark.parametrize("spaces", [7, 8])
def test_seven_spaces_or_more_eliminate(spaces: int) -> None:
    """DE-CORNER-1: whatever tires are left."""
    race = leaving(spaces, "advanced", car=built(tires=9))
    assert end(race)["out"]
    goes(race)
    assert race.car(1)["out"]["rule"] == "DE-CORNER-1"
    assert race.state["debris"] == []


def test_a_corner_of_two_stops_left_without_any_eliminates() -> None:
    """DE-CORNER-1: and one of three with none or one."""
    cars = {1: at("T8.m9", gear=2), 2: at(FAR)}
    assert all(option["out"] for option in scene(cars).gear(2).roll(4).ends().values())
    cars = {1: at("T5.m12", gear=2, stops=1), 2: at(FAR)}
    ends = scene(cars).gear(2).roll(2).ends().values()
    assert all(option["out"] for option in ends)


def test_with_a_multiplier_the_cost_is_multiplied_and_the_spaces_decide() -> None:
    """DE-CORNER-1: soft tires in the dry cost double; 3 spaces take 6 tires, no spin of 6."""
    race = leaving(3, "advanced", "tires", car=built(tires=9) | {"tires": "soft", "tires_lap": 2})
    option = end(race)
    assert (option["cost"], option["spin"], option["out"]) == ({"tires": 6}, False, False)


def test_to_save_tires_brakes_and_tires_may_be_mixed() -> None:
    """DE-CORNER-2, DE-BRAKE-1: each brakes WP takes a space off the move."""
    race = leaving(5)
    costs = {
        option["brakes"]: option["cost"]
        for option in race.ask("move")["options"]
        if option["to"].startswith("S2.r")
    }
    assert costs[0] == {"tires": 5}
    assert costs[2] == {"brakes": 2, "tires": 3}


def test_without_brakes_a_car_cannot_brake_any_more() -> None:
    """DE-BRAKE-1"""
    race = leaving(5, car={"wear": {"brakes": 0}})
    assert {option["brakes"] for option in race.ask("move")["options"]} == {0}


def test_in_corners_every_way_along_the_arrows_is_legal() -> None:
    """DE-MOVE-1: a longer way through the corner too; on straights the shortest (FD-MOVE-4)."""
    ends = scene({1: at("T1.l1", gear=2), 2: at(FAR)}).gear(2).roll(3).ends()
    assert {"T1.l4", "T1.m3", "T1.r2"} <= set(ends)
    straight = scene({1: at("S6.l3", gear=2), 2: at(FAR)}).gear(2).roll(4).ends()
    assert set(straight) == {"S6.l7", "S6.m7", "S6.r7"}


# the last tires


def test_losing_the_last_tires_is_a_spin() -> None:
    """DE-CORNER-3: the next turn it is turned round and starts in 1st."""
    race = goes(leaving(2, car={"wear": {"tires": 2}}))
    assert race.car(1)["status"] == "spun"
    assert race.told("Spun")[0]["rule"] == "DE-CORNER-3"


def test_a_spun_car_starts_in_first() -> None:
    """DE-CORNER-3"""
    race = scene({1: at("S6.m3", status="spun", wear={"tires": 0}), 2: at(FAR)})
    assert race.ask("gear")["options"] == [1]
    assert race.gear(1).told("TurnedRound")[0]["rule"] == "DE-CORNER-3"


def test_without_tires_one_space_is_a_new_spin() -> None:
    """DE-CORNER-3"""
    race = goes(leaving(1, car={"wear": {"tires": 0}}))
    assert race.car(1)["status"] == "spun"


def test_without_tires_more_spaces_eliminate() -> None:
    """DE-CORNER-3, DE-OUT-1: tires, after the grace of the spin."""
    race = leaving(2, car={"wear": {"tires": 0}})
    assert end(race)["out"]
    goes(race)
    assert race.car(1)["out"]["rule"] == "DE-CORNER-3"


def test_more_tires_than_there_are_eliminate() -> None:
    """DE-CORNER-3, DE-OUT-1"""
    race = goes(leaving(4, car={"wear": {"tires": 3}}))
    assert race.car(1)["status"] == "out"
    assert race.car(1)["wear"] == WEAR | {"tires": 0}
