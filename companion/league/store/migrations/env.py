"""How Alembic reaches the database: over the connection that `store/storage.py` hands it."""

from __future__ import annotations

from alembic import context

from companion.league.store.models import Base

connection = context.config.attributes["connection"]
# SQLite cannot alter a table: Alembic makes a new one and copies.
context.configure(
    connection=connection, target_metadata=Base.metadata, render_as_batch=True, compare_type=True
)
with context.begin_transaction():
    context.run_migrations()
