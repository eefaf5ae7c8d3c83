"""The games, each by the name that a header gives it.

A game is fetched when it is first played; a table that plays one does not pay for the others, and
one where nobody plays yet for none. What a game asks and what a header may choose can be had
without the rest of it.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from companion.rules.game import JSON, Ask, Choices, Game, Kinds
from companion.rules.lines import Malformed
from companion.system.frozen import dataclass

AnyGame = Game[Any, Any]


_IN = "companion.rules"
_GAMES = {
    "formula-d": ("formula", "FormulaD", "book", "choices_d"),
    "formule-de": ("formula", "FormuleDe", "book", "choices_de"),
    "downforce": ("downforce", "Downforce", "header", "choices"),
}
"""Where a game is: its folder, its class there in `game`, and the module and name of what gives its
`Choices`."""
NAMES = tuple(_GAMES)
BOARDLESS: Mapping[str, Mapping[str, str]] = {
    "downforce": {"learner": "Learner", "racer": "Racer"},
}
"""Those that bots of their own play, on no board: the levels, the lowest first, each with its
class. The others are played by the bots of all games, on a board that is known."""


def room_of(name: str) -> str:
    """The folder that has the game of this name, one of `NAMES`; editions share one."""
    return _GAMES[name][0]


ROOMS = tuple(dict.fromkeys(map(room_of, NAMES)))


@cache
def _asked_in(room: str) -> Kinds:
    kinds: Kinds = import_module(f"{_IN}.{room}.asks").KINDS
    return kinds


class _Kinds(Mapping[str, type[Ask]]):
    """A kind is looked for in the games that are there before another is imported for it."""

    BESIDE = frozenset({"seat", "version"})
    """What an answer has beside its kind, and no kind is called."""

    def __getitem__(self, kind: str) -> type[Ask]:
        if kind not in self.BESIDE:
            for room in sorted(ROOMS, key=lambda one: f"{_IN}.{one}.asks" not in sys.modules):
                if kind in (kinds := _asked_in(room)):
                    return kinds[kind]
        raise KeyError(kind)

    def __iter__(self) -> Iterator[str]:
        return (kind for room in ROOMS for kind in _asked_in(room))

    def __len__(self) -> int:
        return len(list(iter(self)))


KINDS: Kinds = _Kinds()
"""Everything that a game asks. A line's kind is the one of these keys that it has."""


def kinds_of(name: object) -> Kinds:
    """What the game of this name asks; nothing if there is no such game."""
    return _asked_in(room_of(name)) if isinstance(name, str) and name in _GAMES else {}


@cache
def fetch(name: str) -> AnyGame:
    """The game of this name, one of `NAMES`."""
    room, kind, _, _ = _GAMES[name]
    game: AnyGame = getattr(import_module(f"{_IN}.{room}.game"), kind)()
    return game


@cache
def choices_of(name: str) -> Choices:
    """What a header of the game of this name, one of `NAMES`, may choose."""
    room, _, module, given = _GAMES[name]
    choices: Choices = getattr(import_module(f"{_IN}.{room}.{module}"), given)()
    return choices


def name_in(header: JSON) -> str:
    """The game that a header names.

    Raises:
        Malformed: it names none that is here.
    """
    name = header.get("game")
    if not isinstance(name, str) or name not in _GAMES:
        known = ", ".join(NAMES)
        raise Malformed("game-unknown", f"game is one of {known} in this version, not {name!r:.40}")
    return name


# -- the rulebook, of which a table is shown what is in force -------------------------------------


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: what it says in a sentence, how we read what the box's book leaves open ("": it
    leaves nothing), and where that has it ("": nowhere)."""

    id: str
    title: str
    reading: str
    box: str


_DRAWN = Path(__file__).with_name("drawn.json")


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name(name).read_text("utf-8"))


@cache
def rule_titles() -> dict[str, str]:
    """What each rule says, in a sentence, by its id; of `rules.toml`, read when one is shown."""
    book = _read("rules.toml")
    del book["not_yet"]
    return {rule: title for titles in book.values() for rule, title in titles.items()}


@cache
def _book() -> dict[str, Any]:
    return _read("book.toml")


@cache
def drawings() -> dict[str, dict[str, Any]]:
    """A position that shows it, by rule, of those that tables quarrel about (tools/clauses.py)."""
    told: dict[str, dict[str, Any]] = json.loads(_DRAWN.read_text("utf-8"))
    return told


def book_of(words: Collection[str]) -> dict[str, list[Rule]]:
    """The rules in force in a race, by the titles of their chapters.

    `words` is what is so of it: its game, the optional rules, what else `book.toml` says of
    `when`.
    """
    found: dict[str, list[Rule]] = {title: [] for title in _book()["chapters"].values()}
    for rule in rule_titles():
        if _are_so(" ".join(map(_when, (rule[:2], _family(rule), rule))), words):
            found[chapter_of(rule)].append(_rule(rule, words))
    return {title: rules for title, rules in found.items() if rules}


def chapter_of(rule: str) -> str:
    """The title of the chapter that a rule stands in where it is in force."""
    return str(_book()["chapters"][_family(rule)])


def _rule(rule: str, words: Collection[str]) -> Rule:
    reading = _book()["readings"].get(rule, "") if _are_so(_when(f"{rule} reading"), words) else ""
    box = _book()["about"]["box"].get(_family(rule), "") if _are_so(_when("box"), words) else ""
    return Rule(rule, rule_titles()[rule], reading, box)


def _family(rule: str) -> str:
    return rule.rpartition("-")[0]


def _when(name: str) -> str:
    return str(_book()["about"]["when"].get(name, ""))


def _are_so(asked: str, words: Collection[str]) -> bool:
    """Whether all words of a `when` are so; of several between bars one is enough.

    >>> _are_so("!basic stops", {"stops"}), _are_so("technical|advanced", {"formule-de"})
    (True, False)
    """
    return all(
        any((one[0] == "!") != (one.lstrip("!") in words) for one in each.split("|"))
        for each in asked.split()
    )
