"""The tables of a club that are running, for a hall with a television."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any

from flask import Blueprint, Response, json, request

from companion.league.ports import LiveTable, LiveTables
from companion_web.pages import reply_page
from companion_web.league.words import league_words

JSON = Mapping[str, Any]

FRESH_S = 1.0
"""For so long all viewers get the same answer, worked out once."""
SENTENCES = 2
MOST_CARS = 10
STALE_S = 45.0
"""A table speaks every half minute at least; one that is late by half of that is marked."""
TELL_SILENCE_S = 10
"""Silence is told in steps, so that the answer does not change with every second."""
_DIGITS = re.compile(r"(\d+)")


def blueprint(live: LiveTables, clock: Callable[[], float] = time.monotonic) -> Blueprint:
    """`/hall` and what it asks every few seconds."""
    hall = Blueprint("league_hall", __name__)
    told = _Kept(live, clock)

    @hall.get("/hall")
    def show_hall() -> Response:
        return reply_page("hall.html", league_words)

    @hall.get("/api/league/live")
    def tell_hall() -> Response:
        response = Response(told.body(), mimetype="application/json")
        response.set_etag(told.tag)
        response.headers["Cache-Control"] = "no-cache"
        response.make_conditional(request)
        return response

    return hall


def card_of(table: LiveTable) -> dict[str, Any]:
    """What the hall shows of a table, out of what its `/api/table` says."""
    state: JSON = table.state.get("state") or {}
    story = list(table.state.get("story") or ())[-SENTENCES:]
    return {
        "table": table.table,
        "silent": _silence(table.age_s),
        "title": table.state.get("title"),
        "phase": state.get("phase", "lobby"),
        "paused": bool(table.state.get("paused")),
        "turn": state.get("turn"),
        "lap": _lap(state),
        "laps": state.get("laps"),
        "cars": _cars(table.state)[:MOST_CARS],
        "story": [{key: one.get(key) for key in ("en", "fr", "seat")} for one in story],
    }


def _silence(age_s: float) -> int | None:
    """Seconds for which a table has been silent; None while that is nothing to speak of."""
    return int(age_s) // TELL_SILENCE_S * TELL_SILENCE_S if age_s >= STALE_S else None


def _lap(state: JSON) -> int | None:
    laps = [car.get("lap", 0) for car in _values(state.get("cars")) if "lap" in car]
    return max(1, *laps) if laps else None


def _cars(told: JSON) -> list[dict[str, Any]]:
    """The cars as they lie on the road: home, running, out; of Downforce the players."""
    state: JSON = told.get("state") or {}
    people = {one.get("seat"): one for one in told.get("seats") or ()}
    if "players" in state:
        return [
            {"seat": int(seat), "name": one.get("name")} for seat, one in state["players"].items()
        ]
    cars = {car.get("seat"): car for car in _values(state.get("cars"))}
    placed = [row.get("seat") for row in state.get("classification") or ()]
    running = list(told.get("running") or ())
    home = [seat for seat in placed if cars.get(seat, {}).get("status") == "finished"]
    order = [*home, *running, *placed, *cars]
    return [
        {
            "seat": seat,
            "name": cars[seat].get("name") or people.get(seat, {}).get("name"),
            "status": cars[seat].get("status"),
        }
        for seat in dict.fromkeys(order)
        if seat in cars
    ]


def _values(cars: Any) -> list[JSON]:
    """The cars of a state; nothing where a table says something else."""
    return [car for car in cars.values() if isinstance(car, dict)] if isinstance(cars, dict) else []


def _as_counted(name: str) -> list[tuple[int, str]]:
    """Table 10 comes after Table 9."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _DIGITS.split(name)]


class _Kept:
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
