"""The lamp of a seat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.views.model import Scene
from companion.views.screen import lamp_of

SceneOf = Callable[..., Scene]
GEARS = {"seat": 2, "kind": "gear", "options": [1, 2], "costs": {}, "out": []}
ROLLS = [
    {"seat": n, "kind": "black", "for": "engine", "options": [[1, 4], [5, 20]]} for n in (2, 4)
]


def lamps(scene: Scene) -> dict[int, str]:
    """The lamps that are not dark."""
    told = {info.seat: lamp_of(scene, info.seat) for info in scene.seats}
    return {seat: lamp for seat, lamp in told.items() if lamp != "off"}


def test_the_lamp_of_the_seat_that_is_asked_is_lit_and_no_other(scene_of: SceneOf) -> None:
    assert lamps(scene_of(GEARS)) == {2: "on"}


def test_all_who_are_asked_at_once_have_their_lamps_lit(scene_of: SceneOf) -> None:
    assert lamps(scene_of(*ROLLS)) == {2: "on", 4: "on"}


def test_a_refused_press_makes_the_lamp_blink_whoever_is_asked(scene_of: SceneOf) -> None:
    error = {"key": "gear-too-high", "rule": "FD-GEAR-2", "args": {}}
    assert lamps(scene_of(GEARS, refused={2: error})) == {2: "blinks"}
    assert lamps(scene_of(GEARS, refused={5: error})) == {2: "on", 5: "blinks"}


def test_in_a_pause_nobody_is_waited_for(scene_of: SceneOf) -> None:
    assert lamps(replace(scene_of(GEARS), paused=True)) == {}
