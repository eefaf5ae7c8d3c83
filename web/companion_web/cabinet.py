"""The cabinet: a page that draws the simulated seats of a table, pressed with the mouse.

It shows what only its seat may see, and presses for all: it is for the machine that it runs on,
and for who has the referee's PIN. An app of its own, put before the table's (annex.py). What it is
told stands in the address: the door waits for a body only where a key is given.
"""

from __future__ import annotations

import ipaddress
from base64 import b64encode
from collections.abc import Sequence
from http import HTTPStatus
from typing import Protocol

from flask import Blueprint, Flask, Response, jsonify, request

from companion_web.app import behind
from companion_web.guard import Guard
from companion_web.pages import reply_page
from companion_web.problems import Problem, malformed

LONGEST_NUMBER = 4


class Stand(Protocol):
    """A simulated seat; see companion/seats/simulated/cabinet.py."""

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
    return behind(guard, blueprint(cabinet, guard))


def blueprint(cabinet: CabinetPort, guard: Guard) -> Blueprint:
    """The page, what it reads and what it sends."""
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

    return pages


def _owner(guard: Guard) -> None:
    """Somebody at this machine, or the referee.

    Raises:
        Problem: neither.
    """
    try:
        is_here = ipaddress.ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        is_here = False
    if not is_here:
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
    if not (text.isascii() and text.isdecimal() and len(text) < LONGEST_NUMBER):
        raise malformed("bad-request", f"{name}={text!r} is no number")
    return int(text)


def _done(there: bool, what: str) -> Response:
    if not there:
        raise Problem(HTTPStatus.NOT_FOUND, "unknown", f"there is no such seat or {what}")
    return jsonify({"ok": True})
