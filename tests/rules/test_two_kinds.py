"""House switch `mandatory_tires`: two kinds of tires in a dry race (FD-TIRE-7)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from support.formula.scenes import LIBRARY, Scene, at

from companion.advice.bots.bot import answer
from companion.advice.bots.by_room import Learner
from companion.engine import Engine

HOUSE = {"mandatory_tires": "two-kinds"}
OWES: dict[str, Any] = {"rules": ["tires"], "house": HOUSE}


def home(car: dict[str, Any] | None = None, header: Any = OWES) -> dict[str, Any]:
    """Seat 1 has crossed its last line; another one is far behind."""
    laps = header.get("laps", 2)
    cars = {1: at("S1.m16", gear=4, lap=laps, **(car or {})), 2: at("S6.m1", lap=1)}
    scene = Scene(cars, header=header).gear(3).roll(4)
    return scene.move("S1.m20").car(1)


def test_fd_tire_7_who_has_had_one_kind_is_out_at_the_line_and_leaves_no_debris() -> None:
    """Kal's Cup."""
    out = home()["out"]
    assert (out["why"], out["rule"]) == ("one-kind", "FD-TIRE-7")


@pytest.mark.parametrize(
    ("car", "header"),
    [
        ({"two_kinds": True}, OWES),
        ({}, {**OWES, "rules": []}),
        ({}, {**OWES, "laps": 1}),
        ({}, {"rules": ["tires"]}),
    ],
    ids=["two kinds", "no tires played", "one lap", "as usual"],
)
def test_fd_tire_7_who_owes_none_comes_home(car: Any, header: Any) -> None:
    assert home(car, header)["status"] == "finished"


def test_fd_tire_7_a_round_that_begins_in_rain_makes_it_no_dry_race() -> None:
    header = {**OWES, "rules": ["tires", "weather"]}
    cars = {1: at("S6.m1", lap=1), 2: at("S9.l1", lap=1)}
    scene = Scene(cars, header=header, new_round=True, weather="variable-rain")
    assert [scene.car(seat).get("two_kinds") for seat in (1, 2)] == [True, True]


def test_fd_tire_7_a_roll_that_brings_rain_does_so_too() -> None:
    header = {**OWES, "rules": ["tires", "weather"]}
    cars = {1: at("S6.r3", gear=4, lap=1), 2: at("S9.l1", lap=1)}
    scene = Scene(cars, header=header, weather="variable").drive(5, 20, "S6.r23")
    assert "two_kinds" not in scene.car(1)
    scene.black(1, 20).black(1, 1)
    assert scene.state["raining"]
    assert scene.car(2)["two_kinds"] is True


def test_fd_tire_7_tires_before_the_race_are_the_first_kind() -> None:
    seats = [{"seat": 1}, {"seat": 2, "tires": "hard"}]
    header = {"game": "formula-d", "track": "monaco", "seats": seats, "grid": [1, 2], **OWES}
    engine = Engine(LIBRARY)
    assert engine.handle({"new": {**header, "start": "normal"}})["ok"]
    engine.handle({"seat": 1, "tires": "soft"})
    assert not engine.moment.cars[1].two_kinds


def test_a_bell_and_two_kinds_contradict_each_other() -> None:
    house = {**HOUSE, "race_time": "120"}
    header = {"game": "formula-d", "track": "monaco", "seats": [{"seat": 1}], "house": house}
    error = Engine(LIBRARY).handle({"new": header})["error"]
    assert error["key"] == "switches-clash"
    assert "mandatory_tires and race_time" in error["message"]


@pytest.mark.slow
def test_bots_stop_for_the_other_kind_and_come_home() -> None:
    """Every car that is home has stopped for it."""
    seats = [{"seat": seat, "tires": "hard"} for seat in (1, 2, 3)]
    header = {"game": "formula-d", "track": "monaco", "laps": 2, "seats": seats, **OWES}
    dice, came = Random(3), 0
    for _ in range(3):
        engine = Engine(LIBRARY)
        assert engine.handle({"new": header})["ok"]
        while asks := engine._game.asks(engine.moment):
            ask = asks[0]
            if ask.kind in ("roll", "black"):
                options = ask.data()["options"]
                value = dice.choice(options) if ask.kind == "roll" else dice.randint(1, 20)
            else:
                value = answer(Learner(), engine.moment, ask)
            assert engine.handle({"seat": ask.seat, ask.kind: value})["ok"]
        cars = engine.moment.cars.values()
        assert all(car.pit_stops for car in cars if str(car.status) == "finished")
        came += sum(str(car.status) == "finished" for car in cars)
    assert came > 0


@pytest.mark.parametrize(("fitted", "done"), [("hard", False), ("soft", True), ("rain", True)])
def test_fd_tire_7_the_same_kind_again_is_no_other_kind(fitted: str, done: bool) -> None:
    """Kal's Cup."""
    cars = {1: at("T10.r2", stops=1, tires="hard"), 2: at("S6.m1")}
    scene = Scene(cars, header={**OWES, "laps": 3}).gear(4).roll(10).move("B1")
    assert scene.say({"seat": 1, "tires": fitted}).car(1).get("two_kinds", False) is done
