"""The walls between the rooms, as docs/architecture.md draws them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest
from measure_graph import circles, import_graph, imported, modules, reached

ROOT = Path(__file__).parent.parent

# A wall with 31 doors is none: which of these stay is settled by the issue of the league.
LEAGUE_FOR_PAGES = """
    ports plain points scores classified standings pit_boxes trials errors names conduct sheets acts
    said byhand luck games replayed charts report.terms report.paper printing competing entry_acts
    overall qualifying dates exchange.registry exchange.bgstats exchange.ergast_api
    exchange.ergast_page exchange.sheet
"""
# Which rooms of ours a room may import besides itself; the longest name that fits counts. Names
# are those inside of `companion`, and `web` is `companion_web`.
ALLOWED = {
    "rules": "",
    "engine": "rules",
    "boards": "rules files",
    "packs": "rules files",
    "record": "rules engine boards files",
    "advice": "rules",
    "solved": "rules advice files",
    "advising": "rules advice solved",
    "simulation": "rules advice solved boards",
    "simulation_cluster": "simulation advice",
    "lessons": "rules engine boards",
    "times": "rules engine",
    "dice": "rules engine record",
    "robots": "rules advice dice table.ports",
    "reviewing": "rules advice solved record",
    "kept_reviews": "rules record reviewing solved files closing",
    "idle_reviews": "kept_reviews record closing journal.lock table.ports league.errors",
    "views": "rules locale drawing.fit",
    "drawing": "rules views",
    "table": """
        rules engine record boards advice.bots.levels dice packs times views drawing
    """,
    "league": "rules engine record boards files times",
    # What people read on paper has the words of the pages.
    "league.report": "league views rules.colors",
    "journal": "table.ports files",
    "seats": "table.ports drawing",
    "machine": "seats.findings files address",
    "web": "rules table.ports views drawing lessons",
    # The page knows the league by its protocols and plain records, never its database.
    "web.league": "rules table.ports views drawing record web"
    + "".join(f" league.{part}" for part in LEAGUE_FOR_PAGES.split()),
    "closing": "",
    "files": "",
    "frozen": "",
    "locale": "",
    "config": "",
    "notify": "",
    "address": "",
}
FOR_ALL = "closing frozen"
"""What every room may import."""
# These build and start the rest, so they may name it; nobody below imports them.
BUILDERS = ("companion.app.table", "companion.cli", "companion.__main__")
# What a pure room must not touch: time, chance, disk, network, threads.
IMPURE = {"time", "random", "secrets", "socket", "threading", "sqlite3", "subprocess", "os"}
PURE = """
    rules engine views drawing advice times
    seats.debounce seats.pod.cobs seats.pod.codec seats.pod.window seats.pod.glass seats.pod.link
"""
CIRCLES = [30, 2, 2]
"""The files of each circle of imports; the goal is that there is none."""


def rooms(names: str) -> list[str]:
    """Rooms by their whole names.

    >>> rooms("seats.pod web.league")
    ['companion.seats.pod', 'companion_web.league']
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


def test_no_module_leads_back_to_itself_but_those_of_known_circles() -> None:
    """What is imported for types and inside functions counts too."""
    found = circles(import_graph(trees()))
    assert [len(circle) for circle in found] == CIRCLES, found


def test_dataclasses_are_those_that_cost_nothing_at_a_start() -> None:
    """`from companion.frozen import dataclass`: the standard one compiles six methods a class."""
    made = ("dataclasses", "dataclass")
    standard = {name for name, tree in trees().items() if made in imported(tree)}
    assert standard <= {"companion.frozen"}


@pytest.mark.parametrize(
    ("module", "line", "wrong"),
    [
        ("companion.rules.car", "from companion.views.page import table", True),
        ("companion.rules.car", "import time", True),
        ("companion.rules.car", "def go():\n    from time import sleep", True),
        ("companion.journal.log", "from companion.race.engine import Engine", True),
        ("companion.nowhere", "", True),
        ("companion.rules.car", "from companion.rules.reading import Illegal", False),
        ("companion_web.league.cup", "from companion.league import ports", False),
        ("companion_web.league.cup", "from companion.league import league", True),
    ],
)
def test_the_check_of_walls_sees_a_breach_and_no_other(module: str, line: str, wrong: bool) -> None:
    assert bool(breaches(module, ast.parse(line))) is wrong
