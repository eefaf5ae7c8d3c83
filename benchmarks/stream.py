"""What the page costs with a hundred phones: `python benchmarks/stream.py [--at CHECKOUT]`.

One run starts the real service on a folder of its own and measures, in this order: from the
start of the process to the first page; from a press to its event on all streams, the disk's
sync and the rules in it, beside a bare sync of the same disk; the bytes of a press on a stream;
the page while all streams are open; the memory of the service; and how long a stalled and a
vanished phone are kept. With `--at` the program of another checkout is measured in the same
run, start for start; one that knows no `?changes` sends snapshots. Each program is compiled once
before, as an installed one is.
"""

from __future__ import annotations

import argparse
import ctypes
import http.client
import json
import os
import select
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE
from typing import Any
from urllib.parse import urlsplit

from timing import bare_fsync, seconds

HERE = Path(__file__).resolve().parent.parent
SO_ATTACH_FILTER = 26
MOST_KEPT_S = 30
HEADER = {
    "game": "formula-d",
    "track": "monaco",
    "laps": 10,
    "seats": [{"seat": seat, "name": f"Driver {seat}"} for seat in range(1, 7)],
    "grid": [1, 2, 3, 4, 5, 6],
    "start": "normal",
}


class Phones:
    """Many open streams, all read in this thread."""

    def __init__(self, port: int, count: int) -> None:
        self._poll = select.epoll()
        self._port = port
        self._socks: dict[int, socket.socket] = {}
        self._version: dict[int, int] = {}
        self._tail: dict[int, bytes] = {}
        self.bytes = 0
        for _ in range(count):
            self._open()

    def _open(self) -> None:
        sock = open_stream(self._port, "/api/stream?changes")
        sock.setblocking(False)
        fd = sock.fileno()
        self._poll.register(fd, select.EPOLLIN)
        self._socks[fd], self._version[fd], self._tail[fd] = sock, -1, b""

    def wait_for(self, version: int) -> None:
        """Return once every stream has told this version."""
        behind = {fd for fd, told in self._version.items() if told < version}
        while behind:
            for fd, _ in self._poll.poll(5):
                self._read(fd)
                if self._version[fd] >= version:
                    behind.discard(fd)

    def _read(self, fd: int) -> None:
        got = self._socks[fd].recv(65536)
        if not got:
            raise ConnectionError("a healthy stream was ended")
        self.bytes += len(got)
        text = self._tail[fd] + got
        if (place := text.rfind(b"\nid: ")) >= 0 and text.find(b"\n", place + 1) > 0:
            self._version[fd] = int(text[place + 5 : text.find(b"\n", place + 1)])
        self._tail[fd] = text[-32:]


def open_stream(port: int, path: str = "/api/stream", buffer_bytes: int = 0) -> socket.socket:
    """A connection that has asked for a stream."""
    sock = socket.socket()
    if buffer_bytes:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer_bytes)
    sock.connect(("127.0.0.1", port))
    sock.sendall(b"GET %b HTTP/1.1\r\nHost: localhost\r\n\r\n" % path.encode())
    return sock


def vanish(sock: socket.socket) -> None:
    """Let the kernel drop whatever arrives, as if the phone were out of reach."""
    drop_all = ctypes.create_string_buffer(struct.pack("HBBI", 0x06, 0, 0, 0))
    program = struct.pack("HL", 1, ctypes.addressof(drop_all))
    sock.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, program)


class Driver:
    """Answers every ask over HTTP with what the rules offer first."""

    def __init__(self, port: int, pin: str) -> None:
        self._http = http.client.HTTPConnection("127.0.0.1", port)
        self._http.connect()
        self._headers = {"Authorization": f"Bearer {pin}"}
        self.asks: list[dict[str, Any]] = self.get("/api/table")["asks"]

    def get(self, path: str) -> Any:
        """The JSON at an address; the text of a page."""
        self._http.request("GET", path)
        body = self._http.getresponse().read()
        return json.loads(body) if path.startswith("/api") else body

    def answer(self) -> int:
        """Answer the first ask; the version that came of it."""
        ask = self.asks[0]
        body = json.dumps({ask["kind"]: _choose(ask)})
        self._http.request("POST", f"/api/seat/{ask['seat']}/answer", body, self._headers)
        reply = json.loads(self._http.getresponse().read())
        if not reply["ok"]:
            raise RuntimeError(reply["error"]["message"])
        self.asks = reply["asks"]
        return int(reply["version"])


def _choose(ask: dict[str, Any]) -> Any:
    options = [option for option in ask["options"] if option is not None]
    if ask["kind"] == "gear":
        return options[min(len(options) - 1, 1)]
    if ask["kind"] == "black":
        return options[-1]
    if ask["kind"] in ("move", "slipstream"):
        best = min(options, key=lambda one: (one["out"], one["spin"], sum(one["cost"].values())))
        return {"to": best["to"], "brakes": best["brakes"]}
    return options[0]


@contextmanager
def service(folder: Path, root: Path = HERE) -> Iterator[tuple[int, str, int, float]]:
    """A companion of a checkout: port, PIN, process id, seconds from start to the first page."""
    header = folder / "header.json"
    header.write_text(json.dumps(HEADER))
    command = [sys.executable, "-m", "companion", "race", "--data", str(folder / "data"), "--json"]
    command += ["--port", "0", "--host", "127.0.0.1", "--new", str(header)]
    begun = time.perf_counter()
    where = {**os.environ, "PYTHONPATH": f"{root}:{root / 'web'}"}
    where |= {"PYTHONPYCACHEPREFIX": str(folder.parent / "compiled")}
    where.pop("PYTHONDONTWRITEBYTECODE", None)
    with subprocess.Popen(command, stdout=PIPE, text=True, cwd=root, env=where) as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        port = urlsplit(told["url"]).port
        assert port is not None
        page = http.client.HTTPConnection("127.0.0.1", port)
        page.request("GET", "/")
        page.getresponse().read()
        started_s = time.perf_counter() - begun
        try:
            yield port, told["pin"], process.pid, started_s
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()


def cpu_ms(pid: int) -> float:
    """Processor time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) * 1e3 / os.sysconf("SC_CLK_TCK")


def memory_mib(pid: int) -> float:
    """Resident memory of a process."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def is_held(port: int, sock: socket.socket) -> bool:
    """Whether the service still holds its end of a connection (TCP state 01, established)."""
    end = f":{port:04X} 0100007F:{sock.getsockname()[1]:04X} 01"
    return end in Path("/proc/net/tcp").read_text()


def kept_s(driver: Driver, phones: Phones, port: int, gone: socket.socket) -> float:
    """Seconds until the service closes a connection, while the race goes on for all others."""
    begun = time.perf_counter()
    while is_held(port, gone):
        if time.perf_counter() - begun > MOST_KEPT_S:
            raise TimeoutError("the connection is still held")
        phones.wait_for(driver.answer())
        time.sleep(0.02)
    gone.close()
    return round(time.perf_counter() - begun, 1)


def main() -> None:
    """Measure, and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--phones", type=int, default=100)
    parser.add_argument("--presses", type=int, default=300)
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--at", type=Path, help="another checkout, measured in the same run")
    args = parser.parse_args()
    roots = [HERE, *([args.at.resolve()] if args.at else [])]
    with tempfile.TemporaryDirectory() as name:
        starts = _starts(Path(name), roots, args.starts)
        for root in roots:
            folder = Path(name) / f"race-{roots.index(root)}"
            folder.mkdir()
            told: dict[str, Any] = {"phones": args.phones, **starts[root]}
            with service(folder, root) as (port, pin, pid, _):
                told |= measure(port, pin, pid, folder, args)
            print(json.dumps(told, indent=2))


def _starts(folder: Path, roots: Sequence[Path], count: int) -> dict[Path, dict[str, float]]:
    """Start to page of each, in turn: milliseconds of the clock and of the processor."""
    times: dict[Path, list[tuple[float, float]]] = {root: [] for root in roots}
    for number in range(-1, count):
        if number == 0:  # what came before was compiled
            times = {root: [] for root in roots}
        for root in roots:
            home = folder / f"{number}-{roots.index(root)}"
            home.mkdir()
            with service(home, root) as (_, _, pid, started_s):
                times[root].append((started_s * 1e3, cpu_ms(pid)))
    return {
        root: {
            "start_to_page_ms": round(statistics.median(ms for ms, _ in told)),
            "start_to_page_cpu_ms": round(statistics.median(cpu for _, cpu in told)),
            "quickest_start_ms": round(min(ms for ms, _ in told)),
        }
        for root, told in times.items()
    }


def measure(
    port: int, pin: str, pid: int, folder: Path, args: argparse.Namespace
) -> dict[str, Any]:
    """Everything that is measured on one running service."""
    driver = Driver(port, pin)
    phones = Phones(port, args.phones)
    phones.wait_for(driver.answer())
    sync = bare_fsync(folder)
    presses, syncs, pages, before = [], [], [], phones.bytes
    for _ in range(args.presses):
        presses.append(seconds(lambda: phones.wait_for(driver.answer())))
        syncs.append(seconds(sync))
        pages.append(seconds(lambda: driver.get("/")))
    told = {
        "press_to_all_ms": round(statistics.median(presses) * 1e3, 2),
        "press_to_all_p95_ms": round(statistics.quantiles(presses, n=20)[-1] * 1e3, 2),
        "bytes_a_press_and_page": round((phones.bytes - before) / args.presses / args.phones),
        "bare_sync_ms": round(statistics.median(syncs) * 1e3, 2),
        "page_with_streams_open_ms": round(statistics.median(pages) * 1e3, 2),
        "memory_mib": round(memory_mib(pid), 1),
    }
    stalled = open_stream(port, buffer_bytes=4096)
    phones.wait_for(driver.answer())
    told["stalled_phone_kept_s"] = kept_s(driver, phones, port, stalled)
    vanished = open_stream(port)
    phones.wait_for(driver.answer())
    vanish(vanished)
    told["vanished_phone_kept_s"] = kept_s(driver, phones, port, vanished)
    return told


if __name__ == "__main__":
    main()
