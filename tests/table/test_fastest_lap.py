"""The fastest lap of a running race: the one with the fewest rolls, as the league counts it."""

from __future__ import annotations

from random import Random

import pytest
from support.tables.sitting import REFEREE, Sitting

from companion.league.games import replay_events
from companion.league.games_formula import driven_laps
from companion.table.race import BEGINS, FastestLap, fastest


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, 8])
def test_it_is_the_one_that_the_league_finds_in_the_record(sitting: Sitting, seed: int) -> None:
    sitting.begins(3, laps=3)
    dice, beaten = Random(seed), []
    while sitting.state.asks:
        sitting.goes_on(1, dice)
        if sitting.race.fastest != (beaten or [None])[-1]:
            beaten.append(sitting.race.fastest)
    laps = driven_laps(replay_events(sitting.race.lines).moves)
    least = min(lap["rolls"] for driven in laps.values() for lap in driven)
    assert sitting.race.fastest.turns == least
    seat, number, _ = sitting.race.fastest
    assert any(lap["number"] == number and lap["rolls"] == least for lap in laps[seat])
    assert [one.turns for one in beaten] == sorted({one.turns for one in beaten}, reverse=True)
    assert Sitting(sitting.journal).race.fastest == sitting.race.fastest, "and after a restart"


def test_a_lap_that_is_taken_back_is_the_fastest_no_more(sitting: Sitting) -> None:
    sitting.begins(2, laps=2)
    dice = Random(5)
    while sitting.race.fastest is None:
        sitting.goes_on(1, dice)
    sitting.accepts(REFEREE, {"undo": 1})
    assert sitting.race.fastest is None


def test_of_equal_laps_the_first_is_the_fastest_and_a_trial_is_none() -> None:
    assert fastest([(1, 1), (1, 0), (1, 2)]) == FastestLap(1, 1, 1)
    equal = [(1, 1), (2, 1), (1, 0), (2, 0), (2, 2), (1, 2)]
    assert fastest(equal) == FastestLap(2, 1, 1)
    assert fastest([(1, 1), (1, 0), BEGINS, (1, 0), (1, 2)]) is None, "not from the line"
    assert fastest([(1, 1), (1, 0), (1, 3)]) is None, "a referee has put it there"
