"""What a host's own folder gives to a club's database, where something comes in between."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.leagues.records import do, ended, image, keep

from companion.league import keeping
from companion.league.errors import NoStore
from companion.league.league import League

pytestmark = [pytest.mark.slow, pytest.mark.long]

GONE = "Zoë Quist"
OPEN = {"act": "season", "season": "s", "title": "Winter", "open": True}
OpenLeague = Callable[..., League]


@pytest.fixture
def url(postgres: Any) -> str:
    return str(postgres.database())


def drivers(league: League) -> set[str]:
    league.catch_up()
    return {entry.name for race in league.queries.latest()[0] for entry in race.entries}


def test_a_folder_that_was_cut_short_while_it_was_brought_is_brought_when_its_host_is_back(
    open_league: OpenLeague, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(tmp_path / "one", ended("a"))
    own = open_league(None, tmp_path / "one")
    own.catch_up()
    do(own, OPEN, by="t")
    before, insert = image(own), keeping.insert

    def fail(ask: Any, one: Any, *more: Any) -> str:
        if one.n == 3:
            raise NoStore("the plug is pulled")
        return insert(ask, one, *more)

    with monkeypatch.context() as patched:
        patched.setattr(keeping, "insert", fail)
        with pytest.raises(NoStore, match="plug"):
            open_league(url, tmp_path / "one")
    back = open_league(url, tmp_path / "one")
    other = open_league(url, tmp_path / "two")
    assert image(back) == image(other) == before
    assert back.history() == own.history()


def test_after_a_forgetting_the_database_that_a_folder_had_before_is_gone(
    open_league: OpenLeague, url: str, tmp_path: Path
) -> None:
    data = tmp_path / "one"
    keep(data, ended("a", names=(GONE, "Bea", "Cai")))
    own = open_league(None, data)
    do(own, OPEN, by="t")
    own.close()
    league = open_league(url, data)
    league.catch_up()
    assert own.folder.database.exists()  # nobody is forgotten, nothing goes
    league.forget(GONE, by="t")
    files = [path for path in data.rglob("*") if path.is_file()]
    assert not [path for path in files if GONE.encode() in path.read_bytes()]
    assert open_league(url, data).queries.races()


def test_a_record_that_comes_while_somebody_is_forgotten_elsewhere_keeps_its_other_names(
    open_league: OpenLeague, url: str, tmp_path: Path
) -> None:
    one, two = (open_league(url, tmp_path / name) for name in ("one", "two"))
    keep(tmp_path / "one", ended("a", names=(GONE, "Bea", "Cai")))
    one.catch_up()
    keep(tmp_path / "two", ended("b", names=("Newcomer", GONE.upper(), "Cai")))
    one.forget(GONE, by="t")
    two.catch_up()
    assert "Newcomer" in drivers(one)
    assert not [name for name in drivers(one) if "quist" in name.lower()]
    assert "quist" not in one.dump().decode().lower()
    files = [path for path in (tmp_path / "two").rglob("*") if path.is_file()]
    assert not [path for path in files if "quist" in path.read_bytes().decode().lower()]


def test_a_folder_with_another_league_is_refused_and_what_it_is_told_to_do_helps(
    open_league: OpenLeague, url: str, tmp_path: Path
) -> None:
    one = open_league(url, tmp_path / "one")
    keep(tmp_path / "one", ended("a", names=(GONE, "Bea", "Cai")))
    do(one, OPEN, by="t")
    data = tmp_path / "two"
    keep(data, ended("b", names=("Old Name", "Bea", "Cai")))
    do(open_league(None, data), OPEN, by="t")
    with pytest.raises(NoStore, match=r"move that folder and .*records away"):
        open_league(url, data)
    for name in ("league", "records"):
        (data / name).rename(tmp_path / f"{name}-away")
    two = open_league(url, data)
    one.forget(GONE, by="t")
    assert two.catch_up() == []
    do(two, {"act": "season", "season": "t", "title": "Summer"}, by="t")
    assert drivers(two) == drivers(one)


def test_a_backup_is_of_one_moment_though_a_record_comes_meanwhile(
    open_league: OpenLeague, url: str, tmp_path: Path
) -> None:
    league = open_league(url, tmp_path / "one")
    keep(tmp_path / "one", ended("a"))
    league.catch_up()
    dumped, told = [], threading.Event()

    def dump() -> None:
        dumped.append(league.dump())
        told.set()

    with open_league(url, tmp_path / "two")._changing() as change:
        thread = threading.Thread(target=dump)
        thread.start()
        assert told.wait(10)  # it waits for nobody
        thread.join()
        assert change.stand.told
    lines = league.folder.data.parent / "again" / "league" / "league.jsonl"
    lines.parent.mkdir(parents=True)
    lines.write_bytes(dumped[0])
    assert image(open_league(None, tmp_path / "again")) == image(league)


def test_a_record_that_is_sent_to_two_hosts_at_once_is_one(
    open_league: OpenLeague, url: str, tmp_path: Path
) -> None:
    hosts = [open_league(url, tmp_path / name) for name in ("one", "two")]
    content = b"".join(json.dumps(line).encode() + b"\n" for line in ended("a"))
    said: list[str] = []
    threads = [
        threading.Thread(target=lambda h=host: said.append(h.receive(content, table=None).status))
        for host in hosts
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(said) == ["known", "taken"]
    assert [line["act"] for line in hosts[0].history()] == ["record", "season", "round"]


def test_what_was_done_as_the_connection_went_is_done_once_and_answered(
    open_league: OpenLeague, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server has committed, and nobody hears of it."""
    league = open_league(url, tmp_path / "one")
    do(league, OPEN, by="t")
    for n in range(14):
        connection = league._database._open["write"]
        commit = connection.commit

        def commit_and_go(connection: Any = connection, commit: Any = commit) -> None:
            commit()
            connection.close()
            raise league._database.errors[0]("the connection is gone")

        monkeypatch.setattr(connection, "commit", commit_and_go)
        number = do(league, {"act": "season", "season": "s", "drops": n}, by="t")
        assert number == n + 2
    assert len(league.history()) == 15
    assert league.rebuild().is_same


def test_a_server_that_was_restarted_is_gone_on_with(
    open_league: OpenLeague, url: str, tmp_path: Path
) -> None:
    one, two = (open_league(url, tmp_path / name) for name in ("one", "two"))
    do(one, OPEN, by="t")
    two.catch_up()
    with two._database.writing() as ask:
        ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
    do(one, {"act": "season", "season": "t"}, by="t")
    two.catch_up()
    assert image(one) == image(two)
