"""`companion race` from outside: what it prints, how it refuses, how it ends."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys
import time
from hashlib import blake2b
from pathlib import Path
from threading import Event, current_thread, get_ident, main_thread
from typing import cast

import pytest
from support.tables.process import Companion
from support.tables.sitting import race_header

from companion.app.table import RunningTable, read_pin
from companion.cli import COMPANION, main
from companion.cli.race import QUIET_S, _held_signals, _until_stopped
from companion.journal.journal import open_journal

pytestmark = pytest.mark.slow


@pytest.fixture
def header(tmp_path: Path) -> Path:
    file = tmp_path / "header.json"
    file.write_text(json.dumps(race_header(2)))
    return file


def race(*words: object) -> subprocess.CompletedProcess[str]:
    """`companion race` that is expected to end by itself."""
    command = [sys.executable, "-m", "companion", "race", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)


def refuses(done: subprocess.CompletedProcess[str], sentence: str) -> None:
    assert done.returncode == 2
    assert done.stdout == ""
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr


def test_one_line_of_json_when_the_page_answers(tmp_path: Path, header: Path) -> None:
    with Companion(tmp_path / "data", "--new", str(header)) as companion:
        assert set(companion.told) == {"url", "seats", "pin"}
        assert [entry["seat"] for entry in companion.told["seats"]] == [1, 2]
        assert set(companion.told["seats"][0]) == {"seat", "link", "token"}
        table = companion.client().get("/api/table")
        assert (table["version"], table["state"]["phase"]) == (1, "race")


def test_what_is_wrong_with_a_seat_is_printed_once_whenever_its_driver_says_it(
    tmp_path: Path,
) -> None:
    """Each driver opens in a thread of its own, before the table tells where it is or after."""
    said = '[seats]\n1 = "wired"\n2 = "pod simulated"\n'
    (tmp_path / "companion.toml").write_text(f'{said}[wired]\nlayout = "odd"\n[pod]\nodd = 1\n')
    command = [sys.executable, "-m", "companion", "race", "--data", str(tmp_path), "--port", "0"]
    with subprocess.Popen(command, stdout=-1, stderr=-1, text=True) as table:
        assert table.stdout
        assert table.stderr
        told = [table.stderr.readline(), table.stderr.readline()]
        assert "The table is open at" in table.stdout.readline()
        table.terminate()
        told += table.communicate(timeout=30)[1].splitlines()
    assert [re.sub(": .*", "", one.strip()) for one in sorted(told)] == [
        "seat 1, driver",
        "seat 2, driver",
    ], told


@pytest.mark.slow
def test_without_a_header_the_unfinished_race_goes_on_with_the_same_keys(
    tmp_path: Path, header: Path
) -> None:
    data = tmp_path / "data"
    with Companion(data, "--new", str(header)) as companion:
        client = companion.client()
        assert client.post("/api/seat/1/answer", companion.tokens[1], {"gear": 1})[0] == 200
        before, keys = client.get("/api/table"), (companion.pin, companion.tokens)
    with Companion(data) as companion:
        assert companion.client().get("/api/table") == before
        assert (companion.pin, companion.tokens) == keys


@pytest.mark.slow
def test_a_new_race_lets_the_old_one_wait_to_be_resumed_by_name(
    tmp_path: Path, header: Path
) -> None:
    data = tmp_path / "data"
    with Companion(data, "--new", str(header)) as companion:
        companion.client().post("/api/seat/1/answer", companion.tokens[1], {"gear": 1})
    with Companion(data, "--new", str(header)) as companion:
        table = companion.client().get("/api/table")
        assert table["asks"][0]["kind"] == "gear"
        assert [race["name"] for race in table["waiting"]] == ["monaco: Ana, Bob"]
    with Companion(data, "--resume", "monaco: Ana, Bob") as companion:
        assert companion.client().get("/api/table")["asks"][0]["kind"] == "roll"


def test_a_folder_in_use_is_refused(tmp_path: Path, header: Path) -> None:
    with Companion(tmp_path / "data", "--new", str(header)):
        refuses(race("--data", tmp_path / "data", "--port", 0), "in use by another companion")


def test_a_busy_port_is_refused(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = race("--data", tmp_path, "--host", "127.0.0.1", "--port", port)
    refuses(done, f"cannot listen on 127.0.0.1 port {port}: it is taken")


def test_a_header_that_is_no_json_is_refused(tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("{")
    refuses(race("--data", tmp_path, "--port", 0, "--new", bad), "is not a header in JSON")


def test_a_header_that_is_not_there_is_refused(tmp_path: Path) -> None:
    done = race("--data", tmp_path, "--port", 0, "--new", tmp_path / "none.json")
    refuses(done, "cannot be read: No such file")


@pytest.mark.slow
def test_a_header_that_breaks_a_rule_is_refused(tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(race_header(2, laps=0)))
    refuses(race("--data", tmp_path, "--port", 0, "--new", bad), "laps")


def test_a_folder_that_cannot_be_made_gets_a_page_that_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with Companion(tmp_path / "file" / "data", shut=True) as companion:
        assert "Not a directory" in companion.told["trouble"]
        assert companion.client().fetch("/") == 503


@pytest.mark.slow
@pytest.mark.faults("the journal: both of its files damaged in the same place")
def test_what_a_damaged_journal_has_lost_is_said_on_stderr_and_on_the_page_until_it_is_seen(
    tmp_path: Path, header: Path
) -> None:
    data = tmp_path / "data"
    with Companion(data, "--new", str(header)) as companion:
        client = companion.client()
        for seat in (1, 2):
            client.post("/api/referee/note", companion.pin, {"note": f"note {seat}"})
        version = client.get("/api/table")["version"]
    for folder in ("journal", "copy"):
        (file,) = (data / folder).glob("0*.log")
        file.write_bytes(file.read_bytes().replace(b"note 1", b"note I"))
    for _ in range(2):  # a second start must not hide it
        with Companion(data) as companion:
            table = companion.client().get("/api/table")
            assert table["disk"]["key"] == "answers-missing"
            assert table["disk"]["en"].startswith("2 answers after ")
            assert table["version"] == version
    with Companion(data) as companion:
        client = companion.client()
        press = client.post("/api/seat/1/press", companion.tokens[1], {"button": 3, "hold": False})
        assert press[0] == 200
        assert client.get("/api/table")["disk"] is None


def test_a_journal_of_a_newer_companion_is_refused_by_its_number_on_a_page(tmp_path: Path) -> None:
    with open_journal(tmp_path, print) as journal:
        journal.append("table", {"boot": 1})
    file = tmp_path / "journal" / "table.log"
    first = b"companion journal 9 table"
    total = blake2b(first + b" ", digest_size=8).hexdigest().encode()
    file.write_bytes(b"%s %s\n" % (first, total))
    with Companion(tmp_path, shut=True) as companion:
        assert "written by a newer companion (format 9" in companion.told["trouble"]
        assert companion.client().get("/api/table")["error"]["message"] == companion.told["trouble"]
    assert [path.name for path in tmp_path.rglob("*.log")] == ["table.log"] * 2


def test_a_port_that_is_none_is_refused(tmp_path: Path) -> None:
    for port in ("70000", "x", "-1"):
        assert race("--data", tmp_path, "--port", port).returncode == 2


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_closes_the_table_cleanly(
    tmp_path: Path, header: Path, number: signal.Signals
) -> None:
    data = tmp_path / "data"
    with Companion(data, "--new", str(header)) as companion:
        companion.process.send_signal(number)
        _, trouble = companion.process.communicate(timeout=60)
        assert companion.process.returncode == 0
        assert trouble == ""
    assert all(b"\0" not in file.read_bytes() for file in (data / "journal").iterdir())


def test_a_second_signal_to_stop_changes_nothing() -> None:
    """As a terminal and `timeout` may send it: to the process, and to its group."""
    with _held_signals():
        signal.pthread_kill(get_ident(), signal.SIGINT)
        signal.sigwait([signal.SIGINT])
        signal.pthread_kill(get_ident(), signal.SIGINT)
    assert signal.sigpending() == set()


def test_a_table_that_was_frozen_in_its_first_seconds_goes_on(tmp_path: Path, header: Path) -> None:
    """By Ctrl-Z, or with the machine under it: whatever it waited for at the time has gone by."""
    with Companion(tmp_path / "data", "--new", str(header)) as companion:
        time.sleep(QUIET_S / 2)  # it waits by now
        companion.process.send_signal(signal.SIGSTOP)
        with pytest.raises(subprocess.TimeoutExpired):
            companion.process.wait(QUIET_S * 1.5)
        companion.process.send_signal(signal.SIGCONT)
        with pytest.raises(subprocess.TimeoutExpired):
            companion.process.wait(QUIET_S)
        assert companion.client().get("/api/table")["version"] == 1


def test_ctrl_c_ends_a_command_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(COMPANION, "invoke", interrupted)
    assert main(["pack", "list"]) == 128 + signal.SIGINT


@pytest.mark.slow
def test_to_a_terminal_it_prints_one_link_that_opens_the_table_and_the_phones_code_each_time(
    tmp_path: Path, header: Path
) -> None:
    data = tmp_path / "data"
    words = ("--data", str(data), "--port", "0", "--host", "127.0.0.1")
    told = [_said(*words, "--new", str(header)), _said(*words)]
    pin = read_pin(data)
    for said in told:
        assert re.findall(r"http://127.0.0.1:\d+/#\S+", said) == [
            f"{said.split('open at ')[1].split('/#')[0]}/#pin={pin}"
        ]
        assert said.count("#") == 1, "one link, and no seat's"
        assert "█" in said
        assert re.search(r"type [A-HJ-NP-Z]{4} at http://127.0.0.1:\d+/join\s", said)
    letters = [re.findall(r"type (\w{4}) at", said) for said in told]
    assert letters[0] != letters[1], "each start has its own (one time in 331,776 it has not)"


@pytest.mark.slow
def test_a_log_has_no_token_and_no_pin(
    tmp_path: Path, header: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    words = ("--data", str(data), "--port", "0", "--host", "127.0.0.1", "--new", str(header))
    told = _said(*words, terminal=False)
    assert "The table is open at" in told
    assert main(["pin", "--data", str(data)]) == 0
    keys = {capsys.readouterr().out.strip()}
    with open_journal(data, print) as journal:
        keys |= set(journal.lines("access")[-1]["tokens"].values())
    assert len(keys) == 11
    assert [key for key in keys if key in told] == []
    assert f"companion pin --data {data}" in told, "what is printed can be typed as it stands"
    assert "type " not in told


class _Table:
    """A table at which something moves in the first seconds."""

    def __init__(self, moves: int) -> None:
        self.session = self.server = self
        self.version, self.moves, self.did, self.is_made = 0, moves, "", Event()

    def snapshot(self) -> _Table:
        return self

    def wait(self, *_: object) -> bool:
        self.did += "waited "
        self.version += self.moves > 0
        self.moves -= 1
        return self.moves < -3

    def warm_up(self) -> bool:
        assert current_thread() is not main_thread(), "or a signal would wait for it"
        self.did += "warm "
        self.is_made.set()
        return True

    def stopped(self, *_: object) -> bool:
        self.is_made.wait(10)
        return self.wait()


@pytest.mark.parametrize(
    ("moves", "did"),
    [
        (0, "waited warm waited "),
        (2, "waited waited waited warm waited "),
        (9, "waited " * 5 + "warm waited "),
    ],
)
def test_the_first_page_is_made_once_nothing_moves_at_the_table(
    moves: int, did: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = _Table(moves)
    monkeypatch.setattr("companion.cli.race._is_stopped_within", table.wait)
    monkeypatch.setattr("companion.cli.race.signal.sigwait", table.stopped)
    _until_stopped(cast("RunningTable", table))
    assert table.did == did


def test_whoever_stops_it_at_once_waits_for_no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    table = _Table(moves=-3)
    monkeypatch.setattr("companion.cli.race._is_stopped_within", table.wait)
    _until_stopped(cast("RunningTable", table))
    assert table.did == "waited "


def _said(*words: str, terminal: bool = True) -> str:
    """What it prints to a terminal, or to a pipe, stderr with it."""
    reader, writer = pty.openpty() if terminal else os.pipe()
    command = [sys.executable, "-m", "companion", "race", *words]
    process = subprocess.Popen(command, stdout=writer, stderr=writer)
    os.close(writer)
    said = b""
    while b"Ctrl-C" not in said:
        said += os.read(reader, 1 << 16)
    process.kill()
    process.wait()
    os.close(reader)
    return said.decode()
