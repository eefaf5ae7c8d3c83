"""The games as the league knows them, by the names that `rules.games` has for them.

A game is fetched when something is asked of it.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from companion.league.game import LeagueGame
from companion.rules.games import NAMES

AnyGame = LeagueGame[Any, Any]
_GAMES = {
    "formula-d": ("formula", "FORMULA_D"),
    "formule-de": ("formula", "FORMULE_DE"),
    "downforce": ("downforce", "DOWNFORCE"),
}
"""Where each one is: a module of this folder and a name in it."""


@cache
def game_of(name: str) -> AnyGame:
    """The game of this name, one of `rules.games.NAMES`."""
    module, attribute = _GAMES[name]
    game: AnyGame = getattr(import_module(f"{__name__}.{module}"), attribute)
    return game


def games() -> dict[str, AnyGame]:
    """All of them by name."""
    return {name: game_of(name) for name in NAMES}
