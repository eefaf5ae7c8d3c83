"""Records go to the club: each once, whatever the network does."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from cheroot import wsgi
from support.league import amended, ended, keep, race_header

from companion.bootstrap import BY_COMMAND, RunningTable
from companion.cli import main
from companion.config import Config
from companion.league.errors import LeagueError
from companion.league.folder import LeagueFolder
from companion.league.league import League, digest_of_key
from companion.league.live import LiveFolder
from companion.league.ports import Receipt
from companion.league.push.beacon import Beacon
from companion.league.push.club import Club, ClubAway, WrongKey
from companion.league.push.courier import Courier, deliver
from companion.league.push.outbox import Outbox
from companion_web.league.app import create_league_app

NIGHT = "2026-01-01T20:00:00"
KEYS = {"one": "key-of-one", "two": "key-of-two"}


@pytest.fixture
def club(open_league: Callable[..., League], url: str | None, tmp_path: Path) -> League:
    """The club's own league, with the keys of two tables."""
    league = open_league(url, tmp_path / "club")
    for table, key in KEYS.items():
        act = {"act": "table", "table": table, "key_sha256": digest_of_key(key)}
        league.do(act, by="t")
    return league


@pytest.fixture
def live(tmp_path: Path) -> LiveFolder:
    return LiveFolder(tmp_path / "live", clock=lambda: 1000.0)


@pytest.fixture
def address(club: League, live: LiveFolder) -> Iterator[str]:
    """The club over HTTP."""
    server = wsgi.Server(("127.0.0.1", 0), create_league_app(club, live), numthreads=4)
    server.shutdown_timeout = 0
    server.prepare()
    thread = Thread(target=server.serve, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.bind_addr[1]}"
    server.stop()
    thread.join()


def outbox(data: Path, address: str = "http://club") -> Outbox:
    return Outbox(LeagueFolder(data), address, now=lambda: NIGHT)


class Network:
    """A way to a club on which things go wrong as told: `lost` before it, `deaf` behind it."""

    def __init__(self, club: League, *faults: str) -> None:
        self._club = club
        self._faults = list(faults)
        self.asked = 0

    def send(self, content: bytes) -> Receipt:
        self.asked += 1
        fault = self._faults.pop(0) if self._faults else ""
        if fault == "lost":
            raise ClubAway("the cable is out")
        receipt = self._club.receive(content, table="one")
        if fault == "deaf":
            raise ClubAway("the answer is lost")
        return receipt


def test_each_record_gets_there_once_whatever_is_lost(club: League, tmp_path: Path) -> None:
    keep(tmp_path, ended("a"), ended("b"), ended("c"))
    network = Network(club, "deaf", "lost", "", "deaf", "lost")
    rounds = 0
    while deliver(outbox(tmp_path), network).trouble is not None:
        rounds += 1
    assert rounds == 4
    assert [race.id for race in club.queries.races()] == ["a", "b", "c"]
    assert deliver(outbox(tmp_path), network).receipts == []
    assert len((tmp_path / "club" / "records" / "a.jsonl").read_bytes()) > 100


def test_what_was_sent_is_known_after_a_restart_even_if_the_plug_cut_a_line(
    club: League, tmp_path: Path
) -> None:
    keep(tmp_path, ended("a"))
    assert len(deliver(outbox(tmp_path), Network(club)).receipts) == 1
    sent = LeagueFolder(tmp_path).sent
    sent.write_bytes(sent.read_bytes() + b'{"club": "http://cl')
    keep(tmp_path, ended("b"))
    assert [p.file for p, _ in deliver(outbox(tmp_path), Network(club)).receipts] == ["b.jsonl"]
    assert deliver(outbox(tmp_path), Network(club)).receipts == []


def test_an_amended_race_is_sent_again_and_an_old_copy_changes_nothing(
    club: League, tmp_path: Path
) -> None:
    old = ended("a")
    keep(tmp_path, old)
    box = outbox(tmp_path)
    deliver(box, Network(club))
    first = (tmp_path / "records" / "a.jsonl").read_bytes()
    keep(tmp_path, amended(old, out=1))
    assert [r.status for _, r in deliver(box, Network(club)).receipts] == ["taken"]
    assert club.receive(first, table="one").status == "known"
    (race,) = club.queries.races()
    assert [entry.name for entry in race.entries] == ["Bea", "Cai", "Ana"]
    assert len(race.earlier) == 1


def test_another_race_under_a_known_id_is_refused(club: League, tmp_path: Path) -> None:
    keep(tmp_path, ended("a"))
    deliver(outbox(tmp_path), Network(club))
    keep(tmp_path / "other", ended("a", names=("Eve", "Fay")))
    ((_, receipt),) = deliver(outbox(tmp_path / "other"), Network(club)).receipts
    assert receipt.status == "refused"
    assert "another race has the id a" in receipt.message
    (race,) = club.queries.races()
    assert race.entries[0].name == "Ana"


def cut_short(lines: list[Any]) -> list[Any]:
    return lines[:-1]


def forged(lines: list[Any]) -> list[Any]:
    return [*lines[:-1], {"result": lines[-1]["result"][::-1]}]


def with_a_foreign_gear(lines: list[Any]) -> list[Any]:
    return [lines[0], {**lines[1], "gear": 6}, *lines[2:]]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (cut_short, "line 3: the record ends here, before the result"),
        (forged, "line 4: today's rules come to another result"),
        (with_a_foreign_gear, "line 2: FD-"),
    ],
)
def test_a_damaged_record_is_refused_with_its_line_and_kept_aside(
    open_league: Any, tmp_path: Path, damage: Any, message: str
) -> None:
    club = open_league(None, tmp_path / "club")
    keep(tmp_path, damage(ended("a")))
    box, network = outbox(tmp_path), Network(club)
    ((_, receipt),) = deliver(box, network).receipts
    assert receipt.status == "refused"
    assert receipt.message.startswith(message)
    assert club.queries.races() == []
    (kept,) = club.folder.aside.glob("*.jsonl")
    assert kept.read_bytes() == (tmp_path / "records" / "a.jsonl").read_bytes()
    assert message in kept.with_suffix(".txt").read_text()
    assert deliver(box, network).receipts == []  # it is not offered for ever


def test_a_club_that_cannot_write_acknowledges_nothing(
    open_league: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = open_league(None, tmp_path / "club")
    keep(tmp_path, ended("a"))

    def fail(file: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr("companion.record.os.fsync", fail)
        done = deliver(outbox(tmp_path), Network(club))
    assert "No space left" in str(done.trouble)
    assert [r.status for _, r in deliver(outbox(tmp_path), Network(club)).receipts] == ["taken"]


# -- over HTTP ----------------------------------------------------------------------------


def test_two_tables_that_finish_at_once_are_both_in_the_league(
    address: str, club: League, tmp_path: Path
) -> None:
    for table in KEYS:
        keep(tmp_path / table, *(ended(f"{table}{n}") for n in range(3)))
    found: list[Any] = []

    def send(table: str) -> None:
        box = outbox(tmp_path / table, address)
        found.append(deliver(box, Club(address, KEYS[table])))

    threads = [Thread(target=send, args=(table,)) for table in KEYS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [done.trouble for done in found] == [None, None]
    assert len(club.queries.races()) == 6


def test_a_table_that_sends_twice_is_told_that_it_is_known(
    address: str, club: League, tmp_path: Path
) -> None:
    keep(tmp_path, ended("a"))
    content = (tmp_path / "records" / "a.jsonl").read_bytes()
    table = Club(address, KEYS["one"])
    assert [table.send(content).status for _ in range(2)] == ["taken", "known"]
    assert table.send(content[:-40]).status == "refused"


def test_only_a_table_with_a_key_gets_in(address: str, club: League) -> None:
    with pytest.raises(WrongKey, match="does not know this table's key"):
        Club(address, "guessed").send(b"{}")
    club.do({"act": "close-table", "table": "one"}, by="t")
    with pytest.raises(WrongKey):
        Club(address, KEYS["one"]).send(b"{}")
    assert Club(address, KEYS["two"]).send(b"{}").status == "refused"


def test_a_record_that_is_too_large_is_refused_and_not_read(
    open_league: Any, live: LiveFolder, tmp_path: Path
) -> None:
    club = open_league(None, tmp_path / "club")
    act = {"act": "table", "table": "one", "key_sha256": digest_of_key(KEYS["one"])}
    club.do(act, by="t")
    reply = (
        create_league_app(club, live)
        .test_client()
        .post(
            "/api/league/records",
            headers={"Authorization": f"Bearer {KEYS['one']}", "Content-Length": str(5 * 2**20)},
        )
    )
    assert reply.status_code == 413
    assert "4194304 bytes at most" in reply.get_json()["error"]["message"]


def test_a_table_tells_how_it_stands(address: str, live: LiveFolder) -> None:
    Club(address, KEYS["one"]).show(b'{"phase": "race"}')
    (shown,) = live.tables()
    assert (shown.table, shown.age_s, shown.state) == ("one", 0.0, {"phase": "race"})


def test_a_table_that_has_fallen_silent_is_not_shown(tmp_path: Path) -> None:
    LiveFolder(tmp_path, clock=lambda: 0.0).show("one", {})
    assert LiveFolder(tmp_path, clock=lambda: 89.0).tables() != []
    assert LiveFolder(tmp_path, clock=lambda: 91.0).tables() == []


def test_a_club_that_is_not_there_is_told_and_what_waits_waits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(tmp_path, ended("a"))
    (tmp_path / "companion.toml").write_text('[league]\nclub = "http://127.0.0.1:9"\nkey = "k"\n')
    assert main(["league", "push", "--data", str(tmp_path)]) == 2
    assert "out of reach" in capsys.readouterr().err


def test_records_are_pushed_by_command(
    address: str, club: League, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(tmp_path, ended("a"))
    words = ["league", "push", "--data", str(tmp_path), "--club", address, "--key", KEYS["one"]]
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sent"][0]["status"] == "taken"
    assert [race.id for race in club.queries.races()] == ["a"]


# -- the table's own ----------------------------------------------------------------------


def test_the_courier_goes_again_when_it_is_told_to(tmp_path: Path, open_league: Any) -> None:
    keep(tmp_path, ended("a"))
    network = Network(open_league(None, tmp_path / "club"), "lost")
    told: list[LeagueError | None] = []
    heard = Event()

    def hear(trouble: LeagueError | None) -> None:
        told.append(trouble)
        heard.set()

    with Courier(outbox(tmp_path), network, hear) as courier:
        assert heard.wait(10)
        heard.clear()
        courier.nudge()
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


def test_the_beacon_tells_how_the_table_stands_after_a_change() -> None:
    club, states = Television(), [b"1", b"2"]
    with Beacon(club, lambda: states[min(len(club.shown), 1)], shortest_s=0) as beacon:
        assert club.heard.wait(10)
        club.heard.clear()
        beacon.nudge()
        assert club.heard.wait(10)
    assert club.shown[:2] == [b"1", b"2"]


@pytest.mark.slow
def test_a_race_that_ends_at_a_table_is_in_the_club_s_league(
    address: str, club: League, live: LiveFolder, tmp_path: Path
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
        assert table.session.submit(BY_COMMAND, {"end": True}).status == 200
        until(lambda: club.queries.races() and live.tables())
    (race,) = club.queries.races()
    assert [entry.name for entry in race.entries] == ["Ana", "Bea"]
    assert live.tables()[0].table == "one"


def until(happened: Callable[[], Any]) -> None:
    """Wait for threads of the program's own."""
    end = time.monotonic() + 20
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.02)


TABLE = """
import sys
from pathlib import Path
from companion.bootstrap import RunningTable
from companion.config import Config
with RunningTable(Config(data=Path(sys.argv[1]), host="127.0.0.1", port=0)) as table:
    table.start()
    print(sorted(name for name in ("sqlalchemy", "alembic", "rich") if name in sys.modules))
    print("companion.league.push.courier" in sys.modules)
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
