"""The Flask app of one table, what every answer of it carries, and its server.

Two small blueprints stand here too: joining by the one code for all, and the computer itself, which
the referee may have examined and switched off.
"""

from __future__ import annotations

import gzip
import json
import os
import pickle
import re
import secrets
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, suppress
from functools import cache, lru_cache, partial
from http import HTTPStatus
from io import BufferedRWPair, BytesIO
from pkgutil import resolve_name
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Protocol

from flask import Blueprint, Flask, Response, current_app, request
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Rule

from companion.system.frozen import dataclass
from companion.system.host import Closing, make_way
from companion.table.ports import AccessPort, Caller, TablePort
from companion.views.words import LANGUAGES, phrase, words
from companion_web import api, pages
from companion_web.api import read_object
from companion_web.assets import format_qr, serve_assets
from companion_web.door import (
    BODY_BYTES,
    Door,
    Doorkeeper,
    Lane,
    Shares,
    TakeStream,
    call,
    listen,
)
from companion_web.guard import (
    TABLE,
    Believing,
    Bucket,
    Guard,
    KeeperPin,
    Problem,
    malformed,
    reply_json,
    reply_problem,
    too_many,
)
from companion_web.pages import Boards, Library, NoTracks, reply_page
from companion_web.streams import CHANGES, Streams, notice

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


# Everything is ours and nothing is inline: a name or a note that holds markup stays text.
CONTENT_SECURITY_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)


def create_app(
    table: TablePort,
    access: AccessPort,
    library: Library | None = None,
    guard: Guard | None = None,
    machine: MachinePort | None = None,
    announce: Callable[[bytes], None] = lambda frame: None,
) -> Flask:
    """The page of a table.

    `library` has the boards by the names that a header has for them; without it, and where it
    lacks one, the page does without a drawing. `announce` tells every page that is open.
    """
    guard = guard or Guard(access)
    library = library or NoTracks()
    boards = Boards(library)
    app = behind(
        guard,
        pages.blueprint(table),
        pages.drawn_blueprint(boards),
        pages.tracks_blueprint(table, library, boards, guard),
        api.blueprint(table, access, guard),
        blueprint(table, access, guard, machine),
        returning_blueprint(Returning(table, access, announce), guard),
        api.referee_blueprint(table, guard),
        *([machine_blueprint(machine, guard)] if machine else []),
    )
    app.json.sort_keys = False  # type: ignore[attr-defined]  # Flask's own provider has it
    return app


def create_drawings(guard: Guard, library: Library) -> Flask:
    """The drawings of boards alone."""
    return behind(guard, pages.drawn_blueprint(Boards(library)))


class Route(Rule):
    """A route whose way back, from a name to its address, is compiled when it is asked for first.

    werkzeug compiles it at once, twice for each route: for sixty of them that was a twentieth of a
    start, and the pages ask for two. Where it has no such method this changes nothing.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compiled = cache(super()._compile_builder)

        def build(route: Rule, **values: object) -> tuple[str, str]:
            return compiled(append_unknown)(route, **values)

        return build


def behind(guard: Guard, *blueprints: Blueprint) -> Flask:
    """An app of these pages: with our files, behind the door's guard, every answer hardened."""
    app = Flask("companion_web", static_folder=None)
    app.url_rule_class = Route
    serve_assets(app)
    for pages_of_one in blueprints:
        app.register_blueprint(pages_of_one)
    app.before_request(lambda: guard.admit(request.environ))
    app.before_request(_tell_away)
    # Flask goes through these from the last to the first, so compressing ends it.
    app.after_request(compress)
    app.after_request(harden)
    app.after_request(lambda response: guard.leave_mark(request, response))
    app.extensions["companion_guard"] = guard
    app.register_error_handler(Problem, reply_refusal)
    app.register_error_handler(HTTPException, reply_http_error)
    return app


def harden(response: Response) -> Response:
    """The headers that every answer carries."""
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    if response.mimetype in ("text/html", "image/svg+xml"):
        response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
    if request.path.startswith("/api/") or response.mimetype == "text/html":
        response.headers.setdefault("Cache-Control", "no-store")
    return response


SMALLEST: Final = 1024
LEVEL: Final = 9
TEXT: Final = ("text/", "application/json", "image/svg+xml", "application/javascript")


def compress(response: Response) -> Response:
    """Text of some size goes out compressed, to whoever takes it so."""
    if not (response.mimetype or "").startswith(TEXT) or response.is_streamed:
        return response
    response.vary.add("Accept-Encoding")
    # `gzip` in a word of its own, and not `gzip;q=0`
    if request.accept_encodings["gzip"] <= 0 or "Content-Encoding" in response.headers:
        return response
    body = response.get_data()
    if response.status_code == 200 and len(body) >= SMALLEST:
        # What is made for one request is compressed quickly, what is kept as well as can be.
        response.set_data(_compressed(body) if _is_kept(response) else gzip.compress(body, 4))
        response.headers["Content-Encoding"] = "gzip"
    return response


def _is_kept(response: Response) -> bool:
    """Whether it is the same for everybody who asks: files and drawings."""
    return "no-store" not in response.headers.get("Cache-Control", "no-store")


@lru_cache(maxsize=128)
def _compressed(body: bytes) -> bytes:
    # Without a time in it the same file is the same bytes after every start.
    return gzip.compress(body, LEVEL, mtime=0)


def _is_person() -> bool:
    """Whether a browser asks for a page to look at."""
    wants_page = (
        request.accept_mimetypes["text/html"] > request.accept_mimetypes["application/json"]
    )
    return wants_page and not request.path.startswith("/api/")


def reply_refusal(problem: Problem) -> Response:
    """A refusal: JSON, but a person who came by a wrong name is told the right one."""
    if problem.key != "foreign-host" or not _is_person():
        return reply_problem(problem)
    guard: Guard = current_app.extensions["companion_guard"]
    # Without the key that is in the link.
    address = guard.access.link(TABLE).partition("/join")[0]
    page = reply_page("foreign.html", host=problem.arguments["host"], address=address)
    page.status_code = problem.status
    return page


def reply_http_error(error: HTTPException) -> Response:
    """Flask's own refusals (404, 405 …): JSON for a program, a page for a person."""
    if error.code == HTTPStatus.NOT_FOUND and _is_person():
        page = pages.reply_page("lost.html")
        page.status_code = HTTPStatus.NOT_FOUND
        return page
    problem = malformed("bad-request", error.description or error.name)
    problem.status = HTTPStatus(error.code or HTTPStatus.INTERNAL_SERVER_ERROR)
    response = reply_problem(problem)
    for name, value in error.get_headers():
        if name == "Allow":
            response.headers[name] = value
    return response


AWAY: Final = "companion.away"
"""In the environ of a request that is told why it is not answered."""
FOR_PROGRAMS: Final = ("/api/", "/ergast/")
"""Addresses whose troubles are told in JSON."""


def _tell_away() -> Response | None:
    message = request.environ.get(AWAY)
    return None if message is None else reply_away(message)


def reply_away(message: str) -> Response:
    """What cannot be shown now and is tried again when it is asked for: why, in a sentence."""
    if request.path.startswith(FOR_PROGRAMS):
        response = reply_problem(Problem(HTTPStatus.SERVICE_UNAVAILABLE, "later", message))
    else:
        response = reply_page("away.html", message=message)
        response.status_code = HTTPStatus.SERVICE_UNAVAILABLE
    response.headers["Retry-After"] = "10"
    return response


# -- joining by one code --------------------------------------------------------------------------


KEYS = frozenset({"name", "color"})
# Each is a file of the journal: nobody without a key fills the disk.
DEMOS_AT_ONCE: Final = 12
DEMOS_A_SECOND: Final = 0.1


def blueprint(
    table: TablePort, access: AccessPort, guard: Guard, machine: MachinePort | None
) -> Blueprint:
    """`/join`, and what it asks."""
    joining = Blueprint("joining", __name__)
    demos = Bucket(DEMOS_AT_ONCE, DEMOS_A_SECOND)

    @joining.get("/join")
    def show_join() -> Response:
        return reply_page("join.html")

    @joining.get("/api/join")
    def tell_join() -> Response:
        """The code, for whoever shows it to the room: it is a key to a free seat."""
        guard.referee(request)
        link = access.link(TABLE)
        told: dict[str, object] = {"link": link, "qr": format_qr(link), "wifi": None}
        told["letters"] = guard.letters.now
        if machine and (network := machine.hotspot()):
            name, password = network["name"], network["password"]
            qr = format_qr(network["code"])
            told["wifi"] = {"name": name, "password": password, "qr": qr}
        return reply_json(told)

    @joining.post("/api/join")
    def join() -> Response:
        caller = guard.caller(request)
        body = read_object(request)
        if not set(body) <= KEYS:
            raise malformed("bad-join", "the body may have a name and a color")
        reply = table.submit(caller, {"table": "sit", "value": body})
        told = dict(reply.body)
        if reply.status == HTTPStatus.OK:
            told["link"] = access.link(int(told["seat"]))
        return reply_json(told, reply.status)

    @joining.post("/api/demo/<any(watch, play, end):what>")
    def demonstrate(what: str) -> Response:
        # No key: whoever stands before an empty table may look at a race, or drive against bots.
        if not demos.take():
            raise too_many()
        reply = table.submit(Caller(), {"table": "demo", "value": what})
        told = dict(reply.body)
        if reply.status == HTTPStatus.OK and "seat" in told:
            told["link"] = access.link(int(told["seat"]))
        return reply_json(told, reply.status)

    return joining


# -- a phone that has lost its seat ---------------------------------------------------------------


RETURNS_AT_ONCE: Final = 6
RETURNS_A_SECOND: Final = 0.05
RETURN_S: Final = 120.0
"""How long a question stands."""


@dataclass
class Asked:
    """A phone that would come back to a seat; what was said to it, None: nothing yet."""

    seat: int
    number: int
    until: float
    says: bool | None = None


class Returning:
    """Phones without their seat's key, who come back by the word of somebody who has a seat.

    Every phone at the table is asked, that seat's own too. Both sides see the same number, so that
    nobody lets another phone in than the one that is shown.
    """

    def __init__(
        self, table: TablePort, access: AccessPort, announce: Callable[[bytes], None]
    ) -> None:
        self._table, self._access, self._announce = table, access, announce
        self._asked: dict[str, Asked] = {}
        self._asks = Bucket(RETURNS_AT_ONCE, RETURNS_A_SECOND)

    def ask(self, seat: object) -> dict[str, object]:
        """Ask for a seat: a ticket, and the number that stands on all phones.

        Raises:
            Problem: 404 for no seat, 409 where somebody asks for it already, 429.
        """
        if type(seat) is not int or seat not in self._table.snapshot().public:
            raise Problem(HTTPStatus.NOT_FOUND, "no-seat", "there is no such seat")
        now = time.monotonic()
        self._asked = {key: one for key, one in self._asked.items() if one.until > now}
        if any(one.seat == seat and one.says is None for one in self._asked.values()):
            raise Problem(HTTPStatus.CONFLICT, "asks-already", "another phone asks for that seat")
        if not self._asks.take():
            raise too_many()
        ticket, number = secrets.token_urlsafe(), secrets.randbelow(90) + 10
        self._asked[ticket] = asked = Asked(seat, number, now + RETURN_S)
        self._tell(asked)
        return {"ok": True, "ticket": ticket, "number": number}

    def look(self, ticket: object) -> dict[str, object]:
        """The link of the seat, once somebody has said yes; None before.

        Raises:
            Problem: 409: somebody said no, or nobody anything.
        """
        asked = self._asked.get(str(ticket))
        if asked is None or asked.says is False or asked.until < time.monotonic():
            raise Problem(HTTPStatus.CONFLICT, "not-let-in", "nobody lets that phone in")
        return {"ok": True, "link": self._access.link(asked.seat) if asked.says else None}

    def let(self, caller: Caller, seat: object, number: object, yes: object) -> None:
        """What somebody says to it; the first word holds.

        Raises:
            Problem: 403 for whoever has no seat, 409 where nobody asks for that.
        """
        if caller.seat is None and not caller.referee:
            raise Problem(HTTPStatus.FORBIDDEN, "no-seat-yet", "take a seat first")
        for asked in self._asked.values():
            if (asked.seat, asked.number, asked.says) == (seat, number, None):
                asked.says = yes is True
                self._tell(asked, self._name(caller.seat) if caller.seat else "PIN")
                return
        raise Problem(HTTPStatus.CONFLICT, "not-let-in", "nobody asks for that any more")

    def _name(self, seat: int) -> object:
        return self._table.snapshot().tell_seat(seat, False)["who"]["name"]

    def _tell(self, asked: Asked, by: object = None) -> None:
        told = {"seat": asked.seat, "name": self._name(asked.seat), "number": asked.number}
        told |= {"by": by, "yes": asked.says}
        self._announce(b"event: back\ndata: %b\n\n" % json.dumps(told).encode())


def returning_blueprint(returning: Returning, guard: Guard) -> Blueprint:
    """`/api/join/back` of the phone that asks, `/api/join/let` of those that answer."""
    back = Blueprint("returning", __name__, url_prefix="/api/join")

    @back.post("/back")
    def ask() -> Response:
        guard.caller(request)
        body = read_object(request)
        ticket = body.get("ticket")
        told = returning.look(ticket) if ticket else returning.ask(body.get("seat"))
        return reply_json(told)

    @back.post("/let")
    def let() -> Response:
        caller, body = guard.caller(request), read_object(request)
        returning.let(caller, body.get("seat"), body.get("number"), body.get("yes"))
        return reply_json({"ok": True})

    return back


# -- the computer ---------------------------------------------------------------------------------


POWER: Final = ("off", "restart", "update")


class MachinePort(Protocol):
    """The computer that the table runs on."""

    def examine(self) -> Mapping[str, object]:
        """What `companion doctor --json` prints."""

    def hotspot(self) -> Mapping[str, str] | None:
        """Name, password and code of the network that it has opened itself; None: it has not."""

    def switch(self, power: str) -> str:
        """Switch it "off", have it "restart", or look for an "update"; why it does not, else ""."""

    def set_up(self, settings: Mapping[str, object]) -> str:
        """Keep what its companion.toml is to say, and have it followed; why not, else ""."""


def machine_blueprint(machine: MachinePort, guard: Guard) -> Blueprint:
    """The routes at `/api/machine`."""
    of_machine = Blueprint("machine", __name__)

    @of_machine.get("/api/machine")
    def examine() -> Response:
        guard.referee(request)
        return reply_json(machine.examine())

    @of_machine.post("/api/machine")
    def switch() -> Response:
        guard.referee(request)
        asked = read_object(request)
        power, settings = asked.get("power"), asked.get("settings")
        if isinstance(settings, dict):
            why = machine.set_up(settings)
        elif isinstance(power, str) and power in POWER:
            why = machine.switch(power)
        else:
            raise malformed("bad-power", f"power is one of {', '.join(POWER)}, settings are tables")
        if why:
            raise Problem(HTTPStatus.CONFLICT, "no-power", why)
        return reply_json({"ok": True})

    return of_machine


# -- the server -----------------------------------------------------------------------------------


GUESSING: Final = phrase("Somebody guesses the referee's PIN.")
Wrap = Callable[["WSGIApplication"], "WSGIApplication"]
"""Puts another app before the page's."""


MOST_SEATS: Final = 10
"""That one stream tells of."""
OF_SEAT: Final = re.compile(r"(?:^|&)seat=([0-9]{1,3})(?=&|$)")


def parse_topics(path: str, query: str = "") -> tuple[int, ...] | None:
    """What the stream at an address tells of, `CHANGES` first; None: it is none.

    >>> [parse_topics("/api/stream", query) for query in ("", "changes&seat=3", "seat=2")]
    [(0,), (-1, 3), (2,)]
    >>> parse_topics("/api/seat/3/stream"), parse_topics("/")
    ((3,), None)
    """
    match path.split("/"):
        case ["", "api", "stream"]:
            seats = sorted({int(seat) for seat in OF_SEAT.findall(query)} - {TABLE})[:MOST_SEATS]
            changes = (CHANGES,) if "changes" in query.split("&") else ()
            return (*changes, *seats) or (TABLE,)
        case ["", "api", "seat", number, "stream"] if number.isdecimal() and len(number) < 4:
            return (int(number),)
    return None


PATIENCE_S: Final = 5.0
PLAY, VIEW, LOOK, APART = range(4)
SLOW: Final = ("/api/track", "/api/machine")
"""What draws a board or examines the computer: nothing that a race waits for."""
ELSEWHERE: Final = ("/circuit", "/help", "/learn", "/league", "/api/league", "/ergast")
"""What a process of its own answers."""


def is_under(path: str, roots: tuple[str, ...]) -> bool:
    """Whether an address is one of these, or lies below one.

    >>> [is_under(path, ("/league",)) for path in ("/league", "/league/x", "/leagues")]
    [True, True, False]
    """
    return any(path == root or path.startswith(f"{root}/") for root in roots)


class _Keeper(Doorkeeper):
    """At a table's door: who asks for a stream, whose body is worth waiting for, and what belongs
    to the play: a press waits for nobody who only looks."""

    # Few workers where they only work: threads of one process take turns, and a press takes part.
    lanes = (Lane(8, 4), Lane(2, 1), Lane(1, 1, PATIENCE_S), Lane(1, 1, PATIENCE_S))

    def __init__(self, streams: Streams, guard: Guard) -> None:
        self._streams = streams
        self._guard = guard

    def open(self, shares: Shares) -> None:
        self._streams.open(shares)

    def body_bytes(self, environ: WSGIEnvironment) -> int:
        try:
            self._guard.admit(environ)
            # Kept in the environ: the app does not compare the key a second time.
            self._guard.judge(environ)
        except Problem:
            return 0  # the app says which
        return BODY_BYTES

    def lane(self, environ: WSGIEnvironment) -> int:
        path = environ["PATH_INFO"]
        if is_under(path, ELSEWHERE):
            return APART
        if not path.startswith("/api/") or is_under(path, SLOW):
            return LOOK
        return VIEW if environ["REQUEST_METHOD"] in ("GET", "HEAD") else PLAY

    def stream(self, environ: WSGIEnvironment) -> TakeStream | None:
        if environ["REQUEST_METHOD"] != "GET":
            return None
        topics = parse_topics(environ["PATH_INFO"], environ["QUERY_STRING"])
        if topics is None or not self._guard.hosts.admits(environ.get("HTTP_HOST")):
            return None
        return partial(self._streams.add, topics)

    def close(self) -> None:
        self._streams.close()


class Server(Closing):
    """A running page. A context manager; `close` may be called twice."""

    def __init__(
        self,
        table: TablePort,
        access: AccessPort,
        host: str,
        port: int,
        library: Library | None = None,
        wrap: Wrap | None = None,
        guard: Guard | None = None,
        machine: MachinePort | None = None,
    ) -> None:
        guard = guard or Guard(access)
        self.streams = Streams(table)
        """The open streams."""
        app = create_app(table, access, library, guard, machine, self.streams.announce)
        listening = listen(host, port)
        guard.pins.tell = self._tell_of_guessing
        self._door = Door(wrap(app) if wrap else app, listening, _Keeper(self.streams, guard))

    def _tell_of_guessing(self) -> None:
        self.streams.announce(notice({code: words(code)(GUESSING) for code in LANGUAGES}))

    @property
    def port(self) -> int:
        """The port it listens at (chosen by the system where 0 was asked for)."""
        return self._door.port

    @property
    def url(self) -> str:
        """Where the page is on this machine."""
        return self._door.url

    def close(self) -> None:
        """Stop listening, end every stream and connection."""
        self._door.close()


def serve(
    table: TablePort,
    access: AccessPort,
    host: str,
    port: int,
    library: Library | None = None,
    wrap: Wrap | None = None,
    guard: Guard | None = None,
    machine: MachinePort | None = None,
) -> Server:
    """Open the page of a table at this address; port 0 lets the system choose.

    Args:
        wrap: puts something before the page's app, such as an `annex.Annex`.
        guard: who may come in; None: whoever has a key of `access`, by the machine's own names.
        machine: the computer, for the referee to look at; None: it is not the table's.

    Raises:
        OSError: the address is taken or not ours.
    """
    return Server(table, access, host, port, library, wrap, guard, machine)


# -- apps that are made when they are first asked for ---------------------------------------------


Make = Callable[[], "WSGIApplication"]


class Away(Exception):
    """An app that cannot be had now; the sentence says why."""


class Annex:
    """The app of a house with an annex.

    Args:
        house: answers all that the annex does not, and tells whoever asked why that is `Away`.
        make: makes the annex; where it raises `Away` it is tried again next time.
        paths: what the annex answers: these addresses, and all that lies under them.
    """

    def __init__(self, house: WSGIApplication, make: Make, paths: tuple[str, ...]) -> None:
        self._house, self._make, self._paths = house, make, paths
        self._lock = Lock()
        self._annex: WSGIApplication | None = None

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        if not is_under(str(environ.get("PATH_INFO", "")), self._paths):
            return self._house(environ, start)
        try:
            return self._open()(environ, start)
        except Away as away:
            return self._house({**environ, AWAY: str(away)}, start)

    def _open(self) -> WSGIApplication:
        with self._lock:
            # Under the lock: of two first requests only one makes it.
            if self._annex is None:
                self._annex = self._make()
            return self._annex


# -- apps in a process of their own ---------------------------------------------------------------


IDLE_S: Final = 600.0
ANSWER_S: Final = 60.0
AGAIN_S: Final = 5.0
"""After which a process that has died is started again."""
LEAVE_S: Final = 0.7
NICENESS: Final = 10
Part = tuple[tuple[str, ...], str, tuple[object, ...]]
"""The paths of an app, what makes it (`module:function`) of a guard, and of what else."""


class Elsewhere(Closing):
    """Apps in a second process, so that what is dear takes no turn of a press's and no memory of
    the table's. It is started when it is first asked, and ends when nobody has asked for a while.

    A line leads there, a pair of sockets: a request goes as a pickle, its answer comes back, one
    after the other. Where the line breaks the process has ended, or we have.

    Raises:
        Away: on a call, where it does not start, dies, or has no answer in time.
    """

    def __init__(self, guard: Guard, *parts: Part, idle_s: float = IDLE_S) -> None:
        self._guard, self._told = guard, (parts, idle_s)
        self._turn, self._is_closed = Lock(), False
        self._ours = socket.socket()  # one that leads nowhere yet
        self._line = self._ours.makefile("rwb")
        self._child: int | None = None
        self._status, self._died = 0, float("-inf")

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        told = self._guard.carry(environ), environ["wsgi.input"].read()
        with self._turn:
            try:
                if self._running() is None:
                    self._start()
                _say(self._line, told)
                status, headers, body = pickle.load(self._line)
            except (OSError, EOFError) as error:
                self._end()
                self._died = time.monotonic()
                why = error if isinstance(error, OSError) else f"status {self._status}"
                raise Away(f"the process that makes these pages does not serve: {why}") from error
        start(status, headers)
        return [body]

    def close(self) -> None:
        """End the process, whatever it is doing."""
        self._is_closed = True
        while not self._turn.acquire(timeout=0.1):  # it may just be starting
            self._hang_up()
        self._end()
        self._turn.release()

    def _start(self) -> None:
        if self._is_closed:
            raise Away("the table is being closed")
        if time.monotonic() - self._died < AGAIN_S:
            raise Away("the process that makes these pages ended a moment ago")
        self._hang_up()
        self._ours, theirs = socket.socketpair()
        self._ours.settimeout(ANSWER_S)
        self._line = self._ours.makefile("rwb")
        paths = os.pathsep.join(map(os.path.abspath, sys.path))
        with theirs:
            self._child = os.posix_spawn(
                sys.executable,
                [sys.executable, "-P", "-c", CHILD],
                {**os.environ, "PYTHONPATH": paths, "MALLOC_ARENA_MAX": "1"},
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, theirs.fileno(), 0),
                    (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                ],
                setsid=True,  # Ctrl-C is for the table, which ends it
            )
        _say(self._line, self._told)

    def _running(self) -> int | None:
        if self._child is not None:
            try:
                ended, status = os.waitpid(self._child, os.WNOHANG)
            except ChildProcessError:  # the system was told to forget what ends
                ended, status = self._child, 0
            if ended:
                self._child, self._status = None, os.waitstatus_to_exitcode(status)
        return self._child

    def _hang_up(self) -> None:
        with suppress(OSError):
            self._ours.shutdown(socket.SHUT_RDWR)
        self._ours.close()

    def _end(self) -> None:
        """Break the line, which ends the process; what takes too long over it is killed."""
        self._hang_up()
        until = time.monotonic() + LEAVE_S
        while (child := self._running()) is not None:
            if time.monotonic() > until:
                os.kill(child, signal.SIGKILL)
            time.sleep(0.01)


CHILD: Final = "from companion_web.app import answer_elsewhere; answer_elsewhere()"


def _say(line: BufferedRWPair, told: object) -> None:
    pickle.dump(told, line)
    line.flush()


def answer_elsewhere() -> None:
    """Be the second process: answer on the line, its stdin, until it breaks or nobody asks."""
    make_way(NICENESS)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGTERM, signal.SIGINT))
    with ExitStack() as opened, socket.socket(fileno=0) as sock:
        line = sock.makefile("rwb")
        parts, idle_s = pickle.load(line)
        sock.settimeout(idle_s)
        app = _with_parts(parts, opened)
        while told := _heard(line):
            environ, body = told
            answer = call(app, environ | {"wsgi.input": BytesIO(body), "wsgi.errors": sys.stderr})
            with suppress(OSError):  # nobody is there any more
                _say(line, answer)


def _heard(line: BufferedRWPair) -> Any:
    with suppress(EOFError, OSError):
        return pickle.load(line)


def _with_parts(parts: Iterable[Part], opened: ExitStack) -> WSGIApplication:
    guard = Believing(KeeperPin(""))
    app: WSGIApplication = behind(guard)

    def make(name: str, given: tuple[object, ...]) -> WSGIApplication:
        made: WSGIApplication = resolve_name(name)(guard, *given)
        if isinstance(made, Closing):
            opened.callback(made.close)
        return made

    for paths, name, given in parts:
        app = Annex(app, partial(make, name, given), paths)
    return app
