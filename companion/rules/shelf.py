"""The shelf: every game, by the name that a header gives it.

A game is fetched when it is first played; a table that plays one does not pay for the others.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from companion.rules.errors import Malformed
from companion.rules.game import JSON, Choices, Game

AnyGame = Game[Any, Any]
_PLACES = {
    "formula-d": ("companion.rules.formula.game", "FormulaD"),
    "formule-de": ("companion.rules.formula.game", "FormuleDe"),
    "downforce": ("companion.rules.downforce.game", "Downforce"),
}
_CHOICES = {
    "formula-d": ("companion.rules.formula.edition_d", "CHOICES"),
    "formule-de": ("companion.rules.formula.edition_de", "CHOICES"),
    "downforce": ("companion.rules.downforce.header", "CHOICES"),
}
"""Apart from the games: a table that is being set up plays none yet, and need not wait for one."""
NAMES = tuple(_PLACES)


@cache
def fetch(name: str) -> AnyGame:
    """The game of this name, one of `NAMES`."""
    module, kind = _PLACES[name]
    game: AnyGame = getattr(import_module(module), kind)()
    return game


@cache
def choices_of(name: str) -> Choices:
    """What a header of the game of this name, one of `NAMES`, may choose."""
    module, choices = _CHOICES[name]
    told: Choices = getattr(import_module(module), choices)
    return told


def game_of(header: JSON) -> AnyGame:
    """The game that a header names.

    Raises:
        Malformed: it names none that is here.
    """
    name = header.get("game")
    if not isinstance(name, str) or name not in _PLACES:
        known = ", ".join(NAMES)
        raise Malformed("game-unknown", f"game is one of {known} in this version, not {name!r:.40}")
    return fetch(name)
