"""The `Storage` of a club whose truth lies in PostgreSQL, so that several hosts serve it.

Each call is a transaction of its own, on disk when it returns, as a file is: what holds where the
plug is pulled between two files holds here too. The lock is an advisory one of the server, and
goes with the connection of whoever had it; who waits for changes is told by NOTIFY.

A connection may die while its host is well and writes on. So each transaction of whoever has the
lock takes its share of a second one, the fence, and then sees that the first is still there; who
comes next waits until nobody has a share. What is asked for while one waits is refused, so a host
that lost the lock gives up what it is at, or has committed it before the other one looks.

Records that wait to be read in: all hosts take from one queue, each record once.

To play a record takes a hundred times as long as to read in what it came to, so hosts and processes
play side by side, and only the rest waits for the league's lock. Whoever is at a record holds its
row: if that process dies, the server gives the row back, and the next one takes it; what was
played or read in already is known by its bytes.

Hears of changes in a club's database, by the NOTIFY of whoever makes them.

Opening the database: which one, at which version, and what to say where it cannot be.

SQLite needs nothing; its file is the league's own. PostgreSQL is named by a URL
(`postgresql://user@host/league`) and spoken to with psycopg 3, in the extra `club`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from logging import getLogger
from pathlib import Path
from threading import Event, Lock, Thread, get_ident
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    MetaData,
    Row,
    String,
    Table,
    bindparam,
    create_engine,
    delete,
    event,
    func,
    insert,
    inspect,
    literal,
    make_url,
    select,
    text,
    union_all,
    update,
)
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.exc import ArgumentError, DatabaseError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session

from companion.league.errors import BrokenFile, LeagueError, NoStore
from companion.league.storage import Busy, Status
from companion.league.store.models import FILES, NUMBERS, PIECES, QUEUE, TRUTH, Base

# -- storage --------------------------------------------------------------------------------------


LEAGUE, FENCE = 0x4C454147, 0x4C454148
"""The first numbers of all our advisory locks; the second one tells the schema."""
GONE = "/"
"""Ends the name of a file that is none: its number is that of the latest one that went."""
_OWN = (FILES.c.name, FILES.c.folder)
NOT_LASTING = text("SET LOCAL synchronous_commit = off")
STUCK_S = 3
"""So long a file that is changed by several waits for one of them, and the server for that one: the
host may be gone, and without this its connection would hold the file for hours."""


class DatabaseStorage:
    """The `Storage` in the tables of `models.py`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._at_once = engine.execution_options(isolation_level="READ COMMITTED")
        self._alone = engine.execution_options(isolation_level="AUTOCOMMIT")
        # One of our threads at a time asks for the lock: others would each hold a connection.
        self._mutex = Lock()
        self._holder: tuple[int, Connection] | None = None
        with self._open() as connection:
            self._schema: int = connection.scalar(text("SELECT hashtext(current_schema())")) or 0
        self._channel = f"league_{self._schema & 0xFFFFFFFF}"
        self._news = Listener(engine, self._channel)

    def place(self, name: str) -> str:
        """Where a file is, for people."""
        return f"{name} in the database"

    def read(self, name: str, first: int = 0, last: int | None = None) -> bytes | None:
        """What is in a file; None: there is none."""
        own = PIECES.c.name == name
        begin = select(func.max(PIECES.c.start)).where(own, PIECES.c.start <= first)
        query = select(PIECES.c.start, PIECES.c.content).where(
            own, PIECES.c.start >= begin.scalar_subquery()
        )
        if last is not None:
            query = query.where(PIECES.c.start < last)
        with self._open() as connection:
            rows = connection.execute(query.order_by(PIECES.c.start)).all()
        if not rows:
            return None
        start = rows[0].start
        content = b"".join(row.content for row in rows)
        return content[first - start : None if last is None else last - start]

    def listing(self, folder: str) -> Mapping[str, Status]:
        """The files of a folder."""
        own = FILES.c.folder == folder, FILES.c.name != f"{folder}{GONE}"
        query = select(FILES).where(*own).order_by(FILES.c.name)
        with self._open() as connection:
            rows = connection.execute(query).all()
        return {row.name.rpartition("/")[2]: Status(row.size, row.number) for row in rows}

    def status(self, name: str) -> Status | None:
        """The size of a file, and the number of its latest change."""
        with self._open() as connection:
            row = _row(connection, name)
        return None if row is None else Status(row.size, row.number)

    def looks(self, *names: str) -> tuple[str, ...]:
        """The number of the latest change of each, in one question."""
        number = func.max(FILES.c.number)  # one by one, for which the index has the answer
        every = [select(number).where(column == name) for name in names for column in _OWN]
        told = [literal(n).label("n") for n in range(len(every))]
        query = union_all(*(one.add_columns(n) for one, n in zip(every, told, strict=True)))
        with self._open() as connection:
            found = {n: number for number, n in connection.execute(query)}
        return tuple(str(found[n] or found[n + 1] or "") for n in range(0, len(every), 2))

    def write(self, name: str, content: bytes, *, lasting: bool = True) -> None:
        """Write a file whole."""
        with self._change() as connection:
            if not lasting:
                connection.execute(NOT_LASTING)
            _replace(connection, name, content)
            self._tell(connection, name)

    def write_once(self, name: str, content: bytes) -> None:
        """Write a file, unless another process has written it meanwhile: then that one holds."""
        with self._change() as connection:
            made = connection.execute(
                upsert(FILES)
                .values(_values(name, len(content)))
                .on_conflict_do_nothing()
                .returning(FILES.c.name)
            ).first()
            if made is not None:
                _add(connection, name, 0, content)
                self._tell(connection, name)

    def append(self, name: str, content: bytes, at: int | None = None) -> None:
        """Add to a file; nothing is half-written here, so it ends where it was acknowledged."""
        with self._change() as connection:
            row = _row(connection, name, is_for_update=True)
            end = row.size if row is not None else 0
            if at not in (None, end):
                raise BrokenFile(f"{self.place(name)} was changed by somebody without the lock")
            if row is None:
                connection.execute(insert(FILES).values(_values(name, len(content))))
            else:
                new = {"size": end + len(content), "number": NUMBERS.next_value()}
                connection.execute(update(FILES).where(FILES.c.name == name).values(new))
            _add(connection, name, end, content)
            self._tell(connection, name)

    def change(self, name: str, change: Callable[[bytes], bytes]) -> None:
        """Change a file, by the lock on its row; refused where somebody keeps that."""
        query = select(PIECES.c.content).where(PIECES.c.name == name).order_by(PIECES.c.start)
        with self._open() as connection:
            connection.execute(NOT_LASTING)
            for limit in ("lock_timeout", "idle_in_transaction_session_timeout"):
                connection.execute(text(f"SET LOCAL {limit} = '{STUCK_S}s'"))
            _put(connection, name, 0)
            _replace(connection, name, change(b"".join(connection.scalars(query))))

    def remove(self, name: str) -> None:
        """Let go of a file."""
        with self._change() as connection:
            if _row(connection, name, is_for_update=True) is None:
                return
            connection.execute(delete(PIECES).where(PIECES.c.name == name))
            connection.execute(delete(FILES).where(FILES.c.name == name))
            _put(connection, f"{name.rpartition('/')[0]}{GONE}", 0)
            self._tell(connection, name)

    @contextmanager
    def held(self, *, wait: bool = True) -> Iterator[None]:
        """One process at a time on all hosts; the server lets go when its holder is gone."""
        if not self._mutex.acquire(blocking=wait):
            raise Busy
        try:
            with translated(), self._alone.connect() as connection:
                self._lock(connection, wait=wait)
                self._holder = get_ident(), connection
                try:
                    yield
                finally:
                    self._holder = None
                    self._unlock(connection)
        finally:
            self._mutex.release()

    def confirm(self, connection: Connection) -> None:
        """See that this thread still has the lock, if it took it: nobody else gets it then before
        what `connection` does is committed or given up.

        Raises:
            NoStore: the lock went with its connection.
        """
        thread, holder = self._holder or (None, None)
        if holder is None or thread != get_ident():
            return
        ask = text("SELECT pg_try_advisory_xact_lock_shared(:fence, :schema)")
        try:
            is_ours = connection.scalar(ask, self._numbers) and not holder.invalidated
            is_ours = is_ours and holder.scalar(text("SELECT true"))
        except SQLAlchemyError:
            is_ours = False
        if not is_ours:
            raise NoStore(
                "the connection that kept other hosts from changing the league is gone; nothing "
                "has changed: do it again"
            )

    def watch(self, folder: str, tell: Callable[[], object]) -> Callable[[], None]:
        """Have it told by the server when something changes in a folder."""
        return self._news.watch(folder, tell)

    def seconds(self) -> float:
        """The server's clock: those of the hosts may differ."""
        with self._open() as connection:
            now = connection.scalar(text("SELECT extract(epoch FROM clock_timestamp())"))
        return float(now or 0.0)

    def announce(self, folder: str, connection: Connection) -> None:
        """Tell who watches a folder that is none, once what a connection does is committed."""
        self._tell(connection, f"{folder}/")

    def close(self) -> None:
        """Watch no more. May be called twice."""
        self._news.close()

    @contextmanager
    def _open(self) -> Iterator[Connection]:
        with translated(), self._at_once.begin() as connection:
            yield connection

    @contextmanager
    def _change(self) -> Iterator[Connection]:
        with self._open() as connection:
            self.confirm(connection)
            yield connection

    def _tell(self, connection: Connection, name: str) -> None:
        folder = name.rpartition("/")[0]
        connection.execute(
            text("SELECT pg_notify(:channel, :folder)"),
            {"channel": self._channel, "folder": folder},
        )

    @property
    def _numbers(self) -> dict[str, int]:
        return {"league": LEAGUE, "fence": FENCE, "schema": self._schema}

    def _lock(self, connection: Connection, *, wait: bool) -> None:
        """Take the lock, then let whoever had it before end what is under way."""
        how, is_alone = "pg_" if wait else "pg_try_", False
        league = text(f"SELECT {how}advisory_lock(:league, :schema)")
        fence = text(f"SELECT {how}advisory_xact_lock(:fence, :schema)")
        if connection.scalar(league, self._numbers) is False:
            raise Busy
        try:
            is_alone = connection.scalar(fence, self._numbers) is not False
        finally:
            if not is_alone:
                connection.invalidate()  # the lock goes with it
        if not is_alone:
            raise Busy

    def _unlock(self, connection: Connection) -> None:
        try:
            ask = text("SELECT pg_advisory_unlock(:league, :schema)")
            connection.execute(ask, self._numbers)
        except SQLAlchemyError:
            connection.invalidate()  # the lock has gone with it


def _row(connection: Connection, name: str, *, is_for_update: bool = False) -> Row[Any] | None:
    query = select(FILES).where(FILES.c.name == name)
    return connection.execute(query.with_for_update() if is_for_update else query).first()


def _values(name: str, size: int) -> dict[str, Any]:
    folder = name.rpartition("/")[0]
    return {"name": name, "folder": folder, "size": size, "number": NUMBERS.next_value()}


def _replace(connection: Connection, name: str, content: bytes) -> None:
    _put(connection, name, len(content))
    connection.execute(delete(PIECES).where(PIECES.c.name == name))
    _add(connection, name, 0, content)


def _put(connection: Connection, name: str, size: int) -> None:
    values = _values(name, size)
    new = {"size": values["size"], "number": values["number"]}
    connection.execute(
        upsert(FILES).values(values).on_conflict_do_update(index_elements=["name"], set_=new)
    )


def _add(connection: Connection, name: str, start: int, content: bytes) -> None:
    connection.execute(insert(PIECES).values(name=name, start=start, content=content))


# -- queue ----------------------------------------------------------------------------------------


WAITING = "queue"
"""What `Storage.watch` calls it."""


class RecordQueue:
    """The queue in a club's database."""

    def __init__(self, engine: Engine, storage: DatabaseStorage) -> None:
        # A row that another process is done with must be gone at once, and is no conflict.
        self._engine = engine.execution_options(isolation_level="READ COMMITTED")
        self._storage = storage

    def __bool__(self) -> bool:
        """Whether any wait, or are being read in."""
        with translated(), self._engine.connect() as connection:
            return connection.execute(select(QUEUE.c.file).limit(1)).first() is not None

    def put(self, file: str, content: bytes) -> None:
        """Have a record read in, by whoever comes first."""
        new = {"content": content, "played": False}
        row = upsert(QUEUE).values(file=file, **new)
        row = row.on_conflict_do_update(index_elements=["file"], set_=new)
        with translated(), self._engine.begin() as connection:
            connection.execute(row)
            self._storage.announce(WAITING, connection)

    def play(self, play: Callable[[Session, bytes], object]) -> bool:
        """Have the next one played that nobody else is at; False: there is none."""
        query = select(QUEUE.c.file, QUEUE.c.content).where(~QUEUE.c.played)
        query = query.order_by(QUEUE.c.file).limit(1).with_for_update(skip_locked=True)
        with translated(), Session(self._engine) as session, session.begin():
            row = session.execute(query).first()
            if row is None:
                return False
            play(session, row.content)
            own = QUEUE.c.file == row.file
            session.execute(update(QUEUE).where(own).values(played=True))
        return True

    @contextmanager
    def played(self) -> Iterator[Iterator[tuple[str, bytes]]]:
        """Those that were played and nobody else reads in; out of the queue when that is done."""
        query = select(QUEUE.c.file).where(QUEUE.c.played).order_by(QUEUE.c.file)
        with translated(), self._engine.begin() as connection:
            files = connection.scalars(query.with_for_update(skip_locked=True)).all()
            yield ((file, _content(connection, file)) for file in files)
            if files:
                own = delete(QUEUE).where(QUEUE.c.file == bindparam("own"))
                connection.execute(own, [{"own": file} for file in files])


def _content(connection: Connection, file: str) -> bytes:
    found = connection.scalar(select(QUEUE.c.content).where(QUEUE.c.file == file))
    assert isinstance(found, bytes)  # we hold the row
    return found


# -- listening ------------------------------------------------------------------------------------


WAITED_S = 0.5
AGAIN_S = 5.0
_log = getLogger(__name__)


class Listener:
    """One connection that listens, for all who watch."""

    def __init__(self, engine: Engine, channel: str) -> None:
        self._engine, self._channel = engine, channel
        dbapi: Any = engine.dialect.dbapi
        self._errors: type[Exception] = dbapi.Error
        self._told: dict[Callable[[], object], str] = {}
        self._lock, self._closing = Lock(), Event()
        self._thread: Thread | None = None

    def watch(self, folder: str, tell: Callable[[], object]) -> Callable[[], None]:
        """Have it told of a folder; what ends it."""
        with self._lock:
            self._told[tell] = folder
            if self._thread is None:
                self._thread = Thread(target=self._serve, name="listening", daemon=True)
                self._thread.start()

        def end() -> None:
            self._told.pop(tell, None)

        return end

    def close(self) -> None:
        """Listen no more. May be called twice."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join(timeout=2 * WAITED_S)  # the server may be away

    def _serve(self) -> None:
        while not self._closing.is_set():
            try:
                pooled = self._engine.raw_connection()
                own: Any = pooled.driver_connection
                pooled.detach()
                with closing(own):
                    self._listen(own)
            except (SQLAlchemyError, self._errors) as error:
                _log.warning("nobody tells of changes, trying again: %s", error)
                self._closing.wait(AGAIN_S)

    def _listen(self, connection: Any) -> None:
        connection.autocommit = True
        connection.execute(f"LISTEN {self._channel}")
        self._tell(None)  # what came while nobody listened
        while not self._closing.is_set():
            for news in connection.notifies(timeout=WAITED_S):
                self._tell(news.payload)

    def _tell(self, folder: str | None) -> None:
        for tell, wanted in list(self._told.items()):
            if folder in (None, wanted):
                try:
                    tell()
                except LeagueError as error:
                    _log.warning("%s", error)


# -- opening --------------------------------------------------------------------------------------


HEAD = "0011"
"""The newest revision, which a new database is at from the beginning."""
OLDER = frozenset(f"{number:04}" for number in range(1, 11))
"""Revisions from which nothing leads here: the index of such a database is made again."""
VERSION = Table("alembic_version", MetaData(), Column("version_num", String(32), primary_key=True))
"""Where Alembic, which is imported only where it has something to do, keeps the revision."""
MIGRATIONS = "companion.league.store:migrations"
SQLITE_WAIT_S = 30
OPTIONS: Mapping[str, Mapping[str, object]] = {
    "sqlite": {},
    "postgresql+psycopg": {
        "pool_pre_ping": True,  # the server may have been restarted since
        "connect_args": {
            "client_encoding": "utf8",  # even where its default is bytes
            # Who only listens hears within a minute that the server's machine is gone.
            "keepalives_idle": 30,
            "keepalives_interval": 10,
            "keepalives_count": 3,
        },
        # All that a question reads is of one moment, as it is with SQLite.
        "isolation_level": "REPEATABLE READ",
    },
}
"""How to connect, by driver; others are not known here."""


def open_database(url: str) -> Engine:
    """An engine on a database at the newest revision, made or brought there where it has to be.

    Raises:
        NoStore: it cannot be reached, its driver is not installed, or it is of a newer program, or
            keeps its files in tables that an older one made otherwise.
    """
    engine = _make_engine(url)
    try:
        with engine.begin() as connection:
            _bring_up(connection)
    except OperationalError as error:
        engine.dispose()
        raise NoStore(f"the league's database cannot be opened: {error.orig}") from error
    except DatabaseError as error:
        engine.dispose()
        raise NoStore(
            f"the league's database is not as it should be: {error.orig}; it holds nothing that "
            "is not in the records and the acts: thrown away, it is made again"
        ) from error
    except BaseException:
        engine.dispose()
        raise
    return engine


@contextmanager
def translated() -> Iterator[None]:
    """Let what the database cannot do now become a sentence.

    Raises:
        NoStore: the database is away, busy for too long, or full; or all connections are in use.
    """
    try:
        yield
    except (DatabaseError, PoolTimeout) as error:
        why = getattr(error, "orig", error)
        raise NoStore(f"the league's database does not answer: {why}") from error


def compact(engine: Engine) -> None:
    """Give back what was deleted, so that the database's files have nothing of it any more."""
    if engine.dialect.name != "sqlite":
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("VACUUM"))
        return
    raw = engine.raw_connection()  # no transaction is begun on it
    try:
        for statement in ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"):
            raw.cursor().execute(statement)
    finally:
        raw.close()


def sqlite_url(file: Path) -> str:
    """The URL of an SQLite file."""
    return f"sqlite:///{file}"


def _make_engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
        if parsed.drivername in ("postgres", "postgresql"):
            parsed = parsed.set(drivername="postgresql+psycopg")
        if parsed.drivername not in OPTIONS:
            raise NoStore(f"a league is kept in sqlite or postgresql, not {parsed.drivername!r}")
        engine = create_engine(parsed, **OPTIONS[parsed.drivername])
    except ArgumentError as error:
        raise NoStore(f"{url!r} is no URL such as postgresql://user@host/league") from error
    except ModuleNotFoundError as error:
        need = "pip install 'race-companion[club]'"
        raise NoStore(f"PostgreSQL needs the library {error.name}: {need}") from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    """Foreign keys are held, readers do not wait for the writer, a writer waits for another."""
    connection.isolation_level = None  # we begin transactions ourselves, see below
    for pragma in ("foreign_keys = ON", "journal_mode = WAL", "synchronous = NORMAL"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute(f"PRAGMA busy_timeout = {SQLITE_WAIT_S * 1000}")


def _begin_sqlite(connection: Connection) -> None:
    # Python's driver begins a transaction only before the first write, and not at all before
    # a change of tables: reads of one query would then see different states.
    connection.exec_driver_sql("BEGIN")


def _bring_up(connection: Connection) -> None:
    """Make the tables, or bring them to this revision."""
    here = _version(connection)
    if here == HEAD:
        return
    if here is None:
        _make_tables(connection)
    elif here in OLDER:
        if connection.dialect.name == "postgresql":
            _check_truth(connection, here)
        Base.metadata.drop_all(connection)
        VERSION.drop(connection)
        _make_tables(connection)
    elif here > HEAD:
        raise NoStore(
            f"the league's database is of version {here}, newer than this program knows ({HEAD})"
        )
    else:
        migrate(connection)


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table(VERSION.name):
        return None
    return connection.execute(select(VERSION)).scalar()


def _make_tables(connection: Connection) -> None:
    """All of them as the models have them; those that keep the truth stay where they are."""
    VERSION.create(connection, checkfirst=True)
    Base.metadata.create_all(connection, checkfirst=False)
    if connection.dialect.name == "postgresql":
        TRUTH.create_all(connection)
    connection.execute(insert(VERSION).values(version_num=HEAD))


def _check_truth(connection: Connection, here: str) -> None:
    """See that the tables that keep the truth, where there are any, are as they are today.

    Raises:
        NoStore: they are not; nothing is changed.
    """
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    def is_ours(name: str | None, kind: str, _parents: object) -> bool:
        return kind != "table" or name in TRUTH.tables

    TRUTH.create_all(connection)
    options = {"compare_type": True, "include_name": is_ours}
    context = MigrationContext.configure(connection, opts=options)
    if compare_metadata(context, TRUTH):
        raise NoStore(
            f"the league's database keeps its files as version {here} did, which this program "
            "does not read: pack them with the program that made it (companion backup "
            "--database URL), and restore them with this one"
        )


def migrate(connection: Connection) -> None:
    """Bring tables of an earlier revision to the newest one, all rows kept."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    config.attributes["connection"] = connection
    command.upgrade(config, HEAD)
