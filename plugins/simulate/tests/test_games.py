"""Games of Downforce between bots: the table at which nobody sits, and many games told."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

import pytest
from support.each import few_now

from companion.advice.bots.levels import levels_of
from companion.cli import main
from companion.rules.downforce.bets import sheet
from companion.rules.downforce.tables import CARS
from race_companion_simulate.downforce import TABLE_LINES_AT, Road, Table

LEVELS = {name: kind.make(None) for name, kind in levels_of("downforce").items()}


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
    state = Table(players, Random(players)).play(seats)
    assert state.phase == "finished"
    assert all(player.bets for player in state.players.values())


@pytest.mark.slow
@pytest.mark.parametrize("deals", few_now([8, 30], 1))
def test_a_racer_has_more_money_than_a_learner_in_the_same_deals(deals: int) -> None:
    """More of it: benchmarks/downforce_bot.py."""
    ahead = []
    for deal in range(deals):
        table = Table(4, Random(f"deal {deal}"))
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
