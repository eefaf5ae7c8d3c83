"""The Masters pack with every two house switches set otherwise: raced to the end, and replayed.

The races are few, each with a value of every switch; among them every two values meet that do
not contradict each other. The optional rules and the laps are the pack's.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from random import Random

import pytest
from support.each import few_now
from support.formula.drive import play_through
from support.formula.mixtures import Mixture, contradict, draw_house
from support.formula.pairwise import Pair, cover, pairs_of

from companion.race.boards import PackLibrary
from companion.rules.formula.book import FORMULA_D

MASTERS, _ = PackLibrary().packs()["Masters 2018"]
COUNT, TRIES, A_TEST = 84, 24, 12


def draw(dice: Random) -> Mixture:
    """A race of two or three cars by the pack, with any values of the switches."""
    house = draw_house(FORMULA_D, dice)
    rules, seats = frozenset(MASTERS.rules or ()), dice.choice((2, 2, 3))
    return Mixture("formula-d", "monaco", rules, tuple(house.items()), MASTERS.laps or 3, seats)


@cache
def races() -> tuple[Mixture, ...]:
    return tuple(cover(draw, COUNT, seed=14, tries=TRIES))


def house_pairs(pairs: set[Pair]) -> set[Pair]:
    """Those of two switches."""
    return {pair for pair in pairs if all(kind == "house" for kind, _ in pair)}


@pytest.mark.slow
def test_every_two_values_of_the_switches_meet_in_a_race_by_the_masters_rules() -> None:
    values = [("house", (name, one)) for name, some in FORMULA_D.house.items() for one in some]
    wanted = {
        frozenset((one, other))
        for one, other in combinations(values, 2)
        if one[1][0] != other[1][0] and not contradict(one[1], other[1])
    }
    assert sorted(map(sorted, wanted - house_pairs(pairs_of(races())))) == []
    assert len(wanted) > 5_000


@pytest.mark.slow
@pytest.mark.parametrize("first", few_now(range(0, COUNT, A_TEST), 2))
def test_a_race_by_the_masters_rules_ends_whatever_a_house_changes(first: int) -> None:
    """Driven with answers taken back; every invariant on the way, and the record replays."""
    for number in range(first, first + A_TEST):
        play_through(races()[number], number)
