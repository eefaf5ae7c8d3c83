"""The levels of play by their names, the lowest first.

What a level needs is imported when one is made: a table without bots does not pay for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

from companion.rules.game import Ask
from companion.rules.lines import Malformed
from companion.system.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """A level: the module of this room and the class in it, and whether it needs a solved board.

    `answers` is the module that asks a bot of its game.
    """

    module: str
    name: str
    needs_board: bool
    answers: str = "by_room"

    def make(self, figures: object) -> Any:
        """A bot of this level; `figures` (`alone.Figures`) may be None where it needs no board."""
        # By name: naming the classes here would import them for a table without bots.
        level = getattr(_module(self.module), self.name)
        return level(figures) if self.needs_board else level()

    def answer(self, bot: Any, state: Any, ask: Ask) -> object:
        """What a bot that this level has made answers, in the form of the engine protocol."""
        return _module(self.answers).answer(bot, state, ask)


def _module(name: str) -> Any:
    return import_module(f"companion.advice.bots.{name}")


LEVELS: Final[Mapping[str, Kind]] = {
    "learner": Kind("by_room", "Learner", needs_board=False),
    "amateur": Kind("by_room", "Amateur", needs_board=False),
    "racer": Kind("solved", "Racer", needs_board=True),
    "champion": Kind("solved", "Champion", needs_board=True),
}
DOWNFORCE: Final[Mapping[str, Kind]] = {
    "learner": Kind("downforce", "Learner", needs_board=False, answers="downforce"),
    "racer": Kind("downforce", "Racer", needs_board=False, answers="downforce"),
}
BOT_GAMES: Final[Mapping[str, Mapping[str, Kind]]] = {
    "formula-d": LEVELS,
    "formule-de": LEVELS,
    "downforce": DOWNFORCE,
}
"""The games that bots play, with their levels."""
BOARDLESS: Final = ("downforce",)
"""Those of them that they play on no board; the others on one that is known."""
USUAL: Final = tuple(LEVELS)[1]
"""The second lowest."""


def levels_of(game: object) -> Mapping[str, Kind]:
    """The levels of a game by their names, the lowest first; none where no bot plays it."""
    return BOT_GAMES.get(game, {}) if isinstance(game, str) else {}


def level_kind(name: str, game: object = "formula-d") -> Kind:
    """The level of this name.

    Raises:
        Malformed: there is none.
    """
    levels = levels_of(game)
    if name not in levels:
        known = ", ".join(levels)
        raise Malformed("no-such-level", f"a bot is one of {known}, not {name!r:.40}")
    return levels[name]
