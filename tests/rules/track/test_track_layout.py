"""Straights and corners laid out from their counts, held to boards that were read off."""

from __future__ import annotations

from support.each import in_one

from companion.rules.board.build import load_track
from companion.rules.board.graph import Pair, lay_corner, lay_straight

LANES = "lmr"


def written(pairs: tuple[Pair, ...], spaces: tuple[int, ...], sign: str = ">") -> set[str]:
    """Pairs in the notation of track files; places beyond the ends with -, + before them."""

    def place(lane: int, number: int) -> str:
        if number > spaces[lane]:
            return f"+{LANES[lane]}{number - spaces[lane]}"
        return f"{LANES[lane]}{number}" if number else f"-{LANES[lane]}"

    return {f"{place(*pair.start)}{sign}{place(*pair.end)}" for pair in pairs}


def test_where_the_left_lane_leads_a_change_to_it_keeps_the_number():
    laid = lay_straight((2, 2, 2), "left")
    assert written(laid.changes, (2, 2, 2)) == {
        "r1>m1",
        "r2>m2",
        "m1>l1",
        "m2>l2",
        "l1>m2",
        "m1>r2",
    }
    assert laid.beside == ()


def test_where_the_right_lane_leads_it_is_the_mirror_image():
    mirrored = {
        Pair(
            pair.start._replace(lane=2 - pair.start.lane), pair.end._replace(lane=2 - pair.end.lane)
        )
        for pair in lay_straight((9, 8, 7), "left").changes
    }
    assert set(lay_straight((7, 8, 9), "right").changes) == mirrored


def test_where_the_lanes_stand_level_spaces_in_line_are_side_by_side():
    laid = lay_straight((2, 2), "level")
    assert written(laid.changes, (2, 2)) == {"l1>m2", "m1>l2"}
    assert written(laid.beside, (2, 2), "|") == {"l1|m1", "l2|m2"}


def test_a_lane_that_is_missing_is_left_out_of_the_layout():
    assert lay_straight((0, 2), "left").changes == ()
    assert lay_corner((0, 2), "right").changes == ()


ONE_WAY = [
    # as read off the boards: Monaco T1, Estoril T5, Monaco T3, Estoril T2, Monaco T7
    ((7, 5, 3), "right", "l1>m1 l2>m2 l3>m3 l5>m4 l6>m5 l7>+m1 m1>r1 m2>r2 m4>r3 m5>+r1"),
    (
        (4, 7, 10),
        "left",
        "m1>l1 m3>l2 m4>l3 m5>l4 m7>+l1 r1>m1 r2>m2 r4>m3 r5>m4 r6>m5 r7>m6 r9>m7 r10>+m1",
    ),
    ((6, 4, 2), "right", "l1>m1 l2>m2 l3>m3 l5>m4 l6>+m1 m1>r1 m2>r2 m4>+r1"),
    (
        (9, 7, 5),
        "right",
        "l1>m1 l2>m2 l3>m3 l4>m4 l6>m5 l7>m6 l8>m7 l9>+m1 m1>r1 m2>r2 m3>r3 m5>r4 m6>r5 m7>+r1",
    ),
    ((3, 5, 7), "left", "m1>l1 m2>l2 m4>l3 m5>+l1 r1>m1 r2>m2 r3>m3 r5>m4 r6>m5 r7>+m1"),
]


@in_one(("spaces", "turns", "changes"), ONE_WAY)
def test_a_corner_that_turns_one_way_is_laid_out_from_its_counts(spaces, turns, changes):
    assert written(lay_corner(spaces, turns).changes, spaces) == set(changes.split())


def test_in_a_corner_from_counts_every_change_is_toward_the_inside_and_none_crosses():
    for inner in range(1, 12):
        for outer in range(inner, 16):
            changes = lay_corner((outer, inner), "right").changes
            assert [change.end.number for change in changes] == list(range(1, inner + 2))
            sources = [change.start.number for change in changes]
            assert sources == sorted(sources)
            assert sources[-1] == outer


def links(text: str) -> set[tuple[str, str]]:
    track = load_track(text)
    return {(track.ids[s], track.ids[e]) for s in track.track_spaces() for e in track.nexts[s]}


def test_a_corner_without_changes_takes_them_from_the_pairs_that_are_listed(sound):
    """From the pairs that are no change, and from all pairs; the counts alone give another."""
    start, end = sound.index("changes ="), sound.index("beside =")
    changes = sound[start:end]
    without = sound.replace(changes, "")
    assert links(without) == links(sound)
    all_pairs = changes.removeprefix("changes = [").strip().removesuffix("]").replace(">", "|")
    assert links(without.replace("beside = [", f"beside = [{all_pairs},")) == links(sound)
    other = sound.replace('"l3>m3"', '"l4>m3"').replace('"l4|m3"', '"l4|m2"')
    assert links(other.replace(other[start : other.index("beside =")], "")) == links(other)
    assert links(other) != links(sound)


def test_a_corner_from_counts_has_the_pairs_that_a_read_off_corner_has(sound):
    read_off, laid_out = sound.split("[[section]]")[2::2]
    assert "changes" in read_off
    assert "changes" not in laid_out
    track = load_track(sound)

    def pairs(label: str, following: str) -> set[tuple[str, str]]:
        inside = [s for s in track.track_spaces() if track.ids[s].startswith(label)]
        found = {(track.ids[s], track.ids[o]) for s in inside for o in track.beside[s]}
        before = {"T1.": "S1.", "T2.": "S2."}[label]
        names = {label: "T.", following: "+", before: "-"}
        return {tuple(names[x[:3]] + x[3:] for x in pair) for pair in found}

    assert pairs("T1.", "S2.") == pairs("T2.", "S1.")
