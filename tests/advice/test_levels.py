"""The rungs of the ladder: their names and ratings, how they err, whole races of them."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from driven import decisions
from support.advice import setup_on
from support.each import in_one

from companion.advice.bots.by_room import Amateur, Erring, play
from companion.advice.bots.levels import FIRST, LEVELS, USUAL, Draw, level_kind, level_name
from companion.race.boards import TrackLibrary
from companion.rules.board import ways
from companion.rules.formula.asks import GearChoice
from companion.rules.formula.book import DRIVERS
from companion.rules.formula.car import Car, Status
from companion.rules.formula.game import Formula
from companion.rules.formula.ground import OnBoard
from companion.rules.formula.state import Phase, State
from companion.rules.games import fetch


def test_ten_rungs_rise_by_what_30_to_40_wins_in_100_are() -> None:
    ratings = [kind.rating for kind in LEVELS.values()]
    assert len(LEVELS) == 10
    for lower, upper in pairwise(ratings):
        assert 0.3 <= 1 / (1 + 10 ** ((upper - lower) / 400)) <= 0.4


def test_the_old_names_stay_rungs_in_their_order_and_an_amateur_is_usual() -> None:
    old = ["learner", "amateur", "racer", "champion"]
    assert [name for name in LEVELS if name in old] == old
    assert USUAL == "amateur"
    assert not LEVELS[FIRST].needs_board


@in_one("word", LEVELS)
def test_a_rung_goes_by_its_name_or_a_rating_near_its_own(word: str) -> None:
    assert level_name(word) == word
    assert level_name(str(LEVELS[word].rating + 40)) == word
    assert re.fullmatch("[a-z0-9-]+", word)


def position(seed: int) -> tuple[State, list[GearChoice]]:
    """A car in 3rd somewhere on Le Manège, and its gears."""
    track = TrackLibrary(()).load("manege")
    car = Car(1, "", 1, space=track.grid[0] + seed % 40, lap=1, gear=3, status=Status.RACING)
    car = replace(car, wear=(6, 3, 3, 3, 3, 2))
    state = State(setup_on("manege", 1), OnBoard(), Phase.RACE, round=seed, cars={1: car})
    return state, [GearChoice(gear) for gear in (1, 2, 3, 4)]


def test_a_rung_that_errs_gives_the_same_answer_in_the_same_position() -> None:
    kind = LEVELS["learner"]
    asked = [position(seed) for seed in range(200)]
    found = [kind.make(None).gear(state, 1, choices) for state, choices in asked]
    assert found == [kind.make(None).gear(state, 1, choices) for state, choices in asked]
    best = [Amateur().gear(state, 1, choices) for state, choices in asked]
    differ = sum(one != other for one, other in zip(found, best, strict=True))
    assert 0 < differ < len(asked) / 2


def test_people_err_most_where_a_corner_is_near() -> None:
    def share(near: bool) -> float:
        drawn = [Draw(seed) for seed in range(400)]
        erring = Erring(Amateur(), 0.5, 0)
        return sum(erring._softly((0, 1), (0.0, 1.0), draw, near=near) for draw in drawn) / 400

    assert share(near=False) < 0.02 < 0.05 < share(near=True) < 0.25


HOUSES: list[dict[str, Any]] = [
    {},
    {"rules": ["basic"]},
    {"game": "formule-de", "rules": ["weather", "tires"]},
    {"rules": ["weather", "tires", "technical"], "house": {"second_roll": "any"}},
    {"rules": ["urban", "weather"], "track": "port-lanterne"},
    {"house": {"corner_ways": "shortest", "block_end": "plays-first", "extra_move": "engine"}},
]


@pytest.mark.parametrize("header", HOUSES, ids=str)
@pytest.mark.slow
def test_what_is_left_out_where_nobody_keeps_the_answers_changes_no_race(
    header: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """FD-MOVE-1: roads that are kept, ends looked at in part, a queue that nobody tells."""
    game = fetch(header.get("game", "formula-d"))
    assert isinstance(game, Formula)
    seats: list[dict[str, Any]] = [{"seat": seat} for seat in range(1, 6)]
    if "urban" in header.get("rules", ()):
        seats = [one | {"driver": name} for one, name in zip(seats, DRIVERS, strict=False)]
    header = {"game": game.name, "track": "manege", "laps": 1, "seats": seats, **header}
    begun = game.begin(header, TrackLibrary().load(header["track"])).state
    levels = {one: Amateur() if one < 4 else level_kind("learner").make(None) for one in begun.cars}
    monkeypatch.setattr(ways, "_kept", None)
    for number in range(2):
        *_, last = decisions(game, begun, levels, Random(number))
        with monkeypatch.context() as kept:
            kept.setattr(ways, "_kept", None)
            ways.keep_roads()
            assert play(begun, levels, Random(number)) == last.state
