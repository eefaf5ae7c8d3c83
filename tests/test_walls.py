"""The walls between the rooms, as docs/architecture.md draws them."""

from __future__ import annotations

import ast
import importlib.util
import sys
import types
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from measure_graph import circles, import_graph, imported, modules, reached
from support.each import in_one

ROOT = Path(__file__).parent.parent

# What the pages of the league read of it: what there is to see, its plain records and what is
# worked out of them, never its database.
LEAGUE_FOR_PAGES = """
    league receiving view forms federation plain results standings errors acts byhand games
    charts report.paper luck numbers exchange
"""
# Which rooms of ours a room may import besides itself; the longest name that fits counts. Names
# are those inside of `companion`, and `web` is `companion_web`.
ALLOWED = {
    "rules": "",
    "race": "rules system",
    "advice": "rules",
    "lessons": "rules race",
    "study": "rules race advice system journal.journal table.ports",
    "views": "rules locale",
    "drawing": "rules views",
    "table": "rules race advice.bots.levels views drawing",
    "league": "rules race system",
    # What people read on paper has the words of the pages.
    "league.report": "league views rules.packs",
    "journal": "table.ports system",
    "seats": "table.ports drawing system",
    "machine": "seats.plan system",
    "web": "rules table.ports views drawing lessons system",
    "web.league": "rules table.ports views drawing race web system"
    + "".join(f" league.{part}" for part in LEAGUE_FOR_PAGES.split()),
    "system": "",
    "locale": "",
}
FOR_ALL = "system.frozen"
"""What every room may import."""
BASE = """
    companion companion_web
    click flask gevent jinja2 markupsafe segno werkzeug
"""
"""What an installation without extras has beside the standard library."""
NEED_AN_EXTRA = {
    "companion.advice.solve.sweep",
    "companion.league.report.picture",
}
# These build and start the rest, so they may name it; nobody below imports them.
BUILDERS = ("companion.app", "companion.cli", "companion.__main__")
# What a pure room must not touch: time, chance, disk, network, threads.
IMPURE = {"time", "random", "secrets", "socket", "threading", "sqlite3", "subprocess", "os"}
PURE = """
    rules race.engine race.times views drawing advice
    seats.contacts
"""


def rooms(names: str) -> list[str]:
    """Rooms by their whole names.

    >>> rooms("league.report web.league")
    ['companion.league.report', 'companion_web.league']
    """
    whole = (f"companion.{name}" for name in names.split())
    return [name.replace("companion.web", "companion_web", 1) for name in whole]


DOORS = {rooms(room)[0]: rooms(f"{room} {FOR_ALL} {names}") for room, names in ALLOWED.items()}


@cache
def trees() -> dict[str, ast.Module]:
    """The syntax of every module by its name."""
    return {module.name: module.tree for module in modules(ROOT)}


def is_in(name: str, room: str) -> bool:
    return f"{name}.".startswith(f"{room}.")


def breaches(module: str, tree: ast.AST) -> list[str]:
    """Imports of ours that the module's room is not allowed."""
    room = max((room for room in DOORS if is_in(module, room)), key=len, default=None)
    if room is None:
        return [] if module == "companion" or module.startswith(BUILDERS) else ["in no room"]
    names = reached(tree, trees())
    ours = sorted(name for name in names if name.startswith(("companion.", "companion_web")))
    wrong = [name for name in ours if not any(is_in(name, door) for door in DOORS[room])]
    if any(is_in(module, pure) for pure in rooms(PURE)):
        wrong += sorted(name for name in names if name.split(".")[0] in IMPURE)
    return wrong


def test_a_room_imports_only_what_the_architecture_lets_it() -> None:
    wrong = {module: breaches(module, tree) for module, tree in trees().items()}
    assert {module: names for module, names in wrong.items() if names} == {}


def test_no_module_leads_back_to_itself() -> None:
    """What is imported for types and inside functions counts too."""
    assert circles(import_graph(trees())) == []


def test_dataclasses_are_those_that_cost_nothing_at_a_start() -> None:
    """That of `companion.system.frozen`: the standard one compiles six methods a class."""
    made = ("dataclasses", "dataclass")
    standard = {name for name, tree in trees().items() if made in imported(tree)}
    assert standard <= {"companion.system.frozen"}


def test_only_what_is_imported_when_it_is_chosen_needs_a_library_of_an_extra() -> None:
    """Else a table without it could not begin, and no examination could say that it is missing."""
    tops = {name: ast.Module(at_the_top(tree), []) for name, tree in trees().items()}
    roots = {name: {m.split(".")[0] for m, _ in imported(top)} for name, top in tops.items()}
    known = sys.stdlib_module_names | set(BASE.split())
    needs = {name for name, found in roots.items() if not found <= known}
    graph = import_graph(tops)
    while more := {name for name, leads in graph.items() if leads & needs} - needs:
        needs |= more
    assert needs == NEED_AN_EXTRA


def at_the_top(tree: ast.Module) -> list[ast.stmt]:
    """What a module imports as soon as it is imported itself."""
    return [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]


@in_one(
    ("module", "line", "wrong"),
    [
        ("companion.rules.car", "from companion.views.page import table", True),
        ("companion.rules.car", "import time", True),
        ("companion.rules.car", "def go():\n    from time import sleep", True),
        ("companion.journal.log", "from companion.race.engine import Engine", True),
        ("companion.nowhere", "", True),
        ("companion.rules.car", "from companion.rules.lines import Illegal", False),
        ("companion_web.league.cup", "from companion.league import view", False),
        ("companion_web.league.cup", "from companion.league import database", True),
    ],
)
def test_the_check_of_walls_sees_a_breach_and_no_other(module: str, line: str, wrong: bool) -> None:
    assert bool(breaches(module, ast.parse(line))) is wrong


def test_nothing_but_its_own_rooms_and_the_table_of_games_names_downforce() -> None:
    found = [
        str(path.relative_to(ROOT))
        for top in ("companion", "web/companion_web")
        for path in (ROOT / top).rglob("*.py")
        if "downforce" not in str(path.relative_to(ROOT))
        and "downforce" in path.read_text("utf-8").lower()
    ]
    assert found == ["companion/rules/games.py"]


# -- what runs beside the program -----------------------------------------------------------------

OURS = ("companion", "companion_web", "support", "corpus", "race_companion_")
BESIDE = ("benchmarks", "tools")


def test_whatever_a_benchmark_or_a_tool_imports_of_ours_is_there() -> None:
    """Nothing of it is run: it is looked for where it would be, and a name in the text of it."""
    scripts = [path for folder in BESIDE for path in sorted((ROOT / folder).glob("*.py"))]
    assert len(scripts) > len(BESIDE)
    assert [f"{path.name}: {gone}" for path in scripts for gone in _missing(path)] == []


@pytest.mark.parametrize(
    ("line", "gone"),
    [
        ("from companion.engine import Engine", "companion.engine"),
        ("def f():\n from companion.race.engine import Motor", "companion.race.engine.Motor"),
        ("import companion.race.motor", "companion.race.motor"),
        ("from timing import nothing", "timing.nothing"),
        ("from companion.race import engine, boards\nimport cheroot, timing", None),
    ],
)
def test_the_check_of_what_runs_beside_sees_what_is_gone(
    tmp_path: Path, line: str, gone: str | None
) -> None:
    script = tmp_path / "script.py"
    script.write_text(line)
    (tmp_path / "timing.py").write_text("def seconds(): ...")
    assert [*_missing(script)] == ([] if gone is None else [gone])


def _missing(script: Path) -> Iterator[str]:
    """The modules of ours, and the names in them, that a script imports and that are not there."""
    for node in ast.walk(ast.parse(script.read_text())):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names if _names_in(one.name, script) is None)
        elif isinstance(node, ast.ImportFrom):
            names = _names_in(node.module or "", script)
            if names is None:
                yield f"{node.module}"
            for one in node.names if names else ():
                whole = f"{node.module}.{one.name}"
                if one.name not in names and not _names_in(whole, script):
                    yield whole


def _names_in(module: str, script: Path) -> set[str] | None:
    """What stands in a module of ours, or beside the script; None: there is none. Of others'
    modules nothing is known, and nothing is looked for."""
    path = script.with_name(f"{module}.py")
    if not path.exists():
        if not module.startswith(OURS):
            return set()
        try:
            found = importlib.util.find_spec(module)
        except ModuleNotFoundError:
            found = None
        if found is None:
            return None
        path = Path(found.origin or "")
    return _names_of(path)


@cache
def _names_of(path: Path) -> set[str]:
    names = set(dir(types.ModuleType("")))
    for node in ast.walk(ast.parse(path.read_text() if path.is_file() else "")):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
            case ast.alias(name=name, asname=other):
                names.add(other or name)
    return names
