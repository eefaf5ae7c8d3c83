"""A broker of MQTT 3.1.1 in small, which takes what is published and can be as bad as a test wants.

Packets as the standard has them (docs.oasis-open.org/mqtt/mqtt/v3.1.1, chapter 3): a byte of the
kind and its flags, the length in sevens of bits, then the rest.
"""

from __future__ import annotations

import json
import socket
import struct
from contextlib import suppress
from dataclasses import dataclass
from threading import Thread
from typing import Any

CONNECT, CONNACK, PUBLISH, PUBACK, PINGREQ, DISCONNECT = 1, 2, 3, 4, 12, 14


@dataclass
class Published:
    """What somebody has published."""

    topic: str
    body: Any
    qos: int
    is_retained: bool
    is_again: bool


class SmallBroker:
    """Takes connections on one port.

    `refusal` is the return code of CONNACK (5: not authorized); a broker that `is_silent` takes
    messages and never says so.
    """

    def __init__(self) -> None:
        self.taken: list[Published] = []
        self.logins: list[tuple[str | None, str | None]] = []
        self.refusal = 0
        self.is_silent = False
        self._open: list[socket.socket] = []
        self.port = 0
        self.start()

    def start(self) -> None:
        """Listen, on the port of before where there was one."""
        self._door = socket.create_server(("127.0.0.1", self.port))
        self.port = self._door.getsockname()[1]
        Thread(target=self._serve, args=(self._door,), daemon=True).start()

    def stop(self) -> None:
        """Close the port and all connections."""
        with suppress(OSError):
            self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._open.clear()

    def _serve(self, door: socket.socket) -> None:
        with suppress(OSError):
            while True:
                one, _ = door.accept()
                self._open.append(one)
                Thread(target=self._talk, args=(one,), daemon=True).start()

    def _talk(self, one: socket.socket) -> None:
        with suppress(OSError, EOFError, ValueError), one.makefile("rb") as stream:
            while True:
                (head,) = _read(stream, 1)
                body = _read(stream, _length(stream))
                answer = self._answer(head >> 4, head & 15, body)
                if answer is not None:
                    one.sendall(answer)

    def _answer(self, kind: int, flags: int, body: bytes) -> bytes | None:
        if kind == CONNECT:
            self.logins.append(_login(body))
            return bytes((CONNACK << 4, 2, 0, self.refusal))
        if kind == PINGREQ:
            return b"\xd0\x00"
        if kind != PUBLISH:
            return None
        topic, rest = _text(body)
        qos = flags >> 1 & 3
        told = json.loads(rest[2 if qos else 0 :])
        self.taken.append(Published(topic, told, qos, bool(flags & 1), bool(flags & 8)))
        return None if self.is_silent else bytes((PUBACK << 4, 2)) + rest[:2]


def _read(stream: Any, count: int) -> bytes:
    found: bytes = stream.read(count)
    if len(found) < count:
        raise EOFError
    return found


def _length(stream: Any) -> int:
    length = shift = 0
    while True:
        (byte,) = _read(stream, 1)
        length |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return length


def _text(body: bytes) -> tuple[str, bytes]:
    (length,) = struct.unpack(">H", body[:2])
    return body[2 : 2 + length].decode(), body[2 + length :]


def _login(body: bytes) -> tuple[str | None, str | None]:
    """User and password of a CONNECT, behind its name, level, flags and keep-alive."""
    name, rest = _text(body)
    assert (name, rest[0]) == ("MQTT", 4)
    flags, (_, rest) = rest[1], _text(rest[4:])
    user, rest = _text(rest) if flags & 128 else (None, rest)
    password, _ = _text(rest) if flags & 64 else (None, rest)
    return user, password
