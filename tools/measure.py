"""What the program is like to work on, in figures: `python tools/measure.py [--json] [--at PATH]`.

Some figures are read off the source (how many files name one rule, how much of it says `Any`, how
long functions are), some are counted while it runs (how often an answer makes its asks, how many
files a press passes through). `--at` measures another checkout of today's layout; `--quick` leaves
out what has to run.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from measure_graph import Module, modules
from measure_house import house_figures, rows_of_house
from measure_running import run_figures, timed

ROOT = Path(__file__).parent.parent
ROOMS = ("rules", "views", "table", "league", "seats", "drawing", "cli")
ONE_RULE = {
    "reroll": r"[Rr]eroll|REROLL|WeatherThrown",
    "radio": r"\b_?radio\b|Radio(?=[A-Z]|\b)|\bRADIO\b",
    "trail": r"\b_?trail\b|Trail(?=[A-Z]|\b)|\bTRAIL\b",
}
"""Small rules of one driver each (FD-DRV-5, FD-DRV-3, FD-DRV-6), by the words that name them."""
OTHER = ("rules/board/ways.py", "machine/hotspot.py", "cli/machine.py")
"""Where such a word means another thing: the debris that a way has crossed, a network's radio."""
CHANGING = {"insert", "append", "extend", "pop", "remove", "clear", "sort", "reverse"}
PLACING = {"first", "before_end", "_before", "put_back", "begin", "insert_at"}
"""Calls that put steps into the queue of a turn where they say, not where their point says."""
Figures = dict[str, Any]


# -- read off the source ------------------------------------------------------------------


def source_figures(root: Path) -> Figures:
    """All that can be known without running it."""
    whole = modules(root)
    figures: Figures = {
        "lines": sum(len(module.text.splitlines()) for module in whole),
        "files": len(whole),
        "files that name one rule": {
            name: [m.path for m in whole if re.search(words, m.text) and not _is_other(m)]
            for name, words in ONE_RULE.items()
        },
        "files outside its rooms that name Downforce": [
            m.path for m in whole if "downforce" in m.text.lower() and "downforce" not in m.path
        ],
        "Any or JSON per 1000 code lines": dict(_loose(whole)),
        "lines of functions": function_lengths(whole),
    }
    formula = [m for m in whole if m.path.startswith("companion/rules/formula/")]
    figures["places that say where in a turn a step goes"] = dict(_counted(formula, queue_edits))
    rules = [m for m in whole if m.path.startswith("companion/rules/")]
    figures["event fields with a made-up value"] = dict(made_up(rules))
    return figures | house_figures(root, whole)


def _is_other(module: Module) -> bool:
    return any(path in module.path for path in OTHER)


def _loose(whole: list[Module]) -> Iterator[tuple[str, float]]:
    groups = {"companion": "companion/", **{room: f"companion/{room}/" for room in ROOMS}}
    for name, start in {**groups, "web": "web/"}.items():
        found = [module for module in whole if module.path.startswith(start)]
        lines = sum(module.code_lines for module in found)
        yield name, round(1000 * sum(module.loose for module in found) / max(lines, 1), 1)


def _counted(found: list[Module], count: Any) -> Iterator[tuple[str, int]]:
    for module in found:
        number = count(module.tree)
        if number:
            yield module.path, number


def queue_edits(tree: ast.AST) -> int:
    """How many places change a `.queue`, or put a step into one at a place of their own.

    >>> queue_edits(ast.parse("flow.queue[1] = step; flow.queue.insert(0, step); flow.due(step)"))
    2
    """
    return sum(_edits_queue(node) for node in ast.walk(tree))


def _edits_queue(node: ast.AST) -> bool:
    match node:
        case ast.Assign(targets=targets) | ast.Delete(targets=targets):
            return any(_is_queue(target) for target in targets)
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            return _is_queue(target)
        case ast.Call(func=ast.Attribute(value=value, attr=name)):
            return (name in CHANGING and _is_queue(value)) or (
                name in PLACING and isinstance(value, ast.Name) and value.id in ("flow", "self")
            )
    return False


def _is_queue(node: ast.AST) -> bool:
    if isinstance(node, ast.Subscript):
        node = node.value
    return isinstance(node, ast.Attribute) and node.attr == "queue"


def made_up(found: list[Module]) -> Iterator[tuple[str, int]]:
    """The fields of events that need not be given, by class.

    An event is what has `Event` among its bases, or a class that has.
    """
    classes = [
        (module.path, node)
        for module in found
        for node in module.nodes
        if isinstance(node, ast.ClassDef)
    ]
    events = {"Event"}
    while True:
        more = {node.name for _, node in classes if events & set(_bases(node))}
        if more <= events:
            break
        events |= more
    for _, node in classes:
        if node.name in events:
            number = sum(map(_has_default, node.body))
            if number:
                yield node.name, number


def _bases(node: ast.ClassDef) -> Iterator[str]:
    for base in node.bases:
        name = base.value if isinstance(base, ast.Subscript) else base
        yield name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")


def _has_default(node: ast.stmt) -> bool:
    match node:
        case ast.AnnAssign(annotation=annotation, value=value):
            return value is not None and "ClassVar" not in ast.unparse(annotation)
    return False


def function_lengths(found: list[Module]) -> dict[str, int]:
    """Lines of a function from its `def` to its end: the median, at 90 %, the longest."""
    lengths = sorted(
        node.end_lineno - node.lineno + 1
        for module in found
        for node in module.nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno
    )
    last = len(lengths) - 1
    return {"median": lengths[last // 2], "p90": lengths[last * 9 // 10], "max": lengths[-1]}


# -- printing -----------------------------------------------------------------------------


def rows_of(figures: Figures) -> Iterator[tuple[str, str]]:
    """A line a figure, as the table prints it."""
    yield "lines of Python, companion and web", f"{figures['lines']} in {figures['files']} files"
    for name, files in figures["files that name one rule"].items():
        yield f"files that name the rule {name!r}", str(len(files))
    found = figures["files outside its rooms that name Downforce"]
    yield "files outside its rooms that name Downforce", str(len(found))
    for room, share in figures["Any or JSON per 1000 code lines"].items():
        yield f"Any or JSON per 1000 code lines, {room}", str(share)
    edits = figures["places that say where in a turn a step goes"]
    yield "places that say where in a turn a step goes", f"{sum(edits.values())} in {len(edits)}"
    fields = figures["event fields with a made-up value"]
    yield "event fields with a made-up value", str(sum(fields.values()))
    lengths = figures["lines of functions"]
    yield "lines of functions, median/90 %/most", "/".join(map(str, lengths.values()))
    yield from rows_of_house(figures)
    for name, times in figures.get("for one answer", {}).items():
        yield name, str(times)
    for kind, one in figures.get("files entered by one answer over HTTP", {}).items():
        counts = f"{len(one['files'])} ({one['calls']} calls)"
        yield f"files entered by one answer over HTTP, {kind}", counts
    for words, (whole_s, processor_s) in figures.get("seconds", {}).items():
        yield f"seconds of {words}, all · processor", f"{whole_s:.1f} · {processor_s:.1f}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure the program.")
    parser.add_argument("--at", type=Path, default=ROOT, help="another checkout")
    parser.add_argument("--json", action="store_true", help="all of it, with the files by name")
    parser.add_argument("--quick", action="store_true", help="only what is read off the source")
    parser.add_argument("--times", action="store_true", help="how long make check and test take")
    args = parser.parse_args()
    root = args.at.resolve()
    figures = source_figures(root)
    if not args.quick:
        figures |= run_figures(root)
    if args.times:
        figures["seconds"] = dict(timed(root))
    if args.json:
        print(json.dumps(figures, indent=1))
        return 0
    rows = list(rows_of(figures))
    width = max(len(name) for name, _ in rows)
    for name, figure in rows:
        print(f"{name:<{width}}  {figure}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
