"""The shelf: every game, by the name that a header gives it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.rules.downforce.game import Downforce
from companion.rules.errors import Malformed
from companion.rules.formula.game import FormulaD
from companion.rules.game import JSON, Game

AnyGame = Game[Any, Any]
_ALL: tuple[AnyGame, ...] = (FormulaD(), Downforce())
GAMES: Mapping[str, AnyGame] = {game.name: game for game in _ALL}


def game_of(header: JSON) -> AnyGame:
    """The game that a header names.

    Raises:
        Malformed: it names none that is here.
    """
    name = header.get("game")
    if not isinstance(name, str) or name not in GAMES:
        known = ", ".join(GAMES)
        raise Malformed("game-unknown", f"game is one of {known} in this version, not {name!r:.40}")
    return GAMES[name]
