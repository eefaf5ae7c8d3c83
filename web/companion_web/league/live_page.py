"""The tables of a club that are running, on one page for a television."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Iterable
from threading import Lock

from flask import Blueprint, Response, json, request

from companion.league.plain import Line
from companion.league.ports import LiveTable, LiveTables
from companion_web.league.words import league_words
from companion_web.pages import reply_page

FRESH_S = 1.0
"""For so long all viewers get the same answer, worked out once."""
SENTENCES = 2
MOST_CARS = 10
STALE_S = 45.0
"""A table speaks every half minute at least; one that is late by half of that is marked."""
SILENCE_STEP_S = 10
"""Silence is shown in steps, so that the answer does not change with every second."""
_DIGITS = re.compile(r"(\d+)")


def blueprint(live: LiveTables, clock: Callable[[], float] = time.monotonic) -> Blueprint:
    """`/hall` and what it asks every few seconds."""
    page = Blueprint("league_live", __name__)
    reply = _Reply(live, clock)

    @page.get("/hall")
    def show_live() -> Response:
        return reply_page("hall.html", league_words)

    @page.get("/api/league/live")
    def send_live() -> Response:
        response = Response(reply.body(), mimetype="application/json")
        response.set_etag(reply.tag)
        response.headers["Cache-Control"] = "no-cache"
        response.make_conditional(request)
        return response

    return page


def card_of(table: LiveTable) -> dict[str, object]:
    """What the page shows of a table, out of what its `/api/table` says."""
    report = table.state
    state = _object(report.get("state"))
    story = _objects(report.get("story"))[-SENTENCES:]
    return {
        "table": table.table,
        "silent": _silence(table.age_s),
        "title": report.get("title"),
        "phase": state.get("phase", "lobby"),
        "paused": bool(report.get("paused")),
        "turn": state.get("turn"),
        "lap": _lap(state),
        "laps": state.get("laps"),
        "cars": _cars(report, state)[:MOST_CARS],
        "story": [{key: one.get(key) for key in ("en", "fr", "seat")} for one in story],
    }


def _silence(age_s: float) -> int | None:
    """Seconds for which a table has been silent; None while that is nothing to speak of."""
    return int(age_s) // SILENCE_STEP_S * SILENCE_STEP_S if age_s >= STALE_S else None


def _lap(state: Line) -> int | None:
    laps = [car["lap"] for car in _objects(state.get("cars")) if "lap" in car]
    return max(1, *(lap for lap in laps if isinstance(lap, int))) if laps else None


def _cars(report: Line, state: Line) -> list[Line]:
    """The cars as they lie on the road: home, running, out; of a game of players the players."""
    if "players" in state:
        players = _object(state["players"])
        return [{"seat": int(seat), "name": _object(players[seat]).get("name")} for seat in players]
    people = {one.get("seat"): one for one in _objects(report.get("seats"))}
    cars = {car.get("seat"): car for car in _objects(state.get("cars"))}
    placed = [row.get("seat") for row in _objects(state.get("classification"))]
    running = report.get("running")
    home = [seat for seat in placed if cars.get(seat, {}).get("status") == "finished"]
    order = [*home, *(running if isinstance(running, list) else ()), *placed, *cars]
    return [
        {
            "seat": seat,
            "name": cars[seat].get("name") or people.get(seat, {}).get("name"),
            "status": cars[seat].get("status"),
        }
        for seat in dict.fromkeys(order)
        if seat in cars
    ]


def _object(value: object) -> Line:
    """An object of a report; an empty one where a table says something else."""
    return value if isinstance(value, dict) else {}


def _objects(value: object) -> list[Line]:
    """The objects in a list, or in an object; none where a table says something else."""
    some = value.values() if isinstance(value, dict) else value
    return [one for one in some if isinstance(one, dict)] if isinstance(some, Iterable) else []


def _as_counted(name: str) -> list[tuple[int, str]]:
    """Table 10 comes after Table 9."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _DIGITS.split(name)]


class _Reply:
    """The latest answer, made anew when it is no longer fresh."""

    def __init__(self, live: LiveTables, clock: Callable[[], float]) -> None:
        self._live = live
        self._clock = clock
        self._lock = Lock()
        self._until = float("-inf")
        self._body = b""
        self.tag = ""

    def body(self) -> bytes:
        """The tables as JSON."""
        with self._lock:
            if self._clock() >= self._until:
                tables = sorted(self._live.tables(), key=lambda table: _as_counted(table.table))
                cards = [card_of(table) for table in tables]
                self._body = json.dumps({"tables": cards}).encode()
                self.tag = hashlib.sha256(self._body).hexdigest()[:16]
                self._until = self._clock() + FRESH_S
            return self._body
