"""A plan and its graph put together to a board, with all that follows from them.

`read_plan` has read the file and `Graph` has looked every space up; what follows are
levels, the pit, the ways through the corners, and the look-up tuples of `Track`.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from companion.rules.board.faults import Faults
from companion.rules.board.graph import Graph
from companion.rules.board.lengths import circle, ways_through
from companion.rules.board.levels import hold_to_line, middle_lane, reduce_level, space_levels
from companion.rules.board.pit import Pit, build_pit
from companion.rules.board.plan import Plan
from companion.rules.board.track import IN_PIT, Corner, Section, Track
from companion.rules.board.tunnel import Tunnel, dig, read_tunnel


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
        urban = self._urban()
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
        return Pit() if self._faults else build_pit(plan, entries, exits, levels, lap)

    def _urban(self) -> dict[str, Any]:
        plan = self._plan
        tunnel = read_tunnel(plan.tunnel, self._graph, self._faults)
        if not self._faults:
            dig(tunnel, self._graph, self._nexts)
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
