"""The games, each by the name that a header gives it.

A game is fetched when it is first played; a table that plays one does not pay for the others, and
one where nobody plays yet for none. What a game asks and what a header may choose can be had
without the rest of it.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from companion.rules.game import JSON, Ask, Choices, Game, Kinds
from companion.rules.lines import Malformed
from companion.system.frozen import dataclass

AnyGame = Game[Any, Any]


@dataclass(frozen=True, slots=True)
class Listing:
    """Where a game is: its class and what gives its `Choices`, as module and name."""

    game: tuple[str, str]
    choices: tuple[str, str]


_IN = "companion.rules"
_GAMES = {
    "formula-d": Listing((f"{_IN}.formula.game", "FormulaD"), (f"{_IN}.formula.book", "choices_d")),
    "formule-de": Listing(
        (f"{_IN}.formula.game", "FormuleDe"), (f"{_IN}.formula.book", "choices_de")
    ),
    "downforce": Listing(
        (f"{_IN}.downforce.game", "Downforce"), (f"{_IN}.downforce.header", "choices")
    ),
}
NAMES = tuple(_GAMES)


def room_of(name: str) -> str:
    """The folder that has the game of this name, one of `NAMES`; editions share one."""
    return _GAMES[name].game[0].split(".")[-2]


ROOMS = tuple(dict.fromkeys(map(room_of, NAMES)))


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
    module, kind = _GAMES[name].game
    game: AnyGame = getattr(import_module(module), kind)()
    return game


@cache
def choices_of(name: str) -> Choices:
    """What a header of the game of this name, one of `NAMES`, may choose."""
    module, name = _GAMES[name].choices
    choices: Choices = getattr(import_module(module), name)()
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


@cache
def rule_titles() -> dict[str, str]:
    """What each rule says, in a sentence, by its id; of `rules.toml`, read when one is shown."""
    book = tomllib.loads(Path(__file__).with_name("rules.toml").read_text("utf-8"))
    del book["not_yet"]
    return {rule: title for titles in book.values() for rule, title in titles.items()}
