"""Clients that are slow, silent or many, each in all the ways that were seen to hold others up."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress

HEAD = b"POST /api/seat/1/press HTTP/1.1\r\nHost: localhost\r\n"
KEY = b"Authorization: Bearer token-of-ana\r\n"
BODY = b"Content-Length: 14\r\n\r\n"

HABITS: dict[str, tuple[int, bytes, bytes]] = {
    "silent": (300, b"", b""),
    "a head, a byte at a time": (40, HEAD[:10], HEAD[10:]),
    "a body, a byte at a time": (40, HEAD + KEY + BODY, b'{"button": 1}    '),
    "a body without a key": (40, HEAD + BODY, b'{"button": 1}    '),
    "answers that nobody reads": (
        16,
        b"GET /static/base.css HTTP/1.1\r\nHost: localhost\r\n\r\n" * 40,
        b"",
    ),
}
"""How many clients, what each says at once, and then a byte at a time."""


def connect(port: int, said: bytes = b"", address: str = "127.0.0.1") -> socket.socket:
    """A connection from an address of this machine that has said so much and reads nothing."""
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sock.settimeout(5)
    sock.bind((address, 0))
    sock.connect(("127.0.0.1", port))
    sock.sendall(said)
    return sock


@contextmanager
def slow_clients(port: int, habit: str, every_s: float = 0.2) -> Iterator[list[socket.socket]]:
    """So many clients of this habit, for as long as the block lasts."""
    count, at_once, slowly = HABITS[habit]
    done = threading.Event()
    with ExitStack() as opened:
        socks = [opened.enter_context(connect(port, at_once)) for _ in range(count)]

        def go_on() -> None:
            for byte in slowly:
                if done.wait(every_s):
                    return
                for sock in socks:
                    with suppress(OSError):
                        sock.send(bytes([byte]))

        writing = threading.Thread(target=go_on)
        writing.start()
        try:
            yield socks
        finally:
            done.set()
            writing.join()


def slowest_s(ask: Callable[[], object], times: int = 5) -> float:
    """How long the slowest of some requests takes."""
    taken = []
    for _ in range(times):
        begun = time.monotonic()
        ask()
        taken.append(time.monotonic() - begun)
    return max(taken)


def fetch(port: int, path: str = "/api/table", timeout_s: float = 3.0, **headers: str) -> int:
    """The status of a request of somebody who does nothing wrong."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout_s)
    try:
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        response.read()
        return response.status
    finally:
        connection.close()


def press(port: int, key: str = "token-of-ana", timeout_s: float = 3.0) -> int:
    """The status of a press."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout_s)
    headers = {"Authorization": f"Bearer {key}"}
    try:
        connection.request("POST", "/api/seat/1/press", b'{"button": 1}', headers)
        response = connection.getresponse()
        response.read()
        return response.status
    finally:
        connection.close()


def is_closed(sock: socket.socket, within_s: float = 5.0) -> bool:
    """Whether the other side hangs up in time."""
    sock.settimeout(within_s)
    try:
        while sock.recv(65536):
            pass
    except TimeoutError:
        return False
    except OSError:
        return True
    return True
