"""The tables of a club that are running, on one page for a television."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable
from threading import Lock

from flask import Blueprint, Response, json, request

from companion.league.ports import LiveTables
from companion_web.league.card import card_of
from companion_web.league.words import league_words
from companion_web.pages import reply_page

FRESH_S = 1.0
"""For so long all viewers get the same answer, worked out once."""
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
