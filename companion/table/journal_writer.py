"""Putting on disk what the table has to keep: its lines with one sync a log, then the record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from typing import TypeVar

from companion.table.ports import JSON, JournalPort, StorageError
from companion.table.state import TableState, Written

WriteRecord = Callable[[str, Sequence[JSON]], None]
Done = TypeVar("Done")


class JournalWriter:
    """Writes for one table; `write_record` keeps a finished race under its id, raises OSError."""

    def __init__(self, state: TableState, journal: JournalPort, write_record: WriteRecord) -> None:
        self._state = state
        self._journal = journal
        self._write_record = write_record
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal")

    def save(self) -> None:
        """Put everything on disk; then the record of a race that is over.

        Raises:
            StorageError: not all of it is on disk.
        """
        self._append(self._state.take_unsaved())
        finished = self._state.finish()
        if finished is None:
            return
        try:
            self._write_record(*finished)
        except OSError as error:
            raise StorageError(f"the record cannot be written: {error}") from error
        self._append(self._state.take_unsaved())

    def save_during(self, work: Callable[[], Done]) -> Done:
        """Put everything on disk and do some work that does not know the disk: what it gives.

        In the ordinary case, answers in a race, a second thread waits for the sync meanwhile.

        Raises:
            StorageError: not all of it is on disk.
        """
        race = self._state.race
        ordinary = race is not None and not race.is_finished and self._state.holds_answers_only
        if not ordinary:
            self.save()
            return work()
        lines = self._state.take_unsaved()
        if not lines:
            return work()
        written = self._writer.submit(self._append, lines)
        try:
            return work()
        finally:
            written.result()

    def close(self) -> None:
        """Wait for what is being written. May be called twice."""
        self._writer.shutdown()

    def _append(self, lines: Written) -> None:
        for log, group in groupby(lines, key=lambda entry: entry[0]):
            self._journal.append(log, *(line for _, line in group))
