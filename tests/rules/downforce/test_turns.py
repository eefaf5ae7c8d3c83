"""DF-TURN-1, DF-TURN-2 and DF-END-1: whose card is next, and when the race is over."""

from __future__ import annotations

from typing import Any

import pytest
from support.downforce.table import CARS, FOUR, Table, header, named, racing
from support.each import in_one


def on_turn(table: Table) -> int:
    seat: int = table.state["turn"]
    assert table.asked("played") == [seat]
    return seat


def test_the_owner_of_the_car_on_pole_plays_first_then_clockwise() -> None:
    """DF-TURN-1: yellow stands on pole, it is seat 3's."""
    table = Table()
    table.pole(["yellow", "black", "blue", "green", "orange", "red"])
    for car, (seat, price) in FOUR.items():
        table.sell(car, seat, price)
    for seat in table.asked("keep"):
        table.plays(seat, keep=table.player(seat)["powers"][0])
    turns = []
    for _ in range(6):
        turns.append(on_turn(table))
        table.card()
    assert turns == [3, 4, 1, 2, 3, 4]


def test_clockwise_is_by_the_numbers_of_the_seats_whoever_joined_first() -> None:
    """DF-TURN-1: seats are numbered round the table, the header lists who joined when."""
    told = {**header(), "seats": [{"seat": 7}, {"seat": 2}, {"seat": 5}]}
    table = Table(told)
    owners = zip(CARS, (5, 7, 2, 5, 7, 2), strict=True)
    table.auction({car: (seat, 1) for car, seat in owners})
    turns = []
    for _ in range(4):
        turns.append(on_turn(table))
        table.card()
    assert turns == [5, 7, 2, 5]


def test_with_nobodys_car_on_pole_the_owner_of_the_foremost_owned_car_begins() -> None:
    """DF-TURN-1, ruling."""
    cars = {"red": {"owner": 2, "price": 1}, "blue": {"owner": 1, "price": 1}}
    grid = ["black", "green", "red", "blue", "yellow", "orange"]
    table = Table(header(2, position={"cars": cars, "grid": grid}))
    assert on_turn(table) == 2


def test_only_the_seat_on_turn_plays() -> None:
    """DF-TURN-1."""
    assert racing().why(2, played={}) == ("illegal", "DF-TURN-1")


def test_a_player_whose_cars_are_all_home_plays_no_more() -> None:
    """DF-TURN-2: blue is seat 2's only car."""
    table = racing().passed()
    table.card(finished=["blue"])
    assert on_turn(table) == 3
    for _ in range(3):
        table.card()
    assert on_turn(table) == 3, "seat 2 is skipped from now on"


def test_a_player_with_a_car_on_the_road_plays_on() -> None:
    """DF-TURN-2: seat 1 has black and red."""
    table = racing().passed()
    table.card(finished=["red"])
    for _ in range(3):
        table.card()
    assert on_turn(table) == 1


def test_a_player_without_cards_is_skipped() -> None:
    """DF-TURN-2."""
    table = racing()
    table.card(out=True)
    assert table.player(1)["out_of_cards"]
    for _ in range(3):
        table.card()
    assert on_turn(table) == 2


def test_a_player_who_owns_no_car_plays_on() -> None:
    """DF-TURN-2."""
    cars = {"red": {"owner": 1, "price": 1}}
    table = Table(header(2, position={"cars": cars}))
    assert on_turn(table) == 1
    table.card()
    assert on_turn(table) == 2
    table.card()
    assert on_turn(table) == 1


def test_a_lone_player_with_cards_plays_turn_after_turn() -> None:
    """DF-TURN-2."""
    table = racing()
    for out in (False, True, True, True):
        table.card(out=out)
    assert on_turn(table) == 1
    table.card()
    assert on_turn(table) == 1


# -- DF-END-1 -----------------------------------------------------------------------------


def test_a_car_over_the_line_takes_the_next_place() -> None:
    """DF-END-1: two with one card in the order in which they crossed."""
    table = racing().passed()
    table.card(finished=["green"])
    events = table.card(finished=["red", "black"])
    assert [(e["car"], e["place"], e["seat"]) for e in named(events, "CarFinished")] == [
        ("red", 2, 1),
        ("black", 3, 1),
    ]
    assert table.ask("played")["options"] == ["blue", "yellow", "orange"]


def test_a_car_finishes_once() -> None:
    """DF-END-1."""
    table = racing().passed()
    table.card(finished=["green"])
    assert table.why(2, played={"finished": ["green"]}) == ("illegal", "DF-END-1")
    assert table.why(2, played={"finished": ["red", "red"]})[0] == "malformed"


@in_one(
    "told", [None, [], 0, {"lines": -1.0}, {"lines": "1"}, {"lines": True}, {"finished": "red"},
             {"finished": ["white"]}, {"finished": [1]}, {"finished": None}, {"out_of_cards": 0},
             {"out_of_cards": None}, {"lines": 0, "cards": 3}]
)  # fmt: skip
def test_a_card_told_in_another_form_is_malformed(told: Any) -> None:
    assert racing().why(1, played=told)[0] == "malformed"


def test_what_a_card_does_not_do_may_be_left_out() -> None:
    table = racing("no-bets")
    table.plays(1, played={})
    table.plays(2, played={"finished": ["red"]})
    assert (table.state["lines"], table.state["cars"]["red"]["place"]) == (0, 1)


def ended(events: list[dict[str, Any]]) -> tuple[str, list[str]]:
    """Why the race ended, and the cars that have a place."""
    (event,) = named(events, "RaceEnded")
    return event["why"], event["order"]


def test_the_race_ends_when_all_cars_have_finished() -> None:
    """DF-END-1."""
    table = racing().passed()
    table.card(finished=CARS[:4])
    assert ended(table.card(finished=["red", "orange"])) == (
        "all-finished",
        [*CARS[:4], "red", "orange"],
    )
    assert (table.state["phase"], table.state["turn"], table.asks) == ("finished", None, [])


def test_the_race_ends_when_nobody_has_cards() -> None:
    """DF-END-1: what has not finished has no place."""
    table = racing().passed()
    table.card(finished=["blue"])
    table.card(out=True)
    table.card(out=True)
    assert ended(table.card(out=True)) == ("nobody-plays", ["blue"])


def test_the_race_ends_when_the_table_says_that_nobody_can_move() -> None:
    """DF-END-1: `end` is open all through the race."""
    table = racing()
    since = next(ask["since"] for ask in table.engine.asks() if ask["kind"] == "end")
    table.card(lines=1)
    assert table.ask("end") == {"seat": 0, "kind": "end", "options": [True]}
    table.bets({1: "red", 2: "red", 3: "red", 4: "red"})
    assert next(a["since"] for a in table.engine.asks() if a["kind"] == "end") == since
    assert ended(table.plays(0, end=True)) == ("called", [])


def test_a_race_called_over_waits_for_the_bets_that_are_open() -> None:
    """DF-END-1, DF-BET-1."""
    table = racing().passed(2)
    table.card(lines=1, finished=["red"])
    table.plays(0, end=True)
    assert (table.state["phase"], table.asked("end")) == ("race", [])
    assert ended(table.bets(dict.fromkeys((1, 2, 3, 4), "red"))) == ("called", ["red"])
    assert table.player(4)["bets"] == ["none", "none", "red"]


@pytest.mark.parametrize("value", [False, None, 1, CARS])
def test_the_end_is_told_as_true(value: Any) -> None:
    """DF-END-1."""
    assert racing().why(0, end=value)[0] == "malformed"


def test_before_the_race_there_is_no_end_to_tell() -> None:
    """The table's `end` belongs to the race; the referee's has no seat."""
    table = Table()
    assert table.why(0, end=True) == ("illegal", "DF-END-1")
    table.says({"end": True})
    assert table.state["phase"] == "finished"
