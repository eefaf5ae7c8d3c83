"""Whole races of six on the keys alone: what the table costs in presses."""

from __future__ import annotations

from collections.abc import Callable
from statistics import mean
from typing import Any

import pytest

MEAN_PRESSES = 3.6
MOST_PRESSES_OF_95_PERCENT = 6


@pytest.mark.slow
def test_a_turn_takes_three_presses_and_a_little(rehearse: Callable[[int], Any]) -> None:
    races = [rehearse(seed) for seed in range(3)]
    turns = sorted(presses for race in races for presses in race.turns)
    assert all(race.table.engine.state()["phase"] == "finished" for race in races)
    assert len(turns) > 300
    assert mean(turns) <= MEAN_PRESSES
    assert turns[int(len(turns) * 0.95)] <= MOST_PRESSES_OF_95_PERCENT


@pytest.mark.slow
def test_the_setting_up_of_a_grid_takes_two_presses_a_car(rehearse: Callable[[int], Any]) -> None:
    race = rehearse(1)
    assert race.setting_up == 12


@pytest.mark.slow
def test_a_race_under_every_optional_rule_is_played_on_the_keys_alone(
    rehearse: Callable[..., Any],
) -> None:
    rules = ["build", "trials", "weather", "tires", "technical", "teams"]
    seats = [{"seat": n, "name": f"car {n}", "team": f"team {n % 2}"} for n in range(1, 5)]
    race = rehearse(2, rules=rules, seats=seats)
    assert race.table.engine.state()["phase"] == "finished"
    assert {"build", "tires", "length", "pit"} <= set(race.kinds)
    assert mean(race.turns) <= MEAN_PRESSES + 1, "a bonus of soft tires is a press more"
