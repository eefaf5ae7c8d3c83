"""What code reads of house switches and what `switches.toml` says of them is the same."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.each import in_one

from companion.rules.formula import book
from companion.rules.formula.book import FORMULA_D, FORMULE_DE, House, switches, usual_house
from companion.rules.formula.moves import why

ROOT = Path(__file__).parents[2]
CODE = sorted(path for top in ("companion", "web") for path in (ROOT / top).rglob("*.py"))
KEYS = {
    *("title", "rule", "source", "kind", "editions", "usual", "needs", "unless", "advice"),
    *("values", "note", "clashes", "asks", "group", "refused"),
}
NEEDED = {"title", "asks", "group", "rule", "values"}
EDITIONS = {edition.name: edition for edition in (FORMULA_D, FORMULE_DE)}
Read = tuple[str, str | None]
"""A switch, and a value that it is compared with."""


@cache
def entries() -> dict[str, dict[str, Any]]:
    return tomllib.loads(Path(book.__file__).with_name("switches.toml").read_text("utf-8"))


def switch_of(node: ast.AST, known: dict[str, str]) -> str | None:
    """The switch that is read: `house.wrecks`, or a name that stands for it."""
    match node:
        case ast.Attribute(value=ast.Attribute(value=whose, attr="house"), attr=name):
            return name if last_word(whose) in ("setup", "self") else None
        case ast.Attribute(value=ast.Name(id="house"), attr=name) if not hasattr(
            {}, name
        ) and name not in vars(book):
            return name
        case ast.Name(id=name):
            return known.get(name)
        case ast.Call(func=ast.Name(id="int"), args=[value]):
            return switch_of(value, known)
    return None


def last_word(node: ast.AST) -> str:
    """That of `flow.state.setup`."""
    return str(getattr(node, "attr", getattr(node, "id", "")))


def words_in(node: ast.AST) -> Iterator[str]:
    for one in ast.walk(node):
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value


def named(function: ast.AST) -> dict[str, str]:
    """What stands for a switch in a function: `late = setup.house.turn_late`."""
    found = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target, value in pairs_of(node.targets[0], node.value):
                name = switch_of(value, {})
                if isinstance(target, ast.Name) and name:
                    found[target.id] = name
    return found


def pairs_of(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        yield from zip(target.elts, value.elts, strict=True)
    else:
        yield target, value


def reads(tree: ast.AST, tables: Any = None) -> Iterator[Read]:
    """Every switch that is read, and every value that it is compared with or looked up by.

    Args:
        tables: what has the tables of the module, by their names.
    """
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            known = named(function)
            for node in ast.walk(function):
                yield from read_by(node, known, tables)


def read_by(node: ast.AST, known: dict[str, str], tables: Any) -> Iterator[Read]:
    match node:
        case ast.Attribute() if name := switch_of(node, {}):
            if name not in ("but", "name"):
                yield name, None
        case ast.Compare(left=left, comparators=[right]) if name := switch_of(left, known):
            yield from ((name, word) for word in words_in(right))
        case ast.Match(subject=subject, cases=cases) if name := switch_of(subject, known):
            yield from ((name, word) for case in cases for word in words_in(case.pattern))
        case ast.Subscript(value=ast.Name(id=table), slice=at) if name := switch_of(at, known):
            yield from ((name, str(word)) for word in getattr(tables, table))
        case ast.Call(func=ast.Attribute(attr="but"), keywords=said):
            yield from ((one.arg, w) for one in said if one.arg for w in words_in(one.value))


@cache
def reads_by_file() -> dict[str, set[Read]]:
    found = {}
    for path in CODE:
        text = path.read_text("utf-8")
        if "house" in text and "formula" in text and "downforce" not in path.as_posix():
            top = ROOT if ROOT / "companion" in path.parents else ROOT / "web"
            name = ".".join(path.relative_to(top).with_suffix("").parts)
            found[name] = set(reads(ast.parse(text), import_module(name)))
    return found


def all_reads() -> set[Read]:
    return set().union(*reads_by_file().values())


def test_every_switch_and_value_that_code_reads_is_in_the_file() -> None:
    wrong = [
        f"{name} {value}"
        for name, value in all_reads()
        if name not in switches() or (value is not None and value not in switches()[name].names)
    ]
    assert wrong == [], "code asks for what switches.toml does not have"
    assert len([value for _, value in all_reads() if value]) > 60


def test_every_switch_of_the_file_is_read_by_a_chapter() -> None:
    unread = switches().keys() - {name for name, _ in all_reads()}
    assert unread == set(), "switches.toml has them, and no code asks `house.NAME`"


def test_what_a_switch_refuses_is_said_by_code_and_what_code_says_has_its_sentence() -> None:
    trees = [ast.parse(path.read_text("utf-8")) for path in CODE if path.parent.name == "formula"]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    faults = [call for call in calls if last_word(call.func) == "Fault"]
    keys = {word for call in faults for arg in call.args[2:3] for word in words_in(arg) if word}
    assert len(keys) > 30
    assert keys - why().keys() == set(), "neither why.toml nor `refused` of a switch has them"
    refused = {key for one in switches().values() for key in one.refused}
    assert refused - keys == set(), "switches.toml has them, and no Fault says so"


def test_no_switch_is_read_in_more_than_three_files() -> None:
    """A condition that several chapters need has a name in the chapter that it belongs to."""
    readers = {
        name: sorted(file for file, found in reads_by_file().items() if (name, None) in found)
        for name in switches()
    }
    wide = [told for told in readers.items() if len(told[1]) > 3]
    assert wide == [], "its chapter has to have a function for the others"


def test_the_check_sees_names_and_values_that_are_not_there() -> None:
    said = """
def f(state):
    late, other = state.setup.house.turn_late, 1
    if late != "never" or state.setup.house.wing == "choice":
        return TABLE[state.setup.house.points]
    match state.setup.house.slide:
        case "whole":
            return replace(state, house=state.house.but(causer="you"))
"""

    tables = SimpleNamespace(TABLE={"ten": 1})
    assert {value for value in reads(ast.parse(said), tables) if value[1]} == {
        *(("turn_late", "never"), ("wing", "choice"), ("points", "ten")),
        *(("slide", "whole"), ("causer", "you")),
    }


@in_one("name", switches())
def test_an_entry_is_whole(name: str) -> None:
    said, one = entries()[name], switches()[name]
    assert said.keys() - KEYS == set(), "lines that the head of switches.toml does not know"
    assert NEEDED - said.keys() == set(), "lines that it lacks"
    rules = tomllib.loads((ROOT / "companion" / "rules" / "rules.toml").read_text("utf-8"))
    ids = {rule for game in rules.values() if isinstance(game, dict) for rule in game}
    assert said["rule"] in ids
    assert len(one.values) > 1
    assert len(set(one.names)) == len(one.names)
    assert all(3 <= len(row) <= 4 and all(row) for row in one.values)
    assert one.editions
    assert set(one.editions) <= EDITIONS.keys()
    assert set(one.usual.values()) <= set(one.names)
    rules_known = {rule for e in one.editions for rule in EDITIONS[e].optional_rules}
    assert {one.needs, one.unless} - {""} <= rules_known


def test_what_an_edition_offers_it_plays_at_the_first_value_unless_something_else_is_said() -> None:
    for edition in EDITIONS.values():
        played = vars(usual_house(edition.name))
        assert played.keys() == switches().keys()
        assert {n: played[n] for n in edition.house} == {
            n: values[0] for n, values in edition.house.items()
        }
    assert usual_house("formule-de").wrecks == "blocked"  # DE-BLOCK-1, and not to be chosen


def test_houses_are_equal_by_what_they_play_and_are_not_changed() -> None:
    one, other = usual_house("formula-d"), House(vars(usual_house("formula-d")))
    assert one == other
    assert hash(one) == hash(other)
    assert one.but(wrecks="blocked") != one
    assert one.but(wrecks="blocked").but(wrecks="lifted") == one
    with pytest.raises(AttributeError, match="wrecks"):
        one.wrecks = "blocked"
    with pytest.raises(AttributeError):
        _ = one.no_such_switch
