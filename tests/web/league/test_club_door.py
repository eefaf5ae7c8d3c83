"""A club's door: slow clients cost nobody anything, and no stranger's record is waited for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient
from support.leagues.records import do
from support.slow_clients import connect, fetch, slow_clients, slowest_s

from companion.league.keeping import digest_of_key
from companion.league.league import League
from companion_web.door import Door, listen
from companion_web.guard import Guard, KeeperPin
from companion_web.league.app import ClubKeeper

HEAD = b"POST /api/league/records HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3000000\r\n"


@pytest.fixture
def door(client: FlaskClient, league: League) -> Iterator[Door]:
    keeper = ClubKeeper(league, Guard(KeeperPin("31415926")))
    with Door(client.application, listen("127.0.0.1", 0), keeper) as opened:
        yield opened


@pytest.mark.faults("the door: slow and silent clients")
@pytest.mark.parametrize("habit", ["silent", "a head, a byte at a time"])
def test_a_clubs_readers_do_not_wait_for_slow_clients(door: Door, habit: str) -> None:
    fetch(door.port, "/league/drivers")
    with slow_clients(door.port, habit):
        assert slowest_s(lambda: fetch(door.port, "/league/drivers")) < 2


@pytest.mark.parametrize("key", [b"", b"Authorization: Bearer nobodys\r\n"])
def test_a_large_record_without_a_tables_key_is_not_waited_for(door: Door, key: bytes) -> None:
    with connect(door.port, HEAD + key + b"\r\n") as sock:
        assert sock.recv(64).startswith(b"HTTP/1.1 401")


def test_what_a_person_sends_with_a_link_is_waited_for(door: Door, league: League) -> None:
    digest = digest_of_key("k" * 32)
    act = {"act": "person", "person": "Cai", "role": "steward", "key_sha256": digest}
    do(league, act, by="t")
    body = b'{"acts": [{"act": "note", "race": "driven", "text": "seen"}]}'
    head = (
        b"POST /api/league/acts HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
        + b"k" * 32
        + f"\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    )
    with connect(door.port, head + body) as sock:
        assert sock.recv(64).startswith(b"HTTP/1.1 200")
    (race,) = league.queries.races(race="driven")
    assert [note.by for note in race.notes] == ["Cai"]
