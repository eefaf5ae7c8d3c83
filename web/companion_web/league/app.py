"""The Flask app of the league: its pages, and of a club's server what its tables send to it.

A club's server: a door, in several processes where gunicorn is installed to watch over them.
"""

from __future__ import annotations

import logging
import os
import select
import signal
import socket
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from http import HTTPStatus
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from flask import Flask, Response, abort, request
from gevent import get_hub
from werkzeug.exceptions import HTTPException

from companion.league.errors import LeagueError
from companion.league.league import League
from companion.league.receiving import LiveFiles
from companion_web.api import describe
from companion_web.assets import serve_assets
from companion_web.door import BODY_BYTES, Door, Doorkeeper, Lane, Shares, TakeStream, listen
from companion_web.guard import LONGEST_PIN, TABLE, Guard, Problem, bearer_of
from companion_web.league import doors, drawings, exports, pages, reviews
from companion_web.league import live as live_page
from companion_web.league.doors import LeagueAccess
from companion_web.league.exports import LARGEST_RECORD, RECORDS, TABLES
from companion_web.league.live import STREAM, LiveNews
from companion_web.pages import (
    Boards,
    NoTracks,
    harden,
    reply_away,
    reply_http_error,
    reply_refusal,
)
from companion_web.streams import Streams

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication, WSGIEnvironment


# -- app ------------------------------------------------------------------------------------------


_log = logging.getLogger(__name__)


def create_league_app(
    inbox: League | None = None,
    live: LiveFiles | None = None,
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
        app.register_blueprint(exports.receive_blueprint(inbox, live))
    if access is not None:
        _add_pages(app, access)
        if live is not None:
            app.register_blueprint(live_page.blueprint(live))
            app.add_url_rule("/robots.txt", view_func=_send_robots)
    app.add_url_rule("/api/openapi.json", view_func=describe)
    app.after_request(harden)
    app.after_request(_tell_robots)
    app.register_error_handler(Problem, reply_refusal)
    app.register_error_handler(LeagueError, _tell_trouble)
    app.register_error_handler(HTTPException, reply_http_error)
    return app


def _tell_robots(response: Response) -> Response:
    """Results are for people; what a club shows is not for search engines to keep."""
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response


def _tell_trouble(trouble: LeagueError) -> Response:
    """A database that is away, a file that is broken: tried again with the next page."""
    _log.warning("%s", trouble)
    return reply_away(trouble.public)


def _refuse_what_nobody_writes() -> None:
    """No key and no name has a sign in it that cannot be printed, and PostgreSQL takes no NUL."""
    if not request.path.isprintable():
        abort(HTTPStatus.NOT_FOUND)


def _send_robots() -> Response:
    return Response("User-agent: *\nDisallow: /\n", mimetype="text/plain")


def _add_pages(app: Flask, access: LeagueAccess) -> None:
    boards = Boards(NoTracks())

    def catch_up() -> None:
        """What has come since the last page is on this one, and a change is made from it: another
        process may have written it."""
        access.catch_up()

    for make in (
        pages.blueprint,
        pages.organise_blueprint,
        pages.entries_blueprint,
        doors.posts_blueprint,
        drawings.blueprint,
        reviews.blueprint,
        reviews.coach_blueprint,
        partial(reviews.replay_blueprint, boards=boards),
        exports.blueprint,
        exports.answers_blueprint,
    ):
        blueprint = make(access)
        blueprint.before_request(catch_up)
        app.register_blueprint(blueprint)
    app.extensions["companion_guard"] = access.guard
    app.before_request(lambda: access.guard.admit(request.environ))
    app.before_request(_refuse_what_nobody_writes)
    app.after_request(lambda response: access.guard.leave_mark(request, response))


# -- server ---------------------------------------------------------------------------------------


THREADS: Final = 16
SLOWEST_S: Final = 60.0
"""How long a record may take to arrive: a club's tables may be far away."""
STOP: Final = (signal.SIGINT, signal.SIGTERM)

MakeClub = Callable[[], "tuple[WSGIApplication, Doorkeeper]"]
"""Makes the app, in the process that serves it: a database's connections are not inherited."""


class ClubKeeper(Doorkeeper):
    """At a club's door: what is sent is waited for where a key comes with it that is good for it:
    a table's, the PIN, the link of a person.

    Args:
        opened: what was opened for the club, and is closed with its door.
    """

    most, most_bytes = 4096, 64 * LARGEST_RECORD
    lanes = (Lane(THREADS, THREADS),)

    def __init__(
        self,
        inbox: League,
        guard: Guard,
        live: LiveNews | None = None,
        opened: ExitStack | None = None,
    ) -> None:
        self._opened = opened or ExitStack()
        self._inbox = inbox
        self._guard = guard
        self._live = live
        self._streams = None if live is None else Streams(live)

    def open(self, shares: Shares) -> None:
        if self._streams is not None:
            self._streams.open(shares)

    def stream(self, environ: WSGIEnvironment) -> TakeStream | None:
        asked = (environ["REQUEST_METHOD"], environ["PATH_INFO"])
        is_ours = asked == ("GET", STREAM) and self._guard.hosts.admits(environ.get("HTTP_HOST"))
        return (
            partial(self._streams.add, (TABLE,)) if is_ours and self._streams is not None else None
        )

    def close(self) -> None:
        if self._streams is not None and self._live is not None:
            self._streams.close()
            self._live.close()
        self._opened.close()

    def body_bytes(self, environ: WSGIEnvironment) -> int:
        try:
            self._guard.admit(environ)
            if not environ["PATH_INFO"].startswith(TABLES) and not self._is_member(environ):
                self._guard.judge(environ)
        except Problem:
            return 0  # the app says which
        if environ["PATH_INFO"] != RECORDS:
            return BODY_BYTES
        # The keys are in the database, which may keep somebody waiting: not this thread.
        owner = get_hub().threadpool.apply(self._inbox.table_of, (bearer_of(environ),))
        return LARGEST_RECORD if owner else 0

    def _is_member(self, environ: WSGIEnvironment) -> bool:
        key = bearer_of(environ)
        if len(key) <= LONGEST_PIN:
            return False
        return get_hub().threadpool.apply(self._inbox.member, (key,)) is not None


def has_gunicorn() -> bool:
    """Whether several processes can serve."""
    return find_spec("gunicorn") is not None


def serve_club(make_club: MakeClub, host: str, port: int, *, workers: int | None = None) -> None:
    """Serve until a signal says stop.

    Args:
        workers: processes; None is one a core and one more. Without gunicorn there is one.

    Raises:
        OSError: the address is taken or not ours.
    """
    listening = listen(host, port)
    if has_gunicorn():
        host = listening.getsockname()[0]  # of both kinds of addresses, where it is all of them
        listening.close()  # gunicorn would try for seconds, and say what is wrong in its own way
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP)  # our starter may have held them back
        _serve_with_gunicorn(make_club, host, port, workers or (os.cpu_count() or 1) + 1)
        return
    signal.pthread_sigmask(signal.SIG_BLOCK, STOP)
    with _open(make_club, listening):
        signal.sigwait(STOP)


def _open(make_club: MakeClub, listening: socket.socket) -> Door:
    app, keeper = make_club()
    return Door(app, listening, keeper, request_s=SLOWEST_S)


def _serve_with_gunicorn(make_club: MakeClub, host: str, port: int, workers: int) -> None:
    # Imported here: a club without the extra does without it.
    from gunicorn.app.base import BaseApplication
    from gunicorn.workers.base import Worker

    class Process(Worker):  # type: ignore[misc]  # gunicorn has no types
        """One of the processes: gunicorn's for life and death, a door for everything else."""

        def load_wsgi(self) -> None:
            """The door brings its app."""

        def run(self) -> None:
            """Serve until gunicorn says stop, or is gone."""
            with _open(make_club, self.sockets[0].sock):
                while self.alive and self.ppid == os.getppid():
                    self.notify()
                    select.select([self.PIPE[0]], [], [], 1.0)

    class Club(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
        """Gunicorn with our settings and no file of its own."""

        def load_config(self) -> None:
            """The settings."""
            settings: dict[str, Any] = {
                "bind": f"[{host}]:{port}" if ":" in host else f"{host}:{port}",
                "workers": workers,
                "worker_class": Process,
                "timeout": round(SLOWEST_S),
                "proc_name": "companion",
                "control_socket_disable": True,
            }
            for name, value in settings.items():
                if name in self.cfg.settings:
                    self.cfg.set(name, value)

    Club().run()
