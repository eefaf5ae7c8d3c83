"""Bots of Downforce: legal in whatever they are asked, the same when asked again, worth playing."""

from __future__ import annotations

from typing import Any

import pytest
from support.downforce.cards import entered_header
from support.downforce.table import CARS, Table
from support.downforce.walk import ENTERED, Walk
from support.each import few_now

from companion.advice.bots.downforce import (
    DECK,
    LENGTH,
    Look,
    answer,
    homecoming,
    moves_of,
    to_go,
)
from companion.advice.bots.levels import level_kind, levels_of
from companion.rules.lines import Malformed

LEVELS = {name: kind.make(None) for name, kind in levels_of("downforce").items()}
HAND = [[[car, 7 - place] for place, car in enumerate(CARS[:3], 1)] for _ in range(10)]


# -- what they answer ---------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("number", few_now([ENTERED, ENTERED + 5, ENTERED + 21, ENTERED + 40], 2))
def test_whatever_a_bot_is_asked_the_rules_accept_what_it_answers(level: str, number: int) -> None:
    """DF-CARD-2, DF-CARD-3: at every point of random games, variants and all."""
    walk, answered = Walk(number), 0
    while not walk.over:
        engine = walk.table.engine
        for ask in engine.open:
            if ask.seat in engine.moment.setup.entered and not ask.by_hand and answered < 200:
                value = answer(LEVELS[level], engine.moment, ask)
                walk.table.plays(ask.seat, **{ask.kind: value})
                walk.table.says({"undo": 1})
                assert answer(LEVELS[level], engine.moment, ask) == value, "asked again it says so"
                answered += 1
        walk.step()
    assert answered > 10


@pytest.mark.parametrize("level", LEVELS)
def test_what_lies_on_the_table_no_bot_is_asked(level: str) -> None:
    table = Table(entered_header())
    table.pole()
    (ask,) = table.engine.open
    assert ask.by_hand
    with pytest.raises(TypeError, match="hand"):
        answer(LEVELS[level], table.engine.moment, ask)


def test_a_level_that_there_is_not_is_refused_with_those_of_the_game() -> None:
    assert list(levels_of("downforce")) == ["learner", "racer"]
    with pytest.raises(Malformed, match="a bot is one of learner, racer, not 'champion'"):
        level_kind("champion", "downforce")
    assert levels_of("ludo") == levels_of(None) == {}


def test_the_last_bidder_pays_its_lowest_number() -> None:
    """DF-BID-4."""
    for number in range(ENTERED, ENTERED + 30):
        walk = Walk(number)
        while not walk.over and walk.table.state["phase"] == "auction":
            forced = [ask for ask in walk.table.engine.open if getattr(ask, "forced", False)]
            if forced and forced[0].seat in walk.table.engine.moment.setup.entered:
                for level in LEVELS.values():
                    value = answer(level, walk.table.engine.moment, forced[0])
                    walk.table.plays(forced[0].seat, bid=value)
                    walk.table.says({"undo": 1})
                return
            walk.step()
    raise AssertionError("no such moment was met")


def test_of_several_powers_one_of_them_is_kept() -> None:
    """DF-BID-6: those of the table's own too."""
    own = [{"name": "daring", "reminder": "x"}]
    players = {"2": {"powers": ["daring", "sly"]}}
    position = {"phase": "powers", "players": players, "pending": [{"step": "keep", "seats": [2]}]}
    table = Table(entered_header(powers=own, position=position))
    while table.asked("hand"):
        table.plays(2, hand={"cards": [HAND[0]] * table.ask("hand")["cards"]})
    (ask,) = table.engine.open
    assert answer(LEVELS["racer"], table.engine.moment, ask) == "sly"


# -- what they know -----------------------------------------------------------------------


def racing(hand: list[Any], **cars: int) -> Table:
    """Seat 2's turn in a race of four, whose cars belong to these seats."""
    owned = {car: {"owner": seat, "price": 2} for car, seat in cars.items()}
    players = {"2": {"cards": hand, "hand": len(hand)}}
    position = {"cars": owned, "players": players, "turn": 2, "grid": CARS}
    return Table(entered_header(position=position))


@pytest.mark.parametrize("level", LEVELS)
def test_a_card_for_ones_own_car_is_played_before_one_for_somebody_elses(level: str) -> None:
    hand = [[["black", 6], ["blue", 5]], [["orange", 6], ["red", 5]], [["green", 6]]]
    table = racing(hand, black=1, blue=1, green=3, yellow=4, orange=2, red=2)
    (ask,) = [one for one in table.engine.open if one.kind == "card"]
    assert answer(LEVELS[level], table.engine.moment, ask) == [["orange", 6], ["red", 5]]


def test_a_bet_goes_on_a_car_that_is_ahead_and_that_its_hand_moves() -> None:
    hand = [[["red", 6], ["orange", 5]]] * 8
    table = racing(hand, black=1, blue=1, green=3, yellow=4, orange=2, red=2)
    table.plays(2, card=hand[0])
    table.card(lines=2)
    table.plays(0, standing=["red", "black", "blue", "green", "yellow", "orange"])
    ask = next(one for one in table.engine.open if (one.seat, one.kind) == (2, "bet"))
    assert [answer(level, table.engine.moment, ask) for level in LEVELS.values()] == ["red"] * 2


def test_nothing_that_others_hide_is_in_an_answer() -> None:
    """DF-BET-2, DF-CARD-1: a bot is given the whole state and looks at its own part of it."""
    hand = [[["black", 6], ["blue", 5]], [["orange", 6], ["red", 5]], [["green", 6]]] * 2
    given = []
    for bets, color in ((["red"] * 4, "red"), (["black", "blue", "green", "yellow"], "blue")):
        cars = {"black": 1, "blue": 1, "green": 3, "yellow": 4, "orange": 2, "red": 2}
        others = [[[color, 6]]] * 9
        players = {"2": {"cards": hand, "hand": 6}, "3": {"cards": others, "hand": 9}}
        owned = {car: {"owner": seat, "price": 2} for car, seat in cars.items()}
        position = {"cars": owned, "players": players, "turn": 2, "grid": CARS}
        table = Table(entered_header(seats=(2, 3), position=position))
        table.plays(2, card=hand[0])
        table.card(lines=1)
        table.plays(0, standing=CARS)
        table.bets({1: bets[0], 2: "red", 3: bets[2], 4: bets[3]})
        while table.state["turn"] != 2:
            if table.asked("card"):
                table.plays(3, card=others[0])
            table.card()
        (ask,) = [one for one in table.engine.open if one.kind == "card"]
        given.append([answer(level, table.engine.moment, ask) for level in LEVELS.values()])
    assert given[0] == given[1]


# -- what they assume ---------------------------------------------------------------------


def test_the_assumed_deck_has_42_cards_and_every_car_as_often_on_every_line() -> None:
    """DF-SETUP-1."""
    assert len(set(DECK)) == len(DECK) == 42
    for line in range(6):
        cars = [card[line][0] for card in DECK if len(card) > line and card[line][0] != "wild"]
        assert len({cars.count(car) for car in CARS}) == 1


def test_a_wild_moves_the_car_that_is_wanted_most_and_is_not_on_the_card() -> None:
    card = (("red", 6), ("wild", 4), ("wild", 2))
    assert moves_of(card, {"red": 3.0, "blue": 2.0, "black": 1.0}) == (2, 4, 0, 0, 0, 6)
    assert moves_of(card, {"blue": 2.0, "black": 1.0}, home=("blue",)) == (4, 0, 2, 0, 0, 6)


def test_cars_stand_behind_one_another_as_was_told_and_before_the_next_line() -> None:
    table = racing([HAND[0]] * 3, black=1, blue=1, green=3, yellow=4, orange=2, red=2)
    table.plays(2, card=HAND[0])
    table.card(lines=1)
    table.plays(0, standing=CARS[::-1])
    left = to_go(table.engine.moment)
    assert left == sorted(left, reverse=True), "the red one is the foremost"
    assert max(left) < LENGTH


def test_cars_come_home_in_the_order_of_their_rounds() -> None:
    own, others = [[0, 0, 3, 0, 0, 9.0]], [[5.0, 0, 0, 0, 0, 0], [5.0, 0, 0, 0, 0, 0]]
    assert list(homecoming([9.0, 0.0, 50.0, 50.0, 50.0, 9.0], own, others)) == [5, 0]


def test_a_look_at_a_game_leaves_its_state_alone() -> None:
    table = racing([HAND[0]] * 3, black=1, blue=1, green=3, yellow=4, orange=2, red=2)
    before = table.engine.moment
    Look(before, 2).worths()
    assert table.engine.moment is before
