"""The journal in one SQLite file: append only, one sync a commit, a copy is always whole.

The table acknowledges an answer when `append` returns, so a commit has to be durable and
cheap. Three habits give both:

- Write-ahead log with `synchronous=FULL`: a commit appends a frame or two to the `-wal`
  file and syncs that file once. Nothing else is synced on the way.
- The `-wal` file is filled with zeros to `WAL_BYTES` before SQLite opens it. A commit then
  overwrites blocks that the file already has, and the file system need not sync a new
  length with them. That halves the price of a commit and spares the SD card.
- Checkpoints happen when the journal is opened and when it is closed, never in between.
  A commit never waits for one, and the main file stays still while a table runs: copying
  the main file and then the `-wal` at any moment gives a journal that opens.

One thread writes. The first commit into a fresh `-wal` syncs twice (its header too), so
opening ends with a commit of its own.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.closing import Closing
from companion.files import sync_folder
from companion.table.ports import JSON, Line, LoggedRace, StorageError

FORMAT = 1
APPLICATION_ID = 0x52616365  # "Race", so that `file` and we know the file as ours
WAL_BYTES = 2 << 20  # about 900 answers: a long race of ten cars
PAGE_BYTES = 1024  # an answer is some 100 bytes: small pages, few bytes a commit

SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE log (key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE line (
    log INTEGER NOT NULL REFERENCES log, number INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (log, number)
) WITHOUT ROWID;
CREATE TRIGGER line_stays BEFORE UPDATE ON line
    BEGIN SELECT RAISE(ABORT, 'the journal is append only'); END;
CREATE TRIGGER line_is_kept BEFORE DELETE ON line
    BEGIN SELECT RAISE(ABORT, 'the journal is append only'); END;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {FORMAT};
COMMIT;
"""
_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
INSERT = "INSERT INTO line VALUES (?, ?, ?)"


class SqliteJournal(Closing):
    """The `JournalPort` on the standard library's sqlite3.

    Args:
        path: the main file; made, with mode 0600, if it is not there.

    Raises:
        StorageError: the file is damaged, foreign, of a newer format, or cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._keys: dict[str, int] = {}
        self._last: dict[int, int] = {}
        self._db: sqlite3.Connection | None = None
        with _in_words(path):
            if not path.exists() or not path.stat().st_size:
                _create(path)
            _make_private(path)
            _fill_wal(path)
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            try:
                self._open()
            except BaseException:
                self.close()
                raise

    def append(self, race: str, *lines: Line) -> int:
        """Write lines to the log of this race in one commit; return the number of the last.

        On return they are on disk, with one sync. Numbers count from 1 in each log.

        Raises:
            StorageError: nothing was written (disk full, file gone).
        """
        texts = [_text(line) for line in lines]
        with _in_words(self.path):
            if race in self._keys and len(texts) == 1:
                # A statement is a commit of its own, and other threads run until it is on disk.
                key = self._keys[race]
                self._opened().execute(INSERT, (key, self._last[key] + 1, texts[0]))
            else:
                key = self._append_all(race, texts)
        self._keys[race] = key
        self._last[key] += len(texts)
        return self._last[key]

    def _append_all(self, race: str, texts: list[str]) -> int:
        with self._commit() as db:
            key = self._key(db, race)
            numbered = enumerate(texts, self._last[key] + 1)
            db.executemany(INSERT, [(key, number, text) for number, text in numbered])
        return key

    def lines(self, race: str) -> list[JSON]:
        """All lines of a race, oldest first; none for a race that is not known."""
        query = "SELECT text FROM line WHERE log = ? ORDER BY number"
        with _in_words(self.path):
            rows = self._opened().execute(query, (self._keys.get(race, 0),))
            return [json.loads(text) for (text,) in rows]

    def races(self) -> list[LoggedRace]:
        """The logs that open with a record's header, newest first."""
        races: list[LoggedRace] = []
        for name, key in reversed(self._keys.items()):
            header = self._line(key, 1)
            if "record" in header:
                is_finished = "result" in self._line(key, self._last[key])
                races.append(LoggedRace(name, header.get("name", name), header, is_finished))
        return races

    def close(self) -> None:
        """Fold the log into the main file and let go of it. May be called twice."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def _open(self) -> None:
        db = self._opened()
        (application,) = db.execute("PRAGMA application_id").fetchone()
        (found,) = db.execute("PRAGMA user_version").fetchone()
        if application != APPLICATION_ID:
            raise StorageError(f"{self.path} is not a journal of the companion: put it aside")
        if found > FORMAT:
            raise StorageError(
                f"{self.path} was written by a newer companion (format {found}, this one knows "
                f"{FORMAT}): update the companion"
            )
        self._prepare(db)
        self._index(db)

    def _prepare(self, db: sqlite3.Connection) -> None:
        """Write-ahead log, a sound file, and a log that is ready for its first answer."""
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA wal_autocheckpoint = 0")
        faults = [fault for (fault,) in db.execute("PRAGMA quick_check")]
        if faults != ["ok"]:
            raise sqlite3.DatabaseError(str(faults[0]))
        # RESTART and not TRUNCATE: the file keeps its length, which is what we filled it for.
        db.execute("PRAGMA wal_checkpoint(RESTART)").fetchall()
        db.execute(f"PRAGMA user_version = {FORMAT}")  # the commit that writes the log's header

    def _index(self, db: sqlite3.Connection) -> None:
        """Remember the logs and their last numbers, so that `append` has nothing to look up."""
        self._keys = {
            name: key for key, name in db.execute("SELECT key, name FROM log ORDER BY key")
        }
        for key in self._keys.values():
            query = "SELECT max(number) FROM line WHERE log = ?"
            (self._last[key],) = db.execute(query, (key,)).fetchone()

    def _key(self, db: sqlite3.Connection, race: str) -> int:
        if race in self._keys:
            return self._keys[race]
        key = db.execute("INSERT INTO log (name) VALUES (?)", (race,)).lastrowid
        assert key is not None  # an INSERT always has a row id
        self._last[key] = 0
        return key

    def _line(self, key: int, number: int) -> JSON:
        query = "SELECT text FROM line WHERE log = ? AND number = ?"
        with _in_words(self.path):
            (text,) = self._opened().execute(query, (key, number)).fetchone()
        line: JSON = json.loads(text)
        return line

    @contextmanager
    def _commit(self) -> Iterator[sqlite3.Connection]:
        db = self._opened()
        db.execute("BEGIN IMMEDIATE")
        try:
            yield db
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise

    def _opened(self) -> sqlite3.Connection:
        if self._db is None:
            raise StorageError(f"{self.path} is closed")
        return self._db


def _create(path: Path) -> None:
    """Lay the tables out beside `path` and move them there whole, or not at all."""
    fresh = path.with_name(path.name + ".new")
    fresh.unlink(missing_ok=True)
    _make_private(fresh)
    db = sqlite3.connect(fresh, isolation_level=None)
    try:
        db.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        db.execute("PRAGMA journal_mode = WAL")
        db.executescript(SCHEMA)
    finally:
        db.close()
    fresh.replace(path)
    sync_folder(path.parent)


def _make_private(file: Path) -> None:
    """The journal holds tokens and the PIN: nobody but its owner reads it.

    SQLite gives the side files that it makes the mode of the main one.
    """
    os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
    file.chmod(0o600)


def _fill_wal(path: Path) -> None:
    """Lengthen the `-wal` with zeros; SQLite takes a frame of zeros for the end of the log."""
    _make_private(_wal(path))
    with _wal(path).open("ab") as wal:
        missing = WAL_BYTES - wal.tell()
        if missing > 0:
            wal.write(bytes(missing))
            wal.flush()
            os.fsync(wal.fileno())


def _wal(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


@contextmanager
def _in_words(path: Path) -> Iterator[None]:
    """Translate what SQLite and the system raise into a sentence for a person."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise StorageError(f"{path} cannot be used: {error}") from error
    except (sqlite3.DatabaseError, json.JSONDecodeError) as error:
        raise StorageError(
            f"{path} is damaged ({error}): put it aside or restore a copy of it"
        ) from error
    except OSError as error:
        raise StorageError(f"{path} cannot be used: {error.strerror or error}") from error
