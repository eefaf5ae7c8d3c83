"""How the house is laid out, in figures: files, circles, floors, rooms, what a switch touches.

The rows of issue "One house", as `tools/measure.py` prints them.
"""

from __future__ import annotations

import ast
import subprocess
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Any

from measure_graph import Module, by_room, circles, floors, import_graph, modules, within

FORMULA = "companion.rules.formula"
INNER_ROOMS = (FORMULA, "companion.rules.downforce", "companion_web.league")
"""Rooms inside of rooms that the hall counts for themselves."""
NOT_LOOSE = ("__init__.py", "__main__.py")


def house_figures(root: Path, whole: list[Module]) -> dict[str, Any]:
    """All of them, `whole` being the modules of the program."""
    code = sum(module.code_lines for module in whole)
    trees = {module.name: module.tree for module in whole}
    graph = import_graph(trees)
    formula = within(graph, FORMULA)
    hall = by_room(graph, {name: room_of_hall(name) for name in graph})
    chapters = by_room(formula, {name: child_of(name, FORMULA) for name in formula})
    return {
        "code lines": code,
        "code lines of a file, median": median(module.code_lines for module in whole),
        "import lines a hundred of code": _share(100, whole, code, "import_lines"),
        "circles": circles(graph),
        "floors of rules/formula": {"modules": floors(formula), "rooms": floors(chapters)},
        "files that name a switch": dict(_named(whole, switches(root))),
        "tracked files that name a switch": dict(_tracked(root, switches(root))),
        "fields": {name: fields(whole, name) for name in ("Setup", "Car")},
        "loose modules": loose_modules(root),
        "rooms": {name: sorted(leads) for name, leads in hall.items()},
        "code lines of tools": sum(m.code_lines for m in modules(root, ("tools",))),
        "comment lines a thousand of code": _share(1000, whole, code, "comment_lines"),
        "docstring lines a thousand of code": round(
            1000 * sum(len(m.docstring_lines) for m in whole) / code
        ),
        "unpackings of a literal": sum(module.unpackings for module in whole),
    }


def _share(of: int, whole: list[Module], code: int, name: str) -> float:
    lines: int = sum(getattr(module, name) for module in whole)
    return round(of * lines / code, 1)


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


def _named(whole: list[Module], names: list[str]) -> Iterator[tuple[str, list[str]]]:
    for name in names:
        yield name, [module.path for module in whole if name in module.words]


def _tracked(root: Path, names: list[str]) -> Iterator[tuple[str, int]]:
    words = ["git", "-C", str(root), "grep", "-o", "-w", "-F"]
    words += [word for name in names for word in ("-e", name)]
    found = subprocess.run(words, check=False, capture_output=True, text=True)
    files = Counter(line.rpartition(":")[2] for line in set(found.stdout.splitlines()))
    for name in names:
        yield name, files[name]


def rows_of_house(figures: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """A line a figure."""
    yield "code lines (no blank, docstring, comment)", str(figures["code lines"])
    yield "code lines of a file, median", f"{figures['code lines of a file, median']:g}"
    yield "lines that import, % of code", str(figures["import lines a hundred of code"])
    yield "files in circles of imports", str([len(one) for one in figures["circles"]])
    high = figures["floors of rules/formula"]
    yield "floors of rules/formula, modules · rooms", f"{high['modules']} · {high['rooms']}"
    code = [len(files) for files in figures["files that name a switch"].values()]
    tracked = list(figures["tracked files that name a switch"].values())
    counts = f"{median(code):g}, {max(code)} · {median(tracked):g}"
    yield "code files a house switch, median, worst · tracked files", counts
    yield "fields of Setup · of Car", " · ".join(map(str, figures["fields"].values()))
    yield "loose modules in companion/", str(len(figures["loose modules"]))
    arrows = sum(map(len, figures["rooms"].values()))
    yield "rooms of the house · arrows", f"{len(figures['rooms'])} · {arrows}"
    yield "code lines of tools/", str(figures["code lines of tools"])
    shares = [figures[f"{kind} lines a thousand of code"] for kind in ("comment", "docstring")]
    yield "comment · docstring lines a thousand of code", " · ".join(map(str, shares))
    yield "literals that are unpacked at once", str(figures["unpackings of a literal"])
