"""Slow, silent and many clients: nobody at the door costs anybody else anything."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from queue import SimpleQueue
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from gevent.server import StreamServer
from support.slow_clients import HABITS, connect, fetch, is_closed, press, slow_clients, slowest_s

from companion_web import app, door
from companion_web.app import Server, serve

HEAD = b"POST /api/seat/1/press HTTP/1.1\r\nHost: localhost\r\nContent-Length: 14\r\n"
KEY = b"Authorization: Bearer token-of-ana\r\n"


@pytest.mark.faults("the door: slow and silent clients")
@pytest.mark.parametrize("habit", HABITS)
def test_nobody_waits_for_slow_clients(server: Server, table: Any, habit: str) -> None:
    with slow_clients(server.port, habit):
        assert slowest_s(lambda: press(server.port)) < 1
        assert slowest_s(lambda: fetch(server.port)) < 1
    assert len(table.heard) == 5


@pytest.mark.faults("the door: slow and silent clients")
@pytest.mark.parametrize(
    "said", [b"", HEAD[:20], HEAD + b"Authorization: Bearer token-of-ana\r\n\r\n{"]
)
def test_a_request_that_is_not_whole_in_time_is_ended(
    server: Server, table: Any, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    assert door.REQUEST_S <= 10
    assert door.SILENT_S <= 10
    monkeypatch.setattr(door, "SILENT_S", 0.3)
    server._door._server.request_s = 0.3  # type: ignore[attr-defined]
    with connect(server.port, said) as sock:
        assert is_closed(sock, within_s=2)
    assert table.heard == []


def test_whoever_has_no_key_is_refused_before_the_body_is_there(server: Server) -> None:
    with connect(server.port, HEAD + b"\r\n") as sock:
        assert sock.recv(64).startswith(b"HTTP/1.1 401")


def test_a_head_without_an_end_is_refused(server: Server) -> None:
    with connect(server.port, b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 4000) as sock:
        assert sock.recv(64).startswith(b"HTTP/1.1 400")


@pytest.mark.faults("the door: memory is short")
def test_without_memory_for_a_thread_a_request_is_refused_in_a_sentence(
    server: Server, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def apply(*_: object) -> object:
        raise RuntimeError("can't start new thread")

    for work in server._door._server.work:
        monkeypatch.setattr(work, "workers", SimpleNamespace(apply=apply, kill=len))
    assert [fetch(server.port) for _ in range(3)] == [503] * 3
    monkeypatch.undo()
    assert fetch(server.port) == 200
    told = capfd.readouterr().err
    assert told.startswith("companion: memory is short")
    assert told.count("\n") == 1


@pytest.mark.faults("the door: an address takes more than its share")
def test_over_its_share_an_address_loses_its_own_oldest_silent_connection(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert door.CONNECTIONS == 256
    monkeypatch.setattr(door, "CONNECTIONS", 4)
    with ExitStack() as opened:
        other = opened.enter_context(connect(server.port, address="127.0.0.9"))
        mine = [opened.enter_context(connect(server.port)) for _ in range(6)]
        assert [is_closed(sock) for sock in mine[:2]] == [True, True]
        assert not is_closed(mine[2], within_s=0.1)
        assert not is_closed(other, within_s=0.1)
        assert fetch(server.port) == 200


@pytest.mark.faults("the door: an address takes more than its share")
def test_over_its_share_an_address_loses_its_own_oldest_stream(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert door.STREAMS == 128
    monkeypatch.setattr(door, "STREAMS", 3)
    ask = b"GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with ExitStack() as opened:
        other = opened.enter_context(connect(server.port, ask, address="127.0.0.9"))
        mine = [opened.enter_context(connect(server.port, ask)) for _ in range(4)]
        assert is_closed(mine[0])
        assert not is_closed(mine[1], within_s=0.1)
        assert mine[3].recv(64).startswith(b"HTTP/1.1 200")
        assert other.recv(64).startswith(b"HTTP/1.1 200")
        assert len(server.streams) == 4


@pytest.mark.faults("the door: no more files can be opened")
def test_without_files_room_is_made_and_the_log_stays_quiet(
    server: Server, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    opened = ExitStack()
    silent = [opened.enter_context(connect(server.port)) for _ in range(3)]
    assert fetch(server.port) == 200
    real, left = StreamServer.do_read, [5]

    def do_read(listening: Any) -> Any:
        left[0] -= 1
        if left[0] > 0:
            raise OSError(errno.EMFILE, "Too many open files")
        return real(listening)

    monkeypatch.setattr(StreamServer, "do_read", do_read)
    assert fetch(server.port) == 200
    assert left[0] > -100, "it asks again without a pause"
    with opened:
        assert all(map(is_closed, silent))
    told = capfd.readouterr().err
    assert told.startswith("companion: Too many open files")
    assert told.count("\n") == 1


def test_a_door_that_cannot_open_says_why_and_is_waited_for_by_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def count(_: int) -> int:
        raise FileNotFoundError("/proc/self/fd")

    monkeypatch.setattr(door, "most_connections", count)
    with door.listen("127.0.0.1", 0) as listening, pytest.raises(FileNotFoundError):
        door.Door(lambda environ, start: [], listening)


@pytest.mark.faults("the door: a request that two servers would read in two ways")
@pytest.mark.parametrize(
    "head",
    [
        *(b"Content-Length: %b\r\n" % odd for odd in (b"1_2", b"+2", b"-2", b"0x2", b"2, 2", b"")),
        b"Content-Length: 2\r\nContent-Length: 2\r\n",
        b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: gzip, chunked\r\n",
        b"Host: localhost\r\n",
        b"X: a\0b\r\n",
        b"X: a\rb\r\n",
        b"X: a\r\n b\r\n",
        b"X : a\r\n",
        b"X\r\n",
        b": a\r\n",
    ],
)
def test_what_can_be_read_in_two_ways_is_refused(server: Server, table: Any, head: bytes) -> None:
    """RFC 9112, 5 and 6.3: behind another server this is how a second request is smuggled in."""
    ask = b"POST /api/seat/1/press HTTP/1.1\r\nHost: localhost\r\n" + KEY
    with connect(server.port, ask + head + b"\r\n{}") as sock:
        assert sock.recv(64).startswith(b"HTTP/1.1 400")
    assert table.heard == []


@pytest.mark.faults("the door: a request that two servers would read in two ways")
@pytest.mark.parametrize(
    "line",
    [
        b"GET /api/table",
        b"GET /api/table HTTP/0.9",
        b"GET /api/table HTTP/1_0.1",
        b"GET /api/table HTTP/2.0",
        b"GET  /api/table HTTP/1.1",
        b"GET\x0b/api/table HTTP/1.1",
        b"GET /api/\0table HTTP/1.1",
        b"GET\xa0/api/table HTTP/1.1",
        b" GET /api/table HTTP/1.1",
    ],
)
def test_a_first_line_is_three_words(server: Server, line: bytes) -> None:
    with connect(server.port, line + b"\r\nHost: localhost\r\n\r\n") as sock:
        assert sock.recv(64).startswith(b"HTTP/1.1 400")


@pytest.mark.parametrize(
    ("ask", "status"),
    [
        (b"GET /api/table HTTP/1.1\r\n\r\n", b"400"),
        (b"GET /api/table HTTP/1.0\r\n\r\n", b"200"),
        (b"GET /api/table HTTP/1.1\nHost:\tlocalhost \nx-\xe9: 1\n\n", b"400"),
        (b"GET /api/table HTTP/1.1\nHost:\tlocalhost \nX: \xe9%b\n\n" % (b"y" * 1017), b"200"),
        (b"GET /api/table HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0 \r\n\r\n", b"200"),
        (b"GET http://localhost/api/table HTTP/1.1\r\nHost: a.b\r\n\r\n", b"200"),
        (b"GET http://a.b/api/table HTTP/1.1\r\nHost: localhost\r\n\r\n", b"403"),
        (b"GET HTTP://localhost:80?new HTTP/1.0\r\n\r\n", b"200"),
    ],
)
def test_what_is_odd_and_clear_is_answered(server: Server, ask: bytes, status: bytes) -> None:
    """A host is named from HTTP/1.1 on, and one in the first line counts (RFC 9112, 3.2.2); a line
    that just fills what is read at once ends none."""
    with connect(server.port, ask) as sock:
        assert sock.recv(64).split()[1] == status


def unfinished(length: int) -> bytes:
    return HEAD[:20] + b" HTTP/1.1\r\nX: " + b"y" * length


@pytest.mark.faults("the door: an address takes more than its share")
@pytest.mark.parametrize("kind", ["heads", "bodies"])
def test_over_its_share_of_bytes_an_address_loses_its_own_oldest_request(
    server: Server, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Connections alone are no measure: three thousand unfinished ones held a quarter of a GiB."""
    assert door.BYTES <= 8 << 20
    most = door.PARTS * 5 * 5120 * door.DOUBT
    server._door._server.shares._most_bytes = most  # type: ignore[attr-defined]
    body = HEAD.replace(b"14", b"5120") + KEY + b"\r\n"
    said = unfinished(5117) if kind == "heads" else body
    with ExitStack() as opened:
        other = opened.enter_context(connect(server.port, said, address="127.0.0.9"))
        small = opened.enter_context(connect(server.port, HEAD))
        mine = [opened.enter_context(connect(server.port, said)) for _ in range(7)]
        assert [is_closed(sock) for sock in mine[:2]] == [True, True]
        assert not any(is_closed(sock, within_s=0.1) for sock in (other, small, mine[2]))
        assert fetch(server.port) == 200


@pytest.mark.faults("the door: an address takes more than its share")
def test_where_all_hold_too_much_the_address_with_the_most_loses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(door, "PARTS", 4)
    shares, gone = door.Shares(99, 100_000), []
    guests = [door.Guest(address, len) for address in "aabcd"]
    for guest in guests:
        guest.leave = lambda guest=guest: gone.append(guest)  # type: ignore[misc]
        shares.enter(guest)
    for guest in guests[:4]:
        shares.hold(guest, 24_000 // (2 if guest.address == "a" else 1))
    shares.hold(guests[0], 13_000)
    assert gone == []
    shares.hold(guests[4], 25_000)
    assert gone == []
    shares.hold(guests[3], 25_000)
    shares.hold(guests[2], 25_000)
    assert gone == []
    shares.hold(guests[1], 13_000)
    assert gone == guests[:1]


class Drawers:
    """Before a table's page an app that takes as long over `/league` as the test wants."""

    def __init__(self) -> None:
        self.asked: SimpleQueue[str] = SimpleQueue()
        self.go_on = Event()

    def __call__(self, page: Any) -> Any:
        def answer(environ: Any, start: Any) -> Any:
            if environ["PATH_INFO"] != "/league":
                return page(environ, start)
            self.asked.put(environ["REMOTE_ADDR"])
            assert self.go_on.wait(30)
            start("200 OK", [])
            return [b"drawn"]

        return answer


@pytest.fixture
def drawers() -> Drawers:
    return Drawers()


@pytest.fixture
def drawing(table: Any, access: Any, drawers: Drawers) -> Iterator[Server]:
    with serve(table, access, "127.0.0.1", 0, wrap=drawers) as running:
        yield running
        drawers.go_on.set()


ADDRESSES = {"127.0.0.1", "127.0.0.8", "127.0.0.9"}
DRAW = b"GET /league HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.mark.faults("the door: somebody asks for what is dear")
def test_a_press_waits_for_nobody_who_looks(drawing: Server, drawers: Drawers, table: Any) -> None:
    """Sixty-four plain GETs of one guest once kept every press waiting for half a minute."""
    with ExitStack() as opened:
        for address in ADDRESSES:
            for _ in range(21):
                opened.enter_context(connect(drawing.port, DRAW, address=address))
        assert drawers.asked.get(timeout=5) in ADDRESSES
        assert press(drawing.port) == 200
        assert fetch(drawing.port) == fetch(drawing.port, "/tv") == 200
        assert drawers.asked.empty(), "more than one is drawn at a time"
    assert len(table.heard) == 1


@pytest.mark.faults("the door: somebody asks for what is dear")
def test_an_address_has_a_share_of_the_work(drawing: Server, drawers: Drawers) -> None:
    with ExitStack() as opened:
        for _ in range(9):
            opened.enter_context(connect(drawing.port, DRAW, address="127.0.0.8"))
        assert drawers.asked.get(timeout=5) == "127.0.0.8"
        other = opened.enter_context(connect(drawing.port, DRAW))
        assert fetch(drawing.port) == 200  # by now it waits
        drawers.go_on.set()
        assert drawers.asked.get(timeout=5) == "127.0.0.1", "eight of another were before it"
        assert other.recv(64).startswith(b"HTTP/1.1 200")


@pytest.mark.faults("the door: somebody asks for what is dear")
def test_nothing_is_done_for_who_has_gone(drawing: Server, drawers: Drawers) -> None:
    """Three thousand readers that had closed once held their descriptors for minutes."""
    with ExitStack() as gone:
        for _ in range(20):
            gone.enter_context(connect(drawing.port, DRAW))
        drawers.asked.get(timeout=5)
        # Whoever asks later is answered: by then all of them wait.
        assert [fetch(drawing.port) for _ in range(3)] == [200] * 3
    with connect(drawing.port, DRAW) as last:
        drawers.go_on.set()
        assert last.recv(64).startswith(b"HTTP/1.1 200")
    assert drawers.asked.get(timeout=5) == "127.0.0.1"
    assert drawers.asked.empty()


@pytest.mark.faults("the door: somebody asks for what is dear")
def test_who_waits_too_long_is_told_when_to_come_again(
    table: Any, access: Any, drawers: Drawers, monkeypatch: pytest.MonkeyPatch
) -> None:
    lanes = [replace(lane, patience_s=lane.patience_s and 0.1) for lane in app._Keeper.lanes]
    monkeypatch.setattr(app._Keeper, "lanes", tuple(lanes))
    with serve(table, access, "127.0.0.1", 0, wrap=drawers) as server:
        with connect(server.port, DRAW), connect(server.port, DRAW) as late:
            told = late.recv(1024)
            assert told.startswith(b"HTTP/1.1 503")
            assert b"\r\nRetry-After: 5\r\n" in told
        drawers.go_on.set()


@pytest.mark.faults("the door: somebody asks for what is dear")
@pytest.mark.slow
def test_a_door_closes_in_time_whatever_is_being_done(
    table: Any, access: Any, drawers: Drawers
) -> None:
    with ExitStack() as opened:
        server = opened.enter_context(serve(table, access, "127.0.0.1", 0, wrap=drawers))
        for number in range(300):
            opened.enter_context(connect(server.port, DRAW, address=f"127.0.{number % 3}.1"))
        drawers.asked.get(timeout=5)
        assert slowest_s(server.close, times=1) < 10, "it waits for what is being drawn"
        drawers.go_on.set()
