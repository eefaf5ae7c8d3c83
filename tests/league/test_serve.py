"""`companion league serve` as a process: gunicorn on PostgreSQL, cheroot without the extra."""

from __future__ import annotations

import socket
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from support.leagues.records import do, ended, keep
from support.leagues.servers import serving

from companion.cli import main
from companion.league.errors import LeagueFolder
from companion.league.keeping import digest_of_key
from companion.league.league import League
from companion.league.push import Club, Outbox, deliver

TABLES = ("one", "two", "three")
WITHOUT_GUNICORN = """
import sys
import companion_web.league.app as server
server.has_gunicorn = lambda: False
from companion.cli import main
sys.exit(main(sys.argv[1:]))
"""


def give_keys(data: Path, url: str | None) -> None:
    with League(data, url=url, now=lambda: "2026-01-01T20:00:00") as league:
        for table in TABLES:
            act = {"act": "table", "table": table, "key_sha256": digest_of_key(f"key-{table}")}
            do(league, act, by="t")


def push_all(folder: Path, address: str) -> list[Any]:
    """Three tables that finish at once, each with two races."""
    for table in TABLES:
        keep(folder / table, ended(f"{table}-1"), ended(f"{table}-2"))
    troubles: list[Any] = []

    def push(table: str) -> None:
        box = Outbox(LeagueFolder(folder / table), address, lambda: "")
        troubles.append(deliver(box, Club(address, f"key-{table}")).trouble)

    threads = [Thread(target=push, args=(table,)) for table in TABLES]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return troubles


@pytest.mark.slow
@pytest.mark.long
def test_a_club_of_several_processes_takes_in_what_tables_send_at_once(
    tmp_path: Path, postgres: Any
) -> None:
    url = postgres.database()
    give_keys(tmp_path / "club", url)
    with serving(tmp_path / "club", "--database", url, "--workers", "2") as address:
        assert push_all(tmp_path, address) == [None] * 3
        assert push_all(tmp_path, address) == [None] * 3  # nothing waits any more
    with League(tmp_path / "club", url=url, now=str) as league:
        assert len(league.queries.races()) == 6


@pytest.mark.slow
def test_without_the_extra_one_process_serves(tmp_path: Path) -> None:
    give_keys(tmp_path / "club", None)
    with serving(tmp_path / "club", code=("-c", WITHOUT_GUNICORN)) as address:
        assert push_all(tmp_path, address) == [None] * 3
    with League(tmp_path / "club", now=str) as league:
        assert len(league.queries.races()) == 6


def test_an_address_that_is_taken_is_told_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        words = ["league", "serve", "--host", "127.0.0.1", "--port", port, "--data", str(tmp_path)]
        assert main(words) == 2
    assert f"cannot listen on 127.0.0.1 port {port}" in capsys.readouterr().err
