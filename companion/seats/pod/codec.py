"""Messages to frames and back, without any port: bytes in, messages out.

A frame is `COBS(kind, number, length, payload, CRC)` and a zero byte, as wire.toml says. Whatever
arrives damaged is *their* error (`Damaged`): the decoder counts it and goes on behind the next
zero, and what was lost comes again. A message that does not fit the wire is *our* error
(`Unsendable`) and a fault of the program.
"""

from __future__ import annotations

import struct
from binascii import crc_hqx
from collections.abc import Callable
from dataclasses import astuple

from companion.frozen import dataclass
from companion.seats.pod import cobs
from companion.seats.pod.wire import (
    FORMS,
    KINDS,
    LEVEL,
    PAYLOAD_BYTES,
    Hello,
    Message,
    Numbered,
)

HEAD = 3
CRC = 2
LONGEST_FRAME = HEAD + PAYLOAD_BYTES + CRC + 1
"""Stuffed bytes of the longest frame, the zero not counted."""

_CRC_START = 0xFFFF
_HELLO_HEAD = 4


class Damaged(Exception):
    """The other side's or the line's error: these bytes are no message."""


class Unsendable(ValueError):
    """Our error: this message has a field that the wire cannot carry."""


@dataclass(frozen=True, slots=True)
class Stranger:
    """The hello of a pod whose protocol is of another level: who it is, and no more."""

    level: int
    firmware: tuple[int, int, int]


def encode(message: Message) -> bytes:
    """The frame of a message, its zero included.

    Raises:
        Unsendable: a field is out of its range, or the payload too long.
    """
    form = FORMS[type(message)]
    values = list(astuple(message))
    number = values.pop(0) if isinstance(message, Numbered) else 0
    tail = values.pop() if form.has_tail else b""
    try:
        payload = struct.pack(form.layout, *values) + tail
        body = bytes([form.kind, number, len(payload)]) + payload
    except (struct.error, ValueError, TypeError) as error:
        raise Unsendable(f"{message!r}: {error}") from error
    if len(payload) > PAYLOAD_BYTES or (form.has_tail and not tail):
        raise Unsendable(f"{message!r}: {len(payload)} bytes, at most {PAYLOAD_BYTES}, none empty")
    return seal(body)


def seal(body: bytes) -> bytes:
    """A frame around bytes that may be no message (tests and old firmware need that)."""
    crc = crc_hqx(body, _CRC_START)
    return cobs.stuff(body + crc.to_bytes(CRC, "big")) + b"\0"


def decode(frame: bytes) -> Message | Stranger:
    """The message in a frame without its zero.

    Raises:
        Damaged: it is none.
    """
    try:
        body = cobs.unstuff(frame)
    except ValueError as error:
        raise Damaged(f"stuffing: {error}") from error
    if len(body) < HEAD + CRC or crc_hqx(body, _CRC_START):
        raise Damaged(f"checksum of {len(body)} bytes")
    kind, number, length = body[:HEAD]
    payload = body[HEAD:-CRC]
    if length != len(payload):
        raise Damaged(f"length {length}, not {len(payload)}")
    return _message(kind, number, payload)


def _message(kind: int, number: int, payload: bytes) -> Message | Stranger:
    """The message of a kind, as far as its payload is long enough.

    Raises:
        Damaged: no such kind, or not its length.
    """
    if kind == FORMS[Hello].kind and len(payload) >= _HELLO_HEAD and payload[0] != LEVEL:
        level, major, minor, patch = payload[:_HELLO_HEAD]
        return Stranger(level, (major, minor, patch))
    which = KINDS.get(kind)
    if which is None:
        raise Damaged(f"kind 0x{kind:02X}")
    form = FORMS[which]
    fixed = struct.calcsize(form.layout)
    is_right = len(payload) > fixed if form.has_tail else len(payload) == fixed
    if not is_right or len(payload) > PAYLOAD_BYTES:
        raise Damaged(f"{which.__name__} of {len(payload)} bytes")
    values = [*struct.unpack(form.layout, payload[:fixed])]
    tail = [payload[fixed:]] if form.has_tail else []
    make: Callable[..., Message] = which
    return make(*([number] if issubclass(which, Numbered) else []), *values, *tail)


class Decoder:
    """Finds the messages in a stream that may begin, break and end anywhere.

    `damaged` counts what was no message; `last_damage` says why, None while there is none.
    """

    def __init__(self) -> None:
        self.damaged = 0
        self.last_damage: str | None = None
        self._frame = bytearray()

    def feed(self, data: bytes) -> list[Message | Stranger]:
        """The messages that these bytes complete. Never raises."""
        messages = []
        *ended, rest = data.split(b"\0")
        for piece in ended:
            self._keep(piece)
            if self._frame:
                messages.append(self._take())
        self._keep(rest)
        return [message for message in messages if message is not None]

    def _keep(self, piece: bytes) -> None:
        """Add to the frame, but never more than shows that it is too long."""
        self._frame += piece[: LONGEST_FRAME + 1 - len(self._frame)]

    def _take(self) -> Message | Stranger | None:
        frame = bytes(self._frame)
        self._frame.clear()
        try:
            if len(frame) > LONGEST_FRAME:
                raise Damaged("too long for a frame")
            return decode(frame)
        except Damaged as damage:
            self.damaged += 1
            self.last_damage = str(damage)
            return None
