"""The durable log of a running table."""

from companion.journal.journal import Journal
from companion.journal.lock import FolderLock
from companion.journal.opening import open_journal

__all__ = ["FolderLock", "Journal", "open_journal"]
