"""What everybody at the table may see: the body of `/api/table`.

`version`, `race`, `state`, `asks` and `log` are the contract; the rest spares the page from
knowing rules: who sits where, who is where in the race, who has to do what in words, and the
story in every language with the rule behind each sentence. No link, no token, no secret.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.views.facts import (
    board_of,
    car_of,
    full_wear,
    name_of,
    next_corner,
    place_of,
    rules_of,
    running_order,
    secret_kinds,
    space_of,
    weather_table,
)
from companion.views.formula.street import driver_told, left_to_use
from companion.views.formula.trials import trial_told
from companion.views.games import views_of
from companion.views.lobby.options import car_word
from companion.views.lobby.view import lobby_view
from companion.views.model import Scene, SeatInfo
from companion.views.page.story import WHY_OUT, last_sentences
from companion.views.words import LANGUAGES, Words, phrase, words
from companion.views.words.places import corner_name, place_name
from companion.views.words.troubles import told_trouble

JSON = Mapping[str, Any]
LAST = 30
"""Sentences of the story that a snapshot carries."""

FORMULA_TASKS = {
    "gear": phrase("{name} chooses a gear"),
    "roll": phrase("{name} rolls the gear die"),
    "move": phrase("{name} moves"),
    "slipstream": phrase("{name} may slipstream"),
    "report": phrase("{name} moves and reports"),
    "order": phrase("{name} says who is where"),
    "black": phrase("{name} rolls the black die"),
    "length": phrase("{name} chooses how far"),
    "build": phrase("{name} builds the car"),
    "tires": phrase("{name} chooses tires"),
    "pit": phrase("{name} chooses the pit stop"),
    "repair": phrase("{name} has the car repaired"),
    "recover": phrase("{name} regains points"),
    "radio": phrase("{name} may throw the radio"),
    "trail": phrase("{name} may leave debris"),
    "reroll": phrase("{name} may roll the weather again"),
    "time": phrase("{name} tells the time of the trial"),
}


def table_view(scene: Scene) -> dict[str, Any]:
    """The table as JSON; `race` is the header of the race, None while it is being set up."""
    story = {code: last_sentences(scene, words(code), LAST) for code in LANGUAGES}
    return {
        "version": scene.version,
        "race": _race(scene),
        "id": scene.race,
        "title": None,
        "state": scene.state,
        "asks": list(scene.asks),
        "log": [sentence.text for sentence in story["en"]],
        "story": [
            {"rule": rows[0].rule, "seat": rows[0].seat}
            | {code: row.text for code, row in zip(story, rows, strict=True)}
            for rows in zip(*story.values(), strict=True)
        ],
        "seats": [_seat(scene, info.seat) for info in scene.seats],
        "tasks": _tasks(scene),
        "lobby": lobby_view(scene),
        "paused": scene.paused,
        "proposal": dict(scene.proposal) if scene.proposal else None,
        **views_of(scene).of_table(scene),
    }


def formula_table(scene: Scene) -> dict[str, Any]:
    """What the page needs of a race on a board: its name, and the order on the road."""
    board, weather = board_of(scene), weather_table(scene)
    title = board.name if board else None
    told = {"title": title, "running": running_order(scene), "watch": scene.watch}
    return told | {"weather_table": dict(weather) or None}


def _race(scene: Scene) -> dict[str, Any] | None:
    """The header as it was given; where a game has secrets without the position, which may too."""
    if scene.header is None:
        return None
    left_out = ("position",) if secret_kinds(scene) else ()
    return {key: value for key, value in scene.header.items() if key not in left_out}


def _seat(scene: Scene, seat: int) -> dict[str, Any]:
    """A seat: who sits there, whether it can be reached, and what its game tells of it."""
    info = next(info for info in scene.seats if info.seat == seat)
    return {
        "seat": seat,
        "name": info.name,
        "language": info.language,
        "alive": info.alive,
        "trouble": _trouble(info),
        "host": info.host,
        **views_of(scene).of_seat(scene, seat),
    }


def formula_seat(scene: Scene, seat: int) -> dict[str, Any]:
    """A car's standing in words."""
    return {
        "place": place_of(scene, seat),
        "full": full_wear(scene, seat),
        "where": {code: _where(scene, seat, words(code)) for code in LANGUAGES},
        "corner": _corner(scene, seat),
        "preset": seat in scene.preset,
        "team": _team(scene, seat),
        "driver": _driver(scene, seat),
        "left": {code: left_to_use(scene, seat, words(code)) for code in LANGUAGES},
        "why_out": _why_out(scene, seat),
        "trial": _trial(scene, seat),
    }


def _team(scene: Scene, seat: int) -> dict[str, str] | None:
    """The team of a car, in every language; None where teams are not played."""
    seats = (scene.header or {}).get("seats", ())
    team = next((entry.get("team") for entry in seats if entry["seat"] == seat), None)
    if team is None or "teams" not in rules_of(scene):
        return None
    return {code: car_word(words(code), "team", team) for code in LANGUAGES}


def _driver(scene: Scene, seat: int) -> dict[str, Any] | None:
    """Who drives a car in an urban race, and what that is good for in every language."""
    driver = driver_told(scene, seat)
    if driver is None:
        return None
    says = {code: words(code)(driver.says) for code in LANGUAGES}
    return {"name": driver.name, "says": says}


def _trial(scene: Scene, seat: int) -> dict[str, str] | None:
    """How the trial of a car went, in every language, until the race begins; None: it did not."""
    car = car_of(scene, seat)
    if car is None or (scene.state or {}).get("phase") not in ("setup", "trials"):
        return None
    told = {code: trial_told(car, words(code)) for code in LANGUAGES}
    return told if any(told.values()) else None


def _why_out(scene: Scene, seat: int) -> dict[str, str] | None:
    """Why a car is out, in every language; None: it is not, or that is the referee's own."""
    why = ((car_of(scene, seat) or {}).get("out") or {}).get("why")
    return {code: words(code)(WHY_OUT[why]) for code in LANGUAGES} if why in WHY_OUT else None


def _trouble(info: SeatInfo) -> dict[str, str] | None:
    """Why a seat cannot be reached, in every language; None: it can, or nobody knows."""
    if info.ailing is None:
        return None
    return {code: told_trouble(info.ailing, words(code)) for code in LANGUAGES}


def _where(scene: Scene, seat: int, say: Words) -> str | None:
    """The name of the space a car stands on, as anybody calls it; None off the board."""
    track, space = scene.track, space_of(scene, seat)
    if track is None or space is None:
        return None
    return place_name(track, space, say)


def _corner(scene: Scene, seat: int) -> dict[str, Any] | None:
    """The corner that matters to a car: its name, stops made and needed."""
    corner = next_corner(scene, seat)
    board = board_of(scene)
    if corner is None or board is None:
        return None
    names = {code: corner_name(board, corner.corner, words(code)) for code in LANGUAGES}
    told = {"name": names, "made": corner.made, "needed": corner.needed, "inside": corner.inside}
    printed = board.corners[corner.corner]
    ways = {"shortest": printed.shortest, "longest": printed.longest}
    return told | ways if board.is_blank else told


def _tasks(scene: Scene) -> list[dict[str, Any]]:
    """Who has to do what, in words of every language, in the order of the asks."""
    return [
        {"seat": ask["seat"], "kind": ask["kind"]}
        | {code: _task(scene, ask, words(code)) for code in LANGUAGES}
        for ask in scene.asks
    ]


def _task(scene: Scene, ask: JSON, say: Words) -> str:
    name = name_of(scene, ask["seat"]) if ask["seat"] else say("the table")
    tasks = views_of(scene).tasks
    return say(tasks.get(ask["kind"], phrase("{name} is asked")), name=name)
