"""The referee explains: the line `explain`, and the rule that a refusal carries.

Why a space is not an end of a move is for tests/rules/test_explain.py.
"""

from __future__ import annotations

from typing import Any

import pytest
from support.each import in_one
from support.formula.scenes import Scene, at

TWO = {1: at("S1.l20", gear=3), 2: at("S1.r20", gear=3)}
CLOSE = {1: at("S1.m18", gear=2), 2: at("S1.m22", gear=2)}


def explained(scene: Scene, answer: dict[str, Any]) -> dict[str, Any]:
    """The explanation of an answer, which has changed nothing."""
    before = (scene.state, scene.asks, scene.engine.version)
    reply = scene.engine.handle({"explain": answer})
    assert reply["ok"], reply
    assert set(reply) == {"ok", "version", "explain", "asks"}
    assert before == (scene.state, reply["asks"], reply["version"])
    found: dict[str, Any] = reply["explain"]
    assert set(found) == {"legal", "rules", "at", "instead"}
    return found


def broken(scene: Scene, answer: dict[str, Any]) -> list[str]:
    """The rules that an answer breaks; its refusal carries the first of them."""
    found = explained(scene, answer)
    assert not found["legal"]
    error = scene.refused(answer)
    assert error["rule"] == (found["rules"][0] if found["rules"] else None)
    return list(found["rules"])


def test_a_legal_answer_is_legal_and_breaks_no_rule() -> None:
    found = explained(Scene(TWO), {"seat": 1, "gear": 4})
    assert found == {"legal": True, "rules": [], "at": [], "instead": []}


def test_a_gear_too_high_breaks_its_rule_and_the_nearest_gears_are_named() -> None:
    """FD-GEAR-2"""
    scene = Scene(TWO)
    assert broken(scene, {"seat": 1, "gear": 6}) == ["FD-GEAR-2"]
    assert explained(scene, {"seat": 1, "gear": 6})["instead"] == [4, 3, 2]


def test_a_gear_that_takes_the_last_engine_point_is_legal_and_says_so() -> None:
    """FD-REV-2"""
    scene = Scene({1: at("S1.l20", gear=6, wear={"engine": 1}), 2: at("S1.r20", gear=3)})
    found = explained(scene, {"seat": 1, "gear": 2})
    assert (found["legal"], found["rules"]) == (True, ["FD-REV-2"])


def test_who_is_not_on_turn_breaks_the_order() -> None:
    """FD-ORDER-1"""
    scene = Scene(TWO)
    assert broken(scene, {"seat": 2, "gear": 3}) == ["FD-ORDER-1"]
    assert broken(scene, {"seat": 2, "roll": 5}) == ["FD-ORDER-1"]


def test_a_turn_is_the_gear_then_the_roll_then_the_move() -> None:
    """FD-GEAR-1"""
    scene, move = Scene(TWO), {"seat": 1, "move": {"to": "S2.m1", "brakes": 0}}
    assert broken(scene, {"seat": 1, "roll": 5}) == ["FD-GEAR-1"]
    assert broken(scene, move) == ["FD-GEAR-1"]
    scene.gear(3)
    assert broken(scene, {"seat": 1, "gear": 3}) == ["FD-GEAR-1"]
    assert broken(scene, move) == ["FD-GEAR-1"]


def test_while_rolls_are_open_their_rule_comes_before_whose_turn_it_is() -> None:
    """FD-BUMP-1"""
    scene = Scene(CLOSE).drive(2, 3, "S1.m21")
    assert scene.rollers("collision") == [2, 1]
    for answer in ({"seat": 1, "gear": 2}, {"seat": 2, "gear": 2}, {"seat": 1, "roll": 2}):
        assert broken(scene, answer) == ["FD-BUMP-1"]


def test_the_ids_are_those_of_the_edition() -> None:
    """DE-BUMP-1"""
    header = {"game": "formule-de"}
    scene = Scene(CLOSE, header=header).drive(2, 3, "S1.m21")
    assert broken(scene, {"seat": 1, "gear": 2}) == ["DE-BUMP-1"]


def test_a_face_that_the_die_has_not_breaks_its_range() -> None:
    """FD-DIE-1"""
    assert broken(Scene(TWO).gear(3), {"seat": 1, "roll": 9}) == ["FD-DIE-1"]


@pytest.mark.parametrize("value", ["3", 3.0, None, [3]])
def test_what_is_malformed_is_explained_too_and_breaks_no_rule(value: object) -> None:
    assert broken(Scene(TWO), {"seat": 1, "gear": value}) == []


def test_a_slipstream_that_nobody_offers_has_the_wrong_gear_or_place() -> None:
    """FD-SLIP-1"""
    answer = {"seat": 1, "slipstream": {"to": "S1.m23", "brakes": 0}}
    assert broken(Scene(TWO), answer)[0] == "FD-SLIP-1"


@in_one(
    "line",
    [
        {"explain": 1},
        {"explain": {}},
        {"explain": {"seat": 1}},
        {"explain": {"gear": 3}},
        {"explain": {"seat": 1, "gear": 3, "roll": 2}},
        {"explain": {"seat": 1, "gear": 3}, "seat": 1},
        {"explain": {"seat": "1", "gear": 3}},
    ],
    ids=str,
)
def test_what_is_no_answer_is_not_explained(line: dict[str, Any]) -> None:
    assert Scene(TWO).refused(line)["code"] == "malformed"


def test_without_a_race_there_is_nothing_to_explain() -> None:
    scene = Scene(TWO)
    fresh = type(scene.engine)(scene.engine._tracks)
    reply = fresh.handle({"explain": {"seat": 1, "gear": 3}})
    assert reply["error"]["code"] == "no-race"
