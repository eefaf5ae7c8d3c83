"""Positions: a game set up half-way, and what a STATE cannot tell."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from support.downforce.table import CARS, FOUR, NoShelf, Table, bid, header, racing, shown
from support.each import in_one

from companion.race.engine import Engine


def restarted(table: Table, *rules: str) -> Table:
    """A table set up from the STATE of another: it tells and asks the same."""
    told = header(len(table.state["players"]), *rules, position=copy.deepcopy(table.state))
    fresh = Table(told)
    assert fresh.state == table.state
    assert shown(fresh.engine.asks()) == shown(table.engine.asks())
    return fresh


def test_every_state_of_an_evening_is_a_position() -> None:
    table = Table(header(4, "championship"))
    restarted(table, "championship")
    table.pole()
    for car, (seat, price) in FOUR.items():
        restarted(table, "championship")
        table.lot(car)
        restarted(table, "championship")
        table.bids({other: price if other == seat else 0 for other in table.asked("bid")[:-1]})
        restarted(table, "championship")
        last = table.asked("bid")[0]
        table.bids({last: price if last == seat else 0})
    restarted(table, "championship")
    for seat in (1, 3):
        table.plays(seat, keep=table.player(seat)["powers"][1])
        restarted(table, "championship")
    table.card(lines=3, out=True)
    for number in range(3):
        for seat in (1, 2, 3, 4):
            restarted(table, "championship")
            table.plays(seat, bet=CARS[number])
    table.card(finished=["black"])
    restarted(table, "championship")
    table.plays(0, end=True)
    restarted(table, "championship")
    table.says({"end": True})
    restarted(table, "championship")


def test_a_lot_that_came_back_and_a_tie_are_positions() -> None:
    """DF-BID-2, DF-BID-5."""
    table = Table(header(6))
    table.pole()
    for car in CARS[:3]:
        table.lot(car)
        table.bids(dict.fromkeys(table.asked("bid"), 0))
        restarted(table)
    for seat, car in enumerate(CARS[3:], 1):
        table.sell(car, seat)
    restarted(table)
    table.bids(dict.fromkeys((4, 5, 6), 2))
    assert table.asked("award") == [0]
    restarted(table).plays(0, award=6)


def test_without_secrets_a_race_goes_on_from_its_state_as_if_nothing_had_been() -> None:
    """All bets of a race without bets are known: none."""
    table = racing("no-bets")
    twin = restarted(table, "no-bets")
    for finished in ([], ["red"], ["blue", "green"], [], ["black", "yellow", "orange"]):
        assert table.card(finished=finished) == twin.card(finished=finished)
        assert table.state == twin.state
    assert twin.state["phase"] == "finished"


def test_bids_that_a_state_could_not_tell_are_asked_again_once_all_others_are_in() -> None:
    """DF-BID-1: face down they are null."""
    table = Table()
    table.pole()
    table.lot("red")
    table.bids({1: 6, 3: 5})
    fresh = restarted(table)
    fresh.bids({2: 4, 4: 2})
    assert fresh.asked("bid") == [1, 3]
    restarted(fresh)
    fresh.bids({1: 6, 3: 5})
    assert fresh.state["cars"]["red"] == {"owner": 1, "price": 6, "place": None}


def test_bets_that_a_state_could_not_tell_are_asked_again_when_the_race_is_over() -> None:
    """DF-BET-2: they stand on the players' own sheets."""
    table = racing()
    table.card(lines=1)
    table.bets({1: "red", 2: "blue", 3: "red", 4: "red"})
    table.card(lines=1)
    table.bets({1: "red", 2: "blue"})
    fresh = restarted(table)
    fresh.bets({3: "black", 4: "black"})
    fresh.card(lines=1)
    fresh.bets(dict.fromkeys((1, 2, 3, 4), "blue"))
    fresh.card(finished=["red"])
    fresh.plays(0, end=True)
    assert fresh.asked("bet") == [1, 2, 3, 4]
    assert fresh.ask("bet") == {
        "seat": 1, "kind": "bet", "options": CARS, "number": 1, "again": True
    }  # fmt: skip
    restarted(fresh)
    fresh.bets({1: "red", 2: "blue", 3: "red", 4: "red"})
    assert (fresh.ask("bet")["number"], fresh.asked("bet")) == (2, [1, 2])
    fresh.bets({1: "red", 2: "blue"})
    assert fresh.state["phase"] == "finished"
    assert fresh.player(1)["bets"] == ["red", "red", "blue"]
    assert fresh.player(3)["bets"] == ["red", "black", "blue"]
    assert fresh.player(1)["bets_won"] == 9 + 6


def test_bets_nobody_can_tell_any_more_pay_nothing() -> None:
    """DF-PAY-2: the referee ends the race without them."""
    table = racing().passed(2)
    table.card(lines=1, finished=["red"])
    table.bets(dict.fromkeys((1, 2, 3, 4), "red"))
    fresh = restarted(table)
    fresh.says({"end": True})
    assert (fresh.player(1)["bets"], fresh.player(1)["bets_won"]) == (["none", "none", None], 0)
    restarted(fresh)


def test_a_position_may_tell_the_bets() -> None:
    """The one who writes it knows them; STATE hides them again."""
    cars = {"red": {"owner": 1, "price": 4}, "blue": {"owner": 2, "price": 5}}
    told = {"cars": cars, "lines": 3, "players": {"1": {"bets": ["red", "blue", "blue"]}}}
    table = Table(header(2, position=told))
    assert (table.player(1)["bets"], table.player(2)["bets"]) == ([None] * 3, ["none"] * 3)
    table.card(finished=["red"])
    table.card(finished=["blue"])
    assert (table.player(1)["total"], table.player(2)["total"]) == (12 + 9 + 4 + 2 - 4, 9 - 5)


def test_a_position_without_a_phase_is_a_race() -> None:
    table = Table(header(2, position={"cars": {"red": {"owner": 2}}}))
    assert (table.state["phase"], table.asked("played")) == ("race", [2])
    assert table.state["cars"]["red"]["price"] == 0


def test_a_position_keeps_the_names_of_the_header() -> None:
    told = header(2, position={"players": {"2": {"out_of_cards": True}}})
    told["seats"][1]["name"] = "Bob"
    assert [player["name"] for player in Table(told).state["players"].values()] == ["Seat 1", "Bob"]


def test_a_position_may_begin_in_the_auction_or_with_the_powers() -> None:
    """DF-BID-6."""
    assert Table(header(position={"phase": "auction"})).asked("pole") == [0]
    grid = {"phase": "auction", "grid": CARS}
    assert Table(header(position=grid)).asked("lot") == [0]
    players = {"2": {"powers": ["sly", "cunning"]}}
    assert Table(header(position={"phase": "powers", "players": players})).asked("keep") == [2]


def test_a_position_with_a_turn_goes_on_there() -> None:
    cars = {"red": {"owner": 1}, "blue": {"owner": 2}}
    assert Table(header(2, position={"cars": cars, "turn": 2})).asked("played") == [2]


def test_a_leg_before_that_is_not_told_earned_nothing() -> None:
    """DF-VAR-4."""
    cars = {"red": {"owner": 1}}
    table = Table(header(2, "championship", position={"leg": 2, "cars": cars}))
    assert table.player(1)["legs"][0]["total"] == 0


@in_one(
    "position",
    [
        {"phase": "auction", "turn": 1},
        {"phase": "auction", "cars": {"red": {"owner": 1}}},
        {"phase": "finished", "pending": [{"step": "play", "seat": 1}]},
        {"players": {"1": {"power": "sly"}, "2": {"power": "sly"}}},
        {"leg": 2},
        {"cars": {"red": {"price": 4}}},
        {"players": {"1": {"legs": [{"race": 1, "total": 5}]}}},
    ],
)
def test_a_position_that_contradicts_itself_is_malformed(position: dict[str, Any]) -> None:
    reply = Engine(NoShelf()).handle({"new": header(2, position=position)})
    assert reply["error"]["code"] == "malformed"


def test_a_game_without_powers_has_none_in_a_position() -> None:
    """DF-VAR-1."""
    told = header(2, "no-powers", position={"players": {"1": {"power": "sly"}}})
    assert Engine(NoShelf()).handle({"new": told})["error"]["code"] == "malformed"


@pytest.mark.parametrize(
    ("rules", "step"),
    [
        (("no-bets",), {"step": "bets", "seats": [1], "number": 1, "again": False}),
        ((), {"step": "bets", "seats": [1], "number": 2, "again": True}),
        ((), {"step": "deal", "car": "red", "power": None}),
    ],
)
def test_an_open_step_that_the_race_contradicts_is_malformed(
    rules: tuple[str, ...], step: dict[str, Any]
) -> None:
    """DF-BET-1, DF-VAR-1: bets at no line, a car dealt on the road."""
    lots = [{"car": "red", "power": None}]
    position = {"lines": 1, "lots": lots, "pending": [step]}
    error = Engine(NoShelf()).handle({"new": header(2, *rules, position=position)})["error"]
    assert (error["code"], error["key"]) == ("malformed", "pending-form")


def test_a_sheet_whose_total_is_wrong_is_malformed() -> None:
    """DF-PAY-3."""
    legs = [{"race": 12, "bets_won": 3, "spent": 4, "total": 12}]
    told = header(2, "championship", position={"leg": 2, "players": {"1": {"legs": legs}}})
    error = Engine(NoShelf()).handle({"new": told})["error"]
    assert (error["code"], error["rule"]) == ("malformed", "DF-PAY-3")


def test_a_bid_in_the_open_is_no_position() -> None:
    """DF-BID-1."""
    table = Table()
    table.pole()
    table.lot("red")
    table.plays(1, bid=bid(5))
    state = copy.deepcopy(table.state)
    state["pending"][0]["bids"]["1"] = bid(5)
    reply = Engine(NoShelf()).handle({"new": header(position=state)})
    assert reply["error"]["code"] == "malformed"
