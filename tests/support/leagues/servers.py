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

START_S = 30


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
