"""`companion race`: open the table."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.seating import add_options, plan_of
from companion.config import EVERYWHERE, PORT, Config
from companion.league.errors import LeagueError
from companion.seats.plan import PlanError
from companion.table.ports import StorageError

if TYPE_CHECKING:
    from companion.bootstrap import RunningTable

    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

FAILED = 2
HIGHEST_PORT = 65535
STOP = (signal.SIGTERM, signal.SIGINT)


def register(subparsers: Subparsers) -> None:
    """Add `race` to the command line."""
    parser = subparsers.add_parser(
        "race",
        help="open the table: the page, the seats, and the race that was going on",
        description="Opens the table and serves its page. An unfinished race goes on where it "
        "stood; without one the seats are asked who plays. Ends with Ctrl-C.",
    )
    add_options(parser)
    parser.add_argument(
        "--port",
        metavar="N",
        type=_port,
        default=PORT,
        help="the port of the page; 0 takes any free one (%(default)s)",
    )
    parser.add_argument(
        "--host",
        default=EVERYWHERE,
        help="the address to listen on; 127.0.0.1 for this machine alone (%(default)s)",
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--new",
        metavar="HEADER.json",
        type=Path,
        help="start a race with this header; one that is going on waits",
    )
    which.add_argument(
        "--resume", metavar="NAME", help="go on with a waiting race, by its name or id"
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help='print one line {"url", "seats", "pin"} when the page answers, for programs',
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until a signal says stop."""
    from companion.bootstrap import RunningTable

    try:
        header = None if args.new is None else read_header(args.new)
        config = Config(data=args.data, host=args.host, port=args.port)
        with _held_signals(), RunningTable(config, seats=plan_of(args)) as table:
            reply = table.start(header=header, resume=args.resume)
            if reply is not None and reply.status != 200:
                return _complain(reply.body["error"]["message"])
            _announce(table, as_json=args.json)
            signal.sigwait(STOP)
    except (StorageError, PlanError, LeagueError) as error:
        return _complain(str(error))
    except OSError as error:
        why = error.strerror or "it is taken, or no address of this machine"
        return _complain(f"cannot listen on {args.host} port {args.port}: {why}")
    return 0


def read_header(path: Path) -> Any:
    """The header in a file.

    Raises:
        StorageError: it cannot be read, or is not JSON.
    """
    try:
        return json.loads(path.read_bytes())
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise StorageError(f"{path} is not a header in JSON: {error}") from error


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port <= HIGHEST_PORT:
        raise ValueError
    return port


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


def _announce(table: RunningTable, *, as_json: bool) -> None:
    """Say where the table is; to people with a code to scan."""
    seats = [
        {"seat": seat, "link": table.access.link(seat), "token": table.access.token(seat)}
        for seat in table.seats
    ]
    if as_json:
        told = {"url": table.url, "seats": seats, "pin": table.access.pin}
        print(json.dumps(told), flush=True)
        return
    import segno

    segno.make(table.url, micro=False).terminal(out=sys.stdout, compact=True)
    print(f"The table is open at {table.url}")
    for seat in seats:
        print(f"  seat {seat['seat']}: {seat['link']}")
    if table.access.is_new:
        print(f"The referee's PIN is {table.access.pin}. It is shown this once; keep it.")
        link = f"{table.url}/#pin={table.access.pin}"
        print(f"The table's own screen, with a code for each phone: {link}")
    for number, parts in sorted(table.hub.troubles.items()):
        for trouble in parts.values():
            print(f"companion: seat {number}: {trouble}", file=sys.stderr)
    if table.state.trouble:
        print(f"companion: {table.state.trouble}; it waits", file=sys.stderr)
    print("Ctrl-C closes the table; the race is kept.", flush=True)


def _complain(sentence: str) -> int:
    print(f"companion: {sentence}", file=sys.stderr)
    return FAILED
