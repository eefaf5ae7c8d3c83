"""What a game brings to the table: its pages, its words, its part of what the page reads.

The dialog, the story and the table's view are the same for all games. What differs is one
`GameViews` a game, in `views/ROOM/views.py`, where ROOM is the folder that has its rules; what a
table may choose before a race is in `views/ROOM/options.py`. So a new game is its two folders and
a line in `rules/games.py`. A game's views are fetched when it is first on the table, as the game
itself is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cache
from importlib import import_module
from typing import Any

from companion.frozen import dataclass
from companion.rules.games import NAMES, room_of
from companion.views.facts import seat_info
from companion.views.model import JSON, Scene
from companion.views.road import Road, Standing
from companion.views.seat.core import Choices, Screen, Talk
from companion.views.words import Words

Event = Mapping[str, Any]
"""An event as the engine protocol tells it to everybody."""
Outcomes = Mapping[str, Callable[[Event], str]]
"""What came of an event that has more than one sentence, by its name."""
Page = Callable[[Talk], Screen]
Pages = Mapping[tuple[str, str], Page]
"""Pages by what is going on, and by their name; "" is the first."""


@dataclass(frozen=True, slots=True)
class AskWords:
    """A kind of ask to people: all that is said of it, and its pages on the keys of a seat.

    `task` says in a sentence what somebody has to do, `key` the same in the width of a key
    ("": the kind itself), `question` what the referee's page asks. `page` is the first, `pages`
    the others by name; a kind without any is asked by a plain list, or a number (`seat/any_ask`).
    """

    task: str
    question: str
    key: str = ""
    page: Page | None = None
    pages: Mapping[str, Page] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Story:
    """How a game's events are told.

    `sentences` are by the name of the event and, where `outcomes` has the event, by what came
    of it; `quiet` events have no place among the last sentences; `parts` are the places that
    the sentences may name.
    """

    sentences: Mapping[tuple[str, str], str]
    outcomes: Outcomes
    parts: Callable[[Event, Scene, Words], Mapping[str, object]]
    quiet: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class GameViews:
    """A game as seats and page show it.

    `asks` are by kind; `pages` those of other things that go on (`topic` finds what does, where
    the table itself has nothing more pressing); `anywhere` those that do not depend on it, "car"
    the one for a seat that is asked nothing. `name` is what a seat's player goes by, `standing`
    its car in figures, `road` what lies before it where it may end somewhere. `around` is what a
    phone has room for of a page with the seat's car, `finish` the result as a phone shows it (None:
    the page says it); `throws` the die of the companion's that a tap throws now, `thrown` the last
    die that fell, `cards` what a phone draws of cards that are known. `of_seat`
    and `of_table` are what `/api/table` has of a seat and of the race beside what all games have
    in common, `odds` what it says of a seat's next roll; `summary` puts a state in a line, and each
    seat in a line by its number; `questions` is what the referee's page asks for some asks of a
    kind rather than for the kind; `takes_late`: somebody may come in while a race runs;
    `refusals` say why this game alone refuses something, by the rules' key.
    """

    asks: Mapping[str, AskWords]
    pages: Pages
    anywhere: Mapping[str, Page]
    topic: Callable[[Talk], str]
    story: Story
    of_table: Callable[[Scene], Mapping[str, object]]
    summary: Callable[[object], tuple[str, Mapping[int, str]]]
    name: Callable[[Scene, int], str] = lambda scene, seat: seat_info(scene, seat).name
    standing: Callable[[Scene, int], Standing] = lambda scene, seat: Standing()
    road: Callable[[Talk, Choices], Road | None] = lambda talk, choices: None
    around: Callable[[Talk, Screen], JSON | None] = lambda talk, page: None
    finish: Callable[[Talk], JSON | None] = lambda talk: None
    throws: Callable[[Talk], JSON | None] = lambda talk: None
    thrown: Callable[[Scene], JSON | None] = lambda scene: None
    cards: Callable[[Talk], JSON | None] = lambda talk: None
    of_seat: Callable[[Scene, int], Mapping[str, object]] = lambda scene, seat: {}
    odds: Callable[[Scene, int], Mapping[str, object]] = lambda scene, seat: {"gears": {}}
    takes_late: bool = False
    questions: Mapping[str, str] = field(default_factory=dict)
    refusals: Mapping[str, str] = field(default_factory=dict)

    def page(self, about: str, name: str) -> Page | None:
        """The page of this name in what is going on; None: it is not one of that."""
        if about in self.asks:
            words = self.asks[about]
            return words.pages.get(name) if name else words.page
        return self.pages.get((about, name))

    def topic_of(self, kind: str) -> str:
        """What is going on where this is asked: the kind, "ask" for one without pages."""
        return kind if kind in self.asks and self.asks[kind].page else "ask"


@cache
def _fetch(room: str) -> GameViews:
    views: GameViews = import_module(f"companion.views.{room}.views").VIEWS
    return views


def _all() -> list[GameViews]:
    return [_fetch(room) for room in dict.fromkeys(map(room_of, NAMES))]


def views_of(scene: Scene) -> GameViews:
    """The views of the game on the table; before a race those of the first game there is."""
    return views_of_game(scene.game or NAMES[0])


def views_of_game(name: str) -> GameViews:
    """The views of the game that a header names."""
    return _fetch(room_of(name))


def name_of(scene: Scene, seat: int) -> str:
    """What a seat's player goes by."""
    return views_of(scene).name(scene, seat)


def questions() -> Mapping[str, str]:
    """What the referee's page asks in any game: by kind, or by kind and a word behind it."""
    asked = {kind: words.question for one in _all() for kind, words in one.asks.items()}
    return asked | {key: text for one in _all() for key, text in one.questions.items()}


def refusals() -> Mapping[str, str]:
    """Why a game refuses what no other game knows, by the rules' key."""
    return {key: text for one in _all() for key, text in one.refusals.items()}
