"""The walls between the rooms, as docs/architecture.md draws them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

LEAGUE_FOR_PAGES = (
    *("ports", "plain", "points", "scores", "classified", "standings", "pit_boxes", "trials"),
    *(
        "errors",
        "names",
        "conduct",
        "sheets",
        "acts",
        "said",
        "byhand",
        "luck",
        "games",
        "replayed",
        "charts",
        "report.terms",
        "report.print_style",
        "competing",
        "entry_acts",
        "overall",
        "qualifying",
        "dates",
    ),
    *(f"exchange.{part}" for part in ("registry", "bgstats", "ergast_api", "ergast_page", "sheet")),
)
# Which rooms of ours a room may import besides itself; the longest name that fits counts.
ALLOWED: dict[str, set[str]] = {
    "companion.rules": set(),
    "companion.engine": {"companion.rules"},
    "companion.boards": {"companion.rules", "companion.files"},
    "companion.packs": {"companion.rules", "companion.files"},
    "companion.record": {
        *("companion.rules", "companion.engine", "companion.boards", "companion.files"),
    },
    "companion.advice": {"companion.rules"},
    "companion.solved": {"companion.rules", "companion.advice", "companion.files"},
    "companion.advising": {"companion.rules", "companion.advice", "companion.solved"},
    "companion.simulation": {
        *("companion.rules", "companion.advice", "companion.solved", "companion.boards"),
    },
    "companion.simulation_cluster": {"companion.simulation", "companion.advice"},
    "companion.lessons": {"companion.rules", "companion.engine", "companion.boards"},
    "companion.times": {"companion.rules", "companion.engine"},
    "companion.dice": {"companion.rules", "companion.engine", "companion.record"},
    "companion.robots": {
        *("companion.rules", "companion.advice", "companion.dice", "companion.table.ports"),
    },
    "companion.reviewing": {
        *("companion.rules", "companion.advice", "companion.solved", "companion.record"),
    },
    "companion.kept_reviews": {
        *("companion.rules", "companion.record", "companion.reviewing", "companion.solved"),
        *("companion.files", "companion.closing"),
    },
    "companion.idle_reviews": {
        *("companion.kept_reviews", "companion.record", "companion.closing"),
        *("companion.journal.lock", "companion.table.ports", "companion.league.errors"),
    },
    "companion.views": {"companion.rules", "companion.locale", "companion.drawing.fit"},
    "companion.drawing": {"companion.rules", "companion.views"},
    "companion.table": {
        *("companion.rules", "companion.engine", "companion.record", "companion.boards"),
        *("companion.advice.bots.levels", "companion.dice", "companion.packs", "companion.times"),
        *("companion.views", "companion.drawing"),
    },
    "companion.league": {
        *("companion.rules", "companion.engine", "companion.record", "companion.boards"),
        *("companion.files", "companion.times"),
    },
    # What people read on paper has the words of the pages.
    "companion.league.report": {"companion.league", "companion.views", "companion.rules.colors"},
    "companion.journal": {"companion.table.ports", "companion.files"},
    "companion.seats": {"companion.table.ports", "companion.drawing"},
    "companion_web": {
        *("companion.rules", "companion.table.ports", "companion.views", "companion.drawing"),
        "companion.lessons",
    },
    # The page knows the league by its protocols and plain records, never its database.
    "companion_web.league": {
        "companion.table.ports",
        *("companion_web", "companion.views", "companion.drawing", "companion.rules"),
        "companion.record",
        *(f"companion.league.{part}" for part in LEAGUE_FOR_PAGES),
    },
    "companion.closing": set(),
    "companion.files": set(),
    "companion.frozen": set(),
    "companion.locale": set(),
    "companion.config": set(),
    "companion.notify": set(),
    "companion.address": set(),
    "companion.machine": {"companion.seats.findings", "companion.files", "companion.address"},
}
# These build and start the rest, so they may name it; nobody below imports them.
BUILDERS = ("companion.bootstrap", "companion.cli", "companion.__main__")
# What a pure room must not touch: time, chance, disk, network, threads.
IMPURE = {"time", "random", "secrets", "socket", "threading", "sqlite3", "subprocess", "os"}
PURE = (
    *("companion.rules", "companion.engine", "companion.views", "companion.drawing"),
    *(
        "companion.advice",
        "companion.times",
        "companion.seats.debounce",
        "companion.seats.pod.cobs",
        "companion.seats.pod.codec",
    ),
    *("companion.seats.pod.window", "companion.seats.pod.glass", "companion.seats.pod.link"),
)


def modules() -> list[tuple[str, Path]]:
    found = []
    for top, base in (("companion", ROOT), ("companion_web", ROOT / "web")):
        for path in sorted((base / top).rglob("*.py")):
            parts = path.relative_to(base).with_suffix("").parts
            found.append((".".join(parts).removesuffix(".__init__"), path))
    return found


def imports(source: str) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def is_in(name: str, room: str) -> bool:
    return name == room or name.startswith(room + ".")


def room_of(module: str) -> str | None:
    rooms = [room for room in ALLOWED if is_in(module, room)]
    return max(rooms, key=len) if rooms else None


def breaches(module: str, source: str) -> list[str]:
    """Imports of ours that the module's room is not allowed."""
    room = room_of(module)
    if room is None:
        return [] if module == "companion" or module.startswith(BUILDERS) else ["in no room"]
    ours = {name for name in imports(source) if name.startswith(("companion.", "companion_web"))}
    allowed = {room, "companion.closing", "companion.frozen", *ALLOWED[room]}
    wrong = [n for n in sorted(ours) if not any(is_in(n, one) for one in allowed)]
    if module.startswith(PURE):
        wrong += sorted({name for name in imports(source) if name.split(".")[0] in IMPURE})
    return wrong


@pytest.mark.parametrize(("module", "path"), modules(), ids=lambda value: str(value)[-40:])
def test_a_room_imports_only_what_the_architecture_lets_it(module: str, path: Path) -> None:
    assert breaches(module, path.read_text("utf-8")) == []


@pytest.mark.parametrize(("module", "path"), modules(), ids=lambda value: str(value)[-40:])
def test_dataclasses_are_those_that_cost_nothing_at_a_start(module: str, path: Path) -> None:
    """`from companion.frozen import dataclass`: the standard one compiles six methods a class."""
    if module != "companion.frozen":
        assert "dataclasses.dataclass" not in imports(path.read_text("utf-8"))


def _deepest(module: str, names: set[str]) -> set[str]:
    """What a module imports: of a room and a module in it the module, and not its own room."""
    return {
        name
        for name in names
        if not any(is_in(one, name) and one != name for one in {module, *names})
    } - {module}


def circles(sources: dict[str, str]) -> list[str]:
    """The modules that import one another round a circle, for types or in functions too."""
    left = {
        module: _deepest(module, imports(source) & sources.keys())
        for module, source in sources.items()
    }
    while free := [module for module, needs in left.items() if not needs & left.keys()]:
        for module in free:
            del left[module]
    while needed := [m for m in left if not any(m in needs for needs in left.values())]:
        for module in needed:  # it only leads to a circle
            del left[module]
    return sorted(left)


def test_no_module_imports_itself_round_a_circle() -> None:
    assert circles({module: path.read_text("utf-8") for module, path in modules()}) == []


def test_a_circle_is_seen_for_types_and_in_functions_too() -> None:
    lazy = "def late():\n    from companion.flow import Flow"
    typed = "if TYPE_CHECKING:\n    from companion.state import State"
    above = "from companion.flow import Flow"
    sources = {"companion.state": lazy, "companion.flow": typed, "companion.chapter": above}
    assert circles(sources) == ["companion.flow", "companion.state"]
    assert circles({**sources, "companion.flow": ""}) == []


def test_the_check_of_walls_sees_a_breach() -> None:
    assert breaches("companion.rules.car", "from companion.views.page import table") != []
    assert breaches("companion.rules.car", "import time") == ["time"]
    assert breaches("companion.journal.log", "from companion.engine import Engine") != []
    assert breaches("companion.nowhere", "") == ["in no room"]
    assert breaches("companion.rules.car", "from companion.rules.errors import Illegal") == []
