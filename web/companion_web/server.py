"""The HTTP server of a table: its app behind the door, with guard and streams."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from http import HTTPStatus
from threading import Lock
from typing import TYPE_CHECKING, Final

from flask import Response

from companion.system.host import Closing
from companion.table.ports import AccessPort, TablePort
from companion.views.words import LANGUAGES, phrase, words
from companion_web.app import MachinePort, create_app
from companion_web.door import BODY_BYTES, Door, Doorkeeper, Shares, TakeStream, listen
from companion_web.guard import Guard, Problem
from companion_web.pages import Library
from companion_web.streams import CHANGES, TABLE, Streams, notice

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


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
            if self._annex is None:
                self._annex = self._make()
            return self._annex
