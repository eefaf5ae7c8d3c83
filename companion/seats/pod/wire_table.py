"""The messages between pods and table.

From firmware/pod/wire.toml, by tools/pod_wire.py: change that, not this.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

LEVEL = 1
FIRMWARE = (1, 1, 0)
BAUD = 500_000
WINDOW = 2
SPAN_BYTES = 64
PAYLOAD_BYTES = 66
PRESSES = 8
SETTLE_MS = 5
HOLD_MS = 600
ASK_MS = 1000
RESEND_MS = 40
DIM_S = 120
BLINK_MS = 250
SLEEP_S = 900
CONTROLLERS = {"ssd1306": 0, "sh1106": 1}
LAMPS = {"off": 0, "on": 1, "blinks": 2}


@dataclass(frozen=True, slots=True)
class Ask:
    """Say hello. Sent on opening, then every `ask_ms`: it is the heartbeat too."""

    kind: ClassVar = 0x01
    numbered: ClassVar = False
    layout: ClassVar = ">"
    has_tail: ClassVar = False


@dataclass(frozen=True, slots=True)
class Begin:
    """A new session, unless it is in it: both count from 1, old presses fall. Answer: hello."""

    kind: ClassVar = 0x02
    numbered: ClassVar = False
    layout: ClassVar = ">H"
    has_tail: ClassVar = False
    session: int


@dataclass(frozen=True, slots=True)
class Span:
    """Columns of one page (eight rows) from `start` on, bit 0 on top."""

    kind: ClassVar = 0x03
    numbered: ClassVar = True
    layout: ClassVar = ">BB"
    has_tail: ClassVar = True
    number: int
    page: int
    start: int
    dots: bytes


@dataclass(frozen=True, slots=True)
class Picture:
    """The spans sent make this picture; presses name it from now on. 0: no picture."""

    kind: ClassVar = 0x04
    numbered: ClassVar = True
    layout: ClassVar = ">H"
    has_tail: ClassVar = False
    number: int
    picture: int


@dataclass(frozen=True, slots=True)
class Signal:
    """The pod's lamp (a number of [lamps]), and a sound of so many times 10 ms."""

    kind: ClassVar = 0x05
    numbered: ClassVar = True
    layout: ClassVar = ">BB"
    has_tail: ClassVar = False
    number: int
    lamp: int
    beep: int


@dataclass(frozen=True, slots=True)
class Setup:
    """Keep the pod's number (1 to 99) and its screen's controller for good. Answer: hello."""

    kind: ClassVar = 0x06
    numbered: ClassVar = False
    layout: ClassVar = ">BB"
    has_tail: ClassVar = False
    pod: int
    controller: int


@dataclass(frozen=True, slots=True)
class Noted:
    """All presses up to this number have been noted."""

    kind: ClassVar = 0x07
    numbered: ClassVar = True
    layout: ClassVar = ">"
    has_tail: ClassVar = False
    number: int


@dataclass(frozen=True, slots=True)
class Hello:
    """What and how it is; `session`, `screen` (its starts) 0: none; `down`: bit 0 is button 1."""

    kind: ClassVar = 0x81
    numbered: ClassVar = False
    layout: ClassVar = ">BBBBHBBBBBB"
    has_tail: ClassVar = False
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
class Press:
    """Button 1 to 6 was released after `held` ms (at most 65535), pressed on `picture`."""

    kind: ClassVar = 0x82
    numbered: ClassVar = True
    layout: ClassVar = ">BHH"
    has_tail: ClassVar = False
    number: int
    button: int
    held: int
    picture: int


@dataclass(frozen=True, slots=True)
class Taken:
    """All numbered messages up to this number have been acted on."""

    kind: ClassVar = 0x83
    numbered: ClassVar = True
    layout: ClassVar = ">"
    has_tail: ClassVar = False
    number: int


Message = Ask | Begin | Span | Picture | Signal | Setup | Noted | Hello | Press | Taken
KINDS: dict[int, type[Message]] = {
    Ask.kind: Ask,
    Begin.kind: Begin,
    Span.kind: Span,
    Picture.kind: Picture,
    Signal.kind: Signal,
    Setup.kind: Setup,
    Noted.kind: Noted,
    Hello.kind: Hello,
    Press.kind: Press,
    Taken.kind: Taken,
}
