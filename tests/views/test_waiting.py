"""What a waiting seat reads of the sky, its tires and its urban driver, whatever the language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from support.formula.hand_made import with_car, with_rules, with_state
from support.formula.street import DEREK, JACK, STANLEY, TEMANA

from companion.race.boards import TrackLibrary
from companion.rules.formula.moving import NITRO
from companion.rules.formula.urban import LEFT
from companion.rules.games import NAMES, kinds_of
from companion.views.dialog import press, show
from companion.views.formula.parts import sky_word
from companion.views.model import Scene
from companion.views.page import table_view
from companion.views.screen import HOME, views_of_game
from companion.views.words import LANGUAGES, corner_name, words

SceneOf = Callable[..., Scene]
GEARS = {"seat": 2, "kind": "gear", "options": [1, 2, 3, 4], "costs": {}, "out": []}


def under(scene: Scene, sky: str | None, *, tires: str = "hard") -> Scene:
    """The scene with weather and a choice of tires, seat 4 on these."""
    scene = with_state(with_rules(scene, "tires", "weather"), weather=sky)
    return with_car(scene, 4, tires=tires, tires_lap=10)


def in_town(scene: Scene, **car: Any) -> Scene:
    """The scene as an urban race: Stanley in seat 3, Temana in seat 4."""
    for seat, driver in enumerate((JACK, DEREK, STANLEY, TEMANA), 1):
        scene = with_car(scene, seat, driver=driver)
    return with_car(with_rules(scene, "urban"), 4, **car)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("tires", ["hard", "soft", "rain"])
@pytest.mark.parametrize("sky", ["fine", "variable", "variable-rain", "rain"])
def test_fd_weather_3_the_sky_is_read_whole_beside_the_tires(
    scene_of: SceneOf, language: str, tires: str, sky: str
) -> None:
    scene = under(scene_of(GEARS, language=language), sky, tires=tires)
    foot = ", ".join(show(scene, 4).lines[3:])
    assert foot.endswith(sky_word(scene, words(language)))
    assert "10" in foot
    assert "…" not in foot


def test_a_sky_that_may_change_says_so(scene_of: SceneOf) -> None:
    told = [
        sky_word(under(scene_of(GEARS), sky), words("en"))
        for sky in ("fine", "variable", "variable-rain", None)
    ]
    assert told == ["dry", "dry for now", "rain for now", ""]


def test_fd_urban_2_a_waiting_car_knows_whether_it_has_its_nitro(scene_of: SceneOf) -> None:
    assert show(in_town(scene_of(GEARS)), 4).lines[3:] == ("nitro, debris",)
    used = in_town(scene_of(GEARS), used=frozenset({NITRO, LEFT}))
    assert show(used, 4).lines[3:] == ("no nitro",)
    assert show(in_town(scene_of(GEARS)), 5).lines[3:] == ()


def test_the_driver_of_a_car_is_two_presses_away(scene_of: SceneOf) -> None:
    scene, dialog = in_town(scene_of(GEARS)), HOME
    for _ in range(2):
        dialog, _ = press(scene, 4, dialog, 1)
    driver = show(scene, 4, dialog)
    assert driver.title == TEMANA
    assert "debris" in " ".join(driver.lines)
    assert show(scene, 4, press(scene, 4, dialog, 1)[0]) == show(scene, 4)


@pytest.mark.parametrize("game", NAMES)
def test_everything_that_a_game_asks_has_words_and_pages(game: str) -> None:
    views = views_of_game(game)
    assert set(views.asks) == set(kinds_of(game))
    assert all(words.task and words.question for words in views.asks.values())
    assert all(views.page(kind, "") for kind in views.asks)


def test_fd_drv_5_who_may_roll_again_reads_what_the_die_says(scene_of: SceneOf) -> None:
    scene = scene_of({"seat": 2, "kind": "reroll", "outcome": "fine"})
    assert show(scene, 2).lines == ("The die: fine",)


def test_a_car_on_the_grid_is_in_its_first_lap_everywhere(scene_of: SceneOf) -> None:
    grid = with_car(with_car(scene_of(GEARS), 4, lap=0), 2, lap=0)
    assert " lap 1/2 " in show(grid, 4).lines[0]
    assert " lap 1/2 " in show(grid, 2).lines[0]


def test_a_cars_standing_is_the_same_line_whether_its_seat_waits_or_plays(
    scene_of: SceneOf,
) -> None:
    """What stands the same on all pages of a turn is not sent again."""
    plays = scene_of({**GEARS, "seat": 5})
    assert show(plays, 5).lines[0] == show(scene_of(GEARS), 5).lines[0]


def test_of_a_single_lap_the_corner_has_the_room(scene_of: SceneOf) -> None:
    once = with_state(scene_of(GEARS), laps=1)
    assert show(once, 2).lines[0] == "P2 15→Chicane 0/1"


def test_a_corner_that_is_only_numbered_is_said_in_the_language_of_the_reader() -> None:
    monza = TrackLibrary().load("monza")
    assert corner_name(monza, 2, words("en")) == "Corner 3"
    assert corner_name(monza, 2, words("fr")) == "Virage 3"


# -- what the page tells beside it


def of_seat(scene: Scene, seat: int) -> dict[str, Any]:
    told: dict[str, Any] = table_view(scene)["standing"][str(seat)]
    return told


def test_the_page_tells_driver_and_nitro_of_an_urban_car(scene_of: SceneOf) -> None:
    told = of_seat(in_town(scene_of(GEARS), used=frozenset({NITRO})), 4)
    assert told["driver"]["name"] == TEMANA
    assert set(told["driver"]["says"]) == set(LANGUAGES)
    assert told["left"]["en"] == ["no nitro", "debris"]
    assert of_seat(scene_of(GEARS), 4)["driver"] is None


def test_the_page_tells_the_team_where_teams_are_played(scene_of: SceneOf) -> None:
    scene = scene_of(GEARS)
    played = with_car(with_rules(scene, "teams"), 1, team="red")
    assert of_seat(played, 1)["team"] == {"en": "red", "fr": "rouge", "de": "rot"}
    assert of_seat(scene, 1)["team"] is None


def test_the_page_tells_why_a_car_is_out(scene_of: SceneOf) -> None:
    scene = scene_of(GEARS)
    out = {"why": "body", "rule": "FD-BUMP-2", "round": 3}
    gone = with_car(scene, 4, status="out", space=None, out=out)
    assert of_seat(gone, 4)["why_out"]["en"] == "no body left"
    assert of_seat(gone, 3)["why_out"] is None


def test_a_box_is_yours_on_your_own_screen_alone(scene_of: SceneOf) -> None:
    scene = scene_of(GEARS)
    stopped = with_car(scene, 4, status="pit", space="B4")
    assert of_seat(stopped, 4)["where"]["en"] == "box 4"


def test_fd_trial_2_the_page_tells_how_trials_went_until_the_race_begins(
    scene_of: SceneOf,
) -> None:
    scene = scene_of({"seat": 2, "kind": "gear", "options": [1]})
    trial = {"rolls": 18, "seconds": 263.0, "beyond": 2}
    timed = with_state(with_car(scene, 3, trial=trial), phase="trials")
    assert of_seat(timed, 3)["trial"] == {
        **dict.fromkeys(("en", "de"), "24 in 4:23"),
        "fr": "24 en 4:23",
    }
    assert of_seat(timed, 4)["trial"] is None
    raced = with_state(timed, phase="race")
    assert of_seat(raced, 3)["trial"] is None
