"""A turn on the keys: the gear, what the die shows, where the car ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.rules.lines import Answer
from companion.views.dialog import choices, press, show
from companion.views.model import Key, Scene
from companion.views.screen import HOME

SceneOf = Callable[..., Scene]


def keys(scene: Scene, seat: int = 2, *buttons: int) -> list[Key | None]:
    dialog = HOME
    for button in buttons:
        dialog, intents = press(scene, seat, dialog, button)
        assert not intents
    return list(show(scene, seat, dialog).keys)


def labels(scene: Scene, seat: int = 2, *buttons: int) -> list[str]:
    return [key.label if key else "" for key in keys(scene, seat, *buttons)]


def sent(scene: Scene, *buttons: int, seat: int = 2) -> list[Any]:
    dialog, intents = HOME, ()
    for button in buttons:
        dialog, intents = press(scene, seat, dialog, button)
    return [intent.line for intent in intents if isinstance(intent, Answer)]


def end(to: str, brakes: int = 0, **more: Any) -> dict[str, Any]:
    return {
        "to": to, "brakes": brakes, "tires": 0, "blocked": 0, "cost": {}, "debris": [],
        "spin": False, "out": False,
    } | more  # fmt: skip


GEARS = {
    "seat": 2,
    "kind": "gear",
    "options": [1, 2, 3, 4],
    "costs": {"1": {"gearbox": 1, "brakes": 1}, "2": {"gearbox": 1}},
    "out": [1],
}


def roll(*faces: int) -> dict[str, Any]:
    return {"seat": 2, "kind": "roll", "options": list(faces)}


def move(*ends: dict[str, Any], kind: str = "move") -> dict[str, Any]:
    return {"seat": 2, "kind": kind, "options": list(ends)}


def test_a_gear_stands_on_its_own_button_of_the_gate(scene_of: SceneOf) -> None:
    assert labels(scene_of(GEARS)) == ["1", "2", "3", "4", "", ""]


def test_pressing_a_gear_answers_with_that_gear(scene_of: SceneOf) -> None:
    assert sent(scene_of(GEARS), 3) == [{"seat": 2, "gear": 3}]


def test_a_gear_that_is_not_on_offer_has_no_key_and_does_nothing(scene_of: SceneOf) -> None:
    assert press(scene_of(GEARS), 2, HOME, 6) == (HOME, ())


def test_what_a_gear_costs_stands_under_it(scene_of: SceneOf) -> None:
    second = keys(scene_of(GEARS))[1]
    assert second is not None
    assert (second.hint, second.mark) == ("−G", "costs")


def test_a_gear_that_puts_the_car_out_says_so(scene_of: SceneOf) -> None:
    first = keys(scene_of(GEARS))[0]
    assert first is not None
    assert (first.hint, first.mark) == ("OUT", "out")


def test_an_old_gear_is_marked_in_its_own_place(scene_of: SceneOf) -> None:
    told = keys(scene_of(GEARS, old={(2, "gear"): 4}))
    assert [key.mark if key else "" for key in told] == ["out", "costs", "free", "old", "", ""]


def test_six_faces_stand_on_six_keys(scene_of: SceneOf) -> None:
    assert labels(scene_of(roll(7, 8, 9, 10, 11, 12))) == ["7", "8", "9", "10", "11", "12"]


def test_ten_faces_take_two_pages_of_five(scene_of: SceneOf) -> None:
    scene = scene_of(roll(*range(11, 21)))
    assert labels(scene) == ["11", "12", "13", "14", "15", "more"]
    assert labels(scene, 2, 6) == ["16", "17", "18", "19", "20", "more"]
    assert sent(scene, 6, 5) == [{"seat": 2, "roll": 20}]


def test_an_old_face_of_the_second_page_comes_first_and_moves_only_one(scene_of: SceneOf) -> None:
    scene = scene_of(roll(*range(11, 21)), old={(2, "roll"): 18})
    assert labels(scene) == ["18", "12", "13", "14", "15", "more"]
    first = keys(scene)[0]
    assert first is not None
    assert first.mark == "old"
    assert labels(scene, 2, 6) == ["16", "17", "11", "19", "20", "more"]


def test_the_lanes_are_on_the_first_three_buttons(scene_of: SceneOf) -> None:
    scene = scene_of(move(end("S6.l20"), end("S6.m20"), end("S6.r19")))
    assert labels(scene) == ["left", "middle", "right", "", "", "more"]
    assert sent(scene, 2) == [{"seat": 2, "move": {"to": "S6.m20", "brakes": 0}}]


def test_a_lane_out_of_reach_leaves_its_button_empty(scene_of: SceneOf) -> None:
    assert labels(scene_of(move(end("S6.l20"), end("S6.r19"))))[1] == ""


def test_a_lane_with_two_ends_shows_near_and_far_on_four_and_five(scene_of: SceneOf) -> None:
    scene = scene_of(move(end("T6.l1"), end("T6.m4"), end("T6.m3")))
    assert labels(scene) == ["left", "", "", "near", "far", "more"]
    assert sent(scene, 4) == [{"seat": 2, "move": {"to": "T6.m3", "brakes": 0}}]
    assert sent(scene, 5) == [{"seat": 2, "move": {"to": "T6.m4", "brakes": 0}}]


def test_two_lanes_with_two_ends_need_no_page(scene_of: SceneOf) -> None:
    scene = scene_of(move(end("T6.l1"), end("T6.l2"), end("T6.m3"), end("T6.m4"), end("T6.r4")))
    assert labels(scene) == ["L near", "L far", "M near", "M far", "right", "more"]


def test_three_ends_of_a_lane_stand_from_near_to_far(scene_of: SceneOf) -> None:
    scene = scene_of(move(end("T6.m2"), end("T6.m3"), end("T6.m4")))
    assert labels(scene) == ["M near", "middle", "M far", "", "", "more"]
    assert sent(scene, 3) == [{"seat": 2, "move": {"to": "T6.m4", "brakes": 0}}]
    assert sent(scene, 2) == [{"seat": 2, "move": {"to": "T6.m3", "brakes": 0}}]


def test_whatever_they_cost_ends_stand_by_lane_then_by_distance(scene_of: SceneOf) -> None:
    dear = end("S7.m1", cost={"tires": 1})
    ends = [end("T6.l5"), end("T6.m5"), end("T6.m6"), dear, end("T6.r6")]
    for order in (ends, ends[::-1]):
        told = [sent(scene_of(move(*order)), button)[0]["move"]["to"] for button in range(1, 6)]
        assert told == ["T6.l5", "T6.m5", "T6.m6", "S7.m1", "T6.r6"]


def test_of_more_ends_than_keys_those_that_cost_more_are_behind_the_fifth(
    scene_of: SceneOf,
) -> None:
    dear = end("T6.l4", cost={"tires": 1})
    ends = [dear, *(end(f"T6.{lane}{n}") for lane in "mr" for n in (3, 4)), end("T6.l3")]
    scene = scene_of(move(*ends))
    told = [sent(scene, button)[0]["move"]["to"] for button in range(1, 5)]
    assert told == ["T6.l3", "T6.m3", "T6.m4", "T6.r4"]
    assert labels(scene)[4:] == ["other", "more"]
    hidden = [sent(scene, 5, button)[0]["move"]["to"] for button in (1, 2)]
    assert hidden == ["T6.l4", "T6.r3"]


def test_ends_beyond_five_are_on_a_page_behind_button_5(scene_of: SceneOf) -> None:
    ends = [end(f"T6.{lane}{n}") for lane in "lmr" for n in (2, 3, 4)]
    scene = scene_of(move(*ends))
    assert labels(scene)[4] == "other"
    pressed = {sent(scene, 5, button)[0]["move"]["to"] for button in range(1, 6)}
    direct = {sent(scene, button)[0]["move"]["to"] for button in range(1, 5)}
    assert pressed | direct == {option["to"] for option in ends}


def test_the_hint_is_the_worst_that_happens(scene_of: SceneOf) -> None:
    scene = scene_of(
        move(
            end("S6.l20", cost={"tires": 2}),
            end("S6.m20", spin=True, cost={"tires": 4}),
            end("S6.r19", out=True),
        )
    )
    told = [(key.hint, key.mark) for key in keys(scene)[:3] if key]
    assert told == [("tires−2", "costs"), ("spin", "costs"), ("OUT", "out")]


def test_an_end_that_costs_nothing_is_named(scene_of: SceneOf) -> None:
    key = keys(scene_of(move(end("T5.m4"))))[1]
    assert key is not None
    assert (key.hint, key.mark) == ("Loews 4", "free")


def test_brakes_are_behind_more_and_sent_at_once_where_one_end_is_left(scene_of: SceneOf) -> None:
    scene = scene_of(move(end("S6.m20"), end("S6.m19", 1, cost={"brakes": 1})))
    assert labels(scene, 2, 6)[:2] == ["−1 sp.", "other"]
    assert sent(scene, 6, 1) == [{"seat": 2, "move": {"to": "S6.m19", "brakes": 1}}]


def test_braking_with_several_ends_asks_for_the_lane_again(scene_of: SceneOf) -> None:
    scene = scene_of(move(end("S6.m20"), end("S6.m19", 1), end("S6.l19", 1)))
    assert labels(scene, 2, 6, 1) == ["left", "middle", "", "", "", "back"]
    assert sent(scene, 6, 1, 1) == [{"seat": 2, "move": {"to": "S6.l19", "brakes": 1}}]


def test_the_box_is_behind_more(scene_of: SceneOf) -> None:
    scene = scene_of(move(end("S1.r5"), end("B2")))
    assert labels(scene, 2, 6)[0] == "box"
    assert sent(scene, 6, 1) == [{"seat": 2, "move": {"to": "B2", "brakes": 0}}]


def test_in_the_pit_lane_the_only_end_is_on_the_first_button(scene_of: SceneOf) -> None:
    assert labels(scene_of(move(end("P7"))))[0] == "pit 7"


def test_the_key_to_an_old_braked_end_is_marked(scene_of: SceneOf) -> None:
    old = {(2, "move"): {"to": "S6.m19", "brakes": 1}}
    scene = scene_of(move(end("S6.m20"), end("S6.m19", 1)), old=old)
    more = keys(scene)[5]
    braked = keys(scene, 2, 6)[0]
    assert more is not None
    assert braked is not None
    assert (more.mark, braked.mark) == ("old", "old")


def test_a_slipstream_can_be_declined(scene_of: SceneOf) -> None:
    ends = [end("T5.m4", cost={"brakes": 1}), None]
    scene = scene_of({"seat": 2, "kind": "slipstream", "options": ends})
    assert labels(scene) == ["", "middle", "", "no", "", "more"]
    assert sent(scene, 4) == [{"seat": 2, "slipstream": None}]
    assert sent(scene, 2) == [{"seat": 2, "slipstream": {"to": "T5.m4", "brakes": 0}}]


def test_a_page_closes_when_something_else_is_asked(scene_of: SceneOf) -> None:
    dialog, _ = press(scene_of(move(end("S6.m20"), end("S6.m19", 1))), 2, HOME, 6)
    after = scene_of({**GEARS, "since": 8})
    assert choices(after, 2, dialog) == choices(after, 2, HOME)


def test_a_page_stays_while_others_answer(scene_of: SceneOf) -> None:
    ask = move(end("S6.m20"), end("S6.m19", 1))
    before = scene_of(
        ask, {"seat": 3, "kind": "black", "for": "debris", "options": [[1, 4], [5, 20]]}
    )
    dialog, _ = press(before, 2, HOME, 6)
    assert show(scene_of(ask), 2, dialog).title == "Brake and more"


def test_a_whole_turn_is_three_presses(table: Any) -> None:
    race = table().place(cars={"1": {"space": "S6.m1", "gear": 3, "lap": 1}}, order=[1], turn=1)
    race.press(1, 3)
    race.press(1, 3)
    replies = race.press(1, 2)
    told = [event["event"] for event in replies[0]["events"]]
    assert "Moved" in told
    assert "TurnEnded" in told


def test_an_ask_that_nobody_has_a_page_for_is_a_paged_list(scene_of: SceneOf) -> None:
    unheard = scene_of({"seat": 2, "kind": "lot", "options": list(range(13))})
    assert labels(unheard, 2, 6, 6) == ["10", "11", "12", "", "", "more"]
    assert sent(unheard, 6, 6, 3) == [{"seat": 2, "lot": 12}]


def test_points_are_spread_press_by_press(scene_of: SceneOf) -> None:
    worn = {"points": 2, "categories": ["gearbox", "engine"]}
    ask = {"seat": 2, "kind": "repair", "options": worn}
    assert sent(scene_of(ask), 1, 2) == [{"seat": 2, "repair": {"gearbox": 1, "engine": 1}}]
    assert sent(scene_of(ask), 1, 6) == [{"seat": 2, "repair": {"gearbox": 1}}]
    assert labels(scene_of(ask), 2, 1)[0] == "", "it has all of its points again"


def test_a_free_number_is_stepped(scene_of: SceneOf) -> None:
    assert sent(scene_of({"seat": 2, "kind": "time"}), 6, 3, 1, 5) == [{"seat": 2, "time": 71}]
