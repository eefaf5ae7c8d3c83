"""Two pages of seats without a race: simulated ones for the mouse, real ones under test.

Both are apps of their own, put before the table's (`app.Annex`). The cabinet shows what only a
seat may see, and presses for all: it is for the machine that it runs on, and for whoever has the
referee's PIN. The live test is behind that PIN, and there is none while a race is running.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Final, Protocol

from flask import Blueprint, Flask, Response, jsonify, request

from companion_web.api import read_object, reply_json
from companion_web.guard import Guard, Problem, is_here, malformed
from companion_web.pages import behind, groups, reply_page

LONGEST_NUMBER = 4


class Stand(Protocol):
    """A simulated seat; see `Stand` of companion/seats/hub.py."""

    @property
    def seat(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def glass(self) -> bytes: ...
    @property
    def lamp(self) -> bool | None: ...
    @property
    def down(self) -> Sequence[int]: ...
    @property
    def faults(self) -> Sequence[str]: ...


class CabinetPort(Protocol):
    """What the page needs of the simulated seats."""

    def stands(self) -> Sequence[Stand]:
        """Every seat."""

    def press(self, seat: int, button: int, down: bool) -> bool:
        """Move a finger; False: there is no such button."""

    def spoil(self, seat: int, fault: str, on: bool) -> bool:
        """Put a fault in, or take it out; False: there is none of this name."""


def create_cabinet(cabinet: CabinetPort, guard: Guard) -> Flask:
    """The app that answers `/cabinet` and `/api/cabinet`."""
    pages = Blueprint("cabinet", __name__)

    @pages.get("/cabinet")
    def show_cabinet() -> Response:
        return reply_page("cabinet.html")

    @pages.get("/api/cabinet")
    def tell() -> Response:
        _owner(guard)
        return jsonify({"seats": [_told(stand) for stand in cabinet.stands()]})

    @pages.post("/api/cabinet/press")
    def press() -> Response:
        _owner(guard)
        down = _number("down") == 1
        return _done(cabinet.press(_number("seat"), _number("button"), down), "button")

    @pages.post("/api/cabinet/fault")
    def spoil() -> Response:
        _owner(guard)
        fault, on = request.args.get("fault", ""), _number("on") == 1
        return _done(cabinet.spoil(_number("seat"), fault, on), "fault")

    return behind(guard, pages)


def _owner(guard: Guard) -> None:
    """Somebody at this machine, or the referee.

    Raises:
        Problem: neither.
    """
    if not is_here(request.environ):
        guard.referee(request)


def _told(stand: Stand) -> dict[str, object]:
    return {
        "seat": stand.seat,
        "kind": stand.kind,
        "glass": b64encode(stand.glass).decode(),
        "lamp": stand.lamp,
        "down": list(stand.down),
        "faults": list(stand.faults),
    }


def _number(name: str) -> int:
    """A number of the address.

    Raises:
        Problem: it is none.
    """
    text = request.args.get(name, "")
    # Digits of other scripts are decimals too.
    if not (text.isascii() and text.isdecimal() and len(text) < LONGEST_NUMBER):
        raise malformed("bad-request", f"{name}={text!r} is no number")
    return int(text)


def _done(there: bool, what: str) -> Response:
    if not there:
        raise Problem(HTTPStatus.NOT_FOUND, "unknown", f"there is no such seat or {what}")
    return jsonify({"ok": True})


# -- the live test of the seats -------------------------------------------------------------------


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
    pages = Blueprint("live", __name__)

    @pages.get("/live")
    def show_live() -> Response:
        return reply_page("live.html")

    @pages.get("/api/live")
    def tell() -> Response:
        guard.referee(request)
        return reply_json(_live_told(live))

    @pages.post("/api/live")
    def do() -> Response:
        guard.referee(request)
        what, seat = _wish()
        if why := live.do(what, seat):
            raise Problem(HTTPStatus.CONFLICT, why, groups()["live"][why])
        return reply_json({"ok": True})

    return behind(guard, pages)


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


def _live_told(live: LivePort) -> dict[str, object]:
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
