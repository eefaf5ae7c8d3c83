"""The live test of the seats, as a page: behind the referee's PIN, while no race is running.

An app of its own, put before the table's (annex.py). What the test is, is told by
companion/seats/live.py.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Final, Protocol

from flask import Blueprint, Flask, Response, request

from companion_web.app import behind
from companion_web.bodies import read_object
from companion_web.guard import Guard
from companion_web.pages import reply_page
from companion_web.problems import Problem, malformed, reply_json
from companion_web.words import groups

DOES: Final = ("start", "stop", "skip", "lamp", "buzzer")


class Tried(Protocol):
    """A seat under test; see companion/seats/live.py."""

    @property
    def seat(self) -> int: ...
    @property
    def glass(self) -> bytes: ...
    @property
    def lit(self) -> Sequence[int]: ...
    @property
    def down(self) -> Sequence[int]: ...
    @property
    def wrong(self) -> Sequence[int]: ...
    @property
    def bounces(self) -> Mapping[int, int]: ...
    @property
    def errors(self) -> Mapping[str, int]: ...
    @property
    def troubles(self) -> Mapping[str, int]: ...
    @property
    def has_lamp(self) -> bool: ...


class Found(Protocol):
    """A finding of the doctor."""

    def as_json(self) -> dict[str, object]: ...


class LivePort(Protocol):
    """What the page needs of the test."""

    @property
    def asked(self) -> tuple[int, int] | None:
        """The seat and the button that are waited for."""

    @property
    def is_on(self) -> bool:
        """Whether the seats are under test."""

    def tried(self) -> Sequence[Tried]:
        """The seats under test, or as they were at its end."""

    def found(self) -> Sequence[Found] | None:
        """What was found; None: nothing yet."""

    def do(self, what: str, seat: int) -> str:
        """One of `DOES`, of a seat where it is about one; the key of why not, or ""."""


def create_live(live: LivePort, guard: Guard) -> Flask:
    """The app that answers `/live` and `/api/live`."""
    return behind(guard, blueprint(live, guard))


def blueprint(live: LivePort, guard: Guard) -> Blueprint:
    """The page, what it reads and what it sends."""
    pages = Blueprint("live", __name__)

    @pages.get("/live")
    def show_live() -> Response:
        return reply_page("live.html")

    @pages.get("/api/live")
    def tell() -> Response:
        guard.referee(request)
        return reply_json(_told(live))

    @pages.post("/api/live")
    def do() -> Response:
        guard.referee(request)
        what, seat = _wish()
        if why := live.do(what, seat):
            raise Problem(HTTPStatus.CONFLICT, why, groups()["live"][why])
        return reply_json({"ok": True})

    return pages


def _wish() -> tuple[str, int]:
    """What a post wants: `{"do": "lamp", "seat": 2}`.

    Raises:
        Problem: it is nothing that we do.
    """
    body = read_object(request)
    what, seat = body.get("do"), body.get("seat", 0)
    if not isinstance(what, str) or what not in DOES:
        raise malformed("bad-request", f"do is one of {', '.join(DOES)}")
    if not isinstance(seat, int) or isinstance(seat, bool):
        raise malformed("bad-request", f"seat={seat!r:.20} is no number")
    return what, seat


def _told(live: LivePort) -> dict[str, object]:
    asked, found = live.asked, live.found()
    return {
        "on": live.is_on,
        "asked": {"seat": asked[0], "button": asked[1]} if asked else None,
        "seats": [_told_seat(one) for one in live.tried()],
        "found": None if found is None else [one.as_json() for one in found],
    }


def _told_seat(one: Tried) -> dict[str, object]:
    return {
        "seat": one.seat,
        "glass": b64encode(one.glass).decode(),
        "lit": list(one.lit),
        "down": list(one.down),
        "wrong": list(one.wrong),
        "bounces": {str(button): ms for button, ms in one.bounces.items()},
        "errors": dict(one.errors),
        "troubles": dict(one.troubles),
        "lamp": one.has_lamp,
    }
