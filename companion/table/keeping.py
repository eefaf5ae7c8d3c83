"""What goes on disk: the lines of the journal, the record of a race that is over."""

from __future__ import annotations

from itertools import groupby

from companion.table.entries import Lost
from companion.table.outside import Services, no_record
from companion.table.state import TableState, Written


class DiskWriter:
    """Puts on disk what the table has to keep; `write_record` is that of `Services`."""

    def __init__(self, state: TableState, services: Services) -> None:
        self._state = state
        self._services = services
        self.write_record = services.write_record

    def save(self) -> bool:
        """Put everything on disk, then the record of a race that is over; whether there is news.

        Raises:
            StorageError: not all of it is on disk.
        """
        self.append(self._state.take_unsaved())
        has_news = self.keep_news()
        finished = self._state.finish()
        if finished is not None:
            try:
                self.write_record(*finished)
            except OSError as error:
                raise no_record(error) from error
            self.append(self._state.take_unsaved())
        return has_news

    def keep_news(self) -> bool:
        """Let the table's log have what has been lost, so that it is shown until it is seen.

        Raises:
            StorageError: not all of it is on disk.
        """
        news = self._services.disk.take()
        for trouble in news:
            self._state.put(Lost(trouble))
        if news:
            self.append(self._state.take_unsaved())
        return bool(news)

    def append(self, lines: Written) -> None:
        """Put these lines on disk, of each log with one sync.

        Raises:
            StorageError: not all of them are on disk.
        """
        for log, group in groupby(lines, key=lambda entry: entry[0]):
            self._services.journal.append(log, *(line for _, line in group))
