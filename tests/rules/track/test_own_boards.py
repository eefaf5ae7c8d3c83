"""The boards that are our own: a street circuit at night, and a small one for learning."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from support.formula import careful

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine
from companion.rules.board.check import check_track, computed_ways
from companion.rules.board.track import Track

LIBRARY = TrackLibrary(())


@pytest.fixture(params=["port-lanterne", "manege"])
def board(request: pytest.FixtureRequest) -> Track:
    return LIBRARY.load(request.param)


def middle(board: Track) -> int:
    return board.lap_levels // 2


def stops(board: Track) -> int:
    return sum(corner.stops for corner in board.corners)


def rounds(name: str, dice: int) -> int:
    """Rounds of a careful race of six over one lap."""
    engine = Engine(LIBRARY)
    header = careful.header(6, track=name, laps=1, grid=[1, 2, 3, 4, 5, 6], start="normal")
    careful.race(engine, header, Random(dice))
    assert engine.moment is not None
    return engine.moment.round


def test_our_own_boards_are_sound_and_sure(board: Track) -> None:
    assert board.exact
    assert check_track(board.source) == []
    printed = [(corner.shortest, corner.longest) for corner in board.corners]
    assert printed == [computed_ways(board, at) for at in range(len(board.corners))]


def test_ten_cars_find_a_place_behind_one_another(board: Track) -> None:
    levels = [board.level[space] for space in board.grid]
    assert len(levels) == 10
    assert all(ahead >= behind for ahead, behind in pairwise(levels))


def test_the_weather_is_told_and_there_is_no_pit(board: Track) -> None:
    assert board.weather is not None
    assert not board.pit


def test_the_street_circuit_has_every_feature_and_corners_as_dense_as_monaco() -> None:
    streets, monaco = LIBRARY.load("port-lanterne"), LIBRARY.load("monaco")
    assert streets.noise
    assert streets.dark
    assert streets.police
    assert streets.tunnel
    assert {corner.stops for corner in streets.corners} == {1, 2, 3}
    density = stops(streets) / middle(streets)
    assert density == pytest.approx(stops(monaco) / middle(monaco), rel=0.1)


def test_the_board_for_learning_is_small() -> None:
    small = LIBRARY.load("manege")
    assert len(small.corners) == 4
    assert middle(small) < middle(LIBRARY.load("monaco")) / 2


def test_a_lap_of_learning_takes_six_cars_a_dozen_rounds() -> None:
    assert 9 <= rounds("manege", 1) <= 16


@pytest.mark.slow
def test_a_lap_in_the_streets_takes_six_cars_some_twenty_five_rounds() -> None:
    assert 20 <= rounds("port-lanterne", 1) <= 32
