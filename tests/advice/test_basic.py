"""The basic game in advice: odds, bots and solved boards reckon with the one pool (FD-BASIC-16)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from driven import drive
from support.formula import careful

from companion.advice.alone import USUAL, Alone, BySky
from companion.advice.bots.by_room import play
from companion.advice.bots.levels import level_kind
from companion.advice.odds import odds
from companion.race.boards import TrackLibrary
from companion.rules.formula.game import Formula
from companion.rules.formula.state import State
from companion.rules.games import fetch
from companion.study.solved import SolvedBoards

LIBRARY = TrackLibrary(())


def game() -> Formula:
    found = fetch("formula-d")
    assert isinstance(found, Formula)
    return found


def begun(seats: int = 1, **more: Any) -> State:
    """A race of the basic game on the smallest board, past its grid and start rolls."""
    told = careful.header(seats, rules=["basic"], start="normal") | {"track": "manege"}
    told |= {"grid": list(range(1, seats + 1))} if "position" not in more else {}
    return game().begin({**told, **more}, LIBRARY.load("manege")).state


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> SolvedBoards:
    return SolvedBoards(tmp_path_factory.mktemp("solved"))


@pytest.fixture(scope="module")
def figures(boards: SolvedBoards) -> BySky:
    state = begun()
    wears = [car.full for car in state.cars.values()]
    boards.solved(state.setup, wears, builds=True)
    return BySky(state.setup, lambda sky: boards.find(state.setup, wears, sky))


@pytest.fixture
def alone(figures: BySky) -> Alone:
    found = figures.exactly(USUAL)
    assert found is not None
    return found


@pytest.mark.slow
def test_a_solved_board_knows_a_state_by_its_points(boards: SolvedBoards, figures: BySky) -> None:
    """FD-BASIC-16: `worth` is of points, and there is nothing to build."""
    state = begun()
    table = boards.find(state.setup, [state.cars[1].full])
    assert table is not None
    told = table.title.summary
    assert (told["laps"], list(told["worth"]), told["best_builds"]) == (1, ["points"], [])
    assert 0 < told["worth"]["points"] < 0.5
    assert table.title.box.shape == (1, 1, 1, 19)


@pytest.mark.slow
@pytest.mark.parametrize("points", [18, 6, 3, 2, 1])
@pytest.mark.parametrize(
    ("space", "gear", "stops"),
    [("S1.m12", 4, 0), ("T1.m3", 3, 0), ("S4.r5", 5, 0), ("T4.m4", 2, 1)],
)
def test_what_a_board_is_solved_to_is_what_a_turn_by_the_rules_comes_to(
    alone: Alone, points: int, space: str, gear: int, stops: int
) -> None:
    """FD-BASIC-5 to FD-BASIC-9: each gear on offer, each face played by its best end."""
    car = {"space": space, "gear": gear, "lap": 1, "stops": stops, "wear": {"points": points}}
    state = begun(position={"cars": {"1": car}, "order": [1], "turn": 1})
    found = odds(state, 1, alone)
    assert found
    for lever, one in found.items():
        choice = next(c for c in state.pending[0].asks(state)[0].choices if c.gear == lever)
        assert one.turns == pytest.approx(alone.engaged(state.cars[1], choice), abs=0.02)
        assert one.spin == 0
        assert len(one.wear) == 1


@pytest.mark.slow
def test_a_car_alone_takes_as_many_turns_as_are_expected(figures: BySky, alone: Alone) -> None:
    """FD-BASIC-16: the racer, in two hundred races."""
    state, racer = begun(), level_kind("racer").make(figures)
    expected = alone.standing(state.cars[1])
    turns = [drive(game(), state, racer, alone, Random(seed))[1] for seed in range(200)]
    assert sum(turns) / len(turns) == pytest.approx(expected, abs=0.25)


@pytest.mark.parametrize("level", ["learner", "amateur", "racer", "champion"])
def test_every_level_drives_a_race_of_the_basic_game(figures: BySky, level: str) -> None:
    """FD-BASIC-16"""
    state, driver = begun(3), level_kind(level).make(figures)
    end = play(state, dict.fromkeys(state.cars, driver), Random(2))
    assert end.phase == "finished"
    assert all(car.out is None for car in end.cars.values())
