"""What a club keeps beside its acts and records: files by names with slashes.

They are in the folder of the data (`FolderStorage`), or where a club has several hosts, in its
database (`database.RowStorage`): the keeper's PIN, how tables stand, wrong PINs. Each call is safe
from any thread.

How many wrong PINs may still be compared: one count for all processes and hosts of a club.

It lies in a file of the club's storage, as how many were left and when. A process that has compared
a wrong PIN takes one away there, and compares no other before it knows what is left: so all of them
together compare as many as one would, and one more each at the most. That holds while the storage
is away, too: what cannot be counted keeps the next one from being compared.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from logging import getLogger
from pathlib import Path
from threading import Event, Thread
from typing import Protocol

from companion.league.errors import BrokenFile, LeagueError
from companion.system.host import Closing, make_folder, write_whole

# -- storage --------------------------------------------------------------------------------------


RECORDS = "records"
"""The race records that a table writes, a file a race."""
ASIDE = "league/aside"
"""Records that were refused, as they came."""
LIVE = "league/live"
"""How tables stand."""
PIN = "league/pin"
"""The PIN of a club's keeper."""
LOOKED_S = 1.0
"""So often a folder that somebody watches is looked at."""


class Busy(Exception):
    """Somebody else is changing the league now."""


class Storage(Protocol):
    """Files by name. What cannot be done is a `LeagueError`."""

    def read(self, name: str) -> bytes | None:
        """What is in a file; None: there is none."""

    def contents(self, folder: str) -> list[tuple[str, bytes]]:
        """The files of a folder, by name, and what is in each."""

    def write(self, name: str, content: bytes, *, lasting: bool = True) -> None:
        """Write a file whole; on disk when this returns, unless it need not be `lasting`."""

    def write_once(self, name: str, content: bytes) -> None:
        """Write a file unless there is one."""

    def change(self, name: str, change: Callable[[bytes], bytes]) -> None:
        """Make of what is in a file, nothing if there is none, what is in it from now on.

        Nobody else changes it meanwhile. It need not last.
        """

    def remove(self, name: str) -> None:
        """Let go of a file, if there is one."""

    def watch(self, folder: str, tell: Callable[[], object]) -> Callable[[], None]:
        """Have it told when something changes in a folder, in a thread of its own; what ends it."""

    def seconds(self) -> float:
        """A clock that all who write here share."""


class FolderStorage:
    """The `Storage` in a folder of data."""

    def __init__(self, data: Path) -> None:
        self._data = data

    def read(self, name: str) -> bytes | None:
        """What is in a file; None: there is none."""
        try:
            return (self._data / name).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            place = self._data / name
            raise BrokenFile(f"{place} cannot be read: {error.strerror}") from error

    def contents(self, folder: str) -> list[tuple[str, bytes]]:
        """The files of a folder; those that are being written are left out."""
        names = sorted(
            f"{folder}/{path.name}"
            for path in (self._data / folder).glob("*")
            if path.is_file() and path.suffix != ".new"
        )
        found = ((name, self.read(name)) for name in names)
        return [(name, content) for name, content in found if content is not None]

    def write(self, name: str, content: bytes, *, lasting: bool = True) -> None:
        """Write a file whole."""
        path = self._data / name
        with self._in_words(name):
            if lasting:
                write_whole(path, content)
                return
            make_folder(path.parent)
            fresh = path.with_name(path.name + ".new")
            fresh.write_bytes(content)
            fresh.replace(path)

    def write_once(self, name: str, content: bytes) -> None:
        """Write a file, unless another process has written it meanwhile: then that one holds."""
        path = self._data / name
        fresh = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
        with self._in_words(name):
            write_whole(fresh, content)
            try:
                path.hardlink_to(fresh)
            except FileExistsError:
                pass
            finally:
                fresh.unlink(missing_ok=True)

    def change(self, name: str, change: Callable[[bytes], bytes]) -> None:
        """Change a file, by a lock on it."""
        path = self._data / name
        with self._in_words(name):
            make_folder(path.parent)
            with os.fdopen(_private(str(path), os.O_CREAT | os.O_RDWR), "r+b") as file:
                fcntl.flock(file.fileno(), fcntl.LOCK_EX)
                new = change(file.read())
                file.seek(0)
                file.write(new)
                file.truncate()

    def remove(self, name: str) -> None:
        """Let go of a file."""
        with self._in_words(name):
            (self._data / name).unlink(missing_ok=True)

    def watch(self, folder: str, tell: Callable[[], object]) -> Callable[[], None]:
        """A folder is looked at every second, by one thread however many want to know."""
        closing = Event()

        def look() -> None:
            seen = _looks(self._data / folder)
            while not closing.wait(LOOKED_S):
                now = _looks(self._data / folder)
                if now != seen:
                    seen = now
                    tell()

        Thread(target=look, name=f"watch {folder}", daemon=True).start()
        return closing.set

    def seconds(self) -> float:
        """The clock of this machine, which all its processes share."""
        return time.time()

    @contextmanager
    def _in_words(self, name: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            place = self._data / name
            raise BrokenFile(f"{place} cannot be written: {error.strerror}") from error


def _looks(path: Path) -> str:
    """What changes whenever a file does, or one comes into a folder or goes; empty: none."""
    try:
        status = path.stat()
    except OSError:
        return ""
    return f"{status.st_ino} {status.st_size} {status.st_mtime_ns}"


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)


# -- guesses --------------------------------------------------------------------------------------


GUESSES = "league/wrong-pins"
"""How many are left, and in which second they were."""
AGAIN_S = 1.0
_log = getLogger(__name__)


class Guesses(Closing):
    """Counts, in a thread of its own.

    Args:
        depth: how many are compared at once. `rate`: how many more in each second.
        told: is told how many are left, once one was counted.
    """

    def __init__(
        self, storage: Storage, *, depth: float, rate: float, told: Callable[[float], object]
    ) -> None:
        self._storage, self._told = storage, told
        self._depth, self._rate = depth, rate
        self._wanted, self._closing = Event(), Event()
        self._thread = Thread(target=self._serve, name="wrong PINs", daemon=True)
        self._thread.start()

    def count(self) -> bool:
        """Have one more counted; never waits. True, as there are others to share it with."""
        self._wanted.set()
        return True

    def close(self) -> None:
        """Count no more. May be called twice."""
        self._closing.set()
        self._wanted.set()
        self._thread.join(timeout=1)  # the storage may be away

    def _serve(self) -> None:
        failed = False
        while self._wanted.wait() and not self._closing.is_set():
            try:
                left = self._take()
            except LeagueError as error:
                if not failed:
                    _log.warning("no PIN is compared until a wrong one can be counted: %s", error)
                failed = True
                self._closing.wait(AGAIN_S)
                continue
            failed = False
            self._wanted.clear()
            self._told(left)

    def _take(self) -> float:
        left = self._depth

        def take(content: bytes) -> bytes:
            nonlocal left
            now = self._storage.seconds()  # while nobody else writes: what refills counts once
            before, since = _read(content) or (self._depth, now)
            since = min(since, now)  # a clock that was put back
            left = min(before + (now - since) * self._rate, self._depth) - 1
            return f"{left} {now}\n".encode()

        self._storage.change(GUESSES, take)
        return left


def _read(content: bytes) -> tuple[float, float] | None:
    """How many were left, and when; None: nobody has counted, or the plug was pulled then."""
    try:
        left, since = map(float, content.split())
    except ValueError:
        return None
    return left, since
