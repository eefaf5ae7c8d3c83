"""Where the truth of a league lies: files, by names with slashes.

They are in the folder of the data (`FolderStorage`), or where a club has several hosts, in its
database (`store.storage`): whoever reads and writes acts, records and names does not notice.
Whoever changes something holds the lock; reading is safe from any thread.

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
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from logging import getLogger
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple, Protocol

from companion.league.errors import BrokenFile, LeagueError
from companion.system.host import Closing, make_folder, sync_folder, write_whole

# -- storage --------------------------------------------------------------------------------------


RECORDS = "records"
"""The race records, a file a race."""
ACTS = "league/acts.jsonl"
"""The journal of the acts."""
PEOPLE = "league/people"
"""The names that records and acts have keys of; they can be erased."""
ASIDE = "league/aside"
"""Records that were refused, as they came."""
LIVE = "league/live"
"""How tables stand."""
SENT = "league/sent.jsonl"
"""What a club has taken or refused of a table's own records."""
PIN = "league/pin"
"""The PIN of a club's keeper."""
LOCK = "league/lock"
LOOKED_S = 1.0
"""So often a folder that somebody watches is looked at."""


class Busy(Exception):
    """Somebody else is changing the league now."""


class Status(NamedTuple):
    """A file as it is known without opening it; `changed` is another with every change."""

    size: int
    changed: int


class Storage(Protocol):
    """Files by name. What cannot be done is a `LeagueError`."""

    def place(self, name: str) -> str:
        """Where a file is, for people."""

    def read(self, name: str, first: int = 0, last: int | None = None) -> bytes | None:
        """What is in a file from byte `first` on, up to `last`; None: there is none."""

    def listing(self, folder: str) -> Mapping[str, Status]:
        """The files of a folder, by the last part of their names, in order."""

    def status(self, name: str) -> Status | None:
        """A file as it is known without opening it; None: there is none."""

    def looks(self, *names: str) -> tuple[str, ...]:
        """What changes whenever a file does, or one comes into a folder or goes; empty: none."""

    def write(self, name: str, content: bytes, *, lasting: bool = True) -> None:
        """Write a file whole; on disk when this returns, unless it need not be `lasting`."""

    def write_once(self, name: str, content: bytes) -> None:
        """Write a file unless there is one."""

    def append(self, name: str, content: bytes, at: int | None = None) -> None:
        """Add to a file; on disk when this returns.

        Args:
            at: where it ends as far as was acknowledged; what stands behind it goes.
        """

    def change(self, name: str, change: Callable[[bytes], bytes]) -> None:
        """Make of what is in a file, nothing if there is none, what is in it from now on.

        Nobody else changes it meanwhile; the lock of the league has no part in it. It need not
        last.
        """

    def remove(self, name: str) -> None:
        """Let go of a file, if there is one."""

    def held(self, *, wait: bool = True) -> AbstractContextManager[None]:
        """Only one at a time changes a league.

        Raises:
            Busy: another one does, and this one does not `wait`.
        """

    def watch(self, folder: str, tell: Callable[[], object]) -> Callable[[], None]:
        """Have it told when something changes in a folder, in a thread of its own; what ends it."""

    def seconds(self) -> float:
        """A clock that all who write here share."""


class FolderStorage:
    """The `Storage` in a folder of data."""

    def __init__(self, data: Path) -> None:
        self._data = data

    def place(self, name: str) -> str:
        """The path of a file."""
        return str(self._data / name)

    def read(self, name: str, first: int = 0, last: int | None = None) -> bytes | None:
        """What is in a file; None: there is none."""
        try:
            with (self._data / name).open("rb") as file:
                file.seek(first)
                return file.read() if last is None else file.read(last - first)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise BrokenFile(f"{self.place(name)} cannot be read: {error.strerror}") from error

    def listing(self, folder: str) -> Mapping[str, Status]:
        """The files of a folder; those that are being written are left out."""
        found = {}
        for path in sorted((self._data / folder).glob("*")):
            status = self.status(f"{folder}/{path.name}")
            if status is not None and path.suffix != ".new":
                found[path.name] = status
        return found

    def status(self, name: str) -> Status | None:
        """The size of a file, and when it was changed."""
        try:
            status = (self._data / name).stat()
        except OSError:
            return None
        is_file = stat.S_ISREG(status.st_mode)
        return Status(status.st_size, status.st_mtime_ns) if is_file else None

    def looks(self, *names: str) -> tuple[str, ...]:
        """What changes whenever a file does."""
        return tuple(_looks(self._data / name) for name in names)

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

    def append(self, name: str, content: bytes, at: int | None = None) -> None:
        """Add to a file, behind what was acknowledged."""
        path = self._data / name
        with self._in_words(name):
            make_folder(path.parent)
            is_new = not path.exists()
            with open(path, "xb" if is_new else "r+b", opener=_private) as file:
                end = file.seek(0, os.SEEK_END) if at is None else at
                file.truncate(end)
                file.seek(end)
                try:
                    file.write(content)
                    file.flush()
                    os.fsync(file.fileno())
                except OSError:
                    file.truncate(end)  # else it would be there though nobody heard of it
                    raise
            if is_new:
                sync_folder(path.parent)

    def change(self, name: str, change: Callable[[bytes], bytes]) -> None:
        """Change a file, by a lock on it."""
        path = self._data / name
        with self._in_words(name):
            make_folder(path.parent)
            with os.fdopen(_private(str(path), os.O_CREAT | os.O_RDWR), "r+b") as file:
                _lock(file.fileno(), wait=True)
                new = change(file.read())
                file.seek(0)
                file.write(new)
                file.truncate()

    def remove(self, name: str) -> None:
        """Let go of a file."""
        with self._in_words(name):
            (self._data / name).unlink(missing_ok=True)

    @contextmanager
    def held(self, *, wait: bool = True) -> Iterator[None]:
        """One process at a time, by a lock on a file of its own."""
        path = self._data / LOCK
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        except OSError as error:
            raise BrokenFile(f"{path.parent}: {error.strerror}") from error
        try:
            _lock(lock, wait=wait)
            yield
        finally:
            os.close(lock)

    def watch(self, folder: str, tell: Callable[[], object]) -> Callable[[], None]:
        """A folder is looked at every second, by one thread however many want to know."""
        closing = Event()

        def look() -> None:
            seen = self.looks(folder)
            while not closing.wait(LOOKED_S):
                now = self.looks(folder)
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
            place = self.place(name)
            raise BrokenFile(f"{place} cannot be written: {error.strerror}") from error


def contents(storage: Storage, folder: str) -> Iterator[tuple[str, bytes]]:
    """The files of a folder, by name, and what is in each."""
    for file in storage.listing(folder):
        content = storage.read(f"{folder}/{file}")
        if content is not None:
            yield f"{folder}/{file}", content


def all_of(storage: Storage) -> Iterator[tuple[str, bytes]]:
    """All of the truth, by name: with these files a league can be made again anywhere."""
    yield ACTS, storage.read(ACTS) or b""
    for folder in (PEOPLE, RECORDS, ASIDE):
        yield from contents(storage, folder)


def _lock(file: int, *, wait: bool) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise Busy from error


def _looks(path: Path) -> str:
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
