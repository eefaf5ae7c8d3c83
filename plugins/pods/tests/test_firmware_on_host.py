"""Those parts of the firmware that know no hardware, built for this machine: the same as Python."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.seats.contacts import Bounce, first_seen, observe
from race_companion_pods.simulator import SOURCE
from race_companion_pods.wire import (
    PAYLOAD_BYTES,
    Decoder,
    Message,
    Press,
    Span,
    decode,
    encode,
    seal,
)

CASES = tomllib.loads((Path(__file__).parent / "debounce_cases.toml").read_text("utf-8"))["case"]
DAMAGED = -2
PAYLOAD = 3


class Contact(ctypes.Structure):
    _fields_ = (
        ("since_ms", ctypes.c_uint32),
        ("is_down", ctypes.c_bool),
        ("seems_down", ctypes.c_bool),
    )


class CBounce(ctypes.Structure):
    _fields_ = (
        ("began_ms", ctypes.c_uint32),
        ("last_ms", ctypes.c_uint32),
        ("longest_ms", ctypes.c_uint8),
    )


class Frame(ctypes.Structure):
    _fields_ = (
        ("body", ctypes.c_uint8 * (PAYLOAD + PAYLOAD_BYTES + 2)),
        ("length", ctypes.c_uint8),
        ("block_left", ctypes.c_uint8),
        ("has_begun", ctypes.c_bool),
        ("is_bad", ctypes.c_bool),
    )


@pytest.fixture(scope="module")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    if shutil.which("cc") is None:
        pytest.skip("needs a C compiler, cc")
    library = tmp_path_factory.mktemp("host") / "pod.so"
    sources = [str(SOURCE / name) for name in ("frame.c", "debounce.c", "bounce.c")]
    flags = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsanitize=undefined", "-shared"]
    subprocess.run(["cc", *flags, "-fPIC", "-o", str(library), *sources], check=True, timeout=60)
    built = ctypes.CDLL(str(library))
    built.frame_take.restype = ctypes.c_int16
    built.frame_make.restype = ctypes.c_uint8
    return built


def taken(firmware: ctypes.CDLL, stream: bytes) -> tuple[list[bytes], int]:
    """Kind, number, length and payload of each frame that the firmware accepts; the damaged."""
    frame, bodies, damaged = Frame(), [], 0
    for byte in stream:
        length = firmware.frame_take(ctypes.byref(frame), byte)
        if length >= 0:
            bodies.append(bytes(frame.body[: PAYLOAD + length]))
        damaged += length == DAMAGED
    return bodies, damaged


def made(firmware: ctypes.CDLL, body: bytes) -> bytes:
    out = (ctypes.c_uint8 * 80)()
    kind, number, length = body[:PAYLOAD]
    size = firmware.frame_make(out, kind, number, body[PAYLOAD:], length)
    return bytes(out[:size])


payloads = st.binary(max_size=PAYLOAD_BYTES) | st.lists(
    st.sampled_from([0, 0, 1, 255]), max_size=PAYLOAD_BYTES
).map(bytes)
byte = st.integers(0, 255)


@given(byte, byte, payloads)
def test_frames_are_the_same_in_both_languages(
    firmware: ctypes.CDLL, kind: int, number: int, payload: bytes
) -> None:
    body = bytes([kind, number, len(payload)]) + payload
    assert made(firmware, body) == seal(body)
    assert taken(firmware, seal(body)) == ([body], 0)


messages: list[Message] = [Press(1, 6, 700, 9), Span(2, 3, 4, bytes(range(60)))]


@given(st.sampled_from(messages), st.data())
def test_both_judge_a_damaged_stream_alike(
    firmware: ctypes.CDLL, message: Message, data: st.DataObject
) -> None:
    stream = bytearray(encode(message) * 3)
    for at in data.draw(st.lists(st.integers(0, len(stream) - 1), max_size=4)):
        stream[at] = data.draw(byte)
    decoder = Decoder()
    theirs = decoder.feed(bytes(stream))
    ours, damaged = taken(firmware, bytes(stream))
    assert [decode(seal(body)[:-1]) for body in ours] == theirs
    assert damaged == decoder.damaged


@given(st.binary(max_size=400))
def test_both_judge_rubbish_alike(firmware: ctypes.CDLL, rubbish: bytes) -> None:
    decoder = Decoder()
    assert decoder.feed(rubbish + b"\0") == []
    assert taken(firmware, rubbish + b"\0") == ([], decoder.damaged)


def edges(firmware: ctypes.CDLL, seen: list[Any]) -> list[tuple[int, bool]]:
    contact, since_ms, found = Contact(), ctypes.c_uint32(), []
    (at_ms, down), *later = seen
    firmware.debounce_begin(ctypes.byref(contact), at_ms, bool(down))
    for at_ms, down in later:
        edge = firmware.debounce_observe(
            ctypes.byref(contact), at_ms, bool(down), ctypes.byref(since_ms)
        )
        if edge:
            found.append((since_ms.value, edge == 1))
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_table_of_debounce_cases_holds_in_c(
    firmware: ctypes.CDLL, case: dict[str, Any]
) -> None:
    assert edges(firmware, case["seen"]) == [(at, bool(level)) for at, level in case["edges"]]


@given(st.lists(st.tuples(st.integers(0, 12), st.booleans()), min_size=1, max_size=60))
def test_any_bouncing_is_the_same_press_in_both_languages(
    firmware: ctypes.CDLL, walk: list[tuple[int, bool]]
) -> None:
    at_ms, seen = 0, []
    for wait_ms, down in walk:
        at_ms += wait_ms
        seen.append((at_ms, down))
    contact, found = first_seen(*seen[0]), []
    for at_ms, down in seen[1:]:
        contact, edge = observe(contact, at_ms, down)
        if edge:
            found.append((edge.at_ms, edge.down))
    assert edges(firmware, seen) == found


@given(st.lists(st.integers(1, 30), min_size=1, max_size=60))
def test_a_bounce_is_as_long_in_both_languages(firmware: ctypes.CDLL, waits: list[int]) -> None:
    theirs, ours, at_ms = CBounce(), Bounce(), 100
    for wait_ms in waits:
        at_ms += wait_ms
        firmware.bounce_see(ctypes.byref(theirs), at_ms)
        ours.see(at_ms)
    assert theirs.longest_ms == min(ours.longest_ms, 255)
