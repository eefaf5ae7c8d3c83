"""What is wrong with a track file, all of it, with section and lane.

What keeps a board from being made at all is found on the way by reading and compiling.
What is found here is a board that can be raced on and yet is not the one on the table:
figures that contradict the printed ones, arrows that no printer would draw.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, pairwise

from companion.rules.board.build import compile_track, is_card
from companion.rules.board.plan import Fault, Faults, Plan, read_plan
from companion.rules.board.track import Track, ways_through


def check_track(text: str) -> list[Fault]:
    """Every fault of a track file; an empty list for a sound one."""
    track, faults = compile_track(text)
    if is_card(text):
        return faults
    # Its faults are thrown away: `compile_track` has found the same ones in the same text.
    plan = read_plan(text, Faults())
    if plan is not None:
        faults += _counts(plan)
    if track is not None:
        faults += [fault for check in CHECKS for fault in check(track)]
    return faults


def computed_ways(track: Track, corner: int) -> tuple[int, int]:
    """Spaces of a corner on the shortest and the longest way through it.

    (0, 0) where no way leads through.
    """
    at = track.corners[corner].section
    spaces = frozenset(space for space in track.track_spaces() if track.section[space] == at)
    first = [space for space in spaces if track.number[space] == 1]
    return ways_through(track.nexts, spaces, first)


def _where(track: Track, space: int) -> str:
    section = track.sections[track.section[space]]
    return f"{section.title}, lane {track.lanes[track.lane[space]]}"


def _counts(plan: Plan) -> Iterator[Fault]:
    """Counts of a corner outside its shortest and longest way as printed.

    Asked of the plan: wrong counts are what often keeps a board from being made.
    """
    for section in plan.sections:
        low, high = section.shortest, section.longest
        for lane, count in zip(plan.lanes, section.spaces, strict=True):
            where = f"{section.title}, lane {lane}"
            if low is not None and count < low:
                what = f"{count} spaces are below the printed shortest way of {low}"
                yield Fault(where, what, "below-shortest", {"count": count, "printed": low})
            if high is not None and count > high:
                what = f"{count} spaces are above the printed longest way of {high}"
                yield Fault(where, what, "above-longest", {"count": count, "printed": high})


def _ways(track: Track) -> Iterator[Fault]:
    """Ways through a corner other than printed; a board with `exact = false` may differ."""
    for at, corner in enumerate(track.corners) if track.exact else ():
        shortest, longest = computed_ways(track, at)
        low, high = corner.shortest, corner.longest
        if (shortest, longest) != (low, high):
            args = {"shortest": shortest, "longest": longest, "low": low, "high": high}
            what = (
                f"its ways through have {shortest} to {longest} spaces; printed are {low} to {high}"
            )
            yield Fault(track.sections[corner.section].title, what, "ways-differ", args)


def _changes(track: Track) -> list[tuple[int, int]]:
    """All lane changes, in driving order."""
    return [
        (start, end)
        for start in track.track_spaces()
        for end in track.nexts[start]
        if end != track.ahead[start]
    ]


def _written(track: Track, change: tuple[int, int]) -> str:
    return f"{track.ids[change[0]]}>{track.ids[change[1]]}"


def _crossings(track: Track) -> Iterator[Fault]:
    """Two lane changes between the same two lanes that cross.

    Straights are laid out by rule and left out: lanes that stand level cross by nature.
    """
    changes = [change for change in _changes(track) if track.straight[change[0]] < 0]
    for one, other in combinations(changes, 2):
        if _do_cross(track, one, other):
            names = {"one": _written(track, one), "other": _written(track, other)}
            what = "{one} and {other} cross".format(**names)
            yield Fault(_where(track, one[0]), what, "cross", names)


def _do_cross(track: Track, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two changes out of corners meet between their lanes."""
    lane = track.lane
    if track.section[one[0]] != track.section[other[0]]:
        return False
    if {lane[one[0]], lane[one[1]]} != {lane[other[0]], lane[other[1]]}:
        return False
    if lane[one[0]] != lane[other[0]]:
        # Turned round, so that both are compared along the same two lanes.
        other = other[1], other[0]
    here = _along(track, one[0], other[0])
    there = _along(track, one[1], other[1])
    # They cross where the one that starts ahead ends behind.
    return here * there < 0


def _along(track: Track, one: int, other: int) -> int:
    """How far `other` lies ahead of `one` in one lane; they are a section apart at most."""
    sections = track.section[one], track.section[other]
    apart = track.number[other] - track.number[one]
    if sections[0] == sections[1]:
        return apart
    following = (sections[0] + 1) % len(track.sections) == sections[1]
    lane = track.lane[one]
    behind = track.sections[sections[0 if following else 1]].spaces[lane]
    return apart + behind if following else apart - behind


def _merges(track: Track) -> Iterator[Fault]:
    """Two spaces of a lane that change to the same space."""
    sources = defaultdict(list)
    for start, end in _changes(track):
        sources[track.lane[start], end].append(start)
    for (_, end), starts in sources.items():
        if len(starts) > 1:
            one, other = (track.ids[start] for start in starts[:2])
            args = {"one": one, "other": other, "space": track.ids[end]}
            what = "{one} and {other} both change to {space}".format(**args)
            yield Fault(_where(track, starts[0]), what, "merge", args)


def _loose_ends(track: Track) -> Iterator[Fault]:
    """Spaces that nothing leads to, or that lead nowhere."""
    reached = {end for ends in (*track.nexts, *track.entries) for end in ends}
    for space in track.track_spaces():
        where, args = _where(track, space), {"space": track.ids[space]}
        if space not in reached:
            yield Fault(where, f"nothing leads to {track.ids[space]}", "not-reached", args)
        if not track.nexts[space]:
            yield Fault(where, f"{track.ids[space]} leads nowhere", "leads-nowhere", args)


def _lonely(track: Track) -> Iterator[Fault]:
    """Spaces with nothing beside them in a neighbouring lane that runs through the section."""
    spaces = track.track_spaces()
    place = {space: (track.section[space], track.lane[space]) for space in spaces}
    # A lane that begins or ends on the way leaves those beyond its end without a neighbour.
    ends = {place[space] for space in spaces if min(track.ahead[space], track.behind[space]) < 0}
    through = {*place.values()} - ends
    for space in spaces:
        for lane in _lacking(track, space, track.beside[space]):
            if (track.section[space], lane) in through:
                names = {"space": track.ids[space], "lane": track.lanes[lane]}
                what = "{space} lies beside nothing of lane {lane}".format(**names)
                yield Fault(_where(track, space), what, "lonely", names)


def _lacking(track: Track, space: int, beside: Iterable[int]) -> list[int]:
    """The lanes next to that of a space of which none of these spaces is."""
    known = {track.lane[other] for other in beside}
    lanes = (track.lane[space] - 1, track.lane[space] + 1)
    return [lane for lane in lanes if 0 <= lane < len(track.lanes) and lane not in known]


def _line(track: Track) -> Iterator[Fault]:
    """A finish line that does not go straight across."""
    return _apart(track, "finish", track.finish)


def _apart(track: Track, where: str, line: Sequence[int]) -> Iterator[Fault]:
    """Neighbours in a line across the track that do not lie side by side."""
    for one, other in pairwise(line):
        if other not in track.beside[one]:
            yield Fault(where, f"{track.ids[one]} and {track.ids[other]} do not lie side by side")


def _grid(track: Track) -> Iterator[Fault]:
    """A grid that is empty or beyond the line."""
    if not track.grid:
        yield Fault("grid", "names no space")
    for space in track.grid:
        if track.past_line[space]:
            yield Fault("grid", f"{track.ids[space]} lies past the line")


def _pit(track: Track) -> Iterator[Fault]:
    """A pit that runs backwards, or has fewer boxes than the grid has cars."""
    entry = next((space for space in track.track_spaces() if track.entries[space]), 0)
    lap = track.lap_levels
    # More than half a lap ahead is as good as behind.
    if track.pit and (track.level[track.exits[0]] - track.level[entry]) % lap > lap // 2:
        yield Fault("pit exit", "lies before the pit entry")
    if track.pit and len(track.boxes) < len(track.grid):
        yield Fault("pit boxes", f"are {len(track.boxes)} for a grid of {len(track.grid)} cars")


def _tunnel(track: Track) -> Iterator[Fault]:
    """A tunnel that jumps over a section: what a move touches is read off the sections."""
    count = len(track.sections)
    for sign, far_end in track.tunnel:
        if (track.section[far_end] - track.section[sign]) % count > 1:
            what = f"{track.ids[sign]} leads to {track.ids[far_end]}, past a section; leave it out"
            yield Fault("tunnel", what)


def _police(track: Track) -> Iterator[Fault]:
    """A police line that is not one line across all lanes, or that a way leads around.

    It stands in the file as a finish line does, by the first space past it of each lane, so that a
    car has passed it when its way has entered one of these spaces (FD-URBAN-5).
    """
    if not track.police:
        return
    line = sorted(track.police, key=lambda space: track.lane[space])
    if [track.lane[space] for space in line] != list(range(len(track.lanes))):
        yield Fault("police", "names the first space past the line once for each lane, no other")
        # Without one space in each lane there is no line to measure by.
        return
    yield from _apart(track, "police", line)
    for space in track.track_spaces():
        for end in track.nexts[space]:
            if _past(track, space, line) < 0 < _past(track, end, line):
                around = track.ids[line[track.lane[end]]]
                what = f"{track.ids[space]}>{track.ids[end]} leads past the line around {around}"
                yield Fault("police", what)


def _past(track: Track, space: int, line: list[int]) -> int:
    """How far a space of the line's section lies beyond the first space past the line."""
    first = line[track.lane[space]]
    return space - first if track.section[space] == track.section[first] else 0


def _signs(track: Track) -> Iterator[Fault]:
    """A tunnel that lacks a lane: signs that do not stand side by side across the track."""
    signs = [sign for sign, _ in track.tunnel]
    for sign in signs:
        for lane in _lacking(track, sign, set(track.beside[sign]).intersection(signs)):
            what = f"{track.ids[sign]} has no sign beside it in lane {track.lanes[lane]}"
            yield Fault("tunnel", what)


CHECKS: tuple[Callable[[Track], Iterator[Fault]], ...] = (
    _ways,
    _crossings,
    _merges,
    _loose_ends,
    _lonely,
    _line,
    _grid,
    _pit,
    _tunnel,
    _police,
    _signs,
)
"""All that is looked at on a board that can be raced on, in the order of the report."""
