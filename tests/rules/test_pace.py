"""Time and flags: what a line of the companion's comes to; the rules themselves know no clock."""

from __future__ import annotations

from typing import Any

import pytest
from support.each import in_one
from support.formula.scenes import Scene, at
from support.tables.sitting import CachedLibrary

from companion.race.engine import Engine

LATE = {"seat": 1, "flag": "time"}
ERROR = {"seat": 1, "flag": "error"}
BELL = {"bell": True}


def timed(cars: dict[int, Any] | None = None, laps: int = 3, **house: str) -> Scene:
    """Two cars in mid-race, the first on turn, by these switches."""
    cars = cars or {1: at("S6.m9"), 2: at("S6.m3")}
    told = {"turn_clock": "20", **house}
    return Scene(cars, header={"laps": laps, "house": told})


def told(scene: Scene, name: str) -> list[dict[str, Any]]:
    return [event for event in scene.events if event["event"] == name]


def round_over(scene: Scene) -> Scene:
    """Both cars have their turns."""
    for _ in range(2):
        scene.gear(4).roll(7).move(min(scene.ends())).settle()
    return scene


def test_three_time_flags_cost_the_next_turn() -> None:
    """FD-ORDER-1, switch turn_late: the Formula De Club's 20 seconds a move."""
    scene = timed(turn_late="flag").say(LATE).say(LATE)
    assert "sits_out" not in scene.car(1)
    scene.say(LATE)
    assert (scene.car(1)["sits_out"], scene.car(1)["time_flags"]) == (1, 3)
    before = scene.car(2)["space"]
    round_over(scene)
    assert [event["seat"] for event in told(scene, "TurnLost")] == [1]
    assert scene.ask("gear")["seat"] == 2
    assert "sits_out" not in scene.car(1)
    assert scene.car(2)["space"] != before


def test_a_car_that_sits_out_keeps_its_place_and_its_gear() -> None:
    scene = timed(turn_late="lost").say(LATE)
    scene.gear(4).roll(7).move(min(scene.ends())).settle()
    stood = scene.car(1)["space"]
    scene.gear(4).roll(7).move(min(scene.ends())).settle()
    assert told(scene, "TurnLost")
    assert (scene.car(1)["space"], scene.car(1)["gear"]) == (stood, 4)


@pytest.mark.parametrize("late", ["lost", "bank"])
def test_where_a_late_turn_is_lost_each_flag_costs_one(late: str) -> None:
    scene = timed(turn_late=late).say(LATE).say(LATE)
    assert scene.car(1)["sits_out"] == 2


def test_a_slow_player_is_warned_and_then_out() -> None:
    """FD-ORDER-1, switch turn_late: the World Boardgaming Championships' slow play."""
    scene = timed(turn_late="warn-out").say(LATE)
    assert scene.car(1)["status"] == "racing"
    scene.say(LATE)
    assert (scene.car(1)["status"], scene.car(1)["out"]["why"]) == ("out", "retired")
    assert told(scene, "Retired")[0]["reason"] == "too slow"
    assert scene.ask("gear")["seat"] == 2


def test_where_the_clock_only_shows_no_flag_falls() -> None:
    assert timed().refused(LATE)["key"] == "no-flags"


def test_three_mistakes_cost_a_turn_and_are_not_added_to_flags_of_time() -> None:
    """FD-ORDER-1, switch error_flags: three driver-error flags are a turn out."""
    scene = timed(turn_late="flag", error_flags="on").say(LATE).say(LATE).say(ERROR).say(ERROR)
    assert "sits_out" not in scene.car(1)
    scene.say(ERROR)
    assert scene.car(1)["sits_out"] == 1


def test_without_error_flags_none_falls() -> None:
    assert timed(turn_late="flag").refused(ERROR)["key"] == "no-flags"


@in_one(
    ("line", "key"),
    [
        ({"flag": "time"}, "seat-missing"),
        ({"seat": 1, "flag": "slow"}, "flag-form"),
        ({"seat": 1, "flag": "time", "reason": "x"}, "unknown-key"),
        ({"seat": 7, "flag": "time"}, "no-such-seat"),
        ({"bell": False}, "not-true"),
    ],
)
def test_a_flag_says_for_whom_and_why(line: dict[str, Any], key: str) -> None:
    assert timed(turn_late="flag").refused(line)["key"] == key


def test_the_bell_makes_the_lap_of_the_leader_the_last() -> None:
    """FD-LAPS-1, switch race_time: 120 minutes, then the last lap (Circuit Brakers)."""
    cars = {1: at("S6.m9", lap=2), 2: at("S6.m3", lap=1)}
    scene = timed(cars, laps=4, race_time="120").say(BELL)
    assert scene.state["laps"] == 2
    assert told(scene, "BellRung")[0]["laps"] == 2


def test_the_last_lap_ends_the_race_at_its_line() -> None:
    """FD-END-1: all race on to the line of the last lap."""
    cars = {1: at("S1.m21", lap=2), 2: at("S6.m3", lap=1)}
    scene = timed(cars, laps=4, race_time="120").say(BELL)
    scene.gear(4).roll(12)
    scene.move(min(scene.ends())).settle()
    assert scene.car(1)["status"] in ("finished", "racing")


def test_behind_the_leaders_finish_the_bell_changes_nothing_more() -> None:
    finished = {"lap": 4, "status": "finished", "place": 1, "space": None, "gear": 4}
    cars = {2: at("S6.m3", lap=2), 1: finished, 3: at("S6.m6", lap=3)}
    scene = timed(cars, laps=3, race_time="120").say(BELL)
    assert scene.state["laps"] == 3


def test_a_race_without_a_limit_has_no_bell() -> None:
    assert timed().refused(BELL)["key"] == "no-bell"
    assert timed(race_time="60", time_up="freeze").refused(BELL)["key"] == "no-bell"


def test_flags_and_the_bell_are_taken_back_like_answers() -> None:
    scene = timed(turn_late="lost", race_time="60", laps=3).say(LATE).say(BELL)
    assert scene.state["laps"] == 1
    scene.say({"undo": 2})
    assert (scene.state["laps"], "sits_out" in scene.car(1)) == (3, False)


def test_a_state_with_flags_and_a_last_lap_is_a_position() -> None:
    scene = timed(turn_late="lost", race_time="60", laps=3).say(LATE).say(BELL)
    engine = Engine(CachedLibrary())
    header = {**(scene.engine.header or {}), "position": scene.state}
    assert engine.handle({"new": header})["ok"]
    assert engine.state() == scene.state


def test_a_state_whose_laps_the_referee_has_raised_is_a_position() -> None:
    """FD-LAPS-1: of the race as its header has it."""
    scene = timed(laps=2)
    scene.say({"correct": {"laps": 3}, "reason": "one more"})
    engine = Engine(CachedLibrary())
    assert engine.handle({"new": {**(scene.engine.header or {}), "position": scene.state}})["ok"]
    assert (engine.state(), scene.state["laps"]) == (scene.state, 3)
    scene.say({"correct": {"cars": {"1": {"gear": 3}}}, "reason": "its lever"})
    scene.say({"correct": {"laps": 5}, "reason": "two more"})
    assert (scene.state["laps"], scene.state["laps_added"]) == (5, 3)
    silent = {key: value for key, value in (scene.engine.header or {}).items() if key != "laps"}
    assert engine.handle({"new": {**silent, "position": scene.state}})["ok"]
    assert engine.state() == scene.state


def test_laps_of_a_position_are_fewer_only_where_a_bell_may_have_rung() -> None:
    engine = Engine(CachedLibrary())
    head = {"game": "formula-d", "track": "monaco", "laps": 3, "seats": [{"seat": 1}]}
    for laps in (2, 4, 11, True):
        reply = engine.handle({"new": {**head, "position": {"laps": laps}}})
        assert reply["error"]["key"] == "laps-differ"


def test_downforce_has_no_clock() -> None:
    engine = Engine(CachedLibrary())
    seats = [{"seat": seat} for seat in (1, 2, 3)]
    assert engine.handle({"new": {"game": "downforce", "seats": seats}})["ok"]
    assert engine.handle({"bell": True})["error"]["key"] == "no-clock"
