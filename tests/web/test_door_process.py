"""The door of a whole table: more connections than files, and what a start imports."""

from __future__ import annotations

import json
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest
from support.slow_clients import fetch, slowest_s

from companion.cli import main

FILES = 160
WITHOUT = (
    *("flask", "jinja2", "werkzeug", "companion_web.pages", "companion_web.api"),  # a page
    *("companion.rules.formula", "companion.views.formula.views"),  # a game
    *("companion.rules.downforce", "companion.views.downforce.views"),
    *("companion.advice.alone", "companion.study"),  # a bot, or advice
    *("companion.seats.live", "companion_web.cabinet"),  # a test of the seats
    *("sqlite3", "companion.league.plain", "companion.league.league"),  # a club
    *("importlib.metadata", "fractions", "multiprocessing", "schemathesis"),
    *("resvg_py", "numpy", "serial", "gpiozero", "luma", "PIL"),
)
"""What a table of phones does without until somebody asks for it, by what would ask."""
STARTED = """
import sys
from companion.cli import race
def stop(seconds):
    return print(*sorted(sys.modules), file=sys.stderr) or True
race._is_stopped_within = stop
from companion.cli import main
sys.exit(main(sys.argv[1:]))
"""


@contextmanager
def running(folder: Path, *program: str, files: int = 1024) -> Iterator[tuple[int, Path]]:
    """A table in a process of its own: its port, and the file of what it says on stderr."""
    said = folder / "said"
    words = ["race", "--data", str(folder / "data"), "--port", "0", "--host", "127.0.0.1"]
    with said.open("w") as log:
        process = subprocess.Popen(
            [sys.executable, *program, *words, "--json"],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files)),
        )
        assert process.stdout is not None
        try:
            port = urlsplit(json.loads(process.stdout.readline())["url"]).port
            assert port is not None
            yield port, said
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=15)


@pytest.mark.slow
@pytest.mark.faults("the door: no more files can be opened")
def test_more_connections_than_files_keep_nobody_out_and_fill_no_log(tmp_path: Path) -> None:
    with running(tmp_path, "-m", "companion", files=FILES) as (port, said), ExitStack() as opened:
        for number in range(FILES * 2):
            sock = opened.enter_context(socket.socket())
            sock.settimeout(5)
            sock.bind((f"127.0.{number % 7}.1", 0))
            sock.connect(("127.0.0.1", port))
        assert fetch(port, timeout_s=30.0) == 200, (
            "the first of all pages is imported, files or not"
        )
        assert slowest_s(lambda: fetch(port)) < 2
        assert len(said.read_text()) < 1000


@pytest.mark.faults("the door: memory is short")
def test_a_start_without_memory_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def start(_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(Thread, "start", start)
    words = ["race", "--data", str(tmp_path), "--host", "127.0.0.1", "--port", "0"]
    assert main(words) == 2
    assert capsys.readouterr().err.startswith("companion: memory is short")


def test_once_the_address_is_said_no_page_no_game_and_no_club_has_been_imported(
    tmp_path: Path,
) -> None:
    with running(tmp_path, "-c", STARTED) as (_, said):
        pass
    names = said.read_text().split()
    assert "companion_web.app" in names, "the door is open by then"
    assert [name for name in names if name.startswith(WITHOUT)] == []


HEAPS = """
import re, sys
from threading import Barrier, Thread
from companion.cli.race import one_heap
if sys.argv[1:]:
    one_heap()
met = Barrier(9)
def allocate():
    kept = [bytearray(2000) for _ in range(100)]
    met.wait()
    met.wait()
for _ in range(8):
    Thread(target=allocate, daemon=True).start()
met.wait()
kept = re.findall(r"^(\\w+)-(\\w+) ---p", open("/proc/self/maps").read(), re.M)
print(sum(int(end, 16) - int(begin, 16) > 60 << 20 for begin, end in kept))
"""
"""Prints how many heaps of threads there are, by what the C library has kept free for each."""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere threads share a heap anyway")
def test_the_threads_of_a_table_share_one_heap() -> None:
    def heaps(*words: str) -> int:
        return int(subprocess.check_output([sys.executable, "-c", HEAPS, *words], text=True))

    assert heaps() > 0
    assert heaps("one") == 0
