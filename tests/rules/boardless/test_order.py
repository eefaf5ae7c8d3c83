"""Rounds without a board: the running order is asked of the table, and who is placed how."""

from __future__ import annotations

from typing import Any

from support.each import in_one
from support.formula.boardless import SHIPPED, header, scene

from companion.race.engine import Engine

CARS = {seat: {"gear": 2, "lap": 1} for seat in (1, 2, 3)}


def round_of(race: Any, reports: dict[int, dict[str, Any]]) -> Any:
    """Each car drives in 2nd, and reports."""
    for seat, report in reports.items():
        race.gear(2).roll(3).say({"seat": seat, "report": report})
    return race


def test_the_grid_is_the_order_of_the_first_round() -> None:
    """FD-START-1."""
    engine = Engine(SHIPPED)
    engine.handle({"new": header(grid=[3, 1, 2], start="normal")})
    state = engine.state()
    assert state is not None
    assert (state["order"], state["turn"]) == ([3, 1, 2], 3)
    assert all(car["space"] is None for car in state["cars"].values())


def test_the_order_of_a_round_is_asked_of_the_table_at_its_end() -> None:
    """FD-ORDER-1."""
    race = round_of(scene(CARS), {1: {}, 2: {}, 3: {}})
    assert race.state["turn"] is None
    assert race.asks[0] | {"since": 0} == {
        "seat": 0, "kind": "order", "options": [1, 2, 3], "since": 0,
    }  # fmt: skip
    race.say({"seat": 0, "order": [2, 3, 1]})
    assert (race.state["order"], race.state["turn"]) == ([2, 3, 1], 2)


def test_whoever_has_passed_the_line_is_listed_first() -> None:
    race = round_of(scene(CARS), {1: {}, 2: {"line": True}, 3: {}})
    assert race.ask("order")["options"] == [2, 1, 3]


@in_one("order", [[1, 2], [1, 2, 3, 3], [1, 2, 4], 1, None, ["1", 2, 3]])
def test_an_order_names_each_running_seat_once(order: Any) -> None:
    """FD-ORDER-1."""
    race = round_of(scene(CARS), {1: {}, 2: {}, 3: {}})
    assert race.refused({"seat": 0, "order": order})["rule"] == "FD-ORDER-1"


def test_of_a_single_car_no_order_is_asked() -> None:
    race = round_of(scene({1: {"gear": 2, "lap": 1}}), {1: {}})
    assert race.ask("gear")["seat"] == 1


def test_a_car_that_retires_while_the_order_is_asked_is_not_in_it() -> None:
    race = round_of(scene(CARS), {1: {}, 2: {}, 3: {}})
    race.say({"seat": 2, "retire": True, "reason": ""})
    assert race.ask("order")["options"] == [1, 3]
    race.say({"seat": 3, "retire": True, "reason": ""})
    assert race.ask("gear")["seat"] == 1


def test_a_car_that_returns_comes_behind_the_others() -> None:
    race = scene(CARS).say({"seat": 1, "retire": True, "reason": ""})
    race.say({"seat": 1, "return": True})
    round_of(race, {2: {}, 3: {}})
    assert race.ask("order")["options"] == [2, 3, 1]


def test_finishers_are_placed_by_crossing_and_the_rest_by_laps_and_order() -> None:
    """FD-END-1, FD-END-2."""
    cars = {1: {"gear": 2, "lap": 0}, 2: {"gear": 2, "lap": 2}, 3: {"gear": 2, "lap": 2}}
    race = round_of(scene(cars), {1: {"line": True}, 2: {}, 3: {"line": True}})
    race.say({"end": True})
    assert [row["seat"] for row in race.state["classification"]] == [3, 2, 1]


def test_a_position_without_an_order_asks_for_it_and_with_one_begins_a_round() -> None:
    assert scene(CARS, new_round=True).ask("order")["options"] == [1, 2, 3]
    told = header() | {"position": {"cars": {"1": {"gear": 2}}, "order": [2, 1, 3]}}
    engine = Engine(SHIPPED)
    assert engine.handle({"new": told})["ok"]
    assert engine.asks()[0]["seat"] == 2


def test_a_position_has_no_spaces() -> None:
    for part in ({"space": "S1.l1"}, {"stops": -1}, {"corner": "T1"}):
        head = header() | {"position": {"cars": {"1": {"gear": 2, **part}}}}
        assert not Engine(SHIPPED).handle({"new": head})["ok"], part


def test_track_must_be_said_to_be_null() -> None:
    """A header that forgets its track is not a race without a board."""
    told = header()
    del told["track"]
    assert Engine(SHIPPED).handle({"new": told})["error"]["key"] == "track-form"
