"""`companion restore`: what a backup has, back in its place."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.backup import place_of
from companion.cli.tools import AS_JSON, DATA, PATH, answer, command, sentences
from companion.config import ConfigError
from companion.league.errors import LeagueError
from companion.table.ports import StorageError


@command("restore", DATA, AS_JSON)
@click.argument(
    "backup", type=PATH, required=False, help="a file of `companion backup`, or a folder of them"
)
@sentences(StorageError, ConfigError, LeagueError)
def bring_back(data: Path, backup: Path | None, as_json: bool) -> None:
    """Bring back what a backup has; without a name the newest one.

    The table must be closed. What is there now is moved to before-restore-DATE beside it; nothing
    is deleted. Whoever was forgotten since stays forgotten.
    """
    from companion.journal import FolderLock
    from companion.journal.backups import newest_backup, restore
    from companion.journal.dates import now

    path = backup or place_of(data, None)
    if path.is_dir() or backup is None:
        path = newest_backup(path)
    with FolderLock(data):
        before = restore(path, data, now(), _forget_again)
    lines = [f"restored from {path}"] + ([f"what was there is in {before}"] if before else [])
    told = {"restored": str(path), "before": str(before) if before else None}
    answer(as_json, told, *lines)


def _forget_again(now: Path, then: Path) -> None:
    """What a backup has of people who were forgotten since goes before anything of it is used."""
    from companion.league.folder import LeagueFolder

    if LeagueFolder(now).forgotten.exists():  # what comes next brings the database's library
        from companion.league.forgetting import forget_again
        from companion.league.storage import FolderStorage

        forget_again(LeagueFolder(then), FolderStorage(now))
