"""The legal moves of Monaco, counted again and compared with the counts that are kept."""

from __future__ import annotations

import json

import pytest
from support.formula.perft import FILE, KINDS, count, count_all, monaco, places

TRACK = monaco()
KEPT = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", KINDS)
def test_a_sample_of_spaces_has_the_counts_that_are_kept(kind: str) -> None:
    """FD-MOVE-4: every 29th space, all gears and faces, with and without traffic."""
    for space in places(TRACK)[::29]:
        assert count(TRACK, space, kind) == KEPT[kind][TRACK.ids[space]], TRACK.ids[space]


def test_every_space_is_kept() -> None:
    """497 spaces of the track, 18 of the lane and the first box."""
    assert all(len(KEPT[kind]) == 497 + 18 + 1 for kind in KINDS)


@pytest.mark.slow
@pytest.mark.long
def test_all_spaces_have_the_counts_that_are_kept() -> None:
    """Every space, gear and face."""
    assert count_all(TRACK) == KEPT


def test_another_traffic_gives_other_counts() -> None:
    """The comparison can fail: the counts tell an empty board from a full one."""
    space = TRACK.index["S6.r5"]
    assert count(TRACK, space, "empty") != KEPT["traffic"]["S6.r5"]


def test_counts_that_can_be_done_by_hand() -> None:
    """FD-MOVE-2: on the open straight three lanes; brakes 0–3 of a roll of n make the rest."""
    first_gear = KEPT["empty"]["S6.r5"].split()[0]
    # roll 1: r6, m5; braked: r5. roll 2: r7, m6, l5; one braked: r6, m5; two braked: r5.
    assert first_gear == "9/0/0/0"
