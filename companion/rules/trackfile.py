"""A track file (TOML, docs/tracks.md) made into a board.

`read_plan` has read the file, `Graph` has looked every space up; here the two are put
together with what follows from them: levels, the pit, ways through the corners.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

from companion.rules.errors import Malformed
from companion.rules.track import IN_PIT, Corner, Section, Track
from companion.rules.trackfault import Fault, Faults
from companion.rules.trackgraph import Graph
from companion.rules.tracklevels import middle_lane, reduce_level, space_levels
from companion.rules.trackpit import Pit, build_pit
from companion.rules.trackplan import Plan, read_plan
from companion.rules.trackways import circle, ways_through


@lru_cache(maxsize=32)
def load_track(text: str) -> Track:
    """The board that a track file describes.

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
    """The board, or None and everything that stands in its way."""
    faults = Faults()
    plan = read_plan(text, faults)
    if plan is None:
        return None, faults.found
    track = _Compiler(text, plan, Graph(plan, faults), faults).track()
    return track, faults.found


class _Compiler:
    """Puts one board together; each method makes one part of it."""

    def __init__(self, text: str, plan: Plan, graph: Graph, faults: Faults) -> None:
        self.text = text
        self.plan = plan
        self.graph = graph
        self.faults = faults
        self.size = len(graph.ids)
        self.finish = tuple(
            graph.look_up(f"{lane}{number}", "finish")
            for lane, number in zip(plan.lanes, plan.finish, strict=True)
        )
        self.nexts = [
            (*((ahead,) if ahead >= 0 else ()), *changes)
            for ahead, changes in zip(graph.ahead, graph.changes, strict=True)
        ]

    def track(self) -> Track | None:
        """The board, or None when faults were found on the way."""
        self._refuse_circles()
        levels, lap = self._levels()
        grid = self._spaces("grid", self.plan.grid)
        pit = self._pit(levels, lap)
        urban = {
            key: frozenset(self._spaces(key, getattr(self.plan, key)))
            for key in ("noise", "dark", "police")
        }
        tunnel = self._tunnel()
        if self.faults:
            return None
        graph, plan, many = self.graph, self.plan, len(pit.ids)
        ahead = (*graph.ahead, *pit.ahead)
        corners = self._corners()
        corner_of = {corner.section: at for at, corner in enumerate(corners)}
        sections = self._sections(corner_of)
        return Track(
            name=plan.name,
            exact=plan.exact,
            lanes=plan.lanes,
            ids=(*graph.ids, *pit.ids),
            index={name: at for at, name in enumerate((*graph.ids, *pit.ids))},
            lane=(*graph.lane, *(-1,) * many),
            section=(*graph.section, *(-1,) * many),
            corner=(*(corner_of.get(at, -1) for at in graph.section), *(-1,) * many),
            straight=(
                *(-1 if at in corner_of else at for at in graph.section),
                *(IN_PIT,) * many,
            ),
            number=(*graph.number, *pit.number),
            level=(*levels, *(reduce_level(level, lap) for level in pit.far_level)),
            far_level=(*levels, *pit.far_level),
            lap_levels=lap,
            ahead=ahead,
            behind=_inverse(ahead),
            nexts=(*self.nexts, *pit.nexts),
            entries=tuple(
                pit.lane[:1] if space in pit.entries else () for space in range(self.size + many)
            ),
            beside=(*map(tuple, graph.beside), *((),) * many),
            past_line=(*map(self._is_past_line, range(self.size)), *(False,) * many),
            next_corner=self._next_corners(corner_of, pit),
            sections=sections,
            corners=corners,
            grid=grid,
            finish=self.finish,
            pit=pit.lane,
            exits=pit.exits,
            boxes=pit.boxes,
            box_lane=pit.box_lane,
            weather=plan.weather,
            tunnel=tunnel,
            source=self.text,
            sha256=hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest(),
            **urban,
        )

    def _refuse_circles(self) -> None:
        for at, section in enumerate(self.plan.sections):
            found = circle(self.nexts, self._spaces_of(at))
            if found:
                way = ">".join(self.graph.ids[space] for space in found)
                self.faults.add(section.title, f"{way} leads in a circle")

    def _spaces_of(self, section: int) -> frozenset[int]:
        return frozenset(s for s in range(self.size) if self.graph.section[s] == section)

    def _spaces(self, where: str, texts: Sequence[str]) -> tuple[int, ...]:
        """Spaces listed in the file, unqualified ones of the first section."""
        found = tuple(self.graph.look_up(text, where) for text in texts)
        if len(set(texts)) != len(texts):
            self.faults.add(where, "names a space twice")
        return found

    def _levels(self) -> tuple[list[int], int]:
        graph, lanes = self.graph, self.plan.lanes
        first = self.finish[middle_lane(len(lanes))]
        if first < 0:
            return [0] * self.size, 1
        levels, lap = space_levels(graph.lane, graph.beside, first, len(lanes))
        for space, level in enumerate(levels):
            if level == 0:
                title = self.plan.sections[graph.section[space]].title
                lane = lanes[graph.lane[space]]
                self.faults.add(
                    f"{title}, lane {lane}",
                    f"{graph.ids[space]} lies beside no space of the lane toward the middle",
                )
        return levels, lap

    def _pit(self, levels: list[int], lap: int) -> Pit:
        plan = self.plan.pit
        if plan is None:
            return Pit()
        entries, exits = self._spaces("pit entry", plan.entry), self._spaces("pit exit", plan.exit)
        if not entries:
            self.faults.add("pit", "nothing leads to P1: it has no entry")
        if not exits:
            self.faults.add("pit", f"P{plan.spaces} leads nowhere: it has no exit")
        return Pit() if self.faults else build_pit(plan, entries, exits, levels, lap)

    def _tunnel(self) -> tuple[tuple[int, int], ...]:
        pairs = []
        for text in self.plan.tunnel:
            sign, _, other_end = text.partition(">")
            ends = self.graph.look_up(sign, "tunnel"), self.graph.look_up(other_end, "tunnel")
            pairs.append(ends)
        return tuple(pairs)

    def _is_past_line(self, space: int) -> bool:
        line = self.graph.number[self.finish[self.graph.lane[space]]]
        return self.graph.section[space] == 0 and self.graph.number[space] >= line

    def _corners(self) -> tuple[Corner, ...]:
        corners = []
        for at, section in enumerate(self.plan.sections):
            if section.kind != "corner":
                continue
            first = frozenset(self.graph.space(at, lane, 1) for lane in range(len(section.spaces)))
            shortest, longest = ways_through(self.nexts, self._spaces_of(at), first)
            corners.append(
                Corner(
                    name=section.name or section.label,
                    label=section.label,
                    stops=section.stops,
                    turns=section.turns,
                    shortest=section.shortest or shortest,
                    longest=section.longest or longest,
                    section=at,
                )
            )
        return tuple(corners)

    def _sections(self, corner_of: dict[int, int]) -> tuple[Section, ...]:
        return tuple(
            Section(
                kind=section.kind,
                label=section.label,
                name=section.name,
                spaces=section.spaces,
                corner=corner_of.get(at, -1),
            )
            for at, section in enumerate(self.plan.sections)
        )

    def _next_corners(self, corner_of: dict[int, int], pit: Pit) -> tuple[int, ...]:
        """The pit lies in the stretch that its first exit belongs to."""
        around = sorted(corner_of)
        following = [
            corner_of[next((corner for corner in around if corner >= at), around[0])]
            for at in range(len(self.plan.sections))
        ]
        track = [following[at] for at in self.graph.section]
        return (*track, *(track[pit.exits[0]] for _ in pit.ids))


def _inverse(ahead: Sequence[int]) -> tuple[int, ...]:
    behind = [-1] * len(ahead)
    for space, following in enumerate(ahead):
        if following >= 0:
            behind[following] = space
    return tuple(behind)
