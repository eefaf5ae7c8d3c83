"""What everybody at the table may see: the body of `/api/table`.

`version`, `race`, `state`, `asks` and `log` are the contract; the rest spares the page from
knowing rules: who sits where, who is where in the race, who has to do what in words, and the
story in every language with the rule behind each sentence. No link, no token, no secret.

What a move changes of a seat stands in `standing` under its number, apart from `seats`: a merge
patch tells a list whole or not at all.
"""

from __future__ import annotations

from companion.rules.game import OpenAsk
from companion.rules.games import fetch
from companion.views.colors import color_of
from companion.views.facts import secret_kinds
from companion.views.games import name_of, views_of
from companion.views.lobby.view import lobby_view
from companion.views.model import Scene, SeatInfo
from companion.views.pace import clock_of_table
from companion.views.page.story import last_sentences
from companion.views.words import LANGUAGES, Words, phrase, words
from companion.views.words.disk import disk_text
from companion.views.words.troubles import trouble_text

LAST = 30
"""Sentences of the story that a snapshot carries."""


def table_view(scene: Scene) -> dict[str, object]:
    """The table as JSON; `race` is the header of the race, None while it is being set up."""
    story = {code: last_sentences(scene, words(code), LAST) for code in LANGUAGES}
    return {
        "version": scene.version,
        "race": _race(scene),
        "id": scene.race,
        "title": None,
        "state": None if scene.state is None else fetch(scene.game).tell(scene.state),
        "asks": [ask.told for ask in scene.asks],
        "log": [sentence.text for sentence in story["en"]],
        "story": [
            {"rule": rows[0].rule, "seat": rows[0].seat}
            | {code: row.text for code, row in zip(story, rows, strict=True)}
            for rows in zip(*story.values(), strict=True)
        ],
        "seats": [_seat(scene, info) for info in scene.seats],
        "standing": {str(i.seat): views_of(scene).of_seat(scene, i.seat) for i in scene.seats},
        "tasks": _tasks(scene),
        "lobby": lobby_view(scene),
        "paused": scene.paused,
        "proposal": dict(scene.proposal) if scene.proposal else None,
        "clock": clock_of_table(scene),
        "minutes_left": scene.minutes_left,
        "waits": _waits(scene),
        "disk": _disk(scene),
        **views_of(scene).of_table(scene),
    }


def _waits(scene: Scene) -> dict[str, dict[str, int]] | None:
    """Who waited for whom in a race that is over, by seat, in seconds; None: nobody ever did."""
    told = {str(seat): {"kept": kept, "waited": own} for seat, (kept, own) in scene.waits.items()}
    return told or None


def _race(scene: Scene) -> dict[str, object] | None:
    """The header as it was given, of a rules pack its name only.

    Where a game has secrets it is without the position, which may have some too.
    """
    if scene.header is None:
        return None
    left_out = ("position",) if secret_kinds(scene) else ()
    told = {key: value for key, value in scene.header.items() if key not in left_out}
    return told | ({"pack": {"name": told["pack"]["name"]}} if "pack" in told else {})


def _seat(scene: Scene, info: SeatInfo) -> dict[str, object]:
    """A seat: who sits there, and whether it can be reached."""
    return {
        "seat": info.seat,
        "name": info.name,
        "language": info.language,
        "alive": info.alive,
        "trouble": _trouble(info),
        "host": info.host,
        "color": color_of(scene, info.seat),
    }


def _trouble(info: SeatInfo) -> dict[str, str] | None:
    """Why a seat cannot be reached, in every language; None: it can, or nobody knows."""
    if info.ailing is None:
        return None
    return {code: trouble_text(info.ailing, words(code)) for code in LANGUAGES}


def _disk(scene: Scene) -> dict[str, str] | None:
    """What is wrong with the disk, in every language, and the key of the worst; None: nothing."""
    if not scene.disk:
        return None
    return {"key": scene.disk[0].key} | {
        code: disk_text(scene.disk, words(code)) for code in LANGUAGES
    }


def _tasks(scene: Scene) -> list[dict[str, object]]:
    """Who has to do what, in words of every language, in the order of the asks."""
    return [
        {"seat": ask.seat, "kind": ask.kind}
        | {code: _task(scene, ask, words(code)) for code in LANGUAGES}
        for ask in scene.asks
    ]


def _task(scene: Scene, ask: OpenAsk, say: Words) -> str:
    name, asks = name_of(scene, ask.seat) if ask.seat else say("the table"), views_of(scene).asks
    return say(asks[ask.kind].task if ask.kind in asks else phrase("{name} is asked"), name=name)
