"""The steps of a board, sorted for the search: those that change nothing but the space, and
the few that leave a section, cross the line or pass a car.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from companion.rules.board.track import IN_PIT, Track
from companion.rules.ways.arrivals import Arrival, Trail

# A place of the search is one number (see `search`): the space in the low bits, above it what
# the way has behind it. No track file has more spaces (`board.plan`), no move more steps.
SPACE = (1 << 18) - 1
PASSED = 1 << 18
LINE = 1 << 19
TOUCH_SHIFT = 20
MOST_STEPS = (1 << 8) - 1

WITHIN, CORNER, STRAIGHT = range(3)
"""Where a step leads: on in its section, or into another one. Plain numbers, since the search
asks at every step and a member of an Enum is looked up by a function in Python 3.11."""


class Hop(NamedTuple):
    """One step: where to, what the way has behind it then, the corner left (or -1)."""

    there: int
    bits: int
    left: int
    into: int


def arrival_at(end: int, trail: Trail = ()) -> Arrival:
    """The end of a way that overshot nothing, from the lower bits of its place."""
    line, passed, touched = bool(end & LINE), bool(end & PASSED), end >> TOUCH_SHIFT
    return Arrival(end & SPACE, trail, line, touched=touched, passed=passed)


class _Plain(dict[int, Arrival]):
    def __missing__(self, end: int) -> Arrival:
        made = arrival_at(end)
        if not made.touched:
            self[end] = made
        return made


class Hops(NamedTuple):
    """Every step of a board, by the space that it begins on.

    `inner` are those within a section, `outer` all that need a closer look, `lane` the step
    straight ahead, None where the lane ends. `doors` tells how many steps the nearest entry of
    the pit is away on an empty road, `FAR` where none is ahead. `stops` are those of the
    corners. `plain` are the ends that cost nothing, made as they are asked for.
    """

    inner: tuple[tuple[int, ...], ...]
    outer: tuple[tuple[Hop, ...], ...]
    lane: tuple[Hop | None, ...]
    doors: tuple[int, ...]
    stops: tuple[int, ...]
    plain: _Plain


FAR = 1 << 30


@lru_cache(maxsize=64)
def hops(track: Track, her: int = -1, lifts: bool = False) -> Hops:
    """The steps of a board; with `her` those that pass a car on that space are marked (FD-DRV-1).

    Where the line ahead `lifts`, nobody is passed beyond it (FD-END-2).
    """

    def hop(here: int, there: int) -> Hop:
        same = track.section[here] == track.section[there]
        into = WITHIN if same else CORNER if track.straight[there] == -1 else STRAIGHT
        line = track.past_line[there] and not track.past_line[here]
        bits = LINE if line and track.straight[here] != IN_PIT else 0
        if her >= 0 and _passes(track, here, there, her) and not (lifts and track.past_line[there]):
            bits |= PASSED
        return Hop(there, bits, -1 if same else track.corner[here], into)

    every = [[hop(here, there) for there in ends] for here, ends in enumerate(track.nexts)]
    ahead = enumerate(track.ahead)
    return Hops(
        tuple(tuple(h.there for h in some if _is_plain(h)) for some in every),
        tuple(tuple(h for h in some if not _is_plain(h)) for some in every),
        tuple(None if there < 0 else hop(here, there) for here, there in ahead),
        _to_doors(track),
        tuple(corner.stops for corner in track.corners),
        _Plain(),
    )


def _is_plain(hop: Hop) -> bool:
    return not hop.bits and hop.into is WITHIN


def _passes(track: Track, here: int, there: int, her: int) -> bool:
    """Whether a step gets from level with a space, or behind it, to ahead inside its straight."""
    inside = track.straight[here] == track.straight[there] == track.straight[her]
    return inside and _along(track, here) <= _along(track, her) < _along(track, there)


def _along(track: Track, space: int) -> int:
    """The level of a space, counted on over the line that its straight may hold."""
    return track.level[space] + track.lap_levels * track.past_line[space]


def _to_doors(track: Track) -> tuple[int, ...]:
    """By space: the steps to the nearest entry of the pit."""
    before: list[list[int]] = [[] for _ in track.ids]
    for here, ends in enumerate(track.nexts):
        for there in ends:
            before[there].append(here)
    found = [0 if into else FAR for into in track.entries]
    edge = [space for space, steps in enumerate(found) if not steps]
    while edge:
        edge = [here for there in edge for here in before[there] if _nearer(found, here, there)]
    return tuple(found)


def _nearer(found: list[int], here: int, there: int) -> bool:
    """Whether the way by this step is the first to be found; it is noted."""
    if found[here] <= found[there] + 1:
        return False
    found[here] = found[there] + 1
    return True
