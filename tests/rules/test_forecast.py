"""The forecast of the end: turns that are left, minutes that a table is told."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from driven import decisions
from support.tables.sitting import CachedLibrary

from companion.advice.bots.levels import level_kind
from companion.race.engine import Engine
from companion.rules.formula.forecast import Driven, _plain, told, turns_left
from companion.rules.formula.game import FormulaD
from companion.rules.formula.state import State
from companion.rules.game import Left
from companion.table.clock import in_steps, span_of


def opened(laps: int = 2, track: str | None = "monaco", seats: int = 3) -> State:
    header = {
        "game": "formula-d", "track": track, "laps": laps, "start": "normal",
        "seats": [{"seat": seat} for seat in range(1, seats + 1)],
        "grid": list(range(1, seats + 1)),
    }  # fmt: skip
    engine = Engine(CachedLibrary())
    assert engine.handle({"new": header})["ok"]
    state: State = engine.moment
    return state


def at(space: str, lap: int, laps: int = 2, round: int = 9) -> State:
    """Two cars there in mid-race."""
    header = {
        "game": "formula-d", "track": "monaco", "laps": laps,
        "seats": [{"seat": 1}, {"seat": 2}],
        "position": {
            "cars": {
                "1": {"space": space, "gear": 3, "lap": lap},
                "2": {"space": "S6.m1", "gear": 3, "lap": lap},
            },
            "round": round, "order": [1, 2], "turn": 1,
        },
    }  # fmt: skip
    engine = Engine(CachedLibrary())
    reply = engine.handle({"new": header})
    assert reply["ok"], reply
    state: State = engine.moment
    return state


def test_nothing_is_told_before_the_second_round() -> None:
    state = opened()
    assert state.round == 1
    assert turns_left(state, state, {}) is None


def test_without_a_board_nothing_is_told() -> None:
    state = opened(track=None)
    assert turns_left(state, state, {}) is None


def test_the_further_the_fewer_and_each_lap_is_more() -> None:
    early, late, longer = at("S3.m1", 1), at("S3.m1", 2), at("S3.m1", 1, laps=3)
    left = [turns_left(state, state, {}) for state in (late, early, longer)]
    turns = [one.turns for one in left if one]
    assert turns == sorted(set(turns))
    assert len(turns) == 3


def test_who_is_out_has_no_turns_left() -> None:
    header: dict[str, Any] = {
        "game": "formula-d", "track": "monaco", "laps": 2,
        "seats": [{"seat": seat} for seat in (1, 2, 3)],
        "position": {
            "cars": {
                str(seat): {"space": space, "gear": 3, "lap": 1}
                for seat, space in ((1, "S3.m1"), (2, "S6.m1"), (3, "S6.m4"))
            },
            "round": 9, "order": [1, 2, 3], "turn": 1,
        },
    }  # fmt: skip
    engine = Engine(CachedLibrary())
    assert engine.handle({"new": header})["ok"]
    begun = engine.moment
    three = turns_left(begun, begun, {})
    assert engine.handle({"seat": 3, "retire": True})["ok"]
    two = turns_left(engine.moment, begun, {})
    assert three is not None
    assert two is not None
    assert 0.6 < two.turns / three.turns < 0.8


@pytest.mark.parametrize("name", ["monaco", "hockenheim", "manege"])
def test_a_plain_driver_makes_all_stops_of_a_lap_and_needs_less_from_further_on(name: str) -> None:
    track = CachedLibrary(()).load(name)
    plain = _plain(track)
    assert sum(corner.stops for corner in track.corners) < plain.lap < track.lap_levels / 2
    third = [rows[0][3] for rows in plain.home]
    assert all(behind < before + 1 for before, behind in pairwise(third))
    assert third[-1] < 1.5


def test_a_slower_race_has_more_turns_left() -> None:
    begun, now = at("S1.m20", 1), at("S6.m9", 1)
    slow, fast = (turns_left(now, begun, {1: had, 2: had}) for had in (30, 6))
    assert slow is not None
    assert fast is not None
    assert slow.turns > fast.turns


def test_the_span_holds_what_is_told_and_is_wider_the_less_a_table_has_shown() -> None:
    early, late = told([Driven(6, 6, 40)] * 4), told([Driven(60, 60, 40)] * 4)
    assert early.low < early.turns < early.high
    assert (early.high - early.low) / early.turns > (late.high - late.low) / late.turns


def test_a_slow_seat_has_more_turns_left_than_one_at_the_pace_of_the_table() -> None:
    alike = told([Driven(30, 25, 30), Driven(30, 25, 5)])
    slow_ahead = told([Driven(20, 25, 30), Driven(40, 25, 5)])
    assert slow_ahead.turns < alike.turns


@pytest.mark.parametrize("seed", [1, 2])
def test_a_third_into_a_race_it_is_not_far_off(seed: int) -> None:
    """A coarse check; how good it really is `benchmarks/forecast.py` measures."""
    game, level, dice = FormulaD(), level_kind("amateur").make(None), Random(seed)
    begun = state = opened(laps=1, seats=4)
    turns: list[State] = []
    whose: list[int] = []
    for decision in decisions(game, begun, dict.fromkeys(begun.cars, level), dice):
        if not turns or (turns[-1].round, turns[-1].turn) != (state.round, state.turn):
            turns.append(state)
            whose.append(state.turn or 0)
        state = decision.state
    third = len(turns) // 3
    left = turns_left(turns[third], begun, Counter(whose[:third]))
    assert left is not None
    assert 0.65 < left.turns / (len(turns) - third) < 1.5


@pytest.mark.parametrize(("minutes", "told"), [(0.0, 1), (9.4, 9), (9.99, 10), (12.6, 15)])
def test_minutes_are_told_as_people_say_them(minutes: float, told: int) -> None:
    assert in_steps(minutes) == told


@pytest.mark.parametrize(
    ("minutes", "span"),
    [
        (Left(26.0, 21.5, 31.0), (20, 35)),
        (Left(8.0, 7.2, 8.9), (7, 9)),
        (Left(1.0, 0, 1.0), (1, 1)),
    ],
)
def test_a_span_is_told_in_whole_steps_that_hold_it(minutes: Left, span: tuple[int, int]) -> None:
    assert span_of(minutes) == span
