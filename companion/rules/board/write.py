"""A plan written as a track file: the inverse of `read_plan`.

What is left out of a file means something (a corner without `changes` is laid out from its
counts), so nothing is written that the plan does not say.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from textwrap import wrap

from companion.rules.board.plan import PitPlan, Plan, SectionPlan

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
    urban = {
        "noise": plan.noise,
        "dark": plan.dark,
        "police": plan.police,
        "tunnel": plan.tunnel,
    }
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
