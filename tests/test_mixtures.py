"""Some two hundred and fifty races of each Formula game in which every two values of a race meet.

Boards, optional rules, house switches, drivers, laps, weather and numbers of cars: each race
starts, is driven with answers taken back, ends, and its record replays to the same state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from random import Random

import pytest
from support.each import few_now
from support.formula.drive import Drive, play_through
from support.formula.invariants import check_all
from support.formula.mixtures import COUNT, EDITIONS, boards, draw, mixtures, wanted_pairs
from support.formula.pairwise import Feature, cover, pairs_of

from companion.race.record import RecordError

FEW, A_TEST = 12, 24
"""The first races are those in which most pairs meet; so many of the rest are a test."""


@pytest.mark.long
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize("number", range(FEW))
def test_a_race_of_any_mixture_comes_to_its_end(game: str, number: int) -> None:
    """Every invariant on the way; what is taken back is what was; the record replays."""
    play_through(mixtures(game)[number], number)


@pytest.mark.slow
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize("first", few_now(range(FEW, COUNT, A_TEST), 1))
def test_all_mixtures_come_to_their_end(game: str, first: int) -> None:
    """The rest of them; in most of them somebody comes home."""
    numbers = range(first, min(first + A_TEST, COUNT))
    drives = [play_through(mixtures(game)[n], n) for n in numbers]
    assert sum(map(somebody_is_home, drives)) > len(drives) // 2


def somebody_is_home(race: Drive) -> bool:
    return any(car.place for car in race.state.cars.values())


@pytest.mark.slow
@pytest.mark.parametrize("game", EDITIONS)
def test_every_two_values_meet_in_one_of_the_races(game: str) -> None:
    assert len(mixtures(game)) == COUNT
    met = pairs_of(mixtures(game))
    assert sorted(map(sorted, wanted_pairs(game) - met), key=repr) == []
    assert met <= wanted_pairs(game), "a pair met that may not"


def test_all_that_may_be_chosen_is_among_the_values() -> None:
    """Ten drivers, every board of the library, every option and switch on and off."""
    features = {feature for pair in wanted_pairs("formula-d") for feature in pair}
    kinds = [kind for kind, _ in features]
    assert (kinds.count("driver"), kinds.count("board")) == (10, len(boards()))
    assert {("urban", True), ("urban", False), ("house", ("corner_ways", "shortest"))} <= features


@dataclass(frozen=True)
class Coins:
    """A row of three coins."""

    up: tuple[bool, bool, bool]
    cost: float = 1

    @property
    def features(self) -> Iterator[Feature]:
        yield from enumerate_coins(self.up)


def enumerate_coins(up: tuple[bool, bool, bool]) -> Iterator[Feature]:
    return ((f"coin {number}", side) for number, side in enumerate(up))


def toss(dice: Random) -> Coins:
    return Coins((dice.random() < 0.5, dice.random() < 0.5, dice.random() < 0.5))


def test_four_rows_hold_every_pair_of_three_coins() -> None:
    """The least number there is, found by choosing the most telling toss."""
    assert len(pairs_of(cover(toss, 4, seed=1, tries=50))) == 12


def test_one_row_holds_three_pairs_of_three_coins() -> None:
    assert len(pairs_of([toss(Random(1))])) == 3


def test_a_dear_row_is_not_taken_where_a_cheap_one_brings_as_much() -> None:
    def priced(dice: Random) -> Coins:
        return Coins(toss(dice).up, cost=dice.choice((1, 100)))

    assert all(row.cost == 1 for row in cover(priced, 4, seed=1, tries=50))


# Each check of a drive can fail.


@pytest.fixture
def driven() -> Drive:
    """A race of two or more, some answers long."""
    drawn = (draw("formule-de", Random(number)) for number in count())
    race = Drive(next(mixture for mixture in drawn if mixture.seats > 1), 1)
    for _ in range(12):
        race.answer()
    return race


def test_taking_back_to_another_state_is_noticed(driven: Drive) -> None:
    driven.past = [(None, asks) for _, asks in driven.past]
    with pytest.raises(AssertionError):
        driven.take_back()


def test_a_broken_invariant_is_noticed(driven: Drive, monkeypatch: pytest.MonkeyPatch) -> None:
    state = driven.engine.state()
    assert state is not None
    check_all(state, driven.engine.asks())
    state["debris"] = ["P1"]
    monkeypatch.setattr(driven.engine, "state", lambda: state)
    with pytest.raises(AssertionError, match="debris in the pit"):
        driven.check()


def test_a_record_that_replays_otherwise_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def finish_and_lose_the_lines(self: Drive) -> None:
        self.say({"end": True})
        self.record.clear()

    monkeypatch.setattr(Drive, "finish", finish_and_lose_the_lines)
    with pytest.raises(RecordError, match="another result"):
        play_through(draw("formule-de", Random(3)), 1)
