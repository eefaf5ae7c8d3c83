"""What a seat sees and does when it is not on turn: its car, the menu, the lobby, a correction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from support.formula.hand_made import with_car, with_rules, with_state

from companion.rules.formula.car import Car, Status
from companion.rules.lines import Answer, End, Retire
from companion.views.dialog import meaning, press, public_face, show
from companion.views.formula import page as formula
from companion.views.model import (
    Agree,
    Ailing,
    Intent,
    Language,
    Lobby,
    Pause,
    Preset,
    Propose,
    Rematch,
    Scene,
    SeatInfo,
    SetUp,
    Start,
    TakeBack,
    Trouble,
)
from companion.views.page import table_view
from companion.views.screen import HOME, Dialog

SceneOf = Callable[..., Scene]
GEARS = {"seat": 2, "kind": "gear", "options": [1, 2, 3, 4], "costs": {}, "out": []}
BRAKED = {"brakes": 1, "cost": {"brakes": 1}}


def after(scene: Scene, seat: int, *buttons: int, dialog: Dialog = HOME) -> Dialog:
    for button in buttons:
        dialog, _ = press(scene, seat, dialog, button)
    return dialog


def does(scene: Scene, seat: int, *buttons: int, dialog: Dialog = HOME) -> tuple[Intent, ...]:
    return press(scene, seat, after(scene, seat, *buttons[:-1], dialog=dialog), buttons[-1])[1]


def menu(scene: Scene, seat: int) -> Dialog:
    return press(scene, seat, HOME, 6, True)[0]


def labels(scene: Scene, seat: int, dialog: Dialog = HOME) -> list[str]:
    return [key.label if key else "" for key in show(scene, seat, dialog).keys]


# -- holding


def test_holding_one_takes_the_last_answer_back_on_any_page(scene_of: SceneOf) -> None:
    scene = scene_of(GEARS)
    assert press(scene, 3, HOME, 1, True) == (HOME, (TakeBack(),))
    assert press(scene, 2, menu(scene, 2), 1, True) == (HOME, ()), "a page is left first"


def test_holding_six_opens_the_menu_and_sends_nothing(scene_of: SceneOf) -> None:
    dialog, intents = press(scene_of(GEARS), 2, HOME, 6, True)
    assert intents == ()
    assert show(scene_of(GEARS), 2, dialog).title == "Menu"


def test_holding_another_button_is_a_press(scene_of: SceneOf) -> None:
    assert press(scene_of(GEARS), 2, HOME, 3, True)[1] == (Answer(2, "gear", 3),)


# -- waiting


def test_a_waiting_seat_sees_its_car(scene_of: SceneOf) -> None:
    view = show(scene_of(GEARS), 4)
    assert view.title == "Bob, then Ana"
    assert [(pip.name, pip.left, pip.full) for pip in view.pips][:2] == [
        ("tires", 4, 6), ("brakes", 3, 3),
    ]  # fmt: skip
    assert view.lines == ("P4 lap 1/2 Chica… 0/1", "Chicane in 21: 0/1", "↑3 Cid ↓3 Eve")
    assert view.tells == (
        "Chicane: 1 stop, 21 before it, 5 to 9 long", "Cid: 3 ahead", "Eve: 3 behind", "",
    )  # fmt: skip
    assert view.big == "3"


def test_tires_and_sky_are_told_where_they_are_played_with(scene_of: SceneOf) -> None:
    scene = scene_of(GEARS)
    played = with_rules(scene, "tires", "weather")
    assert show(played, 4).lines[3:] == ("hard tires lap 1, dry",)
    assert show(with_state(scene, weather="rain"), 4).lines[3:] == ("wet",)


def test_any_button_turns_to_the_road_ahead_and_behind(scene_of: SceneOf) -> None:
    scene = scene_of(GEARS)
    view = show(scene, 4, after(scene, 4, 5))
    assert view.lines == ("M 21 before Chicane", "Chicane 0/1", "ahead 3: Cid", "behind 3: Eve")


def test_a_level_car_is_no_space_away(scene_of: SceneOf) -> None:
    scene = with_car(scene_of(GEARS), 5, space="S6.r8")
    assert "behind 0: Eve" in show(scene, 4, after(scene, 4, 1)).lines


def test_the_next_to_play_may_set_its_gear(scene_of: SceneOf) -> None:
    scene = scene_of(GEARS)
    assert labels(scene, 1) == ["1", "2", "3", "4", "", ""]
    assert does(scene, 1, 4) == (Preset(4),)


def test_the_gear_set_early_is_forgotten_by_the_same_button(scene_of: SceneOf) -> None:
    scene = scene_of(GEARS, preset={1: 4})
    assert show(scene, 1).big == "4"
    assert does(scene, 1, 4) == (Preset(None),)


def test_only_the_next_to_play_may_set_its_gear(scene_of: SceneOf) -> None:
    assert not any(labels(scene_of(GEARS), 3))


def test_who_is_out_is_told_so(scene_of: SceneOf) -> None:
    scene = with_car(scene_of(GEARS), 4, status="out", space=None)
    assert show(scene, 4).title == "You are out."


def test_a_dead_seat_shows_its_code_on_the_screens_beside_it(scene_of: SceneOf) -> None:
    scene = scene_of(GEARS)
    seats = tuple(replace(info, alive=info.seat != 5) for info in scene.seats)
    scene = replace(scene, seats=seats)
    assert show(scene, 4).title == "Seat 5 is dead"
    assert show(scene, 4).qr == scene.seats[4].link
    assert show(scene, 3).qr == ""
    assert public_face(show(scene, 4)).qr == ""
    assert show(scene, 4, after(scene, 4, 1)).pips


@pytest.mark.parametrize(("part", "title"), [("pod", "no pod"), ("screen", "no screen")])
def test_a_neighbour_is_told_which_part_fails_and_why(
    scene_of: SceneOf, part: str, title: str
) -> None:
    scene = scene_of(GEARS)
    ailing = Ailing(part, Trouble("silent", "/dev/ttyUSB0 is silent"), since=3)
    dead = replace(scene.seats[4], alive=False, ailing=ailing)
    scene = replace(scene, seats=(*scene.seats[:4], dead, *scene.seats[5:]))
    assert show(scene, 4).title == f"Seat 5: {title}"
    why = after(scene, 4, 1)
    assert " ".join(show(scene, 4, why).lines) == f"{part}: no answer, since round 3"
    assert show(scene, 4, after(scene, 4, 1, dialog=why)).pips
    told = table_view(scene)["seats"][4]["trouble"]
    assert told["en"] == f"{part}: no answer, since round 3"
    assert "ttyUSB0" not in str(table_view(scene))


# -- the menu


def test_retiring_is_asked_again(scene_of: SceneOf) -> None:
    scene = scene_of(GEARS)
    sure = after(scene, 3, 5, 3, dialog=menu(scene, 3))
    assert show(scene, 3, sure).title == "Really retire?"
    retire = Retire(3, "retired from its seat")
    assert press(scene, 3, sure, 1)[1] == (retire,)
    assert press(scene, 3, sure, 6)[1] == ()


def test_a_pause_and_its_end(scene_of: SceneOf) -> None:
    scene = scene_of(GEARS)
    assert does(scene, 3, 4, dialog=menu(scene, 3)) == (Pause(True),)
    still = replace(scene, paused=True)
    assert show(still, 2).title == "Paused"
    assert does(still, 2, 1) == (Pause(False),)


def test_a_language_is_chosen_by_its_own_name(scene_of: SceneOf) -> None:
    scene = scene_of(GEARS)
    page = after(scene, 3, 3, dialog=menu(scene, 3))
    assert [key.hint for key in show(scene, 3, page).keys[:2] if key] == ["English", "Français"]
    assert press(scene, 3, page, 2)[1] == (Language("fr"),)


def test_a_seat_can_be_given_to_a_phone(scene_of: SceneOf) -> None:
    scene = scene_of(GEARS)
    page = after(scene, 3, 5, 1, dialog=menu(scene, 3))
    assert show(scene, 3, page).qr == scene.seats[2].link


def test_the_host_answers_for_another_seat_as_long_as_its_turn_lasts(scene_of: SceneOf) -> None:
    scene = scene_of(GEARS)
    page = after(scene, 1, 5, 2, 1, dialog=menu(scene, 1))
    assert show(scene, 1, page).title.startswith("Bob: Which gear?")
    dialog, intents = press(scene, 1, page, 3)
    assert intents == (Answer(2, "gear", 3),)
    die = scene_of({"seat": 2, "kind": "roll", "options": [4, 5, 6, 7, 8], "since": 8})
    assert show(die, 1, dialog).title == "Bob: red die?"
    over = with_state(scene_of({**GEARS, "seat": 3, "since": 12}), turn=3)
    assert show(over, 1, dialog).lines[0].startswith("P1 lap")


def test_a_car_in_the_race_is_no_steward_and_an_eliminated_one_is(scene_of: SceneOf) -> None:
    scene = scene_of(GEARS)
    assert "steward" not in labels(scene, 3, after(scene, 3, 5, dialog=menu(scene, 3)))
    gone = with_car(scene, 3, status="out", space=None)
    assert "steward" in labels(gone, 3, after(gone, 3, 5, dialog=menu(gone, 3)))


def test_the_menu_closes_when_the_seat_is_asked(scene_of: SceneOf) -> None:
    page = menu(scene_of(GEARS), 3)
    asked = scene_of(
        GEARS, {"seat": 3, "kind": "black", "for": "debris", "options": [[1, 4], [5, 20]]}
    )
    assert show(asked, 3, page).title == "Debris: black die?"


# -- it stands elsewhere


def moving(scene_of: SceneOf, near: Sequence[object] = (), **more: Any) -> Scene:
    end = {"to": "S6.m17", "brakes": 0, "cost": {}, "debris": [], "spin": False, "out": False}
    return scene_of({"seat": 2, "kind": "move", "options": [end], "near": near}, **more)


def test_lane_and_distance_are_entered_and_named(scene_of: SceneOf) -> None:
    scene = moving(scene_of)
    page = after(scene, 2, 6, 1, 1, 3, 1)
    assert show(scene, 2, page).lines == ("L 9 before Chicane",)
    assert press(scene, 2, page, 5)[1] == (Propose(2, "S6.l20"),)


def test_on_a_board_that_is_a_sketch_the_place_begins_beside_the_listed_end(
    scene_of: SceneOf,
) -> None:
    scene = moving(scene_of, near=[{"to": "S6.l17", "brakes": 0, "as": "S6.m17"}])
    page = after(scene, 2, 6, 1, 2)
    assert press(scene, 2, page, 5)[1] == (Propose(2, "S6.m17"),)
    assert press(scene, 2, after(scene, 2, 6, 1, 1, 1), 5)[1] == (Propose(2, "S6.l17"),)


def test_another_seat_agrees_with_one_press_and_sees_the_rule(scene_of: SceneOf) -> None:
    error = {"key": "no-such-move", "args": {}, "rule": "FD-MOVE-1", "message": "no"}
    proposal = {"seat": 2, "space": "S6.l20", "from": 2, "error": error}
    scene = moving(scene_of, proposal=proposal)
    view = show(scene, 3)
    assert view.title == "Bob: agreed?"
    assert view.lines[0] == "L 9 before Chicane"
    assert " ".join(view.lines[1:]) == "FD-MOVE-1: The move cannot end there."
    assert does(scene, 3, 1) == (Agree(True),)
    assert does(scene, 3, 2) == (Agree(False),)


def test_who_proposed_can_only_drop_it(scene_of: SceneOf) -> None:
    scene = moving(scene_of, proposal={"seat": 2, "space": "S6.l20", "from": 2})
    assert labels(scene, 2) == ["", "", "", "", "", "drop"]
    assert does(scene, 2, 6) == (Agree(False),)


# -- refused


def test_a_refused_press_says_why_in_the_seats_language_with_the_rule(scene_of: SceneOf) -> None:
    error = {"rule": "FD-GEAR-2", "key": "gear-too-high", "args": {"from": 3, "gear": 5}}
    view = show(scene_of(GEARS, refused={2: error}, language="fr"), 2)
    assert view.title == "FD-GEAR-2"
    assert " ".join(view.lines) == "De 3 on ne monte que d'un rapport, pas 5."
    assert view.blink
    assert any(view.keys), "the keys are still there"


def test_a_refusal_of_one_seat_is_not_shown_to_another(scene_of: SceneOf) -> None:
    error = {"rule": "FD-GEAR-2", "key": "gear-too-high", "args": {"from": 3, "gear": 5}}
    assert not show(scene_of(GEARS, refused={3: error}), 2).blink


# -- meaning


def test_the_same_keys_for_another_ask_mean_something_else(scene_of: SceneOf) -> None:
    one = meaning(scene_of(GEARS), 2)
    assert one == meaning(scene_of(GEARS), 2)
    assert one != meaning(scene_of({**GEARS, "since": 11}), 2)


def test_what_others_are_asked_does_not_change_what_a_gear_means(scene_of: SceneOf) -> None:
    other = {"seat": 4, "kind": "black", "for": "debris", "options": [[1, 4], [5, 20]]}
    assert meaning(scene_of(GEARS), 2) == meaning(scene_of(GEARS, other), 2)


# -- the lobby


def lobby(*joined: int, seat_count: int = 3, **more: Any) -> Scene:
    seats = tuple(SeatInfo(n, str(n), host=joined[:1] == (n,)) for n in range(1, seat_count + 1))
    names = {seat: f"guest {seat}" for seat in joined}
    return Scene(0, seats, lobby=Lobby(joined=names, seats=joined, **more))


NAMED = "race lobby disk news moved seats flags next clock watch minutes_left minutes_span waits"
"""Keys of `/api/table` that docs/page.md names, of a table alone."""


def test_before_a_race_the_table_has_every_key_that_it_has_in_one() -> None:
    scene = lobby(1, 2)
    told = table_view(scene)
    assert [key for key in NAMED.split() if key not in told] == []
    of_race = formula.of_table(scene)
    assert {key: told[key] for key in of_race} == of_race, "and says of each that there is none"
    assert told["standing"] == {str(seat): formula.of_seat(scene, seat) for seat in (1, 2, 3)}


def test_any_button_joins() -> None:
    for button in range(1, 7):
        assert does(lobby(), 2, button) == (SetUp("join"),)


def test_the_first_to_join_sets_the_race_up() -> None:
    scene = lobby(2, 1, last={})
    assert labels(scene, 2) == ["me", "track", "laps", "again", "START", "rules"]
    assert labels(scene, 1) == ["name", "box", "color", "leave", "rules", ""]
    assert labels(scene, 1, after(scene, 1, 5)) == ["", "", "prev", "", "next", "back"], "to read"
    assert does(scene, 2, 5) == (Start(),)
    assert does(scene, 2, 4) == (SetUp("same"),)
    assert does(scene, 2, 3, 3) == (SetUp("laps", 3),)


def test_a_name_that_is_taken_is_not_on_offer() -> None:
    scene = lobby(1, 2, names=("Ana", "Bob"))
    scene = replace(scene, lobby=replace(scene.lobby, joined={1: "Ana", 2: "guest 2"}))
    assert labels(scene, 2, after(scene, 2, 1)) == ["guest", "Bob", "", "", "", "back"]
    assert does(scene, 2, 1, 2) == (SetUp("name", "Bob"),)


# -- the end


def test_fd_team_1_the_result_tells_points_and_then_the_teams(scene_of: SceneOf) -> None:
    cars = {
        3: Car(3, "Cid", 3, status=Status.FINISHED, place=1, team="blue"),
        1: Car(1, "Ana", 1, status=Status.OUT, team="red"),
    }
    scene = with_state(scene_of(), phase="finished", cars=cars)
    assert show(scene, 2).lines == ("1. Cid 10", "2. Ana out")
    ranked = show(scene, 2, after(scene, 2, 1))
    assert (ranked.title, ranked.lines) == ("Teams", ("1. blue 10", "2. red 0"))
    assert labels(scene, 2, after(scene, 2, 1, 1))[0] == "result"


def test_who_races_on_alone_is_offered_to_end_it_and_asked_again(scene_of: SceneOf) -> None:
    several = scene_of()
    cars = {
        seat: replace(car, status=Status.OUT if seat > 1 else car.status)
        for seat, car in several.state.cars.items()  # type: ignore[attr-defined]
    }
    alone = with_state(several, cars=cars)
    assert labels(several, 1, menu(several, 1))[1] == "race"
    assert labels(alone, 1, menu(alone, 1))[1] == "end"
    assert does(alone, 1, 2, dialog=menu(alone, 1)) == ()
    assert does(alone, 1, 2, 1, dialog=menu(alone, 1)) == (End(),)
    assert table_view(alone)["last"] == 1
    assert table_view(several)["last"] is None


def test_the_result_has_pages_and_then_what_now(scene_of: SceneOf) -> None:
    places = {n: (n, Status.FINISHED) for n in range(1, 6)} | {6: (None, Status.OUT)}
    cars = {
        n: Car(n, name, n, place=places[n][0], status=places[n][1])
        for n, name in enumerate(("Ana", "Bob", "Cid", "Dora", "Eve", "Fritz"), 1)
    }
    scene = with_state(scene_of(), phase="finished", cars=cars)
    assert show(scene, 3).lines == ("1. Ana 10", "2. Bob 8", "3. Cid 6", "4. Dora 5")
    assert show(scene, 3, after(scene, 3, 2)).lines == ("5. Eve 4", "6. Fritz out")
    assert labels(scene, 3, after(scene, 3, 2, 2)) == ["result", "edit", "rematch", "", "new", ""]
    assert does(scene, 3, 2, 2, 2) == (SetUp("same"),), "names, track and rules stay"
    assert does(scene, 3, 2, 2, 3) == (Rematch(),)
    assert does(scene, 3, 2, 2, 5) == (), "asked before all names go"
    assert does(scene, 3, 2, 2, 5, 1) == (SetUp("join", "Cid"),), "who asks keeps the own name"
