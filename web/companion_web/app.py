"""The page's server: its door, what belongs to the play, and the apps behind it.

An app is made, and what it needs is imported, when it is first asked: the seats at a table do not
wait for a page that nobody has opened yet. What is dear to make is made by a second process.
"""

from __future__ import annotations

import os
import pickle
import re
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from functools import partial
from io import BufferedRWPair, BytesIO
from pkgutil import resolve_name
from threading import Lock
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from companion.system.host import Closing, make_way
from companion.table.ports import AccessPort, TablePort
from companion.views.words import LANGUAGES, phrase, words
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
from companion_web.guard import AWAY, TABLE, Believing, Guard, KeeperPin, Problem
from companion_web.streams import CHANGES, Streams, notice

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

    from companion_web.api import MachinePort
    from companion_web.pages import Library


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
    """The page of a table, open at this address; port 0 lets the system choose. A context manager;
    `close` may be called twice.

    Args:
        wrap: puts something before the page's app, such as an `Annex`.
        guard: who may come in; None: whoever has a key of `access`, by the machine's own names.
        machine: the computer, for the referee to look at; None: it is not the table's.

    Raises:
        OSError: the address is taken or not ours.
    """

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

        def make() -> WSGIApplication:
            # Imported here: until somebody opens a page, nobody waits for what pages need.
            from companion_web.pages import create_app

            return create_app(table, access, library, guard, machine, self.streams.announce)

        self.streams = Streams(table)
        """The open streams."""
        app, listening = Later(make), listen(host, port)
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

    def warm_up(self) -> bool:
        """Ask ourselves for what a phone asks first: it is imported and made once. Whether a page
        can be made; never fails."""
        parts, told = urlsplit(self.url), b""
        for path in (b"/api/table", b"/"):
            address = parts.hostname, self.port
            with suppress(OSError), socket.create_connection(address, ANSWER_S) as asked:
                asked.sendall(b"GET %b HTTP/1.0\r\nHost: localhost\r\n\r\n" % path)
                told = asked.recv(1 << 16)
                while asked.recv(1 << 16):
                    pass
        return b" 500 " not in told.partition(b"\r\n")[0]

    def close(self) -> None:
        """Stop listening, end every stream and connection."""
        self._door.close()


serve = Server


# -- apps that are made when they are first asked for ---------------------------------------------


Make = Callable[[], "WSGIApplication"]


class Away(Exception):
    """An app that cannot be had now; the sentence says why."""


class Later:
    """An app that is made when it is first asked, and made again where that failed."""

    def __init__(self, make: Make) -> None:
        self._make, self._lock = make, Lock()
        self._made: WSGIApplication | None = None

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        with self._lock:  # of two first requests only one makes it
            app = self._made = self._made or self._make()
        return app(environ, start)


class Annex:
    """The app of a house with an annex.

    Args:
        house: answers all that the annex does not, and tells whoever asked why that is `Away`.
        make: makes the annex; where it raises `Away` it is tried again next time.
        paths: what the annex answers: these addresses, and all that lies under them.
    """

    def __init__(self, house: WSGIApplication, make: Make, paths: tuple[str, ...]) -> None:
        self._house, self._annex, self._paths = house, Later(make), paths

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        if not is_under(str(environ.get("PATH_INFO", "")), self._paths):
            return self._house(environ, start)
        try:
            return self._annex(environ, start)
        except Away as away:
            return self._house({**environ, AWAY: str(away)}, start)


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
    from companion_web.pages import behind

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
