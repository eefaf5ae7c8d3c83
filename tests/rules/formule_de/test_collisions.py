"""DE-BUMP: all who touch one another roll, each once for each car that it touches."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from support.each import in_one
from support.formula.formule_de import scene
from support.formula.scenes import Scene, at

from companion.rules.formula.collisions import touching

YELLOW, BLUE, RED, GREEN = 1, 2, 3, 4
PLACES = {YELLOW: "S6.m6", BLUE: "S6.m7", RED: "S6.l7", GREEN: "S6.m8"}
"""Yellow stands behind blue; blue, red and green touch one another."""
EXAMPLE = {YELLOW: 1, BLUE: 3, RED: 2, GREEN: 2}


def chain(**body: int) -> Scene:
    """Yellow has come from S6.m4 to stand behind blue; `body` by color where it differs."""
    cars: dict[int, Any] = {seat: at(space) for seat, space in PLACES.items()}
    cars[YELLOW] = at("S6.m4", gear=2)
    for name, points in body.items():
        seat = {"yellow": YELLOW, "blue": BLUE, "red": RED, "green": GREEN}[name]
        cars[seat]["wear"] = {"body": points}
    return scene(cars).drive(2, 2, "S6.m6")


def rolls(race: Scene) -> Counter[int]:
    """How often each seat has rolled."""
    return Counter(event["seat"] for event in race.told("CollisionRolled"))


def test_the_example_of_the_book() -> None:
    """DE-BUMP-1: yellow rolls 1, blue 3, red 2, green 2."""
    assert rolls(chain().settle()) == EXAMPLE


@pytest.mark.parametrize("mover", PLACES)
def test_whoever_moved_the_counts_are_the_same(mover: int) -> None:
    """DE-BUMP-1"""
    cars = {seat: at(space) for seat, space in PLACES.items()}
    state = scene(cars).engine.moment
    touched = touching(state, state.cars[mover])
    assert {seat: len(near) for seat, near in touched.items()} == EXAMPLE


def test_each_roll_is_for_one_car_touched() -> None:
    """DE-BUMP-1: blue for yellow, red and green."""
    told = [e["against"] for e in chain().settle().told("CollisionRolled") if e["seat"] == BLUE]
    assert sorted(told) == [YELLOW, RED, GREEN]


def test_all_but_the_cause_roll_together_in_running_order_the_cause_last() -> None:
    """DE-BUMP-2, FD-BUMP-3"""
    race = chain()
    assert race.rollers("collision") == [GREEN, RED, BLUE]
    seats = [event["seat"] for event in race.settle().told("CollisionRolled")]
    assert seats[-1] == YELLOW
    assert YELLOW not in seats[:-1]


def test_a_one_costs_a_body_and_makes_the_space_dangerous_at_once() -> None:
    """DE-BUMP-1, DE-DEBRIS-1"""
    race = chain().black(GREEN, 1)
    assert race.wear(GREEN, "body") == 2
    assert race.state["debris"] == ["S6.m8"]
    race.black(GREEN, [2, 20])
    assert race.wear(GREEN, "body") == 2


def test_the_last_body_eliminates_and_costs_the_cause_one_instead_of_its_roll() -> None:
    """DE-BUMP-2, DE-OUT-1"""
    race = chain(blue=1).black(BLUE, 1)
    assert (race.car(BLUE)["out"]["why"], race.car(BLUE)["out"]["rule"]) == ("body", "DE-OUT-1")
    damaged = race.told("Damaged")[0]
    assert (damaged["seat"], damaged["rule"], damaged["against"]) == (YELLOW, "DE-BUMP-2", BLUE)
    race.settle()
    assert race.wear(YELLOW, "body") == 2
    assert rolls(race) == {BLUE: 1, RED: 2, GREEN: 2}


def test_a_car_of_the_group_that_the_cause_does_not_touch_costs_it_a_body_too() -> None:
    """DE-BUMP-2: eliminated by it all the same; its roll for blue stays."""
    race = chain(red=1).black(RED, 1).settle()
    assert race.wear(YELLOW, "body") == 2
    assert rolls(race)[YELLOW] == 1


def test_the_cause_may_go_out_by_it_and_the_others_still_roll() -> None:
    """DE-BUMP-2"""
    race = chain(blue=1, yellow=1).black(BLUE, 1)
    assert race.car(YELLOW)["status"] == "out"
    assert set(race.rollers("collision")) == {RED, GREEN}
    race.settle()
    assert rolls(race)[YELLOW] == 0


def test_a_car_directly_behind_rolls_too_where_a_collision_arises() -> None:
    """DE-BUMP-1, ruling: touching is beside, or one directly behind the other."""
    cars = {1: at("S6.r6", gear=2), 2: at("S6.m8"), 3: at("S6.m6")}
    race = scene(cars).drive(2, 2, "S6.m7").settle()
    assert rolls(race) == {1: 2, 2: 1, 3: 1}


def test_a_car_behind_the_mover_is_no_cause_by_itself() -> None:
    """DE-BUMP-1: it must come to stand beside or behind another."""
    cars = {1: at("S6.m6", gear=2), 2: at("S6.m7"), 3: at("S8.m1")}
    race = scene(cars).gear(2).roll(4)
    front = [end for end in race.ends() if end == "S6.m9"]
    assert not race.move(front[0]).rollers("collision")


def test_cars_in_the_pit_lane_and_those_that_are_out_do_not_touch() -> None:
    """DE-PIT-4, FD-BUMP-3"""
    cars = {1: at("S6.m4", gear=2), 2: {"status": "out", "lap": 1}, 3: at("P5", lap=1)}
    assert not scene(cars, order=[1, 3], laps=3).drive(2, 2, "S6.m6").rollers("collision")


def test_a_collision_half_way_is_whole_in_a_position() -> None:
    """DE-BUMP-1: who still rolls for whom, and the cause."""
    race = chain().black(BLUE, 20)
    position = {key: value for key, value in race.state.items() if key not in ("cars", "laps")}
    twin = scene({int(seat): car for seat, car in race.state["cars"].items()}, **position)
    assert [a["seat"] for a in twin.asks] == [a["seat"] for a in race.asks]
    twin.settle()
    assert rolls(twin) == EXAMPLE | {BLUE: 2}


def test_a_cause_retired_by_the_referee_leaves_the_others_their_rolls() -> None:
    """DE-BUMP-1: as a collision of Formula D goes on without its mover."""
    race = chain().say({"seat": YELLOW, "retire": True, "reason": "test"})
    assert set(race.rollers("collision")) == {BLUE, RED, GREEN}
    race.settle()
    assert rolls(race)[YELLOW] == 0


@in_one(
    "step",
    [
        {"step": "touch", "seat": 1, "rolls": [[2]], "against": []},
        {"step": "touch", "seat": 1, "rolls": [[2, 1], [2, 1]], "against": []},
        {"step": "touch", "seat": 1, "rolls": 3, "against": []},
        {"step": "touch", "seat": 1, "rolls": [[2, 2]], "against": []},
        {"step": "touch", "seat": 1, "rolls": [[1, 2]], "against": []},
        {"step": "touch", "seat": 1, "rolls": [], "against": [1]},
        {"step": "collision", "seat": 1, "others": [2], "against": []},
        {"step": "lift", "seat": 1},
    ],
)
def test_a_pending_step_that_cannot_be_is_refused(step: dict[str, Any]) -> None:
    """DE-BUMP-1, DE-BLOCK-1"""
    pending = [step, {"step": "end", "seat": 1, "lost": []}]
    with pytest.raises(AssertionError, match=r"touch|pending|lifted"):
        scene({1: at("S6.m6"), 2: at("S6.m7")}, pending=pending)
