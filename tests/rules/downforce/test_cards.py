"""A hand that is entered: its cards, what it bids, what it plays, and that nobody sees it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.downforce.cards import entered_header, told
from support.downforce.table import CARS, FOUR, NoShelf, Table, header, named
from support.each import in_one

from companion.race.engine import Engine
from companion.rules.downforce.cards import bids_of

RED, GREEN, WILD, PLAIN = (
    [["red", 6], ["green", 4], ["wild", 2]],
    [["green", 5], ["black", 1]],
    [["wild", 3], ["blue", 6]],
    [["yellow", 2]],
)
BLUE_8 = [["blue", 8]]
HAND = [RED, GREEN, WILD, *[PLAIN] * 7]


def table(*rules: str, **more: Any) -> Table:
    """Four players, of whom seat 2 has a hand that is entered; the grid is known."""
    one = Table(entered_header(4, *rules, **more))
    one.pole()
    return one


def at_a_lot(car: str = "red", hand: list[Any] = HAND) -> Table:
    one = table()
    one.plays(2, hand={"cards": hand})
    one.lot(car)
    return one


def racing(*rules: str) -> Table:
    """Cars as in `FOUR`: seat 2 has the blue one, and seat 1 the one on pole."""
    one = table("no-powers", *rules)
    one.plays(2, hand={"cards": HAND})
    for car, (seat, price) in FOUR.items():
        one.lot(car)
        wins = {"amount": 6, "cars": 2, "wild": True} if seat == 2 else {"amount": 0}
        seats = one.asked("bid")
        bids = {other: price if other == seat else 0 for other in seats}
        one.bids(bids | ({2: wins} if 2 in seats else {}))
    return one


def held(one: Table) -> list[Any]:
    return [told(card) for card in one.engine.moment.players[2].cards]


# -- the hand -----------------------------------------------------------------------------


def test_a_hand_is_entered_after_the_grid_and_before_the_first_lot() -> None:
    """DF-CARD-1."""
    one = table()
    assert one.asks == [
        {"seat": 2, "kind": "hand", "options": [*CARS, "wild"], "spaces": [1, 2, 3, 4, 5, 6],
         "cards": 10},
    ]  # fmt: skip
    (entered,) = one.plays(2, hand={"cards": HAND})
    assert entered == {"event": "HandEntered", "seat": 2, "rule": "DF-CARD-1", "cards": None}
    assert one.asked("lot") == [0]


def test_several_hands_are_entered_in_any_order() -> None:
    """DF-CARD-1."""
    one = Table(entered_header(3, seats=(1, 3)))
    one.pole()
    assert one.asked("hand") == [1, 3]
    assert one.ask("hand")["cards"] == 14
    one.plays(3, hand={"cards": [PLAIN] * 14})
    assert one.asked("hand") == [1]


@in_one(
    ("hand", "code", "says"),
    [
        ("red", "malformed", "hand is an object of cards"),
        ({"cards": HAND, "more": 1}, "malformed", "hand has only cards"),
        ({"cards": "red"}, "malformed", "cards is a list of the cards in hand"),
        ({}, "malformed", "cards is a list of the cards in hand"),
        ({"cards": HAND[:9]}, "malformed", "the hand has 10 cards, not 9"),
        ({"cards": [*HAND[:9], []]}, "malformed", "a card is a list of 1 to 6 lines"),
        ({"cards": [*HAND[:9], [["red", 6]] * 7]}, "malformed", "a list of 1 to 6 lines"),
        ({"cards": [*HAND[:9], [["pink", 6]]]}, "malformed", "one of black, blue, green"),
        ({"cards": [*HAND[:9], [["red", 7]]]}, "malformed", "one of 1, 2, 3, 4, 5, 6, 8"),
        ({"cards": [*HAND[:9], [["red", True]]]}, "malformed", "one of 1, 2, 3"),
        ({"cards": [*HAND[:9], [["red", 6, 1]]]}, "malformed", "each a list of one of"),
        ({"cards": [*HAND[:9], [["red", 6], ["red", 4]]]}, "malformed", "a car once at most"),
        ({"cards": [*HAND[:9], [["red", 8]]]}, "illegal", "an 8 comes with the car"),
    ],
)
def test_what_is_no_hand_is_refused_and_says_what_would_be_accepted(
    hand: Any, code: str, says: str
) -> None:
    """DF-CARD-1."""
    error = table().refused({"seat": 2, "hand": hand})
    assert error["code"] == code
    assert says in error["message"]


def test_a_card_may_have_two_wilds_and_six_lines() -> None:
    """DF-CARD-1."""
    long = [["wild", 6], ["red", 5], ["blue", 4], ["black", 3], ["wild", 2], ["green", 1]]
    table().plays(2, hand={"cards": [long, *HAND[1:]]})


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"house": {"auction": "entered"}}, "house.auction 'secret', house.cards 'counted'"),
        ({"house": {"cards": "events"}}, "house.auction 'secret', house.cards 'counted'"),
        ({"rules": ["beginners"]}, "not for two-players or hands-of-three"),
        ({"rules": ["hands-of-three"]}, "not for two-players or hands-of-three"),
    ],
)
def test_a_hand_is_entered_only_where_its_cards_are_bid_and_counted(more: Any, says: str) -> None:
    """DF-CARD-1."""
    reply = Engine(NoShelf()).handle({"new": {**entered_header(), **more}})
    assert (reply["error"]["code"], reply["error"]["rule"]) == ("malformed", "DF-CARD-1")
    assert says in reply["error"]["message"]


def test_a_hand_in_a_header_is_entered_or_not_said() -> None:
    """DF-CARD-1."""
    data = header()
    data["seats"][1]["hand"] = "open"
    reply = Engine(NoShelf()).handle({"new": data})
    assert "hand is one of entered" in reply["error"]["message"]


def test_for_the_rules_a_bot_is_a_seat_whose_hand_is_entered() -> None:
    """DF-CARD-1."""
    data = header()
    data["seats"][1]["bot"] = "racer"
    one = Table(data)
    one.pole()
    assert one.asked("hand") == [2]


def test_the_8_of_a_car_comes_into_the_hand_with_it() -> None:
    """DF-CARD-1, DF-BID-3."""
    one = at_a_lot()
    one.bids({1: 0, 3: 0, 4: 0, 2: {"amount": 6, "cars": 3, "wild": True}})
    assert held(one) == [*HAND, [["red", 8]]]
    assert one.player(2)["hand"] == 11


def test_each_race_of_a_championship_has_its_own_hand() -> None:
    """DF-CARD-1, DF-VAR-4."""
    one = racing("championship")
    one.plays(0, end=True)
    one.pole()
    assert one.asked("hand") == [2]


# -- bids ---------------------------------------------------------------------------------


def test_a_bid_is_the_number_of_a_card_in_hand_with_its_cars_and_its_wild() -> None:
    """DF-CARD-2: the six is on a card of three cars with a wild, and not otherwise."""
    one = at_a_lot()
    for wrong in ({"amount": 6, "cars": 4, "wild": True}, {"amount": 6, "cars": 3, "wild": False},
                  {"amount": 5, "cars": 3, "wild": True}):  # fmt: skip
        assert one.why(2, bid=wrong) == ("illegal", "DF-CARD-2")
    one.plays(2, bid={"amount": 6, "cars": 3, "wild": True})


def test_a_card_without_the_car_bids_nothing_from_an_entered_hand_too() -> None:
    """DF-CARD-2, DF-BID-1."""
    at_a_lot().plays(2, bid={"amount": 0})
    at_a_lot().plays(2, bid={"amount": 0, "cars": 1, "wild": False})
    at_a_lot().plays(2, bid={"amount": 0, "cars": 2, "wild": False})
    assert at_a_lot().why(2, bid={"amount": 0, "cars": 5, "wild": False})[1] == "DF-CARD-2"


def test_where_every_card_has_the_car_nobody_bids_nothing() -> None:
    """DF-CARD-2."""
    one = at_a_lot("yellow", [PLAIN] * 10)
    assert one.why(2, bid={"amount": 0}) == ("illegal", "DF-CARD-2")


def test_a_wild_bids_only_where_no_card_has_the_car() -> None:
    """DF-CARD-2, DF-BID-1."""
    assert at_a_lot().why(2, bid={"amount": 3, "cars": 2, "wild": True})[1] == "DF-CARD-2"
    at_a_lot("orange").plays(2, bid={"amount": 3, "cars": 2, "wild": True})


def test_with_neither_the_car_nor_a_wild_the_lowest_number_of_a_card_bids() -> None:
    """DF-CARD-2, DF-BID-1."""
    hand = ((("red", 6), ("blue", 1)), (("black", 5),))
    assert [bid.amount for _, bid in bids_of(hand, "green")] == [1, 0, 5, 0]


def test_the_last_lot_costs_the_lowest_number_of_the_entered_hand() -> None:
    """DF-CARD-2, DF-BID-4."""
    one = Table(entered_header(6, seats=(6,)))
    one.pole()
    hand = [[["red", 6]], [["red", 2], ["blue", 6]], *[PLAIN] * 5]
    one.plays(6, hand={"cards": hand})
    for seat, car in enumerate(("black", "blue", "green", "yellow", "orange"), 1):
        one.lot(car)
        one.bids({other: int(other == seat) for other in one.asked("bid") if other != 6})
        one.plays(6, bid={"amount": 0})
    one.lot("red")
    assert one.asked("bid") == [6]
    assert one.why(6, bid={"amount": 6, "cars": 1, "wild": False}) == ("illegal", "DF-BID-4")
    (sold,) = named(one.plays(6, bid={"amount": 2, "cars": 2, "wild": False}), "CarSold")
    assert sold["price"] == 2


# -- a turn -------------------------------------------------------------------------------


def on_turn() -> Table:
    one = racing()
    one.card()
    return one


def test_a_card_is_turned_up_before_what_it_did_is_told() -> None:
    """DF-CARD-3."""
    one = on_turn()
    assert one.asks[0] == {
        "seat": 2, "kind": "card", "options": [*CARS, "wild"], "cards": 11
    }  # fmt: skip
    assert one.why(2, played={}) == ("illegal", "DF-TURN-1")
    (turned,) = one.plays(2, card=RED)
    assert turned == {"event": "CardTurned", "seat": 2, "rule": "DF-CARD-3", "card": RED}
    assert one.ask("played")["card"] == RED
    assert one.state["pending"] == [{"step": "play", "seat": 2, "card": RED}]
    events = one.card(lines=0)
    assert [event["event"] for event in events][:2] == ["CardPlayed", "CardLeftHand"]
    assert RED not in held(one)
    assert one.player(2)["hand"] == len(held(one)) == 10


def test_only_a_card_in_hand_is_turned_up() -> None:
    """DF-CARD-3."""
    one = on_turn()
    assert one.why(2, card=[["red", 6]]) == ("illegal", "DF-CARD-3")
    assert one.why(2, card=RED[::-1]) == ("illegal", "DF-CARD-3"), "its lines have an order"
    assert one.why(2, card="red") == ("malformed", "DF-CARD-1")


def test_of_equal_cards_one_is_played() -> None:
    """DF-CARD-3."""
    one = on_turn()
    one.plays(2, card=PLAIN)
    one.card()
    assert held(one).count(PLAIN) == 6


def test_an_undo_gives_the_card_back() -> None:
    """DF-CARD-3."""
    one = on_turn()
    before = one.engine.moment
    one.plays(2, card=RED)
    one.card()
    one.says({"undo": 2})
    assert one.engine.moment == before


def test_who_leaves_with_a_card_turned_up_has_it_again_on_coming_back() -> None:
    """DF-CARD-3."""
    one = on_turn()
    one.plays(2, card=RED)
    one.says({"seat": 2, "retire": True})
    assert one.asked("played") == [3]
    one.says({"seat": 2, "return": True})
    assert RED in held(one)
    assert not one.asked("hand")


def test_an_entered_hand_is_empty_when_its_cards_are_played_whatever_is_said() -> None:
    """DF-CARD-3, DF-TURN-2."""
    one = on_turn()
    one.plays(2, card=RED)
    one.card(out=True)
    assert one.player(2)["hand"] == 10


def test_other_seats_play_as_ever() -> None:
    """DF-CARD-3."""
    one = racing()
    assert one.asked("played") == [1]
    assert "card" not in one.ask("played")


# -- how the cars stand -------------------------------------------------------------------


def test_before_an_entered_hand_bets_the_table_tells_how_the_cars_stand() -> None:
    """DF-CARD-4: everybody else bets meanwhile."""
    one = racing()
    one.card(lines=1)
    assert one.asked("bet") == [1, 3, 4]
    assert one.ask("standing") == {"seat": 0, "kind": "standing", "options": CARS}
    one.plays(3, bet="red")
    order = ["red", "blue", "black", "green", "orange", "yellow"]
    (event,) = one.plays(0, standing=order)
    assert event == {"event": "StandingTold", "seat": 0, "rule": "DF-CARD-4", "order": order}
    assert one.asked("bet") == [1, 2, 4]
    assert one.state["standing"] == order


def test_what_has_been_told_holds_for_two_lines_crossed_by_one_card() -> None:
    """DF-CARD-4."""
    one = racing()
    one.card(lines=2)
    one.plays(0, standing=CARS)
    one.bets(dict.fromkeys((1, 2, 3, 4), "red"))
    assert one.asked("standing") == []
    assert one.asked("bet") == [1, 2, 3, 4]


def test_cars_that_are_home_stand_nowhere_and_the_last_one_alone_is_not_asked_for() -> None:
    """DF-CARD-4."""
    one = racing().passed(2)
    one.card(lines=1, finished=["red", "blue"])
    for wrong in (["black"], ["red", *CARS[2:5]], [*CARS[2:5]], "red", [1]):
        assert one.why(0, standing=wrong)[0] == "malformed"
    assert one.ask("standing")["options"] == ["black", "green", "yellow", "orange"]
    alone = racing().passed(2)
    alone.card(lines=1, finished=["red", "blue", "black", "green", "yellow"])
    assert alone.asked("standing") == []
    assert alone.asked("bet") == [1, 2, 3, 4]


def test_without_an_entered_hand_nobody_is_asked_how_the_cars_stand() -> None:
    """DF-CARD-4."""
    one = Table(header(4, "no-powers"))
    one.auction(FOUR)
    one.card(lines=1)
    assert one.asked("standing") == []


# -- secrets ------------------------------------------------------------------------------


def seen(hand: list[Any]) -> tuple[list[Any], Table]:
    """Everything that the engine tells of a game in which nothing but the hand differs."""
    one = table("no-powers")
    told_of: list[Any] = []
    lines = [
        {"seat": 2, "hand": {"cards": hand}},
        {"seat": 2, "hand": {"cards": hand}},
        {"seat": 0, "lot": {"car": "yellow", "power": None}},
        {"seat": 2, "bid": {"amount": 2, "cars": 1, "wild": False}},
        {"seat": 2, "explain": {"bid": {"amount": 2}}},
        {"undo": 1},
        {"correct": {"grid": CARS[::-1]}},
        {"state": True},
    ]
    for line in lines:
        told_of += [one.engine.handle(line), one.state, repr(one.engine.visible)]
    return told_of, one


def test_two_games_that_differ_in_a_hand_alone_are_one_for_everybody() -> None:
    """DF-CARD-1."""
    first, second = (seen([*(PLAIN,) * 5, *other]) for other in ([RED] * 5, [GREEN] * 5))
    assert json.dumps(first[0]) == json.dumps(second[0])
    assert first[1].engine.moment != second[1].engine.moment
    assert first[1].engine.secrets(2) == second[1].engine.secrets(2)


def test_what_is_left_of_the_hand_comes_out_with_the_end() -> None:
    """DF-CARD-1."""
    one = on_turn()
    one.plays(2, card=RED)
    one.card()
    (revealed,) = named(one.plays(0, end=True), "HandsRevealed")
    left = [GREEN, WILD, *[PLAIN] * 7, [["blue", 8]]]
    assert revealed["hands"] == {"2": left}
    assert one.player(2)["cards"] == left


def test_a_game_without_entered_hands_tells_of_none() -> None:
    """DF-CARD-1."""
    one = Table(header(4, "no-powers"))
    one.auction(FOUR)
    assert named(one.plays(0, end=True), "HandsRevealed") == []
    assert "cards" not in one.player(2)


# -- positions and corrections ------------------------------------------------------------


def test_a_correction_keeps_the_hand_that_it_does_not_name() -> None:
    """DF-CARD-1."""
    one = on_turn()
    before = held(one)
    one.says({"correct": {"cars": {"red": {"place": 1}}}, "reason": "x"})
    assert held(one) == before
    assert one.asked("card") == [2]


def test_a_hand_whose_count_is_corrected_is_entered_again() -> None:
    """DF-CARD-1: an 8 of a car that was bought stays in it."""
    one = on_turn()
    one.says({"correct": {"players": {"2": {"hand": 3}}}, "reason": "x"})
    assert one.ask("hand")["cards"] == 3
    for wrong in ([BLUE_8, BLUE_8], [PLAIN, [["blue", 8], ["red", 1]]]):
        assert one.why(2, hand={"cards": [PLAIN, *wrong]}) == ("illegal", "DF-CARD-1")
    one.plays(2, hand={"cards": [PLAIN, PLAIN, BLUE_8]})
    assert one.asked("card") == [2]


def test_a_hand_that_is_entered_again_keeps_the_8_of_a_car_that_has_another_owner_now() -> None:
    """DF-CARD-1: who sells a car keeps its 8."""
    one = on_turn()
    corrected = {"cars": {"blue": {"owner": 1}}, "players": {"2": {"hand": 3}}}
    one.says({"correct": corrected, "reason": "x"})
    one.plays(2, hand={"cards": [PLAIN, PLAIN, BLUE_8]})
    assert BLUE_8 in held(one)


def test_a_card_that_lies_open_is_one_of_the_hand_that_is_corrected() -> None:
    """DF-CARD-3."""
    one = on_turn()
    one.plays(2, card=RED)
    others = [PLAIN if card == RED else card for card in held(one)]
    error = one.refused({"correct": {"players": {"2": {"cards": others}}}, "reason": "x"})
    assert error["message"] == "the card that is turned up is one of the hand"
    state = one.engine.state()
    state["players"]["2"]["cards"] = others
    data = entered_header(4, "no-powers", position=state)
    assert Engine(NoShelf()).handle({"new": data})["error"]["rule"] == "DF-CARD-3"


def test_a_card_that_is_not_in_the_hand_that_is_entered_again_is_turned_up_anew() -> None:
    """DF-CARD-3."""
    pending = [{"step": "hands", "seats": [2]}, {"step": "play", "seat": 2, "card": RED}]
    position = {"turn": 2, "players": {"2": {"hand": 3}}, "pending": pending}
    one = Table(entered_header(position=position))
    one.plays(2, hand={"cards": [PLAIN, PLAIN, GREEN]})
    one.plays(2, card=GREEN)
    one.card()
    assert held(one) == [PLAIN, PLAIN]


def test_a_standing_names_a_car_once() -> None:
    """DF-CARD-4."""
    error = on_turn().refused({"correct": {"standing": ["red", "red"]}, "reason": "x"})
    assert error["message"] == "standing names a car once at most"


def test_a_position_may_name_the_cards_of_an_entered_hand() -> None:
    """DF-CARD-1."""
    position = {"cars": {"red": {"owner": 2}}, "turn": 2}
    cards = [*HAND, [["red", 8]]]
    named_too = {**position, "players": {"2": {"cards": cards}}}
    one = Table(entered_header(position=named_too))
    assert one.asked("card") == [2]
    assert Table(entered_header(position=position)).asked("hand") == [2]
    for wrong in ({"2": {"cards": HAND}}, {"1": {"cards": HAND}}, {"2": {"cards": ["red"]}}):
        data = entered_header(position={**position, "players": wrong})
        assert Engine(NoShelf()).handle({"new": data})["error"]["code"] == "malformed"


@pytest.mark.parametrize(
    "step",
    [
        {"step": "hands", "seats": [1]},
        {"step": "play", "seat": 1, "card": RED},
        {"step": "play", "seat": 1, "card": [["red", 7]]},
    ],
)
def test_a_pending_step_about_cards_fits_the_game(step: Any) -> None:
    """DF-CARD-1, DF-CARD-3."""
    position = {"cars": {"red": {"owner": 1}}, "turn": 1, "pending": [step]}
    data = entered_header(position=position)
    error = Engine(NoShelf()).handle({"new": data})["error"]
    assert (error["code"], error["rule"][:7]) == ("malformed", "DF-CARD")
