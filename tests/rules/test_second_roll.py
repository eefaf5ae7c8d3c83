"""House switch `second_roll`: a roll that a driver may make once more in a race (FD-DIE-1)."""

from __future__ import annotations

from typing import Any

import pytest
from support.formula.scenes import Scene, at

from companion.advice.bots.by_room import Amateur, answer
from companion.rules.formula.book import FORMULE_DE

ANY = {"house": {"second_roll": "any"}}


def rolled(value: str, **car: Any) -> Scene:
    """Seat 1 has rolled 5 in 3rd."""
    cars = {1: at("S6.m1", gear=3, **car), 2: at("S9.l1")}
    return Scene(cars, header={"house": {"second_roll": value}}).gear(3).roll(5)


@pytest.mark.parametrize(
    ("value", "car", "asked"),
    [
        ("none", {}, "move"),
        ("gear", {}, "second_roll"),
        ("any", {}, "second_roll"),
        ("any", {"second_roll": True}, "move"),
    ],
)
def test_fd_die_1_who_may_roll_again(value: str, car: dict[str, Any], asked: str) -> None:
    assert asked in rolled(value, **car).kinds


def test_fd_die_1_until_it_is_said_nothing_has_happened() -> None:
    scene = rolled("gear")
    assert "DieRolled" not in [event["event"] for event in scene.events]
    assert scene.ask("second_roll")["roll"] == 5
    assert scene.state["pending"][0] == {"step": "second_roll", "seat": 1, "roll": [5, 5]}


def test_fd_die_1_a_roll_that_is_let_be_leaves_the_second_for_later() -> None:
    scene = rolled("gear").say({"seat": 1, "second_roll": False}).move("S6.m6")
    assert "second_roll" not in scene.car(1)


def test_fd_die_1_the_second_roll_counts_and_there_is_no_third() -> None:
    scene = rolled("gear").say({"seat": 1, "second_roll": True}).roll(4).move("S6.m5")
    assert scene.car(1)["second_roll"] is True


def test_fd_die_1_a_face_that_the_die_has_not_is_refused_before_it_is_held() -> None:
    cars = {1: at("S6.m1", gear=3), 2: at("S9.l1")}
    error = Scene(cars, header=ANY).gear(3).refused({"seat": 1, "roll": 9})
    assert (error["key"], error["rule"]) == ("face-out-of-range", "FD-DIE-1")


def test_fd_die_1_with_gear_dice_only_the_black_die_counts_at_once() -> None:
    """Variants: not on the black die."""
    house = {"house": {"second_roll": "gear"}}
    cars = {1: at("S6.r3", gear=3, second_roll=True), 2: at("S9.l1")}
    scene = Scene(cars, header=house, debris=["S6.r5"]).drive(3, 5, "S6.r8")
    assert scene.black(1, 1).wear(1, "handling") == 1


def over_debris() -> Scene:
    cars = {1: at("S6.r3", gear=3), 2: at("S9.l1")}
    scene = Scene(cars, header=ANY, debris=["S6.r5"]).gear(3).roll(5)
    return scene.say({"seat": 1, "second_roll": False}).move("S6.r8")


def test_fd_die_1_a_range_that_hurts_is_held_as_it_was_said() -> None:
    scene = over_debris().say({"seat": 1, "black": [1, 4]})
    assert scene.ask("second_roll")["roll"] == [1, 4]
    assert scene.say({"seat": 1, "second_roll": False}).wear(1, "handling") == 1


def test_fd_die_1_a_roll_that_does_no_harm_is_not_held() -> None:
    scene = over_debris().black(1, 5)
    assert scene.wear(1, "handling") == 2
    assert "second_roll" not in scene.kinds


def collided() -> Scene:
    """Seats 1 and 2 roll together; both have rolled a 1."""
    cars = {1: at("S6.r5", gear=2), 2: at("S6.r8")}
    scene = Scene(cars, header=ANY).gear(2).roll(2).say({"seat": 1, "second_roll": False})
    scene.move("S6.r7").say({"seat": 2, "black": 1})
    return scene.say({"seat": 1, "black": 1})


@pytest.mark.parametrize("first", [1, 2])
def test_fd_die_1_two_who_roll_together_may_both_think_it_over(first: int) -> None:
    scene, other = collided(), 3 - first
    assert [ask["kind"] for ask in scene.asks] == ["second_roll", "second_roll"]
    scene.say({"seat": first, "second_roll": False})
    scene.say({"seat": other, "second_roll": True}).black(other, 20)
    assert (scene.wear(first, "body"), scene.wear(other, "body")) == (2, 3)


def test_fd_die_1_a_car_that_retires_while_it_is_asked_is_asked_no_more() -> None:
    scene = collided().say({"seat": 2, "retire": True})
    assert {ask["seat"] for ask in scene.asks} == {1}
    assert scene.say({"seat": 1, "second_roll": False}).state["turn"] == 1


def test_fd_die_1_a_roll_held_without_one_to_count_for_lets_the_race_go_on() -> None:
    """A position by hand, in which nothing has asked for it."""
    pending = [{"step": "second_roll", "seat": 1, "roll": [5, 5]}, {"step": "end", "seat": 1}]
    cars = {1: at("S6.m1", gear=3), 2: at("S9.l1")}
    scene = Scene(cars, header=ANY, pending=pending).say({"seat": 1, "second_roll": False})
    assert scene.state["turn"] == 2


def test_fd_die_1_a_position_in_which_it_was_used_is_refused() -> None:
    pending = [{"step": "second_roll", "seat": 1, "roll": [5, 5]}, {"step": "end", "seat": 1}]
    cars = {1: at("S6.m1", gear=3), 2: at("S9.l1")}
    scene = Scene(cars, header=ANY)
    part = {"cars": {"1": {"second_roll": True}}, "pending": pending}
    assert scene.refused({"correct": part, "reason": "x"})["rule"] == "FD-DIE-1"


def test_the_edition_of_before_does_not_know_it() -> None:
    assert "second_roll" not in FORMULE_DE.house


def test_a_bot_lets_its_roll_be() -> None:
    """What another roll is worth is not in its figures."""
    scene = rolled("gear")
    moment = scene.engine.moment
    (ask,) = scene.engine._game.asks(moment)
    assert answer(Amateur(), moment, ask) is False
