"""FD-URBAN-3, FD-URBAN-4, FD-URBAN-6: the noise zone, the dark spaces, the tunnel."""

from __future__ import annotations

from typing import Any

import pytest
from support.each import in_one
from support.formula.scenes import Scene, at
from support.formula.street import DIMITRI, JENNY, STREET, STREETS, street

from companion.rules.board.build import load_track
from companion.rules.board.check import check_track

FAR = {JENNY: at("T2.l1", gear=1)}
KEEP = {"nitro": True}
"""Nitro is used up, so that nobody is asked for it."""


def moved(space: str, gear: int, face: int, to: str, **car: Any) -> Scene:
    """Dimitri has moved, alone but for Jenny far away."""
    scene = street({DIMITRI: at(space, gear=gear, **KEEP, **car), **FAR})
    return scene.drive(gear, face, to)


# the noise zone


def shot(roll: Any, **wear: int) -> Scene:
    """Dimitri has ended in the zone, and the die was rolled."""
    return moved("S1.l5", 2, 2, "S1.l7", wear=wear).black(1, roll)


def test_who_ends_in_the_noise_zone_rolls_the_black_die() -> None:
    """FD-URBAN-3"""
    scene = moved("S1.l5", 2, 2, "S1.l7")
    assert scene.open == [(1, "black", "noise")]
    assert scene.ask("black")["options"] == [[1, 15], [16, 18], [19, 19], [20, 20]]


def test_who_only_passes_it_does_not() -> None:
    """FD-URBAN-3"""
    assert moved("S1.l5", 2, 4, "S1.l9").open == [(2, "gear", None)]


@in_one(
    ("roll", "lost"),
    [
        (1, {}),
        ([1, 15], {}),
        (16, {"tires": 1}),
        ([16, 18], {"tires": 1}),
        (19, {"body": 1}),
        (20, {"engine": 1}),
    ],
)
def test_what_a_shot_costs(roll: Any, lost: dict[str, int]) -> None:
    """FD-URBAN-3, FD-DEBRIS-1: body and engine leave debris where the move ended."""
    scene = shot(roll)
    (told,) = scene.told("NoiseRolled")
    assert (told["cost"], told["rule"]) == (lost, "FD-URBAN-3")
    assert scene.state["debris"] == (["S1.l7"] if set(lost) & {"body", "engine"} else [])


def test_tires_at_nought_lose_nothing_more_and_no_shot_spins() -> None:
    """FD-URBAN-3"""
    assert shot(17, tires=0).car(1)["status"] == "racing"
    scene = shot(17, tires=1)
    assert (scene.wear(1, "tires"), scene.car(1)["status"]) == (0, "racing")


@pytest.mark.parametrize(("roll", "category"), [(19, "body"), (20, "engine")])
def test_the_last_point_puts_a_car_out(roll: int, category: str) -> None:
    """FD-URBAN-3"""
    car = shot(roll, **{category: 1}).car(1)
    assert (car["status"], car["out"]["rule"], car["out"]["why"]) == (
        "out",
        "FD-URBAN-3",
        category,
    )


def test_the_shot_comes_after_collisions_and_engine_tests() -> None:
    """FD-TURN-1: 11, 12, then 14."""
    cars = {DIMITRI: at("T2.l7", gear=5, **KEEP), JENNY: at("S1.m7", gear=1)}
    scene = street(cars, laps=3).gear(5).roll(20)
    assert [step["step"] for step in scene.state["pending"]] == ["move", "police", "tests", "end"]
    near = street({DIMITRI: at("S1.l5", gear=2, **KEEP), JENNY: at("S1.m7", gear=1)})
    near.drive(2, 2, "S1.l7")
    assert near.rollers("noise") == []
    assert near.black(2, 20).black(1, 20).rollers("noise") == [1]


def test_a_car_out_or_home_is_not_shot_at() -> None:
    """FD-END-2, FD-DEBRIS-3: one that has finished is lifted."""
    scene = moved("S1.l4", 2, 3, "S1.l7", lap=2)
    assert scene.car(1)["status"] == "finished"
    assert scene.open == [(2, "gear", None)]


# the zone


def test_dark_spaces_are_debris_for_good() -> None:
    """FD-URBAN-4, FD-DEBRIS-2"""
    scene = street({DIMITRI: at("S2.m1", gear=2, **KEEP), **FAR}).gear(2).roll(2)
    assert scene.ends()["S2.m3"]["debris"] == ["S2.m3"]
    scene.move("S2.m3")
    assert scene.ask("black")["at"] == "S2.m3"
    scene.black(1, 1)
    assert scene.wear(1, "handling") == 3
    assert "S2.m3" in STREETS.load("street").ids
    assert scene.state["debris"] == []


def test_an_eliminated_car_leaves_no_second_marker_on_a_dark_space() -> None:
    """FD-DEBRIS-4: a space holds one marker."""
    scene = moved("S2.m1", 2, 2, "S2.m3", wear={"handling": 1}).black(1, 1)
    assert scene.car(1)["status"] == "out"
    assert scene.state["debris"] == []


def test_a_way_around_dark_spaces_is_as_around_debris() -> None:
    """FD-DEBRIS-4: any set of them may be treated as occupied."""
    scene = street({DIMITRI: at("S2.m2", gear=2, **KEEP), **FAR}).gear(2).roll(3)
    assert scene.ends()["S2.m5"]["debris"] == ["S2.m3"]
    assert scene.ends()["S2.r5"]["debris"] == []


def test_elsewhere_dark_spaces_are_but_dark() -> None:
    """FD-URBAN-4: only in urban races."""
    cars = {1: at("S2.m1", gear=2), 2: at("T2.l1", gear=1)}
    scene = Scene(cars, header={"track": "street"}, library=STREETS).drive(2, 2, "S2.m3")
    assert scene.open == [(2, "gear", None)]


# the tunnel


def test_a_space_with_the_sign_leads_to_the_other_end_only() -> None:
    """FD-URBAN-6: one space, no lane change."""
    scene = street({DIMITRI: at("S2.l8", gear=1, **KEEP), **FAR}).gear(1).roll(1)
    assert set(scene.ends()) == {"S3.l1"}
    scene = street({DIMITRI: at("S2.m7", gear=2, **KEEP), **FAR}).gear(2).roll(2)
    assert set(scene.ends()) == {"S2.l8", "S3.m1", "S2.r9"}


def test_the_ends_of_the_tunnel_are_neighbours_for_a_collision() -> None:
    """FD-URBAN-6, FD-BUMP-3"""
    cars = {DIMITRI: at("S2.m6", gear=2, **KEEP), JENNY: at("S3.m1", gear=1)}
    assert street(cars).drive(2, 2, "S2.m8").rollers("collision") == [2, 1]


def test_other_lanes_behind_the_tunnel_are_no_neighbours() -> None:
    """FD-URBAN-6: l8 and m9 would lie side by side on a straight without a tunnel."""
    cars = {DIMITRI: at("S2.l6", gear=2, **KEEP), JENNY: at("S3.m1", gear=1)}
    assert street(cars).drive(2, 2, "S2.l8").open == [(2, "gear", None)]


def test_nobody_goes_around_a_car_in_the_tunnel_in_its_slipstream() -> None:
    """FD-URBAN-6, FD-SLIP-2: all of it would be braked away, and that is no slipstream."""
    cars = {DIMITRI: at("S2.r1", gear=4, **KEEP), JENNY: at("S3.r1", gear=4)}
    scene = street(cars).drive(4, 8, "S2.r9")
    assert [kind for _, kind, _ in scene.open] == ["black", "black"]


def test_a_slipstream_leads_through_the_tunnel() -> None:
    """FD-URBAN-6, FD-SLIP-2"""
    cars = {DIMITRI: at("T1.m6", gear=4, stops=2, **KEEP), JENNY: at("S2.r8", gear=4)}
    scene = street(cars).drive(4, 7, "S2.r7")
    assert "S3.m1" in scene.ends("slipstream")


def test_the_order_runs_on_through_the_tunnel() -> None:
    """FD-ORDER-1, FD-URBAN-6: levels count on."""
    track = STREETS.load("street")
    for sign, far_end in track.tunnel:
        assert track.level[sign] < track.level[far_end]
        assert (track.ahead[sign], track.behind[far_end]) == (far_end, sign)
        assert track.nexts[sign] == (far_end,)


def test_the_street_is_a_sound_board() -> None:
    assert check_track(STREET) == []


@in_one(
    ("tunnel", "fault"),
    [
        ("S2.l8>S3.m1", "S2.l8>S3.m1 should lead on in its lane"),
        ("S2.l8>S2.l3", "S2.l8>S2.l3 should lead on in its lane"),
        ("S2.l8>S9.l1", "there is no space S9.l1: the track has no S9"),
        ("S2.m8>S3.m1", "S2.m8 is written twice"),
        ("S1.l9>S2.l1", "S1.l9 leads to S2.l1, past a section; leave it out"),
    ],
)
def test_a_tunnel_that_cannot_be_driven_is_a_fault(tunnel: str, fault: str) -> None:
    """FD-URBAN-6"""
    text = STREET.replace("S2.l8>S3.l1", tunnel)
    assert fault in [f"{found.what}" for found in check_track(text)]


def test_spaces_under_the_tunnel_are_jumped_over() -> None:
    """FD-URBAN-6: a file that has them all the same."""
    track = load_track(STREET.replace("S2.l8>S3.l1", "S2.l8>S3.l3"))
    sign, far_end = track.index["S2.l8"], track.index["S3.l3"]
    assert (track.nexts[sign], track.behind[far_end]) == ((far_end,), sign)
