"""The HTTP server of a table: ordinary requests on worker threads, streams on one epoll loop."""

from __future__ import annotations

import socket
from collections.abc import Callable
from threading import Thread
from typing import TYPE_CHECKING, Final

from cheroot import wsgi

from companion.closing import Closing
from companion.table.ports import AccessPort, TablePort
from companion_web.app import create_app
from companion_web.boards import Library
from companion_web.bodies import BODY_LIMIT
from companion_web.streams import TABLE, Streams
from companion_web.wire import ChunkedBody, drain

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

WORKERS: Final = 8
BACKLOG: Final = 256
IDLE_S: Final = 10
Wrap = Callable[["WSGIApplication"], "WSGIApplication"]
"""Puts another app before the page's."""
STREAM_TABLE: Final = b"/api/stream"


def parse_topic(path: bytes) -> int | None:
    """Which stream a path asks for; None: none.

    >>> [parse_topic(path) for path in (b"/api/stream", b"/api/seat/3/stream", b"/")]
    [0, 3, None]
    """
    if path == STREAM_TABLE:
        return TABLE
    match path.split(b"/"):
        case [b"", b"api", b"seat", number, b"stream"] if number.isdigit() and len(number) < 4:
            return int(number)
    return None


class Gateway(wsgi.Gateway_10):
    """Between a parsed request and the app: hands streams over, bounds bodies."""

    def respond(self) -> None:
        """Answer the request, or give its connection away."""
        topic = parse_topic(self.req.path) if self.req.method == b"GET" else None
        if topic is not None and self.req.server.streams.has_room():
            self._hand_over(topic)
        elif topic is not None:
            self._refuse("503 Service Unavailable", "too many streams are open")
        elif self._length() < 0:
            self._refuse("400 Bad Request", "a body cannot have a negative length")
        else:
            self._respond_within_bounds()

    def _respond_within_bounds(self) -> None:
        req = self.req
        if req.chunked_read:
            self.env["wsgi.input"] = ChunkedBody(req.conn.rfile)
        self.env["wsgi.input_terminated"] = True
        is_unbounded = req.chunked_read or self._length() > BODY_LIMIT
        if is_unbounded:
            # Else cheroot would read the rest of the body into memory before it answers.
            req.close_connection = True
        super().respond()
        if is_unbounded:
            drain(req.conn.socket)

    def _length(self) -> int:
        return int(self.req.inheaders.get(b"Content-Length", 0))

    def _hand_over(self, topic: int) -> None:
        """Take the socket out of cheroot's connection, which then has nothing to close."""
        req = self.req
        req.sent_headers = True
        req.close_connection = True
        req.conn.linger = True
        self.req.server.streams.adopt(socket.socket(fileno=req.conn.socket.detach()), topic)

    def _refuse(self, status: str, message: str) -> None:
        self.req.sent_headers = True
        self.req.close_connection = True
        self.req.simple_response(status, message)


class _HTTPServer(wsgi.Server):
    """Cheroot with our gateway; its errors are those of clients and stay out of the log."""

    streams: Streams

    def bind(self, family: int, type: int, proto: int = 0) -> socket.socket:
        """As cheroot's, but a socket that cannot be bound is closed."""
        sock: socket.socket = self.prepare_socket(
            self.bind_addr, family, type, proto, self.nodelay, None
        )
        try:
            sock.bind(self.bind_addr)
        except OSError:
            sock.close()
            raise
        self.socket = sock
        self.bind_addr = sock.getsockname()[:2]
        return sock

    def error_log(self, msg: str = "", level: int = 20, traceback: bool = False) -> None:
        """Log what is an error of ours only (level 40 is logging.ERROR)."""
        if level >= 40:
            super().error_log(msg, level, traceback)


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
    ) -> None:
        app = create_app(table, access, library)
        self._http = _HTTPServer(
            (host, port),
            wrap(app) if wrap else app,
            numthreads=WORKERS,
            server_name=host,
            request_queue_size=BACKLOG,
            timeout=IDLE_S,
            shutdown_timeout=1,
        )
        self._http.gateway = Gateway
        self._http.max_request_header_size = 16 * 1024
        self._http.software = "companion"
        self._http.prepare()
        self._http.streams = Streams(table)
        self._thread = Thread(target=self._http.serve, name="page", daemon=True)
        self._thread.start()
        self._is_closed = False

    @property
    def port(self) -> int:
        """The port it listens at (chosen by the system where 0 was asked for)."""
        return int(self._http.bind_addr[1])

    @property
    def url(self) -> str:
        """Where the page is on this machine."""
        host = self._http.bind_addr[0]
        name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)
        return f"http://{name}:{self.port}/"

    @property
    def streams(self) -> Streams:
        """The open streams."""
        return self._http.streams

    def close(self) -> None:
        """Stop listening, end every stream and connection."""
        if self._is_closed:
            return
        self._is_closed = True
        self._http.streams.close()
        self._http.stop()
        self._thread.join()


def serve(
    table: TablePort,
    access: AccessPort,
    host: str,
    port: int,
    library: Library | None = None,
    wrap: Wrap | None = None,
) -> Server:
    """Open the page of a table at this address; port 0 lets the system choose.

    Args:
        wrap: puts something before the page's app, such as an `annex.Annex`.

    Raises:
        OSError: the address is taken or not ours.
    """
    return Server(table, access, host, port, library, wrap)
