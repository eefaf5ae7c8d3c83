"""A journal out of a folder of data."""

from __future__ import annotations

from pathlib import Path

from companion.journal.journal import Journal
from companion.journal.words import Report

FOLDER, COPY = "journal", "copy"


def open_journal(data: Path, report: Report, stick: Path | None = None) -> Journal:
    """The journal of a folder of data, which a `FolderLock` holds.

    Args:
        stick: the folder on a stick that has followed it.

    Raises:
        StorageError: it was written by a newer companion, or the disk does not serve.
    """
    third = stick / COPY if stick else None
    return Journal(data / FOLDER, data / COPY, report, stick=third)
