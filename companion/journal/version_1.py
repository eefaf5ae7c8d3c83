"""The journal of version 0.1.0: a database of SQLite, whose lines are the same."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from companion.files import make_folder, write_whole
from companion.journal.chain import Entry, chained, head, seed
from companion.journal.words import Told, was_cut_off
from companion.table.ports import StorageError

APPLICATION_ID = 0x52616365  # "Race"
OLD_FORMAT = 1


def take_over(old: Path, folder: Path, tell: Told) -> None:
    """Write the logs of a database that are not in the folder yet.

    Raises:
        StorageError: it is no journal, or one of a newer companion; nothing was written.
        OSError: not all of them could be written.
    """
    there = {path.name for path in folder.glob("*.log")} if folder.exists() else set()
    make_folder(folder)
    try:
        for number, (log, texts, is_cut) in enumerate(_logs(old), 1):
            is_race = bool(texts) and "record" in json.loads(texts[0])
            name = f"{number:06d}-{log}.log" if is_race else f"{log}.log"
            if texts and name not in there:
                entries = _as_entries(log, texts, int(old.stat().st_mtime))
                write_whole(folder / name, head(log) + b"".join(one.raw for one in entries))
            if is_cut:
                tell(was_cut_off(old, log, len(texts)))
    except sqlite3.DatabaseError as error:
        tell(was_cut_off(old, "", 0, f": {error}"))


def _logs(old: Path) -> Iterator[tuple[str, list[bytes], bool]]:
    """Each log with the lines that can be read of it, and whether there were more."""
    with closing(sqlite3.connect(old, isolation_level=None)) as db:
        db.text_factory = bytes
        (application,) = db.execute("PRAGMA application_id").fetchone()
        if application != APPLICATION_ID:
            raise StorageError(f"{old} is not a journal of the companion: put it aside")
        (found,) = db.execute("PRAGMA user_version").fetchone()
        if found > OLD_FORMAT:
            raise StorageError(
                f"the journal {old} was written by a newer companion (format {found}, this one "
                f"knows {OLD_FORMAT}): update the companion"
            )
        for key, name in db.execute("SELECT key, name FROM log ORDER BY key").fetchall():
            yield name.decode(), *_texts(db, key)


def _texts(db: sqlite3.Connection, key: int) -> tuple[list[bytes], bool]:
    """The lines of a log before the first that is damaged; whether there is such a one."""
    texts: list[bytes] = []
    query = "SELECT number, text FROM line WHERE log = ? ORDER BY number"
    try:
        for number, text in db.execute(query, (key,)):
            if number != len(texts) + 1 or not _is_line(text):
                return texts, True
            texts.append(text)
    except sqlite3.DatabaseError:
        return texts, True
    return texts, False


def _is_line(text: object) -> bool:
    with suppress(ValueError, RecursionError):
        return isinstance(text, bytes) and isinstance(json.loads(text), dict)
    return False


def _as_entries(log: str, texts: list[bytes], time: int) -> list[Entry]:
    entries: list[Entry] = []
    for text in texts:  # each was a commit of its own
        before = entries[-1].sum if entries else seed(log)
        entries += chained([text], len(entries) + 1, before, time)
    return entries
