"""House switch `debris_limit`: how many markers lie on the board."""

from __future__ import annotations

from typing import Any

from support.each import in_one
from support.formula.scenes import Scene, at

TEN = [f"S1.l{number}" for number in range(2, 12)]
LIMIT = {"house": {"debris_limit": "10"}}


def at_the_limit(**position: Any) -> Scene:
    """Ten markers lie; seat 1 is about to lose an engine point, which lays another."""
    cars = {1: at("S6.r3", gear=5), 2: at("S9.l1")}
    return Scene(cars, header=LIMIT, debris=TEN, **position)


def test_fd_debris_4_the_marker_that_has_lain_longest_is_moved() -> None:
    """Québec: whichever it is, not the first on the board."""
    scene = at_the_limit(laid=[*TEN[1:], TEN[0]]).drive(1, 1, "S6.r4")
    assert scene.state["laid"] == [*TEN[2:], TEN[0], "S6.r4"]
    assert TEN[1] not in scene.state["debris"]


def test_fd_debris_4_fewer_than_ten_stay() -> None:
    cars = {1: at("S6.r3", gear=5), 2: at("S9.l1")}
    scene = Scene(cars, header=LIMIT, debris=TEN[1:]).drive(1, 1, "S6.r4")
    assert scene.state["laid"] == [*TEN[1:], "S6.r4"]


def test_fd_debris_4_without_the_switch_nobody_remembers_and_none_is_moved() -> None:
    """FD-DEBRIS-4: the box's number of markers is no limit."""
    cars = {1: at("S6.r3", gear=5), 2: at("S9.l1")}
    scene = Scene(cars, debris=TEN).drive(1, 1, "S6.r4")
    assert len(scene.state["debris"]) == 11
    assert "laid" not in scene.state


@in_one(
    ("wrong", "key"),
    [
        ({"laid": TEN[1:]}, "laid-form"),
        ({"laid": [*TEN[1:], "S6.r3"]}, "laid-form"),
        ({"laid": [TEN[0], *TEN[:-1]]}, "laid-form"),
        ({"laid": 3}, "laid-form"),
        ({"debris": [*TEN, "S6.r3"]}, "too-much-debris"),
    ],
)
def test_fd_debris_4_a_position_that_contradicts_its_markers_is_refused(
    wrong: dict[str, Any], key: str
) -> None:
    scene = at_the_limit()
    assert scene.refused({"correct": wrong, "reason": "test"})["key"] == key


def test_fd_debris_4_the_referee_takes_a_marker_and_the_rest_keep_an_order() -> None:
    scene = at_the_limit().say({"correct": {"debris": TEN[:3]}, "reason": "test"})
    assert scene.state["laid"] == TEN[:3]
