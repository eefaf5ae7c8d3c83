"""House switches of what a race is worth: `classified` and `stopped_points` (FD-TEAM-1)."""

from __future__ import annotations

from typing import Any

import pytest
from support.each import in_one
from support.formula.scenes import Scene, at


def ended(house: dict[str, str], leader: dict[str, Any], laps: int = 4) -> list[int]:
    """The points of two cars of a race that is ended as they stand."""
    header = {"house": {"points": "25-18-15-12", **house}, "laps": laps}
    scene = Scene({1: leader, 2: at("S1.m18", lap=1)}, header=header)
    state = scene.say({"end": True}).state
    return [row["points"] for row in state["classification"]]


@in_one(
    ("value", "lap", "points"),
    [
        ("full", 1, [25, 18]),
        ("half-75", 1, [12, 9]),
        ("half-75", 3, [12, 9]),
        ("half-75", 4, [25, 18]),
        ("half-75-2-laps", 2, [0, 0]),
        ("half-75-2-laps", 3, [12, 9]),
        ("half-75-2-laps", 4, [25, 18]),
    ],
)
def test_fd_team_1_what_a_stopped_race_is_worth(value: str, lap: int, points: list[int]) -> None:
    """Variants, 21-B; GG: under two laps nothing. 75 % of four laps are three whole ones."""
    assert ended({"stopped_points": value}, at("S2.m1", lap=lap)) == points


def test_fd_team_1_a_race_that_somebody_has_won_is_worth_all_of_it() -> None:
    header = {"house": {"stopped_points": "half-75-2-laps"}}
    cars = {1: at("S1.m16", gear=4, lap=2), 2: at("S1.m18", gear=4, lap=1)}
    scene = Scene(cars, header=header).drive(3, 4, "S1.m20").say({"end": True})
    assert [row["points"] for row in scene.state["classification"]] == [10, 8]


def test_fd_team_1_a_race_in_which_all_go_out_was_not_stopped() -> None:
    header = {"house": {"stopped_points": "half-75", "classified": "distance"}}
    scene = Scene({1: at("S6.m1", lap=1), 2: at("S9.l1", lap=1)}, header=header)
    scene.say({"seat": 1, "retire": True}).say({"seat": 2, "retire": True})
    assert [row["points"] for row in scene.state["classification"]] == [10, 8]


@pytest.mark.parametrize(("value", "points"), [("line", 0), ("90", 0), ("distance", 8)])
def test_fd_team_1_without_a_board_distance_is_laps(value: str, points: int) -> None:
    """A card or no board: nobody knows where in its lap a car went out."""
    seats = [{"seat": 1}, {"seat": 2}]
    header = {"track": None, "seats": seats, "house": {"classified": value}}
    cars = {1: {"gear": 3, "lap": 2}, 2: {"gear": 3, "lap": 1}}
    scene = Scene(cars, header=header).say({"seat": 2, "retire": True}).say({"end": True})
    rows = {row["seat"]: row["points"] for row in scene.state["classification"]}
    assert rows == {1: 10, 2: points}
