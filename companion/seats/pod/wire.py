"""The messages between pods and table, and the numbers that both sides keep to.

`wire.toml` is the one description of the line: the firmware's header is made of it, and the
messages here, written for those who match on them, are held against it when this is imported.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

from companion.frozen import dataclass

_WIRE = tomllib.loads(Path(__file__).with_name("wire.toml").read_text("utf-8"))
_LIMITS: Mapping[str, int] = _WIRE["limits"]

LEVEL: int = _WIRE["level"]
_major, _minor, _patch = map(int, _WIRE["firmware"].split("."))
FIRMWARE = (_major, _minor, _patch)
BAUD: int = _WIRE["baud"]
WINDOW = _LIMITS["window"]
SPAN_BYTES = _LIMITS["span_bytes"]
PAYLOAD_BYTES = _LIMITS["payload_bytes"]
SETTLE_MS = _LIMITS["settle_ms"]
ONE_BOUNCE_MS = _LIMITS["one_bounce_ms"]
HOLD_MS = _LIMITS["hold_ms"]
ASK_MS = _LIMITS["ask_ms"]
RESEND_MS = _LIMITS["resend_ms"]
BLINK_MS = _LIMITS["blink_ms"]
CONTROLLERS: Mapping[str, int] = _WIRE["controllers"]
LAMPS: Mapping[str, int] = _WIRE["lamps"]

_FORMATS = {"u8": ("B", "int"), "u16": ("H", "int"), "bytes": ("", "bytes")}
"""For each type of wire.toml that of `struct` and that of a field; bytes stand at the end."""


class WireError(Exception):
    """A message here is not the one of wire.toml: a fault of the program."""


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
