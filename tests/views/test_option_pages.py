"""Weather, tires, construction, pit stops and trials on the keys of a seat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from support.formula.hand_made import with_car, with_state

from companion.rules.formula.book import BUILD_LIMITS, BUILD_POINTS, CATEGORIES
from companion.rules.lines import Answer
from companion.views.dialog import press, show
from companion.views.model import Scene
from companion.views.screen import HOME

SceneOf = Callable[..., Scene]
LIMITS = dict(zip(CATEGORIES, map(list, BUILD_LIMITS), strict=True))
BUILD = {"seat": 2, "kind": "build", "options": {"points": BUILD_POINTS, "limits": LIMITS}}
USUAL = {"tires": 6, "brakes": 3, "gearbox": 3, "body": 3, "engine": 3, "handling": 2}


def labels(scene: Scene, seat: int, *buttons: int) -> list[str]:
    dialog = HOME
    for button in buttons:
        dialog, _ = press(scene, seat, dialog, button)
    return [key.label if key else "" for key in show(scene, seat, dialog).keys]


def hints(scene: Scene, seat: int) -> list[str]:
    return [key.hint if key else "" for key in show(scene, seat).keys]


def sent(scene: Scene, seat: int, *buttons: int) -> Any:
    dialog, intents = HOME, ()
    for button in buttons:
        assert not intents
        dialog, intents = press(scene, seat, dialog, button)
    (intent,) = intents
    assert isinstance(intent, Answer)
    return intent.line


# -- construction (FD-BUILD-1)


def test_the_usual_car_is_one_press(scene_of: SceneOf) -> None:
    scene = with_car(scene_of(BUILD), 2, wear=USUAL)
    assert sent(scene, 2, 1) == {"seat": 2, "build": USUAL}


def test_a_car_of_ones_own_is_seven_presses_and_tires_get_the_rest(scene_of: SceneOf) -> None:
    own = {"tires": 10, "brakes": 4, "gearbox": 2, "body": 1, "engine": 2, "handling": 1}
    assert sent(scene_of(BUILD), 2, 2, 4, 2, 1, 2, 1, 1) == {"seat": 2, "build": own}


def test_no_figure_is_offered_that_cannot_come_out_even(scene_of: SceneOf) -> None:
    ones = (2, 1, 1, 1, 1)  # four categories with 1: the last must leave 14 for the tires
    assert labels(scene_of(BUILD), 2, *ones)[0] == "2"


def test_a_car_that_was_taken_back_is_offered_again(scene_of: SceneOf) -> None:
    scene = scene_of(BUILD, old={(2, "build"): {**USUAL, "tires": 7, "brakes": 2}})
    assert hints(scene, 2)[2] == "723332"
    assert sent(scene, 2, 3)["build"]["tires"] == 7


# -- tires and the box


def test_tires_are_chosen_under_the_sky_that_is_told(scene_of: SceneOf) -> None:
    scene = scene_of({"seat": 2, "kind": "tires", "options": ["hard", "soft", "rain"]})
    assert labels(scene, 2) == ["hard", "", "soft", "", "rain", ""]
    assert show(scene, 2).lines == ("Fine, for good.",)
    assert sent(scene, 2, 5) == {"seat": 2, "tires": "rain"}


def test_a_stop_is_for_tires_with_the_die_or_a_repair_without(scene_of: SceneOf) -> None:
    scene = scene_of({"seat": 2, "kind": "pit", "options": ["tires", "technical"]})
    assert (labels(scene, 2)[0], hints(scene, 2)[0]) == ("tires", "and die")
    assert sent(scene, 2, 3) == {"seat": 2, "pit": "technical"}
    assert show(with_car(scene, 2, pool=2), 2).lines == ("To repair with: 2",)
    scene = with_state(with_car(scene, 2, team="red"), pools={"red": 3})
    assert show(scene, 2).lines == ("To repair with: 3",)


def test_a_repair_offers_what_is_worn_and_no_more_than_was_lost(scene_of: SceneOf) -> None:
    ask = {"seat": 2, "kind": "repair", "options": {"points": 2, "categories": ["body", "engine"]}}
    assert labels(scene_of(ask), 2) == ["", "engine", "", "", "", ""]
    assert sent(scene_of(ask), 2, 2, 2) == {"seat": 2, "repair": {"engine": 2}}


def test_points_that_come_back_are_entered_as_a_repair_is(scene_of: SceneOf) -> None:
    back = {"points": 2, "categories": ["tires", "engine"]}
    scene = scene_of({"seat": 2, "kind": "recover", "options": back})
    assert show(scene, 2).title == "Regain what?"
    assert sent(scene, 2, 1, 2) == {"seat": 2, "recover": {"tires": 1, "engine": 1}}


def test_a_built_car_is_repaired_up_to_what_it_was_built_with(scene_of: SceneOf) -> None:
    ask = {"seat": 2, "kind": "repair", "options": {"points": 2, "categories": ["engine"]}}
    scene = with_car(scene_of(ask), 2, full={**USUAL, "engine": 1})
    assert hints(scene, 2)[0] == "0/1"
    assert labels(scene, 2, 1)[0] == ""


def test_a_bonus_is_a_second_key(scene_of: SceneOf) -> None:
    lengths = [{"spaces": 9, "by": []}, {"spaces": 10, "by": ["soft"]}]
    scene = scene_of({"seat": 2, "kind": "length", "options": lengths})
    assert labels(scene, 2)[:2] == ["9", "10"]
    assert hints(scene, 2)[:2] == ["as is", "soft"]
    assert sent(scene, 2, 2) == {"seat": 2, "length": lengths[1]}


# -- the weather of the table


@pytest.mark.parametrize("seat", [1, 2, 5])
def test_any_seat_has_the_keys_of_the_weather(scene_of: SceneOf, seat: int) -> None:
    ask = {"seat": 0, "kind": "black", "for": "weather", "options": [[1, 7], [8, 12], [13, 20]]}
    scene = scene_of(ask)
    assert hints(scene, seat)[:3] == ["rain", "changes", "fine"]
    assert sent(scene, seat, 2) == {"seat": 0, "black": [8, 12]}


# -- trials


def in_trials(scene: Scene) -> Scene:
    return with_state(scene, phase="trials")


def test_the_first_gear_of_a_trial_is_its_start(scene_of: SceneOf) -> None:
    ask = {"seat": 2, "kind": "gear", "options": [1], "costs": {}, "out": []}
    scene = in_trials(with_car(scene_of(ask), 2, gear=0))
    assert show(scene, 2).title == "Your time trial"
    assert hints(scene, 2)[0] == "START"
    assert sent(scene, 2, 1) == {"seat": 2, "gear": 1}


def test_the_others_see_who_drives_and_how_they_did(scene_of: SceneOf) -> None:
    ask = {"seat": 3, "kind": "roll", "options": [1, 2]}
    trial = {"rolls": 18, "beyond": 2, "seconds": 263.5, "reached": None}
    scene = in_trials(with_car(scene_of(ask), 2, trial=trial))
    assert show(scene, 2).lines == ("Cid drives alone.", "You: 24 in 4:23")
    assert show(scene, 4).lines == ("Cid drives alone.",)


def test_a_time_that_no_watch_took_is_entered(scene_of: SceneOf) -> None:
    scene = in_trials(scene_of({"seat": 2, "kind": "time"}))
    assert sent(scene, 2, 6, 6, 3, 2, 5) == {"seat": 2, "time": 129}
    watch = {"seat": 2, "seconds": 83, "running": True}
    assert show(replace(scene, watch=watch), 2).big == "1:23"


def test_before_the_grid_no_place_is_told(scene_of: SceneOf) -> None:
    ask = {"seat": 2, "kind": "black", "for": "grid", "options": [[n, n] for n in range(1, 21)]}
    scene = with_car(scene_of(ask), 2, space=None, status="grid")
    assert show(scene, 2).lines[0] == ""
