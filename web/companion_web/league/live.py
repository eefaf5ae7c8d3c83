"""The tables of a club that are running, on one page for a television.

The page is told by a stream when a table has reported, to whichever process of whichever host:
one thread a process waits for the news, works the cards out once, and all viewers get the same
bytes.

What the hall shows of a table, out of what its `/api/table` says.

A report comes from another computer, maybe of another version: every value is looked at before
it is shown. What is missing or null is left out; what is of another kind is left out too and
named, so that the door refuses such a report (`odd_in`) and the hall never meets one.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import Any

from flask import Blueprint, Response, json, request

from companion.league.errors import LeagueError
from companion.league.plain import Line, LiveTable
from companion.league.receiving import LiveFiles
from companion.system.host import Closing
from companion.table.ports import Snapshot
from companion.views.words import LANGUAGES
from companion_web.pages import reply_page

# -- live page ------------------------------------------------------------------------------------


STREAM = "/api/league/live/stream"
GATHERED_S = 0.2
"""For so long news are gathered before they are told: fifty tables report many times a second."""
LOOKED_S = 5.0
"""So often it is looked whether a table has fallen silent, which nobody tells."""
FRESH_S = 1.0
"""For so long all viewers get the same answer, worked out once."""
_DIGITS = re.compile(r"(\d+)")


def blueprint(live: LiveFiles, clock: Callable[[], float] = time.monotonic) -> Blueprint:
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


def _cards(live: LiveFiles) -> bytes:
    """The tables as JSON."""
    tables = sorted(live.tables(), key=lambda table: _as_counted(table.table))
    return json.dumps({"tables": [card_of(table) for table in tables]}).encode()


class LiveNews(Closing):
    """What the streams of a door tell: the cards, as they were worked out last.

    It begins to work when somebody watches.
    """

    def __init__(self, live: LiveFiles) -> None:
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
        self._news.set()  # a report between the first look and now was told to nobody
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

    def __init__(self, live: LiveFiles, clock: Callable[[], float]) -> None:
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


# -- card -----------------------------------------------------------------------------------------


SENTENCES = 2
MOST_CARS = 10
STALE_S = 45.0
"""A table speaks every half minute at least; one that is late by half of that is marked."""
SILENCE_STEP_S = 10
"""Silence is shown in steps, so that the answer does not change with every second."""


def card_of(table: LiveTable) -> dict[str, object]:
    """What the page shows of a table."""
    told = _Reading().card(table.state)
    return {"table": table.table, "silent": _silence(table.age_s), **told}


def odd_in(report: Line) -> list[str]:
    """What of a report cannot be shown, each a sentence; empty for one that can."""
    reading = _Reading()
    reading.card(report)
    return reading.odd


def _silence(age_s: float) -> int | None:
    """Seconds for which a table has been silent; None while that is nothing to speak of."""
    return int(age_s) // SILENCE_STEP_S * SILENCE_STEP_S if age_s >= STALE_S else None


class _Reading:
    """A report as it is read; `odd` is what is of another kind than it should be."""

    def __init__(self) -> None:
        self.odd: list[str] = []

    def card(self, report: Line) -> dict[str, object]:
        """All of a card but whose it is."""
        state = self._object(report.get("state"), "state")
        story = self._objects(report.get("story"), "story")[-SENTENCES:]
        return {
            "title": self._text(report.get("title"), "title"),
            "phase": self._text(state.get("phase"), "phase") or "lobby",
            "paused": bool(report.get("paused")),
            "turn": self._whole(state.get("turn"), "turn"),
            "lap": self._lap(state),
            "laps": self._whole(state.get("laps"), "laps"),
            "cars": self._cars(report, state)[:MOST_CARS],
            "story": [self._sentence(one) for one in story],
        }

    def _sentence(self, one: Line) -> Line:
        told: dict[str, object] = {tag: self._text(one.get(tag), tag) for tag in LANGUAGES}
        return {**told, "seat": self._whole(one.get("seat"), "seat")}

    def _lap(self, state: Line) -> int | None:
        cars = self._objects(state.get("cars"), "cars")
        laps = [self._whole(car.get("lap"), "lap") for car in cars]
        known = [lap for lap in laps if lap is not None]
        return max(1, *known) if known else None

    def _cars(self, report: Line, state: Line) -> list[Line]:
        """The cars as they lie on the road: home, running, out; of a game of players these."""
        if "players" in state:
            return self._players(self._object(state["players"], "players"))
        people = self._by_seat(report.get("seats"), "seats")
        cars = self._by_seat(state.get("cars"), "cars")
        placed = list(self._by_seat(state.get("classification"), "classification"))
        running = self._seats(report.get("running"))
        home = [seat for seat in placed if cars.get(seat, {}).get("status") == "finished"]
        order = dict.fromkeys([*home, *running, *placed, *cars])
        return [self._car(seat, cars[seat], people.get(seat, {})) for seat in order if seat in cars]

    def _car(self, seat: int, car: Line, person: Line) -> Line:
        name = self._text(car.get("name"), "name") or self._text(person.get("name"), "name")
        return {"seat": seat, "name": name, "status": self._text(car.get("status"), "status")}

    def _players(self, players: Line) -> list[Line]:
        told: list[Line] = []
        for seat, player in players.items():
            if not (seat.isascii() and seat.isdecimal() and len(seat) < 4):
                self._wrong("players", "by the numbers of their seats", seat)
                continue
            name = self._text(self._object(player, "a player").get("name"), "name")
            told.append({"seat": int(seat), "name": name})
        return told

    def _by_seat(self, value: object, what: str) -> dict[int, Line]:
        found = {}
        for one in self._objects(value, what):
            seat = self._whole(one.get("seat"), "seat")
            if seat is not None:
                found[seat] = one
        return found

    def _seats(self, value: object) -> list[int]:
        told = self._of(value, list, "running", "a list of seats") or []
        seats = [self._whole(one, "running") for one in told]
        return [seat for seat in seats if seat is not None]

    def _object(self, value: object, what: str) -> Line:
        return self._of(value, dict, what, "an object") or {}

    def _objects(self, value: object, what: str) -> list[Line]:
        """The objects in a list, or in an object by any names."""
        told: Any = self._of(value, dict | list, what, "a list of objects") or ()
        inside = told.values() if isinstance(told, dict) else told
        return [self._object(one, f"one of {what}") for one in inside]

    def _text(self, value: object, what: str) -> str | None:
        told: str | None = self._of(value, str, what, "a text")
        return told

    def _whole(self, value: object, what: str) -> int | None:
        told: int | None = self._of(value, int, what, "a whole number")
        return told

    def _of(self, value: Any, kind: Any, what: str, wanted: str) -> Any:
        """A value of this kind; None where there is none, or another one, which is noted."""
        if value is None or (isinstance(value, kind) and not isinstance(value, bool)):
            return value
        self._wrong(what, wanted, value)
        return None

    def _wrong(self, what: str, wanted: str, value: object) -> None:
        self.odd.append(f"{what} is {wanted}, not {value!r:.40}")
