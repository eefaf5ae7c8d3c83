"""DF-VAR-1 to DF-VAR-4."""

from __future__ import annotations

import pytest
from support.downforce.table import CARS, POWERS, NoShelf, Table, header, named, racing
from support.each import in_one

from companion.race.engine import Engine

# -- DF-VAR-1 -----------------------------------------------------------------------------


def dealt(players: int, *rules: str) -> Table:
    """A beginners' table with all cars dealt round; what is left over is nobody's."""
    table = Table(header(players, "beginners", *rules))
    table.pole()
    for car in CARS:
        table.plays(0, lot={"car": car, "power": None})
        table.plays(0, award=table.ask("award")["options"][0])
    return table


@in_one(("players", "each"), [(2, 3), (3, 2), (4, 1), (5, 1), (6, 1)])
def test_beginners_are_dealt_cars_evenly_and_the_rest_is_nobodys(players: int, each: int) -> None:
    """DF-VAR-1: no auction, nothing paid."""
    table = dealt(players)
    assert table.state["phase"] == "race"
    for player in table.state["players"].values():
        assert (len(player["cars"]), player["spent"]) == (each, 0)
    nobodys = [car for car in table.state["cars"].values() if car["owner"] is None]
    assert len(nobodys) == 6 - players * each


def test_a_dealt_lot_is_followed_by_who_has_it_without_bids() -> None:
    """DF-VAR-1."""
    table = Table(header(4, "beginners"))
    table.pole()
    table.plays(0, lot={"car": "red", "power": "sly"})
    assert table.ask("award")["options"] == [1, 2, 3, 4, None]
    (event,) = named(table.plays(0, award=3), "CarDealt")
    assert (event["seat"], event["rule"]) == (3, "DF-VAR-1")
    assert (table.player(3)["cars"], table.player(3)["power"]) == (["red"], "sly")
    assert table.state["cars"]["red"]["price"] == 0


def test_nobody_is_dealt_more_cars_than_the_others_and_no_more_are_left_over_than_must() -> None:
    """DF-VAR-1."""
    table = Table(header(4, "beginners"))
    table.pole()
    table.lot("red")
    table.plays(0, award=3)
    table.lot("blue")
    assert table.why(0, award=3) == ("illegal", "DF-VAR-1")
    table.plays(0, award=None)
    table.lot("green")
    table.plays(0, award=None)
    table.lot("black")
    assert table.why(0, award=None) == ("illegal", "DF-VAR-1")


def test_beginners_race_until_the_first_car_is_home() -> None:
    """DF-VAR-1: its owner has won, whatever the bets earned."""
    table = dealt(3)
    table.passed(2).card(lines=1)
    table.bets({1: "red", 2: "red", 3: "red"})
    events = table.card(finished=["black"])
    assert named(events, "RaceEnded")[0]["why"] == "first-home"
    assert table.state["classification"][0]["seat"] == table.owner("black")


def test_a_car_that_is_nobodys_does_not_win_a_beginners_race() -> None:
    """DF-VAR-1, ruling: the race goes on until an owned car is home."""
    table = dealt(4).passed()
    assert table.owner("red") is None
    table.card(finished=["red"])
    assert table.state["phase"] == "race"
    table.card(finished=["green"])
    assert table.state["classification"][0]["seat"] == table.owner("green")


def test_without_powers_no_lot_has_one() -> None:
    """DF-VAR-1."""
    table = Table(header(4, "no-powers"))
    table.pole()
    assert {option["power"] for option in table.ask("lot")["options"]} == {None}
    assert table.why(0, lot={"car": "red", "power": "sly"}) == ("illegal", "DF-VAR-1")
    table.plays(0, lot={"car": "red"})
    table.bids({1: 3, 2: 0, 3: 0, 4: 0})
    assert table.player(1)["power"] is None


def test_without_powers_nothing_is_kept() -> None:
    """DF-VAR-1."""
    assert racing("no-powers").asked("played") == [1]


def test_without_bets_a_line_asks_for_none() -> None:
    """DF-VAR-1."""
    table = racing("no-bets")
    table.card(lines=3)
    assert (table.asked("bet"), table.asked("played")) == ([], [2])
    events = table.card(finished=CARS)
    assert named(events, "BetsRevealed") == []
    one = table.player(1)
    assert (one["bets"], one["bets_won"], one["total"]) == ([], 0, 12 + 0 - 7)


# -- DF-VAR-2 -----------------------------------------------------------------------------


def test_the_game_for_two_is_for_two() -> None:
    """DF-VAR-2."""
    reply = Engine(NoShelf()).handle({"new": header(3, "two-players")})
    error = reply["error"]
    assert (error["code"], error["rule"]) == ("malformed", "DF-VAR-2")
    Table(header(2, "two-players"))


def test_two_seats_may_play_the_game_for_more() -> None:
    """DF-VAR-2."""
    table = Table(header(2))
    table.pole()
    assert None not in {option["power"] for option in table.ask("lot")["options"]}


def test_of_two_players_lots_one_has_no_power() -> None:
    """DF-VAR-2: five powers for six lots."""
    table = Table(header(2, "two-players"))
    table.pole()
    table.plays(0, lot={"car": "red", "power": None})
    table.bids({1: 2, 2: 1})
    assert table.player(1)["power"] is None
    assert table.why(0, lot={"car": "blue", "power": None}) == ("illegal", "DF-VAR-2")
    for car, power in zip(CARS[:5], POWERS[1:], strict=True):
        table.plays(0, lot={"car": car, "power": power})
        table.bids(dict.fromkeys(table.asked("bid"), 3) | {2: 4})
    assert table.player(2)["cars"] == CARS[:5]


def test_two_players_play_turn_about() -> None:
    """DF-VAR-2: an open speed-8 card is a card like another, the piles are the table's."""
    table = Table(header(2, "two-players"))
    table.auction({car: (1 + number % 2, 1) for number, car in enumerate(CARS)})
    turns = []
    for _ in range(4):
        turns.append(table.state["turn"])
        table.card()
    assert turns == [1, 2, 1, 2]


# -- DF-VAR-3 -----------------------------------------------------------------------------

FAR = ["green", "red", "black", "yellow", "orange", "blue"]


def test_a_long_distance_race_has_no_finish_line() -> None:
    """DF-VAR-3."""
    table = racing("long-distance")
    assert table.ask("played")["options"] == []
    assert table.why(1, played={"finished": ["red"]}) == ("illegal", "DF-VAR-3")


def test_a_long_distance_race_runs_until_all_cards_are_played() -> None:
    """DF-VAR-3: then the table says how far the cars have come."""
    table = racing("long-distance")
    for _ in range(4):
        table.card(out=True)
    assert table.asks == [{"seat": 0, "kind": "end", "options": CARS}]
    events = table.plays(0, end=FAR)
    assert named(events, "RaceEnded")[0]["why"] == "distance"
    assert table.state["cars"]["green"]["place"] == 1
    assert table.player(3)["race"] == 12 + 4


def test_a_long_distance_race_may_be_ended_by_the_order_at_any_time() -> None:
    """DF-VAR-3."""
    table = racing("long-distance")
    table.card(lines=1)
    table.plays(0, end=FAR)
    table.bets(dict.fromkeys((1, 2, 3, 4), "green"))
    assert table.state["phase"] == "finished"
    assert table.player(2)["bets_won"] == 9


@in_one("value", [True, None, [], FAR[:5], [*FAR[:5], "red"]])
def test_a_long_distance_race_ends_with_the_order_of_all_six(value: object) -> None:
    """DF-VAR-3."""
    assert racing("long-distance").why(0, end=value)[0] == "malformed"


# -- DF-VAR-4 -----------------------------------------------------------------------------


def test_a_championship_is_two_races_whose_totals_add_up() -> None:
    """DF-VAR-4."""
    table = racing("championship").passed(2)
    assert table.state["leg"] == 1
    table.card(lines=1)
    table.bets(dict.fromkeys((1, 2, 3, 4), "red"))
    events = table.card(finished=["red", *CARS[:5]])
    assert [e["event"] for e in events if e["event"] != "CarFinished"][-3:] == [
        "BetsRevealed", "RaceEnded", "NextRaceSet"
    ]  # fmt: skip
    first = table.player(1)["legs"]
    assert first == [{"bets": ["none", "none", "red"], "race": 21, "bets_won": 3, "spent": 7,
                      "total": 17, "best": 1}]  # fmt: skip
    assert (table.state["phase"], table.state["leg"], table.asked("pole")) == ("auction", 2, [0])
    assert (table.player(1)["cars"], table.player(1)["power"]) == ([], None)
    table.auction({"black": (1, 1), "blue": (2, 2), "green": (3, 4), "yellow": (3, 5),
                   "orange": (4, 3), "red": (1, 6)})  # fmt: skip
    table.passed().card(finished=CARS)
    one = table.player(1)
    assert (one["race"], one["bets_won"], one["spent"]) == (21 + 12, 3, 14)
    assert one["total"] == 33 + 3 - 14
    assert table.state["phase"] == "finished"
    assert {row["seat"]: row["points"] for row in table.state["classification"]}[1] == 22


def test_of_equal_championship_totals_the_better_car_of_the_last_race_wins() -> None:
    """DF-VAR-4, DF-PAY-3, ruling."""
    leg = {"race": 12, "bets_won": 0, "spent": 0, "best": 1}
    players = {"1": {"legs": [leg]}, "2": {"legs": [{**leg, "race": 9, "best": 2}]}}
    cars = {"red": {"owner": 1, "price": 0}, "blue": {"owner": 2, "price": 0}}
    told = {"leg": 2, "players": players, "cars": cars}
    table = Table(header(2, "championship", "no-bets", position=told))
    table.card(finished=["blue", "red"])
    assert [table.player(seat)["total"] for seat in (1, 2)] == [21, 21]
    assert [row["seat"] for row in table.state["classification"]] == [2, 1]


def test_a_race_that_is_no_championship_has_no_leg() -> None:
    """DF-VAR-4."""
    assert "leg" not in racing().state


def test_variants_go_together() -> None:
    """DF-VAR-1 to DF-VAR-4: all at once."""
    table = dealt(2, "no-powers", "no-bets", "two-players", "championship")
    table.card(finished=["black"])
    assert table.state["leg"] == 2


# -- the parts of the beginners' game -----------------------------------------------------


def test_beginners_are_cars_dealt_hands_of_three_and_the_first_car_that_wins() -> None:
    """DF-VAR-1: the three together play as the one word for them."""
    parts = Table(header(4, "dealt", "hands-of-three", "first-wins"))
    word = Table(header(4, "beginners"))
    assert (parts.state, parts.asks) == (word.state, word.asks)
    parts.pole()
    word.pole()
    assert parts.asks == word.asks


def test_dealt_cars_may_be_raced_for_the_full_money() -> None:
    """DF-VAR-1: all six are placed, and the total decides."""
    table = Table(header(3, "dealt", "no-bets", "no-powers"))
    table.pole()
    for car, seat in zip(CARS, (1, 2, 2, 3, 3, 1), strict=True):
        table.plays(0, lot={"car": car, "power": None})
        table.plays(0, award=seat)
    assert "pile" not in table.state
    table.card(finished=["black"])
    assert table.state["phase"] == "race"
    table.card(finished=["blue", "green"])
    table.card(finished=["yellow", "orange", "red"])
    assert [one["seat"] for one in table.state["classification"]] == [2, 1, 3]


def test_the_first_car_wins_a_race_whose_cars_were_sold() -> None:
    """DF-VAR-1: whatever was paid."""
    table = racing("first-wins", "no-bets")
    table.card(finished=["red"])
    assert table.state["classification"][0]["seat"] == table.owner("red")


def nobodys_first(**house: str) -> Table:
    table = Table(header(4, "beginners", house=house))
    table.pole()
    for car in CARS:
        table.plays(0, lot={"car": car, "power": None})
        table.plays(0, award=table.ask("award")["options"][0])
    assert table.owner("red") is None
    table.passed().card(finished=["red"])
    return table


@pytest.mark.parametrize(("first_home", "phase"), [("owned", "race"), ("any", "finished")])
def test_the_house_says_whether_a_car_that_is_nobodys_ends_the_race(
    first_home: str, phase: str
) -> None:
    """DF-VAR-1."""
    assert nobodys_first(first_home=first_home).state["phase"] == phase


def test_with_nobodys_car_home_first_the_money_decides() -> None:
    """DF-VAR-1: nobody has a place or a bet, all have the same."""
    table = nobodys_first(first_home="any")
    assert {one["place"] for one in table.state["classification"]} == {1}


@pytest.mark.parametrize("house", [{"auction": "open"}, {"cards": None}, {"first": "any"}, []])
def test_a_house_switch_of_another_name_or_value_is_refused(house: object) -> None:
    assert Table().refused({"new": header(house=house)})["code"] == "malformed"
