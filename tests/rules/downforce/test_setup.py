"""DF-SETUP-1 and the header."""

from __future__ import annotations

from typing import Any

import pytest
from support.downforce.table import CARS, POWERS, NoShelf, Table, header, racing
from support.each import in_one

from companion.race.engine import Engine


def error_of(told: dict[str, Any]) -> dict[str, Any]:
    reply = Engine(NoShelf()).handle({"new": told})
    assert not reply["ok"]
    error: dict[str, Any] = reply["error"]
    return error


@in_one("players", [2, 3, 4, 5, 6])
def test_two_to_six_play(players: int) -> None:
    """DF-SETUP-1."""
    assert len(Table(header(players)).state["players"]) == players


@pytest.mark.parametrize("players", [1, 7])
def test_fewer_than_two_and_more_than_six_do_not_play(players: int) -> None:
    """DF-SETUP-1."""
    error = error_of(header(players))
    assert (error["code"], error["rule"]) == ("malformed", "DF-SETUP-1")


@in_one(
    "wrong",
    [
        {"track": "monaco"},
        {"laps": 2},
        {"laps": "1"},
        {"grid": [1, 2, 3, 4]},
        {"rules": ["urban"]},
        {"rules": "beginners"},
        {"rules": [["beginners"]]},
        {"house": {"corner_ways": "any"}},
        {"house": []},
        {"seats": None},
        {"seats": [1, 2]},
        {"seats": [{"seat": 1}, {"seat": 1}]},
        {"seats": [{"seat": 1}, {"name": "Ana"}]},
        {"seats": [{"seat": 0}, {"seat": 1}]},
        {"seats": [{"seat": 1, "wear": {}}, {"seat": 2}]},
        {"seats": [{"seat": 1, "name": ""}, {"seat": 2}]},
        {"seats": [{"seat": 1, "team": 5}, {"seat": 2}]},
        {"position": []},
    ],
)
def test_a_header_that_means_nothing_here_is_malformed(wrong: dict[str, Any]) -> None:
    assert error_of({**header(), **wrong})["code"] == "malformed"


def test_a_header_may_leave_out_track_rules_and_laps() -> None:
    told = {"game": "downforce", "seats": [{"seat": 4, "name": "Ana"}, {"seat": 2}]}
    table = Table(told)
    assert table.player(4)["name"] == "Ana"
    Table({**told, "laps": 1, "house": {}})
    Table({**told, "laps": None})


def test_the_cars_on_the_grid_are_asked_first() -> None:
    """DF-SETUP-1: six cars in grid order, pole first."""
    table = Table()
    assert table.asks == [{"seat": 0, "kind": "pole", "options": CARS}]
    table.pole(["red", "blue", "green", "yellow", "orange", "black"])
    assert table.state["grid"][0] == "red"
    assert table.asked("lot") == [0]


@in_one(
    "order", [None, "red", [], CARS[:5], [*CARS[:5], "black"], [*CARS, "red"], [1, 2, 3, 4, 5, 6],
              [*CARS[:5], "white"], [*CARS[:5], ["red"]]]
)  # fmt: skip
def test_a_grid_names_each_car_once(order: Any) -> None:
    """DF-SETUP-1."""
    assert Table().why(0, pole=order)[0] == "malformed"


def test_a_lot_is_a_car_and_a_power_not_yet_turned_up() -> None:
    """DF-SETUP-1: six lots, one speed-8 card and one power card each."""
    table = Table()
    table.pole()
    assert len(table.ask("lot")["options"]) == 36
    table.sell("green", 1)
    options = table.ask("lot")["options"]
    assert len(options) == 25
    assert {option["car"] for option in options} == set(CARS) - {"green"}
    power = table.state["lots"][0]["power"]
    assert table.why(0, lot={"car": "green", "power": "sly"}) == ("illegal", "DF-SETUP-1")
    assert table.why(0, lot={"car": "red", "power": power}) == ("illegal", "DF-SETUP-1")
    assert table.why(0, lot={"car": "red", "power": None}) == ("illegal", "DF-SETUP-1")


@in_one(
    "lot", [None, [], "red", {}, {"car": "white", "power": "sly"}, {"car": "red", "power": "fast"},
            {"car": ["red"], "power": "sly"}, {"car": "red", "power": ["sly"]},
            {"car": "red", "power": "sly", "price": 1}]
)  # fmt: skip
def test_a_lot_of_another_form_is_malformed(lot: Any) -> None:
    table = Table()
    table.pole()
    assert table.why(0, lot=lot)[0] == "malformed"


def test_the_table_answers_as_seat_0_and_no_seat_for_it() -> None:
    table = Table()
    assert table.why(1, pole=CARS) == ("illegal", "DF-SETUP-1")
    assert table.why(9, pole=CARS) == ("illegal", None)


def test_nothing_is_asked_that_is_not_listed() -> None:
    table = racing()
    for kind in ("pole", "lot", "bid", "award", "keep", "bet"):
        assert table.why(0, **{kind: 1})[0] == "illegal"


@pytest.mark.parametrize(
    ("name", "count", "rule"), [("lines", 3, "DF-PAY-2"), ("cars", 6, "DF-PAY-1")]
)
def test_a_board_with_other_lines_or_cars_is_refused_naming_the_pay_that_is_missing(
    name: str, count: int, rule: str
) -> None:
    table = Table(header(2, **{name: count}))
    for other in (count - 1, count + 1, True, None):
        error = table.refused({"new": header(2, **{name: other})})
        assert (error["key"], error["rule"]) == ("no-pay", rule)


def test_every_power_may_be_turned_up() -> None:
    """DF-SETUP-1, DF-POWER-1: the six powers."""
    table = Table()
    table.pole()
    assert {option["power"] for option in table.ask("lot")["options"]} == set(POWERS)
