"""What the actions of `companion league` share: options, the open league, complaints, tables."""

from __future__ import annotations

import argparse
import getpass
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.config import Config, data_folder
from companion.league.errors import LeagueError
from companion.league.settings import LeagueSettings, read_settings

if TYPE_CHECKING:
    from companion.league.league import League

    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

FAILED = 2
Run = Callable[[argparse.Namespace], int]


def finish(parser: argparse.ArgumentParser, run: Run) -> None:
    """Add what every action has, and let its troubles become a sentence."""
    parser.add_argument(
        "--data",
        metavar="DIR",
        type=Path,
        default=data_folder(),
        help="the folder of races and records (%(default)s)",
    )
    parser.add_argument(
        "--database",
        metavar="URL",
        help="such as postgresql://user@host/league; else what companion.toml says, else "
        "league.db in the folder",
    )
    parser.add_argument("--json", action="store_true", help="write JSON, for programs")
    parser.set_defaults(run=lambda args: _run(run, args))


def _run(run: Run, args: argparse.Namespace) -> int:
    try:
        return run(args)
    except LeagueError as trouble:
        return complain(str(trouble))


def complain(sentence: str) -> int:
    """Say what is wrong; the status for the shell."""
    print(f"companion: {sentence}", file=sys.stderr)
    return FAILED


def settings_of(args: argparse.Namespace) -> LeagueSettings:
    """What companion.toml in the folder says of the league."""
    return read_settings(Config(data=args.data).file)


def league_of(args: argparse.Namespace) -> League:
    """The league of the folder, open; records that are not in it are told on stderr."""
    league = open_as_it_is(args, caught_up=True)
    tell_refused(league)
    return league


def open_as_it_is(args: argparse.Namespace, *, caught_up: bool = False) -> League:
    """The league of the folder, open; what has come since is not read in unless asked for."""
    from companion.bootstrap_league import open_league

    database = args.database or settings_of(args).database
    return open_league(args.data, database, caught_up=caught_up)


def tell_refused(league: League) -> None:
    """Name the records that are not in the league, on stderr."""
    for refused in league.catch_up():
        told = f"{refused.file} is not in the league: line {refused.line}: {refused.message}"
        print(f"companion: {told}", file=sys.stderr)


def who() -> str:
    """Who acts, as the journal names them."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "the command line"


def write_json(value: Any) -> int:
    """JSON on stdout."""
    print(json.dumps(value, ensure_ascii=False))
    return 0


def print_table(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> int:
    """A table for the terminal; heads that end in # are of numbers and stand to the right."""
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), title_justify="left", box=SIMPLE)
    for head in heads:
        is_number = head.endswith("#")
        table.add_column(Text(head.removesuffix("#")), justify="right" if is_number else "left")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))  # as it is: [Ana] is a name, no markup
    # A pipe or a file has no width of its own, and lines must not be broken there.
    console = Console(width=None if sys.stdout.isatty() else 200, highlight=False)
    console.print(table)
    return 0


def read_json(text: str) -> Any:
    """JSON of the command line.

    Raises:
        LeagueError: it is none.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise LeagueError(f"{text!r:.60} is no JSON: {error}") from error


def read_bytes(file: Path) -> bytes:
    """A file that the command line names.

    Raises:
        LeagueError: it cannot be read.
    """
    try:
        return file.read_bytes()
    except OSError as error:
        raise LeagueError(f"{file} cannot be read: {error.strerror}") from error
