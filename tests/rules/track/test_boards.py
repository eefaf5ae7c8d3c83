"""The classic boards: each held to the figures that its source gives for the whole of it."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import NamedTuple

import pytest
from support.each import few_now
from support.formula import careful

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine
from companion.rules.board.build import load_track
from companion.rules.board.check import check_track, computed_ways
from companion.rules.board.track import Track

LIBRARY = TrackLibrary()


class Figures(NamedTuple):
    """A board counted: spaces, links, pairs side by side, middle spaces, corner by corner the
    shortest and the longest way, stops and turns, and whether it is sure."""

    spaces: int
    links: int
    pairs: int
    middle: int
    ways: str
    stops: str
    turns: str
    exact: bool = True


BOARDS = {
    "budapest": Figures(
        451,
        919,
        600,
        149,
        "4-10 8-13 1-4 3-7 2-5 6-11 1-5 1-5 2-6 4-10",
        "1211121111",
        "rllrrlrrlr",
    ),
    "estoril": Figures(
        561, 1184, 748, 187, "3-7 5-9 4-10 2-8 4-10 4-9 1-5 7-12", "11111112", "rrrllrrr"
    ),
    "hockenheim": Figures(
        437, 904, 582, 145, "2-5 9-13 14-21 8-12 1-5 2-7 1-5", "1231111", "rrrlrlr"
    ),
    "interlagos": Figures(
        556, 1196, 741, 185, "7-12 2-6 3-6 8-14 1-6 4-8 2-6", "2112111", "llrrrll"
    ),
    "magny-cours": Figures(
        611, 1280, 813, 202, "3-6 12-17 8-13 7-9 3-8 7-10 4-10 7-13", "11211112", "lrrrlrrr"
    ),
    "melbourne": Figures(
        398, 826, 530, 132, "4-8 5-11 1-5 4-8 4-7 2-6 10-18", "1211113", "rrrrlrr"
    ),
    "montreal": Figures(376, 782, 500, 124, "5-11 6-11 6-11 5-11 5-11 3-6", "222221", "lrlrrr"),
    "monza": Figures(375, 784, 499, 124, "7-13 3-6 3-7 1-5 8-13 5-10", "211121", "llrrlr"),
    "nurburgring": Figures(
        438, 905, 583, 145, "5-10 1-5 1-5 5-11 1-4 1-5 2-6 11-18", "21121113", "rlrrllrl"
    ),
    "san-marino": Figures(
        426, 891, 567, 141, "7-12 4-7 2-6 1-5 1-5 3-6 5-11 3-6", "21111121", "llllrrll", exact=False
    ),
    "sepang": Figures(
        595, 1266, 791, 196, "5-14 1-5 9-13 7-12 1-5 1-4 1-4 2-6 2-7", "212211111", "rrlrlrlrl"
    ),
    "silverstone": Figures(449, 931, 598, 149, "3-7 15-22 2-6 6-13 13-23", "13123", "rrrll"),
    "spa": Figures(
        535,
        1093,
        712,
        177,
        "1-6 10-14 8-13 7-14 5-10 6-12 6-12 6-11",
        "11221212",
        "rlrrlrrl",
        exact=False,
    ),
    "suzuka": Figures(441, 915, 586, 145, "6-11 13-20 3-7 1-6 6-12 6-10", "131122", "rlrllr"),
    "zeltweg": Figures(
        533, 1134, 711, 178, "3-6 5-10 1-5 1-4 7-12 1-5 2-5 2-6 2-6", "121121111", "rrrrllrrr"
    ),
}


@pytest.fixture(params=sorted(BOARDS))
def name(request: pytest.FixtureRequest) -> str:
    """A board's name, each in turn."""
    board: str = request.param
    return board


@pytest.fixture
def board(name: str) -> Track:
    return LIBRARY.load(name)


@pytest.fixture
def figures(name: str) -> Figures:
    return BOARDS[name]


def count(board: Track) -> tuple[int, int, int, int]:
    """Spaces, links, pairs side by side and middle spaces of a board."""
    spaces = board.track_spaces()
    links = sum(len(board.nexts[space]) for space in spaces)
    pairs = {frozenset((space, other)) for space in spaces for other in board.beside[space]}
    return len(spaces), links, len(pairs), sum(board.lane[space] == 1 for space in spaces)


def steps_along(board: Track) -> set[int]:
    """By how many levels one step goes on: what occurs on the board, past the line too."""
    return {
        (board.level[end] - board.level[space]) % board.lap_levels
        for space in board.track_spaces()
        for end in board.nexts[space]
    }


def ids(board: Track, spaces: tuple[int, ...]) -> list[str]:
    return [board.ids[space] for space in spaces]


def test_every_board_that_ships_is_counted_here_or_is_monaco_or_our_own():
    assert {*BOARDS, "monaco", "manege", "port-lanterne"} == set(TrackLibrary(()).names())
    assert len(BOARDS) == 15


def test_spaces_links_and_pairs_are_those_of_the_source(board, figures):
    assert count(board) == (figures.spaces, figures.links, figures.pairs, figures.middle)


def test_a_lane_change_left_out_shows_in_the_counts():
    text = LIBRARY.text("monza")
    spoiled = count(load_track(text.replace('"m1>r1", ', "", 1)))
    assert spoiled[1] == BOARDS["monza"].links - 1


def test_computed_ways_through_the_corners_are_those_of_the_source(board, figures):
    ways = [computed_ways(board, at) for at in range(len(board.corners))]
    assert " ".join(f"{shortest}-{longest}" for shortest, longest in ways) == figures.ways
    assert ways == [(corner.shortest, corner.longest) for corner in board.corners]


def test_stops_and_directions_are_those_of_the_source(board, figures):
    assert "".join(str(corner.stops) for corner in board.corners) == figures.stops
    assert "".join(corner.turns[0] for corner in board.corners) == figures.turns


def test_the_shipped_file_is_sound(board):
    assert check_track(board.source) == []


def test_only_boards_whose_sources_agree_are_called_exact(board, figures):
    assert board.exact is figures.exact


def test_straights_and_corners_take_turns(board):
    labels = [section.label for section in board.sections]
    assert labels == [f"{kind}{n}" for n in range(1, len(board.corners) + 1) for kind in "ST"]


def test_levels_are_twice_the_middle_spaces_and_cover_the_lap(board, figures):
    assert board.lap_levels == 2 * figures.middle
    levels = [board.level[space] for space in board.track_spaces()]
    assert (min(levels), max(levels)) == (1, board.lap_levels)


def test_a_step_goes_forward_along_the_lap(board):
    assert max(steps_along(board)) < 20


def test_a_lane_is_entered_in_driving_order(board):
    for space in board.track_spaces():
        if board.number[space] > 1:
            gained = board.level[space] - board.level[board.behind[space]]
            assert gained % board.lap_levels > 0, board.ids[space]


def test_no_car_of_the_grid_stands_ahead_of_the_one_before_it_or_past_the_line(board):
    assert len(board.grid) == 10
    levels = [board.level[space] for space in board.grid]
    assert all(ahead >= behind for ahead, behind in pairwise(levels))
    assert not any(board.past_line[space] for space in board.grid)


def test_the_pit_has_a_box_for_each_of_ten_cars_and_lies_along_the_finish(board):
    assert len(board.boxes) == 10
    far = [board.far_level[space] for space in board.pit]
    assert far == sorted(far)
    assert far[0] <= board.lap_levels < board.level[board.exits[0]] + board.lap_levels
    assert ids(board, board.exits)[0].startswith("S1.")


def test_the_black_die_tells_the_weather(board):
    table = board.weather
    assert table is not None
    assert (table["rain"][0], table["fine"][1]) == (1, 20)


@pytest.mark.slow
@pytest.mark.parametrize("name", few_now(sorted(BOARDS), 4), indirect=True)
def test_a_careful_race_of_one_lap_comes_to_its_end(name):
    engine = Engine(LIBRARY)
    careful.race(engine, careful.header(10, track=name, laps=1), Random(name))
    state = engine.state()
    assert state is not None
    assert state["phase"] == "finished"
    assert any(car["status"] == "finished" for car in state["cars"].values())
