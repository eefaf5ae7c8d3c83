"""The police line and the tunnel of an urban board: what can be wrong with them.

The police line stands in the file as a finish line does, by the first space past it of each
lane, so that a car has passed it when its way has entered one of these spaces (FD-URBAN-5).
A tunnel (tracktunnel.py) is driven into in every lane, so its signs stand side by side.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from companion.rules.board.faults import Fault
from companion.rules.board.track import Track


def check_police(track: Track) -> Iterator[Fault]:
    """A police line that is not one line across all lanes, or that a way leads around."""
    if not track.police:
        return
    line = sorted(track.police, key=lambda space: track.lane[space])
    if [track.lane[space] for space in line] != list(range(len(track.lanes))):
        yield Fault("police", "names the first space past the line once for each lane, no other")
        return
    for one, other in pairwise(line):
        if other not in track.beside[one]:
            what = f"{track.ids[one]} and {track.ids[other]} do not lie side by side"
            yield Fault("police", what)
    for space in track.track_spaces():
        for end in track.nexts[space]:
            if _is_before(track, space, line) and _is_beyond(track, end, line):
                around = track.ids[line[track.lane[end]]]
                what = f"{track.ids[space]}>{track.ids[end]} leads past the line around {around}"
                yield Fault("police", what)


def _is_before(track: Track, space: int, line: list[int]) -> bool:
    """Whether a space of the line's section lies before the line."""
    first = line[track.lane[space]]
    return track.section[space] == track.section[first] and space < first


def _is_beyond(track: Track, space: int, line: list[int]) -> bool:
    """Whether a space of the line's section lies beyond the first space past the line."""
    first = line[track.lane[space]]
    return track.section[space] == track.section[first] and space > first


def check_tunnel(track: Track) -> Iterator[Fault]:
    """A tunnel that lacks a lane: signs that do not stand side by side across the track."""
    signs = [sign for sign, _ in track.tunnel]
    for sign in signs:
        beside = {track.lane[other] for other in track.beside[sign] if other in signs}
        for lane in (track.lane[sign] - 1, track.lane[sign] + 1):
            if 0 <= lane < len(track.lanes) and lane not in beside:
                what = f"{track.ids[sign]} has no sign beside it in lane {track.lanes[lane]}"
                yield Fault("tunnel", what)
