"""Two servers of one club, with folders of their own, that share nothing but the database."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from http.client import HTTPException
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from support.leagues.club import until
from support.leagues.records import do, ended, image, keep
from support.leagues.servers import start

from companion.app.league import files_of_club, keeper_pin
from companion.cli import main
from companion.journal.backups import make_backup
from companion.league.change import Change
from companion.league.database import RECORDS
from companion.league.errors import NoStore
from companion.league.keeping import digest_of_key
from companion.league.league import League
from companion.league.receiving import LiveFiles
from companion_web.guard import Guard, KeeperPin
from companion_web.league import live
from companion_web.league.app import create_league_app
from companion_web.league.doors import LeagueAccess

pytestmark = [pytest.mark.slow, pytest.mark.long]

GONE = "Zoë Quist"
KEY = "key-of-one"
OPEN = {"act": "season", "season": "s", "title": "Winter", "open": True}
OpenLeague = Callable[..., League]


class Reply(NamedTuple):
    status: int
    text: str


class Server:
    """One of the hosts: a server of two processes, and its folder."""

    def __init__(self, data: Path, url: str) -> None:
        self.data = data
        self.address, self._process = start(data, "--database", url, "--workers", "2")

    def ask(
        self,
        path: str,
        body: object = None,
        *,
        key: str = "",
        method: str | None = None,
        more: dict[str, str] | None = None,
    ) -> Reply:
        data = body if isinstance(body, bytes) else json.dumps(body).encode() if body else None
        headers = {"Content-Type": "application/json", **(more or {})}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        request = Request(self.address + path, data=data, headers=headers, method=method)
        try:
            with urlopen(request, timeout=60) as reply:
                return Reply(reply.status, reply.read().decode())
        except HTTPError as error:
            with error:
                return Reply(error.code, error.read().decode())

    def pin(self) -> str:
        return (self.data / "league" / "pin").read_text().strip()

    def push(self, record: list[dict[str, Any]]) -> str:
        content = "".join(json.dumps(line) + "\n" for line in record).encode()
        reply = self.ask("/api/league/records", content, key=KEY)
        return str(json.loads(reply.text).get("status", reply.text))

    def act(self, act: dict[str, Any]) -> None:
        reply = self.ask("/api/league/acts", {"acts": [act]}, key=self.pin())
        assert reply.status == 200, reply.text

    def shows(self, race: str, order: list[str]) -> None:
        """Of the latest round, as another program asks for it, these cars are told, best first.

        A host that is asked while the database is busy shows what is new a moment later.
        """

        def is_told() -> bool:
            told = json.loads(self.ask("/ergast/f1/s/last/results.json").text)
            rounds = told.get("MRData", {}).get("RaceTable", {}).get("Races", ())
            return [
                (one["raceName"], [car["Driver"]["driverId"] for car in one["Results"]])
                for one in rounds
            ] == [(f"Race {race}", order)]

        until(is_told)

    def kill(self) -> None:
        """All of its processes at once, without a word."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                self.kill()
        with suppress(ValueError):  # it was closed before
            self._process.communicate()


@pytest.fixture
def url(postgres: Any) -> str:
    return str(postgres.database())


@pytest.fixture
def hosts(tmp_path: Path, url: str) -> Iterator[tuple[Server, Server]]:
    """Both serve the club, with a table that has a key and an open season."""
    with League(tmp_path / "one", url=url, now=lambda: "2026-01-01T20:00:00") as league:
        do(league, {"act": "table", "table": "one", "key_sha256": digest_of_key(KEY)}, by="t")
        do(league, OPEN, by="t")
    servers = [Server(tmp_path / name, url) for name in ("one", "two")]
    yield servers[0], servers[1]
    for server in servers:
        server.close()


def soon(holds: Callable[[], object], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.05)


def test_what_is_pushed_and_done_at_one_host_is_read_from_the_other(
    hosts: tuple[Server, Server],
) -> None:
    one, two = hosts
    assert one.push(ended("a")) == "taken"
    assert two.push(ended("a")) == "known"
    two.shows("a", ["ana", "bea", "cai"])
    swapped = [{"seat": 2}, {"seat": 1}, {"seat": 3}]
    two.act({"act": "amend", "race": "a", "reason": "misread", "entries": swapped})
    one.shows("a", ["bea", "ana", "cai"])
    one.act({"act": "strike", "race": "a", "reason": "the wrong board"})
    until(lambda: "the wrong board" in two.ask("/league/races/a").text)
    two.act({"act": "restore", "race": "a"})
    one.act({"act": "club", "confirm": "by-hand"})
    assert two.push(ended("b", started="2026-01-08T20:00:00")) == "taken"
    one.shows("a", ["bea", "ana", "cai"])  # the other one counts when it is confirmed
    one.act({"act": "confirm", "race": "b"})
    two.shows("b", ["ana", "bea", "cai"])


def test_a_table_that_reports_to_one_host_is_shown_at_both(hosts: tuple[Server, Server]) -> None:
    one, two = hosts
    for lap in (1, 2):
        cars = {"1": {"seat": 1, "name": "Ana", "lap": lap, "status": "racing"}}
        report = {"title": "Monaco", "state": {"phase": "race", "laps": 2, "cars": cars}}
        assert one.ask("/api/league/live", report, key=KEY, method="PUT").status == 200

        def shown(server: Server, lap: int = lap) -> bool:
            tables = json.loads(server.ask("/api/league/live").text)["tables"]
            return [(table["table"], table["lap"]) for table in tables] == [("one", lap)]

        soon(lambda: shown(two) and shown(one))


def test_a_page_that_watches_at_one_host_is_told_when_a_table_reports_to_the_other(
    hosts: tuple[Server, Server],
) -> None:
    one, two = hosts
    with urlopen(f"{two.address}/api/league/live/stream", timeout=20) as stream:
        assert next_table(stream) == []
        report = {"title": "Monaco", "state": {"phase": "race", "laps": 2, "cars": {}}}
        sent = time.monotonic()
        assert one.ask("/api/league/live", report, key=KEY, method="PUT").status == 200
        assert next_table(stream) == [("one", "Monaco")]
        assert time.monotonic() - sent < live.LOOKED_S  # sooner than it looks by itself


def next_table(stream: Any) -> list[tuple[str, str]]:
    """The tables as the next event of a stream has them."""
    while stream.readline() != b"event: table\n":
        pass
    lines = iter(stream.readline, b"\n")
    told = json.loads(next(line for line in lines if line.startswith(b"data: "))[6:])
    return [(table["table"], table["title"]) for table in told["tables"]]


def test_the_pin_of_one_host_is_good_at_the_other(hosts: tuple[Server, Server]) -> None:
    one, two = hosts
    assert one.pin() == two.pin()
    two.act({"act": "season", "season": "t", "title": "Summer"})
    assert one.ask("/api/league/acts", {"acts": [OPEN]}, key="00000000").status == 401


def test_a_pin_that_is_renewed_is_good_at_all_processes_of_both_hosts(
    hosts: tuple[Server, Server], url: str
) -> None:
    one, two = hosts
    first = one.pin()
    assert main(["league", "pin", "--new", "--data", str(one.data), "--database", url]) == 0
    soon(lambda: two.pin() == one.pin() != first)
    asks = [partial(one.ask, "/api/league/acts"), partial(two.ask, "/api/league/acts")] * 4
    soon(lambda: {ask({"acts": [OPEN]}, key=one.pin()).status for ask in asks} == {200})
    assert 200 not in {ask({"acts": [OPEN]}, key=first).status for ask in asks}


def test_a_host_that_is_killed_while_both_read_in_loses_and_doubles_nothing(
    hosts: tuple[Server, Server], url: str, tmp_path: Path
) -> None:
    one, two = hosts
    races = [f"r{n:02}" for n in range(40)]
    own = [ended(race, started=f"2026-02-{n % 28 + 1:02}T20:00:00") for n, race in enumerate(races)]
    for server, records in ((one, own[:20]), (two, own[20:])):
        keep(server.data, *records)

    def read_in(server: Server) -> None:
        try:
            server.ask("/league/races")
        except OSError:
            assert server is one  # it was killed meanwhile

    readers = [threading.Thread(target=read_in, args=(server,)) for server in (one, two)]
    for reader in readers:
        reader.start()
    time.sleep(0.4)
    one.kill()
    for reader in readers:
        reader.join()
    # What the killed one had not given away yet is still in its folder: it comes back.
    # A page does not wait for whoever changes the league, not for the lock of a killed host either.
    back, enough = Server(tmp_path / "one", url), time.monotonic() + 30
    with League(tmp_path / "three", url=url, now=str) as league:
        try:
            while len(league.queries.races()) < len(races) and time.monotonic() < enough:
                back.ask("/league/races")
                two.ask("/league/races")
                league.catch_up()
        finally:
            back.close()
        found = league.queries.races(season="s")
        assert sorted(race.id for race in found) == races
        assert sorted(race.round or 0 for race in found) == list(range(1, 41))
        placed = [line["race"] for line in league.history() if line["act"] == "round"]
        assert sorted(map(str, placed)) == races
        assert league.rebuild().idle == {}
        assert league.queries.races(season="s") == found


def test_acts_sent_to_hosts_that_are_killed_at_random_are_done_once_and_answered_once(
    hosts: tuple[Server, Server], url: str, tmp_path: Path
) -> None:
    """Whoever has no answer sends the same again, with its key, to whichever host is there."""
    random, pin = Random(1), hosts[0].pin()
    servers, answers = list(hosts), dict[int, set[str]]()
    down = False
    for n in range(90):
        if n % 15 == 7:
            at = random.randrange(2)
            killer = threading.Timer(random.random() * 0.05, servers[at].kill)
            killer.start()
            down = True
        act = {"act": "season", "season": f"s{n}", "title": f"Season {n}"}
        headers = {"Idempotency-Key": f"key-{n}"}
        for server in (servers[n % 2], servers[1 - n % 2]) * 5:
            try:
                reply = server.ask("/api/league/acts", {"acts": [act]}, key=pin, more=headers)
            except (OSError, HTTPException):
                continue
            if reply.status == 200:
                answers.setdefault(n, set()).add(reply.text)
                if random.random() < 0.5:  # it was answered, and is sent once more all the same
                    again = servers[1 - servers.index(server)]
                    with suppress(OSError, HTTPException):
                        told = again.ask("/api/league/acts", {"acts": [act]}, key=pin, more=headers)
                        answers[n].add(told.text)
                break
            assert reply.status == 409, reply.text  # never "later" for what is done
        if down:
            killer.join()
            servers[at].close()
            servers[at] = Server(servers[at].data, url)
            down = False
    for server in servers:
        server.close()
    assert [len(one) for one in answers.values()] == [1] * 90
    with League(tmp_path / "three", url=url, now=str) as league:
        done = [act["season"] for act in league.history() if act["act"] == "season"]
        assert done == ["s", *(f"s{n}" for n in range(90))]
        assert league.rebuild().is_same


def test_pushes_to_a_host_that_is_killed_go_to_the_other_and_arrive_once(
    hosts: tuple[Server, Server], url: str, tmp_path: Path
) -> None:
    one, two = hosts
    said: list[str] = []

    def push_all() -> None:
        for n in range(12):
            record = ended(f"p{n:02}", started=f"2026-03-{n + 1:02}T20:00:00")
            try:
                said.append(one.push(record))
            except OSError:
                said.append(two.push(record))

    pushing = threading.Thread(target=push_all)
    pushing.start()
    soon(lambda: len(said) >= 3)
    one.kill()
    pushing.join()
    assert set(said) <= {"taken", "known"}
    with League(tmp_path / "three", url=url, now=str) as league:
        found = league.queries.races(season="s")
        assert [race.id for race in found] == [f"p{n:02}" for n in range(12)]
        assert [race.round for race in found] == list(range(1, 13))


def test_who_is_forgotten_at_one_host_is_named_at_no_other(
    hosts: tuple[Server, Server], url: str
) -> None:
    one, two = hosts
    keep(two.data, ended("house", names=(GONE, "Bea", "Cai")))
    soon(lambda: GONE in two.ask("/league/races/house").text)
    assert one.push(ended("sent", names=(GONE, "Bea", "Cai"), started="2026-01-08T20:00:00"))
    assert one.ask("/api/league/forget", {"driver": GONE}, key=one.pin()).status == 200
    for server in (two, one):
        for path in (
            "/league",
            "/league/drivers",
            "/league/races/house",
            "/league/races/sent",
            "/league/export/race/house/record",
            "/league/export/acts",
            "/league/export/races",
            "/ergast/f1/drivers.json",
            "/ergast/f1/s/last/results.json",
        ):
            reply = server.ask(path)
            assert GONE not in reply.text, path
    soon(lambda: not with_the_name(two.data))
    assert not with_the_name(one.data)
    assert not [name for name, content in files_of_club(one.data, url) if GONE.encode() in content]
    assert two.push(ended("sent", names=(GONE, "Bea", "Cai"), started="2026-01-08T20:00:00")) == (
        "known"
    )


def with_the_name(folder: Path) -> list[Path]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if GONE.encode() in path.read_bytes()]


# -- without servers ------------------------------------------------------------------------


def test_what_a_folder_had_before_its_league_was_named_a_database_is_brought_there(
    open_league: OpenLeague, url: str, tmp_path: Path
) -> None:
    own = open_league(None, tmp_path / "one")
    do(own, OPEN, by="t")
    keep(tmp_path / "one", ended("a"), ended("b", started="2026-01-08T20:00:00"))
    own.catch_up()
    do(own, {"act": "note", "race": "a", "text": "late"}, by="t")
    before = image(own)
    first = open_league(url, tmp_path / "one")
    first.catch_up()
    assert image(first) == before
    other = open_league(url, tmp_path / "two")
    assert image(other) == before
    do(other, {"act": "strike", "race": "b", "reason": "x"}, by="t")
    first.catch_up()
    assert image(first) == image(other) != before


def test_a_folder_of_another_league_is_told_to_stay_away(
    open_league: OpenLeague, url: str, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        do(open_league(None, tmp_path / name), OPEN, by="t")
    open_league(url, tmp_path / "one").catch_up()
    with pytest.raises(NoStore, match=r"another league than .*two.*away"):
        open_league(url, tmp_path / "two").catch_up()
    open_league(url, tmp_path / "one").catch_up()  # and is so for ever


def test_a_backup_has_what_lies_in_the_database_and_brings_it_back_anywhere(
    open_league: OpenLeague, postgres: Any, url: str, tmp_path: Path
) -> None:
    league = open_league(url, tmp_path / "one")
    do(league, OPEN, by="t")
    keep(tmp_path / "one", ended("a"))
    league.catch_up()
    league.receive(b"".join(json.dumps(line).encode() + b"\n" for line in ended("b")), table=None)
    before = image(league)
    files = files_of_club(tmp_path / "one", url)
    backup = make_backup(tmp_path / "one", tmp_path / "stick", "20261122-210405", files)
    for name, again in (("three", None), ("four", postgres.database())):
        (tmp_path / name).mkdir()
        assert main(["restore", "--data", str(tmp_path / name), str(backup)]) == 0
        restored = open_league(again, tmp_path / name)
        restored.catch_up()
        assert image(restored) == before


def test_a_record_that_is_damaged_is_told_at_the_host_whose_it_is_until_it_is_mended(
    open_league: OpenLeague, url: str, tmp_path: Path
) -> None:
    keep(tmp_path / "one", ended("a")[:-1])
    for _ in range(2):
        (refused,) = open_league(url, tmp_path / "one").catch_up()
        assert refused.file == "a.jsonl"
    assert open_league(url, tmp_path / "two").catch_up() == []
    keep(tmp_path / "one", ended("a"))  # mended
    league = open_league(url, tmp_path / "one")
    assert league.catch_up() == []
    assert [race.id for race in league.queries.races()] == ["a"]


def test_the_pin_of_the_first_host_is_that_of_all(url: str, tmp_path: Path) -> None:
    first = tmp_path / "one" / "league" / "pin"
    first.parent.mkdir(parents=True)
    first.write_text("27182818\n")
    assert keeper_pin(tmp_path / "one", url) == "27182818"
    assert keeper_pin(tmp_path / "two", url) == "27182818"
    assert (tmp_path / "two" / "league" / "pin").read_text() == "27182818\n"


PAGES = (
    "/league/seasons/s",
    "/league/races",
    "/league/races/a",
    "/league/drivers",
    "/league/drivers/ana",
    "/league/boards",
    "/league/enter",
    "/ergast/f1/s/last/results.json",
    "/api/league/live",
)


def test_pages_are_answered_at_both_hosts_while_a_push_is_being_written(
    open_league: OpenLeague, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = (open_league(url, tmp_path / name) for name in ("one", "two"))
    do(one, OPEN, by="t")
    pages = [pages_of(league) for league in (one, two)]
    one.receive(sent("a"), table=None)
    for client in pages:
        assert {client.get(page).status_code for page in PAGES} == {200}
    is_written, goes_on = threading.Event(), threading.Event()
    place = Change.place

    def place_and_wait(own: Change) -> None:
        place(own)
        is_written.set()
        assert goes_on.wait(60)

    monkeypatch.setattr(Change, "place", place_and_wait)
    said: list[str] = []
    late = sent("b", started="2026-01-08T20:00:00")
    pushing = threading.Thread(target=lambda: said.append(one.receive(late, table=None).status))
    pushing.start()
    assert is_written.wait(60)
    for client in pages:
        replies = [client.get(page) for page in PAGES]
        assert {reply.status_code for reply in replies} == {200}
        assert "/races/b" not in "".join(reply.text for reply in replies)
    assert pushing.is_alive()  # all were answered before it was committed
    goes_on.set()
    pushing.join()
    assert said == ["taken"]
    for client in pages:
        assert "/races/b" in client.get("/league/races").text


def pages_of(league: League) -> Any:
    access = LeagueAccess(league.public, league, Guard(KeeperPin("31415926")))
    return create_league_app(league, LiveFiles(league.storage), access).test_client()


def sent(race: str, **more: Any) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in ended(race, **more))


def test_records_stay_in_the_database_when_a_folder_lets_go_of_them(
    open_league: OpenLeague, url: str, tmp_path: Path
) -> None:
    keep(tmp_path / "one", ended("a"))
    league = open_league(url, tmp_path / "one")
    league.catch_up()
    (tmp_path / "one" / RECORDS / "a.jsonl").unlink()
    league.catch_up()
    assert [race.id for race in league.queries.races()] == ["a"]
    assert league.rebuild().idle == {}
    assert [race.id for race in league.queries.races()] == ["a"]
