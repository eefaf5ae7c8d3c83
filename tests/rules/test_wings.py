"""House switch `wing`: high, free or low, set before the race and at each stop (FD-MOVE-1)."""

from __future__ import annotations

from typing import Any

import pytest
from support.formula.scenes import LIBRARY, Scene, at

from companion.advice.bots.bot import answer
from companion.advice.bots.by_room import Learner
from companion.engine import Engine
from companion.rules.formula.edition_de import FORMULE_DE

HOUSE = {"house": {"wing": "choice"}}
FAR = {2: at("S9.l1", lap=1)}


def rolled(wing: str | None, gear: int, face: int, space: str = "S6.m1", **header: Any) -> Scene:
    """Seat 1 has rolled a face in a gear."""
    car = at(space, gear=gear) | ({"wing": wing} if wing else {})
    return Scene({1: car, **FAR}, header={**HOUSE, **header}).gear(gear).roll(face)


def spaces(scene: Scene) -> int | None:
    """What the wing has made of the roll; None: nothing."""
    told = [event["spaces"] for event in scene.events if event["event"] == "WingWorked"]
    return told[0] if told else None


@pytest.mark.parametrize(
    ("wing", "gear", "face", "worth"),
    [
        ("low", 3, 8, None),
        ("low", 4, 7, 8),
        ("low", 6, 30, 31),
        ("free", 6, 30, None),
        (None, 5, 20, None),
        ("high", 4, 11, None),
        ("high", 4, 12, 11),
        ("high", 5, 20, 18),
        ("high", 6, 27, 26),
        ("high", 3, 8, None),
    ],
)
def test_fd_move_1_what_a_wing_makes_of_a_roll(
    wing: str | None, gear: int, face: int, worth: int | None
) -> None:
    """Variants, 5-B."""
    assert spaces(rolled(wing, gear, face)) == worth


SHORTER = {"spaces": 8, "by": ["wing"]}


def near_a_corner(wing: str = "high") -> Scene:
    """Seat 1 has rolled 9; with 8 it can stop in the corner, or on the straight before it."""
    return rolled(wing, 4, 9, "S4.m1")


def test_fd_move_1_a_space_less_only_where_the_move_can_stop_in_a_corner_so() -> None:
    assert near_a_corner().ask("length")["options"] == [SHORTER, {"spaces": 9, "by": []}]
    assert "length" not in rolled("high", 4, 9).kinds
    assert "length" not in near_a_corner("free").kinds


def test_fd_move_1_the_shorter_move_has_no_end_outside_of_the_corner() -> None:
    scene = near_a_corner().say({"seat": 1, "length": SHORTER})
    assert {end["to"] for end in scene.ask("move")["options"]} == {"T4.l1", "T4.m1"}
    outside = {"seat": 1, "move": {"to": "S4.r9", "brakes": 0}}
    assert scene.refused(outside)["rule"] == "FD-MOVE-1"
    assert scene.move("T4.m1").car(1)["stops"] == 1


def test_fd_move_1_without_a_board_the_table_sees_where_it_ends() -> None:
    cars = {1: {"gear": 4, "lap": 1, "wing": "high"}, 2: {"gear": 3, "lap": 1}}
    scene = Scene(cars, header={"track": None, **HOUSE}).gear(4).roll(9)
    scene.say({"seat": 1, "length": SHORTER})
    assert scene.ask("report")["spaces"] == 8


@pytest.mark.parametrize(("wing", "tires"), [("low", 2), ("high", 1), ("free", 1), (None, 1)])
def test_fd_move_1_a_low_wing_costs_a_tire_more_a_space(wing: str | None, tires: int) -> None:
    scene = rolled(wing, 1, 1, "T1.m5")
    ends = {end["to"]: end["tires"] for end in scene.ask("move")["options"]}
    assert ends["S2.m1"] == tires


def test_fd_move_1_at_a_table_without_wings_one_does_nothing() -> None:
    scene = Scene({1: at("S6.m1", gear=4, wing="low"), **FAR}).gear(4).roll(7)
    assert spaces(scene) is None


def test_fd_move_1_in_its_box_a_car_sets_its_wing_again() -> None:
    """fd.fiset.ca: changed at stops."""
    cars = {1: at("T10.r2", stops=1, wing="low"), 2: at("S6.m1")}
    scene = Scene(cars, header={"laps": 3, **HOUSE}).gear(4).roll(9)
    scene.move("B1").say({"seat": 1, "wing": "high"})
    assert scene.car(1)["wing"] == "high"


def before_the_race(**more: Any) -> Engine:
    seats = [{"seat": 1}, {"seat": 2}]
    header = {"game": "formula-d", "track": "monaco", "seats": seats, "grid": [1, 2], **HOUSE}
    engine = Engine(LIBRARY)
    assert engine.handle({"new": {**header, "start": "normal", **more}})["ok"]
    return engine


@pytest.mark.parametrize("value", ["flat", 1, None, ["low"]])
def test_a_wing_that_there_is_not_is_refused(value: object) -> None:
    reply = before_the_race().handle({"seat": 1, "wing": value})
    assert (reply["ok"], reply["error"]["rule"]) == (False, "FD-MOVE-1")


def test_without_a_board_it_is_set_too() -> None:
    engine = before_the_race(track=None)
    assert engine.handle({"seat": 2, "wing": "low"})["ok"]
    assert engine.handle({"seat": 1, "wing": "high"})["ok"]
    assert engine.asks()[0]["kind"] == "gear"


def test_an_urban_race_has_none() -> None:
    seats = [{"seat": 1, "driver": "Jenny Slivers"}, {"seat": 2, "driver": "Jack Owens"}]
    engine = before_the_race(rules=["urban"], seats=seats, laps=1)
    assert engine.asks()[0]["kind"] == "gear"


def test_a_step_of_a_race_without_wings_is_refused() -> None:
    pending = [{"step": "wing", "seats": [1]}, {"step": "end", "seat": 1}]
    error = Scene({1: at("S6.m1"), **FAR}).refused({"correct": {"pending": pending}, "reason": "x"})
    assert error["rule"] == "FD-MOVE-1"


def test_a_shorter_move_that_ends_in_no_corner_is_no_position() -> None:
    move = {"step": "move", "seat": 1, "spaces": 4, "how": ["wing"]}
    pending = [move, {"step": "end", "seat": 1}]
    scene = Scene({1: at("S6.m1", wing="high"), **FAR}, header=HOUSE)
    assert scene.refused({"correct": {"pending": pending}, "reason": "x"})["rule"] == "FD-MOVE-1"


def test_the_edition_of_before_does_not_know_it() -> None:
    assert "wing" not in FORMULE_DE.house


def test_a_bot_leaves_its_wing_as_it_is() -> None:
    engine = before_the_race()
    moment = engine.moment
    ask = engine._game.asks(moment)[0]
    assert answer(Learner(), moment, ask) == "free"
