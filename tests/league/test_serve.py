"""`companion league serve` as a process: gunicorn on PostgreSQL, cheroot without the extra."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest
from support.leagues.servers import give_keys, push_all, serving

from companion.cli import main
from companion.league.league import League

WITHOUT_GUNICORN = """
import sys
import companion_web.league.app as server
server.has_gunicorn = lambda: False
from companion.cli import main
sys.exit(main(sys.argv[1:]))
"""


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
        club = tmp_path / "club"
        readable = [path for path in (club, *club.rglob("*")) if path.stat().st_mode & 0o77]
        assert readable == [], "files of a club are 0600, its folders 0700"
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
