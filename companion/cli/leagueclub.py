"""`companion league serve|table|push`: a club with many tables."""

from __future__ import annotations

import argparse
import secrets
import sys
from typing import TYPE_CHECKING

from companion.cli.leaguetools import (
    FAILED,
    complain,
    finish,
    league_of,
    settings_of,
    who,
    write_json,
)
from companion.config import EVERYWHERE
from companion.league.errors import LeagueError
from companion.league.folder import LeagueFolder
from companion.league.push.club import Club
from companion.league.push.courier import deliver
from companion.league.push.outbox import Outbox

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

PORT = 8001
KEY_BYTES = 24


def register(actions: Subparsers) -> None:
    """Add the actions."""
    _register_serve(actions)
    _register_table(actions)
    _register_push(actions)


def _register_serve(actions: Subparsers) -> None:
    serve = actions.add_parser(
        "serve",
        help="the club's server, which tables send their records to",
        description="Serves the league and takes in the records of the club's tables. With "
        "gunicorn (pip install 'race-companion[club]') it has several processes; without it "
        "one. Ends with Ctrl-C.",
    )
    serve.add_argument("--host", default=EVERYWHERE, help="the address to listen on (%(default)s)")
    serve.add_argument("--port", metavar="N", type=int, default=PORT, help="(%(default)s)")
    serve.add_argument(
        "--workers", metavar="N", type=int, help="processes; left out: one a core and one more"
    )
    finish(serve, run_serve)


def run_serve(args: argparse.Namespace) -> int:
    """Serve until a signal says stop."""
    from companion.bootstrap_league import keeper_pin, serve_league

    database = args.database or settings_of(args).database
    where, pin = f"http://{args.host}:{args.port}", keeper_pin(args.data)
    told = f"the club's server is at {where}/league, the PIN of its keeper is {pin}"
    print(told, file=sys.stderr, flush=True)
    try:
        serve_league(args.data, database, args.host, args.port, workers=args.workers)
    except OSError as error:
        why = error.strerror or "it is taken, or no address of this machine"
        return complain(f"cannot listen on {args.host} port {args.port}: {why}")
    except KeyboardInterrupt:
        return 0
    return 0


def _register_table(actions: Subparsers) -> None:
    table = actions.add_parser(
        "table",
        help="give a table of the club its key, or take it away",
        description="Prints a new key for a table, once: it stands in that table's "
        "companion.toml as [league] key, beside [league] club, the address of this server. "
        "An older key of the table is no longer good.",
    )
    table.add_argument("name", metavar="NAME", help="what the table is called, such as 'Table 3'")
    table.add_argument("--close", action="store_true", help="its key is no longer good")
    finish(table, run_table)


def run_table(args: argparse.Namespace) -> int:
    """Give a key, or take it away."""
    from companion.league.league import digest_of_key

    key = secrets.token_urlsafe(KEY_BYTES)
    act = {"act": "table", "table": args.name, "key_sha256": digest_of_key(key)}
    with league_of(args) as league:
        league.do({"act": "close-table", "table": args.name} if args.close else act, by=who())
    if args.json:
        return write_json({"table": args.name, "key": None if args.close else key})
    if args.close:
        print(f"{args.name} may send no more records")
    else:
        print(f"The key of {args.name} is {key}\nIt is shown this once; keep it.")
    return 0


def _register_push(actions: Subparsers) -> None:
    push = actions.add_parser(
        "push",
        help="send finished records to the club",
        description="Sends what the club has not got yet. A table that is running does this by "
        "itself; what cannot be sent waits, and is sent later. The status is 2 if something waits.",
    )
    push.add_argument("--club", metavar="URL", help="else what companion.toml says")
    push.add_argument("--key", help="the key that the club gave; else what companion.toml says")
    finish(push, run_push)


def run_push(args: argparse.Namespace) -> int:
    """Send what waits, once."""
    from companion.bootstrap_club import wall_clock

    settings = settings_of(args)
    address, key = args.club or settings.club, args.key or settings.key
    if address is None or key is None:
        raise LeagueError("which club? [league] of companion.toml says club and key, or --club")
    done = deliver(Outbox(LeagueFolder(args.data), address, wall_clock), Club(address, key))
    for parcel, receipt in done.receipts:
        if receipt.status == "refused":
            complain(f"the club refuses {parcel.file}: {receipt.message}")
    if args.json:
        told = [
            {"file": p.file, "status": r.status, "message": r.message} for p, r in done.receipts
        ]
        write_json({"sent": told, "trouble": None if not done.trouble else str(done.trouble)})
    else:
        print(f"{len(done.receipts)} records sent")
    if done.trouble is not None:
        complain(f"{done.trouble}; what waits is sent later")
        return FAILED
    return 0
