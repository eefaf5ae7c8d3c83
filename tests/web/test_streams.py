"""Server-Sent Events over real sockets: everyone hears, nobody waits for anybody."""

from __future__ import annotations

import ctypes
import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.slow_clients import press

from companion.table.ports import Picture, Snapshot
from companion_web import streams
from companion_web.app import Server
from companion_web.streams import Frames, added, change, merge_patch

SO_ATTACH_FILTER = 26


@dataclass
class Event:
    name: str
    id: int | None
    data: Any


class Reader:
    """A client of a stream that reads one event at a time."""

    def __init__(self, port: int, path: str = "/api/stream", buffer_bytes: int = 0) -> None:
        self.sock = socket.socket()
        if buffer_bytes:
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer_bytes)
        self.sock.settimeout(5)
        self.sock.connect(("127.0.0.1", port))
        request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 3\r\n\r\n"
        self.sock.sendall(request.encode())
        self._rest = b""
        self.head = ""

    def read_head(self) -> Reader:
        self.head = self._until(b"\r\n\r\n").decode()
        return self

    def read_event(self) -> Event:
        """The next event that is no beat."""
        while (event := self.read_any()).name == "beat":
            pass
        return event

    def read_any(self) -> Event:
        lines = self._until(b"\n\n").decode().split("\n")
        fields = dict(line.split(": ", 1) for line in lines)
        number = int(fields["id"]) if "id" in fields else None
        return Event(fields["event"], number, json.loads(fields["data"]))

    def close(self) -> None:
        self.sock.close()

    def _until(self, end: bytes) -> bytes:
        while end not in self._rest:
            got = self.sock.recv(65536)
            if not got:
                raise ConnectionError("the stream has ended")
            self._rest += got
        found, _, self._rest = self._rest.partition(end)
        return found


def wait_until(is_true: Callable[[], bool], most_s: float = 5) -> None:
    """Other threads need a moment; how long it may be at most is the test's word."""
    until = time.monotonic() + most_s
    while not is_true():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.01)


def test_wait_until_does_not_wait_for_ever() -> None:
    with pytest.raises(AssertionError):
        wait_until(lambda: False, most_s=0.05)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same deadlines, a tenth as long."""
    for name in ("BEAT_S", "STALL_S", "TICK_S"):
        monkeypatch.setattr(streams, name, getattr(streams, name) / 10)


@pytest.fixture
def readers(server: Server) -> Iterator[Callable[..., Reader]]:
    opened: list[Reader] = []

    def open_one(path: str = "/api/stream", buffer_bytes: int = 0) -> Reader:
        opened.append(Reader(server.port, path, buffer_bytes).read_head())
        return opened[-1]

    yield open_one
    for reader in opened:
        reader.close()


def test_the_whole_snapshot_comes_first_and_then_each_version(
    readers: Callable[..., Reader], table: Any
) -> None:
    reader = readers()
    first = reader.read_event()
    assert (first.name, first.id) == ("table", 1)
    assert first.data == json.loads(table.snapshot().body)
    for version in range(2, 50):
        table.publish()
        event = reader.read_event()
        assert (event.name, event.id, event.data["version"]) == ("table", version, version)


def test_versions_that_follow_one_another_at_once_all_arrive(
    readers: Callable[..., Reader], table: Any
) -> None:
    reader = readers()
    for _ in range(30):
        table.publish()
    assert [reader.read_event().id for _ in range(31)] == list(range(1, 32))


def test_the_head_of_a_stream(readers: Callable[..., Reader]) -> None:
    head = readers().head
    assert head.startswith("HTTP/1.1 200 OK\r\n")
    for line in (
        "Content-Type: text/event-stream; charset=utf-8",
        "Cache-Control: no-store",
        "X-Content-Type-Options: nosniff",
    ):
        assert line in head


@pytest.mark.faults("the door: PINs are guessed")
def test_every_page_hears_that_pins_are_guessed(
    server: Server, readers: Callable[..., Reader]
) -> None:
    reader = readers("/api/stream?changes")
    assert reader.read_event().name == "table"
    assert 429 in (press(server.port, f"{number:06}") for number in range(1000))
    told = reader.read_event()
    assert told.name == "notice"
    assert told.data["en"] == "Somebody guesses the referee's PIN."
    assert set(told.data) == {"en", "fr", "de"}


@pytest.mark.faults("the door: a foreign name leads here")
def test_a_stream_by_a_foreign_name_is_refused(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as sock:
        sock.sendall(b"GET /api/stream HTTP/1.1\r\nHost: evil.example\r\n\r\n")
        assert sock.recv(64).startswith(b"HTTP/1.1 403")


def test_a_seats_stream_tells_the_number_of_its_picture(
    readers: Callable[..., Reader], table: Any
) -> None:
    reader = readers("/api/seat/2/stream")
    assert reader.read_event() == Event("picture", None, {"seat": 2, "picture": 1})
    table.publish()
    assert reader.read_event() == Event("picture", None, {"seat": 2, "picture": 2})


def test_one_stream_tells_of_the_table_and_of_seats(
    readers: Callable[..., Reader], table: Any
) -> None:
    reader = readers("/api/stream?seat=2&changes&seat=1")
    assert [reader.read_event().name for _ in range(3)] == ["table", "picture", "picture"]
    table.publish()
    told = [reader.read_event() for _ in range(3)]
    assert [one.name for one in told] == ["change", "picture", "picture"]
    assert [one.data["seat"] for one in told[1:]] == [1, 2]
    table.publish(ticked=True)  # a page lets its own clock run
    assert [reader.read_event().name for _ in range(2)] == ["picture", "picture"]
    table.publish()
    assert reader.read_event().name == "change"


def test_a_hundred_streams_hear_and_the_page_answers(
    server: Server, readers: Callable[..., Reader], table: Any
) -> None:
    hundred = [readers() for _ in range(100)]
    table.publish()
    for reader in hundred:
        assert [reader.read_event().id for _ in range(2)] == [1, 2]
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as sock:
        sock.sendall(b"GET /api/table HTTP/1.0\r\n\r\n")
        assert sock.recv(100).startswith(b"HTTP/1.1 200")
    assert len(server.streams) == 100


def test_a_phone_that_hangs_up_is_let_go_at_once(
    server: Server, readers: Callable[..., Reader]
) -> None:
    staying, leaving = readers(), readers()
    leaving.close()
    wait_until(lambda: len(server.streams) == 1, most_s=1)
    assert staying.read_event().id == 1


@pytest.mark.usefixtures("impatient")
def test_every_stream_beats_with_the_version_while_nothing_happens(
    readers: Callable[..., Reader], table: Any
) -> None:
    paths = ["/api/stream", "/api/stream?changes", "/api/seat/1/stream"]
    by_path = {path: readers(path) for path in paths}
    for path, reader in by_path.items():
        reader.read_event()
        assert reader.read_any() == Event("beat", None, {"version": 1}), path
    version = table.publish().version
    for path, reader in by_path.items():
        event = reader.read_any()
        while event.name == "beat" and event.data == {"version": 1}:
            event = reader.read_any()
        assert reader.read_any() == Event("beat", None, {"version": version}), path


@pytest.mark.faults("phones: stalled, vanished, slow")
@pytest.mark.usefixtures("impatient")
def test_a_stalled_phone_is_let_go_and_the_others_are_untouched(
    server: Server, readers: Callable[..., Reader], table: Any
) -> None:
    stalled, healthy = readers(buffer_bytes=4096), readers()
    wait_until(lambda: len(server.streams) == 2)
    healthy.read_event()
    for _ in range(40):
        version = table.publish(padding=20_000).version
        began = time.monotonic()
        assert healthy.read_event().id == version
        assert time.monotonic() - began < 0.5
    wait_until(lambda: len(server.streams) == 1, most_s=streams.STALL_S * 4)
    assert stalled.sock.fileno() >= 0, "it was the server that let go"


@pytest.mark.faults("phones: stalled, vanished, slow")
@pytest.mark.usefixtures("impatient")
@pytest.mark.slow
def test_a_phone_that_vanishes_without_a_word_is_let_go(
    server: Server, readers: Callable[..., Reader]
) -> None:
    vanished, healthy = readers(), readers()
    vanished.read_event()
    healthy.read_event()
    # The kernel drops whatever arrives for it, unseen: nothing is acknowledged any more.
    drop_all = ctypes.create_string_buffer(struct.pack("HBBI", 0x06, 0, 0, 0))
    program = struct.pack("HL", 1, ctypes.addressof(drop_all))
    vanished.sock.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, program)
    wait_until(lambda: len(server.streams) == 1, most_s=(streams.STALL_S + streams.BEAT_S) * 3)
    assert healthy.read_any().name == "beat"


@pytest.mark.faults("phones: stalled, vanished, slow")
@pytest.mark.usefixtures("impatient")
def test_a_phone_that_reads_slowly_is_kept_and_hears_the_latest(
    server: Server, readers: Callable[..., Reader], table: Any
) -> None:
    slow = readers(buffer_bytes=4096)
    stop = threading.Event()
    ids: list[int | None] = []

    def read_on() -> None:
        while not stop.is_set():
            ids.append(slow.read_event().id)
            stop.wait(0.002)

    reading = threading.Thread(target=read_on)
    reading.start()
    for _ in range(300):
        last = table.publish(padding=20_000).version
    wait_until(lambda: bool(ids) and ids[-1] == last, most_s=20)
    stop.set()
    table.publish()
    reading.join()
    assert ids == sorted(ids, key=lambda number: number or 0)
    assert len(ids) < 300, "it skipped what it had no time for"
    assert len(server.streams) == 1


def test_a_body_of_several_lines_is_one_event() -> None:
    frames = Frames(Snapshot(7, lambda: b"{\n}\n"))
    assert frames.whole(0) == b"event: table\nid: 7\ndata: {\ndata: }\n\n"


def test_a_seat_without_a_picture_is_told_zero() -> None:
    frames = Frames(Snapshot(7, lambda: b"{}", public={2: Picture(5, b"")}))
    assert frames.whole(3).endswith(b": 0}\n\n")


def test_streams_end_when_the_table_closes(server: Server, readers: Callable[..., Reader]) -> None:
    reader = readers()
    reader.read_event()
    server.close()
    with pytest.raises(ConnectionError):
        reader.read_event()


def test_news_that_come_after_the_end_wake_nobody(server: Server, table: Any) -> None:
    server.close()
    server.streams.announce(b"late")
    server.streams._put(table.snapshot())
    assert not server.streams._inbox


def test_a_second_of_a_running_watch_is_sent_to_the_seats_and_to_no_page(
    readers: Callable[..., Reader], table: Any
) -> None:
    page, seat = readers(), readers("/api/seat/1/stream")
    assert (page.read_event().id, seat.read_event().data) == (1, {"seat": 1, "picture": 1})
    table.publish(ticked=True)
    table.publish()
    assert seat.read_event().data == {"seat": 1, "picture": 2}
    assert page.read_event().id == 3


# -- changes -----------------------------------------------------------------------------------


def test_a_stream_of_changes_begins_with_the_snapshot_and_then_tells_what_changed(
    readers: Callable[..., Reader], table: Any
) -> None:
    reader = readers("/api/stream?changes")
    assert reader.read_event().name == "table"
    table.publish()
    assert reader.read_event() == Event("change", 2, {"version": 2})
    table.publish(padding=3)
    assert reader.read_event() == Event("change", 3, {"version": 3, "padding": "xxx"})


def patched(target: Any, patch: Any) -> Any:
    """RFC 7396, as its own pseudocode has it."""
    if not isinstance(patch, dict):
        return patch
    target = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            target.pop(key, None)
        else:
            target[key] = patched(target.get(key), value)
    return target


def without_null(told: Any) -> Any:
    """A key that is null is as one that is gone."""
    if not isinstance(told, dict):
        return told
    return {key: without_null(value) for key, value in told.items() if value is not None}


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text("abc"), inner, max_size=3),
    max_leaves=8,
)
JSON_OBJECTS = st.dictionaries(st.text("abc", max_size=1), JSON_VALUES, max_size=4)


@given(JSON_OBJECTS, JSON_OBJECTS)
def test_a_patch_makes_of_one_snapshot_the_next(before: Any, after: Any) -> None:
    patch = merge_patch(before, after)
    assert without_null(patched(before, patch)) == without_null(after)
    assert merge_patch(after, after) == {}


@given(st.lists(st.sampled_from("ab"), max_size=6), st.lists(st.sampled_from("ab"), max_size=4))
def test_sentences_to_be_added_make_the_story_of_the_one_before(old: Any, new: Any) -> None:
    window = (old + new)[-6:]
    fresh = added(old, window)
    assert fresh is not None or not set(old[len(new) :])
    assert fresh is None or (old + fresh)[-6:][-len(window) :] == window


@pytest.mark.parametrize("after", [["a"], ["x"], []])
def test_sentences_that_are_taken_back_need_the_whole_snapshot(after: list[str]) -> None:
    assert change({"log": ["a", "b"]}, {"log": after}) is None


def test_whoever_was_behind_is_told_the_whole_snapshot(
    readers: Callable[..., Reader], table: Any
) -> None:
    slow = readers("/api/stream?changes", buffer_bytes=4096)
    for turn in range(60):
        table.publish(padding=20_000 + turn)
    events = [slow.read_event()]
    while events[-1].id != 61:
        events.append(slow.read_event())
    assert len(events) < 61
    assert {event.name for event in events} == {"table", "change"}
    table.publish()
    assert slow.read_event().id == 62
