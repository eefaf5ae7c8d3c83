"""`companion backup`: the folder of races, records and keys in one file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from companion.cli.tools import AS_JSON, DATA, PATH, Failure, answer, command, sentences
from companion.config import Config, ConfigError, stick_of
from companion.league.errors import LeagueError
from companion.league.settings import read_settings
from companion.table.ports import StorageError


def place_of(data: Path, named: Path | None) -> Path:
    """Where backups are: what is named, else the stick of the configuration, else with the data."""
    from companion.journal.backups import BACKUPS

    stick = stick_of(Config(data=data).file)
    return named or (stick if stick and stick.is_dir() else data / BACKUPS)


@command("backup", DATA, AS_JSON)
@click.option("--to", type=PATH, help="the folder for it (else the stick that is named, or DATA)")
@click.option("--database", help="of the league, where that is not what companion.toml says")
@sentences(StorageError, ConfigError, LeagueError)
def keep(data: Path, to: Path | None, database: str | None, as_json: bool) -> None:
    """Pack races, records, league, boards and keys into one file, and check it.

    It may be done while a table runs. What a club has in PostgreSQL is in it too.
    It holds the PIN and all tokens: keep it as you keep them.
    """
    from companion.journal.backups import make_backup
    from companion.journal.dates import now

    if to is not None and to.resolve() == data.resolve():
        raise Failure(f"{to} is the folder of races itself; name another")
    url = database or read_settings(Config(data=data).file).database
    elsewhere: Iterable[tuple[str, bytes]] = ()
    if url is not None:
        from companion.bootstrap_league import files_of_club

        elsewhere = files_of_club(data, url)
    path = make_backup(data, place_of(data, to), now(), elsewhere)
    answer(as_json, {"backup": str(path), "bytes": path.stat().st_size}, f"kept in {path}")
