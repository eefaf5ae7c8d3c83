"""Files that are on disk, whole, when a function returns: the plug may be pulled at any moment.

What is made here is for its owner alone.
"""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file whole or not at all; on return it is on disk under its name.

    Raises:
        OSError: it could not be written; a file of that name is as it was.
    """
    make_folder(path.parent)
    fresh = path.with_name(path.name + ".new")
    with open(fresh, "wb", opener=_private) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    sync_folder(path.parent)


def make_folder(folder: Path) -> None:
    """Make a folder, and those that it lies in, for its owner alone. One that is there stays.

    Raises:
        OSError: the system refuses.
    """
    if not folder.exists():
        make_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)


def sync_folder(folder: Path) -> None:
    """Put the names in a folder on disk: a file that is synced may still lack its name there.

    Raises:
        OSError: the system refuses.
    """
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
