"""The referee of Downforce: players leave and come back, and the game is ended."""

from __future__ import annotations

from typing import Any

import pytest
from support.downforce.table import CARS, Table, bid, header, named, racing
from support.each import in_one

# -- retire and return --------------------------------------------------------------------


def retire(seat: int) -> dict[str, Any]:
    return {"seat": seat, "retire": True, "reason": "the last train"}


def test_who_leaves_plays_no_more_and_the_cars_race_on() -> None:
    table = racing().passed()
    (event, *_) = table.says(retire(1))
    assert (event["event"], event["seat"], event["reason"]) == ("Retired", 1, "the last train")
    assert (table.player(1)["left"], table.asked("played")) == (True, [2])
    table.card(finished=["red"])
    assert table.player(1)["race"] == 12
    for _ in range(2):
        table.card()
    assert table.asked("played") == [2]
    table.plays(0, end=True)
    assert {row["seat"]: row["status"] for row in table.state["classification"]}[1] == "out"


def test_who_leaves_bets_no_more_and_that_is_no_secret() -> None:
    """DF-BET-1: the bets made until then count."""
    table = racing()
    table.card(lines=1)
    table.bets(dict.fromkeys((1, 2, 3, 4), "red"))
    table.card(lines=1)
    events = table.says(retire(4))
    assert named(events, "BetMissed")[0]["number"] == 2
    assert table.asked("bet") == [1, 2, 3]
    table.bets(dict.fromkeys((1, 2, 3), "red"))
    table.card(lines=1)
    table.bets(dict.fromkeys((1, 2, 3), "red"))
    assert table.player(4)["bets"] == [None, "none", "none"]
    table.card(finished=["red"])
    table.plays(0, end=True)
    assert table.player(4)["bets"] == ["red", "none", "none"]
    assert (table.player(4)["bets_won"], table.player(1)["bets_won"]) == (9, 18)


def test_who_leaves_during_the_bids_bids_no_more() -> None:
    """DF-BID-1: the lot is decided among those who stay."""
    table = Table()
    table.pole()
    table.lot("red")
    table.bids({1: 6, 2: 3, 3: 2})
    table.says(retire(1))
    assert table.asked("bid") == [4]
    table.plays(4, bid=bid(1))
    assert table.owner("red") == 2


def test_the_last_open_bid_falls_away_with_its_player() -> None:
    table = Table()
    table.pole()
    table.lot("red")
    table.bids({1: 6, 2: 3, 3: 2})
    table.says(retire(4))
    assert table.owner("red") == 1


def test_a_tie_is_over_when_all_but_one_have_left() -> None:
    """DF-BID-2."""
    table = Table()
    table.pole()
    table.lot("red")
    table.bids(dict.fromkeys((1, 2), 5) | dict.fromkeys((3, 4), 0))
    table.says(retire(1))
    assert table.owner("red") == 2


def test_who_has_left_is_not_at_the_table_in_the_next_race_either() -> None:
    """DF-VAR-4."""
    table = racing("championship", "no-bets")
    table.says(retire(3))
    table.card(finished=CARS)
    assert (table.state["leg"], table.state["phase"]) == (2, "auction")
    table.pole()
    table.lot("red")
    assert table.asked("bid") == [1, 2, 4]


def test_who_has_left_needs_no_car() -> None:
    """DF-BID-4."""
    table = Table(header(3))
    table.pole()
    for car in CARS[:4]:
        table.sell(car, 1)
    table.says(retire(3))
    table.lot("orange")
    assert table.asked("bid") == [1, 2]


def test_who_leaves_keeps_no_power_until_back() -> None:
    """DF-BID-6."""
    table = Table(header(2))
    table.pole()
    for number, car in enumerate(CARS):
        table.sell(car, 1 + number % 2)
    table.says(retire(1))
    table.plays(2, keep=table.ask("keep")["options"][0])
    assert table.asked("played") == [2]
    table.says({"seat": 1, "return": True})
    assert table.asked("keep") == [1]
    table.plays(1, keep=table.ask("keep")["options"][0])
    assert table.asked("played") == [2]
    table.card()
    assert table.asked("played") == [1]


def test_who_returns_plays_and_bets_again() -> None:
    table = racing()
    table.says(retire(2))
    table.card(lines=1)
    table.says({"seat": 2, "return": True})
    assert table.asked("bet") == [1, 3, 4]
    table.bets(dict.fromkeys((1, 3, 4), "red"))
    assert table.asked("played") == [2]
    table.card(lines=1)
    assert table.asked("bet") == [1, 2, 3, 4]
    assert table.player(2)["bets"] == ["none"]


def test_the_race_ends_when_all_have_left() -> None:
    table = racing()
    for seat in (1, 2, 3):
        table.says(retire(seat))
    events = table.says(retire(4))
    assert named(events, "RaceEnded")[0]["why"] == "stopped"
    assert table.state["phase"] == "finished"


@pytest.mark.parametrize(
    "line",
    [
        {"seat": 1, "return": True},
        {"seat": 9, "retire": True},
        {"seat": 0, "retire": True},
    ],
)
def test_only_who_plays_can_leave_and_only_who_left_can_return(line: dict[str, Any]) -> None:
    assert racing().refused(line)["code"] == "illegal"


def test_who_has_left_cannot_leave_again() -> None:
    table = racing()
    table.says(retire(1))
    assert table.refused(retire(1))["code"] == "illegal"


@in_one(
    "line",
    [
        {"retire": True},
        {"seat": 1, "retire": 1},
        {"seat": 1, "retire": True, "reason": 5},
        {"seat": 1, "retire": True, "why": "x"},
        {"end": [*CARS]},
        {"end": True, "reason": "x"},
        {"correct": {"turn": 2}, "seat": 1},
    ],
)
def test_a_line_of_another_form_is_malformed(line: dict[str, Any]) -> None:
    assert racing().refused(line)["code"] == "malformed"


# -- end ----------------------------------------------------------------------------------


def test_the_referee_ends_at_once_and_what_is_earned_counts() -> None:
    table = racing("championship").passed(2)
    table.card(finished=["red"], lines=1)
    table.plays(1, bet="red")
    events = table.says({"end": True})
    assert named(events, "RaceEnded")[0]["why"] == "stopped"
    assert (table.state["phase"], table.asks) == ("finished", [])
    assert table.player(1)["total"] == 12 + 3 - 7
    for line in ({"end": True}, retire(1), {"seat": 1, "return": True}):
        assert table.refused(line)["code"] == "illegal"
