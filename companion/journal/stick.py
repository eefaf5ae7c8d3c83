"""A stick that keeps what the disk may lose: a copy of the journal, and backups.

A folder on it is named in the configuration; a backup is made when it is plugged in. The folder
has to be made there by hand, so that nothing is written into an empty place where the stick would
be. A thread looks for it every `LOOK_S`. What the second copy has got meanwhile is added to the
files on the stick and synced: at a table of people that is every turn. Where the stick fails or
is pulled out it is told once, and the table goes on: it never waits for a stick.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

from companion.closing import Closing
from companion.files import make_folder
from companion.journal.backups import make_backup
from companion.table.ports import StorageError

LOOK_S = 2.0
COPY = "copy"
LAST_BYTES = 4096


class Stick(Closing):
    """Follows a folder of data.

    Args:
        folder: on the stick, as the configuration names it.
        data: the folder of data.
        complain: says on stderr what is wrong.
        date: for the name of a backup.
    """

    def __init__(
        self,
        folder: Path,
        data: Path,
        complain: Callable[[str], object],
        date: Callable[[], str],
    ) -> None:
        self._folder = folder
        self._data = data
        self._complain = complain
        self._date = date
        self._was_there = False
        self._said = ""
        self._closed = Event()
        self._thread = Thread(target=self._serve, name="stick", daemon=True)

    def start(self) -> None:
        """Follow from now on."""
        self._thread.start()

    def close(self) -> None:
        """Follow once more, and let go. May be called twice."""
        if not self._closed.is_set() and self._thread.is_alive():
            self._closed.set()
            self._thread.join()
            self.look()

    def _serve(self) -> None:
        while not self._closed.is_set():
            self.look()
            self._closed.wait(LOOK_S)

    def look(self) -> None:
        """Follow, if the stick is there; a stick that has just come gets a backup first."""
        try:
            before, self._was_there = self._was_there, self._folder.is_dir()
            if self._was_there and not before:
                make_backup(self._data, self._folder, self._date())
            if self._was_there:
                follow(self._data / COPY, self._folder / COPY)
            self._said = ""
        except (OSError, StorageError) as error:
            if str(error) != self._said:
                self._said = str(error)
                self._complain(f"the stick {self._folder} does not keep the journal: {error}")


def follow(source: Path, target: Path) -> None:
    """Let the logs in `target` be those of `source`, by adding to them what is missing.

    Raises:
        OSError: it cannot be done.
    """
    make_folder(target)
    for path in source.glob("*.log"):
        other = target / path.name
        begun = _common(path, other)
        if begun == path.stat().st_size:
            continue
        with path.open("rb") as log, other.open("ab" if begun else "wb") as file:
            log.seek(begun)
            file.write(log.read())
            file.flush()
            os.fsync(file.fileno())


def _common(path: Path, other: Path) -> int:
    """How much of a log the other file has; 0 of another one, as after a restore.

    Each line has the sum of the one before: files that are equal in their last line are equal.
    """
    has = other.stat().st_size if other.exists() else 0
    if not has or has > path.stat().st_size:
        return 0
    last = min(has, LAST_BYTES)
    with path.open("rb") as log, other.open("rb") as file:
        log.seek(has - last)
        file.seek(has - last)
        return has if log.read(last) == file.read(last) else 0
