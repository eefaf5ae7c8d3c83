"""The `Storage` of a club whose truth lies in PostgreSQL, so that several hosts serve it.

Each call is a transaction of its own, on disk when it returns, as a file is: what holds where the
plug is pulled between two files holds here too. The lock is an advisory one of the server, and
goes with the connection of whoever had it; who waits for changes is told by NOTIFY.

A connection may die while its host is well and writes on. So each transaction of whoever has the
lock takes its share of a second one, the fence, and then sees that the first is still there; who
comes next waits until nobody has a share. What is asked for while one waits is refused, so a host
that lost the lock gives up what it is at, or has committed it before the other one looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import Lock, get_ident
from typing import Any

from sqlalchemy import (
    Connection,
    Engine,
    Row,
    delete,
    func,
    insert,
    literal,
    select,
    text,
    union_all,
    update,
)
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.exc import SQLAlchemyError

from companion.league.errors import BrokenFile, NoStore
from companion.league.storage import Busy, Status
from companion.league.store.listening import Listener
from companion.league.store.opening import translated
from companion.league.store.storage_models import FILES, NUMBERS, PIECES

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
    """The `Storage` in the tables of `storage_models.py`."""

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
