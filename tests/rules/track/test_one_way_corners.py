"""What `docs/tracks.md` promises of corners without arrows, held to the boards that ship."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import pytest

from companion.race.boards import TrackLibrary
from companion.rules.board.build import load_track
from companion.rules.board.edit import write_plan
from companion.rules.board.plan import Faults, Plan, read_plan
from companion.rules.board.track import Track

LIBRARY = TrackLibrary(())
CLASSIC = [name for name in LIBRARY.names() if "Formule Dé" in LIBRARY.text(name)]
Changes = set[tuple[str, str]]


class Corner(NamedTuple):
    """A corner that turns one way: its board, its section, its lane changes."""

    plan: Plan
    section: int
    changes: Changes


def changes_of(track: Track, section: int) -> Changes:
    return {
        (track.ids[start], track.ids[end])
        for start in track.track_spaces()
        if track.section[start] == section
        for end in track.nexts[start]
        if end != track.ahead[start]
    }


def one_way_corners() -> Iterator[Corner]:
    """The corners of all boards known from more than one source whose changes lead to one side."""
    for name in [*CLASSIC, "monaco"]:
        track, plan = LIBRARY.load(name), read_plan(LIBRARY.text(name), Faults())
        assert plan is not None
        for corner in track.corners:
            changes = changes_of(track, corner.section)
            lanes = [(track.lane[track.index[a]], track.lane[track.index[b]]) for a, b in changes]
            if len({end > start for start, end in lanes}) == 1:
                yield Corner(plan, corner.section, changes)


def laid_out(corner: Corner, *, with_beside: bool) -> Changes:
    """The changes of a corner as they are when its arrows are left out of the file."""
    sections = list(corner.plan.sections)
    bare = replace(sections[corner.section], changes=None)
    sections[corner.section] = bare if with_beside else replace(bare, beside=())
    plan = replace(corner.plan, sections=tuple(sections), exact=False)
    return changes_of(load_track(write_plan(plan)), corner.section)


@pytest.fixture(scope="module")
def corners() -> list[Corner]:
    return list(one_way_corners())


@pytest.mark.slow
def test_what_lies_side_by_side_gives_every_arrow_of_73_one_way_corners(corners):
    assert len(corners) == 73
    wrong = [c.section for c in corners if laid_out(c, with_beside=True) != c.changes]
    assert wrong == []


@pytest.mark.slow
def test_counts_alone_give_642_of_696_arrows(corners):
    found = sum(len(laid_out(c, with_beside=False) & c.changes) for c in corners)
    assert (found, sum(len(c.changes) for c in corners)) == (642, 696)
