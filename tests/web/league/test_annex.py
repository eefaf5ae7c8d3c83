"""The apps beside a table's page: made when first asked for, and in a process of their own where
they are dear."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from support.odd_app import PARTS
from werkzeug.test import Client

from companion.app.table import RunningTable
from companion.system.config import Config
from companion_web import app
from companion_web.app import Annex, Away, Elsewhere
from companion_web.guard import Guard, KeeperPin
from companion_web.pages import NoTracks, create_drawings

WATCHED = ("sqlite3", "companion.league.league", "companion_web.league", "resvg_py")
OPEN_A_TABLE = """
import sys, tempfile
from pathlib import Path
from urllib.request import urlopen
from companion.app.table import RunningTable
from companion.system.config import Config

def watched():
    return sorted(name for name in {watched!r} if name in sys.modules)

with tempfile.TemporaryDirectory() as folder:
    with RunningTable(Config(data=Path(folder), host="127.0.0.1", port=0)) as table:
        table.start()
        urlopen(f"{{table.url}}/").read()
        print(watched())
        print(urlopen(f"{{table.url}}/league/drivers").status)
        print(watched())
"""
PIN = "31415926"


def answering(text: str) -> Any:
    def app(environ: Any, start: Any) -> list[bytes]:
        start("200 OK", [("Content-Type", "text/plain")])
        return [text.encode()]

    return app


def test_the_annex_is_made_once_and_only_for_its_own_addresses() -> None:
    made: list[int] = []

    def make() -> Any:
        made.append(1)
        return answering("annex")

    client = Client(Annex(answering("house"), make, ("/league",)))
    assert client.get("/leagues").text == "house"
    assert client.get("/").text == "house"
    assert made == []
    assert client.get("/league").text == client.get("/league/x").text == "annex"
    assert made == [1]


def test_an_annex_that_cannot_be_made_says_why_and_is_tried_again() -> None:
    troubles = [Away("the disk is full <b>"), Away("it still is")]

    def make() -> Any:
        if troubles:
            raise troubles.pop(0)
        return answering("annex")

    house = create_drawings(Guard(KeeperPin(PIN)), NoTracks())
    client = Client(Annex(house, make, ("/league", "/api/league")))
    first, second = client.get("/league?lang=de"), client.get("/api/league")
    assert (first.status_code, first.headers["Retry-After"]) == (503, "10")
    assert "the disk is full &lt;b&gt;" in first.text
    assert 'lang="de"' in first.text
    assert second.status_code == 503
    assert second.json["error"]["message"] == "it still is"  # type: ignore[index]
    assert client.get("/league").text == "annex"


# -- in a process of its own ----------------------------------------------------------------------


Made = Callable[..., tuple[Elsewhere, Client]]


@pytest.fixture
def made() -> Iterator[Made]:
    """Parts elsewhere, and a client of the house that has them."""
    opened: list[Elsewhere] = []

    def make(**settings: float) -> tuple[Elsewhere, Client]:
        guard = Guard(KeeperPin(PIN))
        opened.append(Elsewhere(guard, *PARTS, **settings))
        house = create_drawings(guard, NoTracks())
        return opened[-1], Client(Annex(house, lambda: opened[-1], ("/odd", "/none")))

    yield make
    for elsewhere in opened:
        elsewhere.close()


def test_what_is_dear_is_made_by_another_process_that_believes_the_door(made: Made) -> None:
    elsewhere, client = made()
    assert elsewhere._child is None
    keyed = {"Authorization": f"Bearer {PIN}"}
    pid, *told = client.post("/odd", data="body", headers=keyed).text.split()
    assert int(pid) != os.getpid()
    assert told == ["word", "referee", "body", PIN]
    wrong = {"Authorization": "Bearer 999"}
    assert client.get("/odd", headers=wrong).text.split() == [pid, "word", "no-key", "999"]
    foreign = {"Host": "evil.example"}
    assert client.get("/odd", headers=foreign).text.split()[2] == "foreign-host"
    assert client.get("/none").status_code == 503
    assert "there is none" in client.get("/none").text


@pytest.mark.faults("the pages' process: it does not start, dies, hangs")
def test_where_the_process_dies_that_is_told_and_it_is_started_again(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, client = made()
    first = client.get("/odd").text.split()[0]
    died, soon = client.get("/odd/die"), client.get("/odd")
    assert (died.status_code, soon.status_code) == (503, 503)
    assert "does not serve: status 3" in died.text
    assert "ended a moment ago" in soon.text
    assert client.get("/circuit/none.svg").status_code == 404, "the table goes on"
    monkeypatch.setattr(app, "AGAIN_S", 0.0)
    assert client.get("/odd").text.split()[0] != first


@pytest.mark.faults("the pages' process: it does not start, dies, hangs")
def test_a_process_that_was_killed_in_between_is_not_even_noticed(made: Made) -> None:
    elsewhere, client = made()
    first = client.get("/odd").text.split()[0]
    assert elsewhere._child is not None
    os.kill(elsewhere._child, signal.SIGKILL)
    os.waitid(os.P_PID, elsewhere._child, os.WEXITED | os.WNOWAIT)
    assert client.get("/odd").text.split()[0] != first


@pytest.mark.faults("the pages' process: it does not start, dies, hangs")
def test_a_process_that_hangs_is_ended(made: Made) -> None:
    assert app.ANSWER_S <= 60
    elsewhere, client = made()
    client.get("/odd")
    elsewhere._ours.settimeout(0.2)
    assert "does not serve: timed out" in client.get("/odd/hang").text
    assert elsewhere._child is None


@pytest.mark.faults("the pages' process: it does not start, dies, hangs")
def test_a_process_that_does_not_start_is_told(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    def start(*_: object, **__: object) -> None:
        raise OSError(12, "Cannot allocate memory")

    _, client = made()
    monkeypatch.setattr(os, "posix_spawn", start)
    assert "does not serve: [Errno 12] Cannot allocate memory" in client.get("/odd").text
    monkeypatch.undo()
    monkeypatch.setattr(app, "AGAIN_S", 0.0)
    assert client.get("/odd").status_code == 200


def test_a_process_that_nobody_asks_ends_and_comes_back(made: Made) -> None:
    assert app.IDLE_S == 600
    elsewhere, client = made(idle_s=0.05)
    first = client.get("/odd").text.split()[0]
    assert elsewhere._child is not None
    os.waitid(os.P_PID, elsewhere._child, os.WEXITED | os.WNOWAIT)
    assert client.get("/odd").text.split()[0] != first


def test_closing_waits_for_no_answer(made: Made) -> None:
    elsewhere, client = made()
    client.get("/odd")
    asking = Thread(target=client.get, args=("/odd/hang",))
    asking.start()
    elsewhere.close()
    asking.join(10)
    assert not asking.is_alive()
    assert "is being closed" in client.get("/odd").text


@pytest.mark.slow
def test_a_table_carries_nothing_of_the_league_however_often_it_is_asked_for() -> None:
    code = OPEN_A_TABLE.format(watched=WATCHED)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    before, status, after = done.stdout.splitlines() or [done.stderr] * 3
    assert (before, status, after) == ("[]", "200", "[]"), done.stderr


@pytest.mark.slow
@pytest.mark.faults("the pages' process: it does not start, dies, hangs")
def test_a_league_that_cannot_be_opened_is_a_page_that_says_why(tmp_path: Path) -> None:
    (tmp_path / "league").mkdir()
    (tmp_path / "league" / "league.db").write_bytes(b"no database" * 999)
    with RunningTable(Config(data=tmp_path, host="127.0.0.1", port=0)) as table:
        table.start()
        done = subprocess.run(
            ["curl", "-s", "-i", f"{table.url}/league"], capture_output=True, text=True, check=True
        )
    assert done.stdout.startswith("HTTP/1.1 503")
    assert "<h1>" in done.stdout
