"""Records that wait to be read in: all hosts take from one queue, each record once.

To play a record takes a hundred times as long as to read in what it came to, so hosts and processes
play side by side, and only the rest waits for the league's lock. Whoever is at a record holds its
row: if that process dies, the server gives the row back, and the next one takes it; what was
played or read in already is known by its bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, bindparam, delete, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.orm import Session

from companion.league.store.opening import translated
from companion.league.store.storage import DatabaseStorage
from companion.league.store.storage_models import QUEUE

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
