"""A race again, answer by answer: what changed on the board, and the sentences to it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

from flask import Blueprint, Response, abort, json

from companion.league.games import game_of
from companion.league.plain import Line
from companion.league.replayed import AnyReplayed, replay_events
from companion.record import RecordError
from companion.rules.games import fetch
from companion.views.games import views_of
from companion.views.model import Scene, SeatInfo
from companion.views.page.story import tell
from companion.views.words import LANGUAGES, Words, words
from companion_web.boards import Boards
from companion_web.league.access import LeagueAccess

KEPT = 8
"""Replays and drawings."""
SHOWN = ("seat", "name", "space", "gear", "lap", "status", "wear", "tires", "stops", "place")
"""What a step says of a car, and only of those in which something of it has changed."""
ABOUT = ("phase", "round", "turn", "weather", "raining", "debris")


def blueprint(access: LeagueAccess, boards: Boards) -> Blueprint:
    """`/api/league/races/ID/replay.LANGUAGE` and the drawing of the board it was run on."""
    replay = Blueprint("league_replay", __name__)

    @lru_cache(maxsize=KEPT)
    def steps(race: str, digest: str, language: str) -> str | None:
        played = _replayed(access, race)
        return None if played is None else json.dumps(steps_of(played, words(language)))

    @replay.get("/api/league/races/<race>/replay.<language>")
    def send_steps(race: str, language: str) -> Response:
        record = access.queries.record(race)
        if record is None or language not in LANGUAGES:
            abort(404)
        body = steps(race, _digest(record), language) or abort(404)
        return Response(body, mimetype="application/json")

    @replay.get("/league/races/<race>/circuit.svg")
    def draw_circuit(race: str) -> Response:
        played = _replayed(access, race)
        if played is None or played.track is None:
            abort(404)
        return Response(boards.drawing_of(played.track), mimetype="image/svg+xml")

    return replay


def _digest(record: Sequence[Line]) -> str:
    """By which a record is known, the names in it too."""
    return hashlib.sha256(json.dumps(record).encode()).hexdigest()


def _replayed(access: LeagueAccess, race: str) -> AnyReplayed | None:
    lines = access.queries.record(race)
    try:
        return replay_events(lines) if lines else None
    except RecordError:
        return None


def steps_of(race: AnyReplayed, say: Words) -> dict[str, object]:
    """The race as steps: each has what is new of cars and board, and its sentences.

    A step that is jumped to is all the steps before it laid over one another.
    """
    game, names = fetch(race.game), game_of(race.game).names(race)
    seats = tuple(SeatInfo(seat, name) for seat, name in names.items())
    scene = Scene(0, seats, header=race.header, track=race.track)
    quiet = views_of(scene).story.quiet
    steps = []
    before: Line = {}
    for move in race.moves:
        state = game.tell(move.state)
        events = (event for event in game.public(move.events) if event["event"] not in quiet)
        sentences = [tell(event, scene, say) for event in events]
        told = [{"text": one.text, "rule": one.rule, "seat": one.seat} for one in sentences]
        steps.append({"at": move.at, **_changes(before, state), "told": told})
        before = state
    return {"laps": before.get("laps"), "steps": steps}


def _changes(before: Line, state: Line) -> dict[str, object]:
    """What is new in a STATE: of the cars those that have changed."""
    was, cars = _shown(before), _shown(state)
    changed = {seat: car for seat, car in cars.items() if was.get(seat) != car}
    about = {key: state[key] for key in ABOUT if key in state}
    fresh = {key: value for key, value in about.items() if before.get(key) != value}
    return {"cars": changed, **fresh}


def _shown(state: Line) -> dict[str, dict[str, object]]:
    """What is shown of the cars of a STATE."""
    cars = state.get("cars")
    named = cars.items() if isinstance(cars, dict) else ()
    return {seat: {key: car[key] for key in SHOWN if key in car} for seat, car in named}
