"""The modules of a checkout and who imports whom, for `tools/measure.py` and the walls' test.

What is imported anywhere counts: at the top, under `TYPE_CHECKING`, inside a function. A circle
that only types close is one too, as a reader has to hold its files together in his head.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

Graph = Mapping[str, set[str]]
"""Each name with those that it leads to; every one of these is a key too."""


@dataclass(frozen=True)
class Module:
    """A module of the program, by its path from the root of the checkout."""

    path: str
    text: str

    @cached_property
    def name(self) -> str:
        """What it is imported as.

        >>> Module("companion/rules/__init__.py", "").name
        'companion.rules'
        >>> Module("web/companion_web/app.py", "").name
        'companion_web.app'
        """
        parts = Path(self.path).with_suffix("").parts
        return ".".join(parts[parts[0] == "web" :]).removesuffix(".__init__")

    @cached_property
    def tree(self) -> ast.Module:
        """Its syntax."""
        return ast.parse(self.text)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All that its syntax is made of."""
        return list(ast.walk(self.tree))

    @cached_property
    def words(self) -> set[str]:
        """Every word in it, those of texts and comments too."""
        return set(re.findall(r"\w+", self.text))

    @cached_property
    def code_lines(self) -> int:
        """Lines that are neither blank, comment nor docstring."""
        lines = enumerate(map(str.strip, self.text.splitlines()), 1)
        said = {number for number, line in lines if line and not line.startswith("#")}
        return len(said - self._docstrings)

    @cached_property
    def docstring_lines(self) -> int:
        """Lines of its docstrings."""
        return len(self._docstrings)

    @cached_property
    def _docstrings(self) -> set[int]:
        return self._lines_of(lambda n: isinstance(n, ast.Expr) and _is_text(n.value))

    @cached_property
    def import_lines(self) -> int:
        """Lines that do nothing but import."""
        return len(self._lines_of(lambda node: isinstance(node, ast.Import | ast.ImportFrom)))

    @cached_property
    def comment_lines(self) -> int:
        """Lines that are a comment as a whole; one that only divides a file says nothing."""
        lines = map(str.lstrip, self.text.splitlines())
        return sum(line.startswith("#") and not line.startswith("# --") for line in lines)

    @cached_property
    def unpackings(self) -> int:
        """How often a literal is written in order to be unpacked at once: `*("a", "b")`."""
        starred = (node.value for node in self.nodes if isinstance(node, ast.Starred))
        return sum(isinstance(value, ast.Tuple | ast.List | ast.Set) for value in starred)

    def _lines_of(self, is_one: Callable[[ast.AST], bool]) -> set[int]:
        lines: set[int] = set()
        for node in self.nodes:
            if isinstance(node, ast.stmt) and is_one(node):
                lines.update(range(node.lineno, (node.end_lineno or 0) + 1))
        return lines


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


@cache
def modules(root: Path, under: tuple[str, ...] = ("companion", "web")) -> list[Module]:
    """The modules in some folders of a checkout."""
    paths = sorted(path for folder in under for path in (root / folder).rglob("*.py"))
    return [Module(path.relative_to(root).as_posix(), path.read_text("utf-8")) for path in paths]


@cache
def imported(tree: ast.AST) -> list[tuple[str, str]]:
    """All that is imported: the module, and what out of it ("": the module itself)."""
    found: list[tuple[str, str]] = []
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            found += ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found += ((node.module, alias.name) for alias in node.names)
    return found


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """All below it, but not what they are made of: an import stands in no expression."""
    for blocks in ("body", "orelse", "finalbody", "handlers", "cases"):
        for child in getattr(node, blocks, ()):
            yield child
            yield from _statements(child)


def reached(tree: ast.AST, known: Container[str]) -> set[str]:
    """The modules that are imported; what is none of the known ones is a name out of its module.

    >>> sorted(reached(ast.parse("from b import c, d"), ["b", "b.c"]))
    ['b', 'b.c']
    """
    whole = ((module, f"{module}.{what}") for module, what in imported(tree))
    return {longer if longer in known else module for module, longer in whole}


def import_graph(trees: Mapping[str, ast.AST]) -> dict[str, set[str]]:
    """The modules that each module imports."""
    return {name: (reached(tree, trees) & trees.keys()) - {name} for name, tree in trees.items()}


def circles(graph: Graph) -> list[list[str]]:
    """Names that lead back to one another, circle by circle; no name is in two of them.

    >>> circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})
    [['a', 'b', 'c']]
    """
    found: list[list[str]] = []
    while True:
        gone = {name for circle in found for name in circle}
        try:
            TopologicalSorter({n: to - gone for n, to in graph.items() if n not in gone}).prepare()
        except CycleError as error:
            found.append(sorted(set(error.args[1])))
        else:
            return found


def floors(graph: Graph) -> int:
    """How many stand above one another at most; 0 where there is no saying, for a circle.

    >>> floors({"a": {"b"}, "b": {"c"}, "c": set(), "d": set()})
    3
    """
    count, order = 0, TopologicalSorter({} if circles(graph) else graph)
    order.prepare()
    while order.is_active():
        order.done(*order.get_ready())
        count += 1
    return count


def within(graph: Graph, room: str) -> dict[str, set[str]]:
    """The part of a graph that lies in a room."""
    inside = {name for name in graph if name.startswith(f"{room}.")}
    return {name: graph[name] & inside for name in sorted(inside)}


def by_room(graph: Graph, folders: Mapping[str, str]) -> dict[str, set[str]]:
    """The same graph of whole rooms, `folders` being the room of each module."""
    made: dict[str, set[str]] = {folder: set() for folder in folders.values()}
    for name, leads in graph.items():
        made[folders[name]] |= {folders[to] for to in leads} - {folders[name]}
    return made
