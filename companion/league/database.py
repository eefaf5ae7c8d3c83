"""The database of a league: one small port, SQLite in the folder or PostgreSQL for several hosts.

Three tables, the same in both. `acts` has what people did and `records` the races as tables wrote
them, by the digest of their bytes and with what they come to (`finished.came_of`); `about` has the
secret, who was forgotten, and the rows that a club's hosts share. Whoever writes is alone
(`BEGIN IMMEDIATE`, or a lock on `acts`), all of it is one transaction, and readers wait for nobody.

PostgreSQL is named by a URL (`postgresql://user@host/league`) and spoken to with psycopg 3, in the
extra `club`.
"""

from __future__ import annotations

import sqlite3
import time
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any, Final

from companion.league.errors import BrokenFile, LeagueError, NoStore
from companion.league.storage import Busy
from companion.system.host import Closing, how_to_install, make_folder

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
    """The `Storage` of a club with several hosts: a row of `about` for each file."""

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
