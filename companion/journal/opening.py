"""A journal out of a folder of data, whichever version of the companion has written it.

What version 0.1.0 has left, a database, is taken into logs, each written whole, and then gets the
name `journal-0.1.0.db`; so whatever ends this half-way, the next start goes on with it.
"""

from __future__ import annotations

from pathlib import Path

from companion.files import sync_folder
from companion.journal.journal import Journal
from companion.journal.words import Told, in_words

FOLDER, COPY = "journal", "copy"
OLD = "journal.db"


def open_journal(data: Path, tell: Told, stick: Path | None = None) -> Journal:
    """The journal of a folder of data, what version 0.1.0 has left there included.

    Args:
        stick: the folder on a stick that has followed it.

    Raises:
        StorageError: it was written by a newer companion, or the disk does not serve.
    """
    old = data / OLD
    with in_words(data / FOLDER):
        if old.exists():
            if old.stat().st_size:
                from companion.journal.version_1 import take_over  # brings SQLite with it

                take_over(old, data / FOLDER, tell)
            _rename(old)
    third = stick / COPY if stick else None
    return Journal(data / FOLDER, data / COPY, tell, stick=third)


def _rename(old: Path) -> None:
    """Keep the database and what belongs to it under a name that nobody opens."""
    stem, count = "journal-0.1.0", 1
    while (kept := old.with_name(f"{stem}.db")).exists():
        stem, count = f"journal-0.1.0-{count + 1}", count + 1
    for ending in ("-wal", "-shm", ""):
        side = old.with_name(old.name + ending)
        if side.exists():
            side.chmod(0o600)
            side.replace(kept.with_name(kept.name + ending))
    sync_folder(old.parent)
