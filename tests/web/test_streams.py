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

from companion.table.ports import Picture, Snapshot
from companion_web import streams
from companion_web.server import Server
from companion_web.streams import TABLE, Streams, Viewer, format_frame

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
        request = f"GET {path} HTTP/1.1\r\nHost: x\r\nLast-Event-ID: 3\r\n\r\n"
        self.sock.sendall(request.encode())
        self._rest = b""
        self.head = ""

    def read_head(self) -> Reader:
        self.head = self._until(b"\r\n\r\n").decode()
        return self

    def read_event(self) -> Event:
        """The next event; comments are skipped."""
        while True:
            lines = self._until(b"\n\n").decode().split("\n")
            fields = dict(line.split(": ", 1) for line in lines if not line.startswith(":"))
            if fields:
                number = int(fields["id"]) if "id" in fields else None
                return Event(fields["event"], number, json.loads(fields["data"]))

    def read_comment(self) -> str:
        return self._until(b"\n\n").decode()

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


def test_a_seats_stream_tells_the_number_of_its_picture(
    readers: Callable[..., Reader], table: Any
) -> None:
    reader = readers("/api/seat/2/stream")
    assert reader.read_event() == Event("picture", None, {"picture": 1})
    table.publish()
    assert reader.read_event() == Event("picture", None, {"picture": 2})


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
def test_a_quiet_stream_shows_signs_of_life(readers: Callable[..., Reader]) -> None:
    reader = readers()
    reader.read_event()
    assert reader.read_comment().startswith(":")


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
    assert healthy.read_comment().startswith(":")


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


def test_a_backlog_is_bounded_whoever_does_not_read() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        viewer = Viewer(ours, TABLE, now=0)
        for version in range(1000):
            viewer.tell(b"%d" % version * 4000)
            assert viewer.owed_bytes <= streams.BACKLOG_BYTES + 20_000
        assert viewer.owed[-1].startswith(b"999")


def test_the_same_news_is_not_told_twice() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        viewer = Viewer(ours, TABLE, now=0)
        viewer.tell(b"one")
        viewer.tell(b"one")
        assert list(viewer.owed) == [b"one"]


def test_a_body_of_several_lines_is_one_event() -> None:
    assert (
        format_frame(TABLE, Snapshot(7, lambda: b"{\n}\n"))
        == b"event: table\nid: 7\ndata: {\ndata: }\n\n"
    )


def test_a_seat_without_a_picture_is_told_zero() -> None:
    assert format_frame(3, Snapshot(7, lambda: b"{}", public={2: Picture(5, b"")})).endswith(
        b": 0}\n\n"
    )


def test_no_more_streams_than_there_is_room_for(
    server: Server, readers: Callable[..., Reader], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "MOST_STREAMS", 1)
    readers()
    wait_until(lambda: len(server.streams) == 1)
    assert readers().head.startswith("HTTP/1.1 503")
    assert len(server.streams) == 1


def test_streams_end_when_the_table_closes(server: Server, readers: Callable[..., Reader]) -> None:
    reader = readers()
    reader.read_event()
    server.close()
    with pytest.raises(ConnectionError):
        reader.read_event()


def test_a_socket_given_late_is_closed(table: Any) -> None:
    opened = Streams(table)
    opened.close()
    opened.close()
    assert not opened.has_room()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        ours = socket.create_connection(listening.getsockname())
        opened.adopt(ours, TABLE)
        assert ours.fileno() == -1


def test_a_second_of_a_running_watch_is_sent_to_the_seats_and_to_no_page(
    readers: Callable[..., Reader], table: Any
) -> None:
    page, seat = readers(), readers("/api/seat/1/stream")
    assert (page.read_event().id, seat.read_event().data) == (1, {"picture": 1})
    table.publish(ticked=True)
    table.publish()
    assert seat.read_event().data == {"picture": 2}
    assert page.read_event().id == 3
