"""House switch `extra_move`: a space that was not rolled; the rest stands in scenarios."""

from __future__ import annotations

from typing import Any

import pytest
from support.each import in_one
from support.formula.scenes import Scene, at

from companion.advice.bots.by_room import Amateur, answer
from companion.rules.formula.book import FORMULE_DE

ENGINE = [(4, []), (5, ["engine"])]
TOP = [(3, ["top"]), (4, []), (5, ["top"])]


def lengths(value: str, car: dict[str, Any], face: int = 4, **header: Any) -> list[Any]:
    """What may be chosen after a roll in 3rd; a single length is not asked for."""
    scene = Scene({1: car}, header={"house": {"extra_move": value}, **header}).gear(3).roll(face)
    options = scene.ask("length")["options"] if "length" in scene.kinds else []
    return [(one["spaces"], one["by"]) for one in options]


@in_one(
    ("value", "more", "offered"),
    [
        ("none", {}, []),
        ("engine", {}, ENGINE),
        ("engine", {"extra": True}, ENGINE),
        ("engine", {"wear": {"engine": 1}}, []),
        ("engine-lap", {}, ENGINE),
        ("engine-lap", {"extra": True}, []),
        ("top", {"wear": {"engine": 1}}, TOP),
        ("top", {"extra": True}, []),
    ],
)
def test_fd_move_1_who_may_have_a_space_that_was_not_rolled(
    value: str, more: dict[str, Any], offered: list[Any]
) -> None:
    assert lengths(value, at("S6.m1", gear=3, **more)) == offered


def test_fd_move_1_no_gear_has_a_move_of_no_space() -> None:
    scene = Scene({1: at("S6.m1", gear=1)}, header={"house": {"extra_move": "top"}}).gear(1).roll(1)
    assert [one["spaces"] for one in scene.ask("length")["options"]] == [1, 2]


def test_fd_move_1_nobody_in_the_pit_lane_has_one() -> None:
    car = at("P1", gear=3, status="pit")
    assert lengths("engine", car, laps=3) == []


def test_in_urban_races_there_is_nitro_and_no_extra_move() -> None:
    seats = [{"seat": 1, "driver": "Jenny Slivers"}]
    found = lengths("engine", at("S6.m1", gear=3), rules=["urban"], seats=seats, laps=1)
    assert all("engine" not in by for _, by in found)


def test_a_length_that_is_not_on_offer_is_refused() -> None:
    scene = Scene({1: at("S6.m1", gear=3)}, header={"house": {"extra_move": "engine"}})
    error = scene.gear(3).roll(4).refused({"seat": 1, "length": {"spaces": 6, "by": ["engine"]}})
    assert error["key"] == "no-such-length"


def test_the_edition_of_before_does_not_know_it() -> None:
    assert "extra_move" not in FORMULE_DE.house


@pytest.mark.parametrize("value", ["engine", "top"])
def test_a_bot_goes_as_far_as_it_rolled(value: str) -> None:
    """What the space is worth is not in its figures."""
    scene = Scene({1: at("S6.m1", gear=3)}, header={"house": {"extra_move": value}})
    moment = scene.gear(3).roll(4).engine.moment
    (ask,) = scene.engine._game.asks(moment)
    assert answer(Amateur(), moment, ask) == {"spaces": 4, "by": []}
