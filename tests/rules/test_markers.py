"""House switches `debris_limit` and `debris_swept`: how many markers, and how long they lie."""

from __future__ import annotations

from typing import Any

import pytest
from support.formula.scenes import Scene, at

TEN = [f"S1.l{number}" for number in range(2, 12)]
LIMIT = {"house": {"debris_limit": "10"}}
FOUR = {"house": {"debris_swept": "4-passes"}}


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


@pytest.mark.parametrize(
    ("wrong", "key"),
    [
        ({"laid": TEN[1:]}, "laid-form"),
        ({"laid": [*TEN[1:], "S6.r3"]}, "laid-form"),
        ({"laid": [TEN[0], *TEN[:-1]]}, "laid-form"),
        ({"laid": 3}, "laid-form"),
        ({"debris": [*TEN, "S6.r3"]}, "too-much-debris"),
        ({"passages": {TEN[0]: 1}}, "passages-form"),
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


def over_it(passages: int | None, roll: int) -> Scene:
    """Seat 1 has gone over a marker that so many have rolled for, and rolls."""
    known = {} if passages is None else {"passages": {"S6.r5": passages}}
    cars = {1: at("S6.r3", gear=3), 2: at("S9.l1")}
    scene = Scene(cars, header=FOUR, debris=["S6.r5"], **known)
    return scene.drive(3, 5, "S6.r8").black(1, roll)


@pytest.mark.parametrize("roll", [1, 20])
def test_fd_debris_4_rolls_are_counted_whatever_they_show(roll: int) -> None:
    """Variants, 17-D."""
    assert over_it(None, roll).state["passages"] == {"S6.r5": 1}
    gone = over_it(3, roll).state
    assert (gone["debris"], gone.get("passages")) == ([], None)


def test_fd_debris_4_a_count_that_cannot_be_is_refused() -> None:
    scene = over_it(1, 20)
    for wrong in ({"S6.r5": 4}, {"S6.r5": 0}, {"S6.r6": 1}, 3):
        error = scene.refused({"correct": {"passages": wrong}, "reason": "test"})
        assert error["code"] == "malformed"


def test_fd_debris_4_the_last_car_takes_none_where_it_goes_out() -> None:
    """Variants, 17-C: by handling; its debris lies there all the same."""
    cars = {1: at("S6.r3", gear=3, wear={"handling": 1}), 2: at("S9.l1")}
    scene = Scene(cars, header={"house": {"debris_swept": "last-car"}}, debris=["S6.r5"])
    assert "S6.r5" in scene.drive(3, 5, "S6.r8").black(1, 1).state["debris"]


def test_a_red_flag_sweeps_what_was_counted_too() -> None:
    house = {"house": {"red_flag": "on", "debris_swept": "4-passes", "debris_limit": "10"}}
    cars = {1: at("S6.r3", gear=3), 2: at("S9.l1")}
    scene = Scene(cars, header=house, debris=["S6.r5"], passages={"S6.r5": 2})
    state = scene.say({"seat": 0, "flag": "red"}).state
    assert (state["debris"], "laid" in state, "passages" in state) == ([], False, False)
