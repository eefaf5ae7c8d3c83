"""A track file (TOML, docs/tracks.md) made into a board: `load_track`.

`read_plan` has read the file and `Graph` has looked every space up; what follows are
levels, the pit, the ways through the corners, and the look-up tuples of `Track`.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from companion.rules.board.graph import Graph
from companion.rules.board.plan import (
    MOST_SECTIONS,
    MOST_SPACES,
    MOST_STOPS,
    Fault,
    Faults,
    PitPlan,
    Plan,
    Table,
    read_plan,
    read_weather,
)
from companion.rules.board.track import (
    IN_PIT,
    Corner,
    Section,
    Track,
    circle,
    hold_to_line,
    middle_lane,
    pit_levels,
    reduce_level,
    space_levels,
    unroll,
    ways_through,
)
from companion.rules.lines import Malformed
from companion.system.frozen import dataclass


# For more than speed: two tracks are equal only if they are the same object.
@lru_cache(maxsize=32)
def load_track(text: str) -> Track:
    """The board that a track file describes; the same object for the same text.

    Raises:
        Malformed: no board can be made of it; the message names section and lane.
    """
    track, faults = compile_track(text)
    if track is None:
        fault = faults[0]
        raise Malformed(
            "track-faulty",
            f"the track file cannot be used: {fault}",
            args={"where": fault.where, "what": fault.what},
        )
    return track


def compile_track(text: str) -> tuple[Track | None, list[Fault]]:
    """The board, or None and everything that stands in its way; a card has no space."""
    if is_card(text):
        return _compile_card(text)
    faults = Faults()
    plan = read_plan(text, faults)
    if plan is None:
        return None, faults.found
    return Compiler(text, plan, Graph(plan, faults), faults).track(), faults.found


# -- the parts put together -----------------------------------------------------------------------


class Compiler:
    """Puts one board together; each method makes one part of it."""

    def __init__(self, text: str, plan: Plan, graph: Graph, faults: Faults) -> None:
        self._text = text
        self._plan = plan
        self._graph = graph
        self._faults = faults
        self._finish = tuple(
            graph.look_up(f"{lane}{number}", "finish")
            for lane, number in zip(plan.lanes, plan.finish, strict=True)
        )
        self._nexts = [
            (*((ahead,) if ahead >= 0 else ()), *changes)
            for ahead, changes in zip(graph.ahead, graph.changes, strict=True)
        ]
        at_corners = [at for at, section in enumerate(plan.sections) if section.kind == "corner"]
        self._corner_of = {at: corner for corner, at in enumerate(at_corners)}

    def track(self) -> Track | None:
        """The board, or None when there are faults."""
        self._refuse_circles()
        plan = self._plan
        levels, lap = self._levels()
        grid = self._spaces("grid", plan.grid)
        pit = self._pit(levels, lap)
        # Before the steps are built below: a tunnel changes where its sign leads (FD-URBAN-6).
        urban = self._urban()
        # Nothing goes past a fault: `ways_through`, say, would raise on a circle.
        if self._faults:
            return None
        return Track(
            name=plan.name,
            exact=plan.exact,
            lanes=plan.lanes,
            sections=self._sections(),
            corners=self._corners(),
            lap_levels=lap,
            grid=grid,
            finish=self._finish,
            pit=pit.lane,
            exits=pit.exits,
            boxes=pit.boxes,
            box_lane=pit.box_lane,
            weather=plan.weather,
            source=self._text,
            # JSON can bring half a surrogate pair, which must not end in an exception here.
            sha256=hashlib.sha256(self._text.encode("utf-8", "surrogatepass")).hexdigest(),
            **urban,
            **self._names(pit),
            **self._places(pit, levels, lap),
            **self._steps(pit, urban["tunnel"]),
        )

    # the tuples of `Track` by space: those of the track, then those of the pit

    def _names(self, pit: Pit) -> dict[str, Any]:
        ids = (*self._graph.ids, *pit.ids)
        return {"ids": ids, "index": {name: space for space, name in enumerate(ids)}}

    def _places(self, pit: Pit, levels: list[int], lap: int) -> dict[str, Any]:
        graph, corner_of, many = self._graph, self._corner_of, len(pit.ids)
        straights = (-1 if at in corner_of else at for at in graph.section)
        return {
            "lane": (*graph.lane, *(-1,) * many),
            "section": (*graph.section, *(-1,) * many),
            "corner": (*(corner_of.get(at, -1) for at in graph.section), *(-1,) * many),
            "straight": (*straights, *(IN_PIT,) * many),
            "number": (*graph.number, *pit.number),
            "level": (*levels, *(reduce_level(level, lap) for level in pit.far_level)),
            "far_level": (*levels, *pit.far_level),
            "past_line": (*map(self._is_past_line, range(len(levels))), *(False,) * many),
            "next_corner": self._next_corners(pit),
        }

    def _steps(self, pit: Pit, tunnel: Tunnel) -> dict[str, Any]:
        graph, many = self._graph, len(pit.ids)
        ahead = (*graph.ahead, *pit.ahead)
        behind = _inverse(ahead)
        # A space written under the tunnel leads to the far end too; behind it lies the sign
        # (FD-URBAN-6).
        for sign, far_end in tunnel:
            behind[far_end] = sign
        entries = ((pit.lane[:1] if space in pit.entries else ()) for space in range(len(ahead)))
        return {
            "ahead": ahead,
            "behind": tuple(behind),
            "nexts": (*self._nexts, *pit.nexts),
            "entries": tuple(entries),
            "beside": (*map(tuple, graph.beside), *((),) * many),
        }

    def _is_past_line(self, space: int) -> bool:
        graph = self._graph
        line = graph.number[self._finish[graph.lane[space]]]
        return graph.section[space] == 0 and graph.number[space] >= line

    def _next_corners(self, pit: Pit) -> tuple[int, ...]:
        """By space; the pit lies in the section that its first exit belongs to."""
        corner_of = self._corner_of
        following = [
            # Behind the last corner the first one comes next, hence the 0.
            next((corner for at, corner in corner_of.items() if at >= here), 0)
            for here in range(len(self._plan.sections))
        ]
        track = [following[at] for at in self._graph.section]
        return (*track, *(track[pit.exits[0]] for _ in pit.ids))

    # parts that can be faulty

    def _refuse_circles(self) -> None:
        for at, section in enumerate(self._plan.sections):
            found = circle(self._nexts, self._spaces_of(at))
            if found:
                way = ">".join(self._graph.ids[space] for space in found)
                lane = self._plan.lanes[self._graph.lane[found[0]]]
                where = f"{section.title}, lane {lane}"
                self._faults.add(where, f"{way} leads in a circle", "circle", way=way)

    def _spaces_of(self, section: int) -> frozenset[int]:
        return frozenset(s for s, at in enumerate(self._graph.section) if at == section)

    def _spaces(self, where: str, texts: Sequence[str]) -> tuple[int, ...]:
        """Spaces listed in the file, unqualified ones of the first section."""
        found = tuple(self._graph.look_up(text, where) for text in texts)
        for space in {space for space in found if space >= 0 and found.count(space) > 1}:
            self._faults.add(where, f"{self._graph.ids[space]} is written twice")
        return found

    def _levels(self) -> tuple[list[int], int]:
        graph, lanes = self._graph, self._plan.lanes
        first = self._finish[middle_lane(len(lanes))]
        if first < 0:
            return [0] * len(graph.ids), 0
        levels, lap = space_levels(graph.lane, graph.beside, first, len(lanes))
        lonely = defaultdict(list)
        for space, level in enumerate(levels):
            if level == 0:
                lonely[graph.section[space], graph.lane[space]].append(graph.ids[space])
        for (at, lane), names in lonely.items():
            self._faults.add(
                f"{self._plan.sections[at].title}, lane {lanes[lane]}",
                f"nothing of the lane toward the middle lies beside {', '.join(names)}",
            )
        for space in self._spaces_of(0) if not self._faults else ():
            past = self._is_past_line(space)
            levels[space] = hold_to_line(levels[space], lap, len(lanes), past_line=past)
        return levels, lap

    def _pit(self, levels: list[int], lap: int) -> Pit:
        plan = self._plan.pit
        if plan is None:
            return Pit()
        entries, exits = self._spaces("pit entry", plan.entry), self._spaces("pit exit", plan.exit)
        if not entries:
            self._faults.add("pit entry", "names no space: nothing leads to P1")
        if not exits:
            self._faults.add("pit exit", f"names no space: P{plan.spaces} leads nowhere")
        return Pit() if self._faults else _build_pit(plan, entries, exits, levels, lap)

    def _urban(self) -> dict[str, Any]:
        plan = self._plan
        tunnel = _read_tunnel(plan.tunnel, self._graph, self._faults)
        if not self._faults:
            _dig(tunnel, self._graph, self._nexts)
        return {
            "noise": frozenset(self._spaces("noise", plan.noise)),
            "dark": frozenset(self._spaces("dark", plan.dark)),
            "police": frozenset(self._spaces("police", plan.police)),
            "tunnel": tunnel,
        }

    def _corners(self) -> tuple[Corner, ...]:
        return tuple(self._corner(at) for at in self._corner_of)

    def _corner(self, at: int) -> Corner:
        plan = self._plan.sections[at]
        first = [self._graph.space(at, lane, 1) for lane in range(len(plan.spaces))]
        shortest, longest = ways_through(self._nexts, self._spaces_of(at), first)
        return Corner(
            name=plan.name or plan.label,
            label=plan.label,
            stops=plan.stops,
            turns=plan.turns,
            shortest=plan.shortest or shortest,
            longest=plan.longest or longest,
            section=at,
        )

    def _sections(self) -> tuple[Section, ...]:
        return tuple(
            Section(
                kind=plan.kind,
                label=plan.label,
                name=plan.name,
                spaces=plan.spaces,
                corner=self._corner_of.get(at, -1),
            )
            for at, plan in enumerate(self._plan.sections)
        )


def _inverse(ahead: Sequence[int]) -> list[int]:
    behind = [-1] * len(ahead)
    for space, following in enumerate(ahead):
        if following >= 0:
            behind[following] = space
    return behind


# -- the pit --------------------------------------------------------------------------------------

# A lane one car wide, and boxes beside it (FD-PIT-6).


@dataclass(frozen=True, slots=True)
class Pit:
    """The pit's spaces, numbered on after those of the track; tuples in that order.

    `far_level` counts on past the line without a jump.
    """

    ids: tuple[str, ...] = ()
    number: tuple[int, ...] = ()
    far_level: tuple[int, ...] = ()
    ahead: tuple[int, ...] = ()
    nexts: tuple[tuple[int, ...], ...] = ()
    lane: tuple[int, ...] = ()
    boxes: tuple[int, ...] = ()
    box_lane: tuple[int, ...] = ()
    entries: tuple[int, ...] = ()
    exits: tuple[int, ...] = ()


def _build_pit(
    plan: PitPlan, entries: tuple[int, ...], exits: tuple[int, ...], levels: list[int], lap: int
) -> Pit:
    """The pit of a track with these levels, entered from `entries` and left to `exits`.

    Neither may be empty. The entry that counts for the levels is the last along the lap,
    the exit the first.
    """
    size = len(levels)
    near = levels[entries[0]]
    entry = max(unroll(levels[space], near, lap) for space in entries)
    first_exit = min(unroll(levels[space], levels[exits[0]], lap) for space in exits)
    far = pit_levels(entry, first_exit, plan.spaces, lap)
    lane = tuple(range(size, size + plan.spaces))
    boxes = tuple(range(size + plan.spaces, size + plan.spaces + len(plan.boxes)))
    box_lane = tuple(lane[number - 1] for number in plan.boxes)
    return Pit(
        ids=(
            *(f"P{k}" for k in range(1, len(lane) + 1)),
            *(f"B{k}" for k in range(1, len(boxes) + 1)),
        ),
        number=(*range(1, len(lane) + 1), *range(1, len(boxes) + 1)),
        far_level=(*far, *(far[number - 1] for number in plan.boxes)),
        ahead=(*lane[1:], -1, *(-1 for _ in boxes)),
        nexts=(*((space,) for space in lane[1:]), exits, *((space,) for space in box_lane)),
        lane=lane,
        boxes=boxes,
        box_lane=box_lane,
        entries=entries,
        exits=exits,
    )


# -- tunnels --------------------------------------------------------------------------------------

# The space with the sign leads to the other end, and nowhere else (FD-URBAN-6). The spaces under
# a tunnel are best left out of the file, so that the far end is the next space of its lane; where
# they are written all the same, a move jumps over them. No lane is changed in a tunnel, so a sign
# and a far end of another lane are no neighbours.

Tunnel = tuple[tuple[int, int], ...]


def _read_tunnel(texts: Iterable[str], graph: Graph, faults: Faults) -> Tunnel:
    """The pairs of spaces as written, `S4.l7>S5.l1`; a pair that cannot be driven is a fault."""
    pairs = []
    for text in texts:
        sign, _, far_end = text.partition(">")
        pair = graph.look_up(sign, "tunnel"), graph.look_up(far_end, "tunnel")
        if min(pair) >= 0 and not _leads_on(graph, *pair):
            faults.add("tunnel", f"{text} should lead on in its lane")
        pairs.append(pair)
    for end in (0, 1):
        spaces = [pair[end] for pair in pairs if pair[end] >= 0]
        for space in sorted({space for space in spaces if spaces.count(space) > 1}):
            faults.add("tunnel", f"{graph.ids[space]} is written twice")
    return tuple(pairs)


def _leads_on(graph: Graph, sign: int, far_end: int) -> bool:
    """In one lane, and onward where both lie in one section (else it would be a circle)."""
    if graph.lane[sign] != graph.lane[far_end]:
        return False
    return graph.section[sign] != graph.section[far_end] or sign < far_end


def _dig(tunnel: Tunnel, graph: Graph, nexts: list[tuple[int, ...]]) -> None:
    """Lead every sign to its far end alone, and part the spaces that the tunnel keeps apart."""
    signs, far_ends = {sign for sign, _ in tunnel}, {far_end for _, far_end in tunnel}
    for sign, far_end in tunnel:
        nexts[sign] = (far_end,)
        graph.ahead[sign] = far_end
    for apart, others in ((signs, far_ends), (far_ends, signs)):
        for space in apart:
            graph.beside[space] = [s for s in graph.beside[space] if s not in others]


# -- boards without spaces ------------------------------------------------------------------------

# One that nobody has put in, and the card of one that is half known. A race on such a board is
# boardless: positions are the table's, and seats report what the rules need of their moves. A
# card is a `.toml` with the few figures that are known of a board (`kind = "card"`,
# docs/tracks.md). It is given as a `Track` that has no space, so that a header names it like any
# board and a record carries it along.

_KIND = re.compile(r"""^kind\s*=\s*(["'])card\1""", re.MULTILINE)
_CORNER = re.compile(r"([1-9]):([0-9]{1,3})-([0-9]{1,3})")
LONGEST_LAP = 10_000


def is_card(text: str) -> bool:
    """Whether a track file says of itself that it is a card."""
    return _KIND.search(text) is not None


def _compile_card(text: str) -> tuple[Track | None, list[Fault]]:
    """The board without spaces that a card tells of, or None and all that is wrong with it."""
    faults = Faults()
    try:
        top = Table(tomllib.loads(text), "card", faults)
    except (ValueError, RecursionError) as error:
        faults.add("card", f"is not TOML: {error}")
        return None, faults.found
    top.choice("kind", ("card",))
    name = top.text("name")
    length = top.whole("length", 1, LONGEST_LAP) if top.has("length") else None
    corners = _read_corners(top, faults)
    weather = read_weather(top, faults)
    top.no_other_keys()
    if not corners and weather is None:
        faults.add("card", "says nothing: it has corners, or a weather table, or both")
    track = _blank(name, corners, weather, length, text)
    return (None if faults else track), faults.found


def _read_corners(top: Table, faults: Faults) -> tuple[Corner, ...]:
    """The corners in driving order from the line: "stops:shortest-longest"."""
    corners = top.words("corners", default=())
    if len(corners) > MOST_SECTIONS:
        faults.add("corners", f"has {len(corners)} corners; {MOST_SECTIONS} are possible")
        return ()
    return tuple(_read_corner(f"T{place}", one, faults) for place, one in enumerate(corners, 1))


def _read_corner(label: str, text: str, faults: Faults) -> Corner:
    match = _CORNER.fullmatch(text)
    # What does not match becomes zeros, which the bounds refuse like any other figure.
    stops, shortest, longest = map(int, match.groups()) if match else (0, 0, 0)
    if not (1 <= stops <= MOST_STOPS and 1 <= shortest <= longest <= MOST_SPACES):
        faults.add(
            label,
            f'{text[:40]!r} is no corner; one is written "stops:shortest-longest", as "2:6-12", '
            f"with 1 to {MOST_STOPS} stops",
        )
    return Corner(label, label, stops, "left", shortest, longest, int(label[1:]) - 1)


def _blank(
    name: str,
    corners: tuple[Corner, ...] = (),
    weather: Mapping[str, tuple[int, int]] | None = None,
    length: int | None = None,
    source: str = "",
) -> Track:
    """A board without a space; which way its corners turn is not known."""
    sections = tuple(
        Section("corner", corner.label, None, (), at) for at, corner in enumerate(corners)
    )
    return Track(
        name=name, exact=False, lanes=(), ids=(), index={}, lane=(), section=(), corner=(),
        straight=(), number=(), level=(), far_level=(), lap_levels=1, ahead=(), behind=(),
        nexts=(), entries=(), beside=(), past_line=(), next_corner=(), sections=sections,
        corners=corners, grid=(), finish=(), pit=(), exits=(), boxes=(), box_lane=(),
        weather=weather, noise=frozenset(), dark=frozenset(), police=frozenset(), tunnel=(),
        source=source, sha256=hashlib.sha256(source.encode("utf-8")).hexdigest(),
        length=length,
    )  # fmt: skip


NO_BOARD = _blank("")
"""The board of a race whose header names none (`"track": null`)."""
