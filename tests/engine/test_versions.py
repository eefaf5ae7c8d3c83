"""Versions, stale answers, several asks at once, taking back."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from support.each import in_one
from support.formula import careful
from support.formula.table import OneRead, Table, car, header, named

from companion.race.engine import Engine


def two_cars() -> Table:
    return Table({1: car("S2.m9"), 2: car("S2.m5")})


def test_without_a_race_there_is_nothing_to_answer() -> None:
    engine = Engine(OneRead())
    for line in ({"state": True}, {"seat": 1, "gear": 1}, {"undo": 1}, {"end": True}):
        reply = engine.handle(line)
        assert (reply["ok"], reply["error"]["code"], reply["asks"]) == (False, "no-race", [])
    assert engine.handle({"quit": True})["ok"]
    assert engine.version == 0


def test_the_version_counts_accepted_lines_that_change_the_race() -> None:
    table = two_cars()
    assert table.engine.version == 1
    table.plays(1, gear=1)
    assert table.engine.version == 2
    table.says({"state": True})
    table.says({"quit": True})
    table.is_refused({"seat": 1, "gear": 1})
    assert table.engine.version == 2
    table.says({"correct": {"weather": "rain"}, "reason": "it rains"})
    assert table.engine.version == 3


def test_the_version_goes_on_over_undo_and_over_a_new_race() -> None:
    table = two_cars()
    table.plays(1, gear=1, roll=1)
    table.says({"undo": 2})
    assert table.engine.version == 4
    table.says({"new": header(2)})
    assert table.engine.version == 5
    assert {ask["since"] for ask in table.asks} == {5}


def test_every_ask_says_since_when_it_is_open() -> None:
    table = Table.of(header(3))
    table.plays(2, black=5)
    assert table.engine.version == 2
    assert {ask["since"] for ask in table.asks} == {1}, "the others wait since the start"


def test_an_answer_is_stale_only_if_it_is_older_than_its_ask() -> None:
    table = Table.of(header(3))
    table.says({"seat": 2, "black": 5, "version": 1})
    table.says({"seat": 1, "black": 5, "version": 1})
    table.says({"seat": 3, "black": 7, "version": 1})
    ask = table.ask(1, "black")
    assert ask["since"] == 4, "the tie opened it anew"
    error = table.is_refused({"seat": 1, "black": 5, "version": 3})
    assert (error["code"], error["args"]) == ("stale", {"since": 4, "version": 3})
    table.says({"seat": 1, "black": 5, "version": 4})


def test_an_ask_that_undo_opens_again_is_a_new_one() -> None:
    table = two_cars()
    table.plays(1, gear=1)
    table.says({"undo": 1})
    assert table.ask(1, "gear")["since"] == table.engine.version == 3
    assert table.is_refused({"seat": 1, "gear": 2, "version": 1})["code"] == "stale"


@in_one("version", ["1", 1.0, True, None, []])
def test_a_version_is_a_whole_number(version: Any) -> None:
    error = two_cars().is_refused({"seat": 1, "gear": 1, "version": version})
    assert error["code"] == "malformed"


def test_a_seat_never_has_two_asks_of_one_kind_and_is_told_its_kind() -> None:
    dice, engine = Random(5), Engine(OneRead())
    reply = engine.handle({"new": careful.header(6, laps=1)})
    while reply["asks"]:
        keys = [(ask["seat"], ask["kind"]) for ask in reply["asks"]]
        assert len(keys) == len(set(keys))
        ask = dice.choice(reply["asks"])
        value = careful.answer(ask, engine.moment, dice)
        reply = engine.handle({"seat": ask["seat"], ask["kind"]: value})
        assert reply["ok"]


def test_asks_of_several_seats_lead_to_one_state_in_whatever_order() -> None:
    """A collision of three: the two others roll, each for itself."""
    cars = {1: car("S2.m5"), 2: car("S2.l6"), 3: car("S2.r7"), 4: car("S6.m1")}
    ends = []
    for first, second in ((2, 3), (3, 2)):
        table = Table(cars, order=[1, 2, 3, 4], turn=1)
        table.plays(1, gear=1, roll=1, move="S2.m6")
        table.plays(first, black={2: 1, 3: 20}[first])
        table.plays(second, black={2: 1, 3: 20}[second])
        while (1, "black") in table.asked:
            table.plays(1, black=10)
        ends.append(table.state)
    assert ends[0] == ends[1]
    assert ends[0]["cars"]["2"]["wear"]["body"] == 2


@in_one("count", [1, 2, 3, 7, 20])
def test_undo_gives_back_the_exact_state(count: int) -> None:
    """Any number of answers, over turns and rounds, referee lines counted alike."""
    dice, table = Random(count), Table.of(careful.header(3, grid=[2, 3, 1]))
    trail = [(table.state, table.asked)]
    for step in range(25):
        if step % 6 == 5:
            table.says({"correct": {"debris": [f"S6.m{step}"]}, "reason": "seen late"})
        else:
            ask = dice.choice(table.asks)
            value = careful.answer(ask, table.engine.moment, dice)
            table.says({"seat": ask["seat"], ask["kind"]: value})
        trail.append((table.state, table.asked))
    (back,) = table.says({"undo": count})
    assert (back["event"], back["answers"]) == ("TakenBack", count)
    assert (table.state, table.asked) == trail[-1 - count]


def test_answers_taken_back_may_be_given_again() -> None:
    table = two_cars()
    table.plays(1, gear=2, roll=4)
    before = table.state
    table.says({"undo": 2})
    table.plays(1, gear=2, roll=4)
    assert table.state == before


def test_no_more_is_taken_back_than_there_is() -> None:
    table = two_cars()
    table.plays(1, gear=1, roll=1)
    assert table.is_refused({"undo": 3})["code"] == "illegal"
    table.says({"undo": 2})
    assert table.is_refused({"undo": 1})["code"] == "illegal"


@in_one("count", [0, -1, 1.0, "1", True, None, [1], {}])
def test_undo_names_a_whole_number_of_answers(count: Any) -> None:
    table = two_cars()
    table.plays(1, gear=1)
    assert table.is_refused({"undo": count})["code"] == "malformed"


def test_an_undo_cannot_itself_be_taken_back() -> None:
    table = two_cars()
    table.plays(1, gear=1)
    table.says({"undo": 1})
    assert table.is_refused({"undo": 1})["code"] == "illegal"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ({"seat": 2, "gear": 1}, "illegal"),
        ({"seat": 9, "gear": 1}, "illegal"),
        ({"seat": 1, "roll": 1}, "illegal"),
        ({"seat": 1, "black": 3}, "illegal"),
        ({"seat": 1, "bid": 3}, "illegal"),
        ({"seat": 1, "gear": 6}, "illegal"),
        ({"seat": 1, "gear": 0}, "illegal"),
        ({"seat": 1, "gear": 10**50}, "illegal"),
        ({"seat": 1, "gear": "1"}, "malformed"),
        ({"seat": 1, "gear": 1.0}, "malformed"),
        ({"seat": 1, "gear": True}, "malformed"),
        ({"seat": 1, "gear": None}, "malformed"),
        ({"seat": 1, "gear": [1]}, "malformed"),
        ({"seat": "1", "gear": 1}, "malformed"),
        ({"seat": True, "gear": 1}, "malformed"),
        ({"seat": None, "gear": 1}, "malformed"),
        ({"gear": 1}, "malformed"),
        ({"seat": 1}, "malformed"),
        ({"seat": 1, "gear": 1, "roll": 1}, "malformed"),
        ({"seat": 1, "gear": 1, "ludo": 1}, "malformed"),
        ({"ludo": 1}, "malformed"),
        ({}, "malformed"),
        ([], "malformed"),
        (None, "malformed"),
        ("gear", "malformed"),
        (5, "malformed"),
        ({"state": 1}, "malformed"),
        ({"state": False}, "malformed"),
        ({"quit": "now"}, "malformed"),
        ({"end": False}, "malformed"),
        ({"state": True, "undo": 1}, "malformed"),
        ({"new": {}, "state": True}, "malformed"),
    ],
    ids=repr,
)
def test_a_refused_line_says_why_and_changes_nothing(line: Any, code: str) -> None:
    assert two_cars().is_refused(line)["code"] == code


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("S2.m10", "malformed"),
        ({"to": "S2.m10"}, "malformed"),
        ({"to": "S2.m10", "brakes": 0}, None),
        ({"brakes": 0}, "malformed"),
        ({"to": "S2.m10", "brakes": "0"}, "malformed"),
        ({"to": 5, "brakes": 0}, "malformed"),
        ({"to": ["S2.m10"], "brakes": 0}, "malformed"),
        ({"to": "S2.m10", "brakes": -1}, "illegal"),
        ({"to": "S2.m11", "brakes": 0}, "illegal"),
        ({"to": "nowhere", "brakes": 0}, "illegal"),
        (None, "malformed"),
    ],
    ids=repr,
)
def test_a_move_is_a_space_and_its_brakes(value: Any, code: str | None) -> None:
    """Both are named; anything else is refused."""
    table = two_cars()
    table.plays(1, gear=1, roll=1)
    if code is None:
        assert named(table.says({"seat": 1, "move": value}), "Moved")
    else:
        assert table.is_refused({"seat": 1, "move": value})["code"] == code


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (0, "malformed"),
        (21, "malformed"),
        ([5, 6], "illegal"),
        ([1, 20], "illegal"),
        ([2, 1], "illegal"),
        ("5", "malformed"),
        (5.0, "malformed"),
        (True, "malformed"),
        ([5], "malformed"),
        ([5, "5"], "malformed"),
        ({}, "malformed"),
        (None, "malformed"),
    ],
    ids=repr,
)
def test_a_black_die_shows_a_number_or_a_range_that_was_offered(value: Any, code: str) -> None:
    table = Table.of(header(2))
    assert table.is_refused({"seat": 1, "black": value})["code"] == code
    assert table.says({"seat": 1, "black": [5, 5]}) is not None


def test_a_number_that_the_black_die_does_not_have_breaks_no_rule_of_the_gear_dice() -> None:
    error = Table.of(header(2)).is_refused({"seat": 1, "black": 21})
    assert (error["code"], error["key"], error["rule"]) == (
        "malformed",
        "black-out-of-range",
        None,
    )
