"""Boards of the public editor's format, read into track files of ours."""

from __future__ import annotations

import re
from random import Random

import pytest
from support.formula.dat import TINY, oval, write_dat

from companion.race.boards import TrackLibrary
from companion.rules.board.build import load_track
from companion.rules.board.track import Track
from race_companion_dat import Imported, import_dat

BOARDS = TrackLibrary()
MIDDLE_BEHIND = ("monaco", "monza", "san-marino", "spa")
"""Boards whose line the editor draws a space farther in the outer lanes."""


def board_of(imported: Imported) -> Track:
    assert imported.text is not None, imported.faults
    return load_track(imported.text)


def corners_of(track: Track) -> list[tuple[int, str]]:
    return [(corner.stops, corner.turns) for corner in track.corners]


def lines_of(imported: Imported) -> list[str]:
    return [str(doubt) for doubt in imported.doubts]


@pytest.mark.parametrize("name", MIDDLE_BEHIND)
@pytest.mark.slow
def test_a_board_written_in_the_format_is_read_back_space_by_space(name):
    """One way through the other program's format, our sheet in and the same board out."""
    track = BOARDS.load(name)
    imported = import_dat(write_dat(track, line_ahead=1), track.name)
    board = board_of(imported)
    assert board.ids == track.ids
    assert [*map(set, board.nexts)] == [*map(set, track.nexts)]
    assert [*map(set, board.beside)] == [*map(set, track.beside)]
    assert (board.level, board.far_level) == (track.level, track.far_level)
    assert (board.finish, board.grid) == (track.finish, track.grid)
    assert (board.entries, board.exits, board.box_lane) == (
        track.entries, track.exits, track.box_lane)  # fmt: skip
    assert [(c.stops, c.turns) for c in board.corners] == [
        (c.stops, c.turns) for c in track.corners
    ]
    assert board.exact
    assert not imported.faults


@pytest.mark.parametrize("lanes", ["lr", "lmnr"])
def test_boards_of_two_and_four_lanes_are_read(lanes):
    track = oval(lanes)
    board = board_of(import_dat(write_dat(track), "Oval"))
    assert (board.lanes, board.ids) == (tuple(lanes), track.ids)
    assert [*map(set, board.nexts)] == [*map(set, track.nexts)]
    assert (board.finish, board.grid) == (track.finish, track.grid)


STRAIGHT = {"S1.l": (0, 1, 2, 3), "S1.m": (4, 5, 6, 7), "S1.r": (8, 9, 10, 11)}
CORNER = {"T1.l": (12, 13), "T1.m": (14, 15), "T1.r": (16, 19)}


def differences(text: str, board: Track, lanes: dict[str, tuple[int, ...]]) -> set[str]:
    """Steps that only the drawing or only the board has; `lanes` says what each space is called."""
    name = {s: f"{lane}{n}" for lane, there in lanes.items() for n, s in enumerate(there, 1)}
    assert {*name.values()} == {board.ids[space] for space in board.track_spaces()}
    drawn = (tuple(map(int, line.split())) for line in text.split("\n\n")[1].splitlines())
    steps = {f"{name[a]}>{name[b]}" for a, b in drawn if a in name and b in name}
    return steps ^ {f"{board.ids[s]}>{board.ids[end]}"
                    for s in board.track_spaces() for end in board.nexts[s]}  # fmt: skip


def edited(*changes: tuple[str, str]) -> str:
    """The little board with lines of it put in other words."""
    text = TINY
    for old, new in changes:
        assert f"\n{old}\n" in text
        text = text.replace(f"\n{old}\n", f"\n{new}\n" if new else "\n", 1)
    return text


def test_outer_lanes_that_both_lead_are_written_change_by_change():
    imported = import_dat(TINY, "Tiny")
    board = board_of(imported)
    assert not differences(TINY, board, STRAIGHT | CORNER)
    assert [board.ids[space] for space in board.grid] == ["S1.l1", "S1.r1"]
    assert not imported.faults


def test_a_line_astride_the_limit_of_a_corner_is_read():
    """The mark of one outer lane lies in the corner; the line is a space nearer in both."""
    text = edited(
        ("1 60 20 1 F", "1 60 20 1"), ("5 50 40 1 F", "5 50 40 1"), ("9 60 60 1 F", "9 60 60 1"),
        ("3 100 20 1", "3 100 20 3 F"), ("7 90 40 1", "7 90 40 1 F"),
        ("11 100 60 1", "11 100 60 1 F"), ("7 3", ""), ("12 1.0", "3 0.0\n12 1.0"),
    )  # fmt: skip
    imported = import_dat(text, "Astride")
    board = board_of(imported)
    lanes = STRAIGHT | CORNER | {"S1.l": (0, 1, 2), "T1.l": (3, 12, 13)}
    assert not differences(text, board, lanes)
    assert [board.ids[space] for space in board.finish] == ["S1.l3", "S1.m4", "S1.r3"]
    assert board.exact
    assert not imported.faults


BLOCKED = ("19 112 78 3", "19 112 78 3\n20 1 1 4")


def test_a_lane_on_a_part_of_the_lap_is_read_over_the_blocked_space_in_its_gap():
    """A fourth lane from before the line to behind it, which no corner has."""
    text = edited(
        ("1 60 20 1 F", "1 60 20 1"), ("5 50 40 1 F", "5 50 40 1"), ("9 60 60 1 F", "9 60 60 1"),
        ("2 80 20 1", "2 80 20 1 F"), ("6 70 40 1", "6 70 40 1 F"), ("10 80 60 1", "10 80 60 1 F"),
        ("19 112 78 3", "19 112 78 3\n21 50 80 1\n22 70 80 1 F\n23 90 80 1\n20 95 80 4"),
        ("18 10", "18 10\n8 21\n21 22\n21 9\n9 22\n22 23\n22 10\n10 23\n23 11\n23 20\n20 21"),
    )  # fmt: skip
    imported = import_dat(text, "Part")
    board = board_of(imported)
    right = {"S1.m": STRAIGHT["S1.m"], "S1.n": STRAIGHT["S1.r"], "S1.r": (21, 22, 23)}
    lanes = STRAIGHT | right | {"T1.l": (12, 13), "T1.m": (14, 15), "T1.n": (16, 19)}
    assert not differences(text, board, lanes)
    assert [section.spaces for section in board.sections] == [(4, 4, 4, 3), (2, 2, 2, 0)]
    assert "track: space 20 is blocked and left out" in lines_of(imported)
    assert not imported.faults
    # The cars beside the lane's first space are those of the lane next to it, not of the whole lap.
    first = board.index["S1.r1"]
    assert {board.ids[space] for space in board.beside[first]} == {"S1.n1", "S1.n2"}


def test_a_blocked_space_in_a_lane_parts_it_and_the_step_over_it_is_named():
    text = edited(BLOCKED, ("12 13", "12 20\n20 13\n14 13"), ("13 2.0", "13 3.0"))
    imported = import_dat(text, "Blocked")
    assert differences(text, board_of(imported), STRAIGHT | CORNER) == {"T1.l1>T1.l2"}
    assert {
        "track: space 20 is blocked and left out",
        "T1, lane l: T1.l1>T1.l2 is not in the file, and is taken to be there",
    } <= {*lines_of(imported)}


@pytest.mark.parametrize("step", ["1 2", "2 3", "6 7", "9 10", "14 15", "16 19", "19 8"])
def test_a_lane_that_lacks_an_arrow_is_named_by_the_space_that_it_ends_at(step):
    start, _ = step.split()
    (first, *_) = import_dat(edited((step, "")), "Tiny").faults
    assert f"ends at space {start}, and not at the finish line: draw the arrow on" in str(first)


def test_what_the_file_cannot_say_is_named():
    doubts = lines_of(import_dat(TINY, "Tiny"))
    assert [line.partition(":")[0] for line in doubts] == ["T1", "finish", "weather", "corners"]


DOUBTS = {
    "an arrow over a lane": (
        ("\n8 9\n", "\n8 9\n8 1\n"), "S1, lane r: S1.r1>S1.l2 jumps over a lane and is left out"),
    "an arrow over a space": (
        ("\n9 10\n", "\n9 11\n9 10\n"),
        "S1, lane r: S1.r2>S1.r4 jumps over a space and is left out"),
    "a corner of two minds": (
        ("13 120 90 3", "13 120 90 2"),
        "T1, lane l: T1.l2 has 2 stops, and not 1 as the others"),
    "a blocked space": (
        ("19 112 78 3\n", "19 112 78 3\n20 1 1 4\n"), "track: space 20 is blocked and left out"),
}  # fmt: skip


@pytest.mark.parametrize("case", DOUBTS)
def test_a_doubt_names_section_and_lane(case):
    (old, new), wanted = DOUBTS[case]
    assert old in TINY
    imported = import_dat(TINY.replace(old, new, 1), "Tiny")
    assert wanted in lines_of(imported)
    assert board_of(imported).exact == ("stops" in wanted)


FAULTS = {
    "no header": ("tiny.png 1 30 10\n", "", "line 1: is no header"),
    "a block too few": ("18 1.0\n\n", "18 1.0\n", "file: has 3 blocks"),
    "a type that is none": ("4 30 40 1", "4 30 40 8", "line 6: '4 30 40 8': a space is written"),
    "a space twice": ("4 30 40 1", "3 30 40 1", "line 6: space 3 is written twice"),
    "an arrow to nowhere": ("\n0 1\n", "\n0 99\n", "line 23: there is no space 99"),
    "a word for a number": ("12 1.0", "12 one", "a value is written SPACE NUMBER"),
    "no line": (" F", "", "finish: is marked on 0 spaces"),
    "a lane with a gap": ("2 3\n2 7", "2 7", "lane 1: ends at space 2, and not at the finish line"),
    "an island": (
        "19 112 78 3\n", "19 112 78 3\n20 1 1 1\n",
        "arrows: no way from the finish leads to space 20"),
    "a corner in two lanes": (
        "14 105 45 3\n15 105 80 3", "14 105 45 1\n15 105 80 1", "lane 1: ends at space 13"),
    "a pit with a gap": ("17 18\n", "", "pit: is no single lane"),
    "a grid in the pit": ("8 90.0", "18 90.0", "grid: space 18 is no space of the track"),
}  # fmt: skip


@pytest.mark.parametrize("case", FAULTS)
def test_a_file_that_gives_no_board_says_why(case):
    old, new, wanted = FAULTS[case]
    assert old in TINY
    text = TINY.replace(old, new, -1 if case == "no line" else 1)
    imported = import_dat(text, "Tiny")
    assert imported.text is None
    assert any(wanted in str(fault) for fault in imported.faults)


def test_a_corner_that_one_lane_has_for_itself_names_the_space_to_change():
    text = write_dat(oval("lr"))
    spoilt = re.sub(r"(?m)^(26 \S+ \S+) \d$", r"\1 1", text)
    (fault,) = import_dat(spoilt, "Oval").faults
    assert "each runs over all lanes: give space 26 the type of those beside" in str(fault)


def test_a_line_in_a_corner_names_the_spaces_to_change():
    spoilt = re.sub(r"1 F$", "3 F", TINY, flags=re.MULTILINE)
    (fault,) = import_dat(spoilt, "Tiny").faults
    assert "give space 5, 1, 9 type 1, or mark a row of the straight with F" in str(fault)


def test_a_lane_that_ends_on_the_way_is_left_out_where_its_spaces_are_blocked():
    """As the fault of that lane says: the lanes that run all round are a board."""
    track = oval("lmnr")
    outer = {space for space, lane in enumerate(track.lane) if lane == 3}
    (last,) = (s for s in outer if track.finish[3] in track.nexts[s])
    text = write_dat(track)
    broken = import_dat(text.replace(f"\n{last} {track.finish[3]}\n", "\n", 1), "Oval")
    assert any("give all its spaces type 4" in str(fault) for fault in broken.faults)
    nodes, arrows, values, grid = text.split("\n\n")
    for space in outer:
        nodes = re.sub(rf"(?m)^({space} \S+ \S+) \d(?: F)?$", r"\1 4", nodes)
        grid = re.sub(rf"(?m)^{space} .*\n", "", grid)
    imported = import_dat("\n\n".join((nodes, arrows, values, grid)), "Oval")
    assert board_of(imported).lanes == ("l", "m", "r")


def test_both_ends_of_lines_are_read():
    assert import_dat(TINY.replace("\n", "\r\n"), "Tiny") == import_dat(TINY, "Tiny")


def test_no_spoilt_file_ends_in_an_exception():
    random = Random(5)
    for _ in range(300):
        lines = TINY.split("\n")
        for _ in range(random.randint(1, 3)):
            at = random.randrange(len(lines))
            words = lines[at].split(" ")
            words[random.randrange(len(words))] = random.choice(["0", "7", "F", "-1", "x", "9 9"])
            lines[at : at + random.randint(0, 1)] = [" ".join(words)]
        imported = import_dat("\n".join(lines), "Spoilt")
        assert imported.text or imported.faults
