"""The referee's lines: correct, retire, return, end."""

from __future__ import annotations

from typing import Any

import pytest
from support.each import in_one
from support.formula.table import Table, car, header, named, wear


def three_cars(**more: Any) -> Table:
    cars = {1: car("S2.m9", 2), 2: car("S2.m5", 2), 3: car("S2.m1", 2)}
    return Table(cars, order=[1, 2, 3], turn=1, **more)


def correct(part: Any) -> dict[str, Any]:
    return {"correct": part, "reason": "the table saw it"}


def test_a_correction_changes_what_it_names_and_nothing_else() -> None:
    table = three_cars(debris=["S6.m1"])
    before = table.state
    events = table.says(correct({"cars": {"2": {"wear": {"tires": 3}, "space": "S2.l5"}}}))
    assert named(events, "Corrected")[0]["reason"] == "the table saw it"
    expected = before
    expected["cars"]["2"]["wear"]["tires"] = 3
    expected["cars"]["2"]["space"] = "S2.l5"
    assert table.state == expected


def test_laps_are_added_while_no_car_is_home() -> None:
    """FD-LAPS-1: who crosses what was the last line races on."""
    table = three_cars()
    table.says(correct({"laps": 3}))
    assert table.state["laps"] == 3
    table.says(correct({"cars": {"1": {"space": "S1.m15", "lap": 2}}}))
    table.plays(1, gear=3, roll=6)
    table.plays(1, move=next(iter(table.ends(1))))
    assert (table.state["cars"]["1"]["status"], table.state["cars"]["1"]["lap"]) == ("racing", 3)


def test_no_lap_is_added_once_a_car_is_home() -> None:
    """FD-LAPS-1"""
    home = {"space": None, "status": "finished", "place": 1, "lap": 3}
    table = Table({1: home, 2: car("S2.m5", 2)}, order=[2], turn=2)
    error = table.is_refused(correct({"laps": 3}))
    assert (error["rule"], error["key"]) == ("FD-LAPS-1", "laps-car-home")


def test_a_correction_in_mid_turn_keeps_the_open_step() -> None:
    table = three_cars()
    table.plays(1, gear=2, roll=3)
    table.says(correct({"cars": {"2": {"space": "S2.m10"}}}))
    assert table.asked == [(1, "move")]
    assert table.ends(1) == {"S2.l11", "S2.m11", "S2.r12"}, "the car in the way is seen"


def test_a_correction_of_the_car_on_turn_is_seen_by_its_open_ask() -> None:
    table = three_cars()
    table.says(correct({"cars": {"1": {"gear": 5}}}))
    assert table.ask(1, "gear")["options"] == [1, 2, 3, 4, 5, 6]
    assert table.ask(1, "gear")["since"] == table.engine.version


def test_weather_and_debris_are_corrected() -> None:
    table = three_cars(debris=["S6.m1"])
    table.says(correct({"weather": "rain", "debris": ["S6.m2", "S6.m3"]}))
    assert (table.state["weather"], table.state["raining"]) == ("rain", True)
    assert table.state["debris"] == ["S6.m2", "S6.m3"]


@in_one(
    "part",
    [
        None,
        {},
        [],
        5,
        {"ludo": 1},
        {"cars": []},
        {"cars": {"9": {"gear": 1}}},
        {"cars": {"2": {"space": "S2.m9"}}},
        {"cars": {"2": {"space": "nowhere"}}},
        {"cars": {"2": {"stops": 1}}},
        {"cars": {"2": {"gear": 7}}},
        {"cars": {"2": {"lap": 3}}},
        {"cars": {"2": {"wear": {"tires": -1}}}},
        {"cars": {"2": None}},
        {"debris": ["nowhere"]},
        {"weather": "snow"},
        {"turn": 9},
        {"order": []},
        {"laps": 1},
        {"laps": 11},
        {"pending": [{"step": []}]},
    ],
    ids=repr,
)
def test_a_correction_that_contradicts_the_race_is_malformed(part: Any) -> None:
    assert three_cars().is_refused(correct(part))["code"] == "malformed"


def test_a_car_on_the_grid_is_not_corrected_into_a_gear() -> None:
    """FD-GEAR-1: before the grid is rolled out too."""
    error = Table.of(header(2)).is_refused(correct({"cars": {"1": {"gear": 6}}}))
    assert (error["code"], error["rule"]) == ("malformed", "FD-GEAR-1")


def test_a_car_that_went_out_on_the_grid_is_not_corrected_into_a_gear() -> None:
    """FD-GEAR-1: or it would return to the grid in a gear."""
    table = Table.of(header(2, grid=[1, 2]))
    table.says({"seat": 2, "retire": True})
    assert table.is_refused(correct({"cars": {"2": {"gear": 1}}}))["rule"] == "FD-GEAR-1"


@in_one("reason", [5, None, [], "x" * 100_000, "\ud800"])
def test_a_reason_is_a_text_that_can_be_kept(reason: Any) -> None:
    for line in (correct({"weather": "rain"}), {"seat": 2, "retire": True}):
        assert three_cars().is_refused({**line, "reason": reason})["code"] == "malformed"


def test_a_retired_car_leaves_the_race_without_debris() -> None:
    table = three_cars()
    events = table.says({"seat": 2, "retire": True, "reason": "the last train"})
    assert named(events, "Retired")[0]["reason"] == "the last train"
    told = table.car(2)
    assert (told["status"], told["space"]) == ("out", None)
    assert told["out"]["why"] == "retired"
    assert table.state["debris"] == []
    assert table.asked == [(1, "gear")]


def test_the_turn_of_a_retired_car_is_over() -> None:
    table = three_cars()
    table.plays(1, gear=2, roll=3)
    table.says({"seat": 1, "retire": True, "reason": ""})
    assert table.asked == [(2, "gear")]


def test_a_retired_car_is_not_waited_for_in_a_collision() -> None:
    cars = {1: car("S2.m5"), 2: car("S2.l6"), 3: car("S2.r7"), 4: car("S6.m1")}
    table = Table(cars, order=[1, 2, 3, 4], turn=1)
    table.plays(1, gear=1, roll=1, move="S2.m6")
    table.says({"seat": 2, "retire": True})
    assert (2, "black") not in table.asked
    assert (3, "black") in table.asked


def test_a_car_that_retires_from_the_grid_rolls_is_not_waited_for() -> None:
    table = Table.of(header(3))
    table.plays(1, black=4)
    table.plays(3, black=9)
    table.says({"seat": 2, "retire": True})
    assert table.state["order"] == [3, 1]


def test_the_last_car_to_retire_ends_the_race() -> None:
    table = Table({1: car("S2.m5")})
    table.says({"seat": 1, "retire": True})
    assert (table.state["phase"], table.asks) == ("finished", [])


@pytest.mark.parametrize("seat", [9, 0, -1])
def test_only_a_car_of_the_race_retires(seat: int) -> None:
    assert three_cars().is_refused({"seat": seat, "retire": True})["code"] == "illegal"


def test_a_car_retires_once_and_only_a_car_that_is_out_returns() -> None:
    table = three_cars()
    assert table.is_refused({"seat": 2, "return": True})["code"] == "illegal"
    table.says({"seat": 2, "retire": True})
    assert table.is_refused({"seat": 2, "retire": True})["code"] == "illegal"


@in_one(
    "line",
    [
        {"retire": True},
        {"return": True},
        {"seat": "2", "retire": True},
        {"seat": 2, "retire": 1},
        {"seat": 2, "retire": False},
        {"seat": 2, "return": "yes"},
        {"seat": 2, "retire": True, "return": True},
        {"seat": 2, "retire": True, "ludo": 1},
        {"end": 1},
        {"end": True, "seat": 2},
    ],
    ids=repr,
)
def test_a_broken_referee_line_is_malformed(line: Any) -> None:
    assert three_cars().is_refused(line)["code"] == "malformed"


def test_a_car_returns_where_it_went_out_with_its_wear_from_the_next_round() -> None:
    table = Table({1: car("S2.m9"), 2: car("S2.m5", 3, wear={"tires": 2})}, order=[1, 2], turn=1)
    table.says({"seat": 2, "retire": True})
    table.says({"seat": 2, "return": True})
    told = table.car(2)
    assert (told["space"], told["gear"], told["lap"]) == ("S2.m5", 3, 1)
    assert (told["wear"], told["status"], told["out"]) == (wear(tires=2), "racing", None)
    round_now = table.state["round"]
    table.plays(1, gear=1, roll=1, move="S2.m10")
    assert table.state["round"] == round_now + 1
    assert table.state["order"] == [1, 2]


def test_a_car_returns_behind_where_its_space_is_taken() -> None:
    """The nearest free space behind in its lane: two are taken, the third is free."""
    cars = {1: car("S2.m5"), 2: car("S2.m9"), 3: car("S6.m1")}
    table = Table(cars, order=[1, 2, 3], turn=1)
    table.says({"seat": 1, "retire": True})
    table.says(correct({"cars": {"2": {"space": "S2.m5"}, "3": {"space": "S2.m4"}}}))
    table.says({"seat": 1, "return": True})
    assert table.car(1)["space"] == "S2.m3"


def test_a_car_behind_the_line_by_its_return_is_a_lap_back() -> None:
    """FD-END-2: the lap counts crossings; behind the line it has one less."""
    cars = {1: car("S1.m18", lap=1), 2: car("S2.m9"), 3: car("S6.m1")}
    table = Table(cars, order=[2, 3, 1], turn=2)
    table.says({"seat": 1, "retire": True})
    table.says(correct({"cars": {"2": {"space": "S1.m18"}}}))
    table.says({"seat": 1, "return": True})
    assert (table.car(1)["space"], table.car(1)["lap"]) == ("S1.m17", 0)


def test_a_car_that_went_out_past_its_last_line_returns_before_it() -> None:
    """FD-END-2: put out by debris before the line, it has not finished."""
    cars = {1: car("S1.m16", 2, lap=2, wear={"handling": 1}), 2: car("S2.m5", lap=2)}
    table = Table(cars, order=[2, 1], turn=1, debris=["S1.l16", "S1.m17", "S1.r17"])
    table.plays(1, gear=2, roll=3)
    table.plays(1, move=min(table.ends(1)), black=1)
    assert table.car(1)["status"] == "out"
    table.says({"seat": 1, "return": True})
    assert table.car(1)["space"] in ("S1.l16", "S1.m17", "S1.r17")
    assert table.car(1)["lap"] == 2


def test_an_eliminated_car_returns_too_and_its_debris_stays() -> None:
    cars = {1: car("T8.m10", 1), 2: car("S2.m5"), 3: car("S2.m1")}
    table = Table(cars, order=[1, 2, 3], turn=1)
    table.plays(1, gear=1, roll=1, move="S9.m1")
    (debris,) = table.state["debris"]
    table.says({"seat": 1, "return": True})
    assert table.car(1)["status"] == "racing"
    assert table.car(1)["space"] == debris


def test_end_classifies_running_cars_as_they_stand() -> None:
    """FD-END-2: those who run by their place on the track, those who are out after them."""
    table = three_cars()
    table.says({"seat": 1, "retire": True})
    events = table.says({"end": True})
    assert named(events, "RaceEnded")[0]["order"] == [2, 3, 1]
    assert [one["seat"] for one in table.state["classification"]] == [2, 3, 1]
    assert (table.state["phase"], table.asks) == ("finished", [])


def test_nothing_but_taking_back_follows_the_end() -> None:
    table = three_cars()
    before = table.state
    table.says({"end": True})
    for line in ({"end": True}, {"seat": 1, "gear": 1}, {"seat": 1, "retire": True}):
        assert table.is_refused(line)["code"] == "illegal"
    table.says({"undo": 1})
    assert table.state == before


def test_a_race_may_be_ended_while_it_is_set_up() -> None:
    table = Table.of(header(3))
    table.says({"end": True})
    assert table.state["phase"] == "finished"


def test_referee_lines_are_taken_back_like_answers() -> None:
    table = three_cars()
    before = table.state
    table.says({"seat": 2, "retire": True})
    table.says({"seat": 2, "return": True})
    table.says(correct({"weather": "rain"}))
    table.says({"undo": 3})
    assert table.state == before
