"""The forecast of the end: turns that are left, minutes that a table is told."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from support.tables.sitting import CachedLibrary

from companion.advice.bots.levels import level_kind
from companion.advice.play import decisions
from companion.race.engine import Engine
from companion.rules.formula.forecast import _plain, turns_left
from companion.rules.formula.game import FormulaD
from companion.rules.formula.state import State
from companion.table.clock import in_steps


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
    assert turns_left(state, state, 0) is None


def test_without_a_board_nothing_is_told() -> None:
    state = opened(track=None)
    assert turns_left(state, state, 0) is None


def test_the_further_the_fewer_and_each_lap_is_more() -> None:
    early, late, longer = at("S3.m1", 1), at("S3.m1", 2), at("S3.m1", 1, laps=3)
    told = [turns_left(state, state, 0) for state in (late, early, longer)]
    assert None not in told
    assert told == sorted(told, key=lambda one: one or 0)
    assert told[0] != told[1] != told[2]


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
    three = turns_left(begun, begun, 0)
    assert engine.handle({"seat": 3, "retire": True})["ok"]
    two = turns_left(engine.moment, begun, 0)
    assert three is not None
    assert two is not None
    assert 0.6 < two / three < 0.8


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
    slow, fast = turns_left(now, begun, 60), turns_left(now, begun, 12)
    assert slow is not None
    assert fast is not None
    assert slow > fast


@pytest.mark.parametrize("seed", [1, 2])
def test_a_third_into_a_race_it_is_not_far_off(seed: int) -> None:
    """A coarse check; how good it really is `benchmarks/forecast.py` measures."""
    game, level, dice = FormulaD(), level_kind("amateur").make(None), Random(seed)
    begun = state = opened(laps=1, seats=4)
    turns: list[State] = []
    for decision in decisions(game, begun, dict.fromkeys(begun.cars, level), dice):
        if not turns or (turns[-1].round, turns[-1].turn) != (state.round, state.turn):
            turns.append(state)
        state = decision.state
    third = len(turns) // 3
    left = turns_left(turns[third], begun, third)
    assert left is not None
    assert 0.65 < left / (len(turns) - third) < 1.5


@pytest.mark.parametrize(("minutes", "told"), [(0.0, 1), (9.4, 9), (9.99, 10), (12.6, 15)])
def test_minutes_are_told_as_people_say_them(minutes: float, told: int) -> None:
    assert in_steps(minutes) == told
