"""One log in its file: every commit is one write and one sync, behind what is there.

A file is lengthened by `ROOM` zeros with the commit that fills it. The commits after it overwrite
blocks that the file already has, and the file system need not sync a new length with them.

All lines of an open log are in memory. Where the file is not what was left there (taken away,
cut, a sync that failed, after which nobody knows what is on the disk) the next commit writes it
anew, whole.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.closing import Closing
from companion.files import write_whole
from companion.journal.chain import Entry, chained, head, seed

ROOM = 64 << 10  # some 300 answers
FULL = (errno.ENOSPC, errno.EDQUOT)


class Log(Closing):
    """A log that can be added to.

    Args:
        path: its file, which has exactly `entries`, or is not there and there are none.
        taken_away: is told once that the file was not in its place any more.
    """

    def __init__(
        self, path: Path, name: str, entries: Sequence[Entry], taken_away: Callable[[Path], None]
    ) -> None:
        self.path = path
        self.name = name
        self.entries = list(entries)
        self._taken_away = taken_away
        self._file = -1
        self._is_doubtful = False
        self._length = self._end = len(self.content) if entries else 0
        self._place: tuple[int, int] | None = None
        if entries:
            self._open()

    @property
    def content(self) -> bytes:
        """What the file has, but for the room behind it."""
        return head(self.name) + b"".join(entry.raw for entry in self.entries)

    def append(self, texts: Sequence[bytes], time: int) -> bytes:
        """Add lines in one commit; on return they are on disk. What was added to the file.

        Raises:
            OSError: nothing was added.
        """
        before = self.entries[-1].sum if self.entries else seed(self.name)
        added = chained(texts, len(self.entries) + 1, before, time)
        data = b"".join(entry.raw for entry in added)
        if not self.entries:
            data = head(self.name) + data
        if self._is_in_place():
            self._add(data)
        else:
            self._write_anew(data)
        self.entries += added
        return data

    def close(self) -> None:
        """Give the room back and let go of the file. May be called twice."""
        if self._file >= 0:
            try:
                if self._is_in_place():
                    os.ftruncate(self._file, self._end)
            except OSError:
                pass  # the zeros stay, and mean nothing
            finally:
                os.close(self._file)
                self._file = -1

    def _is_in_place(self) -> bool:
        """Whether the file that is open still stands under its name, and is as long as it was."""
        if self._file < 0 or self._is_doubtful:
            return False
        try:
            found = os.stat(self.path)
        except OSError:
            found = None
        if found and (found.st_dev, found.st_ino) == self._place and found.st_size == self._length:
            return True
        self._is_doubtful = True
        self._taken_away(self.path)
        return False

    def _add(self, data: bytes) -> None:
        end = self._end + len(data)
        try:
            if end > self._length:
                self._lengthen(data)
            else:
                _write_all(self._file, data, self._end)
            os.fdatasync(self._file)
        except OSError as error:
            self._undo(error)
            raise
        self._end = end

    def _lengthen(self, data: bytes) -> None:
        """Write behind the end, with room if the disk has it."""
        length = self._end + len(data)
        try:
            _write_all(self._file, data + bytes(ROOM), self._end)
            self._length = length + ROOM
        except OSError as error:
            if error.errno not in FULL:
                raise
            _write_all(self._file, data, self._end)
            self._length = max(length, os.fstat(self._file).st_size)

    def _undo(self, error: OSError) -> None:
        """A line that nobody was told of must not come to light at the next start."""
        self._is_doubtful = error.errno not in FULL
        try:
            os.ftruncate(self._file, self._end)
            self._length = self._end
        except OSError:
            self._is_doubtful = True

    def _write_anew(self, data: bytes) -> None:
        content = (self.content if self.entries else b"") + data
        try:
            write_whole(self.path, content + bytes(ROOM))
        except OSError as error:
            if error.errno not in FULL:
                raise
            write_whole(self.path, content)
        self._end = len(content)
        self._open()

    def _open(self) -> None:
        if self._file >= 0:
            os.close(self._file)
        self._file = os.open(self.path, os.O_RDWR)
        found = os.fstat(self._file)
        self._place = (found.st_dev, found.st_ino)
        self._length = found.st_size
        self._is_doubtful = False


def _write_all(file: int, data: bytes, place: int) -> None:
    while data:
        done = os.pwrite(file, data, place)
        data, place = data[done:], place + done
