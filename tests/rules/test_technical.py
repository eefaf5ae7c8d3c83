"""FD-TECH: a stop for tires or a technical one; FD-TEAM: points and pools of two."""

from __future__ import annotations

from typing import Any

import pytest
from support.each import in_one
from support.formula.scenes import Scene, at
from support.formula.table import header

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine

WORN = {"brakes": 1, "engine": 2, "tires": 2}


def in_box(rules: tuple[str, ...] = ("technical",), wear: Any = None, **more: Any) -> Scene:
    """Seat 1 has driven into its box at the end of lap 1 of 3."""
    worn = WORN if wear is None else wear
    cars = {1: at("T10.r2", stops=1, wear=worn, **more), 2: at("S6.m1")}
    told: dict[str, Any] = {"laps": 3, "rules": list(rules)}
    if "teams" in rules:
        told["seats"] = [{"seat": 1, "team": "Rouge"}, {"seat": 2, "team": "Rouge"}]
    return Scene(cars, header=told).gear(4).roll(10).move("B1")


def repair(scene: Scene, **points: int) -> Scene:
    """Seat 1 chooses a technical stop and puts points into these categories."""
    return scene.say({"seat": 1, "pit": "technical"}).say({"seat": 1, "repair": points})


def test_a_car_in_its_box_chooses_its_stop() -> None:
    """FD-TECH-1"""
    scene = in_box()
    assert scene.ask("pit")["options"] == ["tires", "technical"]
    assert scene.car(1)["pool"] == 2


def test_a_tire_stop_is_as_in_the_complete_rules() -> None:
    """FD-TECH-1, FD-PIT-2: all tires, the die, and a fast exit."""
    scene = in_box().say({"seat": 1, "pit": "tires"})
    assert scene.ask("black")["for"] == "pit"
    scene.black(1, 7).move("P7")
    assert (scene.wear(1, "tires"), scene.wear(1, "brakes")) == (6, 1)
    assert scene.car(1)["pool"] == 2


def test_a_technical_stop_repairs_and_renews_the_tires_too() -> None:
    """FD-TECH-1: up to 2 WP to one or two categories other than tires."""
    scene = in_box().say({"seat": 1, "pit": "technical"})
    assert scene.ask("repair")["options"] == {"points": 2, "categories": ["brakes", "engine"]}
    scene.say({"seat": 1, "repair": {"brakes": 1, "engine": 1}})
    assert [scene.wear(1, name) for name in ("tires", "brakes", "engine")] == [6, 2, 3]
    assert scene.car(1)["pool"] == 0


def test_a_technical_stop_rolls_no_die_and_leaves_at_the_next_turn_in_fourth_or_lower() -> None:
    """FD-TECH-1"""
    scene = repair(in_box(), brakes=2)
    assert scene.ask("gear")["seat"] == 2
    scene.gear(1).roll(1).move(next(iter(scene.ends())))
    assert (scene.ask("gear")["seat"], scene.ask("gear")["options"]) == (1, [1, 2, 3, 4])


def test_one_point_may_be_kept_for_later() -> None:
    """FD-TECH-1: up to 2 of the pool."""
    assert repair(in_box(), engine=1).car(1)["pool"] == 1


def test_with_an_empty_pool_or_nothing_worn_it_is_a_tire_stop() -> None:
    """FD-TECH-1: asked only where there is a choice."""
    assert in_box(pool=0).ask("black")["for"] == "pit"
    assert in_box(wear={"tires": 1}).ask("black")["for"] == "pit"


def test_one_point_for_one_category_is_not_asked_for() -> None:
    """FD-TECH-1: the only repair is made by itself."""
    scene = in_box(wear={"engine": 2}).say({"seat": 1, "pit": "technical"})
    assert scene.wear(1, "engine") == 3
    assert (scene.ask("gear")["seat"], scene.car(1)["pool"]) == (2, 1)


@in_one(
    ("value", "code", "rule"),
    [
        ({"tires": 1}, "illegal", "FD-TECH-1"),
        ({"brakes": 2, "engine": 1}, "illegal", "FD-TECH-1"),
        ({"engine": 2}, "illegal", "FD-CAR-2"),
        ({"body": 1}, "illegal", "FD-CAR-2"),
        ({}, "malformed", "FD-TECH-1"),
        ({"engine": 0}, "malformed", "FD-TECH-1"),
        ({"fuel": 1}, "malformed", "FD-TECH-1"),
    ],
)
def test_a_repair_against_the_rules_is_refused(value: Any, code: str, rule: str) -> None:
    """FD-TECH-1, FD-CAR-2"""
    error = in_box().say({"seat": 1, "pit": "technical"}).refused({"seat": 1, "repair": value})
    assert (error["code"], error["rule"]) == (code, rule)


def test_a_repair_beyond_the_pool_names_the_rule_of_the_pool() -> None:
    """FD-TECH-1: even where the category could not take it either (FD-CAR-2)."""
    scene = in_box(pool=1).say({"seat": 1, "pit": "technical"})
    for value in ({"brakes": 2}, {"engine": 2}):
        error = scene.refused({"seat": 1, "repair": value})
        assert (error["key"], error["rule"]) == ("repair-too-many", "FD-TECH-1")


@pytest.mark.parametrize(("value", "code"), [("fuel", "illegal"), (1, "malformed")])
def test_there_are_two_kinds_of_stop(value: Any, code: str) -> None:
    """FD-TECH-1"""
    assert in_box().refused({"seat": 1, "pit": value})["code"] == code


def test_a_repaired_gearbox_lets_the_car_skip_gears_again() -> None:
    """FD-REV-2, ruling."""
    scene = repair(in_box(wear={"gearbox": 0}), gearbox=1)
    assert scene.wear(1, "gearbox") == 1


def test_tires_are_chosen_before_the_stop() -> None:
    """FD-TURN-1, FD-TIRE-7: tires, choice, die."""
    scene = in_box(("technical", "tires"))
    assert scene.kinds == {"tires"}
    scene.say({"seat": 1, "tires": "hard"})
    assert scene.kinds == {"pit"}


def test_a_stop_goes_on_from_its_state() -> None:
    """FD-TECH-1: `stop` and `repair` are pending steps of STATE."""
    scene = in_box().say({"seat": 1, "pit": "technical"})
    fresh = Engine(TrackLibrary())
    told = scene.engine.header
    assert told is not None
    assert fresh.handle({"new": {**told, "position": scene.state}})["ok"]
    assert fresh.state() == scene.state
    assert fresh.asks()[0]["options"] == scene.ask("repair")["options"]


# teams


def refusal(teams: list[str | None], **more: Any) -> dict[str, Any]:
    """The error of a header with a seat for each of these teams."""
    seats = [{"seat": seat, "team": team} for seat, team in enumerate(teams, start=1)]
    told = header(1, rules=["teams"], grid=None, **more) | {"seats": seats}
    error: dict[str, Any] = Engine(TrackLibrary()).handle({"new": told})["error"]
    return error


@pytest.mark.parametrize("teams", [["Rouge", None], ["Rouge", "Rouge", "Rouge"]])
def test_every_seat_has_a_team_of_two(teams: list[str | None]) -> None:
    """FD-TEAM-1"""
    error = refusal(teams)
    assert (error["code"], error["rule"]) == ("malformed", "FD-TEAM-1")


def test_the_pool_of_a_team_is_four_and_at_most_two_a_stop() -> None:
    """FD-TEAM-1, FD-TECH-1"""
    scene = in_box(("technical", "teams"), wear={"brakes": 0, "engine": 1})
    assert "pool" not in scene.car(1)
    assert scene.state["teams"] == [{"team": "Rouge", "points": 0, "place": None, "pool": 4}]
    scene.say({"seat": 1, "pit": "technical"})
    assert scene.ask("repair")["options"]["points"] == 2
    scene.say({"seat": 1, "repair": {"brakes": 2}})
    assert scene.state["teams"][0]["pool"] == 2


def test_a_team_without_technical_has_no_pool() -> None:
    """FD-TEAM-1"""
    assert in_box(("teams",)).state["teams"] == [{"team": "Rouge", "points": 0, "place": None}]


def result(places: list[int], out: tuple[int, ...] = ()) -> list[dict[str, Any]]:
    """The teams after a race of four (1 and 2 red, 3 and 4 blue) with these seats home."""
    teams = {1: "Rouge", 2: "Rouge", 3: "Bleu", 4: "Bleu"}
    cars: dict[int, Any] = {
        seat: {"status": "finished", "place": place, "lap": 3, "gear": 3}
        for place, seat in enumerate(places, start=1)
    }
    cars |= {seat: {"status": "out", "lap": 1, "gear": 3} for seat in out}
    seats = [{"seat": seat, "team": teams[seat]} for seat in cars]
    scene = Scene(cars, new_round=True, header={"rules": ["teams"], "seats": seats})
    told: list[dict[str, Any]] = scene.state["teams"]
    return told


def test_the_team_with_the_most_points_wins() -> None:
    """FD-TEAM-1: 10, 8, 6, 5 by place."""
    assert result([3, 1, 2, 4]) == [
        {"team": "Bleu", "points": 15, "place": 1},
        {"team": "Rouge", "points": 14, "place": 2},
    ]


def test_an_eliminated_car_scores_nothing() -> None:
    """FD-TEAM-1"""
    assert [team["points"] for team in result([1, 3], out=(2, 4))] == [10, 8]
    assert [team["team"] for team in result([1, 3], out=(2, 4))] == ["Rouge", "Bleu"]


def test_equal_totals_go_to_the_better_best_car() -> None:
    """FD-TEAM-1, ruling: nobody has scored, a blue car went furthest."""
    cars = {
        1: {"status": "out", "lap": 1, "gear": 3, "out": {"round": 3, "why": "body"}},
        3: {"status": "out", "lap": 1, "gear": 3, "out": {"round": 5, "why": "body"}},
    }
    seats = [{"seat": 1, "team": "Rouge"}, {"seat": 3, "team": "Bleu"}]
    scene = Scene(cars, new_round=True, header={"rules": ["teams"], "seats": seats})
    assert [team["team"] for team in scene.state["teams"]] == ["Bleu", "Rouge"]
