"""Boards that are a sketch (`exact = false`): a car may end near the ends that are listed.

Where the lane changes of a board are not sure, a car on the table may stand on a space that no
listed way leads to. Such an end is accepted and noted, never refused: the move is the listed
one whose end lies nearest, in all that it costs and meets on its way, and only its last space
is another. What follows from where a car stands (a stop, collisions, a slipstream) follows
from that space.

Near is a space of the same section and on the same side of the line, free, and at most
`NEAR_SPACES` farther or less far along the lap, in any lane; so no limit of a corner lies
between the two ends. Nothing is near the end of a car that its move puts out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache, partial

from companion.rules.board.track import Track
from companion.rules.formula.option import NearEnd, Option, Rank
from companion.rules.formula.state import State

NEAR_SPACES = 2
LEVELS_A_SPACE = 2


def near_ends(state: State, seat: int, options: Sequence[Option]) -> list[NearEnd]:
    """The ends near the listed ones, by name and brakes; none on a board that is sure."""
    track = state.setup.track
    if track.exact:
        return []
    taken = {car.space for car in state.cars.values() if car.seat != seat}
    taken.update(option.to for option in options)
    by_brakes: dict[int, list[Option]] = defaultdict(list)
    for option in options:
        if not option.out and track.lane[option.to] >= 0:
            by_brakes[option.brakes].append(option)
    found: list[NearEnd] = []
    for listed in by_brakes.values():
        close: dict[int, list[Option]] = defaultdict(list)
        for option in listed:
            for space in _near(track, option.to):
                close[space].append(option)
        found += [
            NearEnd(space, min(ends, key=partial(_apart, track, space)))
            for space, ends in close.items()
            if space not in taken
        ]
    return sorted(found, key=lambda end: (track.ids[end.space], end.listed.brakes))


@lru_cache(maxsize=4096)
def _near(track: Track, end: int) -> tuple[int, ...]:
    """The spaces near one of a board, itself too."""
    return tuple(
        space
        for space in track.track_spaces()
        if track.section[space] == track.section[end]
        and track.past_line[space] == track.past_line[end]
        and abs(track.level[space] - track.level[end]) <= NEAR_SPACES * LEVELS_A_SPACE
    )


def _apart(track: Track, space: int, option: Option) -> tuple[int, int, Rank]:
    """How far a listed end lies off, along first and then across; equals by least cost."""
    along = abs(track.level[space] - track.level[option.to])
    return along, abs(track.lane[space] - track.lane[option.to]), option.rank(track)
