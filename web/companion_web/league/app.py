"""The Flask app of the league: its pages, and of a club's server what its tables send to it."""

from __future__ import annotations

import logging
from http import HTTPStatus

from flask import Flask, Response, abort, request
from werkzeug.exceptions import HTTPException

from companion.league.errors import LeagueError
from companion.league.ports import Inbox, LiveTables
from companion_web.api import describe
from companion_web.app import harden, reply_http_error
from companion_web.assets import serve_assets
from companion_web.boards import Boards, NoTracks
from companion_web.league import (
    drawings,
    entries,
    ergast,
    exports,
    live_page,
    organise,
    pages,
    posts,
    puzzles,
    receive,
    replay,
    reviews,
)
from companion_web.league.access import LeagueAccess
from companion_web.pages import reply_page
from companion_web.problems import Problem, reply_problem

_log = logging.getLogger(__name__)
FOR_PROGRAMS = ("/api/", "/ergast/")
"""Addresses whose troubles are told in JSON."""


def create_league_app(
    inbox: Inbox | None = None,
    live: LiveTables | None = None,
    access: LeagueAccess | None = None,
) -> Flask:
    """The app of a league.

    Args:
        inbox: with `live`, where the tables of a club leave their records; None: no club's server.
        access: the league for its pages; None: none are served.
    """
    app = Flask("companion_web", static_folder=None)
    serve_assets(app)
    app.json.sort_keys = False  # type: ignore[attr-defined]  # Flask's own provider has it
    if inbox is not None and live is not None:
        app.register_blueprint(receive.blueprint(inbox, live))
    if access is not None:
        _add_pages(app, access)
        if live is not None:
            app.register_blueprint(live_page.blueprint(live))
            app.add_url_rule("/robots.txt", view_func=_send_robots)
    app.add_url_rule("/api/openapi.json", view_func=describe)
    app.after_request(harden)
    app.after_request(_tell_robots)
    app.register_error_handler(Problem, reply_problem)
    app.register_error_handler(LeagueError, _reply_trouble)
    app.register_error_handler(HTTPException, reply_http_error)
    return app


def _tell_robots(response: Response) -> Response:
    """Results are for people; what a club shows is not for search engines to keep."""
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response


def _reply_trouble(trouble: LeagueError) -> Response:
    """A database that is away, a file that is broken: told, and tried again with the next page."""
    _log.warning("%s", trouble)
    if request.path.startswith(FOR_PROGRAMS):
        problem = Problem(HTTPStatus.SERVICE_UNAVAILABLE, "later", trouble.public)
        response = reply_problem(problem)
    else:
        response = reply_page("league/away.html", message=trouble.public)
        response.status_code = HTTPStatus.SERVICE_UNAVAILABLE
    response.headers["Retry-After"] = "10"
    return response


def _refuse_what_nobody_writes() -> None:
    """No key and no name has a sign in it that cannot be printed, and PostgreSQL takes no NUL."""
    if not request.path.isprintable():
        abort(HTTPStatus.NOT_FOUND)


def _send_robots() -> Response:
    return Response("User-agent: *\nDisallow: /\n", mimetype="text/plain")


def _add_pages(app: Flask, access: LeagueAccess) -> None:
    boards = Boards(NoTracks())
    for room in (pages, organise, entries, drawings, reviews, puzzles, posts, exports, ergast):
        app.register_blueprint(room.blueprint(access))
    app.register_blueprint(replay.blueprint(access, boards))
    app.before_request(lambda: access.guard.admit(request.environ))
    app.before_request(_refuse_what_nobody_writes)
    app.after_request(lambda response: access.guard.leave_mark(request, response))
