"""One corner of a track file taken out and put in again, as the page's corner editor does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.each import in_one

from companion.race.boards import TrackLibrary
from companion.rules.board.build import load_track
from companion.rules.board.check import check_track
from companion.rules.board.edit import Draft, plan_of, put_in, read_draft, take_out, ways_of
from companion.rules.lines import Malformed

LIBRARY = TrackLibrary(())


def links(text: str) -> list[tuple[str, ...]]:
    track = load_track(text)
    return [tuple(track.ids[end] for end in sorted(ends)) for ends in track.nexts]


def pairs(text: str) -> set[frozenset[str]]:
    track = load_track(text)
    return {
        frozenset((track.ids[space], track.ids[other]))
        for space in track.track_spaces()
        for other in track.beside[space]
    }


def test_a_corner_is_taken_out_as_the_file_has_it(sound: str) -> None:
    draft = take_out(plan_of(sound), "T1")
    assert draft.spaces == (6, 4, 2)
    assert draft.changes is not None
    assert draft.changes[:2] == ("l1>m1", "l2>m2")
    assert draft.beside[0] == "l1|S1.m7"


def test_a_corner_laid_out_from_its_counts_is_taken_out_with_its_arrows(sound: str) -> None:
    """Put in again with them written, the board is the same."""
    draft = take_out(plan_of(sound), "T2")
    assert draft.changes
    written = put_in(sound, draft)
    assert (links(written.text), pairs(written.text)) == (links(sound), pairs(sound))


@pytest.mark.parametrize("name", ["monaco", "port-lanterne", "suzuka"])
def test_a_corner_put_in_unchanged_leaves_the_board_as_it_was(name: str) -> None:
    text = LIBRARY.text(name)
    for corner in ("T1", "T5"):
        same = put_in(text, take_out(plan_of(text), corner))
        assert same.faults == []
        assert links(same.text) == links(text)
        assert plan_of(same.text).noise == plan_of(text).noise


def test_the_head_of_a_file_stays_and_says_where_it_comes_from() -> None:
    text = LIBRARY.text("monaco")
    same = put_in(text, take_out(plan_of(text), "T1"))
    assert same.text.splitlines()[:2] == text.splitlines()[:2]


def test_an_arrow_taken_away_is_away_and_the_check_tells_what_follows(sound: str) -> None:
    draft = take_out(plan_of(sound), "T1")
    assert draft.changes is not None
    crossed = tuple(arrow for arrow in draft.changes if arrow != "l2>m2")
    found = put_in(sound, replace(draft, changes=(*crossed, "l4>m2")))
    assert [fault.key for fault in found.faults] == ["ways-differ", "cross"]
    assert found.track is not None


def test_a_draft_of_which_no_board_can_be_made_is_told_and_has_no_ways(sound: str) -> None:
    draft = take_out(plan_of(sound), "T1")
    assert draft.changes is not None
    found = put_in(sound, replace(draft, changes=(*draft.changes, "m2>l1")))
    assert found.track is None
    assert [fault.key for fault in found.faults] == ["circle"]
    assert ways_of(found.track, "T1") is None


def test_another_count_without_arrows_is_laid_out_anew(sound: str) -> None:
    found = put_in(sound, Draft("T2", (7, 5, 3), None, ()))
    assert found.track is not None
    assert ways_of(found.track, "T2") == (3, 7)
    assert {fault.key for fault in found.faults} == {"above-longest", "ways-differ"}


def test_a_board_can_get_another_name_and_stays_as_sound_as_it_was(sound: str) -> None:
    named = put_in(sound, take_out(plan_of(sound), "T1"), name="Oval (own)")
    assert load_track(named.text).name == "Oval (own)"
    assert check_track(named.text) == []


@in_one(
    "told",
    [
        {},
        {"section": "T1"},
        {"section": 1, "spaces": [6, 4, 2]},
        {"section": "T1", "spaces": "6 4 2"},
        {"section": "T1", "spaces": [6, 4, -2]},
        {"section": "T1", "spaces": [6, 4, True]},
        {"section": "T1", "spaces": [6, 4, 2], "changes": "l1>m1"},
        {"section": "T1", "spaces": [6, 4, 2], "changes": [7]},
        {"section": "T1", "spaces": [6, 4, 2], "changes": ["l1|m1"]},
        {"section": "T1", "spaces": [6, 4, 2], "changes": ["l1>m1" * 9]},
        {"section": "T1", "spaces": [6, 4, 2], "beside": ["l1|m1"] * 500},
        {"section": "T1", "spaces": [6, 4, 2], "name": "Monza"},
    ],
)
def test_what_is_no_corner_is_refused(told: dict[str, object]) -> None:
    with pytest.raises(Malformed):
        read_draft(told)


@pytest.mark.parametrize("draft", [Draft("T9", (6, 4, 2), None, ()), Draft("S1", (6,), None, ())])
def test_a_corner_that_the_board_lacks_is_refused(sound: str, draft: Draft) -> None:
    with pytest.raises(Malformed, match="there are T1, T2"):
        put_in(sound, draft)


def test_a_corner_of_other_lanes_is_refused(sound: str) -> None:
    with pytest.raises(Malformed, match="3 lanes"):
        put_in(sound, Draft("T1", (6, 4), None, ()))
