"""What the program is like to work on, in figures: `python tools/measure.py [--json] [--at PATH]`.

Most figures are read off the source: how many files there are, who imports whom, how many name a
house switch or one small rule, how long functions are. Some are counted while it runs: how often an
answer makes its asks, how many files it passes through. `--at` measures another checkout of today's
layout; `--quick` leaves out what has to run.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

from measure_graph import Module, by_room, circles, floors, import_graph, modules, within
from measure_running import run_figures, timed

ROOT = Path(__file__).parent.parent
FORMULA = "companion.rules.formula"
INNER_ROOMS = (FORMULA, "companion.rules.downforce", "companion_web.league")
"""Rooms inside of rooms that the hall counts for themselves."""
NOT_LOOSE = ("__init__.py", "__main__.py")
ONE_RULE = {
    "reroll": r"[Rr]eroll|REROLL|WeatherThrown",
    "radio": r"\b_?radio\b|Radio(?=[A-Z]|\b)|\bRADIO\b",
    "trail": r"\b_?trail\b|Trail(?=[A-Z]|\b)|\bTRAIL\b",
}
"""Small rules of one driver each (FD-DRV-5, FD-DRV-3, FD-DRV-6), by the words that name them."""
OTHER = ("rules/board/ways.py", "machine/hotspot.py", "cli/machine.py")
"""Where such a word means another thing: the debris that a way has crossed, a network's radio."""
QUEUE = re.compile(
    r"""\.queue(?:\[[^]\n]*\])?(?:\s*(?::[^=\n]+)?[-+|]?=(?!=)
            |\.(?:insert|append|extend|pop|remove|clear|sort|reverse)\()
        |\bdel\s[^\n]*\.queue
        |\b(?:flow|self)\.(?:first|before_end|_before|put_back|begin|insert_at)\(""",
    re.VERBOSE,
)
"""What changes the queue of a turn, or puts steps where it says, not where their point does."""
Figures = dict[str, Any]


def source_figures(root: Path) -> Figures:
    """All that can be known without running it: numbers, rows of numbers, and names that count."""
    whole = modules(root)
    code = sum(module.code_lines for module in whole)
    graph = import_graph({module.name: module.tree for module in whole})
    formula = within(graph, FORMULA)
    chapters = by_room(formula, {name: child_of(name, FORMULA) for name in formula})
    names = switches(root)

    def share(of: int, lines: str) -> float:
        return round(of * sum(getattr(module, lines) for module in whole) / code, 1)

    return {
        "code files": len(whole),
        "lines": sum(len(module.text.splitlines()) for module in whole),
        "code lines": code,
        "code lines of a file, median": median(module.code_lines for module in whole),
        "lines that import, a hundred of code": share(100, "import_lines"),
        "comment lines a thousand of code": share(1000, "comment_lines"),
        "docstring lines a thousand of code": share(1000, "docstring_lines"),
        "code lines of tools/": sum(m.code_lines for m in modules(root, ("tools",))),
        "lines of functions, median/90 %/most": function_lengths(whole),
        "literals that are unpacked at once": sum(module.unpackings for module in whole),
        "circles of imports": circles(graph),
        "floors of rules/formula, modules/rooms": [floors(formula), floors(chapters)],
        "rooms of the house, by where they lead": {
            room: sorted(to)
            for room, to in by_room(graph, {name: room_of_hall(name) for name in graph}).items()
        },
        "loose modules in companion/": loose_modules(root),
        "fields of Setup/Car": [fields(whole, name) for name in ("Setup", "Car")],
        "code files that name a switch": {
            name: [m.path for m in whole if name in m.words] for name in names
        },
        "tracked files that name a switch": tracked(root, names),
        "files that name one rule": {
            name: [m.path for m in whole if re.search(words, m.text) and not m.path.endswith(OTHER)]
            for name, words in ONE_RULE.items()
        },
        "places that say where in a turn a step goes": {
            module.path: len(found)
            for module in whole
            if module.name.startswith(FORMULA) and (found := QUEUE.findall(module.text))
        },
    }


def function_lengths(found: list[Module]) -> list[int]:
    """Lines of a function from its `def` to its end: the median, at 90 %, the longest."""
    lengths = sorted(
        node.end_lineno - node.lineno + 1
        for module in found
        for node in module.nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno
    )
    last = len(lengths) - 1
    return [lengths[last // 2], lengths[last * 9 // 10], lengths[-1]]


def child_of(name: str, room: str) -> str:
    """What stands in a room and has this module in it: the module itself, or a folder.

    >>> child_of("companion.rules.formula.urban", "companion.rules.formula")
    'companion.rules.formula.urban'
    """
    return ".".join(name.split(".")[: room.count(".") + 2])


def room_of_hall(name: str) -> str:
    """The room of the whole house that a module is in: a folder, or a loose module of its own.

    >>> room_of_hall("companion.league.report.pdf"), room_of_hall("companion.rules.formula.pit")
    ('companion.league', 'companion.rules.formula')
    """
    for room in INNER_ROOMS:
        if f"{name}.".startswith(f"{room}."):
            return room
    top = name.partition(".")[0]
    return child_of(name, top) if top == "companion" else top


def loose_modules(root: Path) -> list[str]:
    """The modules that stand in no room."""
    paths = (root / "companion").glob("*.py")
    return sorted(path.stem for path in paths if path.name not in NOT_LOOSE)


def fields(whole: list[Module], name: str) -> int:
    """The fields of a record of the Formula rules."""
    return sum(
        isinstance(line, ast.AnnAssign) and "ClassVar" not in ast.unparse(line.annotation)
        for module in whole
        if module.name.startswith(FORMULA)
        for node in module.nodes
        if isinstance(node, ast.ClassDef) and node.name == name
        for line in node.body
    )


def switches(root: Path) -> list[str]:
    """The house switches whose names are no everyday words: `pit_entry`, but not `wing`."""
    told = (root / "companion" / "rules" / "formula" / "switches.toml").read_text("utf-8")
    return sorted(name for name in tomllib.loads(told) if "_" in name)


def tracked(root: Path, names: list[str]) -> dict[str, int]:
    """How many files that git has name each of these."""
    words = ["git", "-C", str(root), "grep", "-o", "-w", "-F"]
    words += [word for name in names for word in ("-e", name)]
    found = subprocess.run(words, check=False, capture_output=True, text=True)
    files = Counter(line.rpartition(":")[2] for line in set(found.stdout.splitlines()))
    return {name: files[name] for name in names}


# -- printing -----------------------------------------------------------------------------


def told(figure: Any) -> str:
    """A figure as the table has it; of names it says how many there are.

    >>> told(8.5), told([6, 17, 53]), told(["a", "b"])
    ('8.5', '6/17/53', '2')
    >>> told({"a": ["x", "y"], "b": ["z"], "c": []})
    '3 in 3, median 1, most 2'
    """
    if isinstance(figure, dict):
        counts = [len(one) if isinstance(one, list) else one for one in figure.values()]
        return f"{sum(counts)} in {len(counts)}, median {median(counts):g}, most {max(counts)}"
    if isinstance(figure, list):
        is_row = figure and isinstance(figure[0], int | float)
        return "/".join(f"{one:g}" for one in figure) if is_row else str(len(figure))
    return str(figure)


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
        figures |= dict(timed(root))
    if args.json:
        print(json.dumps(figures, indent=1))
        return 0
    width = max(map(len, figures))
    for name, figure in figures.items():
        print(f"{name:<{width}}  {told(figure)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
