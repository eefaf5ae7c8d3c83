"""The black die: one key an outcome, and the list of all who roll because of a move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from companion.drawing.seat import draw_road
from companion.rules.formula.book import BODY
from companion.rules.lines import Answer
from companion.views.dialog import press, show
from companion.views.model import Scene
from companion.views.page import seat_view
from companion.views.screen import HOME

SceneOf = Callable[..., Scene]
TWENTY = [[n, n] for n in range(1, 21)]


def black(seat: int, reason: str, *options: list[int], **more: Any) -> dict[str, Any]:
    return {"seat": seat, "kind": "black", "for": reason, "options": list(options), **more}


def labels(scene: Scene, seat: int, *buttons: int) -> list[tuple[str, str]]:
    dialog = HOME
    for button in buttons:
        dialog, _ = press(scene, seat, dialog, button)
    return [(key.label, key.hint) for key in show(scene, seat, dialog).keys if key]


def sent(scene: Scene, seat: int, *buttons: int) -> list[Any]:
    dialog, intents = HOME, ()
    for button in buttons:
        dialog, intents = press(scene, seat, dialog, button)
    return [intent.line for intent in intents if isinstance(intent, Answer)]


@pytest.mark.parametrize(
    ("reason", "options", "keys"),
    [
        ("collision", ([1, 1], [2, 20]), [("1", "body−1"), ("2–20", "nothing")]),
        ("engine", ([1, 4], [5, 20]), [("1–4", "engine−1"), ("5–20", "nothing")]),
        ("debris", ([1, 4], [5, 20]), [("1–4", "handl.−1"), ("5–20", "nothing")]),
        (
            "start",
            ([1, 1], [2, 19], [20, 20]),
            [("1", "stalls"), ("2–19", "normal"), ("20", "great!")],
        ),
        (
            "weather",
            ([1, 7], [8, 12], [13, 20]),
            [("1–7", "rain"), ("8–12", "changes"), ("13–20", "fine")],
        ),
    ],
)
def test_each_outcome_has_a_key_that_says_what_it_means(
    scene_of: SceneOf, reason: str, options: Any, keys: list[tuple[str, str]]
) -> None:
    assert labels(scene_of(black(2, reason, *options, **{"with": 3})), 2) == keys


def test_a_pit_roll_is_six_keys(scene_of: SceneOf) -> None:
    options = [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10], [11, 20]]
    told = labels(scene_of(black(2, "pit", *options)), 2)
    assert [hint for _, hint in told] == [
        "1 space", "2 spaces", "3 spaces", "4 spaces", "5 spaces", "stays",
    ]  # fmt: skip


def test_a_range_is_sent_as_a_range_and_a_single_number_as_a_number(scene_of: SceneOf) -> None:
    scene = scene_of(black(2, "start", [1, 1], [2, 19], [20, 20]))
    assert sent(scene, 2, 2) == [{"seat": 2, "black": [2, 19]}]
    assert sent(scene, 2, 3) == [{"seat": 2, "black": 20}]


def test_fd_grid_2_who_has_tied_for_the_grid_is_told_so_and_rolls_again(scene_of: SceneOf) -> None:
    scene = scene_of(black(2, "grid", *TWENTY))
    tied = replace(scene, log=({"event": "GridTied", "seat": 0, "version": 3, "seats": [2, 4]},))
    assert show(scene, 2).title == "Grid: your black die?"
    assert show(tied, 2).title == "Equal: roll again?"
    told = seat_view(tied, 2, HOME, draw_road, own=True)["title"]
    assert told == "Equal on the grid, roll again: Bob, Dora."
    others = replace(scene, log=({**tied.log[0], "seats": [1, 4]},))
    assert show(others, 2).title == "Grid: your black die?"


@pytest.mark.parametrize("number", range(1, 21))
def test_a_grid_roll_is_two_presses_for_any_number(scene_of: SceneOf, number: int) -> None:
    group, place = divmod(number - 1, 4)
    scene = scene_of(black(2, "grid", *TWENTY))
    assert sent(scene, 2, group + 1, place + 1) == [{"seat": 2, "black": number}]


def contact(*seats: int) -> list[dict[str, Any]]:
    return [black(seat, "collision", [1, 1], [2, 20], **{"with": 2}) for seat in seats]


def test_the_mover_has_one_list_of_all_who_roll(scene_of: SceneOf) -> None:
    scene = scene_of(*contact(3, 4))
    assert show(scene, 2).title == "Who rolled 1?"
    assert labels(scene, 2) == [("Cid", "1"), ("Dora", "1"), ("nobody", "")]


def test_one_press_says_that_nobody_was_hurt(scene_of: SceneOf) -> None:
    assert sent(scene_of(*contact(3, 4)), 2, 6) == [
        {"seat": 3, "black": [2, 20]},
        {"seat": 4, "black": [2, 20]},
    ]


def test_a_name_in_the_list_is_hurt_alone(scene_of: SceneOf) -> None:
    assert sent(scene_of(*contact(3, 4)), 2, 2) == [{"seat": 4, "black": 1}]


def test_everybody_who_rolls_has_own_keys_too(scene_of: SceneOf) -> None:
    assert labels(scene_of(*contact(3, 4)), 4) == [("1", "body−1"), ("2–20", "nothing")]


def test_the_movers_own_roll_alone_is_no_list(scene_of: SceneOf) -> None:
    assert show(scene_of(*contact(2)), 2).title == "Contact Bob: die?"


def test_an_engine_test_of_seven_still_has_its_nobody(scene_of: SceneOf) -> None:
    asks = [black(seat, "engine", [1, 4], [5, 20]) for seat in (2, 1, 3, 4, 5, 6)]
    scene = scene_of(*asks)
    assert labels(scene, 2)[0] == ("you", "1–4")
    assert labels(scene, 2)[-1] == ("nobody", "")
    assert len(sent(scene, 2, 6)) == 6
    assert sent(scene, 2, 5, 2) == [{"seat": 6, "black": [1, 4]}]


def test_the_host_lists_who_still_rolls_for_the_grid_and_may_answer(table: Any) -> None:
    race = table().new()
    race.press(1, 1, 1)
    assert show(race.scene(), 1).title == "Still to answer:"
    race.press(1, 1, 5, 4)
    assert [ask["seat"] for ask in race.engine.asks()] == [3, 4, 5, 6]


def test_who_is_no_host_waits_for_the_others_with_its_car(table: Any) -> None:
    race = table().new()
    race.press(2, 1, 1)
    assert not any(show(race.scene(), 2).keys)


def test_an_old_roll_marks_the_range_that_it_lies_in(scene_of: SceneOf) -> None:
    scene = scene_of(black(2, "engine", [1, 4], [5, 20]), old={(2, "black"): 7})
    assert [key.mark for key in show(scene, 2).keys if key] == ["costs", "old"]


def colliding(table: Any) -> Any:
    """Seat 1 has just ended its move behind seat 2 and beside seat 3."""
    race = table().place(
        cars={
            "1": {"space": "S6.m1", "gear": 2, "lap": 1},
            "2": {"space": "S6.m5", "gear": 2, "lap": 1},
            "3": {"space": "S6.r4", "gear": 2, "lap": 1},
        },
        order=[1, 2, 3],
        turn=1,
    )
    for line in ({"gear": 2}, {"roll": 3}, {"move": {"to": "S6.m4", "brakes": 0}}):
        race.answer(seat=1, **line)
    return race


def test_one_press_settles_a_contact_of_three_with_the_movers_own_rolls(table: Any) -> None:
    race = colliding(table)
    assert len(race.press(1, 6)) == 4
    assert race.scene().state.turn == 2


def test_the_mover_who_is_hurt_by_one_car_still_rolls_for_the_other(table: Any) -> None:
    race = colliding(table)
    race.press(1, 1)
    assert race.scene().state.cars[1].wear[BODY] == 2
    assert labels(race.scene(), 1) == [("you", "1"), ("Bob", "1"), ("Cid", "1"), ("nobody", "")]
    assert len(race.press(1, 6)) == 3


def test_two_rolls_of_the_mover_alone_are_a_list_too(table: Any) -> None:
    race = colliding(table)
    race.press(2, 2)
    race.press(3, 2)
    assert len(race.press(1, 6)) == 2
