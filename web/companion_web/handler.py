"""A connection at the door: its requests, one after the other, each whole before the app has it."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from flask import json
from gevent import Timeout
from gevent.pywsgi import Input, WSGIHandler

from companion_web.problems import Problem
from companion_web.shares import Guest

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication, WSGIEnvironment

    from companion_web.door import Listener

SILENT_S: Final = 10.0
"""How long a client may neither send nor take a byte."""
PIECE_BYTES: Final = 256 * 1024
HEAD_BYTES: Final = 16 * 1024
DRAIN_BYTES: Final = 32 * 1024 * 1024
DRAIN_S: Final = 5.0

TakeStream = Callable[[socket.socket, Guest], None]
Answered = tuple[str, list[tuple[str, str]], bytes]


class Handler(WSGIHandler):  # type: ignore[misc]  # gevent has no types
    """A connection: gevent's, with a deadline, bounds, and the app on a worker."""

    server: Listener
    result: list[bytes] | None
    wsgi_input: Input

    def handle(self) -> None:
        """One request after the other, the connection in its place among the shares."""
        sock = self.socket
        sock.settimeout(SILENT_S)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._guest = Guest(str(self.client_address[0]), lambda: _hang_up(sock))
        self.server.shares.enter(self._guest)
        try:
            super().handle()
        except OSError:
            return
        finally:
            if not self._guest.is_stream:
                self.server.shares.leave(self._guest)

    def handle_one_request(self) -> Any:
        """A request, once its first byte is here."""
        try:
            if not self.rfile.peek(1):
                return None
        except OSError:
            return None
        self._deadline = Timeout.start_new(self.server.request_s)
        try:
            return super().handle_one_request()
        except Timeout as late:
            self._must_be_ours(late)
            return "408", b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n"
        finally:
            self._deadline.close()

    def MessageClass(self, *_: object) -> Any:  # noqa: N802  # gevent's name
        """The headers, within bounds."""
        head = bytearray()
        while (line := self.rfile.readline(HEAD_BYTES)) not in (b"\r\n", b"\n"):
            head += line
            if not line or len(head) > HEAD_BYTES:
                raise ValueError("the head has no end")
        return super().MessageClass(BytesIO(bytes(head) + b"\r\n"))

    def run_application(self) -> None:
        """Answer a request whose head is here."""
        if (take := self.server.keeper.stream(self.environ)) is not None:
            self._hand_over(take)
            return
        try:
            is_whole = self._read_body()
        except Timeout as late:
            self._must_be_ours(late)
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, "too-slow", "the body took too long")
        except OSError:
            self._refuse(HTTPStatus.BAD_REQUEST, "bad-body", "the body is broken, or ended early")
        else:
            self._deadline.close()
            self.close_connection |= not is_whole
            self._send(*self._ask_app())
            if not is_whole:
                self._drain()

    def handle_error(self, kind: Any, error: Any, where: Any) -> None:
        """A client that has gone is no error of ours."""
        self.close_connection = True
        if not issubclass(kind, OSError):
            super().handle_error(kind, error, where)

    def _handle_client_error(self, _: Exception) -> tuple[str, bytes]:
        return "400", b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"

    def _must_be_ours(self, late: Timeout) -> None:
        if late is not self._deadline:
            raise late

    def _read_body(self) -> bool:
        """Put the body into the environ; False where the app is to refuse it unread."""
        most, length = self.server.keeper.body_bytes(self.environ), self.content_length or 0
        wire, self.wsgi_input = self.wsgi_input, Input(self.rfile, 0)
        body = b""
        if wire.chunked_input and most:
            body = wire.read(most + 1)
        elif length <= most:
            body = wire.read()
        self.environ["wsgi.input"] = BytesIO(body)
        self.environ["wsgi.input_terminated"] = self.environ["wsgi.multithread"] = True
        return 0 < len(body) <= most or not (length or wire.chunked_input)

    def _ask_app(self) -> Answered:
        self._guest.is_busy = True
        try:
            return self.server.ask(self.environ)
        finally:
            self._guest.is_busy = False
            self.server.shares.spoke(self._guest)

    def _refuse(self, status: HTTPStatus, key: str, message: str) -> None:
        self.close_connection = True
        self._send(*refused(status, key, message))

    def _send(self, status: str, headers: list[tuple[str, str]], body: bytes) -> None:
        # The time that a client has is for a piece, however long the whole may be.
        if self.close_connection:
            headers = [*headers, ("Connection", "close")]
        self.start_response(status, headers)
        self.result = [body[at : at + PIECE_BYTES] for at in range(0, len(body), PIECE_BYTES)]
        self.process_result()
        self.result = None

    def _drain(self) -> None:
        """Say that no more will be sent, and swallow what the client is still sending.

        Closed at once, the kernel would reset the connection, and the client might never see
        the answer.
        """
        left = DRAIN_BYTES
        with Timeout(DRAIN_S, False), suppress(OSError):
            self.socket.shutdown(socket.SHUT_WR)
            while left > 0 and (got := self.socket.recv(65536)):
                left -= len(got)

    def _hand_over(self, take: TakeStream) -> None:
        """Give the bare socket away; gevent's has nothing left to close."""
        self.headers_sent = self.close_connection = True
        self.server.shares.leave(self._guest)
        self._guest.is_stream = True
        take(socket.socket(fileno=self.socket.detach()), self._guest)


def refused(status: HTTPStatus, key: str, message: str) -> Answered:
    """The door's own answer, in the form of all others."""
    body = json.dumps(Problem(status, key, message).as_json()).encode() + b"\n"
    return f"{status.value} {status.phrase}", [("Content-Type", "application/json")], body


def call(app: WSGIApplication, environ: WSGIEnvironment) -> Answered:
    """The app's whole answer, in a worker."""
    told: list[Any] = []
    parts: list[bytes] = []

    def start(status: str, headers: list[tuple[str, str]], _: object = None) -> Any:
        told[:] = status, headers
        return parts.append

    result = app(environ, start)
    try:
        parts.extend(result)
    finally:
        if hasattr(result, "close"):
            result.close()
    return told[0], told[1], b"".join(parts)


def _hang_up(sock: socket.socket) -> None:
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)
