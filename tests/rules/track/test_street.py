"""Noise zone, dark spaces, police line and tunnel in a track file: read, checked, driven."""

from __future__ import annotations

import pytest
from support.formula.scenes import at
from support.formula.table import Table

from companion.race.boards import TrackLibrary
from companion.rules.board.build import compile_track, load_track
from companion.rules.board.check import check_track
from companion.rules.board.track import Track

LIBRARY = TrackLibrary(())
TUNNEL = 'tunnel = ["S2.l3>S2.l4", "S2.m3>S2.m4", "S2.r3>S2.r4"]'
POLICE = 'police = ["S2.l5", "S2.m5", "S2.r5"]'

NO_BOARD = [
    ('noise = ["S2.x1"]', "noise: there is no space S2.x1: no lane is called x"),
    ('dark = ["l1", "l1"]', "dark: S1.l1 is written twice"),
    ('tunnel = ["l2"]', "tunnel: '' is no space"),
    ('tunnel = ["l2>l9"]', "tunnel: there is no space l9: lane l of S1 has 6 spaces"),
    ('tunnel = ["l4>l2"]', "tunnel: l4>l2 should lead on in its lane"),
    ('tunnel = ["l2>m3"]', "tunnel: l2>m3 should lead on in its lane"),
    ('tunnel = ["l2>l3", "l2>l3"]', "tunnel: S1.l2 is written twice"),
]

WRONG_BOARD = [
    (POLICE.replace(', "S2.r5"', ""), "police: names the first space past the line once for each"),
    (POLICE.replace("m5", "l6"), "police: names the first space past the line once for each"),
    (POLICE.replace("m5", "m7"), "police: S2.l5 and S2.m7 do not lie side by side"),
    ('tunnel = ["l5>T2.l1"]', "tunnel: S1.l5 leads to T2.l1, past a section; leave it out"),
    (TUNNEL.replace(', "S2.r3>S2.r4"', ""), "tunnel: S2.m3 has no sign beside it in lane r"),
]


def with_features(sound: str, *features: str) -> str:
    """The sound file with some lines at its top."""
    return "\n".join([*features, sound])


def told(text: str) -> list[str]:
    return [str(fault) for fault in check_track(text)]


def test_a_board_with_every_feature_of_a_street_is_sound(sound: str) -> None:
    features = with_features(sound, POLICE, TUNNEL, 'noise = ["S2.l1"]', 'dark = ["T1.m1", "m2"]')
    assert told(features) == []
    track = load_track(features)
    assert {track.ids[space] for space in track.dark} == {"T1.m1", "S1.m2"}
    assert [track.ids[space] for space in track.noise] == ["S2.l1"]


@pytest.mark.parametrize(("feature", "fault"), NO_BOARD)
def test_a_feature_of_no_space_or_no_way_keeps_a_board_from_being_made(
    sound: str, feature: str, fault: str
) -> None:
    text = with_features(sound, feature)
    assert any(line.startswith(fault) for line in told(text)), told(text)
    assert compile_track(text)[0] is None


@pytest.mark.parametrize(("feature", "fault"), WRONG_BOARD)
def test_a_line_or_a_tunnel_that_is_not_whole_is_named(
    sound: str, feature: str, fault: str
) -> None:
    text = with_features(sound, feature)
    assert any(line.startswith(fault) for line in told(text)), told(text)
    assert load_track(text).name == "Oval"


def test_an_arrow_around_the_police_line_is_named(sound: str) -> None:
    line = 'police = ["T1.l3", "T1.m2", "T1.r1"]'
    assert told(with_features(sound, line)) == []
    around = with_features(sound.replace('"l2>m2"', '"l2>m3"', 1), line)
    assert "police: T1.l2>T1.m3 leads past the line around T1.m2" in told(around)


@pytest.fixture(scope="module")
def streets() -> Track:
    return LIBRARY.load("port-lanterne")


def test_every_way_over_the_police_line_enters_a_space_of_it(streets: Track) -> None:
    """FD-URBAN-5: who has passed the line is read off the way."""
    section = streets.section[min(streets.police)]
    first = {space for space in streets.track_spaces() if streets.section[space] == section}
    frontier, reached = [min(first)], set()
    while frontier:
        space = frontier.pop()
        if space in reached or space in streets.police or space not in first:
            reached.add(space)
            continue
        reached.add(space)
        frontier += streets.nexts[space]
    beyond = {streets.ahead[space] for space in streets.police}
    assert not beyond & reached
    assert reached & streets.police


def test_under_the_tunnel_nobody_changes_lane(streets: Track) -> None:
    """FD-URBAN-6: from a space with the sign only to the same lane at the other end."""
    assert len(streets.tunnel) == len(streets.lanes)
    for sign, far_end in streets.tunnel:
        assert streets.nexts[sign] == (far_end,) == (streets.ahead[sign],)


def test_the_ends_of_a_tunnel_are_neighbours(streets: Track) -> None:
    """FD-URBAN-6: a car at the far end stands directly ahead, and is rolled for."""
    cars = {1: at("S5.l2", gear=1), 2: at("S5.l5", gear=1)}
    table = Table(cars, order=[1, 2], turn=1, also={"track": "port-lanterne"})
    table.plays(1, gear=1)
    table.plays(1, roll=2)
    table.plays(1, move="S5.l4")
    assert (2, "black") in table.asked


def test_a_move_through_the_tunnel_goes_on_in_its_lane(streets: Track) -> None:
    """FD-URBAN-6."""
    table = Table({1: at("S5.m4", gear=1)}, also={"track": "port-lanterne"})
    table.plays(1, gear=1)
    table.plays(1, roll=1)
    options = table.ask(1, "move")["options"]
    assert [option["to"] for option in options if not option["brakes"]] == ["S5.m5"]
