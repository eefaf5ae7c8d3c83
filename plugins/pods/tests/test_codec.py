"""Frames: whole, byte by byte, with trailing bytes, damaged in every bit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.each import in_one

from race_companion_pods import wire
from race_companion_pods.wire import (
    FORMS,
    LEVEL,
    LONGEST_FRAME,
    Ask,
    Begin,
    Damaged,
    Decoder,
    Hello,
    Message,
    Noted,
    Picture,
    Press,
    Setup,
    Signal,
    Span,
    Stranger,
    Taken,
    Unsendable,
    decode,
    encode,
    seal,
)

HELLO = Hello(LEVEL, 1, 0, 0, 513, 3, 0, 1, 0b100000, 0, 0)
SAMPLES: list[Message] = [
    Ask(),
    Begin(1),
    Span(1, 7, 0, bytes(64)),
    Span(2, 0, 64, bytes(range(1, 65))),
    Span(255, 3, 127, b"\xff"),
    Picture(3, 0xFFFF),
    Signal(4, 1, 20),
    Setup(12, 1),
    Noted(0),
    HELLO,
    Press(9, 6, 600, 256),
    Press(1, 1, 0, 1),
    Taken(200),
]
byte = st.integers(0, 255)
word = st.integers(0, 0xFFFF)
messages = st.one_of(
    st.builds(Span, byte, byte, byte, st.binary(min_size=1, max_size=64)),
    st.builds(Press, byte, byte, word, word),
    st.builds(Begin, word),
    st.sampled_from(SAMPLES),
)


@in_one("message", SAMPLES, ids=str)
def test_a_message_reads_back_as_it_was(message: Message) -> None:
    frame = encode(message)
    assert frame.endswith(b"\0")
    assert 0 not in frame[:-1]
    assert decode(frame[:-1]) == message


def test_a_stream_may_come_byte_by_byte() -> None:
    stream = b"".join(map(encode, SAMPLES))
    decoder = Decoder()
    got = [message for i in range(len(stream)) for message in decoder.feed(stream[i : i + 1])]
    assert got == SAMPLES
    assert decoder.damaged == 0


def test_a_stream_may_come_at_once_and_begin_in_the_middle_of_a_frame() -> None:
    decoder = Decoder()
    stream = encode(HELLO)[5:] + b"".join(map(encode, SAMPLES)) + b"\x05half"
    assert decoder.feed(stream) == SAMPLES
    assert decoder.damaged == 1
    assert decoder.feed(b"\0" + encode(Ask())) == [Ask()]
    assert decoder.damaged == 2


@in_one("message", SAMPLES, ids=str)
def test_no_single_wrong_bit_makes_another_message(message: Message) -> None:
    frame = encode(message)
    for bit in range(8 * len(frame)):
        wrong = bytearray(frame)
        wrong[bit // 8] ^= 1 << bit % 8
        decoder = Decoder()
        assert decoder.feed(bytes(wrong) + b"\0") == [], f"bit {bit}"
        assert decoder.damaged >= 1


@in_one("message", SAMPLES, ids=str)
def test_no_lost_and_no_doubled_byte_makes_another_message(message: Message) -> None:
    frame = encode(message)
    for i in range(len(frame) - 1):
        for wrong in (frame[:i] + frame[i + 1 :], frame[: i + 1] + frame[i:]):
            assert Decoder().feed(wrong) in ([], [message])


@given(st.lists(messages, max_size=6), st.data())
@pytest.mark.slow
def test_messages_pass_however_the_stream_is_cut(sent: list[Message], data: st.DataObject) -> None:
    stream = b"".join(map(encode, sent))
    decoder, got = Decoder(), []
    while stream:
        cut = data.draw(st.integers(1, len(stream)))
        got += decoder.feed(stream[:cut])
        stream = stream[cut:]
    assert got == sent


@given(st.binary(max_size=300))
def test_rubbish_is_counted_and_the_next_message_passes(rubbish: bytes) -> None:
    decoder = Decoder()
    decoder.feed(rubbish)
    assert decoder.feed(b"\0" + encode(HELLO)) == [HELLO]


@given(st.binary(max_size=wire.LONGEST))
def test_stuffing_leaves_no_zero_and_reads_back(data: bytes) -> None:
    stuffed = wire.stuff(data)
    assert 0 not in stuffed
    assert wire.unstuff(stuffed) == data


@given(st.binary(max_size=80))
def test_what_is_no_frame_is_damaged_and_nothing_else(frame: bytes) -> None:
    with pytest.raises(Damaged):
        decode(frame)


@in_one(
    "message",
    [Begin(0x10000), Span(1, 0, 0, bytes(65)), Span(1, 0, 0, b""), Press(256, 1, 0, 0), Taken(-1)],
    ids=str,
)
def test_a_field_out_of_range_is_our_own_error(message: Message) -> None:
    with pytest.raises(Unsendable):
        encode(message)


@in_one(
    ("body", "why"),
    [
        (b"\x42\0\0", "kind 0x42"),
        (b"\x02\0\x01\x07", "Begin of 1 bytes"),
        (b"\x02\0\x02\x07", "length 2"),
        (b"\x03\x01\x02\0\0", "Span of 2 bytes"),
        (b"\x81\0\x03\x01\x01\x01", "Hello of 3 bytes"),
    ],
)
def test_a_frame_that_is_whole_but_no_message_says_why(body: bytes, why: str) -> None:
    with pytest.raises(Damaged, match=why):
        decode(seal(body)[:-1])


def test_a_hello_of_another_level_tells_its_firmware_and_no_more() -> None:
    frame = seal(bytes([FORMS[Hello].kind, 0, 6, LEVEL + 1, 2, 3, 4, 99, 99]))
    assert decode(frame[:-1]) == Stranger(LEVEL + 1, (2, 3, 4))


def test_a_frame_that_never_ends_is_not_kept() -> None:
    decoder = Decoder()
    for _ in range(1000):
        decoder.feed(b"\x01" * 1000)
    assert len(decoder._frame) == LONGEST_FRAME + 1
    assert decoder.feed(b"\0") == []
    assert decoder.last_damage == "too long for a frame"
