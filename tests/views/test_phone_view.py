"""A seat as a phone shows it: the page of its small screen, in words that need not fit it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from support.formula.hand_made import with_car

from companion.drawing.seat import UNIT, draw_road
from companion.views.dialog import press, show
from companion.views.model import Lobby, Scene
from companion.views.page import seat_view
from companion.views.screen import HOME, Dialog
from companion.views.words import LANGUAGES

SceneOf = Callable[..., Scene]
GEARS = {
    "seat": 2, "kind": "gear", "options": [1, 2, 3, 4],
    "costs": {"2": {"gearbox": 1}}, "out": [1],
}  # fmt: skip
KEYS = ("picture", "language", "who", "title", "lines", "keys", "undo", "menu", "map")
FINGER = 44
NARROWEST = 320
"""The least width of a phone and of a target, in CSS pixels."""


def of(scene: Scene, seat: int, dialog: Dialog = HOME, *, own: bool = True) -> dict[str, Any]:
    return seat_view(scene, seat, dialog, draw_road, own=own)


def end(to: str, brakes: int = 0, **traits: Any) -> dict[str, Any]:
    cost = {"brakes": brakes} if brakes else {}
    rest: dict[str, Any] = {"debris": [], "spin": False, "out": False, "tires": 0, "blocked": 0}
    return {"to": to, "brakes": brakes, "cost": cost, **rest, **traits}


def move(*ends: dict[str, Any]) -> dict[str, Any]:
    return {"seat": 2, "kind": "move", "options": list(ends)}


MOVE = move(end("S6.l19", cost={"tires": 1}), end("S6.m20"), end("S6.m19", 1), end("S6.r19"))


def test_a_view_has_the_keys_of_the_contract(scene_of: SceneOf) -> None:
    view = of(scene_of(GEARS), 2)
    assert set(KEYS) - {"picture"} <= set(view)
    assert {"name", "color", "place", "lap", "gear"} <= set(view["who"])
    assert view["who"]["name"] == "Bob"
    assert (view["who"]["place"], view["who"]["lap"], view["who"]["gear"]) == (2, 1, 3)
    for button, key in enumerate(view["keys"], 1):
        assert {"button", "label", "hint", "mark", "enabled"} <= set(key)
        assert key["button"] == button
    assert view["map"] is None


def test_keys_say_what_they_cost_in_words_and_by_a_mark(scene_of: SceneOf) -> None:
    keys = of(scene_of(GEARS), 2)["keys"]
    assert [key["mark"] for key in keys] == ["out", "costly", "free", "free", None, None]
    assert keys[1]["hint"] == "2–4 · −1 gearbox"
    assert [key["enabled"] for key in keys] == [True] * 4 + [False] * 2


@pytest.mark.parametrize(("gear", "mark"), [(1, "out"), (2, "costly"), (3, "free")])
def test_an_answer_that_was_taken_back_keeps_the_mark_of_what_it_costs(
    scene_of: SceneOf, gear: int, mark: str
) -> None:
    """By "out" a phone asks once more, and by "costly" it shows the price as of the others."""
    told = of(scene_of(GEARS, old={(2, "gear"): gear}), 2)
    (choice,) = (one for one in told["choices"] if one["sign"] == "old")
    assert (choice["answer"], choice["mark"]) == ({"gear": gear}, mark)


def rolling(table: Callable[..., Any], gear: int = 5, tires: str = "hard", **more: Any) -> Any:
    """A table at which seat 1, eight spaces before a corner, rolls the die of this gear."""
    car = {"space": "S1.m11", "gear": gear, "lap": 1, "tires": tires, "wear": {"tires": 3}}
    cars = {"1": car, "2": {"space": "S1.m8", "gear": 1}}
    made = table(names=("Ana", "Bob")).new(position={"cars": cars}, **more)
    made.answer(seat=1, gear=gear)
    return made


def test_a_die_of_ten_faces_is_one_touch(table: Callable[..., Any]) -> None:
    view = of(rolling(table).scene(), 1)
    assert (view["title"], view["kind"]) == ("What does the violet die show?", "faces")
    told = [{"roll": face} for face in range(11, 21)]
    assert [one["answer"] for one in view["choices"]] == told
    assert [one["answer"] for one in view["row"]] == told


def test_before_the_die_is_told_the_road_has_the_ends_of_all_its_faces(
    table: Callable[..., Any],
) -> None:
    road = of(rolling(table, 4).scene(), 1)["map"]
    assert road["asked"] == "roll"
    for face in range(7, 13):
        again = rolling(table, 4)
        asked = again.answer(seat=1, roll=face)["asks"][0]["options"]
        shown = {one["to"]: one for one in road["ends"] if one["roll"] == face}
        assert set(shown) == {option["to"] for option in asked}
        for to, one in shown.items():
            again.answer(explain={"seat": 1, "move": {"to": to, "brakes": one["brakes"]}})
            its = [option for option in asked if option["to"] == to]
            assert sum(one["cost"].values()) == min(sum(o["cost"].values()) for o in its)


def test_where_an_end_fits_two_faces_the_cheaper_stands_first(table: Callable[..., Any]) -> None:
    ends = of(rolling(table, 4).scene(), 1)["map"]["ends"]
    for space in {one["to"] for one in ends}:
        ways = [one for one in ends if one["to"] == space]
        assert len({one["roll"] for one in ways}) == len(ways)
        order = [(w["mark"] == "out", w["short"] == "↻", sum(w["cost"].values())) for w in ways]
        assert order == sorted(order)


def test_only_what_is_dear_is_asked_once_more(table: Callable[..., Any]) -> None:
    ends = of(rolling(table).scene(), 1)["map"]["ends"]
    assert {one["mark"] for one in ends} == {"free", "costly", "out"}
    for one in ends:
        is_bad = one["mark"] == "out" or one["short"] == "↻"
        assert one["dear"] == (is_bad or sum(one["cost"].values()) - one["brakes"] >= 2)


@pytest.mark.parametrize("tires", ["hard", "soft"])
def test_where_something_stands_between_die_and_move_the_die_comes_first(
    table: Callable[..., Any], tires: str
) -> None:
    view = of(rolling(table, tires=tires, rules=["tires"]).scene(), 1)
    assert bool(view["map"]) == (tires == "hard")
    assert (view["kind"], len(view["choices"])) == ("faces", 10)


def test_no_road_tells_the_die_that_the_companion_throws(table: Callable[..., Any]) -> None:
    view = of(rolling(table, dice={"seats": [1]}).scene(), 1)
    assert (view["map"], view["throws"]) == (None, {"gear": 5})


def test_an_answer_on_a_phone_is_told_as_the_engine_takes_it(table: Callable[..., Any]) -> None:
    made = rolling(table, 4)
    gears = table(names=("Ana", "Bob")).new(grid=[1, 2], start="normal")
    assert [one["answer"] for one in of(gears.scene(), 1)["choices"]] == [{"gear": 1}]
    assert of(gears.scene(), 1)["kind"] == "scale"
    made.answer(seat=1, roll=7)
    fell = {"version": 2, "event": "DieRolled", "seat": 1, "gear": 4, "face": 7}
    view = of(made.scene(log=(fell,)), 1)
    assert (view["kind"], view["map"]["asked"], view["map"]["rolled"]) == ("lanes", "move", "7")
    told = [one["answer"]["move"]["to"] for one in view["choices"] if one["answer"]]
    assert set(told) <= {one["to"] for one in view["map"]["ends"]}


def test_a_name_is_never_cut(scene_of: SceneOf) -> None:
    scene = with_car(scene_of(GEARS), 1, name="Jean-Baptiste de la Tour")
    assert "Jean-Baptiste de la Tour" in of(scene, 5)["title"] or any(
        "Jean-Baptiste de la Tour" in line for line in of(scene, 2)["lines"]
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_waiting_phone_tells_the_corner_and_both_neighbours(
    scene_of: SceneOf, language: str
) -> None:
    view = of(scene_of(GEARS, language=language), 4)
    assert view["language"] == language
    corner, ahead, behind = view["lines"]
    assert "Chicane" in corner
    assert "21" in corner
    assert ahead.startswith("Cid")
    assert behind.startswith("Eve")
    assert len(view["wear"]) == 6
    assert not any(key["enabled"] for key in view["keys"]), "all is told: no page to turn"


def test_everybody_else_sees_no_key_that_can_be_pressed(scene_of: SceneOf) -> None:
    view = of(scene_of(GEARS), 2, own=False)
    assert [key["label"] for key in view["keys"][:4]] == ["1", "2", "3", "4"]
    assert not any(key["enabled"] for key in view["keys"])
    assert (view["undo"], view["menu"]) == (False, False)


def test_what_every_button_does_is_one_key(scene_of: SceneOf) -> None:
    lobby = Scene(1, scene_of().seats, lobby=Lobby())
    keys = of(lobby, 2)["keys"]
    assert (keys[0]["label"], keys[0]["enabled"]) == ("Join", True)
    assert not any(key["enabled"] for key in keys[1:])


def test_undo_is_offered_where_something_can_be_taken_back(scene_of: SceneOf) -> None:
    assert not of(scene_of(MOVE), 2)["undo"]
    assert of(scene_of(MOVE, undoable=frozenset({2})), 2)["undo"]
    scene = scene_of(MOVE)
    half_made, _ = press(scene, 2, HOME, 6)
    assert of(scene, 2, half_made)["undo"], "a page is left"


# -- the road


def test_every_end_lies_on_the_road_with_its_price_and_its_button(scene_of: SceneOf) -> None:
    road = of(scene_of(MOVE), 2)["map"]
    ends = {(one["to"], one["brakes"]): one for one in road["ends"]}
    assert set(ends) == {("S6.l19", 0), ("S6.m20", 0), ("S6.m19", 1), ("S6.r19", 0)}
    marks = {key: one["mark"] for key, one in ends.items()}
    assert marks == {key: "free" if key[0] in ("S6.m20", "S6.r19") else "costly" for key in ends}
    assert [one["mark"] for one in road["ends"]] == sorted(marks.values(), reverse=True)
    assert ends["S6.l19", 0]["short"] == "−1"
    assert ends["S6.m20", 0]["name"] == "middle, 9 before Chicane"
    assert {key: one["button"] for key, one in ends.items()} == {
        ("S6.l19", 0): 1, ("S6.m20", 0): 2, ("S6.m19", 1): None, ("S6.r19", 0): 3,
    }  # fmt: skip


def test_driving_is_up_and_left_is_left(scene_of: SceneOf) -> None:
    road = of(scene_of(MOVE), 2)["map"]
    ends = {one["to"]: one for one in road["ends"]}
    assert ends["S6.l19"]["x"] < ends["S6.m20"]["x"] < ends["S6.r19"]["x"]
    assert ends["S6.m20"]["y"] < ends["S6.m19"]["y"] < road["car"]["y"]
    assert ends["S6.m20"]["y"] > 0
    assert road["car"]["y"] < road["height"]


def test_every_space_can_be_touched_on_the_narrowest_phone(scene_of: SceneOf) -> None:
    road = of(scene_of(MOVE), 2)["map"]
    scale = NARROWEST / road["width"]
    assert UNIT * scale >= FINGER
    spots = [(one["x"], one["y"]) for one in road["ends"]]
    for at, (x, y) in enumerate(spots):
        for other_x, other_y in spots[at + 1 :]:
            assert max(abs(x - other_x), abs(y - other_y)) * scale >= FINGER


def test_the_cars_around_lie_on_the_road(scene_of: SceneOf) -> None:
    road = of(scene_of(MOVE), 2)["map"]
    assert {car["seat"] for car in road["cars"]} == {1}


def test_a_place_that_is_stepped_to_is_a_ghost_on_the_road(scene_of: SceneOf) -> None:
    scene, dialog = scene_of(MOVE), HOME
    for label in ("more", "other", "middle"):
        keys = show(scene, 2, dialog).keys
        button = next(n for n, key in enumerate(keys, 1) if key and key.label == label)
        dialog, _ = press(scene, 2, dialog, button)
    before = of(scene, 2, dialog)["map"]["ghost"]
    after = of(scene, 2, press(scene, 2, dialog, 1)[0])["map"]["ghost"]
    assert after["y"] < before["y"], "one space on"


def test_a_waiting_seat_has_no_road_but_where_it_is_to_agree(scene_of: SceneOf) -> None:
    scene = scene_of(MOVE)
    assert of(scene, 4)["map"] is None
    proposed = scene_of(MOVE, proposal={"seat": 2, "space": "S6.m18", "from": 2, "error": None})
    road = of(proposed, 4)["map"]
    assert road["ends"] == []
    assert road["ghost"] is not None


# -- what is around a car, and how the race ended


def test_what_is_around_a_waiting_car_comes_in_parts(scene_of: SceneOf) -> None:
    around = of(with_car(scene_of(GEARS), 4, tires_lap=2), 4)["around"]
    assert around["playing"]["seat"] == 2
    corner = around["corner"]
    assert (corner["name"], corner["needed"], corner["inside"]) == ("Chicane", 1, False)
    assert corner["says"].startswith("21 spaces away")
    assert [(one["name"], one["gap"]) for one in around["near"]] == [
        ("Cid", "3 ahead"),
        ("Eve", "3 behind"),
    ]
    assert around["rest"] == [], "told by the parts already"


def test_a_page_without_the_car_has_nothing_around_it(scene_of: SceneOf) -> None:
    menu, _ = press(scene_of(GEARS), 4, HOME, 6, hold=True)
    assert of(scene_of(GEARS), 4, menu)["around"] is None
    assert of(Scene(1, scene_of().seats, lobby=Lobby()), 2)["around"] is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_race_that_is_over_is_told_whole_with_every_reason(
    table: Callable[..., Any], language: str
) -> None:
    over = table(language).new(grid=[1, 2, 3, 4, 5, 6], start="normal")
    over.answer(seat=1, gear=1)  # a race that nobody has driven has no result
    over.answer(seat=4, retire=True)
    over.answer(end=True)
    view = of(over.scene(), 2)
    rows = view["finish"]["rows"]
    assert [row["place"] for row in rows] == [1, 2, 3, 4, 5, 6]
    assert (rows[-1]["name"], rows[-1]["out"]) == ("Dora", True)
    assert all(row["says"] for row in rows), "nobody came home: each says how it ended"
    assert rows[0]["name"] in view["title"]
    assert not any(key["enabled"] for key in view["keys"]), "nothing to turn to on a phone"
    menu, _ = press(over.scene(), 2, HOME, 6, hold=True)
    assert of(over.scene(), 2, menu)["finish"] is None
