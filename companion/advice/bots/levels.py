"""The levels of play by their names, the lowest first.

What a level needs is imported when one is made: a table without bots does not pay for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Final

from companion.frozen import dataclass
from companion.rules.errors import Malformed

if TYPE_CHECKING:
    from companion.advice.bots.bot import Level
    from companion.advice.by_sky import Figures


@dataclass(frozen=True, slots=True)
class Kind:
    """A level: the module of this room and the class in it, and whether it needs a solved board."""

    module: str
    name: str
    needs_board: bool

    def make(self, figures: Figures | None) -> Level:
        """A bot of this level; `figures` are None only where it needs no solved board."""
        level = getattr(import_module(f"companion.advice.bots.{self.module}"), self.name)
        made: Level = level(figures) if self.needs_board else level()
        return made


LEVELS: Final[Mapping[str, Kind]] = {
    "learner": Kind("by_room", "Learner", needs_board=False),
    "amateur": Kind("by_room", "Amateur", needs_board=False),
    "racer": Kind("racer", "Racer", needs_board=True),
    "champion": Kind("champion", "Champion", needs_board=True),
}
BOT_GAMES: Final = ("formula-d", "formule-de")
"""The games that bots play, on a board."""
USUAL: Final = tuple(LEVELS)[1]
"""The second lowest."""


def levels_of(game: str) -> tuple[str, ...]:
    """The names of the levels that play a game, the lowest first; none where no bot does."""
    return tuple(LEVELS) if game in BOT_GAMES else ()


def level_kind(name: str) -> Kind:
    """The level of this name.

    Raises:
        Malformed: there is none.
    """
    if name not in LEVELS:
        known = ", ".join(LEVELS)
        raise Malformed("no-such-level", f"a bot is one of {known}, not {name!r:.40}")
    return LEVELS[name]
