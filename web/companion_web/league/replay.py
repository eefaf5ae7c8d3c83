"""A race again, answer by answer: what changed on the board, and the sentences to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from flask import Blueprint, Response, abort, json

from companion.league.replayed import Move, Replayed, replay_events
from companion.record import RecordError
from companion.rules.board.track import Track
from companion.views.games import views_of
from companion.views.model import Scene, SeatInfo
from companion.views.page.story import tell
from companion.views.words import LANGUAGES, Words, words
from companion_web.boards import Boards
from companion_web.league.access import LeagueAccess

JSON = Mapping[str, Any]

KEPT = 8
"""Replays and drawings."""
SHOWN = ("seat", "name", "space", "gear", "lap", "status", "wear", "tires", "stops", "place")
"""What a step tells of a car, and only of those in which something of it has changed."""
ABOUT = ("phase", "round", "turn", "weather", "raining", "debris")


def blueprint(access: LeagueAccess, boards: Boards) -> Blueprint:
    """`/api/league/races/ID/replay.LANGUAGE` and the drawing of the board it was run on."""
    replay = Blueprint("league_replay", __name__)

    @lru_cache(maxsize=KEPT)
    def told(race: str, lines: int, language: str) -> str | None:
        played = _replayed(access, race)
        return None if played is None else json.dumps(steps_of(played, words(language)))

    @replay.get("/api/league/races/<race>/replay.<language>")
    def tell_steps(race: str, language: str) -> Response:
        record = access.queries.record(race)
        if record is None or language not in LANGUAGES:
            abort(404)
        body = told(race, len(record), language) or abort(404)
        return Response(body, mimetype="application/json")

    @replay.get("/league/races/<race>/circuit.svg")
    def draw_circuit(race: str) -> Response:
        played = _replayed(access, race)
        if played is None or played.track is None:
            abort(404)
        return Response(boards.drawing_of(played.track), mimetype="image/svg+xml")

    return replay


def _replayed(access: LeagueAccess, race: str) -> Replayed | None:
    lines = access.queries.record(race)
    try:
        return replay_events(lines) if lines else None
    except RecordError:
        return None


def steps_of(race: Replayed, say: Words) -> dict[str, Any]:
    """The race as steps: each has what is new of cars and board, and its sentences.

    A step that is jumped to is all the steps before it laid over one another.
    """
    people: JSON = race.state.get("players") or race.state.get("cars") or {}
    seats = tuple(SeatInfo(int(seat), one["name"]) for seat, one in people.items())
    steps = []
    before: JSON = {}
    for move in race.moves:
        steps.append(_step(move, before, _told(move, seats, race.track, race.header, say)))
        before = move.state
    return {"laps": race.state.get("laps"), "steps": steps}


def _step(move: Move, before: JSON, told: Sequence[JSON]) -> dict[str, Any]:
    was, cars = before.get("cars", {}), move.state.get("cars", {})
    changed = {
        seat: {key: car[key] for key in SHOWN if key in car}
        for seat, car in cars.items()
        if _differs(was.get(seat), car)
    }
    about = {key: move.state[key] for key in ABOUT if key in move.state}
    fresh = {key: value for key, value in about.items() if before.get(key) != value}
    return {"at": move.at, "cars": changed, **fresh, "told": told}


def _differs(was: JSON | None, car: JSON) -> bool:
    return was is None or any(was.get(key) != car.get(key) for key in SHOWN)


def _told(
    move: Move, seats: tuple[SeatInfo, ...], track: Track | None, header: JSON, say: Words
) -> list[JSON]:
    scene = Scene(0, seats, header=header, track=track, state=move.state)
    quiet = views_of(scene).story.quiet
    sentences = [tell(event, scene, say) for event in move.events if event["event"] not in quiet]
    return [{"text": one.text, "rule": one.rule, "seat": one.seat} for one in sentences]
