"""Bots of Downforce: legal in whatever they are asked, the same when asked again, worth playing."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

import pytest
from support.downforce.cards import entered_header
from support.downforce.table import CARS, Table
from support.downforce.walk import ENTERED, Walk
from support.each import few_now

from companion.advice.bots.downforce import (
    DECK,
    LENGTH,
    TABLE_LINES_AT,
    Look,
    Road,
    answer,
    homecoming,
    moves_of,
    to_go,
)
from companion.advice.bots.downforce import Table as Virtual
from companion.advice.bots.levels import level_kind, levels_of
from companion.cli import main
from companion.rules.downforce.bets import sheet
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


# -- the virtual table --------------------------------------------------------------------


def test_on_the_virtual_road_a_car_goes_around_another_and_stops_behind_a_full_road() -> None:
    road = Road(CARS)
    road.at = {"black": (0, 0), "blue": (2, 0), "green": (27, 1), "yellow": (28, 0)}
    road.play((("black", 4),), ())
    assert road.at["black"][0] == 4
    road.play((("green", 6),), ())
    assert road.at["green"] == (27, 1), "one lane, and somebody is on it"


def test_a_wild_on_the_virtual_road_moves_a_car_of_ones_own_that_is_not_on_the_card() -> None:
    road = Road(CARS)
    road.play((("blue", 6), ("wild", 4)), ("blue", "red"))
    assert (road.at["blue"][0], road.at["red"][0]) == (6, 2)


def test_lines_are_crossed_by_the_foremost_car_and_the_finish_is_beyond_them() -> None:
    road = Road(CARS)
    road.at["red"] = (TABLE_LINES_AT[1], 2)
    assert road.lines() == 2
    road.at["red"] = (65, 2)
    road.play((("red", 6),), ())
    assert (road.home, road.lines()) == (["red"], 3)


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.slow
def test_a_game_of_bots_is_played_to_its_end_by_the_rules(players: int) -> None:
    seats = {seat: LEVELS["learner" if seat % 2 else "racer"] for seat in range(1, players + 1)}
    state = Virtual(players, Random(players)).play(seats)
    assert state.phase == "finished"
    assert all(player.bets for player in state.players.values())


@pytest.mark.slow
@pytest.mark.parametrize("deals", few_now([8, 30], 1))
def test_a_racer_has_more_money_than_a_learner_in_the_same_deals(deals: int) -> None:
    """More of it: benchmarks/downforce_bot.py."""
    ahead = []
    for deal in range(deals):
        table = Virtual(4, Random(f"deal {deal}"))
        for racers in ((1, 3), (2, 4)):
            seats = {s: LEVELS["racer" if s in racers else "learner"] for s in range(1, 5)}
            state = table.play(seats)
            total = {seat: sheet(state, seat).total for seat in seats}
            ahead.append(mean(total[s] if s in racers else -total[s] for s in seats) * 2)
    assert mean(ahead) > 1


# -- many games (companion simulate) -------------------------------------------------------


def simulated(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["simulate", "--game", "downforce", "--json", *words]) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert told.pop("seconds") > 0
    assert told.pop("per_second") > 0
    return told


@pytest.mark.slow
def test_games_are_told_by_seat_level_and_where_the_money_comes_from(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ("--races", "3", "--seats", "3", "--bots", "racer,learner")
    told = simulated(capsys, *words, "--csv", str(tmp_path / "seats.csv"))
    rows = list(csv.DictReader((tmp_path / "seats.csv").read_text("utf-8").splitlines()))
    assert told["races"] == 3
    assert len(rows) == 9
    assert sum(told["wins_by_seat"]) == sum(row["place"] == "1" for row in rows) >= 3
    assert {name: of["seats"] for name, of in told["levels"].items()} == {"racer": 3, "learner": 6}
    for row in rows:
        assert int(row["total"]) == int(row["prizes"]) + int(row["bets"]) - int(row["spent"])
    assert told["money"]["total"] == pytest.approx(mean(int(row["total"]) for row in rows))


@pytest.mark.slow
def test_the_same_seed_gives_the_same_games_whatever_the_jobs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("--races", "11", "--seats", "3", "--bots", "learner", "--seed", "7")
    one = simulated(capsys, *words)
    assert simulated(capsys, *words, "--jobs", "2") == one
    assert simulated(capsys, *words[:-1], "8") != one


@pytest.mark.parametrize(
    "rules",
    ["dealt", "first-wins", "no-powers", "no-bets", "long-distance", "championship,long-distance"],
)
@pytest.mark.parametrize("seats", ["2", "5", "6"])
@pytest.mark.slow
def test_a_game_of_every_variant_that_goes_with_a_hand_comes_to_its_end(
    rules: str, seats: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--races", "1", "--seats", seats, "--rules", rules, "--bots", "learner")
    assert sum(simulated(capsys, *words)["wins_by_seat"]) >= 1
