"""A running table and its club: sender, reporter, and no database at the table."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from support.leagues.club import KEYS, Network, outbox, until
from support.leagues.records import ended, keep, race_header

from companion.app.table import BY_COMMAND, RunningTable
from companion.league.errors import LeagueError
from companion.league.league import League
from companion.league.push import LiveReporter, Sender
from companion.league.receiving import LiveFiles
from companion.system.config import Config


def test_the_sender_goes_again_when_it_is_told_to(tmp_path: Path, open_league: Any) -> None:
    keep(tmp_path, ended("a"))
    network = Network(open_league(None, tmp_path / "club"), "lost")
    told: list[LeagueError | None] = []
    heard = Event()

    def hear(trouble: LeagueError | None) -> None:
        told.append(trouble)
        heard.set()

    with Sender(outbox(tmp_path), network, hear) as sender:
        assert heard.wait(10)
        heard.clear()
        sender.nudge()
        assert heard.wait(10)
    assert [trouble is None for trouble in told] == [False, True]
    assert network.asked == 2


class Television:
    """A club that hears how a table stands."""

    def __init__(self) -> None:
        self.shown: list[bytes] = []
        self.heard = Event()

    def show(self, state: bytes) -> None:
        self.shown.append(state)
        self.heard.set()


def test_the_reporter_tells_how_the_table_stands_after_a_change() -> None:
    club, states = Television(), [b"1", b"2"]
    with LiveReporter(club, lambda: states[min(len(club.shown), 1)], shortest_s=0) as reporter:
        assert club.heard.wait(10)
        club.heard.clear()
        reporter.nudge()
        assert club.heard.wait(10)
    assert club.shown[:2] == [b"1", b"2"]


def test_a_club_that_is_away_is_waited_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Away(Television):
        def show(self, state: bytes) -> None:
            raise LeagueError("out of reach")

    monkeypatch.setattr("companion.league.push.LONGEST_S", 0.01)
    with LiveReporter(Away(), lambda: b"1") as reporter:
        assert reporter.work() == 0.0


@pytest.mark.slow
def test_a_race_that_ends_at_a_table_is_in_the_club_s_league(
    address: str, club: League, live: LiveFiles, tmp_path: Path
) -> None:
    data = tmp_path / "table"
    data.mkdir()
    text = f'[league]\nclub = "{address}"\nkey = "{KEYS["one"]}"\n'
    (data / "companion.toml").write_text(text)
    with RunningTable(Config(data=data, host="127.0.0.1", port=0)) as table:
        header = race_header(("Ana", "Bea"))
        reply = table.start(header=header)
        assert reply is not None
        assert reply.status == 200
        for line in ({"seat": 1, "gear": 1}, {"end": True}):
            assert table.session.submit(BY_COMMAND, line).status == 200
        until(lambda: club.queries.races() and live.tables())
    (race,) = club.queries.races()
    assert [entry.name for entry in race.entries] == ["Ana", "Bea"]
    assert live.tables()[0].table == "one"


TABLE = """
import sys
from pathlib import Path
from companion.app.table import RunningTable
from companion.system.config import Config
with RunningTable(Config(data=Path(sys.argv[1]), host="127.0.0.1", port=0)) as table:
    table.start()
    print(sorted(name for name in ("sqlite3", "companion.league.league") if name in sys.modules))
    print("companion.league.push" in sys.modules)
"""


@pytest.mark.slow
def test_a_running_table_carries_no_database_with_it_whatever_its_club(tmp_path: Path) -> None:
    text = '[league]\nclub = "http://127.0.0.1:9"\nkey = "k"\n'
    (tmp_path / "companion.toml").write_text(text)
    done = subprocess.run(
        [sys.executable, "-c", TABLE, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.splitlines() == ["[]", "True"]
