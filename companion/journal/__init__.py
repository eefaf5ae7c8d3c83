"""The durable log of a running table."""

from companion.journal.lock import FolderLock
from companion.journal.sqlite import SqliteJournal

__all__ = ["FolderLock", "SqliteJournal"]
