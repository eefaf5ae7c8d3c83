"""The page over real sockets: bodies that lie about their length, and a quick end."""

from __future__ import annotations

import http.client
import json
import socket
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from support.each import in_one

from companion_web.app import Server, parse_topics, serve

Keys = dict[str, dict[str, str]]
PRESS = "/api/seat/1/press"
JOIN_KEY = "come-in"


def post(
    server: Server, body: bytes | Iterable[bytes], headers: dict[str, str], path: str = PRESS
) -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=15)
    try:
        connection.request("POST", path, body=body, headers=headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


def say(server: Server, raw: bytes) -> bytes:
    """Everything that the server answers to these bytes, until it hangs up."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=15) as sock:
        heard = b""
        # The server may have hung up before it was told everything.
        with suppress(OSError):
            sock.sendall(raw)
            sock.shutdown(socket.SHUT_WR)
            while got := sock.recv(65536):
                heard += got
        return heard


def pieces(total: int) -> Iterator[bytes]:
    yield from (b" " * 65536 for _ in range(total // 65536))


def test_a_press_over_the_wire(server: Server, table: Any, keys: Keys) -> None:
    assert post(server, b'{"button": 3}', keys["host"])[0] == 200
    assert [heard[1:] for heard in table.heard] == [(1, 3, False, None)]


def test_what_a_phone_asks_first_is_made_before_the_first_phone(table: Any, access: Any) -> None:
    asked = []

    def wrap(page: Any) -> Any:
        def answer(environ: Any, start: Any) -> Any:
            def begin(status: str, *rest: Any) -> Any:
                asked.append((environ["PATH_INFO"], status))
                return start(status, *rest)

            return page(environ, begin)

        return answer

    with serve(table, access, "127.0.0.1", 0, wrap=wrap) as server:
        assert server.warm_up()
    assert asked == [("/api/table", "200 OK"), ("/", "200 OK")]
    assert server.warm_up(), "a page that is gone is no fault"


def test_a_page_that_cannot_be_made_is_noticed(table: Any, access: Any) -> None:
    """So that an update which breaks it is taken back."""

    def broken(environ: Any, start: Any) -> Any:
        raise ImportError("no such template")

    with serve(table, access, "127.0.0.1", 0, wrap=lambda page: broken) as server:
        assert not server.warm_up()


def test_a_name_is_sent_with_the_key_of_the_one_code(server: Server, table: Any) -> None:
    headers = {"Authorization": f"Bearer {JOIN_KEY}"}
    post(server, b'{"name": "Ana"}', headers, "/api/join")
    assert table.heard[-1][1] == {"table": "sit", "value": {"name": "Ana"}}


def test_a_chunked_body_is_read_like_any_other(server: Server, table: Any, keys: Keys) -> None:
    assert post(server, iter([b'{"but', b'ton": 3}']), keys["host"])[0] == 200
    assert len(table.heard) == 1


@pytest.mark.parametrize("chunked", [False, True])
def test_a_huge_body_is_refused_in_a_way_that_the_client_sees(
    server: Server, table: Any, keys: Keys, chunked: bool
) -> None:
    size = 8 * 1024 * 1024
    body = pieces(size) if chunked else b" " * size
    status, told = post(server, body, keys["host"])
    assert status == 413
    assert told["error"]["key"] == "body-too-large"
    assert table.heard == []


@pytest.mark.parametrize("chunked", [False, True])
def test_a_huge_body_without_a_key_is_refused_for_the_key(
    server: Server, keys: Keys, chunked: bool
) -> None:
    size = 8 * 1024 * 1024
    assert post(server, pieces(size) if chunked else b" " * size, keys["stranger"])[0] == 401


def test_the_head_alone_is_enough_to_be_refused(server: Server) -> None:
    head = (
        b"POST /api/seat/1/press HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port), timeout=3) as sock:
        sock.sendall(head)
        assert sock.recv(64).startswith(b"HTTP/1.1 401")


CHUNK_LIES = [
    b"FFFFFFFFFFFF\r\nabc",
    b"zz\r\nabc\r\n0\r\n\r\n",
    b"-1\r\nabc",
    b"3\r\nabcdef\r\n0\r\n\r\n",
    b"3" * 4096,
    b"",
    b"5\r\nab",
    b"0_1\r\n{\r\n0\r\n\r\n",
]


@pytest.mark.parametrize("lie", CHUNK_LIES)
def test_chunks_that_lie_are_malformed(server: Server, table: Any, lie: bytes) -> None:
    head = (
        b"POST /api/seat/1/press HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
        b"Authorization: Bearer token-of-ana\r\n\r\n"
    )
    answer = say(server, head + lie)
    assert answer.startswith(b"HTTP/1.1 400"), answer[:200]
    assert table.heard == []


@pytest.mark.parametrize("length", [b"-5", b"five", b"99999999999999999999999"])
def test_lengths_that_lie_change_nothing(server: Server, table: Any, length: bytes) -> None:
    head = (
        b"POST /api/seat/1/press HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + length + b"\r\n"
        b"Authorization: Bearer token-of-ana\r\n\r\n"
    )
    assert say(server, head + b'{"button": 1}').startswith(b"HTTP/1.1 4")
    assert table.heard == []


def test_a_body_that_stops_short_changes_nothing(server: Server, table: Any) -> None:
    head = (
        b"POST /api/seat/1/press HTTP/1.1\r\nHost: localhost\r\nContent-Length: 40\r\n"
        b"Authorization: Bearer token-of-ana\r\n\r\n"
    )
    say(server, head + b'{"button": 1}')
    assert table.heard == []


def test_two_requests_on_one_connection_are_both_answered(server: Server, keys: Keys) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
    for who, status in (("stranger", 401), ("host", 200), ("guest", 403), ("host", 200)):
        connection.request("POST", PRESS, body=b'{"button": 1}', headers=keys[who])
        response = connection.getresponse()
        response.read()
        assert response.status == status
    connection.close()


def test_the_page_still_answers_after_every_kind_of_garbage(server: Server) -> None:
    for raw in (b"\0" * 1000, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"X" * 100_000):
        say(server, raw)
    assert say(server, b"GET /api/table HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.1 200")


def test_the_table_is_left_alone_once_the_page_is_closed(server: Server, table: Any) -> None:
    assert table.listeners == 1
    began = time.monotonic()
    server.close()
    server.close()
    assert table.listeners == 0
    assert time.monotonic() - began < 3
    with pytest.raises(OSError, match=r"."):
        socket.create_connection(("127.0.0.1", server.port), timeout=1)


def test_a_taken_port_is_an_os_error(server: Server, table: Any) -> None:
    with pytest.raises(OSError, match=r"."):
        Server(table, None, "127.0.0.1", server.port)  # type: ignore[arg-type]


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this machine has no IPv6")
def test_a_door_that_is_open_to_all_answers_by_ipv6_too_and_knows_who_comes_by_which(
    table: Any, access: Any
) -> None:
    came: list[str] = []

    def wrap(app: Any) -> Any:
        return lambda environ, start: (came.append(environ["REMOTE_ADDR"]), app(environ, start))[1]

    with Server(table, access, "0.0.0.0", 0, wrap=wrap) as server:
        assert server.url == f"http://127.0.0.1:{server.port}/"
        for host in ("127.0.0.1", "::1"):
            connection = http.client.HTTPConnection(host, server.port, timeout=5)
            connection.request("GET", "/api/table")
            assert connection.getresponse().status == 200
            connection.close()
    assert came == ["127.0.0.1", "::1"]


@in_one(
    ("path", "query", "topics"),
    [
        ("/api/stream", "", (0,)),
        ("/api/stream", "changes", (-1,)),
        ("/api/stream", "lang=fr&changes", (-1,)),
        ("/api/stream", "exchanges", (0,)),
        ("/api/stream", "seat=12&changes&seat=2&seat=2", (-1, 2, 12)),
        ("/api/stream", "&".join(f"seat={seat}" for seat in range(1000)), tuple(range(1, 11))),
        ("/api/stream", "seat=x&seat=-1&seat=0&myseat=3&seat=4444", (0,)),
        ("/api/seat/12/stream", "", (12,)),
        ("/api/seat/x/stream", "", None),
        ("/api/seat/²/stream", "", None),
        ("/api/seat/99999/stream", "", None),
        ("/api/streams", "", None),
    ],
)
def test_which_stream_an_address_asks_for(
    path: str, query: str, topics: tuple[int, ...] | None
) -> None:
    assert parse_topics(path, query) == topics
