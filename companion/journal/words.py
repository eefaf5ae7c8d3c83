"""What the journal tells people: of a disk that fails, and of what is missing.

A message is for stderr and always has the word journal; key and arguments are what the page and
the screens translate (`views/words/disk.py`).
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.journal.mending import Mended
from companion.table.ports import StorageError, Trouble

Report = Callable[[Trouble], None]
"""Is given what is wrong with a disk."""


def damage_of(found: Mended, log: str) -> Trouble | None:
    """What has to be said of a log as it was found; None: it was whole."""
    kept = f"; the damaged file is kept as {found.kept}" if found.kept else ""
    race = str(found.first.get("name", log))
    if not found.entries and found.missing:
        message = f"the journal of {log} cannot be read any more{kept}"
        return Trouble("race-lost", message, {"race": log})
    if found.is_torn:
        message = f"the last answer in the journal of {race}, after {found.last_at}, may be missing"
        return Trouble("answer-torn", message + kept, {"race": race, "time": found.last_at})
    args = {"n": found.missing, "time": found.last_at, "race": race} if found.entries else {}
    if found.missing:
        lines = "answer is" if found.missing == 1 else "answers are"
        message = f"{found.missing} {lines} missing after {found.last_at} in the journal of {race}"
        return Trouble("answers-missing", message + kept, args)
    if found.healed:
        lines = "line is" if found.healed == 1 else "lines are"
        message = f"the journal of {race} was damaged: {found.healed} {lines} of its second copy"
        return Trouble("answers-healed", message + kept, {**args, "n": found.healed})
    if found.kept:
        message = f"the journal of {race} was damaged, no line is missing{kept}"
        return Trouble("answers-healed", message, {**args, "n": 0})
    return None


def was_taken_away(path: Path) -> Trouble:
    """A file that was gone, or changed from outside, under the running table."""
    message = f"the journal {path} was taken away; it is written anew from memory"
    return Trouble("taken-away", message)


def copy_fails(folder: Path, error: OSError) -> Trouble:
    """The second copy cannot be written; the journal itself goes on."""
    message = f"the journal's second copy in {folder} cannot be written: {error.strerror or error}"
    return Trouble("copy-fails", message)


@contextmanager
def in_words(folder: Path) -> Iterator[None]:
    """Translate what the system raises into a sentence for a person."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            message = f"the disk is full: there is no room for the journal {folder}; make some"
            raise StorageError(message, "disk-full") from error
        why = error.strerror or error
        message = f"the disk does not serve: the journal {folder} cannot be used: {why}"
        raise StorageError(message) from error
