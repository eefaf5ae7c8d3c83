"""A broken track file of each kind, and what `check` says of it."""

from __future__ import annotations

import pytest
from support.each import in_one

from companion.rules.board.build import compile_track, load_track
from companion.rules.board.check import check_track
from companion.rules.lines import Malformed

NO_BOARD = [
    ('name = "Oval"', "", "track: 'name' is missing; it is a text on one line"),
    ('name = "Oval"', "name = 7", "track: name = 7 should be a text on one line"),
    ('name = "Oval"', 'nom = "Oval"\nname = "Oval"', "track: 'nom' is not a key of a track file"),
    ('name = "Oval"', 'name = "Oval"\nexact = "yes"', "track: exact = 'yes' should be true or"),
    ('["l", "m", "r"]', '["l", "m", "m"]', "lanes: names a lane twice"),
    ('["l", "m", "r"]', '["left", "m", "r"]', "lanes: 'left' is no lane"),
    ('["l", "m", "r"]', "[]", "lanes: has 0 lanes"),
    ('["l3", "r3"]', '["l3", "l3"]', "grid: S1.l3 is written twice"),
    ('["l3", "r3"]', '["l3", "r9"]', "grid: there is no space r9: lane r of S1 has 8 spaces"),
    ('["l3", "r3"]', '["l3", "S9.r1"]', "grid: there is no space S9.r1: the track has no S9"),
    ('["l3", "r3"]', '["l3", "x1"]', "grid: there is no space x1: no lane is called x"),
    ('["l3", "r3"]', '["l3", "pole"]', "grid: 'pole' is no space"),
    ('["l3", "r3"]', '"l3"', "track: grid = 'l3' should be a list of texts"),
    ("l = 4, m", "l = 9, m", "finish: there is no space l9"),
    ("l = 4, m", "m", "finish: 'l' is missing"),
    ("finish = {", "finishing = {", "track: 'finish' is missing"),
    ('rain = "1-7"', 'rain = "1-6"', "weather: nothing is said of 7 on the black die"),
    ('rain = "1-7"', 'rain = "1-8"', "weather: more than one thing is said of 8 on the black die"),
    ('rain = "1-7"', 'rain = "7-1"', "weather: rain = '7-1' should be a range within"),
    ('fine = "9-20"', 'fine = "9-21"', "weather: fine = '9-21' should be a range within"),
    ('fine = "9-20"', 'snow = "9-20"', "weather: 'snow' is not a key"),
    ("spaces = 4", "spaces = 0", "pit: spaces = 0 should be a whole number from 1"),
    ('entry = ["r1"', 'entry = ["r0"', "pit entry: there is no space r0"),
    ('entry = ["r1", "S1.r2"]', "entry = []", "pit entry: names no space: nothing leads to P1"),
    ('exit = ["r7"]', 'exit = ["r17"]', "pit exit: there is no space r17"),
    ('exit = ["r7"]', "exit = []", "pit exit: names no space: P4 leads nowhere"),
    ("boxes = [2, 3]", "boxes = [2, 5]", "pit boxes: there is no space P5; the pit lane has 4"),
    ("boxes = [2, 3]", "boxes = [2, true]", "pit: boxes = [2, True] should be a list of whole"),
    ('kind = "straight"', 'kind = "bend"', "section 1: kind = 'bend' should be one of straight"),
    ('lead = "left"', 'lead = "l"', "S1: lead = 'l' should be one of left, right, level"),
    ('lead = "left"', "stops = 1", "S1: 'stops' is not a key"),
    ("[6, 7, 8]", "[6, 7]", "S1: has the counts of 2 lanes; the track has 3"),
    ("[6, 7, 8]", "[]", "S1: has the counts of 0 lanes; the track has 3"),
    ("[6, 7, 8]", "[6, -7, 8]", "S1: spaces = [6, -7, 8] should be a list of whole numbers"),
    ("[6, 7, 8]", "[6, 7, 1000000]", "S1: spaces = [6, 7, 1000000] should be a list of whole"),
    ('"m7>r8"', '"m6>r8"', "S1: closes m6>r8, which is no lane change there"),
    ('"m7>r8"', '"m7>l8"', "S1: there is no space l8: lane l of S1 has 6 spaces"),
    ("stops = 1", "stops = 4", "T1 East: stops = 4 should be a whole number from 1 to 3"),
    ('turns = "right"', 'turns = "up"', "T1 East: turns = 'up' should be one of left, right"),
    ('name = "East"', "", "T1: 'name' is missing"),
    ('"l1>m1", "l2', '"l1m1", "l2', "T1 East: 'l1m1' is no lane change; one is written l1>m1"),
    ('"l1>m1", "l2', '"l1>r1", "l2', "T1 East, lane l: l1>r1 joins lanes that are not neighb"),
    ('"l1>m1", "l2', '"l1>S1.m7", "l2', "T1 East, lane l: l1>S1.m7 should lead on, within this"),
    ('"l1>m1", "l2', '"l2>m2", "l2', "T1 East: l2>m2 is written twice"),
    ('"l2|m1"', '"l2/m1"', "T1 East: 'l2/m1' is no pair side by side; one is written l1|m1"),
    ('"l2|m1"', '"l2|m9"', "T1 East: there is no space m9: lane m of T1 East has 4 spaces"),
    ('"l2|m1"', '"S1.l6|S1.m7"', "T1 East, lane l: S1.l6|S1.m7 should have a space of this"),
    (
        '"l1>m1", "l2',
        '"l1>m1", "m2>l1", "l2',
        "T1 East, lane m: T1.m2>T1.l1>T1.l2>T1.m2 leads in a circle",
    ),
    ('"l4|m3", ', "", "T1 East, lane l: nothing of the lane toward the middle lies beside T1.l4"),
    ("[6, 4, 2]", "[6, 4, 7]", "T1 East, lane r: 7 spaces are above the printed longest way of 6"),
    ("shortest = 2\nlongest = 6", "shortest = 7\nlongest = 6", "T1 East: its shortest way 7 is"),
    ("shortest = 2", "shortest = 0", "T1 East: shortest = 0 should be a whole number from 1"),
]

WRONG_BOARD = [
    ("shortest = 2", "shortest = 3", "T1 East, lane r: 2 spaces are below the printed shortest"),
    ("longest = 6", "longest = 5", "T1 East, lane l: 6 spaces are above the printed longest way"),
    ("shortest = 2", "shortest = 1", "T1 East: its ways through have 2 to 6 spaces; printed are 1"),
    ('"l2>m2"', '"l2>m3"', "T1 East, lane l: T1.l2 and T1.l3 both change to T1.m3"),
    ('"l2>m2"', '"l4>m2"', "T1 East, lane l: T1.l3>T1.m3 and T1.l4>T1.m2 cross"),
    ('"l3>m3"', '"l3>m3", "m2>l5"', "T1 East, lane l: T1.l3>T1.m3 and T1.m2>T1.l5 cross"),
    ('"m3|r2", ', "", "T1 East, lane m: T1.m3 lies beside nothing of lane r"),
    ("m = 5, r = 5", "m = 6, r = 5", "finish: S1.l4 and S1.m6 do not lie side by side"),
    ('["l3", "r3"]', '["l4", "r3"]', "grid: S1.l4 lies past the line"),
    ('["l3", "r3"]', "[]", "grid: names no space"),
    ("boxes = [2, 3]", "boxes = [2]", "pit boxes: are 1 for a grid of 2 cars"),
    ('exit = ["r7"]', 'exit = ["T2.r1"]', "pit exit: lies before the pit entry"),
]


def told(text: str) -> list[str]:
    return [str(fault) for fault in check_track(text)]


def test_a_sound_file_has_no_fault(sound):
    assert told(sound) == []


@pytest.mark.parametrize(("old", "new", "fault"), NO_BOARD)
def test_what_keeps_a_board_from_being_made_is_named_with_its_place(spoiled, old, new, fault):
    text = spoiled(old, new)
    assert any(line.startswith(fault) for line in told(text)), told(text)
    assert compile_track(text)[0] is None


@pytest.mark.parametrize(("old", "new", "fault"), WRONG_BOARD)
def test_what_a_board_contradicts_is_named_and_does_not_stop_a_race(spoiled, old, new, fault):
    text = spoiled(old, new)
    assert any(line.startswith(fault) for line in told(text)), told(text)
    assert load_track(text).name == "Oval"


def test_all_faults_are_told_at_once(spoiled):
    text = spoiled("stops = 1", "stops = 9").replace('"l3", "r3"', '"l30", "r3"')
    assert len(told(text.replace("stops = 9", "stops = 1"))) == 1
    assert len(told(text)) == 1  # types first: spaces are looked up in a well-typed file
    both = spoiled('"l1>m1"', '"l1>m9"').replace('"l3", "r3"', '"l30", "r3"')
    assert [line.split(":")[0] for line in told(both)] == ["T1 East", "grid"]


def test_a_space_that_nothing_leads_to_is_named(sound):
    """East without its right lane: the straight's ends in nothing, the next comes from it."""
    narrow = sound.replace("spaces = [6, 4, 2]", "spaces = [6, 4, 0]", 1)
    for text in (', "m1>r1", "m2>r2", "m4>S2.r1"', '"m1|S1.r8", "m2|r1", "m3|r2", "m4|r2",'):
        narrow = narrow.replace(text, "", 1)
    assert told(narrow.replace("shortest = 2", "", 1).replace("longest = 6", "", 1)) == [
        "S1, lane r: S1.r8 leads nowhere",
        "S2, lane r: nothing leads to S2.r1",
    ]


def test_a_lane_that_ends_on_the_way_leaves_no_space_lonely(sound):
    """The right lane ends in the second straight, and the bend behind it has none."""
    head, _, tail = sound.rpartition("spaces = [6, 7, 8]")
    tail = tail.replace('closed = ["m7>r8"]', "").replace("[6, 4, 2]", "[6, 4, 0]")
    tail = tail.replace("shortest = 2", "").replace("longest = 6", "")
    assert told(f"{head}spaces = [6, 7, 3]{tail}") == ["S1, lane r: nothing leads to S1.r1"]


def test_a_board_that_is_not_exact_may_differ_from_the_printed_ways(spoiled):
    text = spoiled("shortest = 2", "shortest = 1")
    assert told(text) != []
    assert told(text.replace("lanes =", "exact = false\nlanes =", 1)) == []


def test_loading_a_faulty_file_refuses_with_place_and_fault(spoiled):
    with pytest.raises(Malformed) as refusal:
        load_track(spoiled('"l2|m1"', '"l2|m9"'))
    assert refusal.value.arguments["where"] == "T1 East"
    assert "m9" in refusal.value.message


@in_one("text", ["name =", "[" * 5000, "x = " + "9" * 5000, "", "name = '\ud800'"])
def test_garbage_is_refused_as_a_file_and_not_a_crash(text):
    assert told(text)
    with pytest.raises(Malformed):
        load_track(text)
