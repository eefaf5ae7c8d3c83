"""DF-SETUP-1, DF-TURN-2, DF-BID-1: the cards that everybody has left, counted."""

from __future__ import annotations

from support.downforce.table import CARS, Table, header, named, racing
from support.each import in_one


def hands(table: Table) -> list[int]:
    return [player["hand"] for player in table.state["players"].values()]


@in_one(("players", "each"), [(2, 21), (3, 14), (4, 10), (5, 8), (6, 7)])
def test_42_cards_are_dealt_evenly_and_what_is_left_over_is_out(players: int, each: int) -> None:
    """DF-SETUP-1."""
    assert hands(Table(header(players))) == [each] * players


def test_the_8_of_a_car_goes_into_the_hand_of_who_has_won_it() -> None:
    """DF-BID-3: in `racing` seats 1 and 3 have two cars."""
    assert hands(racing()) == [12, 11, 12, 11]


def test_a_turn_takes_a_card_and_an_undo_gives_it_back() -> None:
    """DF-TURN-1."""
    table = racing()
    (event,) = named(table.card(), "CardPlayed")
    assert (event["hand"], hands(table)) == (11, [11, 11, 12, 11])
    table.says({"undo": 1})
    assert hands(table) == [12, 11, 12, 11]


def test_who_has_played_the_last_card_is_skipped_though_nobody_said_so() -> None:
    """DF-TURN-2."""
    table = racing()
    table.says({"correct": {"players": {"2": {"hand": 1}}}, "reason": "seen"})
    table.card()
    (event,) = named(table.card(), "CardPlayed")
    assert (event["out_of_cards"], table.player(2)["hand"]) == (True, 0)
    turns = []
    for _ in range(4):
        turns += table.asked("played")
        table.card()
    assert turns == [3, 4, 1, 3]


def test_a_last_card_that_is_told_is_believed_whatever_the_count() -> None:
    """DF-TURN-2."""
    table = racing()
    table.card(out=True)
    assert (table.player(1)["hand"], table.player(1)["out_of_cards"]) == (0, True)


def test_the_race_is_over_by_itself_once_all_hands_are_played() -> None:
    """DF-END-1: four hands of 11 and 12 are 46 cards, and there is no 47th."""
    table = racing()
    for _ in range(45):
        table.card()
    (event,) = named(table.card(), "RaceEnded")
    assert event["why"] == "nobody-plays"


def test_a_long_distance_is_asked_for_the_order_once_all_hands_are_played() -> None:
    """DF-VAR-3."""
    table = racing("long-distance", "no-bets")
    for _ in range(46):
        table.card()
    assert [(ask["seat"], ask["kind"]) for ask in table.asks] == [(0, "end")]


def test_two_players_count_their_piles_with_their_hands() -> None:
    """DF-VAR-2: 21 each, and the 8s that lie open."""
    table = Table(header(2, "two-players", "no-powers"))
    table.auction({car: (1 + n % 2, 1) for n, car in enumerate(CARS)})
    assert hands(table) == [24, 24]


def test_hands_of_three_are_filled_up_as_long_as_the_common_pile_lasts() -> None:
    """DF-VAR-1: 42 less three each; then hands run out."""
    table = racing("hands-of-three", "no-bets")
    assert (hands(table), table.state["pile"]) == ([5, 4, 5, 4], 30)
    for _ in range(30):
        table.card()
    assert (hands(table), table.state["pile"]) == ([5, 4, 5, 4], 0)
    table.card()
    assert (hands(table), table.state["pile"]) == ([5, 4, 4, 4], 0)


def test_each_race_of_a_championship_is_dealt_anew() -> None:
    """DF-VAR-4."""
    table = racing("championship", "no-bets")
    table.card(finished=CARS)
    assert hands(table) == [10, 10, 10, 10]


def test_a_position_without_hands_has_them_full() -> None:
    """DF-SETUP-1."""
    cars = {"red": {"owner": 2, "price": 1}, "blue": {"owner": 1, "price": 1}}
    table = Table(header(2, position={"cars": cars, "players": {"1": {"hand": 4}}}))
    assert hands(table) == [4, 22]


def test_nobody_has_more_cards_than_there_are() -> None:
    """DF-SETUP-1: ten of 42, and six 8s at most."""
    told = header(4, position={"players": {"1": {"hand": 17}}})
    error = Table().refused({"new": told})
    assert (error["key"], error["rule"]) == ("hand-differs", "DF-SETUP-1")


def test_an_8_is_a_bid_only_for_who_has_won_a_car() -> None:
    """DF-BID-1: at the first lot nobody can hold one."""
    table = Table()
    table.pole()
    table.lot("red")
    assert {ask["seat"]: 8 in ask["options"] for ask in table.asks} == dict.fromkeys((1, 2, 3, 4),
        False)  # fmt: skip
    error = table.refused({"seat": 1, "bid": {"amount": 8, "cars": 1, "wild": False}})
    assert (error["key"], error["rule"]) == ("no-such-bid", "DF-BID-1")
    table.bids({1: 2, 2: 0, 3: 0, 4: 0})
    table.lot("blue")
    assert [8 in ask["options"] for ask in table.asks] == [True, False, False, False]
    table.plays(1, bid={"amount": 8, "cars": 1, "wild": False})


def test_of_two_players_nobody_bids_an_8() -> None:
    """DF-VAR-2: theirs lie open."""
    table = Table(header(2, "two-players"))
    table.pole()
    table.sell("red", 1, 2)
    table.lot("blue")
    assert not any(8 in ask["options"] for ask in table.asks)
