"""A board written in the public editor's format: what the importer is tried on.

No file of that format ships with the product, so tests make theirs of our own boards, and of
the little ones here.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from companion.drawing.layout import layout_of
from companion.rules.board.build import load_track
from companion.rules.board.edit import write_plan
from companion.rules.board.plan import Plan, SectionPlan
from companion.rules.board.track import Track

TYPES = {1: 3, 2: 2, 3: 6}
"""The type of a corner's spaces by its stops."""
PIXELS = 40
"""Of the drawing, a space."""
TENTHS = 10
"""Fronts are counted in tenths of a space, as finely as files have them."""


TINY = """\
tiny.png 1 30 10
0 40 20 1
1 60 20 1 F
2 80 20 1
3 100 20 1
4 30 40 1
5 50 40 1 F
6 70 40 1
7 90 40 1
8 40 60 1
9 60 60 1 F
10 80 60 1
11 100 60 1
12 120 30 3
13 120 90 3
14 105 45 3
15 105 80 3
16 112 62 3
17 60 75 7
18 70 75 7
19 112 78 3

0 1
0 5
1 2
1 6
2 3
2 7
3 12
4 5
4 0
4 8
5 6
5 1
5 9
6 7
6 2
6 10
7 14
7 3
7 11
8 9
8 5
8 17
9 10
9 6
10 11
10 7
11 16
12 13
12 15
13 0
14 15
14 16
15 4
15 19
16 19
19 8
17 18
18 10

12 1.0
13 2.0
14 0.5
15 1.5
16 1.0
19 2.0
17 1.0
18 1.0

0 90.0
8 90.0
"""
"""One straight, one corner and a pit of two boxes; both outer lanes lead."""

OVAL_CORNERS = {"lr": (5, 3), "lmnr": (9, 7, 5, 3)}
LINES = {"lr": (7, 8), "lmnr": (7, 8, 8, 9)}
"""The corners and the line of an oval, by its lanes."""


def oval(lanes: str) -> Track:
    """Two straights of twelve spaces and two corners to the right, the left lane leading."""
    counts = (12,) * len(lanes)
    straights = [SectionPlan("straight", f"S{k}", None, counts, lead="left") for k in (1, 2)]
    bends = [SectionPlan("corner", f"T{k}", "Bend", OVAL_CORNERS[lanes], stops=1, turns="right")
             for k in (1, 2)]  # fmt: skip
    plan = Plan(
        name="Oval",
        exact=True,
        lanes=tuple(lanes),
        sections=(straights[0], bends[0], straights[1], bends[1]),
        grid=tuple(f"{lane}{number}" for number in (5, 3, 1) for lane in (lanes[0], lanes[-1])),
        finish=LINES[lanes],
        pit=None,
        weather=None,
    )
    return load_track(write_plan(plan))


def write_dat(track: Track, *, line_ahead: int = 0) -> str:
    """The board as a file. Its row of the line lies `line_ahead` spaces farther in the outer lanes
    than ours: the editor draws it so on boards whose middle lane is behind."""
    blocks = [_nodes(track, line_ahead), _arrows(track), _values(track), _grid(track)]
    return "board.png 1\n" + "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _number(track: Track, space: int) -> int | None:
    """Spaces of the track and the pit lane are in the file; a box is a mark of its lane space."""
    return space if space < len(track.ids) - len(track.boxes) else None


def _nodes(track: Track, line_ahead: int) -> list[str]:
    middle = len(track.lanes) // 2
    row = {space + (line_ahead if lane != middle else 0) for lane, space in enumerate(track.finish)}
    lines = []
    for space in range(len(track.ids) - len(track.boxes)):
        place = layout_of(track).place(space)
        corner = track.corner[space]
        kind = TYPES[track.corners[corner].stops] if corner >= 0 else 1
        kind = 7 if space in track.pit else kind
        mark = " F" if space in row else ""
        lines.append(f"{space} {round(place.x * PIXELS)} {round(place.y * PIXELS)} {kind}{mark}")
    return lines


def _arrows(track: Track) -> list[str]:
    return [
        f"{space} {end}"
        for space in range(len(track.ids) - len(track.boxes))
        for end in (*track.nexts[space], *track.entries[space])
        if _number(track, end) is not None
    ]


def _values(track: Track) -> list[str]:
    lines = []
    for corner in range(len(track.corners)):
        fronts = corner_fronts(track, corner)
        first = max(fronts[space] for space in fronts if track.corner[space] < 0)
        lines += [f"{s} {(front - first) / TENTHS}" for s, front in fronts.items()
                  if track.corner[s] == corner]  # fmt: skip
    return lines + [f"{space} 1.0" for space in track.box_lane]


def corner_fronts(track: Track, corner: int) -> dict[int, int]:
    """How far along the lap the spaces of a corner reach, and the last of the straight before.

    A space reaches from the front of the one behind it to its own. Two spaces beside each other
    overlap, two others do not: each is a difference of two fronts that is bounded, and the least
    fronts that keep all bounds are found by going over them until nothing moves.
    """
    spaces = [space for space in track.track_spaces() if track.corner[space] == corner]
    before = {track.behind[space] for space in spaces} - {*spaces}
    limit = max(track.level[space] for space in before)
    fronts = {space: _unrolled(track, space, limit) * TENTHS // 2 for space in before}
    fronts |= {space: min(fronts.values()) for space in spaces}
    bounds = [*_bounds(track, fronts), *((track.behind[s], s, TENTHS // 2) for s in spaces)]
    for _ in range(len(fronts) ** 2):
        moved = [
            (end, fronts[start] + least)
            for start, end, least in bounds
            if start in fronts and end in spaces and fronts[end] < fronts[start] + least
        ]
        if not moved:
            return fronts
        for end, front in moved:
            fronts[end] = max(fronts[end], front)
    raise ValueError(f"no drawing has the pairs of {track.corners[corner].label}")


def _unrolled(track: Track, space: int, near: int) -> int:
    lap = track.lap_levels
    return track.level[space] + lap * round((near - track.level[space]) / lap)


def _bounds(track: Track, fronts: dict[int, int]) -> Iterator[tuple[int, int, int]]:
    """(start, end, least): `end` reaches at least so much farther than `start`, in tenths."""
    limit = min(track.level[space] for space in fronts)
    for one, other in permutations(fronts, 2):
        if abs(track.lane[one] - track.lane[other]) != 1:
            continue
        if other in track.beside[one]:
            yield track.behind[one], other, 1
        elif _unrolled(track, one, limit) < _unrolled(track, other, limit):
            yield one, track.behind[other], 0


def _grid(track: Track) -> list[str]:
    return [f"{space} 90.0" for space in sorted(track.grid)]
