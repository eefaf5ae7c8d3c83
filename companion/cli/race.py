"""`companion race`: open the table."""

from __future__ import annotations

import ctypes
import gc
import os
import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.app.seats import plan_of
from companion.cli import tools
from companion.league.errors import LeagueError
from companion.seats.plan import PlanError
from companion.system.config import (
    EVERYWHERE,
    PACE_S,
    PORT,
    Config,
    ConfigError,
    advice_of,
    stick_of,
)
from companion.table.ports import StorageError

if TYPE_CHECKING:
    from companion.app.table import RunningTable

STOP = (signal.SIGTERM, signal.SIGINT)
M_ARENA_MAX = -8
"""How glibc numbers the most heaps that it makes (mallopt(3), malloc.h)."""


@tools.command("race", tools.DATA, tools.SEATS, tools.CONFIG)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=PORT, help="of the page; 0: any free one"
)
@click.option(
    "--host", default=EVERYWHERE, help="where to listen; 127.0.0.1 for this machine alone"
)
@click.option(
    "--new", type=tools.PATH, help="a header in JSON to race by; a race that goes on waits"
)
@click.option("--pace", type=click.FloatRange(0, 60), default=PACE_S, help="seconds a bot takes")
@click.option("--resume", metavar="NAME", help="go on with a waiting race, by its name or id")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help='print one line {"url", "seats", "pin"} when the page answers, for programs',
)
@tools.sentences(StorageError, PlanError, LeagueError, ConfigError)
def open_table(
    data: Path,
    seats: str | None,
    config: Path | None,
    port: int,
    host: str,
    new: Path | None,
    pace: float,
    resume: str | None,
    as_json: bool,
) -> None:
    """Open the table and serve its page.

    An unfinished race goes on where it stood; without one the seats are asked who plays. Ends
    with Ctrl-C.
    """
    tools.at_most_one(new=new, resume=resume)
    os.umask(0o077)  # what a table writes is for its owner alone
    one_heap()
    with ExitStack() as opened:
        with _no_collecting():
            from companion.app.table import RunningTable

            header = (
                None
                if new is None
                else tools.parse_json(tools.read(new), f"{new} is not a header in JSON")
            )
            plan = plan_of(data, seats, config)
            file = config or Config(data).file
            settings = Config(data, host, port, stick_of(file), pace, advice_of(file))
            opened.enter_context(tools.listening(host, port))
            # Before the table: its threads take over which signals are held.
            opened.enter_context(_held_signals())
            table = opened.enter_context(RunningTable(settings, seats=plan))
            reply = table.start(header=header, resume=resume)
            if reply is not None and reply.status != 200:
                raise tools.Failure(reply.body["error"]["message"])
            _announce(table, data, as_json)
            table.notifier.ready(f"open at {table.url}")
        signal.sigwait(STOP)
        table.notifier.stopping()


def one_heap() -> None:
    """Have all threads that begin later allocate from one heap.

    The C library of Linux gives each a heap of its own, so that none waits for another: of what
    a table keeps in memory that was 4 MiB, and its threads take turns anyway. Elsewhere nothing
    happens.
    """
    if sys.platform == "linux":
        if mallopt := getattr(ctypes.CDLL(None), "mallopt", None):
            mallopt(M_ARENA_MAX, 1)


@contextmanager
def _no_collecting() -> Iterator[None]:
    """Look for no garbage during a start: hardly anything of it ends before the program does."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


@contextmanager
def _held_signals() -> Iterator[None]:
    """Keep the signals to stop for `sigwait`, in this thread and all that it starts meanwhile.

    A handler would not do: the system may give a signal to any thread, and then a main thread
    that waits for a lock does not wake up to run it.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _announce(table: RunningTable, data: Path, as_json: bool) -> None:
    """Say where the table is; to people with one link, which opens it, and the phones' code.

    Keys go to a terminal, or to the program that asked: what else reads stdout keeps it.
    """
    access = table.access
    seats = [{"seat": n, "link": access.link(n), "token": access.token(n)} for n in table.seats]
    told = {"url": table.url, "seats": seats, "pin": access.pin}
    tools.answer(as_json, told, *(() if as_json else _lines(table, data)))
    if not as_json:
        for number, parts in sorted(table.hub.troubles.items()):
            for trouble in parts.values():
                tools.complain(f"seat {number}: {trouble}")
        if table.state.trouble:
            tools.complain(f"{table.state.trouble}; it waits")
        print("Ctrl-C closes the table; the race is kept.")
    sys.stdout.flush()


def _lines(table: RunningTable, data: Path) -> Iterator[str]:
    """What people read: on a terminal the keys, in a log how to come by them."""
    if sys.stdout.isatty():
        import segno

        code = StringIO()
        segno.make(table.join_link, micro=False).terminal(out=code, compact=True)
        yield f"{code.getvalue()}Phones: scan this, or type {table.letters.now} at {table.url}/join"
        yield f"The table is open at {table.url}/#pin={table.access.pin}"
    else:
        yield f"The table is open at {table.url}"
        pin = f"{tools.typed()} pin --data {shlex.quote(str(data))}"
        yield f"The seats' links are on their screens; the referee's PIN: {pin}"
    if table.has_cabinet:
        yield f"The simulated seats, to see and to press: {table.url}/cabinet"
