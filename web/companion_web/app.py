"""The Flask app of one table, and what every answer of it carries.

Two small blueprints stand here too: joining by the one code for all, and the computer itself, which
the referee may have examined and switched off.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from http import HTTPStatus
from typing import Final, Protocol

from flask import Blueprint, Flask, Response, current_app, request
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Rule

from companion.table.ports import AccessPort, Caller, TablePort
from companion_web import api, pages
from companion_web.api import read_object, reply_json, reply_problem
from companion_web.assets import format_qr, serve_assets
from companion_web.guard import AWAY, TABLE, Bucket, Guard, Problem, malformed, too_many
from companion_web.pages import Boards, Library, NoTracks, reply_page

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
        pages.blueprint(table),
        pages.drawn_blueprint(boards),
        pages.tracks_blueprint(table, library, boards, guard),
        api.blueprint(table, access, guard),
        blueprint(table, access, guard, machine),
        api.referee_blueprint(table, guard),
        machine_blueprint(machine, guard),
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
