"""The story of a race: each event of the engine as one sentence, with the rule behind it.

A game has its sentences by the name of the event, and where an event can go two ways by what
came of it (`games.Story`). An event that nobody has put into words is told by its bare name.
"""

from __future__ import annotations

from itertools import islice

from companion.frozen import dataclass
from companion.rules.board.track import Track
from companion.views.facts import board_of
from companion.views.games import Event, name_of, views_of
from companion.views.model import Scene
from companion.views.words import Words


@dataclass(frozen=True, slots=True)
class Sentence:
    """One event told: the words, the id of the rule (None: no rule), the seat (0: the table)."""

    text: str
    rule: str | None
    seat: int


def tell(event: Event, scene: Scene, say: Words) -> Sentence:
    """The sentence of one event."""
    name, seat, rule = str(event["event"]), int(event.get("seat") or 0), event.get("rule")
    story = views_of(scene).story
    outcome = story.outcomes[name](event) if name in story.outcomes else ""
    template = story.sentences.get((name, outcome)) or story.sentences.get((name, ""))
    if template is None:
        return Sentence(name, rule, seat)
    return Sentence(say(template, **story.parts(event, scene, say)), rule, seat)


def last_sentences(scene: Scene, say: Words, most: int = 30) -> list[Sentence]:
    """The end of the story, oldest first."""
    quiet = views_of(scene).story.quiet
    loud = (event for event in reversed(scene.log) if event["event"] not in quiet)
    names = tuple(name_of(scene, info.seat) for info in scene.seats)
    last = list(islice(loud, most))
    return [_sentence(event, scene, say, names) for event in reversed(last)]


_TOLD: dict[tuple[int, str], tuple[Event, Track | None, tuple[str, ...], Sentence]] = {}
_TOLD_MOST = 1024


def _sentence(event: Event, scene: Scene, say: Words, names: tuple[str, ...]) -> Sentence:
    """The sentence of an event of the log, made once: an event never changes.

    Known by the event's identity; as the event is kept beside its sentence, that of another
    cannot be the same. Names and board are those of the scene it was told in.
    """
    key = id(event), say.language
    known = _TOLD.get(key)
    if known and known[0] is event and known[1] is board_of(scene) and known[2] == names:
        return known[3]
    if len(_TOLD) >= _TOLD_MOST:
        _TOLD.clear()
    sentence = tell(event, scene, say)
    _TOLD[key] = event, board_of(scene), names, sentence
    return sentence
