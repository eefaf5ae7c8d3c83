"""The durable log of a running table."""

from companion.journal.sqlite import SqliteJournal

__all__ = ["SqliteJournal"]
