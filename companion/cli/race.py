"""`companion race`: open the table."""

from __future__ import annotations

import ctypes
import gc
import os
import shlex
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from logging import getLogger
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import click

from companion.app.seats import plan_of
from companion.cli import tools
from companion.league.errors import LeagueError
from companion.league.push import read_settings
from companion.seats.plan import PlanError, SeatPlan, parse_seats
from companion.system.config import (
    EVERYWHERE,
    PACE_S,
    PORT,
    Config,
    ConfigError,
    advice_of,
    announcer_of,
    read_hosts,
    stick_of,
)
from companion.system.host import this_process
from companion.table.ports import StorageError
from companion.views.words import LANGUAGES

if TYPE_CHECKING:
    from companion.app.table import Rescue, RunningTable

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

    An unfinished race goes on where it stood; without one the seats are asked who plays. Where the
    folder lets no table be opened, a page says why until one can be. Ends with Ctrl-C.
    """
    tools.at_most_one(new=new, resume=resume)
    os.umask(0o077)  # what a table writes is for its owner alone
    one_heap()
    with ExitStack() as opened:
        with _no_collecting():
            header = (
                None
                if new is None
                else tools.parse_json(tools.read(new), f"{new} is not a header in JSON")
            )
            settings, plan = _configured(Config(data, host, port, bot_pace_s=pace), seats, config)
            opened.enter_context(tools.listening(host, port))
            # Before the table: its threads take over which signals are held.
            opened.enter_context(_held_signals())
            table = _come_up(opened, settings, plan, as_json)
            if table is None:
                return
            reply = table.start(header=header, resume=resume)
            if reply is not None and reply.status != 200:
                raise tools.Failure(reply.body["error"]["message"])
            with suppress(tools.Unheard):
                _announce(table, data, as_json)
            table.notifier.ready(f"open at {table.url}")
        _until_stopped(table)
        table.notifier.stopping()


QUIET_S, LOOKS = 1.0, 5
NOTICE_S = 0.1


def _until_stopped(table: RunningTable) -> None:
    """Wait for the signal. Meanwhile, once nothing moves at the table, what pages need is made, so
    that the first phone does not wait for it; where bots play on, all the same after a moment."""
    seen = None
    for _ in range(LOOKS):
        if (now := table.session.snapshot().version) == seen:
            break
        seen = now
        if _is_stopped_within(QUIET_S):
            return

    def make_page() -> None:
        if not table.server.warm_up():
            # Whoever has just updated looks for these words (packaging/update/came-up).
            table.notifier.ready("not open: the page cannot be made")

    # Not here: in a crowd that may last, and the signal does not wait.
    with suppress(RuntimeError):  # memory is short: the first phone waits
        Thread(target=make_page, name="first page", daemon=True).start()
    signal.sigwait(STOP)


def _is_stopped_within(seconds: float) -> bool:
    """Whether a signal to stop has come by then. It stays pending."""
    # Python's `sigtimedwait` does not do: where the process itself is frozen past the deadline
    # (SIGSTOP, Ctrl-Z), it returns a signal that never came, made of whatever lay in memory.
    end = time.monotonic() + seconds
    while not signal.sigpending().intersection(STOP):
        if (left := end - time.monotonic()) <= 0:
            return False
        time.sleep(min(left, NOTICE_S))
    return True


def _configured(plain: Config, seats: str | None, named: Path | None) -> tuple[Config, SeatPlan]:
    """The settings of companion.toml; without them, where the folder's own cannot be followed: one
    flipped bit in it must not end the evening.

    Raises:
        PlanError: the file or the seats that the command line names mean nothing.
        ConfigError: so does the file.
        LeagueError: so does what it says of the league.
    """
    file = named or plain.file
    try:
        for check in (read_hosts, read_settings):
            check(plain.file)
        plan = plan_of(plain.data, seats, named)
        stick, advice, announcer = stick_of(file), advice_of(file), announcer_of(file, LANGUAGES)
        return replace(plain, stick=stick, advice=advice, announcer=announcer), plan
    except (PlanError, ConfigError, LeagueError) as trouble:
        bare = SeatPlan() if seats is None else SeatPlan(parse_seats(seats))
        if named is not None:
            raise
        return replace(plain, unfollowed=f"{trouble}; the table is open without the file"), bare


LOOK_AGAIN_S = 5.0


def _come_up(
    opened: ExitStack, settings: Config, plan: SeatPlan, as_json: bool
) -> RunningTable | None:
    """An open table; until one can be opened a page says why. None: it was stopped meanwhile.

    Raises:
        StorageError: another companion holds the folder.
    """
    from companion.app.table import Rescue, RunningTable

    notifier = this_process(time.monotonic)
    while True:
        try:
            return opened.enter_context(RunningTable(settings, seats=plan, notifier=notifier))
        except (OSError, RuntimeError, MemoryError):
            raise
        except Exception as trouble:
            if isinstance(trouble, StorageError):
                if trouble.key == "in-use":
                    raise
            else:  # whatever lies in the folder, a page has to say so
                getLogger(__name__).exception("the table could not be opened")
            why = str(trouble)
        with Rescue(settings, why) as page:
            with suppress(tools.Unheard):
                _announce_rescue(page, why, as_json)
            notifier.ready(f"not open: {why}")
            gc.enable()  # this may last
            before = page.looks()
            while page.looks() == before:
                if _is_stopped_within(LOOK_AGAIN_S):
                    notifier.stopping()
                    return None
                notifier.alive()


def _announce_rescue(page: Rescue, why: str, as_json: bool) -> None:
    """Say where the page is that says why there is no table."""
    tools.complain(why)
    if page.is_new:  # nobody else can tell it
        tools.complain(f"the PIN of the page until then: {page.pin}")
    told = {"url": page.url, "seats": [], "pin": page.pin, "trouble": why}
    tools.answer(as_json, told, f"The table cannot be opened; a page says why: {page.url}")
    sys.stdout.flush()


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
        while signal.sigtimedwait(STOP, 0):
            pass  # asked for twice: it is over already
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _announce(table: RunningTable, data: Path, as_json: bool) -> None:
    """Say where the table is; to people with one link, which opens it, and the phones' code.

    Keys go to a terminal, or to the program that asked: what else reads stdout keeps it.
    """
    access = table.access
    seats = [{"seat": n, "link": access.link(n), "token": access.token(n)} for n in table.seats]
    if not as_json and sys.stdout.isatty():
        import segno

        tools.show_code(segno.make(table.join_link, micro=False))
    told = {"url": table.url, "seats": seats, "pin": access.pin}
    tools.answer(as_json, told, *(() if as_json else _lines(table, data)))
    if not as_json:
        if table.state.trouble:
            tools.complain(table.state.trouble)
        print("Ctrl-C closes the table; the race is kept.")
    sys.stdout.flush()


def _lines(table: RunningTable, data: Path) -> Iterator[str]:
    """What people read: on a terminal the keys, in a log how to come by them."""
    if sys.stdout.isatty():
        yield f"Phones: scan this, or type {table.letters.now} at {table.url}/join"
        yield f"The table is open at {table.url}/#pin={table.access.pin}"
    else:
        yield f"The table is open at {table.url}"
        pin = f"{tools.typed()} pin --data {shlex.quote(str(data))}"
        yield f"The seats' links are on their screens; the referee's PIN: {pin}"
    if table.has_cabinet:
        yield f"The simulated seats, to see and to press: {table.url}/cabinet"
