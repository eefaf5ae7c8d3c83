"""The lanes of a drawing, which no file names.

Taken by distance, each space joins a lane whose last space leads to it, of several the hindmost:
what stands farthest back must be gone on from first, else its lane would end there.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.board.dat.source import Drawing, Type
from companion.rules.board.faults import Faults

Lanes = tuple[tuple[int, ...], ...]
"""The spaces of each lane from the finish row on, left to right in driving direction."""


def find_lanes(drawing: Drawing, distances: Mapping[int, float], faults: Faults) -> Lanes:
    """The lanes of a board; a fault for each space in none, and each lane that does not close."""
    row = _across(drawing, distances)
    lanes = [[space] for space in row]
    others = (n.id for n in drawing.nodes.values() if n.type != Type.PIT and n.id not in row)
    for space in sorted(others, key=lambda s: (round(distances[s], 2), s)):
        joined = [lane for lane in lanes if space in drawing.nexts[lane[-1]]]
        if joined:
            min(joined, key=lambda lane: distances[lane[-1]]).append(space)
        else:
            faults.add("lanes", f"space {space} is behind the last space of no lane")
    for number, lane in enumerate(lanes, 1):
        if lane[0] not in drawing.nexts[lane[-1]]:
            faults.add(f"lane {number}", f"ends at space {lane[-1]}, and not at the finish line")
    found = tuple(map(tuple, lanes))
    return found if faults or _is_left_first(drawing, found) else found[::-1]


def _across(drawing: Drawing, distances: Mapping[int, float]) -> list[int]:
    """The finish row from one side to the other."""
    row = sorted((n.id for n in drawing.nodes.values() if n.finish), key=lambda s: distances[s])
    if len(row) == 3:
        alone = [s for s in row if [distances[o] for o in row].count(distances[s]) == 1]
        middle = alone[0] if alone else row[0]
        outer = [space for space in row if space != middle]
        return [outer[0], middle, outer[1]]
    return _four_across(drawing, row) if len(row) == 4 else row


def _four_across(drawing: Drawing, row: list[int]) -> list[int]:
    """Of the two hindmost the one that leads to one other is outermost, its end between them."""
    leads = {s: [end for end in drawing.nexts[s] if end in row] for s in row}
    inner = max(row[:2], key=lambda space: len(leads[space]))
    outer = row[0] if inner == row[1] else row[1]
    between = next((s for s in leads[inner] if s in leads[outer]), None)
    if between is None:
        return row
    last = [space for space in row if space not in (outer, between, inner)]
    return [outer, between, inner, *last]


def _is_left_first(drawing: Drawing, lanes: Lanes) -> bool:
    """Whether the first lane is the left one: driving direction across the row, y downward."""
    first, last = (drawing.nodes[lane[0]] for lane in (lanes[0], lanes[-1]))
    here, following = (drawing.nodes[lanes[0][at]] for at in (0, 1))
    along = following.x - here.x, following.y - here.y
    across = last.x - first.x, last.y - first.y
    return along[0] * across[1] - along[1] * across[0] > 0
