"""FD-END: the line, the last lap, and who is placed where."""

from __future__ import annotations

from typing import Any

import pytest
from support.formula.scenes import Scene, at
from support.formula.walks import without_since

POINTS = [10, 8, 6, 5, 4, 3, 2, 1, 0, 0]


def finish(scene: Scene, face: int = 7) -> Scene:
    """The car on turn drives over its last line in 4th."""
    scene.gear(4).roll(face)
    return scene.move(next(iter(scene.ends()))).settle()


def retire(scene: Scene, *seats: int) -> Scene:
    """The referee takes cars out, in this order."""
    for seat in seats:
        scene.say({"seat": seat, "retire": True, "reason": "home"})
    return scene


def test_two_laps_unless_the_header_says_else() -> None:
    """FD-END-1: `laps` left out is 2."""
    seats = [{"seat": 1}, {"seat": 2}]
    scene = Scene({1: at("S6.m1"), 2: at("S6.l1")}, header={"seats": seats})
    scene.engine.handle({"new": {"game": "formula-d", "track": "monaco", "seats": seats}})
    assert scene.state["laps"] == 2


def test_the_first_over_the_line_wins() -> None:
    """FD-END-1: and the race goes on for the others."""
    scene = finish(Scene({1: at("S1.l12", lap=2), 2: at("S1.r12", lap=2)}))
    assert (scene.car(1)["status"], scene.car(1)["place"]) == ("finished", 1)
    assert scene.state["phase"] == "race"
    assert scene.ask("gear")["seat"] == 2


def test_the_race_ends_when_all_running_cars_have_crossed_the_line() -> None:
    """FD-END-1: nothing is asked any more."""
    scene = Scene({1: at("S1.l12", lap=2), 2: at("S1.r12", lap=2)})
    finish(finish(scene))
    assert scene.state["phase"] == "finished"
    assert scene.asks == []
    assert [row["seat"] for row in scene.state["classification"]] == [1, 2]


def test_the_race_ends_when_the_last_running_car_is_out() -> None:
    """FD-END-1: all cars still running, here none, have crossed it."""
    scene = finish(Scene({1: at("S1.l12", lap=2), 2: at("T5.l12", gear=2, lap=2)}))
    scene.drive(2, 2, "S6.l2")
    assert scene.state["phase"] == "finished"
    assert [row["status"] for row in scene.state["classification"]] == ["finished", "out"]


def test_a_car_in_its_last_lap_but_one_does_not_finish() -> None:
    """FD-END-1: it begins its last lap."""
    scene = finish(Scene({1: at("S1.l12", lap=1), 2: at("S1.r3", lap=1)}))
    assert (scene.car(1)["status"], scene.car(1)["lap"]) == ("racing", 2)
    assert scene.told("LineCrossed")[0]["lap"] == 2


def test_the_first_crossing_begins_lap_one() -> None:
    """FD-END-2, ruling: 0 on the grid; the first crossing ages no tires."""
    scene = Scene({1: at("S1.l16", gear=1, lap=0), 2: at("S6.m1")})
    assert scene.car(1)["tires_lap"] == 1
    scene.drive(2, 2, "S1.l18")
    assert (scene.car(1)["lap"], scene.car(1)["tires_lap"]) == (1, 1)


def test_the_second_crossing_ages_the_tires() -> None:
    """FD-END-2, FD-TIRE-6: lap 0 and lap 1 were one lap for them."""
    scene = finish(Scene({1: at("S1.l12", lap=1), 2: at("S1.r3", lap=1)}))
    assert scene.car(1)["tires_lap"] == 2


@pytest.mark.parametrize(("start", "short"), [("S1.l16", 1), ("S1.m17", 1), ("S1.r17", 1)])
def test_the_line_is_passed_by_entering_its_first_space(start: str, short: int) -> None:
    """FD-END-2: l17, m18 and r18 lie behind the line."""
    scene = Scene({1: at(start, gear=2, lap=2), 2: at("S6.m1")}).gear(1).roll(short)
    scene.move(next(end for end in scene.ends() if end in ("S1.l17", "S1.m18", "S1.r18")))
    assert scene.car(1)["status"] == "finished"


def test_one_space_before_the_line_is_not_over_it() -> None:
    """FD-END-2: braked to l16, the car has not finished."""
    scene = Scene({1: at("S1.l15", gear=2, lap=2), 2: at("S6.m1")}).gear(1).roll(2)
    scene.move("S1.l16", brakes=1)
    assert (scene.car(1)["status"], scene.car(1)["lap"]) == ("racing", 2)


def test_finishers_are_lifted_as_they_cross() -> None:
    """FD-END-2, ruling: the next one may end on the same space."""
    scene = Scene({1: at("S1.l12", lap=2), 2: at("S1.l11", lap=2)})
    finish(scene)
    assert scene.car(1)["space"] is None
    finish(scene, 8)
    assert scene.car(2)["place"] == 2


def test_no_collision_beyond_the_line() -> None:
    """FD-END-2, ruling: a car that has just begun its last lap stands where we would end."""
    cars = {1: at("S1.l15", lap=2), 2: at("S1.l19", lap=1), 3: at("S1.m19", lap=1)}
    scene = Scene(cars).gear(2).roll(3)
    scene.move(next(iter(scene.ends())))
    assert scene.car(1)["status"] == "finished"
    assert not scene.told("CollisionRolled")
    assert "black" not in scene.kinds


def test_nobody_is_blocked_beyond_the_line() -> None:
    """FD-END-2, ruling: three cars stand abreast right behind it."""
    wall = {2: at("S1.l17", lap=1), 3: at("S1.m18", lap=1), 4: at("S1.r18", lap=1)}
    scene = Scene({1: at("S1.l15", lap=2), **wall}).gear(4).roll(9)
    assert all(end["blocked"] == 0 for end in scene.ends().values())
    scene.move(next(iter(scene.ends())))
    assert (scene.car(1)["status"], scene.car(1)["wear"]["brakes"]) == ("finished", 3)


def test_no_debris_beyond_the_line() -> None:
    """FD-END-2, ruling: markers on every lane behind it are not rolled for."""
    debris = ["S1.l18", "S1.m19", "S1.r19", "S1.l17", "S1.m18", "S1.r18"]
    scene = Scene({1: at("S1.l15", lap=2), 2: at("S6.m1")}, debris=debris).gear(2).roll(4)
    assert all(end["debris"] == [] for end in scene.ends().values())


def test_debris_before_the_line_is_rolled_for() -> None:
    """FD-END-2, FD-DEBRIS-2: the car finishes after the roll."""
    scene = Scene({1: at("S1.l14", lap=2), 2: at("S6.m1")}, debris=["S1.l16"]).gear(2).roll(3)
    to = next(to for to, end in scene.ends().items() if end["debris"])
    scene.move(to)
    assert scene.rollers("debris") == [1]
    assert scene.black(1, 1).car(1)["status"] == "finished"


def test_no_slipstream_beyond_the_line() -> None:
    """FD-END-2: a finisher directly behind another car's space is offered nothing."""
    scene = Scene({1: at("S1.l12", lap=2), 2: at("S1.l20", lap=1)}).gear(4).roll(7)
    scene.move("S1.l19")
    assert scene.car(1)["status"] == "finished"
    assert "slipstream" not in scene.kinds


def test_a_corner_before_the_line_is_judged_by_the_full_roll() -> None:
    """FD-END-2, ruling: the line is crossed, but too many tires are asked: not finished."""
    cars = {1: at("T10.r2", gear=5, lap=2), 2: at("S6.m1", lap=2)}
    scene = Scene(cars).gear(6).roll(22)
    options = scene.ask("move")["options"]
    assert all(option["out"] for option in options)
    scene.move(options[0]["to"], options[0]["brakes"])
    assert (scene.car(1)["status"], scene.car(1)["place"]) == ("out", None)
    assert not scene.told("Finished")


def test_a_corner_left_properly_is_no_hindrance() -> None:
    """FD-END-2: with its stop made the same roll finishes."""
    cars = {1: at("T10.r2", gear=5, lap=2, stops=1), 2: at("S6.m1", lap=2)}
    scene = Scene(cars).gear(6).roll(22)
    scene.move(next(iter(scene.ends())))
    assert scene.car(1)["place"] == 1


def test_eliminated_cars_follow_the_one_eliminated_last_first() -> None:
    """FD-END-2, ruling: by the round in which they went out."""
    gone = {"why": "corner", "rule": "FD-CORNER-3"}
    cars = {
        1: at("S1.l12", lap=2),
        2: {"gear": 1, "status": "out", "lap": 1, "out": {**gone, "round": 2}},
        3: {"gear": 1, "status": "out", "lap": 1, "out": {**gone, "round": 4}},
    }
    scene = finish(Scene(cars, order=[1]))
    assert [row["seat"] for row in scene.state["classification"]] == [1, 3, 2]


def test_cars_eliminated_in_one_round_are_placed_by_distance() -> None:
    """FD-END-2, ruling: same round, the one that came further first."""
    cars = {1: at("T5.l12", gear=2), 2: at("T9.l9", gear=2), 3: at("S1.l12", lap=2)}
    scene = Scene(cars).drive(2, 2, "S6.l2")
    scene.gear(2).roll(2)
    options = scene.ask("move")["options"]
    scene.move(options[0]["to"], options[0]["brakes"])
    assert (scene.car(1)["status"], scene.car(2)["status"]) == ("out", "out")
    finish(scene)
    assert [row["seat"] for row in scene.state["classification"]] == [3, 2, 1]


def test_points_by_place() -> None:
    """FD-TEAM-1: 10, 8, 6, 5, 4, 3, 2, 1, then 0."""
    spaces = ["l16", "r17", "m16", "l14", "r15", "m14", "l12", "r13", "m12", "l10"]
    cars: dict[int, Any] = {
        seat: at(f"S1.{space}", lap=2) for seat, space in enumerate(spaces, start=1)
    }
    scene = Scene(cars)
    for _ in cars:
        finish(scene, 12)
    rows = scene.state["classification"]
    assert [row["place"] for row in rows] == list(range(1, 11))
    assert [row["points"] for row in rows] == POINTS


def test_an_eliminated_car_scores_nothing() -> None:
    """FD-TEAM-1, ruling: though it is placed second."""
    scene = finish(Scene({1: at("S1.l12", lap=2), 2: at("T5.l12", gear=2, lap=2)}))
    scene.drive(2, 2, "S6.l2")
    rows = [(row["place"], row["seat"], row["points"]) for row in scene.state["classification"]]
    assert rows == [(1, 1, 10), (2, 2, 0)]


def test_a_race_that_is_ended_classifies_running_cars_as_they_stand() -> None:
    """FD-END-2: finishers first, then those running by position, then those out."""
    cars = {1: at("S1.l12", lap=2), 2: at("S6.m1", lap=2), 3: at("S9.l1", lap=2), 4: at("S2.l1")}
    scene = retire(finish(Scene(cars)), 4)
    scene.say({"end": True})
    assert scene.state["phase"] == "finished"
    assert [row["seat"] for row in scene.state["classification"]] == [1, 3, 2, 4]


def past_the_last_line() -> Scene:
    """A car over its last line, whose debris is still to be rolled for; a lapped one behind it."""
    cars = {1: at("S1.m15", lap=2, gear=2), 2: at("S1.m18", lap=1), 3: at("S6.m1", lap=1)}
    scene = Scene(cars, debris=["S1.m16"]).gear(3).roll(4)
    way = next(end for end in scene.ends().values() if end["debris"])
    scene.move(way["to"])
    assert scene.rollers("debris") == [1]
    return scene


def test_a_car_past_its_last_line_stands_nowhere_while_its_debris_is_rolled_for() -> None:
    """FD-END-2: where it came to is kept with what is still pending."""
    scene = past_the_last_line()
    assert (scene.car(1)["space"], scene.car(1)["status"]) == (None, "racing")
    halt = next(step for step in scene.state["pending"] if step["step"] == "halt")
    assert scene.engine.moment.setup.track.index[halt["ended"]]


def test_the_state_of_a_car_past_its_last_line_is_a_position_and_can_be_corrected() -> None:
    """FD-END-2: whoever stands where it came to is in nobody's way."""
    scene = past_the_last_line()
    halt = next(step for step in scene.state["pending"] if step["step"] == "halt")
    scene.say({"correct": {"cars": {"2": {"space": halt["ended"]}}}, "reason": "it stands there"})
    cars = {int(seat): car for seat, car in scene.state["cars"].items()}
    again = Scene(cars, **{key: value for key, value in scene.state.items() if key != "cars"})
    assert (again.state, without_since(again.asks)) == (scene.state, without_since(scene.asks))


def test_a_car_that_debris_before_the_line_puts_out_leaves_its_marker_where_it_came_to() -> None:
    """FD-DEBRIS-3, FD-END-2: it has not finished."""
    scene = past_the_last_line()
    ended = next(s["ended"] for s in scene.state["pending"] if s["step"] == "halt")
    scene.say({"correct": {"cars": {"1": {"wear": {"handling": 1}}}}, "reason": "worn"})
    scene.black(1, 1)
    assert (scene.car(1)["status"], scene.car(1)["out"]["space"]) == ("out", ended)
    assert ended in scene.state["debris"]


def test_a_car_retired_past_its_last_line_comes_back_before_it() -> None:
    """FD-END-2: it has not finished; where it came to is known."""
    scene = past_the_last_line()
    scene.say({"seat": 1, "retire": True, "reason": "gone"}).say({"seat": 1, "return": True})
    assert (scene.car(1)["lap"], scene.car(1)["status"]) == (2, "racing")
    assert scene.car(1)["space"].startswith("S1.m")
