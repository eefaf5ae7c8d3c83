"""The rungs of the ladder by their names, the lowest first.

What a level needs is imported when one is made: a table without bots does not pay for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final
from zlib import crc32

from companion.rules.game import Ask
from companion.rules.games import BOARDLESS, NAMES, room_of
from companion.rules.lines import Malformed
from companion.system.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """A level: the module of this room and the class in it, and whether it needs a solved board.

    `answers` is the module that asks a bot of its game. `rating` is that of its rung (a difference
    of 100 is 36 wins in 100 for the lower), 0 where nobody has rated it. `heat` and `blind` are how
    it errs (`by_room.Erring`); at 0 it plays as its class does.
    """

    module: str
    name: str
    needs_board: bool
    answers: str = "by_room"
    rating: int = 0
    heat: float = 0.0
    blind: float = 0.0

    def make(self, figures: object) -> Any:
        """A bot of this level; `figures` (`alone.Figures`) may be None where it needs no board."""
        # By name: naming the classes here would import them for a table without bots.
        level = getattr(_module(self.module), self.name)
        made = level(figures) if self.needs_board else level()
        return _module("by_room").Erring(made, self.heat, self.blind) if self.heat else made

    def answer(self, bot: Any, state: Any, ask: Ask) -> object:
        """What a bot that this level has made answers, in the form of the engine protocol."""
        return _module(self.answers).answer(bot, state, ask)


def _module(name: str) -> Any:
    return import_module(f"companion.advice.bots.{name}")


def _by_room(rating: int, heat: float, blind: float) -> Kind:
    return Kind("by_room", "Amateur", needs_board=False, rating=rating, heat=heat, blind=blind)


def _solved(rating: int, heat: float, blind: float) -> Kind:
    return Kind("solved", "Racer", needs_board=True, rating=rating, heat=heat, blind=blind)


LEVELS: Final[Mapping[str, Kind]] = {
    "learner": _by_room(620, 0.37, 0.045),
    "rookie": _by_room(719, 0.27, 0.03),
    "hobbyist": _by_room(817, 0.18, 0.02),
    "amateur": _by_room(935, 0, 0),
    "regular": _solved(1068, 0.275, 0.02),
    "contender": _solved(1183, 0.209, 0.015),
    "semi-pro": _solved(1288, 0.146, 0.008),
    "pro": _solved(1396, 0.101, 0.004),
    "racer": _solved(1525, 0.05, 0),
    "champion": Kind("solved", "Champion", needs_board=True, rating=1620),
}
USUAL: Final = "amateur"
"""What drives where nothing else is said, and instead of a level whose board is not solved."""
FIRST: Final = "learner"
"""What somebody who has never played is given: the lowest rung."""


def levels_of(game: object) -> Mapping[str, Kind]:
    """The levels of a game by their names, the lowest first; none where no bot plays it."""
    if not isinstance(game, str) or game not in NAMES:
        return {}
    if game not in BOARDLESS:
        return LEVELS
    room = room_of(game)
    return {name: Kind(room, its, False, room) for name, its in BOARDLESS[game].items()}


def level_name(word: str, game: object = "formula-d") -> str:
    """The level of this name, or, where levels are rated, the one nearest to this rating.

    Raises:
        Malformed: there is none.
    """
    levels = levels_of(game)
    rated = {name: kind.rating for name, kind in levels.items() if kind.rating}
    if rated and word.isdecimal():
        return min(rated, key=lambda name: abs(rated[name] - int(word)))
    if word not in levels:
        known = ", ".join(f"{name} ({rated[name]})" if name in rated else name for name in levels)
        raise Malformed("no-such-level", f"a bot is one of {known}, not {word!r:.40}")
    return word


def has_level(word: object, game: object) -> bool:
    """Whether a bot of this game goes by this name or rating."""
    try:
        return isinstance(word, str) and bool(level_name(word, game))
    except Malformed:
        return False


def level_kind(name: str, game: object = "formula-d") -> Kind:
    """The level of this name, or nearest to this rating.

    Raises:
        Malformed: there is none.
    """
    return levels_of(game)[level_name(name, game)]


# -- chance without dice --------------------------------------------------------------------------


_WORD: Final = (1 << 64) - 1


class Draw:
    """Numbers that look drawn, the same ones for the same position."""

    def __init__(self, seed: object) -> None:
        # Not `hash`, which is another one in each process.
        self._word = crc32(repr(seed).encode()) | 1 << 33

    def below(self, most: int) -> int:
        """A number from 0 to below `most`."""
        self._word = (self._word * 6364136223846793005 + 1442695040888963407) & _WORD
        # The high bits: the low ones of such a generator repeat after a few numbers.
        return (self._word >> 33) % most

    def share(self) -> float:
        """A number above 0 and below 1."""
        return (self.below(1 << 20) + 0.5) / (1 << 20)
