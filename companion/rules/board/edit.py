"""One corner of a track file taken out, and put in again: what the page's corner editor does.

A corner of a file may lack `changes` and be laid out from its counts (docs/tracks.md). Taken
out it always has them, so that a person sees arrows and mends them one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from companion.frozen import dataclass
from companion.rules.board.check import check_track, computed_ways
from companion.rules.board.faults import Fault, Faults
from companion.rules.board.file import compile_track
from companion.rules.board.graph import Graph
from companion.rules.board.layout import Pair, Place
from companion.rules.board.plan import MOST_SPACES, Plan, SectionPlan, read_plan
from companion.rules.board.track import Track
from companion.rules.board.write import write_plan
from companion.rules.errors import Malformed
from companion.rules.reading import only_keys, whole

MOST_PAIRS = 400
"""Arrows or pairs that a corner can have; the largest one known has 24."""
LONGEST_PAIR = 20
"""Characters of an arrow or a pair as written."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A corner as somebody draws it: `spaces` by lane, arrows and pairs side by side.

    `changes` is None where the arrows are to be laid out from the counts.
    """

    section: str
    spaces: tuple[int, ...]
    changes: tuple[str, ...] | None
    beside: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sketch:
    """A whole track file with a draft put in: its text, what is wrong with it, its board."""

    text: str
    faults: list[Fault]
    track: Track | None


def read_draft(data: Mapping[str, object]) -> Draft:
    """The draft in a JSON object.

    Raises:
        Malformed: it has another form.
    """
    only_keys(data, ("section", "spaces", "changes", "beside"), "a corner")
    section, spaces, changes = data.get("section"), data.get("spaces"), data.get("changes")
    if not isinstance(section, str) or not isinstance(spaces, list):
        raise Malformed("corner-form", "a corner has its section (T1) and the spaces of its lanes")
    return Draft(
        section=section,
        spaces=tuple(whole(count, "a count of spaces", 0, MOST_SPACES) for count in spaces),
        changes=None if changes is None else _written(changes, ">"),
        beside=_written(data.get("beside", []), "|"),
    )


def _written(data: object, sign: str) -> tuple[str, ...]:
    if not isinstance(data, list) or len(data) > MOST_PAIRS:
        raise Malformed("corner-form", f"arrows and pairs are lists of up to {MOST_PAIRS}")
    for text in data:
        if not isinstance(text, str) or len(text) > LONGEST_PAIR or sign not in text:
            raise Malformed("corner-form", f"{text!r:.40} is not written as l1{sign}m1")
    return tuple(data)


def take_out(plan: Plan, section: str) -> Draft:
    """A corner of a plan, its arrows laid out where the file has none.

    Raises:
        Malformed: the board has no such corner.
    """
    at = _find(plan, section)
    corner = plan.sections[at]
    if corner.changes is not None:
        return Draft(section, corner.spaces, corner.changes, corner.beside)
    graph = Graph(plan, Faults())
    laid = graph.layout(at)
    changes = tuple(_pairs(graph, at, laid.changes, ">"))
    known = {pair.replace(">", "|") for pair in changes}
    beside = tuple(pair for pair in _pairs(graph, at, laid.beside, "|") if pair not in known)
    return Draft(section, corner.spaces, changes, beside)


def _pairs(graph: Graph, at: int, pairs: Iterable[Pair], sign: str) -> Iterable[str]:
    """Pairs as a file writes them, without those toward lanes that the neighbours lack."""
    for pair in pairs:
        ends = _name(graph, at, pair.start), _name(graph, at, pair.end)
        if ends[0] and ends[1]:
            yield f"{ends[0]}{sign}{ends[1]}"


def _name(graph: Graph, at: int, place: Place) -> str | None:
    space = graph.space(at, *place)
    if space < 0:
        return None
    name = graph.ids[space]
    return name.partition(".")[2] if graph.section[space] == at else name


def put_in(text: str, draft: Draft, *, name: str | None = None) -> Sketch:
    """The track file with this corner in it; what the file says of all else stays.

    Comments of the file are lost, but for those at its head. `name` renames the board.

    Raises:
        Malformed: the file is no track file, has no such corner, or other lanes.
    """
    plan = plan_of(text)
    at = _find(plan, draft.section)
    if len(draft.spaces) != len(plan.lanes):
        raise Malformed("corner-form", f"the board has {len(plan.lanes)} lanes")
    corner = replace(
        plan.sections[at], spaces=draft.spaces, changes=draft.changes, beside=draft.beside
    )
    sections = (*plan.sections[:at], corner, *plan.sections[at + 1 :])
    whole_plan = replace(plan, name=name or plan.name, sections=sections)
    changed = _head(text) + write_plan(whole_plan)
    return Sketch(changed, check_track(changed), compile_track(changed)[0])


def plan_of(text: str) -> Plan:
    """A track file as it is written.

    Raises:
        Malformed: it is none.
    """
    faults = Faults()
    plan = read_plan(text, faults)
    if plan is None:
        fault = faults.found[0]
        raise Malformed("track-faulty", f"the track file cannot be used: {fault}")
    return plan


def ways_of(track: Track | None, section: str) -> tuple[int, int] | None:
    """Shortest and longest way through a corner, worked out; None without a board."""
    if track is None:
        return None
    labels = [corner.label for corner in track.corners]
    return computed_ways(track, labels.index(section)) if section in labels else None


def corners_of(plan: Plan) -> list[SectionPlan]:
    """The corners of a plan in driving order."""
    return [section for section in plan.sections if section.kind == "corner"]


def _find(plan: Plan, section: str) -> int:
    for at, found in enumerate(plan.sections):
        if found.label == section and found.kind == "corner":
            return at
    corners = ", ".join(corner.label for corner in corners_of(plan))
    raise Malformed("no-such-corner", f"there is no corner {section!r:.20}; there are {corners}")


def _head(text: str) -> str:
    """The comment at the head of a file, which says where the board comes from."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        lines.append(f"{line}\n")
    return "".join([*lines, "\n"]) if lines else ""
