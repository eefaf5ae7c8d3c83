"""The referee of Downforce: undo and correct."""

from __future__ import annotations

from typing import Any

from support.downforce.table import CARS, Table, bid, named, racing
from support.each import in_one


def correct(part: Any) -> dict[str, Any]:
    return {"correct": part, "reason": "the table saw it"}


# -- undo ---------------------------------------------------------------------------------


def test_undo_brings_back_a_bid_that_was_turned_up() -> None:
    table = Table()
    table.pole()
    table.lot("red")
    table.bids({1: 3, 2: 4, 3: 1})
    before = (table.state, table.asks, table.engine.moment)
    table.plays(4, bid=bid(2))
    table.says({"undo": 1})
    assert (table.state, table.asks, table.engine.moment) == before
    table.plays(4, bid=bid(6))
    assert table.state["cars"]["red"] == {"owner": 4, "price": 6, "place": None}


def test_undo_hides_bets_that_were_revealed() -> None:
    """DF-BET-2."""
    table = racing()
    table.card(lines=1)
    table.bets(dict.fromkeys((1, 2, 3, 4), "red"))
    table.plays(0, end=True)
    assert table.player(1)["bets"] == ["red"]
    table.says({"undo": 1})
    assert table.player(1)["bets"] == [None]


# -- correct ------------------------------------------------------------------------------


def test_a_correction_changes_what_it_names_and_what_follows_from_it() -> None:
    table = racing()
    (event,) = table.says(correct({"cars": {"red": {"price": 3}}}))
    assert event == {"event": "Corrected", "seat": 0, "rule": None, "reason": "the table saw it"}
    assert (table.player(1)["spent"], table.player(2)["spent"]) == (4, 2)


def test_a_correction_gives_a_car_to_another_player() -> None:
    table = racing()
    table.says(correct({"cars": {"red": {"owner": 2}}}))
    assert (table.player(1)["cars"], table.player(2)["cars"]) == (["black"], ["blue", "red"])


def test_a_correction_keeps_bids_and_bets_that_are_secret() -> None:
    """DF-BET-2: what is null in STATE stays what it was."""
    table = Table()
    table.pole()
    table.lot("red")
    table.plays(1, bid=bid(6))
    table.says(correct({"grid": CARS[::-1]}))
    table.bids({2: 0, 3: 0, 4: 0})
    assert table.state["cars"]["red"]["price"] == 6
    table = racing()
    table.card(lines=1)
    table.bets({1: "red", 2: "blue"})
    table.says(correct({"cars": {"red": {"price": 1}}}))
    table.bets({3: "red", 4: "red"})
    table.plays(0, end=True)
    assert [table.player(seat)["bets"] for seat in (1, 2)] == [["red"], ["blue"]]


def test_a_bet_noted_wrongly_is_corrected_and_stays_secret() -> None:
    """DF-BET-2: the line tells it, STATE and events do not."""
    table = racing()
    table.card(lines=1)
    table.bets(dict.fromkeys((1, 2, 3, 4), "red"))
    events = table.says(correct({"players": {"1": {"bets": ["orange"]}}}))
    assert table.player(1)["bets"] == [None]
    assert "orange" not in str(events)
    table.plays(0, end=True)
    assert table.player(1)["bets"] == ["orange"]


def test_the_turn_is_corrected() -> None:
    table = racing()
    table.says(correct({"turn": 3}))
    assert table.asked("played") == [3]


def test_who_has_cards_again_plays_again() -> None:
    table = racing()
    table.card(out=True)
    table.says(correct({"players": {"1": {"out_of_cards": False}}}))
    for _ in range(3):
        table.card()
    assert table.asked("played") == [1]


def test_a_correction_that_takes_the_last_car_home_ends_the_race() -> None:
    """DF-END-1."""
    table = racing()
    part = {car: {"place": place} for place, car in enumerate(CARS, 1)}
    events = table.says(correct({"cars": part}))
    assert named(events, "RaceEnded")[0]["why"] == "all-finished"


@in_one(
    "part",
    [
        None,
        {},
        5,
        {"ludo": 1},
        {"phase": "setup"},
        {"cars": {"white": {}}},
        {"cars": []},
        {"cars": {"red": 5}},
        {"cars": {"red": {"owner": 9}}},
        {"cars": {"red": {"owner": True}}},
        {"cars": {"red": {"owner": None}}},
        {"cars": {"red": {"price": -1}}},
        {"cars": {"red": {"price": 9}}},
        {"cars": {"red": {"place": 2}}},
        {"cars": {"red": {"place": 1}, "blue": {"place": 1}}},
        {"cars": {"red": {"speed": 8}}},
        {"turn": 9},
        {"lines": 4},
        {"lines": 1, "players": {"1": {"bets": ["red", "red"]}}},
        {"grid": CARS[:5]},
        {"grid": None},
        {"lots": None},
        {"lots": [{"car": "red", "power": "sly"}] * 2},
        {"lots": [5]},
        {"aside": [{"car": "red", "power": None}]},
        {"leg": 2},
        {"players": []},
        {"players": {"9": {}}},
        {"players": {"1": 5}},
        {"players": {"1": {"power": "fast"}}},
        {"players": {"1": {"powers": "sly"}}},
        {"players": {"1": {"powers": ["sly", "sly"]}}},
        {"players": {"1": {"bets": "red"}}},
        {"players": {"1": {"bets": ["white"]}}},
        {"players": {"1": {"bets": [["red"]]}}},
        {"players": {"1": {"total": 5}}},
        {"players": {"1": {"cars": ["green"]}}},
        {"players": {"1": {"left": 1}}},
        {"players": {"1": {"legs": 5}}},
        {"classification": [{"place": 1}]},
        {"pending": "play"},
        {"pending": [{"step": "dance"}]},
        {"pending": [{"step": "play", "seat": 3}]},
        {"pending": [{"step": "play", "seat": 9}]},
        {"pending": [{"step": "play"}]},
        {"pending": [{"step": "lot"}]},
        {"pending": [{"step": "order"}]},
        {"pending": [{"step": "keep", "seats": [2]}]},
        {"pending": [{"step": "bets", "seats": [1], "number": 1, "again": False}]},
        {"pending": [{"step": "count", "why": "rain"}]},
        {
            "lines": 1,
            "players": {"2": {"left": True}},
            "pending": [{"step": "bets", "seats": [2], "number": 1, "again": False}],
        },
    ],
)
def test_a_correction_that_contradicts_itself_is_malformed(part: Any) -> None:
    error = racing().refused(correct(part))
    assert error["code"] == "malformed"


@in_one(
    "step",
    [
        {"step": "bids", "car": "blue", "power": None, "seats": [1], "bids": {}, "again": False},
        {"step": "bids", "car": "red", "power": "aggressive", "seats": [1], "bids": {"1": None},
         "again": False},
        {"step": "bids", "car": "red", "power": "aggressive", "seats": [1], "bids": {"2": 5},
         "again": False},
        {"step": "bids", "car": "red", "power": "aggressive", "seats": [1], "bids": {"9": None},
         "again": False},
        {"step": "bids", "car": "red", "power": "aggressive", "seats": [1], "bids": [],
         "again": False},
        {"step": "bids", "car": "red", "power": "aggressive", "seats": [1, 1], "bids": {},
         "again": False},
        {"step": "bids", "car": "red", "power": "aggressive", "seats": [1], "bids": {}, "again": 0},
        {"step": "award", "car": "red", "power": "aggressive", "seats": [], "number": 3},
        {"step": "award", "car": "red", "power": "aggressive", "seats": [1, 2], "number": 7},
        {"step": "play", "seat": 1},
        {"step": "pole"},
    ],
)  # fmt: skip
def test_an_open_step_that_the_auction_contradicts_is_malformed(step: Any) -> None:
    table = Table()
    table.pole()
    table.lot("red", "aggressive")
    assert table.refused(correct({"pending": [step]}))["code"] == "malformed"
