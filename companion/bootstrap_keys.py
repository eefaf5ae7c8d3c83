"""The referee's PIN out of a folder of races, with the table open or not."""

from __future__ import annotations

import json
from pathlib import Path

from companion.journal import FolderLock, open_journal
from companion.journal.chain import read, walk
from companion.journal.lock import refuse_old
from companion.journal.opening import COPY, FOLDER
from companion.table.access import ACCESS_LOG, Access
from companion.table.ports import StorageError


def read_pin(data: Path) -> str | None:
    """The PIN as the journal has it, read without touching anything; None: there is none yet.

    Raises:
        StorageError: the folder cannot be read; or it was written by version 0.1.0.
    """
    refuse_old(data)
    files = (data / folder / f"{ACCESS_LOG}.log" for folder in (FOLDER, COPY))
    try:
        found = [read(file.read_bytes(), ACCESS_LOG) for file in files if file.exists()]
    except OSError as error:
        raise StorageError(f"{data} cannot be read: {error.strerror}") from error
    row = walk(ACCESS_LOG, *found)
    return None if not row else str(json.loads(row[-1].text)["pin"])


def renew_pin(data: Path) -> str | None:
    """A new PIN; the tokens of the seats stay.

    Raises:
        StorageError: a table is open on the folder, or it cannot be written.
    """
    if not data.is_dir():
        return None
    with FolderLock(data), open_journal(data, lambda trouble: None) as journal:
        access = Access(journal)
        return access.renew_pin()
