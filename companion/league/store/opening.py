"""Opening the database: which one, at which version, and what to say where it cannot be.

SQLite needs nothing; its file is the league's own. PostgreSQL is named by a URL
(`postgresql://user@host/league`) and spoken to with psycopg 3, in the extra `club`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, DatabaseError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from companion.league.errors import NoStore
from companion.league.store import entry_models as entry_models  # all tables are known from here

HEAD = "0010"
"""The newest migration. `migrate` goes there; a test sees that it is the one that the tables
of `models.py` need."""
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
    """An engine on a database at today's version, made and migrated where it has to be.

    Raises:
        NoStore: it cannot be reached, its driver is not installed, or it is of a newer program.
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
    """Run what migrations are missing; Alembic is imported only where there are some."""
    here = _version(connection)
    if here == HEAD:
        return
    if here is not None and here > HEAD:
        raise NoStore(
            f"the league's database is of version {here}, newer than this program knows ({HEAD})"
        )
    migrate(connection)


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)


def migrate(connection: Connection, to: str = HEAD) -> None:
    """Bring the tables to a version; `base` takes them all away."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    config.attributes["connection"] = connection
    is_up = to != "base"
    (command.upgrade if is_up else command.downgrade)(config, to)
