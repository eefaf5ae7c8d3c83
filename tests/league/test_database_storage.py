"""The files of a club in PostgreSQL where several are at them at once, or the server goes away."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pytest
from companion.league.store import storage
from sqlalchemy import text
from support.leagues.club import until
from support.leagues.records import do, ended, image

from companion.league.league import League
from companion.league.storage import ACTS, LIVE, RECORDS, contents

pytestmark = pytest.mark.slow

OpenLeague = Callable[..., League]
FILE = f"{LIVE}/x.json"


@pytest.fixture
def league(open_league: OpenLeague, postgres: Any) -> League:
    return open_league(postgres.database())


def test_a_file_can_go_while_others_write_it(league: League) -> None:
    ended = threading.Event()

    def write() -> None:
        while not ended.is_set():
            league.storage.write(FILE, b"x", lasting=False)

    writers = [threading.Thread(target=write) for _ in range(2)]
    for writer in writers:
        writer.start()
    try:
        for _ in range(100):
            league.storage.remove(FILE)
    finally:
        ended.set()
        for writer in writers:
            writer.join()
    league.storage.remove(FILE)
    assert league.storage.status(FILE) is None


def test_who_watches_is_told_again_after_no_connection_was_left_to_listen_with(
    league: League, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(storage, "AGAIN_S", 0.1)
    pool: Any = league._engine.pool
    monkeypatch.setattr(pool, "_timeout", 0.1)
    told = threading.Event()
    league.storage.watch(LIVE, told.set)
    assert told.wait(10)  # it listens
    with ExitStack() as held:
        last = held.enter_context(league._engine.connect())
        for _ in range(pool.size() + pool._max_overflow - 1):
            held.enter_context(league._engine.connect())
        end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
        last.execute(text(end))
        until(lambda: "QueuePool limit" in caplog.text)
    told.clear()
    assert told.wait(10)  # of what came meanwhile
    told.clear()
    league.storage.write(FILE, b"x")
    assert told.wait(10)


def test_a_file_that_goes_is_seen_though_a_newer_one_stays(league: League) -> None:
    storage = league.storage
    names = [f"{RECORDS}/{race}.jsonl" for race in "abc"]
    for name in names:
        storage.write(name, b"x")
    for gone in ("b", "c", "a"):
        before = storage.looks(RECORDS, LIVE)
        storage.remove(f"{RECORDS}/{gone}.jsonl")
        after = storage.looks(RECORDS, LIVE)
        assert (after[0] != before[0], after[1]) == (True, before[1])
    assert storage.listing(RECORDS) == {}
    assert list(contents(storage, RECORDS)) == []
    storage.write(names[0], b"y")
    assert list(storage.listing(RECORDS)) == ["a.jsonl"]
    assert storage.looks(RECORDS, ACTS, names[0])[1] == ""


def test_a_record_that_goes_takes_its_race_along_and_brings_it_back(league: League) -> None:
    do(league, {"act": "season", "season": "s", "title": "s", "open": True}, by="t")
    for n, race in enumerate("abc", 1):
        lines = ended(race, started=f"2026-01-0{n}T20:00:00")
        league.receive(b"".join(json.dumps(line).encode() + b"\n" for line in lines), table=None)
    before = image(league)
    name = f"{RECORDS}/b.jsonl"
    content = league.storage.read(name)
    assert content
    league.storage.remove(name)
    league.catch_up()
    assert [race.id for race in league.queries.races()] == ["a", "c"]
    league.storage.write(name, content)
    league.catch_up()
    assert image(league) == before
