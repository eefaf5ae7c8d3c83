"""The levels of play by their names, the lowest first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from companion.advice.alone import Alone
from companion.advice.bots.bot import Level
from companion.advice.bots.by_room import Amateur, Learner
from companion.advice.bots.champion import Champion
from companion.advice.bots.racer import Racer
from companion.rules.errors import Malformed


@dataclass(frozen=True, slots=True)
class Kind:
    """A level: how it is made, and whether it needs a solved board."""

    make: Callable[[Alone | None], Level]
    needs_board: bool


def _on(level: Callable[[Alone], Level]) -> Callable[[Alone | None], Level]:
    """A level that needs a solved board."""

    def make(alone: Alone | None) -> Level:
        assert alone is not None
        return level(alone)

    return make


LEVELS: Final[Mapping[str, Kind]] = {
    "learner": Kind(lambda alone: Learner(), needs_board=False),
    "amateur": Kind(lambda alone: Amateur(), needs_board=False),
    "racer": Kind(_on(Racer), needs_board=True),
    "champion": Kind(_on(Champion), needs_board=True),
}
USUAL: Final = tuple(LEVELS)[1]
"""The second lowest."""


def level_kind(name: str) -> Kind:
    """The level of this name.

    Raises:
        Malformed: there is none.
    """
    if name not in LEVELS:
        known = ", ".join(LEVELS)
        raise Malformed("no-such-level", f"a bot is one of {known}, not {name!r:.40}")
    return LEVELS[name]
