"""The durable log of a running table."""

from companion.journal.journal import FolderLock, Journal, open_journal

__all__ = ["FolderLock", "Journal", "open_journal"]
