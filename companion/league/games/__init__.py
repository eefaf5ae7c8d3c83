"""The games as the league knows them, by the names that `rules.games` has for them.

A game is fetched when something is asked of it, out of the module here that is called as its
room in the rules; this has all games of the room as `GAMES`, by name.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from companion.league.game import LeagueGame
from companion.rules.games import NAMES, room_of

AnyGame = LeagueGame[Any, Any]


@cache
def game_of(name: str) -> AnyGame:
    """The game of this name, one of `rules.games.NAMES`."""
    game: AnyGame = import_module(f"{__name__}.{room_of(name)}").GAMES[name]
    return game


def games() -> dict[str, AnyGame]:
    """All of them by name."""
    return {name: game_of(name) for name in NAMES}
