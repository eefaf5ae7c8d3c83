"""The Flask app of one table, put together from its blueprints."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from http import HTTPStatus
from typing import Final

from flask import Blueprint, Flask, Response, request
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Rule

from companion.table.ports import AccessPort, TablePort
from companion_web import api, joining, pages, referee, tracks
from companion_web import machine as of_machine
from companion_web.assets import serve_assets
from companion_web.boards import Boards, Library, NoTracks
from companion_web.guard import Guard
from companion_web.machine import MachinePort
from companion_web.problems import Problem, malformed, reply_problem

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
    machine = machine or of_machine.NoMachine()
    boards = Boards(library)
    app = behind(
        guard,
        pages.blueprint(table, boards),
        tracks.blueprint(table, library, boards, guard),
        api.blueprint(table, access, guard),
        joining.blueprint(table, access, guard, machine),
        referee.blueprint(table, guard),
        of_machine.blueprint(machine, guard),
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
