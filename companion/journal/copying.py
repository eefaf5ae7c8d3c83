"""The second copy of a journal: the same files in another folder, a step behind.

A line is written there once it is on disk in the journal, so that a copy never has what was
not accepted, and costs a write and no sync. A thread syncs what was written when the table has
been quiet for a moment, which at a table of people is every turn, and after `LONGEST_S` at the
latest. A copy that fails is told of once and tried again with the next line; the table goes on.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread

from companion.closing import Closing
from companion.files import make_folder
from companion.journal.log import Log
from companion.journal.words import Report, copy_fails

QUIET_S = 1.5
LONGEST_S = 10.0


class Copy(Closing):
    """A folder that follows a journal.

    Raises:
        OSError: the folder cannot be made.
    """

    def __init__(self, folder: Path, report: Report) -> None:
        self.folder = folder
        make_folder(folder)
        self._report = report
        self._is_in_trouble = False
        self._files: dict[str, int] = {}
        self._dirty: set[int] = set()
        self._guard = Lock()
        self._written = Event()
        self._closed = Event()
        self._thread = Thread(target=self._keep_synced, name="journal copy", daemon=True)

    def append(self, log: Log, added: bytes) -> None:
        """Write what was added to this log; from the table's thread."""
        name = log.path.name
        with self._guard:
            try:
                self._write(name, log, added)
                self._is_in_trouble = False
            except OSError as error:
                self._drop(name)
                if not self._is_in_trouble:
                    self._is_in_trouble = True
                    self._report(copy_fails(self.folder, error))
        if not self._written.is_set():
            self._written.set()
            if not self._thread.is_alive():
                self._thread.start()

    def let_go(self, name: str) -> None:
        """Sync what was written of this log, and close its file."""
        with self._guard:
            file = self._files.get(name)
            if file in self._dirty:
                with suppress(OSError):  # a start finds what is missing here in the journal
                    os.fdatasync(file)
            self._drop(name)

    def close(self) -> None:
        """Sync what was written and let go. May be called twice."""
        self._closed.set()
        self._written.set()
        if self._thread.is_alive():
            self._thread.join()
        self._sync()
        with self._guard:
            for name in list(self._files):
                self._drop(name)

    def _write(self, name: str, log: Log, added: bytes) -> None:
        file = self._files.get(name)
        if file is None or not os.fstat(file).st_nlink:
            file = self._open(name, log, added)
        self._dirty.add(file)
        if os.write(file, added) < len(added):
            raise OSError("a line did not fit")

    def _open(self, name: str, log: Log, added: bytes) -> int:
        """The file of a log, as it was before this was added to it."""
        self._drop(name)
        make_folder(self.folder)
        path = self.folder / name
        file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
        self._files[name] = file
        before = log.content[: -len(added)]
        if os.fstat(file).st_size != len(before):
            os.ftruncate(file, 0)
            os.write(file, before)
        return file

    def _drop(self, name: str) -> None:
        file = self._files.pop(name, None)
        if file is not None:
            self._dirty.discard(file)
            os.close(file)

    # -- the thread ----------------------------------------------------------------------------

    def _keep_synced(self) -> None:
        while not self._closed.is_set():
            self._written.wait()
            waited = 0.0
            while self._written.is_set() and waited < LONGEST_S:
                self._written.clear()
                if self._closed.wait(QUIET_S):
                    return
                waited += QUIET_S
            self._sync()

    def _sync(self) -> None:
        with self._guard:
            files = [os.dup(file) for file in self._dirty]
            self._dirty.clear()
        for file in files:
            with suppress(OSError):  # the next write will say so
                os.fdatasync(file)
            os.close(file)
