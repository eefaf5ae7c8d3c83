"""What a track file becomes, beyond Monaco: other lanes, no pit, urban features."""

from __future__ import annotations

import hashlib
import pickle

import pytest

from companion.rules.board.build import load_track
from companion.rules.board.track import Track
from companion.rules.lines import Malformed


def named(track: Track, spaces) -> list[str]:
    return [track.ids[space] for space in spaces]


def test_the_board_keeps_its_text_and_its_digest(sound):
    track = load_track(sound)
    assert track.source == sound
    assert track.sha256 == hashlib.sha256(sound.encode()).hexdigest()


def test_the_same_text_is_the_same_board(sound):
    assert load_track(sound) is load_track(str(sound))


def test_a_board_survives_pickling_for_races_on_several_cores(sound):
    track = load_track(sound)
    assert pickle.loads(pickle.dumps(track)).nexts == track.nexts


def test_a_board_is_immutable(sound):
    with pytest.raises(AttributeError):
        load_track(sound).name = "Other"  # type: ignore[misc]


def test_a_board_without_pit_and_weather_has_none(spoiled, sound):
    start, end = sound.index("[weather]"), sound.index("[[section]]")
    track = load_track(sound[:start] + sound[end:])
    assert (track.pit, track.boxes, track.exits, track.weather) == ((), (), (), None)
    assert all(entry == () for entry in track.entries)


def test_a_corner_without_printed_figures_takes_the_computed_ones(sound):
    track = load_track(sound.replace("shortest = 2\n", "").replace("longest = 6\n", ""))
    assert [(corner.shortest, corner.longest) for corner in track.corners] == [(2, 6), (2, 6)]


def test_a_straight_may_have_a_name(spoiled):
    track = load_track(spoiled('kind = "straight"', 'kind = "straight"\nname = "Tunnel"'))
    assert track.sections[0].title == "S1 Tunnel"
    assert track.sections[2].title == "S2"


def test_features_of_an_urban_board_are_spaces(spoiled):
    urban = 'noise = ["l1", "T2.m1"]\ndark = ["m1"]\npolice = ["S2.r1"]\ntunnel = ["l2>l3"]\n'
    track = load_track(spoiled("lanes =", urban + "lanes ="))
    assert named(track, sorted(track.noise)) == ["S1.l1", "T2.m1"]
    assert named(track, track.dark) == ["S1.m1"]
    assert named(track, track.police) == ["S2.r1"]
    assert [named(track, pair) for pair in track.tunnel] == [["S1.l2", "S1.l3"]]


@pytest.mark.parametrize(
    ("feature", "fault"),
    [
        ('noise = ["l99"]', "noise: there is no space l99"),
        ('tunnel = ["l2>P1"]', "tunnel: 'P1' is no space"),
    ],
)
def test_a_feature_on_a_space_that_does_not_exist_is_refused(spoiled, feature, fault):
    with pytest.raises(Malformed, match=fault):
        load_track(spoiled("lanes =", feature + "\nlanes ="))


def test_two_lanes_are_counted_on_the_left_one(sound):
    text = """
name = "Two"
lanes = ["l", "r"]
grid = ["l1"]
finish = { l = 2, r = 2 }
[[section]]
kind = "straight"
spaces = [4, 4]
lead = "level"
[[section]]
kind = "corner"
name = "Only"
stops = 1
turns = "left"
spaces = [2, 3]
"""
    track = load_track(text)
    assert track.lap_levels == 12
    assert [track.level[track.index[name]] for name in ("S1.l2", "S1.l1", "T1.l2")] == [2, 12, 10]
    assert track.level[track.index["S1.r2"]] == 2


def test_a_space_just_before_the_line_is_last_in_the_lap_whatever_lies_beside_it(spoiled):
    """With the line one later in the outer lane, its last space before the line reaches over."""
    track = load_track(spoiled("l = 4, m = 5", "l = 5, m = 5"))
    assert not track.past_line[track.index["S1.l4"]]
    assert track.level[track.index["S1.l4"]] == track.lap_levels
    assert track.level[track.index["S1.m5"]] == 2
