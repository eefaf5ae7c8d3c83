"""Monaco as it lies on the table: figures read off the board."""

from __future__ import annotations

import pytest

from companion.race.boards import TrackLibrary
from companion.rules.board.check import check_track, computed_ways
from companion.rules.board.track import IN_PIT, Track


@pytest.fixture(scope="module")
def monaco() -> Track:
    return TrackLibrary().load("monaco")


def ids(track: Track, spaces) -> list[str]:
    return [track.ids[space] for space in spaces]


def test_the_board_has_497_spaces_993_links_and_663_pairs_side_by_side(monaco):
    spaces = monaco.track_spaces()
    links = sum(len(monaco.nexts[space]) for space in spaces)
    pairs = {frozenset((space, other)) for space in spaces for other in monaco.beside[space]}
    assert (len(spaces), links, len(pairs)) == (497, 993, 663)


def test_a_lap_is_ten_straights_and_ten_corners_by_turns(monaco):
    labels = [section.label for section in monaco.sections]
    assert labels == [f"{kind}{n}" for n in range(1, 11) for kind in "ST"]


def test_the_shipped_file_is_sound(monaco):
    assert check_track(monaco.source) == []


def test_stops_and_directions_are_those_of_the_board(monaco):
    assert [corner.stops for corner in monaco.corners] == [1, 1, 1, 1, 3, 1, 1, 2, 2, 1]
    assert "".join(corner.turns[0] for corner in monaco.corners) == "rlrrlllllr"


def test_computed_ways_through_the_corners_are_the_printed_ones(monaco):
    printed = [(3, 7), (5, 10), (2, 6), (2, 6), (8, 18), (5, 9), (3, 7), (8, 13), (6, 11), (2, 6)]
    assert [computed_ways(monaco, at) for at in range(10)] == printed
    assert [(corner.shortest, corner.longest) for corner in monaco.corners] == printed


@pytest.mark.parametrize(
    ("space", "level"),
    [
        ("S1.m18", 2),
        ("S1.m17", 332),
        ("S1.l17", 1),
        ("S1.r18", 1),
        ("S1.l16", 331),
        ("S1.r17", 331),
        ("T1.m1", 12),
    ],
)
def test_levels_count_from_the_line(monaco, space, level):
    assert monaco.level[monaco.index[space]] == level


def test_levels_of_a_lap_are_twice_the_middle_spaces(monaco):
    assert monaco.lap_levels == 332
    assert min(monaco.level) == 1
    assert max(monaco.level) == 332


def test_a_step_forward_is_never_a_step_back_along_the_lap(monaco):
    for space in monaco.track_spaces():
        for end in monaco.nexts[space]:
            assert 0 <= (monaco.level[end] - monaco.level[space]) % 332 < 16


def test_every_lane_goes_round_and_comes_back(monaco):
    for lane, count in enumerate(map(sum, zip(*(s.spaces for s in monaco.sections), strict=True))):
        start = here = monaco.index[f"S1.{monaco.lanes[lane]}1"]
        for _ in range(count):
            assert monaco.behind[monaco.ahead[here]] == here
            here = monaco.ahead[here]
        assert here == start


def test_the_finish_line_is_passed_on_entering_l17_m18_and_r18(monaco):
    crossing = {
        monaco.ids[end]
        for space in monaco.track_spaces()
        for end in monaco.nexts[space]
        if monaco.past_line[end] and not monaco.past_line[space]
    }
    assert crossing == {"S1.l17", "S1.m18", "S1.r18"}
    past = ids(monaco, (space for space in monaco.track_spaces() if monaco.past_line[space]))
    assert len(past) == 5 + 5 + 6


def test_the_grid_begins_with_the_pole_on_the_left(monaco):
    grid = "l16 r16 l13 r13 l10 r10 l7 r7 l4 r4"
    assert ids(monaco, monaco.grid) == [f"S1.{space}" for space in grid.split()]


def test_in_a_straight_a_change_goes_to_the_first_space_whose_front_is_ahead(monaco):
    assert ids(monaco, monaco.nexts[monaco.index["S1.r1"]]) == ["S1.r2", "S1.m1"]
    assert ids(monaco, monaco.nexts[monaco.index["S1.m1"]]) == ["S1.m2", "S1.l1", "S1.r2"]
    assert ids(monaco, monaco.nexts[monaco.index["S7.l1"]]) == ["S7.l2", "S7.m1"]


def test_a_closed_change_stays_side_by_side(monaco):
    last = monaco.index["S1.m22"]
    assert ids(monaco, monaco.nexts[last]) == ["T1.m1"]
    assert monaco.index["S1.r23"] in monaco.beside[last]


def test_beside_is_mutual_and_holds_every_lane_change(monaco):
    for space in monaco.track_spaces():
        assert all(space in monaco.beside[other] for other in monaco.beside[space])
        changes = set(monaco.nexts[space]) - {monaco.ahead[space]}
        assert changes <= set(monaco.beside[space])


def test_the_inside_of_a_right_turn_is_the_right_lane(monaco):
    assert [monaco.inside(monaco.index[f"T1.{lane}1"]) for lane in "lmr"] == [2, 1, 0]
    assert [monaco.inside(monaco.index[f"T2.{lane}1"]) for lane in "lmr"] == [0, 1, 2]


def test_in_a_straight_the_inside_is_that_of_the_next_corner(monaco):
    assert monaco.inside(monaco.index["S2.l1"]) == 0
    assert monaco.corners[monaco.next_corner[monaco.index["S1.l1"]]].label == "T1"
    assert monaco.corners[monaco.next_corner[monaco.index["T10.l6"]]].label == "T10"


def test_the_pit_lane_goes_from_its_entries_over_18_spaces_to_its_exits(monaco):
    entries = ids(monaco, (s for s in monaco.track_spaces() if monaco.entries[s]))
    assert entries == ["S1.r1", "S1.r2"]
    assert ids(monaco, monaco.entries[monaco.index["S1.r1"]]) == ["P1"]
    assert ids(monaco, monaco.pit) == [f"P{k}" for k in range(1, 19)]
    assert ids(monaco, monaco.nexts[monaco.pit[0]]) == ["P2"]
    assert ids(monaco, monaco.nexts[monaco.pit[-1]]) == ["S1.r19", "S1.r20"]
    assert monaco.ahead[monaco.pit[-1]] == -1
    assert monaco.behind[monaco.pit[0]] == -1


def test_ten_boxes_lie_beside_the_spaces_4_to_13_of_the_lane(monaco):
    assert ids(monaco, monaco.boxes) == [f"B{k}" for k in range(1, 11)]
    assert ids(monaco, monaco.box_lane) == [f"P{k}" for k in range(4, 14)]
    assert [monaco.nexts[box][0] for box in monaco.boxes] == list(monaco.box_lane)


def test_levels_of_the_pit_are_spread_from_the_last_entry_to_the_first_exit(monaco):
    """301 and 335 (3 a lap on), 34 levels over 19 steps, rounded down."""
    far = [monaco.far_level[space] for space in monaco.pit]
    assert far == [301 + 34 * k // 19 for k in range(1, 19)]
    assert far[-1] == 333
    assert monaco.level[monaco.pit[-1]] == 1


def test_a_box_has_the_level_of_its_lane_space(monaco):
    for box, lane in zip(monaco.boxes, monaco.box_lane, strict=True):
        assert monaco.far_level[box] == monaco.far_level[lane]


def test_the_pit_is_in_no_lane_section_corner_or_straight_and_beside_nothing(monaco):
    for space in (*monaco.pit, *monaco.boxes):
        assert (monaco.lane[space], monaco.section[space], monaco.corner[space]) == (-1, -1, -1)
        assert monaco.straight[space] == IN_PIT
        assert monaco.beside[space] == ()
        assert monaco.inside(space) == 3


def test_the_weather_table_is_that_of_the_board(monaco):
    assert monaco.weather == {"rain": (1, 7), "variable": (8, 12), "fine": (13, 20)}
