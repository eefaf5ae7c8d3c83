"""A club's evening on one machine: `python benchmarks/hall.py` (50 tables, 200 viewers).

Starts `companion league serve` on a folder of its own. Every table says every two seconds how it
stands, as `league/push.py` does; every viewer asks every three seconds what the page of
live tables shows, as the page does, and says what it has got already. Then all tables finish at
once and send their records. Printed: how long each takes (median, 95 %, worst), how old a table's
state is when a viewer sees it, the server's memory, and how long until all records are in the
league.
"""

from __future__ import annotations

import argparse
import http.client
import json
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from typing import Any

from support.leagues.records import raced

from companion.league.acts import OpenTable
from companion.league.errors import LeagueFolder
from companion.league.games import AnyReplayed, replay_events
from companion.league.keeping import digest_of_key
from companion.league.league import League
from companion.league.push import Club, Outbox, deliver
from companion.race.boards import TrackLibrary
from companion.race.engine import Engine
from companion.race.record import write_record
from companion.views.model import Scene, SeatInfo
from companion.views.page import table_view

SAYS_EVERY_S = 2.0
ASKS_EVERY_S = 3.0
START_S = 30
NAMES = ("Ana", "Bea", "Cai", "Dot", "Eve", "Fay")


@dataclass
class Told:
    """What the threads have seen; lists are only ever appended to."""

    says_s: list[float] = field(default_factory=list)
    asks_s: list[float] = field(default_factory=list)
    ages_s: list[float] = field(default_factory=list)
    bytes_read: list[int] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)


def state_of(race: AnyReplayed) -> dict[str, Any]:
    """What `/api/table` says in the middle of a race."""
    engine, half = Engine(TrackLibrary()), race.moves[: len(race.moves) // 2 + 1]
    log = tuple(event for move in half for event in engine.carry_out(move.command))
    seats = tuple(SeatInfo(n, name) for n, name in enumerate(NAMES, 1))
    scene = Scene(1, seats, engine.header, race.track, engine.visible, engine.open_asks, log=log)
    return dict(table_view(scene))


@contextmanager
def serving(data: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """The club's server."""
    where = ("--host", "127.0.0.1", "--port", str(port), "--data", str(data))
    command = [sys.executable, "-m", "companion", "league", "serve", *where]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            _wait_for(port)
            yield process
        finally:
            process.send_signal(signal.SIGTERM)


def _wait_for(port: int) -> None:
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise SystemExit("the club's server did not start")


def be_a_table(club: Club, state: dict[str, Any], late_s: float, told: Told, over: Event) -> None:
    """Say how the table stands until it is over; the title carries when that was."""
    over.wait(late_s)
    while not over.is_set():
        begun = time.perf_counter()
        try:
            club.show(json.dumps({**state, "title": str(time.time())}).encode())
            told.says_s.append(time.perf_counter() - begun)
        except Exception as trouble:
            told.failed.append(f"table: {trouble}")
        over.wait(SAYS_EVERY_S)


def be_a_viewer(port: int, late_s: float, told: Told, over: Event) -> None:
    """Ask what the page of live tables shows until it is over."""
    over.wait(late_s)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    tag = ""
    while not over.is_set():
        begun = time.perf_counter()
        try:
            connection.request("GET", "/api/league/live", headers={"If-None-Match": tag})
            reply = connection.getresponse()
            body = reply.read()
            told.asks_s.append(time.perf_counter() - begun)
            tag = reply.headers.get("ETag", "")
            told.bytes_read.append(len(body))
            if body:
                now = time.time()
                told.ages_s += [now - float(t["title"]) for t in json.loads(body)["tables"]]
        except Exception as trouble:
            told.failed.append(f"viewer: {trouble!r}")
            connection.close()
        over.wait(ASKS_EVERY_S)
    connection.close()


def be_many(work: Sequence[Callable[[], None]]) -> None:
    """Do all of it at once, and wait for the last."""
    threads = [Thread(target=one, daemon=True) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def finish_all(boxes: Sequence[Outbox], clubs: Sequence[Club]) -> tuple[float, int]:
    """All tables send their record at once, again where the club was too busy.

    Returns:
        The seconds until all were in the league, and how many talks had to be had again.
    """
    again: list[str] = []

    def send(box: Outbox, club: Club) -> None:
        while deliver(box, club).trouble is not None:
            again.append("")
            time.sleep(1)

    begun = time.perf_counter()
    be_many([lambda b=box, c=club: send(b, c) for box, club in zip(boxes, clubs, strict=True)])
    return time.perf_counter() - begun, len(again)


def memory_mib(process: subprocess.Popen[bytes]) -> float:
    """What the server and its workers hold for themselves (proportional set size)."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    total = 0
    for pid in (str(process.pid), *children):
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


def row(name: str, values: Sequence[float]) -> str:
    """Median, 95 % and the worst, in milliseconds."""
    ordered = sorted(values) or [0.0]
    at95 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    figures = (statistics.median(ordered), at95, ordered[-1])
    return f"{name:38}" + "".join(f"{figure * 1000:9.1f}" for figure in figures)


def prepare(folder: Path, tables: int) -> dict[str, Any]:
    """Keys for the tables, a record for each, and what a table says."""
    lines = raced("race", NAMES, seed=7)
    with League(folder / "club", now=lambda: "2026-01-01T20:00:00") as league:
        league.do(
            *(
                OpenTable(table=f"Table {n}", key_sha256=digest_of_key(f"key-{n}"))
                for n in range(tables)
            ),
            by="bench",
        )
    for n in range(tables):
        own = [{**lines[0], "id": f"race-{n}"}, *lines[1:]]
        write_record(folder / f"table-{n}" / "records" / f"race-{n}.jsonl", own)
    return state_of(replay_events(lines))


def main() -> None:
    """Run it and print the numbers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--viewers", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20.0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        run(Path(name), port, args)


def run(folder: Path, port: int, args: argparse.Namespace) -> None:
    """The evening."""
    state = prepare(folder, args.tables)
    address = f"http://127.0.0.1:{port}"
    clubs = [Club(address, f"key-{n}") for n in range(args.tables)]
    boxes = [
        Outbox(LeagueFolder(folder / f"table-{n}"), address, lambda: "") for n in range(args.tables)
    ]
    told, over = Told(), Event()
    with serving(folder / "club", port) as process:
        late = [SAYS_EVERY_S * n / args.tables for n in range(args.tables)]
        work: list[Callable[[], None]] = [
            lambda c=club, s=s: be_a_table(c, state, s, told, over)
            for club, s in zip(clubs, late, strict=True)
        ]
        work += [
            lambda s=ASKS_EVERY_S * n / args.viewers: be_a_viewer(port, s, told, over)
            for n in range(args.viewers)
        ]
        evening = Thread(target=be_many, args=(work,))
        evening.start()
        time.sleep(args.seconds)
        held = memory_mib(process)
        over.set()
        evening.join()
        taken_s, again = finish_all(boxes, clubs)
    print(f"{args.tables} tables, {args.viewers} viewers, {args.seconds:.0f} s")
    print(f"{'ms':38}{'median':>9}{'95 %':>9}{'worst':>9}")
    print(row("a table says how it stands", told.says_s))
    print(row("a viewer asks", told.asks_s))
    print(row("age of a table's state as it is seen", told.ages_s))
    print(f"{'answered':38}{len(told.says_s):9d} tables {len(told.asks_s):6d} viewers")
    rate = (len(told.says_s) + len(told.asks_s)) / args.seconds
    print(f"{'answered a second':38}{rate:9.1f}")
    print(f"{'failed':38}{len(told.failed):9d} {told.failed[:1]}")
    print(
        f"{'bytes of a state, of the hall':38}{len(json.dumps(state)):9d}{max(told.bytes_read):9d}"
    )
    print(f"{'memory of the server, MiB':38}{held:9.1f}")
    print(
        f"{f'{args.tables} records at once, all in after':38}{taken_s:9.1f} s, {again} sent again"
    )


if __name__ == "__main__":
    main()
