"""A track file changed and written: a corner edited, a plan as TOML.

This is what the page's corner editor does. A corner of a file may lack `changes` and be laid out
from its counts (docs/tracks.md). Taken out it always has them, so that a person sees arrows and
mends them one by one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from textwrap import wrap

from companion.rules.board.build import compile_track
from companion.rules.board.check import check_track, computed_ways
from companion.rules.board.graph import Graph, Pair, Place
from companion.rules.board.plan import (
    MOST_SPACES,
    URBAN,
    Fault,
    Faults,
    PitPlan,
    Plan,
    SectionPlan,
    read_plan,
)
from companion.rules.board.track import Track
from companion.rules.lines import Malformed, only_keys, whole
from companion.system.frozen import dataclass

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
    # A lane change joins spaces side by side anyway, so it is not written as a pair too.
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
        Malformed: it is no track file.
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


# -- a plan as TOML -------------------------------------------------------------------------------

# The inverse of `read_plan`. What is left out of a file means something (a corner without
# `changes` is laid out from its counts), so nothing is written that the plan does not say.

LINE_COLUMNS = 96
"""A longer list is written over several lines."""


def write_plan(plan: Plan) -> str:
    """The TOML of a plan; `read_plan` of it gives the plan again."""
    blocks = [
        _top(plan),
        _weather(plan),
        *_pit(plan.pit),
        *(_section(section) for section in plan.sections),
    ]
    return "\n".join("".join(f"{line}\n" for line in block) for block in blocks if block)


def _top(plan: Plan) -> list[str]:
    finish = ", ".join(
        f"{lane} = {number}" for lane, number in zip(plan.lanes, plan.finish, strict=True)
    )
    urban = {key: getattr(plan, key) for key in URBAN}
    return [
        f"name = {_text(plan.name)}",
        f"exact = {_flag(plan.exact)}",
        _words("lanes", plan.lanes),
        _words("grid", plan.grid),
        f"finish = {{ {finish} }}",
        *(_words(key, words) for key, words in urban.items() if words),
    ]


def _weather(plan: Plan) -> list[str]:
    if plan.weather is None:
        return []
    table = (f'{kind} = "{_span(low, high)}"' for kind, (low, high) in plan.weather.items())
    return ["[weather]", *table]


def _pit(pit: PitPlan | None) -> Iterator[list[str]]:
    if pit is not None:
        yield [
            "[pit]",
            f"spaces = {pit.spaces}",
            _words("entry", pit.entry),
            _words("exit", pit.exit),
            _numbers("boxes", pit.boxes),
        ]


def _section(section: SectionPlan) -> list[str]:
    head = ["[[section]]", f'kind = "{section.kind}"']
    if section.name:
        head.append(f"name = {_text(section.name)}")
    return head + (_straight(section) if section.kind == "straight" else _corner(section))


def _straight(section: SectionPlan) -> list[str]:
    spaces = _numbers("spaces", section.spaces)
    if section.changes is not None:
        return [spaces, *_changes(section)]
    closed = [_words("closed", section.closed)] if section.closed else []
    return [spaces, f'lead = "{section.lead}"', *closed]


def _changes(section: SectionPlan) -> list[str]:
    lines = [] if section.changes is None else [_words("changes", section.changes)]
    return lines + ([_words("beside", section.beside)] if section.beside else [])


def _corner(section: SectionPlan) -> list[str]:
    lines = [
        f"stops = {section.stops}",
        f'turns = "{section.turns}"',
        _numbers("spaces", section.spaces),
        *_changes(section),
    ]
    if section.shortest is not None:
        lines.append(f"shortest = {section.shortest}")
    if section.longest is not None:
        lines.append(f"longest = {section.longest}")
    return lines


def _text(text: str) -> str:
    """A string of JSON is one of TOML too, as long as it is printable."""
    return json.dumps(text, ensure_ascii=False)


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _span(low: int, high: int) -> str:
    return f"{low}-{high}" if low < high else str(low)


def _numbers(key: str, numbers: Sequence[int]) -> str:
    return f"{key} = [{', '.join(map(str, numbers))}]"


def _words(key: str, words: Sequence[str]) -> str:
    """A list of texts, on one line or over several."""
    inner = ", ".join(map(_text, words))
    line = f"{key} = [{inner}]"
    if len(line) <= LINE_COLUMNS:
        return line
    rows = wrap(inner + ",", LINE_COLUMNS - 4, break_long_words=False, break_on_hyphens=False)
    return "\n".join([f"{key} = [", *(f"    {row}" for row in rows), "]"])
