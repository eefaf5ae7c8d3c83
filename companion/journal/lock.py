"""One process a folder: two tables on one journal would each believe to be the only one."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from companion.closing import Closing
from companion.table.ports import StorageError

OLD = "journal.db"
"""The journal of version 0.1.0, which was never published: a database."""


def refuse_old(folder: Path) -> None:
    """See that a folder is none of version 0.1.0, before anything is written into it.

    Raises:
        StorageError: it is.
    """
    if (folder / OLD).exists():
        raise StorageError(
            f"the journal {folder / OLD} is of version 0.1.0, which is no longer read; nothing was "
            "changed: name another folder"
        )


class FolderLock(Closing):
    """Holds a folder until closed; the system lets go of it however the process ends.

    Raises:
        StorageError: the folder cannot be made or written, another process holds it, or
            version 0.1.0 wrote it.
    """

    def __init__(self, folder: Path) -> None:
        self._file = -1
        refuse_old(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = os.open(folder / "lock", os.O_CREAT | os.O_RDWR, 0o600)
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.close()
            raise StorageError(f"{folder} is in use by another companion: close it first") from None
        except OSError as error:
            self.close()
            raise StorageError(f"{folder} cannot be used: {error.strerror}") from error

    def close(self) -> None:
        """Let go. May be called twice."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
