"""HTTP for many clients of which some are slow: gevent waits, threads work.

One thread, gevent's hub, waits for every socket. A request is whole, head and body, within one
deadline before a worker sees it, and its answer is whole before a byte of it is sent: a client
that says nothing, writes a byte a second or does not read costs some kilobytes, and nobody
else's time. Workers are plain threads, as Flask and the table expect them. Nothing is
monkey-patched: no other thread of the process notices that there is a hub.

What this cannot do: an app that keeps all workers busy makes others wait.
"""

from __future__ import annotations

import errno
import os
import resource
import socket
from http import HTTPStatus
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, Final

from gevent import Timeout, get_hub, sleep
from gevent.event import Event
from gevent.pywsgi import WSGIServer
from gevent.threadpool import ThreadPool

from companion.closing import Closing
from companion_web.complaints import Complaint
from companion_web.handler import Answered, Handler, TakeStream, call, refused
from companion_web.shares import Shares

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication, WSGIEnvironment

WORKERS: Final = 8
BACKLOG: Final = 512
REQUEST_S: Final = 10.0
"""From the first byte of a request to its last."""
BODY_BYTES: Final = 64 * 1024
STOP_S: Final = 1.0
BACK_OFF_S: Final = 0.1
NO_MORE_FILES: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
SPARE_FILES: Final = 32
"""Open files that connections leave to the rest of the program."""
FEWEST: Final = 8


class Doorkeeper:
    """What a door asks in its own thread, about a request of which it has the head."""

    def open(self, shares: Shares) -> None:
        """The door opens, in this thread."""

    def body_bytes(self, environ: WSGIEnvironment) -> int:
        """How many bytes of a body to wait for; 0 where the app refuses it unread."""
        return BODY_BYTES

    def stream(self, environ: WSGIEnvironment) -> TakeStream | None:
        """What takes the connection over, where a stream is asked for; None: the app answers."""
        return None

    def close(self) -> None:
        """The door closes."""


class Listener(WSGIServer):  # type: ignore[misc]  # gevent has no types
    """gevent's server, with what its connections share."""

    handler_class = Handler
    keeper: Doorkeeper
    shares: Shares
    workers: ThreadPool
    request_s: float

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._full, self._short = Complaint(), Complaint()

    def do_read(self) -> Any:
        """The next connection; where no file can be opened, room is made and it has to wait."""
        try:
            return super().do_read()
        except OSError as error:
            if error.errno not in NO_MORE_FILES:
                raise
            self._full.say(f"{error.strerror}: the silent connections are closed (LimitNOFILE)")
        self.shares.make_room()
        # The connection still waits, and gevent's loop would ask for it without a pause.
        self.stop_accepting()
        self._timer = self.loop.timer(BACK_OFF_S)
        self._timer.start(self._start_accepting_if_started)
        return None

    def ask(self, environ: WSGIEnvironment) -> Answered:
        """The app's answer, by a worker."""
        try:
            answered: Answered = self.workers.apply(call, (self.application, environ))
        except (MemoryError, RuntimeError) as error:
            if not is_short_of_memory(error):
                raise
            self._short.say(f"memory is short, a request was refused: {error}")
            return refused(HTTPStatus.SERVICE_UNAVAILABLE, "no-memory", "memory is short")
        return answered


def is_short_of_memory(error: Exception) -> bool:
    """Whether the system has no more memory, or none for another thread."""
    return isinstance(error, MemoryError) or "start new thread" in str(error)


class Door(Closing):
    """An open door: a thread that serves an app. `close` may be called twice.

    Args:
        request_s: how long a request may take to arrive.

    Raises:
        OSError: the address is taken or not ours.
    """

    def __init__(
        self,
        app: WSGIApplication,
        listening: socket.socket,
        keeper: Doorkeeper | None = None,
        *,
        workers: int = WORKERS,
        request_s: float = REQUEST_S,
    ) -> None:
        self._app, self._keeper = app, keeper or Doorkeeper()
        self._listening, self._workers, self._request_s = listening, workers, request_s
        self._address: tuple[str, int] = listening.getsockname()[:2]
        listening.setblocking(False)
        opened: SimpleQueue[BaseException | None] = SimpleQueue()
        self._thread = Thread(target=self._run, args=(opened,), name="page", daemon=True)
        self._thread.start()
        if (trouble := opened.get()) is not None:
            raise trouble

    @property
    def url(self) -> str:
        """Where it is on this machine."""
        host, port = self._address
        name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)
        return f"http://{name}:{port}/"

    @property
    def port(self) -> int:
        """The port it listens at (chosen by the system where 0 was asked for)."""
        return self._address[1]

    def close(self) -> None:
        """Stop listening, end every stream and connection."""
        if self._thread.is_alive():
            self._loop.run_callback_threadsafe(self._stop.set)
        self._thread.join()
        self._listening.close()

    def _run(self, opened: SimpleQueue[BaseException | None]) -> None:
        hub = get_hub()
        self._loop, self._stop = hub.loop, Event()
        try:
            server = self._server = self._make(hub)
            self._keeper.open(server.shares)
            server.start()
        except BaseException as trouble:
            opened.put(trouble)
            return
        opened.put(None)
        self._stop.wait()
        server.close()
        self._keeper.close()
        self._send_home(server)
        hub.destroy(destroy_loop=True)

    def _make(self, hub: Any) -> Listener:
        # A name of its own, or gevent would ask the network for one.
        environ = {"SERVER_NAME": self._listening.getsockname()[0]}
        server = Listener(self._listening, self._app, log=None, environ=environ)
        server.keeper, server.shares = self._keeper, Shares(most_connections())
        server.workers = ThreadPool(self._workers, hub=hub)
        server.request_s = self._request_s
        return server

    def _send_home(self, server: Listener) -> None:
        """Let those whose request is being carried out have their answer, if it comes soon."""
        with Timeout(STOP_S, False):
            while any(guest.is_busy for guest in server.shares):
                sleep(0.01)
        for guest in server.shares:
            guest.leave()
        sleep(0)
        server.workers.kill()


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens at this address.

    Raises:
        OSError: the address is taken or not ours.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server(
        (host, port), family=family, backlog=BACKLOG, dualstack_ipv6=host == "::"
    )


def most_connections() -> int:
    """How many connections the limit of open files leaves room for."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(FEWEST, soft - len(os.listdir("/proc/self/fd")) - SPARE_FILES)
