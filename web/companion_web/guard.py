"""Who may ask and post: judged from the head of a request, before its body is read.

A seat's token has 128 bits and cannot be guessed: it is compared before any brake, so nobody can
lock a seat out. A PIN has eight digits: over all addresses together only so many wrong ones a
second are compared, and beyond that none is. A browser that has given the right one keeps a mark
that cannot be guessed, and is not slowed down by what others guess.

Host and Origin are judged too: a page of somebody else may let its own name lead to this machine
(DNS rebinding) and post as if it were ours, but it cannot leave its name out of the request.
"""

from __future__ import annotations

import ipaddress
import re
import secrets
import socket
import sys
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from copy import copy
from dataclasses import field
from hashlib import blake2b
from hmac import compare_digest
from http import HTTPStatus
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urljoin, urlsplit

from companion.system.frozen import dataclass
from companion.system.host import HOTSPOT
from companion.table.ports import AccessPort, Caller

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment
    from flask import Request, Response


# -- how much may be asked ------------------------------------------------------------------------


MOST_ADDRESSES: Final = 1024


class Window:
    """At most `most` in any `span_s` seconds from one address."""

    def __init__(
        self, most: int, span_s: float = 1.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most = most
        self._span_s = span_s
        self._clock = clock
        self._lock = Lock()
        self._seen: OrderedDict[str, deque[float]] = OrderedDict()

    def admits(self, address: str) -> bool:
        """Count one more from this address, if it may; a refused one is not counted."""
        now = self._clock()
        with self._lock:
            seen = self._seen.setdefault(address, deque())
            self._seen.move_to_end(address)
            # Somebody with many addresses must not fill the memory.
            if len(self._seen) > MOST_ADDRESSES:
                self._seen.popitem(last=False)
            while seen and now - seen[0] >= self._span_s:
                seen.popleft()
            if len(seen) >= self._most:
                return False
            seen.append(now)
            return True


class Bucket:
    """`depth` at once, and then `rate` a second."""

    def __init__(
        self, depth: float, rate: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._depth = self._left = depth
        self._rate = rate
        self._clock = clock
        self._since = clock()
        self._lock = Lock()

    def take(self) -> bool:
        """Take one, if there is one."""
        with self._lock:
            now = self._clock()
            self._left = min(self._left + (now - self._since) * self._rate, self._depth)
            self._since = now
            if self._left < 1:
                return False
            self._left -= 1
            return True

    def put_back(self) -> None:
        """What was taken has not been needed."""
        with self._lock:
            self._left = min(self._left + 1, self._depth)

    def set(self, left: float) -> None:
        """So many are left now; it may be less than none."""
        with self._lock:
            self._left, self._since = left, self._clock()


# -- by which names -------------------------------------------------------------------------------


LOOK_AGAIN_S: Final = 30.0
HOSTS_MOST_KNOWN: Final = 64
Way = Callable[[bool], str | None]
"""Where a phone comes in, with the key to a free seat or without; None: no network is open."""


class Hosts:
    """The names by which this machine is asked for.

    Args:
        more: what `[page] hosts` of companion.toml adds, without ports.
    """

    def __init__(self, more: Iterable[str] = ()) -> None:
        self._more = {name.lower().rstrip(".") for name in more}
        self._addresses: dict[str, tuple[bool, float]] = {}

    def admits(self, header: str | None) -> bool:
        """Whether a request with this `Host` is for us; one without comes from no browser.

        >>> Hosts(["Table.Example"]).admits("table.example:443"), Hosts().admits("evil.example")
        (True, False)
        """
        if not header:
            return True
        name = _without_port(header)
        return name in self._more or _is_own_name(name) or self._is_own_address(name)

    def _is_own_address(self, name: str) -> bool:
        now = time.monotonic()
        known, until = self._addresses.get(name, (False, 0.0))
        if now < until:
            return known
        # The names come from outside, so what is kept of them is bounded.
        if len(self._addresses) >= HOSTS_MOST_KNOWN:
            self._addresses.clear()
        self._addresses[name] = (_is_own_address(name), now + LOOK_AGAIN_S)
        return self._addresses[name][0]


class Portal:
    """The app of a house with a portal before it.

    Args:
        house: answers what is asked by our own names, and everything where no network is open.
        way: asked only when somebody comes by a foreign name.
    """

    def __init__(self, house: WSGIApplication, hosts: Hosts, way: Way) -> None:
        self._house, self._hosts, self._way = house, hosts, way

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        if environ["REQUEST_METHOD"] == "GET" and (to := self._elsewhere(environ)):
            start("302 Found", [("Location", to), ("Cache-Control", "no-store")])
            return []
        return self._house(environ, start)

    def _elsewhere(self, environ: WSGIEnvironment) -> str | None:
        """Where a request is led: by a foreign name to the table, and by ours from port 80 to the
        same page at the table's own port. Of the socket at port 80 all phones have one address,
        and it cannot say whose they are; nor would anybody's word for it be believed."""
        if not self._hosts.admits(environ.get("HTTP_HOST")):
            return self._way(_is_through_port_80(environ))
        at_80 = not re.search(r":(?!80$)\d+$", str(environ.get("HTTP_HOST")))
        if environ.get("REMOTE_ADDR") != HOTSPOT or not at_80 or environ["SERVER_PORT"] == "80":
            return None
        way, asked = self._way(False), environ.get("QUERY_STRING")
        path = quote(environ.get("PATH_INFO", ""), encoding="latin-1")
        return way and urljoin(way, "/") + path.lstrip("/") + (f"?{asked}" if asked else "")


def _without_port(header: str) -> str:
    """The name in a `Host`.

    >>> [_without_port(host) for host in ("Pi.Local.:8000", "[::1]:8000", "::1")]
    ['pi.local', '::1', '::1']
    """
    host = header.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    # More than one colon is an address of IPv6 without its brackets.
    return (host.partition(":")[0] if host.count(":") == 1 else host).rstrip(".")


NOBODYS: Final = ("lan", "home", "home.arpa", "internal", "localdomain")
"""Domains that are the local network's everywhere: nobody can lead a name below them here."""


def _is_own_name(name: str) -> bool:
    full = socket.gethostname().lower()
    short = full.partition(".")[0]
    if name in ("localhost", full, short):
        return True
    host, _, domain = name.partition(".")
    if domain == "local":  # of two machines with one name Avahi calls the second NAME-2
        return re.fullmatch(rf"{re.escape(short)}(-\d+)?", host) is not None
    return host == short and domain in (*NOBODYS, *_search_domains())


def _search_domains(file: Path = Path("/etc/resolv.conf")) -> set[str]:
    """The domains that the network says names without one are of."""
    try:
        lines = [line.split() for line in file.read_text("utf-8", "replace").lower().splitlines()]
    except OSError:
        return set()
    told = [words for words in lines if words and words[0] in ("search", "domain")]
    return {word.rstrip(".") for _, *domains in told for word in domains}


def _is_own_address(name: str) -> bool:
    """Whether this machine has an address: only then the system gives a socket to it."""
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    if address.is_unspecified or address.is_multicast:
        return False
    if address.version == 4:
        return _can_bind(socket.AF_INET, (str(address), 0))
    # An address of one link needs its link; any of them may be meant.
    links = [number for number, _ in socket.if_nameindex()] if address.is_link_local else [0]
    return any(_can_bind(socket.AF_INET6, (str(address), 0, 0, link)) for link in links)


def _can_bind(family: int, address: tuple[object, ...]) -> bool:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.bind(address)
    except OSError:
        return False
    return True


def _is_through_port_80(environ: WSGIEnvironment) -> bool:
    """Only the socket of the machine's own network speaks from here by a foreign name.

    Whoever knows its password reads the code on the television too; a page elsewhere that leads
    its own name to us does not get the key.
    """
    address = str(environ.get("REMOTE_ADDR", ""))
    return _is_loopback(address) or _is_own_address(address)


# -- keys -----------------------------------------------------------------------------------------


POSTS_A_SECOND: Final = 500
TABLE: Final = 0  # what a game asks the whole table, anybody with a seat answers
# Half of all PINs of eight digits take two months at this rate; the depth forgives a table of
# phones that all still hold yesterday's.
WRONG_PINS_AT_ONCE: Final = 100
WRONG_PINS_A_SECOND: Final = 10
WRONG_AT_ONCE_WHERE_KNOWN: Final = 2000
MOST_KNOWN: Final = 16
LONGEST_PIN: Final = 16  # what is longer is a token that has gone out of use
ALPHABET: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # an I is read as a 1, an O as a 0
LETTERS: Final = 4
HERE: Final = "at-this-machine"
"""The key of our own pages where they are opened at the machine itself (`is_here`)."""
MARK: Final = "has-given-the-pin"
ADMITTED, JUDGED = "companion.admitted", "companion.judged"
AWAY: Final = "companion.away"
"""In the environ of a request that is told why it is not answered."""
PLAIN: Final = (str, int, tuple, Exception, type(None))
"""What of a request's environ is the same in another process."""


class PinBrake:
    """How many wrong PINs are compared.

    Several processes with the same PIN share the count: each wrong one is counted for all before
    this process compares another (`share`, `shared`).
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._secret = secrets.token_bytes(16)
        self.mark = self._mark_for("")
        """What the browser of somebody who has given the PIN sends along."""
        self._all = Bucket(WRONG_PINS_AT_ONCE, WRONG_PINS_A_SECOND, clock)
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

    def compare(
        self, environ: WSGIEnvironment, is_right: Callable[[], bool], *, is_pin: bool = True
    ) -> bool | None:
        """Whether it is the PIN, or what else people type; None: too many were wrong, or one is
        still being counted, so that it is not compared.

        Where a PIN came from, more may be tried from then on: `is_pin`.
        """
        address = str(environ.get("REMOTE_ADDR", ""))
        if compare_digest(_mark_in(environ), self.mark.encode()):
            return is_right()
        # Where the PIN came from before, others' guesses do not use up what may be tried.
        if (bucket := self._known.get(address)) is not None:
            return self._compare_by(bucket, address, is_right, is_pin)
        with self._turn:
            if self._is_counting:
                return None
            is_given = self._compare_by(self._all, address, is_right, is_pin)
            self._is_counting = is_given is False and self.share()
            return is_given

    def _compare_by(
        self, bucket: Bucket, address: str, is_right: Callable[[], bool], is_pin: bool
    ) -> bool | None:
        if not bucket.take():
            self._complain(address)
            return None
        if not is_right():
            return False
        bucket.put_back()
        if is_pin:
            self._remember(address)
        return True

    def _remember(self, address: str) -> None:
        if address not in self._known:
            self._known[address] = Bucket(
                WRONG_AT_ONCE_WHERE_KNOWN, WRONG_PINS_A_SECOND, self._clock
            )
        self._known.move_to_end(address)
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)

    def _complain(self, address: str) -> None:
        sentence = f"somebody at {address} guesses the referee's PIN; it is not compared for now"
        if self._complaint.say(sentence):
            self.tell()


def _mark_in(environ: WSGIEnvironment) -> bytes:
    pairs = (one.strip().partition("=") for one in str(environ.get("HTTP_COOKIE", "")).split(";"))
    given = next((value for name, _, value in pairs if name == MARK), "")
    return given.encode("utf-8", "replace")


class Letters:
    """What whoever cannot scan the table's code types instead; it lives until the next start.

    Four letters are guessed in hours where nothing brakes it, so wrong ones count with the PINs.
    """

    def __init__(self) -> None:
        self.now = ""
        self.renew()

    def renew(self) -> None:
        """Other people come: who knew the letters before is a stranger again."""
        self.now = "".join(secrets.choice(ALPHABET) for _ in range(LETTERS))

    def fit(self, key: str) -> bool:
        """Whether these are the letters, small ones too."""
        return compare_digest(self.now.encode(), key.upper().encode())


@dataclass(frozen=True)
class Guard:
    """The door of the API: how often, from where, by whom."""

    access: AccessPort
    hosts: Hosts = field(default_factory=Hosts)
    posts: Window = field(default_factory=lambda: Window(POSTS_A_SECOND))
    pins: PinBrake = field(default_factory=PinBrake)
    letters: Letters = field(default_factory=Letters)

    def admit(self, environ: WSGIEnvironment) -> None:
        """Let a request in, as far as that does not depend on who sends it; once for each.

        Raises:
            Problem: 403 for a foreign Host or a post's foreign Origin, 429 for too many posts.
        """
        if ADMITTED not in environ:
            environ[ADMITTED] = self._objection(environ)
        if environ[ADMITTED] is not None:
            raise copy(environ[ADMITTED])

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
            # What is raised remembers the frames it went through, and with them this environ: the
            # answers of a crowd stayed in memory until somebody looked for garbage.
            raise copy(judged)
        return judged

    def carry(self, environ: WSGIEnvironment) -> dict[str, object]:
        """A request with what is judged of it, for a process that believes it (`Believing`)."""
        with suppress(Problem):
            self.admit(environ)
            self.judge(environ)
        return {key: value for key, value in environ.items() if isinstance(value, PLAIN)}

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
            return too_many()
        if _is_foreign(environ):
            message = "posts come from the table's own pages"
            return Problem(HTTPStatus.FORBIDDEN, "foreign-origin", message)
        return None

    def _judgement(self, environ: WSGIEnvironment) -> Caller | Problem:
        key = bearer_of(environ)
        if (seat := self.access.holder(key)) is not None:
            return seat
        if key == HERE:
            return Caller(referee=True, by="referee") if is_here(environ) else _no_key()
        if len(key) == LETTERS and key.isascii() and key.isalpha():
            fits = self.pins.compare(environ, lambda: self.letters.fit(key), is_pin=False)
            return too_many() if fits is None else Caller() if fits else _wrong_letters()
        if 0 < len(key) <= LONGEST_PIN:
            is_pin = self.pins.compare(environ, lambda: self.access.who(key) is not None)
            if is_pin is None:
                return too_many()
            if is_pin:
                return Caller(referee=True, by="referee")
        return _no_key()


def is_here(environ: WSGIEnvironment) -> bool:
    """Whether somebody sits at this very machine: then nobody asks for a PIN.

    A name that leads here, an address of the house or a proxy's word for somebody else is not
    enough: of those this machine cannot know who speaks.

    >>> is_here({"REMOTE_ADDR": "127.0.0.1", "HTTP_HOST": "localhost:8000"})
    True
    >>> is_here({"REMOTE_ADDR": "127.0.0.1", "HTTP_HOST": "pi.local:8000"})
    False
    """
    if any(name == "HTTP_FORWARDED" or name.startswith("HTTP_X_FORWARDED") for name in environ):
        return False
    host = _without_port(str(environ.get("HTTP_HOST", "")))
    return _is_loopback(environ.get("REMOTE_ADDR")) and (host == "localhost" or _is_loopback(host))


def _is_loopback(address: object) -> bool:
    try:
        return ipaddress.ip_address(str(address)).is_loopback
    except ValueError:
        return False


class Believing(Guard):
    """Behind another's door: what that has judged of a request holds."""

    def judge(self, environ: WSGIEnvironment) -> Caller:
        """As the door has judged."""
        self.admit(environ)
        self.pins.mark = environ[JUDGED][0]
        return super().judge(environ)


def bearer_of(environ: WSGIEnvironment) -> str:
    """The key that comes with a request; nothing: none does."""
    scheme, _, key = str(environ.get("HTTP_AUTHORIZATION", "")).partition(" ")
    return key.strip() if scheme.lower() == "bearer" else ""


def _is_foreign(environ: WSGIEnvironment) -> bool:
    origin = environ.get("HTTP_ORIGIN")
    # A browser names the origin of every post; a program has none.
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


def _no_key() -> Problem:
    message = "this needs a seat's token or the referee's PIN"
    return Problem(HTTPStatus.UNAUTHORIZED, "no-key", message)


def _wrong_letters() -> Problem:
    message = "these are not the four letters of now; the television shows them"
    return Problem(HTTPStatus.UNAUTHORIZED, "wrong-letters", message)


def _foreign_host(host: str) -> Problem:
    message = f"this page does not go by the name {host!r:.80}; [page] hosts adds names"
    return Problem(HTTPStatus.FORBIDDEN, "foreign-host", message, host=host[:80])


def too_many() -> Problem:
    """More than is answered."""
    return Problem(HTTPStatus.TOO_MANY_REQUESTS, "too-many", "too many requests; wait a second")


# -- refusals -------------------------------------------------------------------------------------


class Problem(Exception):
    """A request that the page refuses before the table hears of it."""

    def __init__(self, status: HTTPStatus, key: str, message: str, **arguments: object) -> None:
        super().__init__(status, key, message)  # all that is needed to make it again elsewhere
        self.status = status
        self.key = key
        self.message = message
        self.arguments = arguments

    def as_json(self) -> dict[str, object]:
        """The reply of the engine protocol: `illegal` is who or when, `malformed` is what."""
        is_about_caller = self.status in (
            HTTPStatus.UNAUTHORIZED,
            HTTPStatus.FORBIDDEN,
            HTTPStatus.CONFLICT,
            HTTPStatus.TOO_MANY_REQUESTS,
        )
        error = {
            "code": "illegal" if is_about_caller else "malformed",
            "rule": None,
            "key": self.key,
            "args": self.arguments,
            "message": self.message,
        }
        return {"ok": False, "error": error, "asks": []}


def malformed(key: str, message: str, **arguments: object) -> Problem:
    """The problem of a body that says nothing that the page understands."""
    return Problem(HTTPStatus.BAD_REQUEST, key, message, **arguments)


# -- what stands in the log -----------------------------------------------------------------------


EVERY_S: Final = 60.0


class Complaint:
    """A sentence for the log that an attacker may bring about as often as he likes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._said: float | None = None

    def say(self, sentence: str) -> bool:
        """Say it, unless it was said within the last minute; whether it was said."""
        now = self._clock()
        if self._said is not None and now - self._said < EVERY_S:
            return False
        self._said = now
        print(f"companion: {sentence}", file=sys.stderr, flush=True)
        return True


# -- the key of a league without a table ----------------------------------------------------------


class KeeperPin:
    """An `AccessPort` with one PIN and no seats."""

    def __init__(self, pin: str) -> None:
        self._pin = pin.encode()

    def renew(self, pin: str) -> bool:
        """Let another PIN be the one; whether it is another."""
        before, self._pin = self._pin, pin.encode()
        return before != self._pin

    def who(self, bearer: str) -> Caller | None:
        """The referee, for the PIN."""
        fits = compare_digest(self._pin, bearer.encode("utf-8", "surrogatepass"))
        return Caller(referee=True, by="referee") if fits else None

    def holder(self, token: str) -> Caller | None:
        """There are no seats here."""
        return None

    def link(self, seat: int) -> str:
        """There are no seats here."""
        return ""
