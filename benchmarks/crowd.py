"""A press before everything: `python benchmarks/crowd.py [--at CHECKOUT]`.

One run starts the real service beside a league of one race and measures a press (an answer of the
race, from its request to its reply) three times: while nothing else is, with a hundred phones, and
in the crowd: phones, 250 connections that ask for the dearest pages one after the other, and 3,000
that never end their request and come back when they are sent away. Told are the quantiles, the
memory of the table and of the whole, and how long SIGTERM takes in the midst of it. With `--at` the
program of another checkout is measured in the same run.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import PIPE
from typing import Any

from stream import HERE, Driver, memory_mib, service
from support.leagues.records import keep, raced
from timing import seconds

DEAREST = [
    f"/league/{path}"
    for path in (
        "races/driven",
        "races/driven/circuit.svg",
        "export/race/driven/picture.en.png",
        "races/driven/positions.en.svg",
        "races",
    )
] + ["/", "/api/table", "/circuit/monaco.svg"]
PATIENCE_S = 10.0
BACK_EVERY_S = 5.0


# -- the crowd, in a process of its own -----------------------------------------------------------


@dataclass
class Client:
    """A connection that asks for `paths` in turn, or says `said` and no more."""

    address: str
    said: bytes = b""
    paths: list[str] = field(default_factory=list)
    got: bytes = b""
    left: int | None = None  # bytes of the answer's body that are still to come

    def ask(self) -> bytes:
        if not self.paths:
            return self.said
        self.paths.append(self.paths.pop(0))
        return b"GET %b HTTP/1.1\r\nHost: localhost\r\n\r\n" % self.paths[-1].encode()

    def hear(self, got: bytes) -> int | None:
        """Take in a part of an answer; its status once it is whole."""
        self.got += got
        head, end, body = self.got.partition(b"\r\n\r\n")
        if not end:
            return None
        told = head.lower().partition(b"content-length:")[2].split(b"\r\n")[0]
        if len(body) < int(told or 0):
            return None
        self.got = b""
        return int(head.split()[1])


def clients() -> list[Client]:
    """Everybody: 100 phones, 250 who look, 3,000 who do not come to an end."""
    stream = b"GET /api/stream?changes HTTP/1.1\r\nHost: localhost\r\n\r\n"
    phones = [Client(f"127.0.3.{n + 1}", stream) for n in range(100)]
    looking = [
        Client(f"127.0.1.{n % 10 + 1}", paths=DEAREST[n % 8 :] + DEAREST[: n % 8])
        for n in range(250)
    ]
    head = b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 7000
    unfinished = [Client(f"127.0.2.{n % 24 + 1}", head) for n in range(3000)]
    return phones + looking + unfinished


def crowd(port: int, count: int) -> None:
    """Be the first so many of them until a signal says stop; then say what was answered."""
    poll, here, told = select.epoll(), {}, Counter[int]()
    away, is_over, back, left = clients()[:count], [], 0.0, count
    signal.signal(signal.SIGTERM, lambda *_: is_over.append(1))
    while not is_over:
        if away and time.monotonic() >= back:
            for client in away[:1000]:
                sock = socket.socket()
                with suppress(OSError):
                    sock.bind((client.address, 0))
                    sock.connect(("127.0.0.1", port))
                    sock.sendall(client.ask())
                    sock.setblocking(False)
                    poll.register(sock, select.EPOLLIN)
                    here[sock.fileno()] = sock, client
            away, back = away[1000:], time.monotonic() + (0 if left > 0 else BACK_EVERY_S)
            if 0 < left <= 1000:
                print("here", flush=True)
            left -= 1000
        for fd, _ in poll.poll(0.1):
            sock, client = here[fd]
            try:
                got = sock.recv(1 << 16)
                if client.paths and got and (status := client.hear(got)):
                    told[status] += 1
                    sock.sendall(client.ask())
            except OSError:
                got = b""
            if not got:
                poll.unregister(fd)
                here.pop(fd)[0].close()
                client.got = b""
                away.append(client)
    print(json.dumps(told), flush=True)


@contextmanager
def crowded(port: int, count: int, told: dict[str, Any]) -> Iterator[None]:
    """So many of the crowd, for as long as the block lasts."""
    command = [sys.executable, __file__, "--crowd", str(count), "--port", str(port)]
    with subprocess.Popen(command, stdout=PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield
        finally:
            process.terminate()
            told["answered"] = json.loads(process.stdout.read().splitlines()[-1])


# -- what is measured -----------------------------------------------------------------------------


def presses(driver: Driver, count: int) -> dict[str, float]:
    """Milliseconds of so many presses, one every twentieth of a second."""
    driver._http.close()  # a connection that was silent for long is closed
    taken = []
    for _ in range(count):
        taken.append(seconds(driver.answer))
        time.sleep(0.05)
    cut = statistics.quantiles(taken, n=100)
    return {f"p{n}_ms": round(cut[n - 1] * 1e3, 1) for n in (50, 95, 99)}


def whole_mib(pid: int) -> float:
    """Memory of a process and its children."""
    children = Path(f"/proc/{pid}/task").glob("*/children")
    pids = [pid, *(int(one) for file in children for one in file.read_text().split())]
    return sum(map(memory_mib, pids))


def measure(root: Path, folder: Path, count: int) -> dict[str, Any]:
    """All that is measured of a checkout."""
    keep(folder / "data", raced("driven", tuple("ABCDEF")))
    told: dict[str, Any] = {}
    with service(folder, root) as (port, pin, pid, _):
        driver = Driver(port, pin)
        driver._http.timeout = PATIENCE_S
        told["alone"] = presses(driver, count)
        told["alone"]["table_mib"] = round(memory_mib(pid), 1)
        with crowded(port, 100, {}):
            told["phones"] = presses(driver, count)
            told["phones"]["table_mib"] = round(memory_mib(pid), 1)
        with crowded(port, 3350, told):
            try:
                told["crowd"] = presses(driver, count)
            except OSError as error:
                told["crowd"] = {"gave_up": f"{error} ({PATIENCE_S:.0f} s)"}
            told["crowd"]["table_mib"] = round(memory_mib(pid), 1)
            told["crowd"]["whole_mib"] = round(whole_mib(pid), 1)
            os.kill(pid, signal.SIGTERM)
            told["sigterm_s"] = round(seconds(lambda: _wait_for(pid)), 2)
    if "p99_ms" in told["crowd"]:
        told["p99_ratio"] = round(told["crowd"]["p99_ms"] / told["phones"]["p99_ms"], 1)
    return told


def _wait_for(pid: int) -> None:
    while Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
        time.sleep(0.01)


def main() -> None:
    """Measure, and print one JSON object a checkout."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--presses", type=int, default=200)
    parser.add_argument("--at", type=Path, help="another checkout, measured in the same run")
    parser.add_argument("--crowd", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.crowd:
        crowd(args.port, args.crowd)
        return
    for root in [HERE, *([args.at.resolve()] if args.at else [])]:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) / "race"
            folder.mkdir()
            with service(folder, root):
                pass  # compiled once before, as an installed one is
            print(json.dumps({str(root): measure(root, folder, args.presses)}, indent=2))


if __name__ == "__main__":
    main()
