"""Who may post: judged from the head of a request, before its body is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from flask import Request

from companion.table.ports import AccessPort, Caller
from companion_web.limits import Bucket, Window
from companion_web.problems import Problem

POSTS_A_SECOND: Final = 500
TABLE: Final = 0  # what a game asks the whole table, anybody with a seat answers
# A PIN of six digits stands up to five guesses a second for a day; the depth forgives a
# table of phones that all still hold yesterday's link.
WRONG_KEYS_AT_ONCE: Final = 1000
WRONG_KEYS_A_SECOND: Final = 5


@dataclass(frozen=True)
class Guard:
    """The door of the API: how often, from where, by whom."""

    access: AccessPort
    posts: Window = field(default_factory=lambda: Window(POSTS_A_SECOND))
    wrong_keys: Bucket = field(
        default_factory=lambda: Bucket(WRONG_KEYS_AT_ONCE, WRONG_KEYS_A_SECOND)
    )

    def admit_post(self, request: Request) -> None:
        """Let a post in, as far as that does not depend on who sends it.

        Raises:
            Problem: 429 for too many in a second, 403 for a foreign Origin.
        """
        if not self.posts.admits(_address(request)):
            raise _too_many()
        if _is_foreign(request):
            raise Problem(
                HTTPStatus.FORBIDDEN, "foreign-origin", "posts come from the table's own pages"
            )

    def known(self, request: Request) -> Caller | None:
        """Whom the request's token or PIN belongs to; None: nobody's, or none given."""
        bearer = _bearer(request)
        return self.access.who(bearer) if bearer else None

    def caller(self, request: Request) -> Caller:
        """As `known`, for a request that needs a key.

        Raises:
            Problem: 401 without a valid key, 429 while an address guesses keys.
        """
        if self.wrong_keys.is_empty(_address(request)):
            raise _too_many()
        caller = self.known(request)
        if caller is None:
            self.wrong_keys.take(_address(request))
            raise Problem(
                HTTPStatus.UNAUTHORIZED, "no-key", "this needs a seat's token or the referee's PIN"
            )
        return caller

    def caller_for_seat(self, request: Request, seat: int) -> Caller:
        """Whoever may act for this seat: its own token, the host's, the PIN; for the table (0)
        any seat.

        Raises:
            Problem: as `caller`; 403 with another seat's token.
        """
        caller = self.caller(request)
        if not (caller.referee or caller.host or seat in (TABLE, caller.seat)):
            raise _not_this_seats(seat)
        return caller

    def holder_of_seat(self, request: Request, seat: int) -> Caller:
        """Whoever may have this seat's key, and with it all that it knows: itself, the PIN.

        The host answers for every seat, but plays too and must not read the others' secrets.

        Raises:
            Problem: as `caller`; 403 with another seat's token.
        """
        caller = self.caller(request)
        if not (caller.referee or caller.seat == seat):
            raise _not_this_seats(seat)
        return caller

    def joiner(self, request: Request) -> None:
        """Whoever has the key of the table's one code, or any other key.

        Raises:
            Problem: as `caller`.
        """
        if not self.access.admits(_bearer(request)):
            self.caller(request)

    def referee(self, request: Request) -> Caller:
        """The referee.

        Raises:
            Problem: as `caller`; 403 with a seat's token.
        """
        caller = self.caller(request)
        if not caller.referee:
            raise Problem(HTTPStatus.FORBIDDEN, "not-referee", "this needs the referee's PIN")
        return caller


def _bearer(request: Request) -> str:
    scheme, _, key = request.headers.get("Authorization", "").partition(" ")
    return key.strip() if scheme.lower() == "bearer" else ""


def _address(request: Request) -> str:
    return request.remote_addr or ""


def _is_foreign(request: Request) -> bool:
    origin = request.headers.get("Origin")
    if origin is None:
        return False
    site = _site(origin)
    return site is None or site != _site(f"{request.scheme}://{request.host}")


def _site(url: str) -> tuple[str | None, int] | None:
    """Host and port of an origin; None for one that is no site (`null`)."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    return parts.hostname, port or (443 if parts.scheme == "https" else 80)


def _not_this_seats(seat: int) -> Problem:
    return Problem(
        HTTPStatus.FORBIDDEN, "other-seat", f"this token is not that of seat {seat}", seat=seat
    )


def _too_many() -> Problem:
    return Problem(HTTPStatus.TOO_MANY_REQUESTS, "too-many", "too many requests; wait a second")
