"""A real `companion race` as a process, and a client that talks HTTP to it as a phone would."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from support import environment

START_S = 30.0


class Companion:
    """`companion race --json` on a folder; killed, not asked, when the block ends.

    `prefix` is a command that runs it, such as strace; `shut`: it is to have a page that says why
    there is no table, which is an AssertionError else.
    """

    def __init__(
        self, data: Path, *more: str, prefix: Sequence[str] = (), shut: bool = False
    ) -> None:
        self.process = subprocess.Popen(
            [*prefix, sys.executable, "-m", "companion", *_words(data, more)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._pid = self.process.pid
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            _, trouble = self.process.communicate(timeout=START_S)
            raise AssertionError(f"it did not start: {trouble}")
        self._meet(line)
        if not shut and "trouble" in self.told:
            self.kill()
            raise AssertionError(f"it did not start: {self.told['trouble']}")

    @classmethod
    def forked(cls, launcher: subprocess.Popen[str], data: Path, *more: str) -> Self:
        """The same, started by `support.tables.launcher`."""
        made = cls.__new__(cls)
        made._pid, line = fork(launcher, _words(data, more))
        made._meet(line)
        return made

    def _meet(self, line: str) -> None:
        self._clients: list[Client] = []
        self.told = json.loads(line)
        self.url = self.told["url"]
        self.pin = self.told["pin"]
        self.tokens = {entry["seat"]: entry["token"] for entry in self.told["seats"]}

    def next_line(self) -> Any:
        """What it says next on stdout."""
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def client(self) -> Client:
        """A connection of its own, hung up with the process."""
        made = Client(self.url)
        self._clients.append(made)
        return made

    def kill_only(self) -> None:
        """kill -9, as a pulled plug; its clients find out by themselves."""
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)

    def kill(self) -> None:
        """The same, and wait until nothing of it is left. Twice is no fault."""
        self.kill_only()
        if hasattr(self, "process"):
            self.process.communicate()
        wait_until_gone(self._pid)
        for client in self._clients:
            client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


@contextmanager
def launcher() -> Iterator[subprocess.Popen[str]]:
    """A process that starts tables quickly."""
    process = subprocess.Popen(
        [sys.executable, "-m", "support.tables.launcher"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    try:
        yield process
    finally:  # not left to the next test where this one fails
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


def fork(launcher: subprocess.Popen[str], words: Sequence[str]) -> tuple[int, str]:
    """The id of a process that the launcher starts with these words, and its first line."""
    assert launcher.stdin is not None
    assert launcher.stdout is not None
    launcher.stdin.write(json.dumps(words) + "\n")
    launcher.stdin.flush()
    return int(launcher.stdout.readline()), launcher.stdout.readline()


def wait_until_gone(pid: int) -> None:
    """Wait for a process that is not ours to ask."""
    while Path(f"/proc/{pid}").exists():
        time.sleep(0.001)


def _words(data: Path, more: Sequence[str]) -> list[str]:
    where = ("--data", str(data), "--port", "0", "--host", "127.0.0.1")
    return ["race", *where, "--json", *more]


class Client:
    """One kept-open connection."""

    def __init__(self, url: str) -> None:
        host = urlsplit(url).netloc
        self._connection = http.client.HTTPConnection(host, timeout=20)

    @property
    def port(self) -> int:
        """The own end of the connection, once something was asked."""
        port: int = self._connection.sock.getsockname()[1]
        return port

    def get(self, path: str) -> Any:
        """The JSON at a path."""
        self._connection.request("GET", path)
        return json.loads(self._connection.getresponse().read())

    def fetch(self, path: str) -> int:
        """The status of a page, which is read to its end."""
        self._connection.request("GET", path)
        response = self._connection.getresponse()
        response.read()
        return response.status

    def post(self, path: str, key: str, body: Any) -> tuple[int, Any]:
        """Status and JSON of a post with a key."""
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        self._connection.request("POST", path, json.dumps(body), headers)
        response = self._connection.getresponse()
        return response.status, json.loads(response.read())

    def close(self) -> None:
        """Hang up."""
        self._connection.close()
