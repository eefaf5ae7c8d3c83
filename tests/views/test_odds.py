"""The odds of each gear in words: on six keys, on a phone, for the page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from companion.advice.odds import odds
from companion.drawing.seat import draw_seat
from companion.rules.formula.state import State
from companion.study.solved import Adviser, SolvedBoards
from companion.views.dialog import press, show
from companion.views.model import Chances, Scene
from companion.views.page import seat_view, tell_odds
from companion.views.screen import HOME, Dialog
from companion.views.words import LANGUAGES, LINE_COLUMNS

NONE = Fraction(0)


@dataclass
class Chance:
    """Made-up odds of a gear."""

    overshoot: dict[int, Fraction] = field(default_factory=dict)
    spin: Fraction = NONE
    out: Fraction = NONE
    turns: float | None = None


THREE = {
    3: Chance(turns=20.0),
    4: Chance({1: Fraction(1, 4), 2: Fraction(6, 100)}, turns=20.4),
    5: Chance(spin=Fraction(1, 10), out=Fraction(1, 1000), turns=32.3),
}


def told(gears: dict[int, Any]) -> Callable[[object, int], dict[int, Chances]]:
    return lambda state, seat: gears


def opened(scene: Scene, *buttons: int) -> Dialog:
    dialog = press(scene, 2, HOME, 6, True)[0]
    for button in (3, *buttons):
        dialog = press(scene, 2, dialog, button)[0]
    return dialog


def phone_lines(scene: Scene, *buttons: int) -> list[str]:
    def undrawn(road: object) -> dict[str, object]:
        return {}

    view = seat_view(scene, 2, opened(scene, *buttons), undrawn, own=True)
    lines = view["lines"]
    assert isinstance(lines, list)
    return lines


def test_a_phone_reads_the_risk_and_what_a_gear_costs_beside_the_best(
    scene_of: Callable[..., Scene],
) -> None:
    assert phone_lines(scene_of(advise=told(THREE))) == [
        "3rd: no overshoot; 20.0 turns to the finish",
        "4th: 31 % to overshoot; costs 0.4 turns more than 3rd",
        "5th: 10 % to spin, <1 % to be out; costs 12.3 turns more than 3rd",
    ]
    assert phone_lines(scene_of(advise=told(THREE), language="fr"))[1] == (
        "4e : 31 % de dépassement ; coûte 0,4 coup de plus que la 3e"
    )


def test_a_small_screen_has_the_gears_in_their_places_and_one_in_words(
    scene_of: Callable[..., Scene],
) -> None:
    scene = scene_of(advise=told(THREE))
    view = show(scene, 2, opened(scene))
    assert (view.title, view.lines) == ("Odds of 3rd", ("no overshoot", "20.0 turns to go"))
    hints = [key.hint if key else None for key in view.keys]
    assert hints == [None, None, "0 %", "31 %", "10 %", ""]
    view = show(scene, 2, opened(scene, 5))
    assert view.lines == ("10% spin <1% out", "12.3 more than 3rd")
    assert opened(scene, 5, 5) == HOME, "the picked one again goes back"
    assert opened(scene, 6) == HOME, "and so does the button without a gear"


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_that_odds_can_say_fits_a_small_screen(
    language: str, scene_of: Callable[..., Scene]
) -> None:
    most = Chance({1: Fraction(33, 100)}, Fraction(33, 100), Fraction(33, 100), turns=99.9)
    gears = {
        2: Chance(turns=30.0),
        3: Chance(turns=30.01),
        4: most,
        6: Chance(out=Fraction(1), turns=100.0),
    }
    scene = scene_of(advise=told(gears), language=language)
    for gear in gears:
        buttons = () if gear == 2 else (gear,)
        view = show(scene, 2, opened(scene, *buttons))
        assert len(view.lines) == 2
        assert len(view.lines[1]) <= LINE_COLUMNS, view.lines
        assert len(view.lines[0]) <= 25, view.lines  # three risks: in smaller letters
        assert draw_seat(view)


def test_a_race_without_advice_has_no_key_for_odds(scene_of: Callable[..., Scene]) -> None:
    scene = scene_of()
    keys = show(scene, 2, press(scene, 2, HOME, 6, True)[0]).keys
    assert keys[2] is not None
    assert keys[2].label == "EN"
    assert tell_odds(scene, 2) is None


def test_where_no_odds_are_told_a_sentence_says_when_they_are(
    scene_of: Callable[..., Scene],
) -> None:
    lines = phone_lines(scene_of(advise=told({})))
    assert lines == ["Odds are told before a roll, where the board is known exactly."]


def placed(table: Callable[..., Any], **more: Any) -> Any:
    cars = {
        "1": {"space": "S2.m12", "gear": 4, "lap": 1},
        "2": {"space": "S2.l10", "gear": 5, "lap": 1, "wear": {"tires": 1}},
        "3": {"space": "S2.r9", "gear": 5, "lap": 1},
    }
    return table().place(cars=cars, weather="fine", **more)


def test_a_seat_is_told_the_same_odds_whether_or_not_it_is_on_turn(
    table: Callable[..., Any], tmp_path: Path
) -> None:
    adviser = Adviser(SolvedBoards(tmp_path))
    for turn in (1, 2):
        state: State = placed(table, order=[1, 2, 3], turn=turn).engine.moment
        assert state.turn == turn
        assert adviser.odds(state, 2) == odds(state, 2)


def test_with_its_gear_engaged_a_seat_is_told_the_odds_of_that_gear_alone(
    table: Callable[..., Any], tmp_path: Path
) -> None:
    adviser = Adviser(SolvedBoards(tmp_path))
    at = placed(table, order=[2, 1, 3], turn=2)
    before = adviser.odds(at.engine.moment, 2)
    at.answer(seat=2, gear=4)
    assert adviser.odds(at.engine.moment, 2) == {4: before[4]}
    at.answer(seat=2, roll=9)
    assert adviser.odds(at.engine.moment, 2) == {}, "it is thrown"
    assert list(adviser.odds(at.engine.moment, 3)) == [1, 2, 3, 4, 5, 6]


@pytest.mark.slow
@pytest.mark.long
def test_a_solved_board_adds_the_turns_and_the_page_has_both_languages(
    table: Callable[..., Any], tmp_path: Path
) -> None:
    at = placed(table, order=[1, 2, 3], turn=1)
    state: State = at.engine.moment
    boards = SolvedBoards(tmp_path)
    adviser = Adviser(boards)
    assert all(one.turns is None for one in adviser.odds(state, 1).values())
    boards.solved(state.setup, [car.full for car in state.cars.values()])
    turns = {gear: one.turns for gear, one in adviser.odds(state, 1).items()}
    assert min(turns, key=lambda gear: turns[gear] or 0.0) == 4
    page = tell_odds(at.scene(advise=adviser.odds), 1)
    assert page is not None
    assert page["gears"]["5"]["overshoot"] == {"1": 0.1, "2": 0.1, "3": 0.1, "4": 0.1}  # type: ignore[index]
    assert len(page["en"]) == len(page["fr"]) == len(turns)  # type: ignore[arg-type]
