"""A league's tables as its migrations leave them, made once for all tests of a worker."""

from __future__ import annotations

from functools import cache

import pytest
from sqlalchemy import Connection, create_engine, inspect

from companion.league.store import storage

MIGRATE = storage.migrate


def make_databases_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a new SQLite database be a copy, where ten migrations would make it again."""
    monkeypatch.setattr(storage, "migrate", _copy_or_migrate)


def _copy_or_migrate(connection: Connection, to: str = storage.HEAD) -> None:
    is_new = connection.dialect.name == "sqlite" and not inspect(connection).get_table_names()
    if not is_new or to != storage.HEAD:
        MIGRATE(connection, to)
        return
    for statement in _statements():
        connection.exec_driver_sql(statement)


@cache
def _statements() -> tuple[str, ...]:
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        MIGRATE(connection)
    with engine.connect() as connection:
        made = connection.connection.driver_connection
        assert made is not None
        told = tuple(made.iterdump())
    engine.dispose()
    return told[1:-1]  # within a transaction of its own
