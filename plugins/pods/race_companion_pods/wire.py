"""The messages between pods and table, and how they become bytes and bytes become messages.

`wire.toml` is the one description of the line: the firmware's header is made of it, and the
messages here, written for those who match on them, are held against it when this is imported.

A frame is `COBS(kind, number, length, payload, CRC)` and a zero byte, as wire.toml says. Whatever
arrives damaged is *their* error (`Damaged`): the decoder counts it and goes on behind the next
zero, and what was lost comes again. A message that does not fit the wire is *our* error
(`Unsendable`) and a fault of the program.
"""

from __future__ import annotations

import struct
import tomllib
from binascii import crc_hqx
from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple

# -- what goes over the wire -----------------------------------------------------------------------


_WIRE = tomllib.loads(Path(__file__).with_name("wire.toml").read_text("utf-8"))
_LIMITS: Mapping[str, int] = _WIRE["limits"]

LEVEL: int = _WIRE["level"]
_major, _minor, _patch = map(int, _WIRE["firmware"].split("."))
FIRMWARE = (_major, _minor, _patch)
BAUD: int = _WIRE["baud"]
WINDOW = _LIMITS["window"]
SPAN_BYTES = _LIMITS["span_bytes"]
PAYLOAD_BYTES = _LIMITS["payload_bytes"]
ASK_MS = _LIMITS["ask_ms"]
RESEND_MS = _LIMITS["resend_ms"]
BLINK_MS = _LIMITS["blink_ms"]
CONTROLLERS: Mapping[str, int] = _WIRE["controllers"]
LAMPS: Mapping[str, int] = _WIRE["lamps"]


@dataclass(frozen=True, slots=True)
class Message:
    """What goes over the line."""


@dataclass(frozen=True, slots=True)
class Numbered(Message):
    """What is acted on in order, each once."""

    number: int


@dataclass(frozen=True, slots=True)
class Ask(Message):
    """Say hello. Sent on opening, then every `ASK_MS`: it is the heartbeat too."""


@dataclass(frozen=True, slots=True)
class Begin(Message):
    """A new session, unless it is in it: both count from 1, old presses fall. Answer: hello."""

    session: int


@dataclass(frozen=True, slots=True)
class Span(Numbered):
    """Columns of one page (eight rows) from `start` on, bit 0 on top."""

    page: int
    start: int
    dots: bytes


@dataclass(frozen=True, slots=True)
class Picture(Numbered):
    """The spans sent make this picture; presses name it from now on. 0: no picture."""

    picture: int


@dataclass(frozen=True, slots=True)
class Signal(Numbered):
    """The pod's lamp (a number of `LAMPS`), and a sound of so many times 10 ms."""

    lamp: int
    beep: int


@dataclass(frozen=True, slots=True)
class Settle(Numbered):
    """A button's level counts once steady for so many ms, in this session. Since firmware 1.2."""

    steady: int


@dataclass(frozen=True, slots=True)
class Tell(Numbered):
    """1: presses come as `felt`, in this session; 0: no more. Since firmware 1.3."""

    bounces: int


@dataclass(frozen=True, slots=True)
class Setup(Message):
    """Keep the pod's number (1 to 99) and its screen's controller for good. Answer: hello."""

    pod: int
    controller: int


@dataclass(frozen=True, slots=True)
class Noted(Numbered):
    """All presses up to this number have been noted."""


@dataclass(frozen=True, slots=True)
class Hello(Message):
    """What and how it is; `session`, `screen` (its starts) 0: none; `down`: bit 0 is button 1."""

    level: int
    major: int
    minor: int
    patch: int
    session: int
    pod: int
    controller: int
    screen: int
    down: int
    overruns: int
    damaged: int


@dataclass(frozen=True, slots=True)
class Press(Numbered):
    """Button 1 to 6 was released after `held` ms (at most 65535), pressed on `picture`."""

    button: int
    held: int
    picture: int


@dataclass(frozen=True, slots=True)
class Felt(Press):
    """A press, counted as those, whose contact bounced so many ms (at most 255)."""

    bounced: int


@dataclass(frozen=True, slots=True)
class Taken(Numbered):
    """All numbered messages up to this number have been acted on."""


class Form(NamedTuple):
    """How a message is sent; `has_tail`: bytes, one at least, follow the `layout` of `struct`."""

    kind: int
    layout: str
    has_tail: bool


class WireError(Exception):
    """A message here is not the one of wire.toml: a fault of the program."""


_FORMATS = {"u8": ("B", "int"), "u16": ("H", "int"), "bytes": ("", "bytes")}
"""For each type of wire.toml that of `struct` and that of a field; bytes stand at the end."""


def forms_of(
    messages: Iterable[type[Message]], described: Iterable[Mapping[str, Any]]
) -> dict[type[Message], Form]:
    """How each message is sent, as wire.toml describes it.

    Raises:
        WireError: one is not described, or not so, or what is described is not there.
    """
    classes = {which.__name__.lower(): which for which in messages}
    forms = {}
    for data in described:
        types = {name: _FORMATS[kind] for name, kind in data.get("fields", {}).items()}
        wanted = [("number", "int")] if data.get("numbered") else []
        wanted += [(name, python) for name, (_, python) in types.items()]
        which = classes.pop(data["name"], None)
        if which is None or [(one.name, one.type) for one in fields(which)] != wanted:
            raise WireError(f"{data['name']} of wire.toml has the fields {wanted}; {which} has not")
        layout = "".join(form for form, _ in types.values())
        forms[which] = Form(data["kind"], f">{layout}", "bytes" in data.get("fields", {}).values())
    if classes:
        raise WireError(f"wire.toml does not describe {', '.join(classes)}")
    return forms


FORMS = forms_of(
    (Ask, Begin, Span, Picture, Signal, Settle, Tell, Setup, Noted, Hello, Press, Felt, Taken),
    _WIRE["message"],
)
KINDS = {form.kind: which for which, form in FORMS.items()}


# -- frames ---------------------------------------------------------------------------------------


HEAD = 3
CRC = 2
LONGEST_FRAME = HEAD + PAYLOAD_BYTES + CRC + 1
"""Stuffed bytes of the longest frame, the zero not counted."""


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


_CRC_START = 0xFFFF


def seal(body: bytes) -> bytes:
    """A frame around bytes that may be no message (tests and old firmware need that)."""
    crc = crc_hqx(body, _CRC_START)
    return stuff(body + crc.to_bytes(CRC, "big")) + b"\0"


def decode(frame: bytes) -> Message | Stranger:
    """The message in a frame without its zero.

    Raises:
        Damaged: it is none.
    """
    try:
        body = unstuff(frame)
    except ValueError as error:
        raise Damaged(f"stuffing: {error}") from error
    # Over a body and its own CRC together the CRC is 0.
    if len(body) < HEAD + CRC or crc_hqx(body, _CRC_START):
        raise Damaged(f"checksum of {len(body)} bytes")
    kind, number, length = body[:HEAD]
    payload = body[HEAD:-CRC]
    if length != len(payload):
        raise Damaged(f"length {length}, not {len(payload)}")
    return _message(kind, number, payload)


_HELLO_HEAD = 4


def _message(kind: int, number: int, payload: bytes) -> Message | Stranger:
    """The message of a kind, as far as its payload is long enough.

    Raises:
        Damaged: no such kind, or not its length.
    """
    # Before all else: behind these four bytes the hello of another level may be anything.
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
            # A zero with nothing before it ends no frame, and is no damage.
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


# -- bytes without zeros --------------------------------------------------------------------------


LONGEST = 253
"""Bytes that can be stuffed at most."""


def stuff(data: bytes) -> bytes:
    """Replace the zeros, so that zero can end a frame (consistent overhead byte stuffing).

    It is one byte longer; each block is led by the distance to the next zero. A frame is short of
    254 bytes, so no block reaches the length at which its zero is left out.

    >>> stuff(bytes([7, 0, 8, 9])).hex(" ")
    '02 07 03 08 09'

    Raises:
        ValueError: more than `LONGEST` bytes.
    """
    if len(data) > LONGEST:
        raise ValueError(f"{len(data)} bytes, at most {LONGEST} can be stuffed")
    return b"".join(bytes([len(block) + 1]) + block for block in data.split(b"\0"))


def unstuff(stuffed: bytes) -> bytes:
    """What was stuffed.

    Raises:
        ValueError: this came out of no `stuff`.
    """
    blocks = []
    at = 0
    while at < len(stuffed):
        end = at + stuffed[at]
        block = stuffed[at + 1 : end]
        if not stuffed[at] or end > len(stuffed) or 0 in block:
            raise ValueError(f"no block of {stuffed[at]} at byte {at} of {len(stuffed)}")
        blocks.append(block)
        at = end
    if not blocks:
        raise ValueError("nothing at all")
    return b"\0".join(blocks)
