"""What a game brings to the table: its pages, its sentences, its part of what the page reads.

The dialog, the story and the table's view are the same for all games; what differs is one
`GameViews` a game, found by the name in the header. A game's views are fetched when it is
first on the table, as the game itself is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

from companion.views.model import Scene
from companion.views.seat.core import Screen, Talk
from companion.views.words import Words

JSON = Mapping[str, Any]
Page = Callable[[Talk], Screen]


@dataclass(frozen=True, slots=True)
class Story:
    """How a game's events are told.

    `sentences` are by the name of the event and, where `outcomes` has the event, by what came
    of it; `quiet` events have no place among the last sentences; `parts` are the places that
    the sentences may name.
    """

    sentences: Mapping[tuple[str, str], str]
    outcomes: Mapping[str, Callable[[JSON], str]]
    parts: Callable[[JSON, Scene, Words], Mapping[str, Any]]
    quiet: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class GameViews:
    """A game as seats and page show it.

    `pages` are by what is going on (`topic` finds it, where the table itself has nothing more
    pressing) and page, "" the first; `anywhere` those that do not depend on it, "car" the one
    for a seat that is asked nothing. `of_seat` and `of_table` are what `/api/table` tells of a
    seat and of the race beside what all games have in common; `summary` puts a STATE of the engine
    protocol in a line, and each seat in a line by its number; `tasks` what somebody has to do, in
    a sentence, and `kinds` the same in the width of a key, both by the kind of the ask.
    """

    pages: Mapping[tuple[str, str], Page]
    anywhere: Mapping[str, Page]
    topic: Callable[[Talk], str]
    story: Story
    of_seat: Callable[[Scene, int], JSON]
    of_table: Callable[[Scene], JSON]
    summary: Callable[[JSON], tuple[str, Mapping[str, str]]]
    tasks: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)


_PLACES = {"downforce": "companion.views.downforce.views"}
_FORMULA = "companion.views.formula.views"
"""Formula D and Formule Dé are one body of rules, and look the same."""


@cache
def _fetch(module: str) -> GameViews:
    views: GameViews = import_module(module).VIEWS
    return views


def views_of(scene: Scene) -> GameViews:
    """The views of the game on the table; before a race those of the Formula games."""
    return views_of_game((scene.header or {}).get("game", ""))


def views_of_game(name: str) -> GameViews:
    """The views of the game that a header names."""
    return _fetch(_PLACES.get(name, _FORMULA))
