"""kill -9 at any moment: what was acknowledged is there, and nothing that was not given.

A driver posts a race's answers as fast as they are taken, while another connection posts
notes and things that are refused. The process is killed at a random moment. The next one must
show what an engine shows that was given the acknowledged answers: those and at most the one
whose acknowledgement was under way.
"""

from __future__ import annotations

import http.client
import json
import re
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Any

import pytest
from support.each import few_now
from support.formula.careful import answer
from support.formula.table import OneRead
from support.tables.process import Client, Companion, launcher
from support.tables.sitting import race_header

from companion.journal.journal import open_journal
from companion.race.engine import Engine
from companion.race.record import read_record, replay

SEATS = 4
GONE = (OSError, http.client.HTTPException, ValueError)
"""What a client sees of a process that was killed; a reply cut short is no JSON."""


class Race:
    """A race driven over HTTP, and an engine of our own that is given what was acknowledged."""

    def __init__(self, seed: int) -> None:
        self.dice = Random(seed)
        self.mirror = Engine(OneRead())
        self.mirror.handle({"new": race_header(SEATS, laps=3)})
        self.in_flight: dict[str, Any] | None = None
        self.notes = 0

    def next_line(self) -> dict[str, Any]:
        """A sensible answer, now and then an undo."""
        if self.mirror.lines and self.dice.random() < 0.05:
            return {"undo": self.dice.randint(1, min(3, len(self.mirror.lines)))}
        ask: Any = self.dice.choice(self.mirror.asks())
        value = answer(ask, self.mirror.moment, self.dice)
        if isinstance(value, dict):
            value = {"to": value["to"], "brakes": value["brakes"]}
        return {"seat": ask["seat"], ask["kind"]: value}

    def drive(self, client: Client, tokens: dict[int, str], pin: str) -> None:
        """Post until the process is gone, or the race over."""
        with suppress(*GONE):
            while self.mirror.asks():
                self.in_flight = self.next_line()
                self.post(client, tokens, pin, self.in_flight)
                assert self.mirror.handle(self.in_flight)["ok"]
                self.in_flight = None

    @staticmethod
    def post(client: Client, tokens: dict[int, str], pin: str, line: dict[str, Any]) -> None:
        if "undo" in line:
            status, body = client.post("/api/referee/undo", pin, line)
        else:
            told = {key: value for key, value in line.items() if key != "seat"}
            path = f"/api/seat/{line['seat']}/answer"
            status, body = client.post(path, tokens[line["seat"]], told)
        assert status == 200, body

    def disturb(self, client: Client, tokens: dict[int, str], pin: str, stop: Event) -> None:
        """Notes, and presses and answers that are refused."""
        with suppress(*GONE):
            while not stop.wait(0.002):
                client.post("/api/seat/1/answer", tokens[1], {"gear": 9})
                client.post("/api/seat/2/press", tokens[2], {"button": 6, "hold": True})
                client.post("/api/referee/note", pin, {"note": "a note"})
                self.notes += 1

    def agrees_with(self, table: Any) -> None:
        """The table shows what was acknowledged, or that and what was in flight."""
        if table["version"] == self.mirror.version + 1 and self.in_flight is not None:
            assert self.mirror.handle(self.in_flight)["ok"]
        self.in_flight = None
        assert table["version"] == self.mirror.version
        assert table["asks"] == self.mirror.asks()
        assert table["state"] == self.mirror.state()


def test_agreeing_can_fail() -> None:
    race = Race(1)
    shown = {"version": 1, "asks": race.mirror.asks(), "state": race.mirror.state()}
    race.agrees_with(shown)
    with pytest.raises(AssertionError):
        race.agrees_with({**shown, "version": 2})
    with pytest.raises(AssertionError):
        race.agrees_with({**shown, "state": {**shown["state"], "round": 7}})


def crash(race: Race, companion: Companion, after_s: float) -> None:
    """Drive and disturb for so long, then kill."""
    stop = Event()
    tokens, pin = companion.tokens, companion.pin
    threads = [
        Thread(target=race.drive, args=(companion.client(), tokens, pin)),
        Thread(target=race.disturb, args=(companion.client(), tokens, pin, stop)),
    ]
    for thread in threads:
        thread.start()
    time.sleep(after_s)  # the one thing under test here is real time
    companion.kill_only()
    stop.set()
    for thread in threads:
        thread.join()
    companion.kill()


def notes_in(data: Path) -> int:
    """How many notes the journal has, read from a copy."""
    copy = data.parent / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(data, copy)
    with open_journal(copy, print) as journal:
        race = journal.races()[0].id
        return sum("note" in line for line in journal.lines(race))


def header_file(tmp_path: Path) -> Path:
    file = tmp_path / "header.json"
    file.write_text(json.dumps(race_header(SEATS, laps=3)))
    return file


@pytest.mark.long
def test_ten_times_killed_the_acknowledged_answers_are_there(tmp_path: Path) -> None:
    data, race, moments = tmp_path / "data", Race(5), Random(6)
    companion = Companion(data, "--new", str(header_file(tmp_path)))
    keys = companion.told["pin"], companion.tokens
    for _ in range(10):
        crash(race, companion, moments.uniform(0, 0.2))
        companion = Companion(data)
        assert (companion.told["pin"], companion.tokens) == keys
        race.agrees_with(companion.client().get("/api/table"))
    companion.kill()
    assert race.mirror.version > 20
    assert race.notes <= notes_in(data) <= race.notes + 10  # one in flight at each kill


@pytest.mark.long
@pytest.mark.faults("the table: kill -9 at any moment")
@pytest.mark.slow
def test_two_hundred_times_killed_the_acknowledged_answers_are_there(tmp_path: Path) -> None:
    data, race, moments = tmp_path / "data", Race(7), Random(8)
    races = [race]
    with launcher() as starter:
        companion = Companion.forked(starter, data, "--new", str(header_file(tmp_path)))
        keys = companion.told["pin"], companion.tokens
        for _ in range(200):
            crash(race, companion, moments.uniform(0, 0.12))
            if not race.mirror.asks():
                race = Race(len(races))
                races.append(race)
                again = ("--new", str(header_file(tmp_path)))
                companion = Companion.forked(starter, data, *again)
                race.mirror.version = companion.client().get("/api/table")["version"] - 1
                race.mirror.handle({"new": race_header(SEATS, laps=3)})
            else:
                companion = Companion.forked(starter, data)
            assert (companion.told["pin"], companion.tokens) == keys
            race.agrees_with(companion.client().get("/api/table"))
        companion.kill()
    # That there was something to lose; a busy machine gets to few answers between two kills.
    assert sum(len(one.mirror.lines) for one in races) > 100


@pytest.mark.slow
@pytest.mark.parametrize("copies", few_now([2, 5], 1))
def test_the_files_copied_while_it_writes_open_and_have_what_was_acknowledged(
    tmp_path: Path, copies: int
) -> None:
    race = Race(9)
    with Companion(tmp_path / "data", "--new", str(header_file(tmp_path))) as companion:
        client = companion.client()
        driver = Thread(target=race.drive, args=(client, companion.tokens, companion.pin))
        driver.start()
        for turn in range(copies):
            time.sleep(0.03)
            before = race.mirror.version
            copy = tmp_path / f"copy{turn}"
            shutil.copytree(tmp_path / "data", copy)
            after = race.mirror.version + 1
            with Companion(copy) as copied:
                version = copied.client().get("/api/table")["version"]
            assert before <= version <= after
        companion.kill_only()
        driver.join()


@pytest.mark.slow
def test_a_race_finished_over_http_has_a_record_that_replays_to_its_last_state(
    tmp_path: Path,
) -> None:
    race = Race(3)
    header = tmp_path / "header.json"
    header.write_text(json.dumps(race_header(2, laps=1)))
    race.mirror.handle({"new": race_header(2, laps=1)})
    race.mirror.version = 1
    race.mirror.handle({"new": race_header(2, laps=1)})
    with Companion(tmp_path / "data", "--new", str(header)) as companion:
        race.drive(companion.client(), companion.tokens, companion.pin)
        table = companion.client().get("/api/table")
        (record,) = (tmp_path / "data" / "records").iterdir()
        lines = read_record(record)
    assert table["state"]["phase"] == "finished"
    assert replay(lines).state() == table["state"]
    assert lines[-1]["result"] == table["state"]["classification"]


def can_trace() -> bool:
    strace = shutil.which("strace")
    if strace is None:
        return False
    return subprocess.run([strace, "true"], capture_output=True, check=False).returncode == 0


def syncs_before_replies(trace: str, port: int) -> list[int]:
    """How many syncs had ended since the reply before, for each reply with status 200 to whoever
    speaks from this port: the table asks itself for a page, too."""
    counts, syncs = [], 0
    for line in trace.splitlines():
        if re.search(r"(fsync|fdatasync)(\(\d+(<.*>)?\)| resumed>\)) += 0", line):
            syncs += 1
        elif f':{port}]>, "HTTP/1.1 200 OK' in line:
            counts.append(syncs)
            syncs = 0
    return counts


def test_syncs_are_counted_as_they_are_traced() -> None:
    trace = """1 fdatasync(4</data/race.jsonl> <unfinished ...>
2 sendto(9<TCP:[127.0.0.1:8000->127.0.0.1:5001]>, "HTTP/1.1 200 OK\\r\\n", 17) = 17
1 <... fdatasync resumed>) = 0
1 fsync(4</data/race.jsonl>) = 0
2 sendto(8<TCP:[127.0.0.1:8000->127.0.0.1:5002]>, "HTTP/1.1 200 OK\\r\\n", 17) = 17
2 sendto(9<TCP:[127.0.0.1:8000->127.0.0.1:5001]>, "HTTP/1.1 200 OK\\r\\n", 17) = 17"""
    assert syncs_before_replies(trace, 5001) == [0, 2]


@pytest.mark.skipif(not can_trace(), reason="strace is not here, or ptrace is not permitted")
@pytest.mark.slow
def test_every_acknowledgement_comes_after_its_one_sync(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    calls = "trace=fsync,fdatasync,sendto,sendmsg,write,writev"
    prefix = ["strace", "-D", "-f", "-yy", "-o", str(trace), "-s", "40", "-e", calls]
    race = Race(4)
    with Companion(
        tmp_path / "data", "--new", str(header_file(tmp_path)), prefix=prefix
    ) as companion:
        client = companion.client()
        client.get("/api/table")
        port = client.port
        for _ in range(30):
            line = race.next_line()
            race.post(client, companion.tokens, companion.pin, line)
            assert race.mirror.handle(line)["ok"]
        client.post("/api/seat/1/press", companion.tokens[1], {"button": 6, "hold": True})
        companion.process.send_signal(signal.SIGTERM)
        companion.process.communicate(timeout=20)
    counts = syncs_before_replies(trace.read_text(), port)
    assert counts[1:] == [*[1] * 30, 0]
