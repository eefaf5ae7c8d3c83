"""Writes docs/rules.md: every rule, who decides it, what shows it. `make rules`, or with --check.

A module decides a rule when it names the rule's id; a test shows it when its name or its
docstring does. `FD-SLIP-2 to FD-SLIP-6` names all five. Ids and titles are those of
companion/rules/rules.toml; what a test wants of them is said there too.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from made import renew

ROOT = Path(__file__).parent.parent
SOURCE, TARGET = "companion/rules/rules.toml", "docs/rules.md"
DECIDING = "companion/rules"
SHOWING = "tests"
SCENARIOS = "tests/scenarios"

_ID = re.compile(r"\b((?:FD|DE|DF)-[A-Z]+)-([0-9]+)(?: to (?:\1)?-([0-9]+))?")
_TEXTS = {".json", ".jsonl", ".md", ".toml", ".txt"}
_HEAD = """\
# The rules

Every numbered rule of the games with the modules that decide it and the tests that show it.
Made by `python tools/rules.py` from `companion/rules/rules.toml`, the modules and the tests; not
to be written by hand.
"""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: `modules` decide it, `tests` (sentences by file) show it."""

    id: str
    title: str
    modules: list[str] = field(default_factory=list)
    tests: dict[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rules:
    """All rules by id, those of each game, those not yet built, and ids that are none."""

    by_id: Mapping[str, Rule]
    games: Mapping[str, list[str]]
    not_yet: frozenset[str]
    unknown: Mapping[str, list[str]]

    def lacking(self) -> list[str]:
        """What each rule lacks, in sentences: a module, or a test."""
        found = []
        for rule in self.by_id.values():
            if rule.id not in self.not_yet:
                found += [] if rule.modules else [f"no module of {DECIDING} decides {rule.id}"]
                found += [] if rule.tests else [f"no test shows {rule.id}"]
        return found

    def stale(self) -> list[str]:
        """Rules called not yet built that are."""
        known = (self.by_id.get(name) for name in sorted(self.not_yet))
        return [rule.id for rule in known if rule is None or (rule.modules and rule.tests)]


def ids_in(text: str) -> list[str]:
    """The ids that a text names, ranges told one by one.

    >>> ids_in("FD-SLIP-1, FD-PIT-4 to FD-PIT-6 and FD-REV-1 to -2")
    ['FD-SLIP-1', 'FD-PIT-4', 'FD-PIT-5', 'FD-PIT-6', 'FD-REV-1', 'FD-REV-2']
    """
    found = []
    for family, first, last in _ID.findall(text):
        found += [f"{family}-{n}" for n in range(int(first), int(last or first) + 1)]
    return list(dict.fromkeys(found))


def read_rules(root: Path = ROOT) -> Rules:
    """The rules of companion/rules/rules.toml, with what modules and tests say of them."""
    source = tomllib.loads((root / SOURCE).read_text("utf-8"))
    not_yet = frozenset(source.pop("not_yet"))
    games = {game: list(titles) for game, titles in source.items()}
    rules = {
        name: Rule(name, title) for titles in source.values() for name, title in titles.items()
    }
    unknown: dict[str, list[str]] = {}
    for path, found in _modules(root):
        for name in found:
            if name in rules:
                rules[name].modules.append(path)
            else:
                unknown.setdefault(name, []).append(path)
    for path, sentence, found in _tests(root):
        for name in found:
            if name in rules:
                rules[name].tests.setdefault(path, []).append(sentence)
            else:
                unknown.setdefault(name, []).append(path)
    return Rules(rules, games, not_yet, unknown)


def _modules(root: Path) -> Iterator[tuple[str, list[str]]]:
    """Each module of the rules and the ids that it names."""
    for path in sorted((root / DECIDING).rglob("*.py")):
        yield _within(path, root), ids_in(path.read_text("utf-8"))


def _tests(root: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Each test and scenario: its file, its sentence, the ids that it names."""
    for path in sorted((root / SHOWING).rglob("test_*.py")):
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if ids_in(text) else ():
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                sentence = node.name.removeprefix("test_").replace("_", " ")
                named = f"{sentence}\n{ast.get_docstring(node) or ''}"
                yield _within(path, root), sentence, ids_in(named)
    texts = (path for path in (root / SCENARIOS).rglob("*") if path.suffix in _TEXTS)
    for path in sorted(texts):
        sentence = path.stem.replace("-", " ").replace("_", " ")
        yield _within(path.parent, root), sentence, ids_in(path.read_text("utf-8"))


def _within(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()


def text_of(rules: Rules) -> str:
    """docs/rules.md, whole."""
    parts = [_HEAD]
    for game, names in rules.games.items():
        parts.append(f"\n## {game}\n")
        parts += [_rule(rules, rules.by_id[name]) for name in names]
    return "".join(parts)


def _rule(rules: Rules, rule: Rule) -> str:
    lines = [f"\n### {rule.id} · {rule.title}\n"]
    if rule.id in rules.not_yet:
        lines.append("Not yet.")
        return "\n".join(lines) + "\n"
    lines.append("Decided in " + ", ".join(f"`{path}`" for path in rule.modules) + ".\n")
    for path, sentences in rule.tests.items():
        lines.append(f"- `{path}`: " + "; ".join(dict.fromkeys(sentences)))
    return "\n".join(lines) + "\n"


def main() -> int:
    rules = read_rules()
    faults = [*rules.lacking(), *(f"{name} is no longer not yet" for name in rules.stale())]
    faults += [f"{name} is no rule: {', '.join(paths)}" for name, paths in rules.unknown.items()]
    return renew({ROOT / TARGET: text_of(rules)}, faults)


if __name__ == "__main__":
    sys.exit(main())
