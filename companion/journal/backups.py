"""Backups: a folder of data packed into one file, and unpacked again; and a stick that follows it.

A backup has every file of the folder and, as its last member, the sum of each: what was damaged
on its way is not restored. It may be made while a table runs: logs are only ever added to, and
databases are copied by SQLite. Restoring moves what is there now into a folder beside it; no
backup and no data is ever deleted.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import sqlite3
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path, PurePosixPath
from threading import Event

from companion.journal import journal
from companion.journal.journal import SUMS
from companion.journal.log import in_words
from companion.system.host import Closing, Lasting, make_folder, private, sync_folder, write_whole
from companion.table.ports import StorageError

ENDING = ".tar.gz"
Settle = Callable[[Path, Path], object]
"""Given the folder of data as it is and, unpacked in one of its own, what the backup has."""
# Files half written, and what SQLite keeps beside a database, which `serialize` reads with it.
ENDS_LEFT_OUT = (".new", "-wal", "-shm", "-journal")
WORKED_OUT = (journal.RESUME, "stood")
"""What of the races and of the league spares reading them, and is made of them again."""
NAMES_LEFT_OUT = ("lock", journal.BACKUPS, SUMS, journal.RESTORED, *WORKED_OUT)


def make_backup(
    data: Path, target: Path, date: str, elsewhere: Iterable[tuple[str, bytes]] = ()
) -> Path:
    """Pack a folder of data into a new file in `target`, and read that again.

    Args:
        date: for its name, like 20261122-210405.
        elsewhere: files that belong to it and lie elsewhere, by their names in the folder; one
            of that name in it is left out.

    Raises:
        StorageError: there is no data, or the backup could not be written or read again.
    """
    if not data.is_dir():
        raise StorageError(f"{data} is not there: nothing to keep")
    with in_words(target):
        content = _packed(data, elsewhere)
        make_folder(target)
        path, count = target / f"companion-{date}{ENDING}", 1
        while path.exists():
            count += 1
            path = target / f"companion-{date}-{count}{ENDING}"
        write_whole(path, content)
        _check(path)
    return path


def newest_backup(folder: Path) -> Path:
    """The newest backup in a folder, by its name.

    Raises:
        StorageError: there is none.
    """
    found = sorted(folder.glob(f"companion-*{ENDING}"))
    if not found:
        raise StorageError(f"{folder} has no backup")
    return found[-1]


def restore(
    backup: Path, data: Path, date: str, settle: Settle = lambda now, then: None
) -> Path | None:
    """Put the data of a backup in the place of what is there; where that lies now, if any was.

    Args:
        settle: what must hold of the backup's data before it is in its place.

    Raises:
        StorageError: the backup is damaged or not one of ours, and nothing has changed; or the
            disk fails.
    """
    with in_words(data):
        _check(backup)
        # Within the folder, and so on the same disk: moving into place is then a mere rename.
        fresh = Path(tempfile.mkdtemp(prefix=".restoring-", dir=data))
        try:
            _unpack(backup, fresh)
            settle(data, fresh)
        except BaseException:
            shutil.rmtree(fresh)
            raise
        before = data / f"{journal.BEFORE}-{date}"
        count = 1
        while before.exists():
            count += 1
            before = data / f"{journal.BEFORE}-{date}-{count}"
        write_whole(fresh / journal.TO, before.name.encode())
        os.sync()
        fresh.replace(data / journal.RESTORED)
        sync_folder(data)
        journal.finish_restoring(data)
    return before if before.exists() else None


def _packed(data: Path, elsewhere: Iterable[tuple[str, bytes]]) -> bytes:
    out = io.BytesIO()
    sums: dict[str, str] = {}
    with tarfile.open(fileobj=out, mode="w:gz", compresslevel=6) as tar:
        for name, content in elsewhere:
            sums[name] = hashlib.sha256(content).hexdigest()
            _add(tar, name, content, 0)
        for path in _files(data):
            name = str(path.relative_to(data))
            if name not in sums:
                content = _content(path)
                sums[name] = hashlib.sha256(content).hexdigest()
                _add(tar, name, content, path.stat().st_mtime)
        _add(tar, SUMS, json.dumps(sums).encode(), 0)
    return out.getvalue()


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        left_out = (
            path.name.startswith((journal.BEFORE, ".restoring-")) or path.name in NAMES_LEFT_OUT
        )
        if left_out or path.is_symlink():
            continue
        if path.is_dir():
            yield from _files(path)
        elif path.is_file() and not path.name.endswith(ENDS_LEFT_OUT):
            yield path


def _content(path: Path) -> bytes:
    """What a file has; of a log that is being written the lines that have their end."""
    if path.suffix == ".db":
        return _of_database(path)
    content = path.read_bytes()
    return content[: content.rfind(b"\n") + 1] if path.suffix == ".log" else content


def _of_database(path: Path) -> bytes:
    try:
        with closing(sqlite3.connect(path)) as db:
            return db.serialize()
    except sqlite3.Error:
        return path.read_bytes()  # a damaged one is kept as it is


def _add(tar: tarfile.TarFile, name: str, content: bytes, time: float) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode, member.mtime = len(content), 0o600, int(time)
    tar.addfile(member, io.BytesIO(content))


def _check(backup: Path) -> None:
    """Refuse a backup of which a file is missing, is not what it was, or lies outside."""
    try:
        with tarfile.open(backup) as tar:
            found = {one.name: one for one in tar if one.isfile()}
            sums = json.loads(_member(tar, found[SUMS]))
            wrong = [
                name
                for name, total in sums.items()
                if name not in found
                or _lies_outside(name)
                or hashlib.sha256(_member(tar, found[name])).hexdigest() != total
            ]
            if wrong or len(found) != len(sums) + 1:
                raise StorageError(f"the backup {backup} is damaged: {wrong or 'strange files'}")
    except (tarfile.TarError, EOFError, ValueError, KeyError, AttributeError) as error:
        raise StorageError(f"{backup} is no backup that can be read: {error}") from error


def _lies_outside(name: str) -> bool:
    path = PurePosixPath(name)
    return path.is_absolute() or ".." in path.parts


def _unpack(backup: Path, folder: Path) -> None:
    """The files of a checked backup; the Python of Debian 12 (3.11.2) has no filters yet."""
    with tarfile.open(backup) as tar:
        for one in tar:
            # What no backup has is not believed where it comes from elsewhere.
            if one.isfile() and PurePosixPath(one.name).name not in WORKED_OUT:
                write_whole(folder / one.name, _member(tar, one))
                os.utime(folder / one.name, (one.mtime, one.mtime))


def _member(tar: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = tar.extractfile(member)
    assert file is not None, "it is a file"
    return file.read()


# -- the stick ------------------------------------------------------------------------------------

LOOK_S = 2.0
LAST_BYTES = 4096


class Stick(Closing):
    """A folder on a stick that keeps what the disk may lose: backups, and a copy of the journal.

    A backup is made when the stick is plugged in; then what the journal's second copy gets is added
    to the files here and synced, which at a table of people is every turn. Somebody has to make the
    folder by hand, so that nothing is written into an empty place where the stick would be. Where
    the stick fails or is pulled out it is said once, and the table goes on: it never waits for it.

    Args:
        folder: on the stick, as the configuration names it.
        data: the folder of data.
        complain: says on stderr what is wrong.
        date: for the name of a backup.
    """

    def __init__(
        self, folder: Path, data: Path, complain: Callable[[str], object], date: Callable[[], str]
    ) -> None:
        self._folder, self._data = folder, data
        self._complain, self._date = complain, date
        self._was_there = False
        self._said = ""
        self._closed = Event()
        self._thread = Lasting("stick", self._serve, self._closed.is_set)

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
                follow(self._data / journal.COPY, self._folder / journal.COPY)
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
        # What is of another log, as after a restore, is written over.
        mode = "ab" if begun else "wb"
        with path.open("rb") as log, open(other, mode, opener=private) as file:
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
