"""What a waiting seat reads of the sky, its tires and its urban driver, whatever the language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from support.street import DEREK, JACK, STANLEY, TEMANA, header

from companion.boards import TrackLibrary
from companion.rules.games import KINDS as ASKED
from companion.views.formula.sky import sky_word
from companion.views.formula.views import KINDS
from companion.views.model import Scene
from companion.views.page.table import FORMULA_TASKS, table_view
from companion.views.seat.dialog import HOME, press, show
from companion.views.words import LANGUAGES, words
from companion.views.words.places import corner_name

SceneOf = Callable[..., Scene]
GEARS = {"seat": 2, "kind": "gear", "options": [1, 2, 3, 4], "costs": {}, "out": []}
OF_DOWNFORCE = {"pole", "lot", "bid", "award", "keep", "played", "bet", "end"}
BOARDLESS = {"report", "order"}


def under(scene: Scene, sky: str | None, *, tires: str = "hard", wet: bool = False) -> Scene:
    """The scene with weather and a choice of tires, seat 4 on these."""
    state = dict(scene.state or {}, weather=sky, raining=wet)
    cars: Mapping[str, Any] = state["cars"]
    state["cars"] = {**cars, "4": {**cars["4"], "tires": tires, "tires_lap": 10}}
    told = {**(scene.header or {}), "rules": ["tires", "weather"]}
    return replace(scene, header=told, state=state)


def in_town(scene: Scene, **car: Any) -> Scene:
    """The scene as an urban race: Stanley in seat 3, Temana in seat 4."""
    cars: Mapping[str, Any] = (scene.state or {})["cars"]
    state = dict(scene.state or {}, cars={**cars, "4": {**cars["4"], **car}})
    seats = header(JACK, DEREK, STANLEY, TEMANA)["seats"]
    return replace(scene, header={**(scene.header or {}), "rules": ["urban"], "seats": seats},
                   state=state)  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("tires", ["hard", "soft", "rain"])
@pytest.mark.parametrize(
    ("sky", "wet"),
    [("fine", False), ("variable", False), ("variable-rain", True), ("rain", True)],
)
def test_fd_weather_3_the_sky_is_read_whole_beside_the_tires(
    scene_of: SceneOf, language: str, tires: str, sky: str, wet: bool
) -> None:
    scene = under(scene_of(GEARS, language=language), sky, tires=tires, wet=wet)
    foot = ", ".join(show(scene, 4).lines[1:])
    assert foot.endswith(sky_word(scene, words(language)))
    assert "10" in foot
    assert "…" not in foot


def test_a_sky_that_may_change_says_so(scene_of: SceneOf) -> None:
    told = [
        sky_word(under(scene_of(GEARS), sky, wet=bool(wet)), words("en"))
        for sky, wet in (("fine", 0), ("variable", 0), ("variable-rain", 1), (None, 0))
    ]
    assert told == ["dry", "dry for now", "rain for now", ""]


def test_fd_urban_2_a_waiting_car_knows_whether_it_has_its_nitro(scene_of: SceneOf) -> None:
    assert show(in_town(scene_of(GEARS)), 4).lines[1:] == ("nitro, debris",)
    assert show(in_town(scene_of(GEARS), nitro=True, trail=True), 4).lines[1:] == ("no nitro",)
    assert show(in_town(scene_of(GEARS)), 5).lines[1:] == ()


def test_the_driver_of_a_car_is_two_presses_away(scene_of: SceneOf) -> None:
    scene, dialog = in_town(scene_of(GEARS)), HOME
    for _ in range(2):
        dialog, _ = press(scene, 4, dialog, 1)
    driver = show(scene, 4, dialog)
    assert driver.title == TEMANA
    assert "debris" in " ".join(driver.lines)
    assert show(scene, 4, press(scene, 4, dialog, 1)[0]) == show(scene, 4)


@pytest.mark.parametrize("known", [KINDS, FORMULA_TASKS], ids=["keys", "page"])
def test_everything_that_a_formula_game_asks_has_words(known: Mapping[str, str]) -> None:
    assert set(ASKED) - OF_DOWNFORCE - BOARDLESS <= set(known)


def test_fd_drv_5_who_may_roll_again_reads_what_the_die_says(scene_of: SceneOf) -> None:
    thrown = {"event": "WeatherThrown", "seat": 2, "roll": [14, 20], "outcome": "fine"}
    scene = scene_of({"seat": 2, "kind": "reroll", "options": [True, False]}, log=(thrown,))
    assert show(scene, 2).lines == ("The die: fine",)


def test_of_a_single_lap_the_corner_has_the_room(scene_of: SceneOf) -> None:
    scene = scene_of(GEARS)
    once = replace(scene, state={**(scene.state or {}), "laps": 1})
    assert show(once, 4).lines[0] == "P4 Chicane 0/1"


def test_a_corner_that_is_only_numbered_is_said_in_the_language_of_the_reader() -> None:
    monza = TrackLibrary().load("monza")
    assert corner_name(monza, 2, words("en")) == "Corner 3"
    assert corner_name(monza, 2, words("fr")) == "Virage 3"


# -- what the page tells beside it


def of_seat(scene: Scene, seat: int) -> dict[str, Any]:
    told: dict[str, Any] = next(s for s in table_view(scene)["seats"] if s["seat"] == seat)
    return told


def test_the_page_tells_driver_and_nitro_of_an_urban_car(scene_of: SceneOf) -> None:
    told = of_seat(in_town(scene_of(GEARS), nitro=True), 4)
    assert told["driver"]["name"] == TEMANA
    assert set(told["driver"]["says"]) == set(LANGUAGES)
    assert told["left"]["en"] == ["no nitro", "debris"]
    assert of_seat(scene_of(GEARS), 4)["driver"] is None


def test_the_page_tells_the_team_where_teams_are_played(scene_of: SceneOf) -> None:
    scene = scene_of(GEARS)
    seats = [{"seat": n, "team": "red"} for n in range(1, 7)]
    played = replace(scene, header={**(scene.header or {}), "rules": ["teams"], "seats": seats})
    assert of_seat(played, 1)["team"] == {"en": "red", "fr": "rouge"}
    assert of_seat(scene, 1)["team"] is None


def test_the_page_tells_why_a_car_is_out(scene_of: SceneOf) -> None:
    scene = scene_of(GEARS)
    cars = dict((scene.state or {})["cars"])
    cars["4"] = {**cars["4"], "status": "out", "space": None,
                 "out": {"why": "body", "rule": "FD-BUMP-2", "round": 3}}  # fmt: skip
    gone = replace(scene, state={**(scene.state or {}), "cars": cars})
    assert of_seat(gone, 4)["why_out"]["en"] == "no body left"
    assert of_seat(gone, 3)["why_out"] is None


def test_a_box_is_yours_on_your_own_screen_alone(scene_of: SceneOf) -> None:
    scene = scene_of(GEARS)
    cars = dict((scene.state or {})["cars"])
    cars["4"] = {**cars["4"], "status": "pit", "space": "B4"}
    stopped = replace(scene, state={**(scene.state or {}), "cars": cars})
    assert of_seat(stopped, 4)["where"]["en"] == "box 4"


def test_fd_trial_2_the_page_tells_how_trials_went_until_the_race_begins(
    scene_of: SceneOf,
) -> None:
    scene = scene_of({"seat": 2, "kind": "gear", "options": [1]})
    cars = dict((scene.state or {})["cars"])
    trial = {"rolls": 18, "seconds": 263.0, "beyond": 2}
    cars["3"] = {**cars["3"], "trial": trial}
    timed = replace(scene, state={**(scene.state or {}), "cars": cars, "phase": "trials"})
    assert of_seat(timed, 3)["trial"] == {"en": "24 in 4:23", "fr": "24 en 4:23"}
    assert of_seat(timed, 4)["trial"] is None
    raced = replace(timed, state={**(timed.state or {}), "phase": "race"})
    assert of_seat(raced, 3)["trial"] is None
