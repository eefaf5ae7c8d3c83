"""The texts of KiCad's files: lists in brackets, read and written; symbols and footprints of its
library. A list is a Python list; a word is a `str`, a text in quotes a `Quoted`.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

Tree = list[Any]
_TOKEN = re.compile(r'\(|\)|"((?:[^"\\]|\\.)*)"|[^\s()"]+')
_SPACE = uuid.UUID("5eafc0de-0000-4000-8000-000000000000")


class Quoted(str):
    """A text that stands in quotes."""

    __slots__ = ()


def parse(text: str) -> Tree:
    """The list that a text is.

    >>> parse('(a "b c" (d 1.5))')
    ['a', 'b c', ['d', '1.5']]
    """
    stack: list[Tree] = [[]]
    for token in _TOKEN.finditer(text):
        if token[0] == "(":
            stack.append([])
        elif token[0] == ")":
            stack[-2].append(stack.pop())
        else:
            stack[-1].append(token[0] if token[1] is None else Quoted(token[1]))
    (made,) = stack[0]
    return list(made)


def write(tree: Tree, depth: int = 0) -> str:
    """The text of a list, a line for each list in it.

    >>> write(["a", Quoted("b"), ["c", 1.5]])
    '(a "b"\\n\\t(c 1.5)\\n)'
    """
    words, inner = [], []
    for part in tree:
        if isinstance(part, list):
            inner.append("\n" + "\t" * (depth + 1) + write(part, depth + 1))
        elif isinstance(part, Quoted):
            words.append(f'"{part}"')
        else:
            words.append(f"{part:.6g}" if isinstance(part, float) else str(part))
    end = "\n" + "\t" * depth if inner else ""
    return f"({' '.join(words)}{''.join(inner)}{end})"


def find(tree: Tree, name: str) -> Iterator[Tree]:
    """The lists in a list that begin with a word."""
    return (part for part in tree if isinstance(part, list) and part[0] == name)


def one(tree: Tree, name: str) -> Tree:
    """The first of them."""
    return next(find(tree, name))


def drop(tree: Tree, *names: str) -> Tree:
    """The list without those that begin with one of these words."""
    return [part for part in tree if not (isinstance(part, list) and part[0] in names)]


def same_id(*of: object) -> Tree:
    """An id that is the same at each writing."""
    return ["uuid", Quoted(uuid.uuid5(_SPACE, "/".join(map(str, of))))]


@cache
def _symbols(file: Path) -> dict[str, Tree]:
    return {one[1]: one for one in find(parse(file.read_text("utf-8")), "symbol")}


def symbol(library: Path, name: str) -> Tree:
    """A symbol `Library:Name` as a sheet carries it; one that extends another as a whole.

    Raises:
        OSError, StopIteration: the library does not have it.
    """
    room, own = name.split(":")
    known = _symbols(library / "symbols" / f"{room}.kicad_sym")
    made = known[own]
    for base in list(find(made, "extends")):
        mine = {part[1]: part for part in find(made, "property")}
        parent = known[base[1]]
        body = [p for p in parent[2:] if p[0] != "property"]
        body = [
            [*p[:1], Quoted(p[1].replace(base[1], own, 1)), *p[2:]] if p[0] == "symbol" else p
            for p in body
        ]
        theirs = [mine.pop(p[1], p) for p in find(parent, "property")]
        made = ["symbol", Quoted(own), *theirs, *mine.values(), *body]
    return ["symbol", Quoted(name), *made[2:]]


@dataclass(frozen=True, slots=True)
class Pin:
    """A pin of a symbol: what its maker calls it, its electric kind, its end in millimetres from
    the symbol's middle, and the way from there into the symbol in degrees.
    """

    name: str
    kind: str
    right: float
    up: float
    into: int


def pins(of: Tree) -> dict[str, Pin]:
    """The pins of a symbol by their numbers."""
    made = {}
    for unit in find(of, "symbol"):
        for pin in find(unit, "pin"):
            right, up, into = one(pin, "at")[1:]
            name = one(pin, "name")[1]
            made[one(pin, "number")[1]] = Pin(name, pin[1], float(right), float(up), int(into))
    return made


def footprint(library: Path, name: str) -> Tree:
    """A footprint `Library:Name`."""
    room, own = name.split(":")
    text = (library / "footprints" / f"{room}.pretty" / f"{own}.kicad_mod").read_text("utf-8")
    return ["footprint", Quoted(name), *parse(text)[2:]]
