"""Where a league is kept: files by names, and a database for its acts and records.

Storage: what a club keeps beside its acts and records, files by names with slashes. They are in the
folder of the data (`FolderStorage`), or where a club has several hosts, in its database
(`RowStorage`): the keeper's PIN, how tables stand, wrong PINs. Each call is safe from any thread.

Guesses: how many wrong PINs may still be compared, one count for all processes and hosts of a club.
It lies in a file of the storage, as how many were left and when. A process that has compared a
wrong PIN takes one away there, and compares no other before it knows what is left: so all of them
together compare as many as one would, and one more each at the most. That holds while the storage
is away, too: what cannot be counted keeps the next one from being compared.

The database: one small port, SQLite in the folder or PostgreSQL for several hosts. Three tables,
the same in both. `acts` has what people did and `records` the races as tables wrote them, by the
digest of their bytes and with what they come to (`finished.came_of`); `about` has the secret, who
was forgotten, and the rows that a club's hosts share. Whoever writes is alone (`BEGIN IMMEDIATE`,
or a lock on `acts`), all of it is one transaction, and readers wait for nobody. PostgreSQL is named
by a URL (`postgresql://user@host/league`) and spoken to with psycopg 3, in the extra `club`.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import sqlite3
import time
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from logging import getLogger
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any, Final

from companion.league.errors import BrokenFile, LeagueError, NoStore
from companion.system.host import Closing, how_to_install, make_folder, private, write_whole

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


class FolderStorage:
    """Files by name, in a folder of data. What cannot be done is a `LeagueError`."""

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
            with open(fresh, "wb", opener=private) as file:
                file.write(content)
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


# -- database -------------------------------------------------------------------------------------

FORM: Final = "1"
"""Of the tables; goes up when a program of today could no longer read them."""
WAIT_S: Final = 30
"""So long a writer waits for another one."""
LOOK_S: Final = 0.5
"""So often rows that somebody watches are looked at."""
STUCK_S = 3
"""So long a row that is changed by several waits for one of them, and the server for that one: the
host may be gone, and without this its connection would hold the row for hours."""
TABLES: Final = (
    "CREATE TABLE IF NOT EXISTS acts (n BIGINT PRIMARY KEY, key TEXT UNIQUE, at TEXT NOT NULL, "
    "who TEXT NOT NULL, body TEXT NOT NULL, undone BIGINT, sum TEXT NOT NULL, asked TEXT, "
    "answer TEXT)",
    "CREATE TABLE IF NOT EXISTS records (digest TEXT PRIMARY KEY, race TEXT NOT NULL, sender TEXT, "
    "program TEXT, came TEXT, content {blob} NOT NULL)",
    "CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value {blob} NOT NULL, "
    "changed DOUBLE PRECISION NOT NULL)",
)
PUT: Final = "INSERT INTO about (name, value, changed) VALUES (?, ?, ?) ON CONFLICT (name) DO "
Row = tuple[Any, ...]


class Lost(NoStore):
    """The connection went while something was written: nobody knows whether it is there."""


class Ask:
    """A transaction, in which is asked and written; `?` stands for a value."""

    def __init__(self, execute: Callable[[str, Sequence[object]], Any]) -> None:
        self._execute = execute

    def __call__(self, sql: str, *values: object) -> list[Row]:
        """The rows of a question; none of anything else."""
        cursor = self._execute(sql, values)
        return [tuple(row) for row in cursor.fetchall()] if cursor.description else []

    def one(self, sql: str, *values: object) -> Any:
        """The first value of the first row; None: there is no row."""
        return next((row[0] for row in self(sql, *values)), None)

    def about(self, name: str) -> str | None:
        """What is known under a name."""
        value = self.one("SELECT value FROM about WHERE name = ?", name)
        return None if value is None else bytes(value).decode()

    def put(self, name: str, value: str) -> None:
        """Keep something under a name."""
        how = "UPDATE SET value = excluded.value, changed = excluded.changed"
        self(PUT + how, name, value.encode(), time.time())


class Database(Closing):
    """Where a league is kept. `is_shared`: by several hosts."""

    is_shared = False
    place = ""
    blob = "BLOB"

    def __init__(self) -> None:
        self._open: dict[str, Any] = {}
        self._locks = {use: Lock() for use in ("read", "write", "rows")}

    @abstractmethod
    def _connect(self) -> Any:
        """A connection on which nothing is begun by itself."""

    @abstractmethod
    def _begin(self, connection: Any, use: str, *, wait: bool) -> Ask:
        """Begin a transaction: to `read` of one moment, to `write` alone, or to change `rows`."""

    @property
    @abstractmethod
    def errors(self) -> tuple[type[Exception], ...]:
        """What the driver raises."""

    def make(self) -> None:
        """Make the tables where there are none.

        Raises:
            NoStore: it cannot be opened, is damaged, or of a newer program.
        """
        with self.writing() as ask:
            for table in TABLES:
                ask(table.format(blob=self.blob))
            form = ask.about("form")
            if form is None:
                ask.put("form", FORM)
            elif form != FORM:
                raise NoStore(
                    f"the league's database is of form {form}, newer than this program knows "
                    f"({FORM})"
                )

    @contextmanager
    def reading(self, *, wait: bool = True) -> Iterator[Ask]:
        """Ask; all answers are of one moment.

        Raises:
            Busy: another thread asks, and this one does not `wait`.
        """
        with self._used("read", wait=wait) as ask:
            yield ask

    @contextmanager
    def writing(self, *, wait: bool = True) -> Iterator[Ask]:
        """Write, alone among all processes and hosts; committed at the end.

        Raises:
            Busy: another one writes, and this one does not `wait`.
            Lost: nobody knows whether it was committed.
        """
        with self._used("write", wait=wait) as ask:
            yield ask

    @contextmanager
    def rows(self) -> Iterator[Ask]:
        """Change rows of `about` that hosts share, beside whoever writes."""
        with self._used("rows") as ask:
            yield ask

    @contextmanager
    def _used(self, use: str, *, wait: bool = True) -> Iterator[Ask]:
        if not self._locks[use].acquire(blocking=wait):
            raise Busy
        try:
            with self._in_words():
                connection = self._open.get(use) or self._connect()
                self._open[use] = connection
            try:
                with self._in_words():
                    ask = self._begin(connection, use, wait=wait)
                    yield ask
                with self._in_words(is_lost=use == "write"):
                    connection.commit()
            except BaseException:
                self._give_up(use, connection)
                raise
        finally:
            self._locks[use].release()

    def _give_up(self, use: str, connection: Any) -> None:
        try:
            connection.rollback()
        except self.errors:
            self._open.pop(use, None)
            with suppress(*self.errors):
                connection.close()

    @contextmanager
    def _in_words(self, *, is_lost: bool = False) -> Iterator[None]:
        try:
            yield
        except self.errors as error:
            kind = Lost if is_lost else NoStore
            raise kind(f"the league's database does not answer: {error}") from error

    def compact(self) -> None:
        """Leave nothing of what was thrown away in the files of the database."""

    def close(self) -> None:
        """Let go of it. May be called twice."""
        for use, connection in list(self._open.items()):
            with self._locks[use], suppress(*self.errors):
                connection.close()
        self._open.clear()


class Sqlite(Database):
    """A file."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.file, self.place = file, str(file)

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        return (sqlite3.Error,)

    def _connect(self) -> Any:
        make_folder(self.file.parent)
        connection = sqlite3.connect(self.file, check_same_thread=False, isolation_level=None)
        self.file.chmod(0o600)
        try:
            # What is acknowledged is on the disk, and what is deleted is in no page of the file.
            for pragma in ("journal_mode = WAL", "synchronous = FULL", "secure_delete = ON"):
                connection.execute(f"PRAGMA {pragma}")
        except sqlite3.DatabaseError as error:
            connection.close()
            if isinstance(error, sqlite3.OperationalError):
                raise
            raise BrokenFile(
                f"{self.place} is damaged, and nothing of it can be read: {error}; move it away, "
                "and companion restore brings the last backup back"
            ) from error
        return connection

    def _begin(self, connection: Any, use: str, *, wait: bool) -> Ask:
        connection.execute(f"PRAGMA busy_timeout = {WAIT_S * 1000 if wait else 0}")
        try:
            connection.execute("BEGIN" if use == "read" else "BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if wait or "locked" not in str(error):
                raise
            raise Busy from error
        return Ask(connection.execute)

    def compact(self) -> None:
        for use in ("read", "write"):
            with self._locks[use], self._in_words():
                if use in self._open:
                    self._open[use].execute("PRAGMA wal_checkpoint(TRUNCATE)")


class Postgres(Database):
    """A server that several hosts share."""

    is_shared = True
    blob = "BYTEA"

    def __init__(self, url: str) -> None:
        super().__init__()
        try:
            import psycopg
        except ModuleNotFoundError as error:
            need = how_to_install("club")
            raise NoStore(f"PostgreSQL needs the library {error.name}: {need}") from error
        self._driver, self._url, self.place = psycopg, url, "the database"

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        return (self._driver.Error,)

    def _connect(self) -> Any:
        # Who only listens hears within a minute that the server's machine is gone.
        alive: dict[str, Any] = {"keepalives_idle": 30, "keepalives_interval": 10}
        return self._driver.connect(self._url, client_encoding="utf8", keepalives_count=3, **alive)

    def _begin(self, connection: Any, use: str, *, wait: bool) -> Ask:
        ask = Ask(lambda sql, values: connection.execute(sql.replace("?", "%s"), values))
        if use == "read":
            ask("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        if use != "write":
            return ask
        if ask.one("SELECT to_regclass('acts')") is None:
            ask("SELECT pg_advisory_xact_lock(1279607111)")  # two hosts that make the tables
            return ask
        try:
            ask(f"SET LOCAL lock_timeout = '{WAIT_S}s'")
            ask("LOCK TABLE acts IN EXCLUSIVE MODE" + ("" if wait else " NOWAIT"))
        except self._driver.errors.LockNotAvailable as error:
            if wait:
                raise
            raise Busy from error
        return ask

    @contextmanager
    def _used(self, use: str, *, wait: bool = True) -> Iterator[Ask]:
        held = self._open.get(use)
        if held is not None and not self._locks[use].locked():
            self._see_whether_it_is_there(use, held)
        with super()._used(use, wait=wait) as ask:
            yield ask

    def _see_whether_it_is_there(self, use: str, connection: Any) -> None:
        """The server may have been restarted since."""
        with self._locks[use]:
            try:
                connection.execute("SELECT 1")
                connection.rollback()
            except self.errors:
                self._open.pop(use, None)
                connection.close()

    def compact(self) -> None:
        with self._in_words(), self._connect() as connection:
            connection.autocommit = True
            connection.execute("VACUUM")


def database_of(url: str) -> Database:
    """The database that a URL names.

    Raises:
        NoStore: it is of another kind, or no URL, or its driver is not installed.
    """
    kind, sign, rest = url.partition("://")
    if not sign:
        raise NoStore(f"{url!r} is no URL such as postgresql://user@host/league")
    if kind == "sqlite":
        return Sqlite(Path(rest.removeprefix("/")))
    if kind not in ("postgres", "postgresql", "postgresql+psycopg"):
        raise NoStore(f"a league is kept in sqlite or postgresql, not {kind!r}")
    return Postgres(f"postgresql://{rest}")


# -- rows that hosts share ------------------------------------------------------------------------


class RowStorage:
    """The same of a club with several hosts: a row of `about` for each file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def read(self, name: str) -> bytes | None:
        """What is in a file; None: there is none."""
        with self._database.rows() as ask:
            value = ask.one("SELECT value FROM about WHERE name = ?", name)
        return None if value is None else bytes(value)

    def contents(self, folder: str) -> list[tuple[str, bytes]]:
        """The files of a folder, by name."""
        sql = "SELECT name, value FROM about WHERE starts_with(name, ?) ORDER BY name"
        with self._database.rows() as ask:
            return [(name, bytes(value)) for name, value in ask(sql, f"{folder}/")]

    def write(self, name: str, content: bytes, *, lasting: bool = True) -> None:
        """Write a file whole."""
        how = "UPDATE SET value = excluded.value, changed = excluded.changed"
        self._put(name, content, how, lasting=lasting)

    def write_once(self, name: str, content: bytes) -> None:
        """Write a file, unless another process has written it meanwhile: then that one holds."""
        self._put(name, content, "NOTHING")

    def _put(self, name: str, content: bytes, how: str, *, lasting: bool = True) -> None:
        with self._database.rows() as ask:
            if not lasting:
                ask("SET LOCAL synchronous_commit = off")
            ask(PUT + how, name, content, time.time())

    def change(self, name: str, change: Callable[[bytes], bytes]) -> None:
        """Change a file, by the lock on its row; refused where somebody keeps that."""
        with self._database.rows() as ask:
            ask("SET LOCAL synchronous_commit = off")
            for limit in ("lock_timeout", "idle_in_transaction_session_timeout"):
                ask(f"SET LOCAL {limit} = '{STUCK_S}s'")
            ask(PUT + "UPDATE SET changed = excluded.changed", name, b"", time.time())
            value = change(bytes(ask.one("SELECT value FROM about WHERE name = ?", name)))
            ask("UPDATE about SET value = ? WHERE name = ?", value, name)

    def remove(self, name: str) -> None:
        """Let go of a file."""
        with self._database.rows() as ask:
            ask("DELETE FROM about WHERE name = ?", name)

    def watch(self, folder: str, tell: Callable[[], object]) -> Callable[[], None]:
        """Have it told, in a thread of its own, when something changes in a folder."""
        sql = "SELECT count(*), max(changed) FROM about WHERE starts_with(name, ?)"
        closing = Event()

        def look() -> None:
            seen: object = None
            while not closing.is_set():
                with suppress(LeagueError):  # the server is away: looked at again
                    with self._database.reading() as ask:
                        now = ask(sql, f"{folder}/")
                    if seen not in (None, now):
                        tell()
                    seen = now
                closing.wait(LOOK_S)

        Thread(target=look, name=f"watch {folder}", daemon=True).start()
        return closing.set

    def seconds(self) -> float:
        """The server's clock: those of the hosts may differ. It is asked while a row is changed."""
        with self._database.reading() as ask:
            return float(ask.one("SELECT extract(epoch FROM clock_timestamp())") or 0.0)


Storage = FolderStorage | RowStorage
"""What a club keeps beside its acts and records."""
