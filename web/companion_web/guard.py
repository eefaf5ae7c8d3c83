"""Who may ask and post: judged from the head of a request, before its body is read.

A seat's token has 128 bits and cannot be guessed: it is compared before any brake, so nobody
can lock a seat out. A PIN has eight digits: over all addresses together only so many wrong ones
a second are compared, and beyond that none is. Whoever has once given it is not braked by what
others guess: its browser keeps a mark that cannot be guessed either, and its address has a
bucket of its own.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import field
from hashlib import blake2b
from hmac import compare_digest
from http import HTTPStatus
from threading import Lock
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from flask import Request, Response
from werkzeug.sansio.http import parse_cookie

from companion.frozen import dataclass
from companion.table.ports import AccessPort, Caller
from companion_web.complaints import Complaint
from companion_web.hosts import Hosts
from companion_web.limits import Bucket, Window
from companion_web.problems import Problem

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

POSTS_A_SECOND: Final = 500
TABLE: Final = 0  # what a game asks the whole table, anybody with a seat answers
# Half of all PINs of eight digits take two months at this rate; the depth forgives a table of
# phones that all still hold yesterday's.
WRONG_PINS_AT_ONCE: Final = 100
WRONG_PINS_A_SECOND: Final = 10
WRONG_AT_ONCE_WHERE_KNOWN: Final = 2000
MOST_KNOWN: Final = 16
LONGEST_PIN: Final = 16  # what is longer is a token that has gone out of use
MARK: Final = "has-given-the-pin"
ADMITTED, JUDGED = "companion.admitted", "companion.judged"


class PinBrake:
    """How many wrong PINs are compared.

    Several processes with the same PIN share the count: each wrong one is counted for all before
    this process compares another (`share`, `shared`).
    """

    def __init__(self) -> None:
        self._secret = secrets.token_bytes(16)
        self.mark = self._mark_for("")
        """What the browser of somebody who has given the PIN sends along."""
        self._all = Bucket(WRONG_PINS_AT_ONCE, WRONG_PINS_A_SECOND)
        self._known: OrderedDict[str, Bucket] = OrderedDict()
        self._complaint = Complaint()
        self.tell: Callable[[], object] = lambda: None
        """Called once a minute at most while somebody guesses."""
        self.share: Callable[[], bool] = lambda: False
        """Counts a wrong PIN in all processes with the same one, this one too, and calls `shared`
        then; False: there is only this process. It never waits.
        """
        self._turn, self._is_counting = Lock(), False

    def shared(self, left: float) -> None:
        """A wrong PIN is counted for all; so many more may be compared."""
        with self._turn:
            self._all.set(left)
            self._is_counting = False

    def renewed(self, pin: str) -> None:
        """There is another PIN: whoever has given the one before is a stranger again."""
        self.mark = self._mark_for(pin)
        self._known.clear()

    def _mark_for(self, pin: str) -> str:
        # The same in all processes that have the same PIN and were one when this was made.
        return blake2b(pin.encode(), key=self._secret, digest_size=16).hexdigest()

    def compare(self, environ: WSGIEnvironment, is_pin: Callable[[], bool]) -> bool | None:
        """Whether it is the PIN; None: too many were wrong, or one is still being counted, so that
        it is not compared."""
        address = str(environ.get("REMOTE_ADDR", ""))
        # Not werkzeug's reader of an environ: it raises where a cookie is no UTF-8.
        given = (
            parse_cookie(str(environ.get("HTTP_COOKIE", "")))
            .get(MARK, "")
            .encode("utf-8", "replace")
        )
        if compare_digest(given, self.mark.encode()):
            return is_pin()
        if (bucket := self._known.get(address)) is not None:
            return self._compare_by(bucket, address, is_pin)
        with self._turn:
            if self._is_counting:
                return None
            is_given = self._compare_by(self._all, address, is_pin)
            self._is_counting = is_given is False and self.share()
            return is_given

    def _compare_by(self, bucket: Bucket, address: str, is_pin: Callable[[], bool]) -> bool | None:
        if not bucket.take():
            self._complain(address)
            return None
        if not is_pin():
            return False
        bucket.put_back()
        self._remember(address)
        return True

    def _remember(self, address: str) -> None:
        if address not in self._known:
            self._known[address] = Bucket(WRONG_AT_ONCE_WHERE_KNOWN, WRONG_PINS_A_SECOND)
        self._known.move_to_end(address)
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)

    def _complain(self, address: str) -> None:
        sentence = f"somebody at {address} guesses the referee's PIN; it is not compared for now"
        if self._complaint.say(sentence):
            self.tell()


@dataclass(frozen=True)
class Guard:
    """The door of the API: how often, from where, by whom."""

    access: AccessPort
    hosts: Hosts = field(default_factory=Hosts)
    posts: Window = field(default_factory=lambda: Window(POSTS_A_SECOND))
    pins: PinBrake = field(default_factory=PinBrake)

    def admit(self, environ: WSGIEnvironment) -> None:
        """Let a request in, as far as that does not depend on who sends it; once for each.

        Raises:
            Problem: 403 for a foreign Host or a post's foreign Origin, 429 for too many posts.
        """
        if ADMITTED not in environ:
            environ[ADMITTED] = self._objection(environ)
        if environ[ADMITTED] is not None:
            raise environ[ADMITTED]

    def judge(self, environ: WSGIEnvironment) -> Caller:
        """Whose key this is, compared once for each request, and anew if there is another PIN by
        then: its body may have been long on its way.

        Raises:
            Problem: 401 without a valid key, 429 while PINs are guessed.
        """
        mark = self.pins.mark  # taken first: what is renewed meanwhile is judged anew
        if environ.get(JUDGED, (None,))[0] != mark:
            environ[JUDGED] = mark, self._judgement(environ)
        judged: Caller | Problem = environ[JUDGED][1]
        if isinstance(judged, Problem):
            raise judged
        return judged

    def known(self, request: Request) -> Caller | None:
        """The seat that a request's token belongs to; None: nobody's, or none given."""
        return self.access.holder(bearer_of(request.environ))

    def caller(self, request: Request) -> Caller:
        """Whoever sends a request that needs a key.

        Raises:
            Problem: as `judge`.
        """
        return self.judge(request.environ)

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

    def referee(self, request: Request) -> Caller:
        """The referee.

        Raises:
            Problem: as `caller`; 403 with a seat's token.
        """
        caller = self.caller(request)
        if not caller.referee:
            raise Problem(HTTPStatus.FORBIDDEN, "not-referee", "this needs the referee's PIN")
        return caller

    def leave_mark(self, request: Request, response: Response) -> Response:
        """Let the browser of the referee say that it is the referee's.

        The mark is the one of the PIN that was given: one that is renewed since opens nothing.
        """
        mark, judged = request.environ.get(JUDGED, (None, None))
        is_referee = isinstance(judged, Caller) and judged.referee
        if is_referee and request.cookies.get(MARK) != mark == self.pins.mark:
            response.set_cookie(MARK, mark, httponly=True, samesite="Strict")
        return response

    def _objection(self, environ: WSGIEnvironment) -> Problem | None:
        if not self.hosts.admits(environ.get("HTTP_HOST")):
            return _foreign_host(environ["HTTP_HOST"])
        if environ["REQUEST_METHOD"] in ("GET", "HEAD", "OPTIONS"):
            return None
        if not self.posts.admits(str(environ.get("REMOTE_ADDR", ""))):
            return _too_many()
        if _is_foreign(environ):
            message = "posts come from the table's own pages"
            return Problem(HTTPStatus.FORBIDDEN, "foreign-origin", message)
        return None

    def _judgement(self, environ: WSGIEnvironment) -> Caller | Problem:
        key = bearer_of(environ)
        if (seat := self.access.holder(key)) is not None:
            return seat
        if 0 < len(key) <= LONGEST_PIN:
            is_pin = self.pins.compare(environ, lambda: self.access.who(key) is not None)
            if is_pin is None:
                return _too_many()
            if is_pin:
                return Caller(referee=True, by="referee")
        message = "this needs a seat's token or the referee's PIN"
        return Problem(HTTPStatus.UNAUTHORIZED, "no-key", message)


def bearer_of(environ: WSGIEnvironment) -> str:
    """The key that comes with a request; nothing: none does."""
    scheme, _, key = str(environ.get("HTTP_AUTHORIZATION", "")).partition(" ")
    return key.strip() if scheme.lower() == "bearer" else ""


def _is_foreign(environ: WSGIEnvironment) -> bool:
    origin = environ.get("HTTP_ORIGIN")
    if origin is None:
        return False
    site, scheme = _site(origin), environ.get("wsgi.url_scheme", "http")
    return site is None or site != _site(f"{scheme}://{environ.get('HTTP_HOST', '')}")


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


def _foreign_host(host: str) -> Problem:
    message = f"this page does not go by the name {host!r:.80}; [page] hosts adds names"
    return Problem(HTTPStatus.FORBIDDEN, "foreign-host", message, host=host[:80])


def _too_many() -> Problem:
    return Problem(HTTPStatus.TOO_MANY_REQUESTS, "too-many", "too many requests; wait a second")
