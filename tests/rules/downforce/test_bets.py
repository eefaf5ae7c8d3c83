"""DF-BET-1 and DF-BET-2: the bets, and that they are secret."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.downforce.table import CARS, Table, bid, header, named, racing
from support.each import in_one


def test_every_player_bets_when_a_line_is_crossed_for_the_first_time() -> None:
    """DF-BET-1: after the card is resolved, before the next one is played."""
    table = racing()
    table.card(lines=1)
    assert (table.asked("bet"), table.asked("played")) == ([1, 2, 3, 4], [])
    assert table.ask("bet") == {"seat": 1, "kind": "bet", "options": CARS, "number": 1}
    table.bets({4: "red", 2: "blue", 1: "black", 3: "red"})
    assert table.asked("played") == [2]


def test_a_bet_is_on_any_car_own_or_not_finished_or_not() -> None:
    """DF-BET-1."""
    table = racing()
    table.card(lines=3, finished=["blue"])
    table.bets({1: "red", 2: "red", 3: "blue", 4: "blue"})


@in_one("value", [None, "white", 1, ["red"], {"car": "red"}, ""])
def test_a_bet_is_on_one_of_the_six_cars(value: Any) -> None:
    """DF-BET-1."""
    table = racing()
    table.card(lines=1)
    assert table.why(1, bet=value)[0] == "malformed"


def test_two_lines_crossed_by_one_card_are_two_bets_in_order() -> None:
    """DF-BET-1."""
    table = racing()
    table.card(lines=2)
    assert table.ask("bet")["number"] == 1
    table.bets(dict.fromkeys((1, 2, 3, 4), "red"))
    assert (table.ask("bet")["number"], table.asked("bet")) == (2, [1, 2, 3, 4])
    table.bets(dict.fromkeys((1, 2, 3, 4), "blue"))
    table.plays(0, end=True)
    assert table.player(1)["bets"] == ["red", "blue"]


def test_there_are_three_lines() -> None:
    """DF-BET-1."""
    table = racing()
    assert table.ask("played")["lines"] == [0, 1, 2, 3]
    assert table.why(1, played={"lines": 4}) == ("illegal", "DF-BET-1")
    assert table.why(1, played={"lines": -1}) == ("illegal", "DF-BET-1")
    table.card(lines=2)
    for _ in range(2):
        table.bets(dict.fromkeys((1, 2, 3, 4), "red"))
    assert table.ask("played")["lines"] == [0, 1]
    assert table.why(2, played={"lines": 2}) == ("illegal", "DF-BET-1")


def test_who_plays_no_more_bets_all_the_same() -> None:
    """DF-BET-1, DF-TURN-2."""
    table = racing()
    table.card(out=True)
    table.card(lines=1)
    assert table.asked("bet") == [1, 2, 3, 4]


def test_a_bet_once_made_stands() -> None:
    """DF-BET-1: it is taken back by undo only."""
    table = racing()
    table.card(lines=1)
    table.plays(1, bet="red")
    assert table.why(1, bet="blue") == ("illegal", "DF-BET-1")
    table.says({"undo": 1})
    table.plays(1, bet="blue")


# -- DF-BET-2 -----------------------------------------------------------------------------


def test_who_has_bet_is_public_and_on_what_is_not() -> None:
    """DF-BET-2: null for each bet made."""
    table = racing()
    table.card(lines=1)
    (event,) = named(table.plays(2, bet="red"), "BetMade")
    assert event == {"event": "BetMade", "seat": 2, "rule": "DF-BET-1", "number": 1, "car": None}
    assert (table.player(2)["bets"], table.player(1)["bets"]) == ([None], [])


def test_who_has_bid_is_public_and_how_much_is_not() -> None:
    """DF-BID-1: until all cards are turned up."""
    table = Table()
    table.pole()
    table.lot("red")
    (event,) = named(table.plays(2, bid=bid(5)), "BidMade")
    assert event == {"event": "BidMade", "seat": 2, "rule": "DF-BID-1", "car": "red", "bid": None}
    assert table.state["pending"][0]["bids"] == {"2": None}
    (revealed,) = named(table.bids({1: 0, 3: 0, 4: 0}), "BidsRevealed")
    assert revealed["bids"]["2"] == {"amount": 5, "cars": 4, "wild": False}


def test_the_bets_are_revealed_when_the_race_is_over() -> None:
    """DF-BET-2."""
    table = racing()
    table.card(lines=1)
    table.bets({1: "red", 2: "blue", 3: "green", 4: "red"})
    (event,) = named(table.plays(0, end=True), "BetsRevealed")
    assert event["bets"] == {"1": ["red"], "2": ["blue"], "3": ["green"], "4": ["red"]}
    assert table.player(2)["bets"] == ["blue"]


def test_a_seat_may_see_its_own_secrets_and_no_others() -> None:
    """DF-BET-2: the owner's seat is the one view that may show a bet."""
    table = racing()
    table.card(lines=1)
    table.plays(1, bet="red")
    assert table.engine.secrets(1) == {"bets": ["red"]}
    assert table.engine.secrets(2) == {"bets": []}
    assert table.engine.secrets(0) == table.engine.secrets(9) == {}
    table = Table()
    assert table.engine.secrets(1) == {"bets": []}
    table.pole()
    table.lot("red")
    table.plays(3, bid=bid(5, 2))
    assert table.engine.secrets(3)["bid"] == bid(5, 2)
    assert "bid" not in table.engine.secrets(1)


def told_outside(secrets: dict[str, Any]) -> list[str]:
    """Everything that everybody may read of one evening, in which these are the secrets."""
    table = Table()
    heard: list[str] = []

    def says(line: dict[str, Any]) -> None:
        reply = table.engine.handle(line)
        heard.append(json.dumps([reply, table.engine.state(), table.engine.asks()]))

    table.pole()
    table.lot("red")
    says({"seat": 2, "bid": secrets["bid"]})
    says({"seat": 2, "bid": secrets["bid"]})
    says({"seat": 3, "bid": secrets["wrong bid"]})
    says({"correct": {"cars": {"red": {"place": None}}}})
    says({"seat": 1, "retire": True})
    says({"seat": 1, "return": True})
    says({"state": True})
    table.says({"undo": 4})
    table.says({"new": header(position=PLACED)})
    table.card(lines=2)
    for seat in (1, 3):
        says({"seat": seat, "bet": secrets["bet"]})
        says({"seat": seat, "bet": secrets["bet"]})
        says({"seat": seat, "bet": secrets["wrong bet"]})
    says({"correct": {"lines": 2}, "reason": "nothing"})
    says({"seat": 2, "retire": True})
    says({"seat": 4, "bet": secrets["bet"]})
    says({"seat": 1, "bet": secrets["bet"]})
    says({"undo": 1})
    says({"state": True})
    return heard


PLACED = {
    "cars": {car: {"owner": seat, "price": 1} for car, seat in zip(CARS, (1, 2, 3, 4, 1, 2),
                                                                   strict=True)}
}  # fmt: skip


def test_what_everybody_reads_does_not_depend_on_the_secrets() -> None:
    """DF-BET-2: two evenings that differ in secrets alone are told alike, byte for byte."""
    one = told_outside({
        "bid": bid(3, 5, wild=True), "wrong bid": bid(7, 5), "bet": "orange", "wrong bet": "pink"
    })  # fmt: skip
    two = told_outside({
        "bid": bid(6, 2), "wrong bid": bid(77, 5), "bet": "black", "wrong bet": "white"
    })  # fmt: skip
    assert one == two
    assert '"ok": true' in one[0]
    assert sum('"ok": false' in told for told in one) >= 5


def test_a_sentinel_in_a_secret_comes_out_with_the_reveal_and_not_before() -> None:
    """DF-BET-2: the very check can fail, as the reveal shows."""
    table = racing()
    table.card(lines=1)
    table.bets({1: "green", 2: "green", 3: "green"})
    before = json.dumps([table.state["players"], table.state["pending"]])
    assert '"bets": ["green"]' not in before
    table.bets({4: "green"})
    table.plays(0, end=True)
    assert '"bets": ["green"]' in json.dumps(table.state["players"])


def test_money_from_bets_is_told_with_the_reveal() -> None:
    """DF-BET-2: else it would tell the bets."""
    table = racing().passed(2)
    table.card(lines=1, finished=["red"])
    table.bets(dict.fromkeys((1, 2, 3, 4), "red"))
    one = table.player(1)
    assert (one["race"], one["bets_won"], one["total"]) == (12, None, None)
    assert table.state["classification"] == []
    table.plays(0, end=True)
    one = table.player(1)
    assert (one["race"], one["bets_won"], one["spent"], one["total"]) == (12, 3, 7, 8)


# -- the finish lies beyond the lines -----------------------------------------------------


def test_no_car_is_home_before_all_lines_are_crossed() -> None:
    """DF-BET-1, ruling: the refusal names the line that is missing."""
    table = racing()
    table.card(lines=1)
    table.bets(dict.fromkeys((1, 2, 3, 4), "red"))
    error = table.refused({"seat": 2, "played": {"lines": 1, "finished": ["blue"]}})
    assert (error["rule"], error["key"], error["args"]) == ("DF-BET-1", "line-first", {"line": 3})
    table.card(lines=2, finished=["blue"])
    assert table.state["cars"]["blue"]["place"] == 1


@pytest.mark.parametrize("rule", ["no-bets"])
def test_where_nobody_bets_nobody_need_have_told_of_the_lines(rule: str) -> None:
    """DF-BET-1"""
    table = racing(rule)
    table.card(finished=["blue"])
    assert table.state["cars"]["blue"]["place"] == 1


def test_why_a_seat_is_not_asked_has_a_sentence_and_a_rule_of_its_own() -> None:
    """DF-TURN-1, DF-TURN-2, DF-BET-1: and explain names the same."""
    table = racing().passed(2)
    table.card(lines=1, finished=["blue"])
    table.bets(dict.fromkeys((1, 2, 3, 4), "red"))
    wanted = [
        ({"seat": 1, "played": {}}, "DF-TURN-1", "other-turn"),
        ({"seat": 2, "played": {}}, "DF-TURN-2", "cars-home"),
        ({"seat": 2, "bet": "red"}, "DF-BET-1", "bet-made"),
        ({"seat": 1, "bid": bid(3)}, "DF-BID-1", "not-asked"),
    ]
    for line, rule, key in wanted:
        error = table.refused(line)
        assert (error["rule"], error["key"]) == (rule, key)
        assert table.engine.handle({"explain": line})["explain"]["rules"] == [rule]
    error = racing().refused({"seat": 1, "bet": "red"})
    assert (error["rule"], error["key"]) == ("DF-BET-1", "no-line-yet")
