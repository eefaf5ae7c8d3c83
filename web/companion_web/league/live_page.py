"""The tables of a club that are running, on one page for a television.

The page is told by a stream when a table has reported, to whichever process of whichever host:
one thread a process waits for the news, works the cards out once, and all viewers get the same
bytes.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Lock, Thread

from flask import Blueprint, Response, json, request

from companion.closing import Closing
from companion.league.errors import LeagueError
from companion.league.ports import LiveTables
from companion.table.ports import Snapshot
from companion_web.league.card import card_of
from companion_web.pages import reply_page

STREAM = "/api/league/live/stream"
GATHERED_S = 0.2
"""For so long news are gathered before they are told: fifty tables report many times a second."""
LOOKED_S = 5.0
"""So often it is looked whether a table has fallen silent, which nobody tells."""
FRESH_S = 1.0
"""For so long all viewers get the same answer, worked out once."""
_DIGITS = re.compile(r"(\d+)")


def blueprint(live: LiveTables, clock: Callable[[], float] = time.monotonic) -> Blueprint:
    """`/hall` and what it asks every few seconds."""
    page = Blueprint("league_live", __name__)
    reply = _Reply(live, clock)

    @page.get("/hall")
    def show_live() -> Response:
        return reply_page("hall.html")

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


def _cards(live: LiveTables) -> bytes:
    """The tables as JSON."""
    tables = sorted(live.tables(), key=lambda table: _as_counted(table.table))
    return json.dumps({"tables": [card_of(table) for table in tables]}).encode()


class LiveNews(Closing):
    """What the streams of a door tell: the cards, as they were worked out last.

    It begins to work when somebody watches.
    """

    def __init__(self, live: LiveTables) -> None:
        self._live = live
        self._latest = _snapshot(0, b'{"tables": []}')
        self._watching: list[Callable[[Snapshot], None]] = []
        self._lock = Lock()
        self._news, self._closing = Event(), Event()
        self._thread: Thread | None = None

    def snapshot(self) -> Snapshot:
        """The cards, as they were worked out last."""
        return self._latest

    def watch(self, tell: Callable[[Snapshot], None]) -> Callable[[], None]:
        """Have it told of every change; what ends it."""
        with self._lock:
            self._watching.append(tell)
            if self._thread is None:
                self._look()
                self._thread = Thread(target=self._serve, name="live tables", daemon=True)
                self._thread.start()
        return lambda: self._watching.remove(tell)

    def close(self) -> None:
        """Look no more. May be called twice."""
        self._closing.set()
        self._news.set()
        if self._thread is not None:
            self._thread.join()

    def _serve(self) -> None:
        end = self._live.watch(self._news.set)
        while not self._closing.is_set():
            self._news.wait(LOOKED_S)
            if self._closing.wait(GATHERED_S):
                break
            self._news.clear()
            self._look()
        end()

    def _look(self) -> None:
        with suppress(LeagueError):  # the database is away: what was known stays
            body = _cards(self._live)
            if body != self._latest.body:
                self._latest = _snapshot(self._latest.version + 1, body)
                for tell in list(self._watching):
                    tell(self._latest)


def _snapshot(version: int, body: bytes) -> Snapshot:
    return Snapshot(version=version, make_body=lambda: body)


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
                self._body = _cards(self._live)
                self.tag = hashlib.sha256(self._body).hexdigest()[:16]
                self._until = self._clock() + FRESH_S
            return self._body
