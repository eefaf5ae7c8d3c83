"""A position of an urban race: what cars remember, and what contradicts the rules."""

from __future__ import annotations

from typing import Any

import pytest
from support.each import in_one
from support.formula.scenes import at
from support.formula.street import DIMITRI, JACK, JULIEN, STANLEY, STREETS, TEMANA, header, street

from companion.race.engine import Engine

DRIVERS = (JACK, STANLEY, TEMANA, DIMITRI)
CARS = {"1": {"space": "S1.m7", "gear": 2, "lap": 1}, "4": {"space": "S2.m6", "gear": 1, "lap": 1}}


def begun(part: dict[str, Any], *drivers: str, **more: Any) -> dict[str, Any]:
    """The reply to a race that begins in this position."""
    position = {"cars": CARS, "order": [1, 4, 2, 3], "turn": 1, **part}
    told = header(*(drivers or DRIVERS), laps=3, position=position, **more)
    return Engine(STREETS).handle({"new": told})


def with_car(seat: int, **values: Any) -> dict[str, Any]:
    """Cars of which one has some further keys."""
    space = {"space": f"S1.l{seat + 8}", "gear": 1, "lap": 1}
    return {"cars": {**CARS, str(seat): {**CARS.get(str(seat), space), **values}}}


def test_what_is_not_used_is_left_out() -> None:
    engine = Engine(STREETS)
    engine.handle({"new": header(*DRIVERS)})
    state = engine.state()
    assert state is not None
    keys = {key for car in state["cars"].values() for key in car}
    assert not keys & {"nitro", "drift", "radio", "trail", "police"}


@pytest.mark.parametrize(
    ("seat", "told"),
    [
        (1, {"nitro": True, "drift": {"T1": 1, "T2": 2}}),
        (2, {"radio": True}),
        (3, {"trail": True}),
        (4, {"police": {"1": {"speed": 120, "passed": 2}, "2": {"speed": 30, "passed": 1}}}),
    ],
)
def test_what_is_used_is_told_and_read_back(seat: int, told: dict[str, Any]) -> None:
    position = {**with_car(seat, **told), "order": [1, 4], "turn": 1}
    engine = Engine(STREETS)
    assert engine.handle({"new": header(*DRIVERS, laps=3, position=position)})["ok"]
    state = engine.state()
    assert state is not None
    car = state["cars"][str(seat)]
    assert {key: car[key] for key in told} == told


@in_one(
    ("seat", "told", "key"),
    [
        (1, {"nitro": 1}, "yes-or-no"),
        (1, {"radio": True}, "not-of-this-driver"),
        (2, {"drift": {"T1": 1}}, "not-of-this-driver"),
        (4, {"trail": True}, "not-of-this-driver"),
        (1, {"drift": ["T1"]}, "drift-form"),
        (1, {"drift": {"T9": 1}}, "no-such-corner"),
        (1, {"drift": {"T1": 0}}, "out-of-bounds"),
        (1, {"police": [30]}, "police-form"),
        (1, {"police": {"one": {}}}, "police-form"),
        (1, {"police": {"1": {"speed": 999, "passed": 1}}}, "out-of-bounds"),
        (1, {"police": {"1": {"speed": 35, "passed": 1}}}, "police-form"),
        (1, {"police": {"1": {"speed": 0, "passed": 1}}}, "out-of-bounds"),
        (1, {"police": {"0": {"speed": 30, "passed": 1}}}, "police-form"),
        (1, {"police": {"01": {"speed": 30, "passed": 1}}}, "police-form"),
        (1, {"police": {"9": {"speed": 30, "passed": 1}}}, "police-form"),
        (1, {"police": {"1": {"speed": 30}}}, "not-a-number"),
        (1, {"police": {"1": {"speed": 30, "passed": 1, "by": 2}}}, "unknown-key"),
    ],
)
def test_what_makes_no_sense_is_refused(seat: int, told: dict[str, Any], key: str) -> None:
    reply = begun(with_car(seat, **told))
    assert (reply["error"]["code"], reply["error"]["key"]) == ("malformed", key)


def test_no_other_race_knows_these_keys() -> None:
    told = header(*DRIVERS) | {"rules": [], "position": with_car(1, nitro=True)}
    error = Engine(STREETS).handle({"new": told})["error"]
    assert (error["code"], error["key"]) == ("malformed", "rule-not-on")


def test_a_board_without_a_police_station_has_no_notes() -> None:
    note = {"1": {"speed": 30, "passed": 1}}
    position = {"cars": {"1": {"space": "S2.m1", "gear": 1, "police": note}}}
    told = header(DIMITRI, track="monaco", position=position)
    assert Engine(STREETS).handle({"new": told})["error"]["rule"] == "FD-URBAN-5"


END = {"step": "end", "seat": 1, "lost": []}


@in_one(
    "step",
    [
        {"step": "radio", "seat": 1},
        {"step": "throw", "seat": 2, "at": [2]},
        {"step": "throw", "seat": 2, "at": [1, 4]},
        {"step": "trail", "seat": 2, "at": ["S1.m1"]},
        {"step": "trail", "seat": 3, "at": []},
        {"step": "police", "seat": 1, "face": 31, "from": ["S1.m1"]},
        {"step": "police", "seat": 1, "face": 3, "from": ["S1.m1", "S1.m2"]},
        {"step": "recover", "seat": 1, "points": 3, "how": ["checkpoint"]},
        {"step": "recover", "seat": 1, "points": 2, "how": []},
        {"step": "recover", "seat": 1, "points": 4, "how": ["police"]},
        {"step": "reroll", "seat": 1, "roll": 3, "by": []},
        {"step": "move", "seat": 4, "spaces": 3, "how": ["drift"]},
        {"step": "move", "seat": 1, "spaces": 2, "how": ["drift"]},
        {"step": "length", "seat": 1, "spaces": 12, "how": ["drift"]},
        {"step": "weather", "seat": 1, "how": ["again"]},
        {"step": "collision", "seat": 1, "others": [4, 4], "against": [4]},
    ],
)
def test_steps_that_contradict_the_rules_are_refused(step: dict[str, Any]) -> None:
    error = begun({"pending": [step, END]})["error"]
    assert error["code"] == "malformed"


@in_one(
    "step",
    [
        {"step": "checkpoint", "seat": 1},
        {"step": "noise", "seat": 1},
        {"step": "length", "seat": 1, "spaces": 3, "how": []},
        {"step": "throw", "seat": 2, "at": [1]},
        {"step": "recover", "seat": 4, "points": 2, "how": ["police"]},
    ],
)
def test_steps_of_an_urban_race_belong_to_urban_races_only(step: dict[str, Any]) -> None:
    assert begun({"pending": [step, END]})["ok"]
    told = header(*DRIVERS) | {"rules": []}
    told["position"] = {"cars": CARS, "order": [1, 4], "turn": 1, "pending": [step, END]}
    error = Engine(STREETS).handle({"new": told})["error"]
    assert (error["code"], error["key"]) == ("malformed", "rule-not-on")


def test_a_reroll_that_waits_before_the_race_survives_a_position() -> None:
    """FD-DRV-5"""
    engine = Engine(STREETS)
    told = header(DIMITRI, JULIEN, rules=("weather",), grid=[1, 2])
    engine.handle({"new": told})
    engine.handle({"seat": 0, "black": [8, 12]})
    fresh = Engine(STREETS)
    del told["grid"]
    assert fresh.handle({"new": told | {"position": engine.state()}})["ok"]
    assert fresh.state() == engine.state()
    for one in (engine, fresh):
        one.handle({"seat": 2, "reroll": True})
    assert [ask["for"] for ask in fresh.asks()] == ["weather"]
    again = Engine(STREETS)
    assert again.handle({"new": told | {"position": fresh.state()}})["ok"]
    assert again.state() == engine.state()


def test_the_referee_corrects_what_a_car_remembers() -> None:
    """FD-URBAN-2"""
    scene = street({DIMITRI: at("S1.m7", gear=2), JACK: at("S2.m6", gear=1)})
    scene.say({"correct": {"cars": {"1": {"nitro": True}}}, "reason": "forgotten"})
    assert scene.gear(2).roll(3).kinds == {"move"}


def test_fd_end_2_a_state_in_which_a_finisher_rolls_for_the_weather_is_a_position() -> None:
    """FD-WEATHER-3: the 20 that brings the car home is rolled for; nothing else is left of it."""
    cars = {
        STANLEY: at("T2.m4", gear=5, lap=1, stops=1, nitro=True),
        TEMANA: at("S2.m6", gear=1, lap=1),
    }
    scene = street(cars, "weather", laps=1, weather="variable")
    scene.say({"seat": 1, "gear": 5}).say({"seat": 1, "roll": 20})
    home = next(o for o in scene.ask("move")["options"] if not o["out"])
    scene.say({"seat": 1, "move": {"to": home["to"], "brakes": home["brakes"]}})
    assert scene.told("Finished")
    assert [ask["for"] for ask in scene.asks if ask["kind"] == "black"] == ["weather"]
    again = header(STANLEY, TEMANA, rules=("weather",), laps=1, position=scene.state)
    assert Engine(STREETS).handle({"new": again})["ok"]
