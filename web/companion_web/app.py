"""The Flask app of one table, what every answer of it carries, and its server.

Two small blueprints stand here too: joining by the one code for all, and the computer itself, which
the referee may have examined and switched off.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache, partial
from http import HTTPStatus
from threading import Lock
from typing import TYPE_CHECKING, Final, Protocol

from flask import Blueprint, Flask, Response, request
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Rule

from companion.system.host import Closing
from companion.table.ports import AccessPort, Caller, TablePort
from companion.views.words import LANGUAGES, phrase, words
from companion_web import api, pages
from companion_web.api import read_object
from companion_web.assets import format_qr, serve_assets
from companion_web.door import BODY_BYTES, Door, Doorkeeper, Shares, TakeStream, listen
from companion_web.guard import (
    TABLE,
    Bucket,
    Guard,
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
) -> Flask:
    """The page of a table.

    `library` has the boards by the names that a header has for them; without it, and where it
    lacks one, the page does without a drawing.
    """
    guard = guard or Guard(access)
    library = library or NoTracks()
    machine = machine or NoMachine()
    boards = Boards(library)
    app = behind(
        guard,
        pages.blueprint(table, boards),
        pages.tracks_blueprint(table, library, boards, guard),
        api.blueprint(table, access, guard),
        blueprint(table, access, guard, machine),
        api.referee_blueprint(table, guard),
        machine_blueprint(machine, guard),
    )
    app.json.sort_keys = False  # type: ignore[attr-defined]  # Flask's own provider has it
    app.extensions["companion_guard"] = guard
    app.register_error_handler(HTTPException, reply_http_error)
    return app


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
    # Flask goes through these from the last to the first, so compressing ends it.
    app.after_request(compress)
    app.after_request(harden)
    app.after_request(lambda response: guard.leave_mark(request, response))
    app.register_error_handler(Problem, reply_problem)
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


# -- joining by one code --------------------------------------------------------------------------


KEYS = frozenset({"name", "color"})
# Each is a file of the journal: nobody without a key fills the disk.
DEMOS_AT_ONCE: Final = 12
DEMOS_A_SECOND: Final = 0.1


def blueprint(
    table: TablePort, access: AccessPort, guard: Guard, machine: MachinePort
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
        if network := machine.hotspot():
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


class NoMachine:
    """A computer that is not the table's to look after."""

    def examine(self) -> Mapping[str, object]:
        """Nothing."""
        return {"ok": True, "findings": []}

    def hotspot(self) -> Mapping[str, str] | None:
        """None."""
        return None

    def switch(self, power: str) -> str:
        """No."""
        return "this computer is not the table's to switch"


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
        power = read_object(request).get("power")
        if not isinstance(power, str) or power not in POWER:
            raise malformed("bad-power", f"power is one of {', '.join(POWER)}")
        if why := machine.switch(power):
            raise Problem(HTTPStatus.CONFLICT, "no-power", why)
        return reply_json({"ok": True})

    return of_machine


# -- the server -----------------------------------------------------------------------------------


GUESSING: Final = phrase("Somebody guesses the referee's PIN.")
Wrap = Callable[["WSGIApplication"], "WSGIApplication"]
"""Puts another app before the page's."""


def parse_topic(path: str, query: str = "") -> int | None:
    """Which stream an address asks for; None: none.

    >>> [parse_topic(path) for path in ("/api/stream", "/api/seat/3/stream", "/")]
    [0, 3, None]
    """
    match path.split("/"):
        case ["", "api", "stream"]:
            return CHANGES if "changes" in query.split("&") else TABLE
        case ["", "api", "seat", number, "stream"] if number.isdecimal() and len(number) < 4:
            return int(number)
    return None


class _Keeper(Doorkeeper):
    """At a table's door: who asks for a stream, and whose body is worth waiting for."""

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

    def stream(self, environ: WSGIEnvironment) -> TakeStream | None:
        if environ["REQUEST_METHOD"] != "GET":
            return None
        topic = parse_topic(environ["PATH_INFO"], environ["QUERY_STRING"])
        if topic is None or not self._guard.hosts.admits(environ.get("HTTP_HOST")):
            return None
        return partial(self._streams.add, topic)

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
        app = create_app(table, access, library, guard, machine)
        listening = listen(host, port)
        self.streams = Streams(table)
        """The open streams."""
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


class Annex:
    """The app of a house with an annex.

    Args:
        house: answers all that the annex does not.
        make: makes the annex; what it raises is told to whoever asked, and tried again next time.
        paths: what the annex answers: these addresses, and all that lies under them.
        troubles: what `make` may raise.
    """

    def __init__(
        self,
        house: WSGIApplication,
        make: Make,
        paths: tuple[str, ...],
        troubles: tuple[type[Exception], ...] = (),
    ) -> None:
        self._house = house
        self._make = make
        self._paths = paths
        self._troubles = troubles
        self._lock = Lock()
        self._annex: WSGIApplication | None = None

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        path = str(environ.get("PATH_INFO", ""))
        if not any(path == one or path.startswith(f"{one}/") for one in self._paths):
            return self._house(environ, start)
        try:
            annex = self._open()
        except self._troubles as trouble:
            annex = Response(f"{trouble}\n", HTTPStatus.SERVICE_UNAVAILABLE, mimetype="text/plain")
        return annex(environ, start)

    def _open(self) -> WSGIApplication:
        with self._lock:
            # Under the lock: of two first requests only one makes it.
            if self._annex is None:
                self._annex = self._make()
            return self._annex
