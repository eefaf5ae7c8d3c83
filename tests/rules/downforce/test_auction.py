"""DF-BID-1 to DF-BID-6: the auction."""

from __future__ import annotations

from typing import Any

import pytest
from support.downforce.table import Table, bid, header, named
from support.each import in_one


def opened(players: int = 4, *rules: str) -> Table:
    """The grid is told and green is up."""
    table = Table(header(players, *rules))
    table.pole()
    table.lot("green", "cunning")
    return table


# -- DF-BID-1 -----------------------------------------------------------------------------


def test_every_player_bids_in_any_order() -> None:
    """DF-BID-1: for each lot every player plays one card."""
    table = opened()
    assert table.asked("bid") == [1, 2, 3, 4]
    table.plays(3, bid=bid(2))
    assert table.asked("bid") == [1, 2, 4]
    assert table.why(3, bid=bid(3)) == ("illegal", "DF-BID-1")


def test_a_bid_is_a_number_of_a_card_with_its_cars_and_whether_it_bears_a_wild() -> None:
    """DF-BID-1: a line of 1 to 6, a speed-8 card, or a card without the color: 0."""
    assert opened().ask("bid")["options"] == [0, 1, 2, 3, 4, 5, 6]
    for amount in (0, 1, 6):
        opened().plays(1, bid=bid(amount, cars=1, wild=True))


def test_a_card_without_the_color_bids_0_and_need_say_no_more() -> None:
    """DF-BID-1."""
    opened().plays(1, bid={"amount": 0})


@pytest.mark.parametrize("amount", [-1, 7, 9])
def test_no_card_bids_another_number(amount: int) -> None:
    """DF-BID-1."""
    assert opened().why(1, bid=bid(amount)) == ("illegal", "DF-BID-1")


@pytest.mark.parametrize("cars", [0, 7])
def test_a_card_shows_one_to_six_cars(cars: int) -> None:
    """DF-BID-2."""
    assert opened().why(1, bid=bid(3, cars)) == ("illegal", "DF-BID-2")


@in_one(
    "value", [None, 6, [6, 4, False], {}, {"amount": 6}, {"amount": 6, "cars": 4},
              {"amount": "6", "cars": 4, "wild": False}, {"amount": 6, "cars": True, "wild": False},
              {"amount": 6, "cars": 4, "wild": 0}, {"amount": 6, "cars": 4, "wild": False, "x": 1},
              {"amount": 6.0, "cars": 4, "wild": False}]
)  # fmt: skip
def test_a_bid_of_another_form_is_malformed(value: Any) -> None:
    assert opened().why(1, bid=value)[0] == "malformed"


# -- DF-BID-2 and DF-BID-3 ----------------------------------------------------------------


def test_of_bids_0_6_4_6_the_six_with_more_cars_wins_and_pays_six() -> None:
    """DF-BID-1: the worked example; players 2 and 4 tie, the card of 2 has more cars."""
    table = opened()
    events = table.bids({1: bid(0), 2: bid(6, 5), 3: bid(4), 4: bid(6, 4)})
    sold = named(events, "CarSold")[0]
    assert (sold["seat"], sold["car"], sold["power"], sold["price"]) == (2, "green", "cunning", 6)
    assert table.state["cars"]["green"] == {"owner": 2, "price": 6, "place": None}


def test_the_winner_has_price_car_and_power() -> None:
    """DF-BID-3."""
    table = opened()
    table.bids({1: 3, 2: 0, 3: 5, 4: 4})
    three = table.player(3)
    assert (three["cars"], three["power"], three["spent"]) == (["green"], "cunning", 5)
    assert table.player(1)["spent"] == 0


def test_the_highest_bid_wins_whatever_its_card_shows() -> None:
    """DF-BID-2."""
    table = opened()
    table.bids({1: bid(5, 6), 2: bid(6, 1, wild=True), 3: bid(5, 6), 4: bid(0)})
    assert table.owner("green") == 2


def test_of_equal_bids_with_equal_cars_the_card_without_a_wild_wins() -> None:
    """DF-BID-2."""
    table = opened()
    table.bids({1: bid(5, 4, wild=True), 2: bid(5, 4), 3: bid(5, 3), 4: bid(0)})
    assert table.owner("green") == 2


def test_more_cars_count_before_the_wild() -> None:
    """DF-BID-2."""
    table = opened()
    table.bids({1: bid(5, 5, wild=True), 2: bid(5, 4), 3: bid(0), 4: bid(0)})
    assert table.owner("green") == 1


def test_where_all_is_equal_the_table_decides_among_those_who_tie() -> None:
    """DF-BID-2, ruling: any chance device; who won is entered."""
    table = opened()
    events = table.bids({1: 5, 2: 0, 3: bid(5, 3), 4: 5})
    assert named(events, "LotTied")[0]["seats"] == [1, 4]
    assert table.asks == [
        {"seat": 0, "kind": "award", "options": [1, 4], "car": "green", "power": "cunning",
         "price": 5}
    ]  # fmt: skip
    assert table.why(0, award=3) == ("illegal", "DF-BID-2")
    assert table.why(0, award=None) == ("illegal", "DF-BID-2")
    assert table.why(0, award="4")[0] == "malformed"
    assert table.why(0, award=True)[0] == "malformed"
    table.plays(0, award=4)
    assert table.state["cars"]["green"] == {"owner": 4, "price": 5, "place": None}


def test_a_player_may_win_several_cars() -> None:
    """DF-BID-3, DF-PAY-4: prices add up."""
    table = opened()
    table.bids({1: 4, 2: 0, 3: 0, 4: 0})
    table.sell("yellow", 1, 5)
    assert (table.player(1)["cars"], table.player(1)["spent"]) == (["green", "yellow"], 9)


# -- DF-BID-4 -----------------------------------------------------------------------------


def test_with_as_many_lots_left_as_players_without_a_car_only_those_bid() -> None:
    """DF-BID-4: four players, one has three cars; three lots are left for the other three."""
    table = Table()
    table.pole()
    for car in ("black", "blue", "green"):
        table.lot(car)
        assert table.asked("bid") == [1, 2, 3, 4]
        table.bids({1: 1, 2: 0, 3: 0, 4: 0})
    table.lot("red")
    assert table.asked("bid") == [2, 3, 4]


def test_with_more_lots_left_everybody_bids() -> None:
    """DF-BID-4: two lots, one player without a car."""
    table = Table(header(3))
    table.pole()
    for car, seat in (("black", 1), ("blue", 2), ("green", 1), ("red", 2)):
        table.sell(car, seat)
    table.lot("yellow")
    assert table.asked("bid") == [1, 2, 3]


def test_the_last_player_takes_the_last_lot_at_the_lowest_number_in_hand() -> None:
    """DF-BID-4: alone, and not for 0."""
    table = Table(header(2))
    table.pole()
    for car in ("black", "blue", "green", "yellow", "orange"):
        table.sell(car, 1)
    table.lot("red")
    assert table.asked("bid") == [2]
    ask = table.ask("bid")
    assert (ask["forced"], ask["options"]) == (True, [1, 2, 3, 4, 5, 6])
    assert table.why(2, bid={"amount": 0}) == ("illegal", "DF-BID-4")
    events = table.plays(2, bid=bid(2))
    assert named(events, "CarSold")[0]["rule"] == "DF-BID-4"
    assert table.state["cars"]["red"] == {"owner": 2, "price": 2, "place": None}


def test_six_players_bid_until_one_is_left_who_takes_the_last_car() -> None:
    """DF-BID-4: with six, only those without a car bid from the first lot on."""
    table = Table(header(6))
    table.pole()
    for seat, car in enumerate(("black", "blue", "green", "yellow", "orange"), 1):
        table.lot(car)
        assert table.asked("bid") == list(range(seat, 7))
        table.bids({other: 1 if other == seat else 0 for other in range(seat, 7)})
    table.lot("red")
    assert table.ask("bid")["forced"]


def test_lots_set_aside_do_not_count_as_left() -> None:
    """DF-BID-4: two aside, one on the table, and one player without a car: it must be taken."""
    table = Table(header(2))
    table.pole()
    for car in ("black", "blue"):
        table.sell(car, 1, 0)
    for car in ("green", "yellow", "orange"):
        table.sell(car, 1)
    table.lot("red")
    assert (table.asked("bid"), table.ask("bid")["forced"]) == ([2], True)


# -- DF-BID-5 -----------------------------------------------------------------------------


def test_a_lot_that_nobody_bids_on_is_set_aside() -> None:
    """DF-BID-5."""
    table = opened()
    events = table.bids(dict.fromkeys((1, 2, 3, 4), 0))
    assert named(events, "LotSetAside")[0]["car"] == "green"
    assert table.state["aside"] == [{"car": "green", "power": "cunning"}]
    assert table.owner("green") is None
    assert "green" not in {option["car"] for option in table.ask("lot")["options"]}


def aside(players: int, cars: int) -> Table:
    """So many lots are set aside, the rest sold to seat 1 and others; seat `players` has none."""
    table = Table(header(players))
    table.pole()
    names = ["black", "blue", "green", "yellow", "orange", "red"]
    for car in names[:cars]:
        table.lot(car)
        table.bids(dict.fromkeys(table.asked("bid"), 0))
    for seat, car in enumerate(names[cars:], 1):
        table.sell(car, min(seat, players - 1))
    return table


def test_after_the_auction_players_without_a_car_bid_on_what_was_set_aside() -> None:
    """DF-BID-5: five lots set aside, the last one sold to seat 1 of three."""
    table = aside(3, 5)
    ask = table.ask("bid")
    assert (table.asked("bid"), ask["car"], ask["again"]) == ([2, 3], "black", True)
    table.bids({2: 3, 3: 1})
    assert (table.owner("black"), table.player(2)["spent"]) == (2, 3)
    assert table.asked("bid") == [3]


def test_a_lot_set_aside_twice_belongs_to_nobody_and_races() -> None:
    """DF-BID-5."""
    table = aside(3, 5)
    events = table.bids({2: 0, 3: 0})
    assert named(events, "CarUnsold")[0]["car"] == "black"
    table.bids({2: 1, 3: 0})
    table.bids({3: 1})
    assert table.state["phase"] == "race"
    assert table.state["cars"]["black"] == {"owner": None, "price": None, "place": None}
    table.card(lines=3, finished=["black"])
    assert table.state["cars"]["black"]["place"] == 1


def test_what_was_set_aside_stays_nobodys_where_everybody_has_a_car() -> None:
    """DF-BID-5: only players without a car bid on it."""
    table = Table(header(2))
    table.pole()
    table.sell("black", 1, 0)
    for seat, car in enumerate(("blue", "green", "yellow", "orange", "red")):
        table.sell(car, 1 + seat % 2)
    assert table.state["aside"] == []
    assert table.owner("black") is None
    assert table.asked("bid") == []


def test_a_lot_is_not_set_aside_twice_where_every_one_is_needed() -> None:
    """DF-BID-4, ruling: two lots back for two players: bids of 0 are compared like others."""
    table = Table(header(6))
    table.pole()
    for car in ("black", "blue"):
        table.lot(car)
        table.bids(dict.fromkeys(table.asked("bid"), 0))
    for seat, car in enumerate(("green", "yellow", "orange", "red"), 1):
        table.sell(car, seat)
    assert table.asked("bid") == [5, 6]
    table.bids({5: bid(0, 3), 6: bid(0, 2)})
    assert table.state["cars"]["black"] == {"owner": 5, "price": 0, "place": None}
    assert table.ask("bid")["forced"]
    table.bids({6: 2})
    assert table.owner("blue") == 6


# -- DF-BID-6 and DF-POWER-1 --------------------------------------------------------------


def test_each_owner_of_several_powers_keeps_one() -> None:
    """DF-BID-6, DF-POWER-1: it holds for all that player's cars."""
    table = Table(header(3))
    table.pole()
    for car, seat in (("black", 1), ("blue", 1), ("green", 2), ("red", 2), ("orange", 3)):
        table.sell(car, seat)
    table.sell("yellow", 1)
    assert (table.state["phase"], table.asked("keep")) == ("powers", [1, 2])
    assert table.player(3)["power"] == "sly"
    won = table.player(1)["powers"]
    assert (len(won), table.player(1)["power"]) == (3, None)
    assert table.why(1, keep="sly") == ("illegal", "DF-BID-6")
    assert table.why(1, keep="fast")[0] == "malformed"
    assert table.why(1, keep=None)[0] == "malformed"
    table.plays(2, keep=table.player(2)["powers"][1])
    events = table.plays(1, keep=won[2])
    assert (table.player(1)["power"], table.state["phase"]) == (won[2], "race")
    assert named(events, "PowerKept")[0]["power"] == won[2]
    assert "powers" not in table.player(1)


def test_who_has_one_power_is_not_asked() -> None:
    """DF-BID-6: with six players nobody is."""
    table = Table(header(6))
    table.auction({car: (seat, 1) for seat, car in enumerate(
        ("black", "blue", "green", "yellow", "orange", "red"), 1)})  # fmt: skip
    assert table.state["phase"] == "race"
    assert all(player["power"] for player in table.state["players"].values())
