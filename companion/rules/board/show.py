"""A board as other programs read it: `companion track show NAME --json`."""

from __future__ import annotations

from collections.abc import Iterable

from companion.rules.board.check import computed_ways
from companion.rules.board.track import Track


def track_as_json(track: Track) -> dict[str, object]:
    """The board in plain JSON: spaces of the track, corners, grid, line, pit, weather.

    Shortest and longest ways are computed from the graph. A space of the track has in
    `section` the label of its section and in `corner` the corner's name or null; the step
    into the pit stands in `pit.entry` and not in `next`.
    """
    return {
        "name": track.name,
        "exact": track.exact,
        "sha256": track.sha256,
        "card": track.is_blank,
        "length": track.length,
        "lanes": list(track.lanes),
        "lap_levels": track.lap_levels,
        "sections": [
            {
                "label": section.label,
                "kind": section.kind,
                "name": section.name,
                "spaces": list(section.spaces),
            }
            for section in track.sections
        ],
        "corners": [_corner(track, at) for at in range(len(track.corners))],
        "spaces": [_space(track, space) for space in track.track_spaces()],
        "grid": _ids(track, track.grid),
        "finish": _ids(track, track.finish),
        "pit": _pit(track) if track.pit else None,
        "weather": {kind: list(span) for kind, span in (track.weather or {}).items()} or None,
        "urban": {
            "noise": _ids(track, sorted(track.noise)),
            "dark": _ids(track, sorted(track.dark)),
            "police": _ids(track, sorted(track.police)),
            "tunnel": [_ids(track, pair) for pair in track.tunnel],
        },
    }


def _ids(track: Track, spaces: Iterable[int]) -> list[str]:
    return [track.ids[space] for space in spaces]


def _space(track: Track, space: int) -> dict[str, object]:
    corner = track.corner[space]
    return {
        "id": track.ids[space],
        "lane": track.lanes[track.lane[space]],
        "section": track.sections[track.section[space]].label,
        "corner": None if corner < 0 else track.corners[corner].name,
        "level": track.level[space],
        "next": _ids(track, track.nexts[space]),
        "beside": _ids(track, track.beside[space]),
    }


def _corner(track: Track, at: int) -> dict[str, object]:
    corner = track.corners[at]
    ways = (corner.shortest, corner.longest) if track.is_blank else computed_ways(track, at)
    shortest, longest = ways
    return {
        "name": corner.name,
        "section": corner.label,
        "stops": corner.stops,
        "turns": None if track.is_blank else corner.turns,
        "shortest": shortest,
        "longest": longest,
    }


def _pit(track: Track) -> dict[str, object]:
    """The pit lane and the boxes; levels are those of `far_level`, without a jump."""
    entry = [space for space in track.track_spaces() if track.entries[space]]
    lane = [
        {
            "id": track.ids[space],
            "level": track.far_level[space],
            "next": _ids(track, track.nexts[space]),
        }
        for space in track.pit
    ]
    boxes = [
        {"id": track.ids[box], "level": track.far_level[box], "beside": track.ids[space]}
        for box, space in zip(track.boxes, track.box_lane, strict=True)
    ]
    return {
        "entry": _ids(track, entry),
        "exit": _ids(track, track.exits),
        "spaces": lane,
        "boxes": boxes,
    }
