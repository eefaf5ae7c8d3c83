"""Hears of changes in a club's database, by the NOTIFY of whoever makes them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from logging import getLogger
from threading import Event, Lock, Thread
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from companion.league.errors import LeagueError

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
