"""A host of a club whose lock's connection dies while it changes something: the server then gives
the lock to the next one, and both would write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from companion.league.journal import ActJournal
from companion.league.store.storage import FENCE, LEAGUE
from sqlalchemy import text
from support.leagues.club import until
from support.leagues.records import do, image

from companion.league.errors import NoStore
from companion.league.league import League
from companion.league.storage import Busy

pytestmark = [pytest.mark.slow, pytest.mark.long]

FILE = "records/x.jsonl"
OpenLeague = Callable[..., League]


def opened(season: str) -> dict[str, Any]:
    return {"act": "season", "season": season, "title": season}


@pytest.fixture
def url(postgres: Any) -> str:
    return str(postgres.database())


@pytest.fixture
def hosts(open_league: OpenLeague, url: str, tmp_path: Any) -> tuple[League, League]:
    one, two = (open_league(url, tmp_path / name) for name in ("one", "two"))
    do(one, opened("first"), by="t")
    two.catch_up()
    return one, two


@pytest.fixture
def aside() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor() as threads:
        yield threads


def cut(league: League) -> None:
    """The connection that has the lock dies, and no other."""
    locks = (
        f"SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = {LEAGUE} AND granted"
    )
    with league._engine.connect() as connection:
        end = text(f"SELECT pg_terminate_backend(pid, 5000) FROM ({locks}) AS found")
        assert connection.scalars(end).all() == [True]


def waits(league: League, number: int) -> bool:
    """Whether somebody waits for a lock."""
    query = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    with league._engine.connect() as connection:
        return bool(connection.scalar(text(f"{query} AND classid = {number}")))


def seasons(league: League) -> list[str]:
    lines = ActJournal(league.storage).read()
    assert [line["n"] for line in lines] == list(range(1, len(lines) + 1))
    return [str(line["season"]) for line in lines]


def test_a_file_is_not_written_by_a_host_that_has_lost_the_lock(
    hosts: tuple[League, League],
) -> None:
    one, _ = hosts
    for change in (
        lambda: one.storage.write(FILE, b"x"),
        lambda: one.storage.write_once(FILE, b"x"),
        lambda: one.storage.append(FILE, b"x"),
    ):
        with one.storage.held():
            cut(one)
            with pytest.raises(NoStore, match="do it again"):
                change()
        assert one.storage.status(FILE) is None
    with one.storage.held():
        one.storage.write(FILE, b"y")  # and the next one has another lock
    assert one.storage.read(FILE) == b"y"


def test_who_loses_the_lock_in_the_middle_of_an_act_gives_it_up_and_the_next_one_acts(
    hosts: tuple[League, League], aside: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = hosts
    acting: list[Future[object]] = []

    def lose() -> str:
        cut(one)
        acting.append(aside.submit(do, two, opened("of-two"), by="t"))
        until(lambda: waits(two, FENCE))
        return "2026-03-01T12:00:00"

    monkeypatch.setattr(one, "_now", lose)
    with pytest.raises(NoStore, match="do it again"):
        do(one, opened("of-one"), by="t")
    acting[0].result(20)
    assert seasons(one) == ["first", "of-two"]
    monkeypatch.undo()
    do(one, opened("of-one"), by="t")
    assert seasons(two) == ["first", "of-two", "of-one"]
    assert image(one) == image(two)


def test_who_loses_the_lock_with_all_written_down_commits_before_the_next_one_looks(
    hosts: tuple[League, League], aside: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = hosts
    acting: list[Future[object]] = []
    append = one._append

    def append_and_lose(*given: Any) -> None:
        append(*given)
        cut(one)
        acting.append(aside.submit(do, two, opened("of-two"), by="t"))
        until(lambda: waits(two, FENCE))

    monkeypatch.setattr(one, "_append", append_and_lose)
    do(one, opened("of-one"), by="t")
    acting[0].result(20)
    assert seasons(two) == ["first", "of-one", "of-two"]
    one.catch_up()
    before = image(two)
    assert image(one) == before
    two.rebuild()
    assert image(two) == before


def test_who_does_not_wait_is_told_that_a_host_without_the_lock_is_still_at_it(
    hosts: tuple[League, League], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = hosts
    append = one._append

    def append_and_lose(*given: Any) -> None:
        append(*given)
        cut(one)
        with pytest.raises(Busy), two.storage.held(wait=False):
            pass

    monkeypatch.setattr(one, "_append", append_and_lose)
    do(one, opened("of-one"), by="t")
    with two.storage.held(wait=False):
        assert seasons(two) == ["first", "of-one"]
