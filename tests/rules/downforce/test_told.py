"""A race of which the table tells what happens, and nobody is asked for each card."""

from __future__ import annotations

from typing import Any

import pytest
from support.downforce.table import CARS, FOUR, POWERS, Table, header, named

TOLD = {"auction": "entered", "cards": "events"}


def race(*rules: str, players: int = 4) -> Table:
    """Cars as in `FOUR`, the first power kept."""
    table = Table(header(players, *rules, house=TOLD))
    table.pole()
    bare = "no-powers" in rules
    for (car, (seat, price)), power in zip(FOUR.items(), POWERS, strict=True):
        power_or_none = None if bare else power
        table.plays(0, lot={"car": car, "power": power_or_none, "seat": seat, "price": price})
    for seat in table.asked("keep"):
        table.plays(seat, keep=table.player(seat)["powers"][0])
    return table


def tell(table: Table, lines: int = 0, *finished: str) -> list[Any]:
    return table.plays(0, played={"lines": lines, "finished": list(finished)})


def test_nobody_is_on_turn_and_no_hand_is_counted() -> None:
    """DF-TURN-1."""
    table = race()
    assert [(ask["seat"], ask["kind"]) for ask in table.asks] == [(0, "played"), (0, "end")]
    assert table.state["turn"] is None
    assert "hand" not in table.player(1)
    assert table.why(1, played={}) == ("illegal", "DF-TURN-1")


def test_a_line_that_is_crossed_opens_a_bet_of_everybody() -> None:
    """DF-BET-1."""
    table = race()
    events = tell(table, 1)
    assert [one["event"] for one in events] == ["LinesCrossed", "BetsOpened"]
    assert table.asked("bet") == [1, 2, 3, 4]
    assert table.asked("played") == [0], "what happens meanwhile can be told"


def test_cars_come_home_while_a_bet_is_open_and_the_last_bet_ends_the_race() -> None:
    """DF-END-1."""
    table = race().passed(2)
    tell(table, 1)
    tell(table, 0, *CARS)
    assert table.asked("bet") == [1, 2, 3, 4]
    table.bets({1: "red", 2: "red", 3: "red"})
    (ended,) = named(table.plays(4, bet="blue"), "RaceEnded")
    assert (ended["why"], ended["order"]) == ("all-finished", CARS)


def test_two_lines_that_are_told_one_after_the_other_are_bet_on_in_order() -> None:
    """DF-BET-1."""
    table = race()
    tell(table, 1)
    table.plays(1, bet="red")
    tell(table, 1)
    assert [ask["number"] for ask in table.asks if ask["kind"] == "bet"] == [1, 1, 1]
    table.bets({2: "red", 3: "red", 4: "red"})
    assert [ask["number"] for ask in table.asks if ask["kind"] == "bet"] == [2, 2, 2, 2]


def test_nobody_can_move_ends_the_race() -> None:
    """DF-END-1."""
    table = race("no-bets")
    tell(table, 0, "red")
    (ended,) = named(table.plays(0, end=True), "RaceEnded")
    assert (ended["why"], ended["order"]) == ("called", ["red"])


def test_the_race_is_over_when_every_player_is_home() -> None:
    """DF-TURN-2: a car that is nobody's moves no more."""
    cars = {"red": {"owner": 1, "price": 1}, "blue": {"owner": 2, "price": 1}}
    table = Table(header(2, "no-bets", house=TOLD, position={"cars": cars}))
    tell(table, 0, "red")
    (ended,) = named(tell(table, 0, "blue"), "RaceEnded")
    assert ended["why"] == "nobody-plays"


def test_over_a_long_distance_the_table_gives_the_order() -> None:
    """DF-VAR-3."""
    table = race("long-distance", "no-bets")
    assert table.why(0, played={"finished": ["red"]}) == ("illegal", "DF-VAR-3")
    table.plays(0, end=CARS)
    assert table.state["phase"] == "finished"


@pytest.mark.parametrize(
    ("played", "why"),
    [
        ({"lines": 4}, ("illegal", "DF-BET-1")),
        ({"finished": ["red", "red"]}, ("malformed", None)),
        ({"out_of_cards": True}, ("illegal", None)),
        ([], ("malformed", None)),
    ],
)
def test_what_cannot_have_happened_is_refused(played: Any, why: Any) -> None:
    assert race().why(0, played=played) == why


def test_a_told_race_is_a_position_that_keeps_no_turn() -> None:
    table = race()
    tell(table, 1)
    again = Table({**header(house=TOLD), "position": table.state})
    assert again.asks == table.asks
    error = again.refused({"correct": {"turn": 2}, "reason": "x"})
    assert error["key"] == "turn-outside-race"
