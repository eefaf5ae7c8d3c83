"""Servers of clubs as processes of their own."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

from companion.league.errors import LeagueFolder
from companion.league.keeping import digest_of_key
from companion.league.league import League
from companion.league.push import Club, Outbox, deliver
from support.leagues.records import do, ended, keep

START_S = 30
TABLES = ("one", "two", "three")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(
    data: Path, *more: str, code: tuple[str, ...] = ("-m", "companion")
) -> tuple[str, subprocess.Popen[str]]:
    """A server of a club, with processes of a group of its own, and its address."""
    port = free_port()
    where = ("--host", "127.0.0.1", "--port", str(port), "--data", str(data))
    process = subprocess.Popen(
        [sys.executable, *code, "league", "serve", *where, *more],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_for(port, process)
    return f"http://127.0.0.1:{port}", process


@contextmanager
def serving(data: Path, *more: str, code: tuple[str, ...] = ("-m", "companion")) -> Iterator[str]:
    """The server of a club, asked to end when the block does."""
    address, process = start(data, *more, code=code)
    try:
        yield address
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 0
    finally:
        process.kill()
        process.communicate()


def wait_for(port: int, process: subprocess.Popen[str]) -> None:
    end = time.monotonic() + START_S
    while time.monotonic() < end and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("the club's server did not start")


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
