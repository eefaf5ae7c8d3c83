"""A race that starts anywhere: `position`, and every STATE as one."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from support.each import in_one
from support.formula import careful
from support.formula.table import STANDARD_WEAR, OneRead, Table, car, header, position, wear

from companion.race.engine import Engine


def refusal(cars: dict[int, Any], **more: Any) -> dict[str, Any]:
    """The error of a position, tried where a race is on that must go on untouched."""
    return Table.of(header(2, grid=[1, 2])).is_refused({"new": position(cars, **more)})


def test_what_a_position_leaves_out_is_standard() -> None:
    told = Table({1: {"space": "S2.m5", "gear": 4, "lap": 2}}).state
    one = told["cars"]["1"]
    assert one["wear"] == STANDARD_WEAR
    assert (one["tires"], one["tires_lap"], one["stops"]) == ("hard", 2, 0)
    assert (one["status"], one["out"], one["place"]) == ("racing", None, None)
    assert (told["weather"], told["raining"], told["debris"]) == ("fine", False, [])


def test_the_age_of_tires_left_out_is_never_less_than_one() -> None:
    assert Table({1: car("S1.m17", lap=0)}).car(1)["tires_lap"] == 1


def test_the_example_of_the_contract_is_taken() -> None:
    cars = {
        1: {"space": "S1.l20", "gear": 4, "lap": 1, "wear": {"tires": 2}},
        2: {"space": "T1.m2", "gear": 2, "lap": 1, "stops": 1},
    }
    table = Table(cars, debris=["T1.r1"], weather="rain")
    assert table.asked == [(2, "gear")]
    assert table.car(1)["wear"] == wear(tires=2)
    assert table.car(2)["stops"] == 1
    assert (table.state["debris"], table.state["raining"]) == (["T1.r1"], True)


def test_nothing_is_rolled_before_a_position() -> None:
    table = Table({1: car("S2.m5"), 2: car("S2.m9")})
    assert table.asked == [(2, "gear")]


def test_a_position_wins_over_grid_and_weather() -> None:
    also = {"grid": [1, 2], "weather": "rain", "start": "normal"}
    table = Table({1: car("S2.m5"), 2: car("S2.m9")}, also=also)
    assert table.state["order"] == [2, 1]
    assert table.state["weather"] == "fine"


def test_with_order_and_turn_the_round_goes_on() -> None:
    cars = {1: car("S2.m5"), 2: car("S2.m9"), 3: car("S2.m1")}
    table = Table(cars, order=[3, 1, 2], turn=1, round=4)
    assert (table.state["order"], table.state["turn"], table.state["round"]) == ([3, 1, 2], 1, 4)
    assert table.asked == [(1, "gear")]
    table.plays(1, gear=1, roll=1, move="S2.m6")
    assert table.state["turn"] == 2
    table.plays(2, gear=1, roll=1, move="S2.m10")
    assert (table.state["order"], table.state["round"]) == ([2, 1, 3], 5)


def test_without_order_and_turn_a_new_round_begins() -> None:
    table = Table({1: car("S2.m5"), 2: car("S2.m9")})
    assert (table.state["turn"], table.state["order"]) == (2, [2, 1])


def test_the_laps_of_a_position_are_those_of_the_race() -> None:
    """The header may leave them out; it may not contradict them."""
    cars = {1: car("S2.m5", lap=3)}
    assert Table(cars, laps=3).state["laps"] == 3
    assert refusal(cars, laps=3, also={"laps": 2})["code"] == "malformed"
    assert refusal(cars, laps=0)["code"] == "malformed"


@pytest.mark.parametrize(
    ("cars", "more"),
    [
        ({1: car("S2.m5"), 2: car("S2.m5")}, {}),
        ({1: car("S2.m5", stops=1)}, {}),
        ({1: car("S2.m99")}, {}),
        ({1: car("l5")}, {}),
        ({1: car("")}, {}),
        ({1: {"space": 5}}, {}),
        ({1: {"space": ["S2.m5"]}}, {}),
        ({1: 5}, {}),
        ({1: None}, {}),
        ({1: car("S2.m5", gear=7)}, {}),
        ({1: car("S2.m5", gear=0)}, {}),
        ({1: car("S2.m5", gear=-1)}, {}),
        ({1: car("S2.m5", gear="3")}, {}),
        ({1: car("S2.m5", lap=-1)}, {}),
        ({1: car("S2.m5", lap=3)}, {}),
        ({1: car("S2.m5", lap=1.0)}, {}),
        ({1: car("T1.m2", stops=-1)}, {}),
        ({1: car("S2.m5", wear={"tires": 7})}, {}),
        ({1: car("S2.m5", wear={"wings": 1})}, {}),
        ({1: car("S2.m5", wear=[6, 3, 3, 3, 3, 2])}, {}),
        ({1: car("S2.m5", status="flying")}, {}),
        ({1: car("S2.m5", status="out")}, {}),
        ({1: car("S2.m5", status="finished")}, {}),
        ({1: car("S2.m5", status="pit")}, {}),
        ({1: car("P3", status="racing")}, {}),
        ({1: car("B2")}, {}),
        ({1: {"space": None, "status": "racing"}}, {}),
        ({1: car("S2.m5", out={"why": "corner"})}, {}),
        ({1: car("S2.m5", tires="slick")}, {}),
        ({1: car("S2.m5", tires_lap=0)}, {}),
        ({1: car("S2.m5", seat=2)}, {}),
        ({1: car("S2.m5", place=0)}, {}),
        ({1: car("S2.m5", ludo=1)}, {}),
        ({1: car("S2.m5")}, {"debris": ["S2.m99"]}),
        ({1: car("S2.m5")}, {"debris": "S2.m5"}),
        ({1: car("S2.m5")}, {"debris": [5]}),
        ({1: car("S2.m5")}, {"debris": [["S2.m5"]]}),
        ({1: car("S2.m5")}, {"debris": ["S2.m5", "S2.m5"]}),
        ({1: car("S2.m5")}, {"weather": "snow"}),
        ({1: car("S2.m5")}, {"weather": "fine", "raining": True}),
        ({1: car("S2.m5")}, {"raining": "no"}),
        ({1: car("S2.m5")}, {"turn": 1}),
        ({1: car("S2.m5")}, {"order": [1], "turn": 2}),
        ({1: car("S2.m5")}, {"order": [1, 1], "turn": 1}),
        ({1: car("S2.m5")}, {"order": [1, 2], "turn": 1}),
        ({1: car("S2.m5")}, {"order": "1", "turn": 1}),
        ({1: car("S2.m5")}, {"order": [[1]], "turn": 1}),
        ({1: car("S2.m5")}, {"order": [1], "turn": "1"}),
        ({1: car("S2.m5")}, {"phase": "lunch"}),
        ({1: car("S2.m5")}, {"phase": ["race"]}),
        ({1: car("S2.m5")}, {"round": -1}),
        ({1: car("S2.m5")}, {"laps": "2"}),
        ({1: car("S2.m5")}, {"pending": 5}),
        ({1: car("S2.m5")}, {"pending": [5]}),
        ({1: car("S2.m5")}, {"pending": [{"step": "lunch"}]}),
        ({1: car("S2.m5")}, {"pending": [{"step": "roll"}], "order": [1], "turn": 1}),
        ({1: car("S2.m5")}, {"ludo": 1}),
    ],
    ids=repr,
)
def test_a_position_that_contradicts_itself_is_malformed(
    cars: dict[int, Any], more: dict[str, Any]
) -> None:
    assert refusal(cars, **more)["code"] == "malformed"


def with_step(**step: Any) -> dict[str, Any]:
    """A position in which seat 1 is in its turn, and this is to be done."""
    steps = [{"seat": 1, **step}, {"step": "end", "seat": 1}]
    return {"pending": steps, "order": [1], "turn": 1}


@in_one(
    "wrong",
    [{"spaces": -1}, {"spaces": 101}, {"spaces": "4"}, {"how": ["back"]}, {"seat": 3}, {"at": 1}],
)
def test_a_pending_step_has_values_that_such_a_step_can_have(wrong: dict[str, Any]) -> None:
    cars, step = {1: car("S2.m5")}, {"step": "move", "spaces": 4}
    assert Table(cars, **with_step(**step)).asked == [(1, "move")]
    assert refusal(cars, **with_step(**step | wrong))["code"] == "malformed"


@pytest.mark.parametrize("cars", [[], 5, {"9": {"space": "S2.m5"}}, {"01": {"space": "S2.m5"}}])
def test_the_cars_of_a_position_are_those_of_its_seats(cars: Any) -> None:
    told = {**header(2), "position": {"cars": cars}}
    assert Table.of(header(2)).is_refused({"new": told})["code"] == "malformed"


@pytest.mark.parametrize(("name", "rule"), [("body", "FD-BUMP-2"), ("engine", "FD-ENGINE-3")])
def test_no_car_runs_without_body_or_engine(name: str, rule: str) -> None:
    """FD-BUMP-2, FD-ENGINE-3: the last one puts it out; of a car that is out it may be so."""
    worn = {"gear": 3, "wear": {name: 0}}
    error = refusal({1: {**worn, "space": "S2.m1"}})
    assert (error["code"], error["key"], error["rule"]) == ("malformed", "runs-without", rule)
    assert Table({1: {**worn, "status": "out"}, 2: car("S2.m1")}).car(1)["wear"][name] == 0


def test_two_cars_on_a_space_name_the_rule() -> None:
    assert refusal({1: car("S2.m5"), 2: car("S2.m5")})["rule"] == "FD-MOVE-1"


def again(told: dict[str, Any], state: dict[str, Any]) -> Engine:
    """Another engine, started from a STATE."""
    engine = Engine(OneRead())
    reply = engine.handle({"new": {**told, "position": state}})
    assert reply["ok"], (reply["error"], state)
    return engine


def without_since(asks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in ask.items() if key != "since"} for ask in asks]


@pytest.mark.parametrize("seed", range(2))
def test_every_state_is_a_valid_position_from_the_grid_to_the_result(seed: int) -> None:
    """In mid-turn too: same state, same asks, and the same answer leads on alike."""
    told = careful.header(4, laps=1)
    live, dice = Engine(OneRead()), Random(seed)
    reply = live.handle({"new": told})
    phases = set()
    while reply["asks"]:
        state = live.state()
        assert state is not None
        phases.add((state["phase"], *(step["step"] for step in state.get("pending", [])[:1])))
        ask = dice.choice(reply["asks"])
        line = {"seat": ask["seat"], ask["kind"]: careful.answer(ask, live.moment, dice)}
        if dice.random() < 0.25 or len(reply["asks"]) > 1:
            twin = again(told, state)
            assert twin.state() == state
            assert without_since(twin.asks()) == without_since(live.asks())
            twin.handle(line)
            live.handle(line)
            assert twin.state() == live.state()
        else:
            live.handle(line)
        reply = {"asks": live.asks()}
    final = live.state()
    assert final is not None
    assert final["phase"] == "finished"
    assert again(told, final).state() == final
    assert {("setup", "grid"), ("race", "gear"), ("race", "move"), ("race", "roll")} <= phases


@pytest.mark.parametrize("rules", [["weather"], ["build"], ["trials"], ["tires", "weather"]])
def test_a_race_ended_before_it_began_is_a_position_too(rules: list[str]) -> None:
    """FD-WEATHER-2: a weather that was never rolled is still none."""
    ended = Table.of(header(2, rules=rules))
    ended.says({"end": True})
    assert Table.of(header(2, rules=rules, position=ended.state)).state == ended.state


def test_a_state_is_a_position_without_the_laps_in_the_header() -> None:
    state = Table({1: car("S2.m5", lap=4)}, also={"laps": 5}).state
    told = {**header(1), "position": state}
    assert Table.of(told).state == state


def test_a_race_in_which_nobody_runs_is_over() -> None:
    """A position of finished cars asks nobody for anything and has its result."""
    cars = {1: {"space": None, "status": "finished", "place": 1, "lap": 3}}
    cars[2] = {"space": None, "status": "out"}
    table = Table(cars)
    assert table.asks == []
    assert table.state["phase"] == "finished"
    assert [one["seat"] for one in table.state["classification"]] == [1, 2]
