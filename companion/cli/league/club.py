"""`companion league serve|table|push`: a club with many tables."""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path

import click

from companion.cli.league.action import Where, action
from companion.cli.tools import PATH, at_most_one, complain, listening, read
from companion.config import EVERYWHERE
from companion.league.errors import LeagueError
from companion.league.folder import LeagueFolder
from companion.league.push.club import Club
from companion.league.push.outbox import Outbox
from companion.league.push.sender import deliver

PORT = 8001
KEY_BYTES = 24
KEY_VARIABLE = "COMPANION_LEAGUE_KEY"


@action("serve")
@click.option("--host", default=EVERYWHERE, help="the address to listen on")
@click.option("--port", type=int, default=PORT, help="the port of the pages")
@click.option("--workers", type=int, help="processes; left out: one a core and one more")
def serve(where: Where, host: str, port: int, workers: int | None) -> None:
    """Serve the league and take in the records of the club's tables. Ends with Ctrl-C.

    With gunicorn (pip install 'race-companion[club]') it has several processes; without it one.
    """
    from companion.bootstrap_keeper import keeper_pin, pin_file
    from companion.bootstrap_serving import serve_league

    os.umask(0o077)  # what the club keeps is for its owner alone
    url, pin = where.url, keeper_pin(where.data, where.url)
    # A log must not have the PIN; a terminal may.
    keeper = pin if sys.stderr.isatty() else f"in {pin_file(where.data)}"
    sentence = f"the club's server is at http://{host}:{port}/league, its keeper's PIN is {keeper}"
    print(sentence, file=sys.stderr, flush=True)
    try:
        with listening(host, port):
            serve_league(where.data, url, host, port, workers=workers)
    except KeyboardInterrupt:
        return


@action("pin")
@click.option("--new", is_flag=True, help="make another; servers that run take it over at once")
def pin(where: Where, new: bool) -> None:
    """Show the PIN of the club's keeper, or make a new one: of all hosts, where it has several."""
    from companion.bootstrap_keeper import keeper_pin

    os.umask(0o077)
    found = keeper_pin(where.data, where.url, anew=new)
    where.answer({"pin": found}, found)


@action("table")
@click.argument("name", help="what the table is called, such as 'Table 3'")
@click.option("--close", is_flag=True, help="its key is no longer good")
def table(where: Where, name: str, close: bool) -> None:
    """Print a new key for a table, once. An older key of the table is no longer good.

    It stands in that table's companion.toml as [league] key, beside [league] club, the address of
    this server.
    """
    from companion.league.league import digest_of_key

    if close:
        where.do({"act": "close-table", "table": name})
        where.answer({"table": name, "key": None}, f"{name} may send no more records")
        return
    key = secrets.token_urlsafe(KEY_BYTES)
    where.do({"act": "table", "table": name, "key_sha256": digest_of_key(key)})
    sentence = f"The key of {name} is {key}\nIt is shown this once; keep it."
    where.answer({"table": name, "key": key}, sentence)


@action("push")
@click.option("--club", metavar="URL", help="else what companion.toml says")
@click.option("--key", help="the key that the club gave; others on this computer can read it here")
@click.option("--key-file", type=PATH, help="a file with the key; else $COMPANION_LEAGUE_KEY")
def push(where: Where, club: str | None, key: str | None, key_file: Path | None) -> int:
    """Send what the club has not got yet. The status is 2 if something waits.

    A table that is running does this by itself; what cannot be sent waits, and is sent later.
    Without a key here, the one of companion.toml is used.
    """
    from companion.bootstrap_club import wall_clock

    at_most_one(**{"key": key, "key-file": key_file})
    key = key or (_key_in(key_file) if key_file else os.environ.get(KEY_VARIABLE))
    club, key = club or where.settings.club, key or where.settings.key
    if club is None or key is None:
        raise LeagueError("which club? [league] of companion.toml says club and key, or --club")
    done = deliver(Outbox(LeagueFolder(where.data), club, wall_clock), Club(club, key))
    for record, receipt in done.receipts:
        if receipt.status == "refused":
            complain(f"the club refuses {record.file}: {receipt.message}")
    sent = [{"file": p.file, "status": r.status, "message": r.message} for p, r in done.receipts]
    trouble = str(done.trouble) if done.trouble else None
    where.answer({"sent": sent, "trouble": trouble}, f"{len(sent)} records sent")
    return complain(f"{trouble}; what waits is sent later") if done.trouble else 0


def _key_in(file: Path) -> str:
    """The key that a file has in its one line.

    Raises:
        LeagueError: it has none, or more.
    """
    words = read(file).decode("utf-8", "replace").split()
    if len(words) != 1:
        raise LeagueError(f"{file} has one line with the key in it, and nothing else")
    return words[0]
