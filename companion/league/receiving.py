"""What a club does with a record that a table sends: it is on disk once, or kept aside.

A record only ever grows: a race that is amended after its end has the old lines, then more,
then the new result. So of two records of one race the longer one, if it begins with the lines
of the other, is the newer; the order in which they arrive says nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from companion.files import write_whole
from companion.league.errors import BadRecord, BrokenFile
from companion.league.finished import Finished
from companion.league.folder import LeagueFolder
from companion.league.names import key_of
from companion.league.ports import Receipt

Examine = Callable[[bytes], Finished]
"""The race in the bytes of a record; raises BadRecord (`store.index.examine`)."""

LARGEST_RECORD = 4 * 1024 * 1024
"""Bytes; a long race of ten takes about a tenth of it."""
MOST_ASIDE = 200
"""Files; what is refused beyond them is answered to the table and not kept."""


class Receiver:
    """Judges and stores the records that tables send."""

    def __init__(self, folder: LeagueFolder, examine: Examine) -> None:
        self._folder = folder
        self._examine = examine

    def examine(self, content: bytes, *, table: str) -> Finished | Receipt:
        """The race in a record; a receipt that says why not, and then it is kept aside."""
        try:
            if len(content) > LARGEST_RECORD:
                raise BadRecord(1, f"a record has {LARGEST_RECORD} bytes at most")
            return self._examine(content)
        except BadRecord as error:
            return self._set_aside(content, error, table=table)

    def store(self, race: str, content: bytes, *, table: str) -> Receipt:
        """Put a sound record on disk, unless it, or a newer one of the race, is there.

        Raises:
            BrokenFile: it cannot be written; nothing is acknowledged.
        """
        path = self._folder.record(race)
        known = path.read_bytes() if path.exists() else None
        if known is not None and extends(known, content):
            return Receipt("known", race)
        if known is not None and not extends(content, known):
            error = BadRecord(1, f"another race has the id {race}")
            return self._set_aside(content, error, table=table)
        _write(path, content)
        return Receipt("taken", race)

    def _set_aside(self, content: bytes, error: BadRecord, *, table: str) -> Receipt:
        name = f"{key_of(table)}-{hashlib.sha256(content).hexdigest()[:16]}"
        aside = self._folder.aside
        is_full = aside.is_dir() and len(list(aside.glob("*.jsonl"))) >= MOST_ASIDE
        if not is_full:
            _write(aside / f"{name}.jsonl", content[:LARGEST_RECORD])
            _write(aside / f"{name}.txt", f"{table}: {error}\n".encode())
        return Receipt("refused", None, str(error))


def extends(longer: bytes, shorter: bytes) -> bool:
    r"""Whether a record has all the lines of another but for its result, or is the same.

    >>> extends(b'{"record": 1}\n{"a": 1}\n{"result": [2]}\n', b'{"record": 1}\n{"result": [1]}\n')
    True
    """
    if longer == shorter:
        return True
    *lines, _result = shorter.splitlines()
    more = longer.splitlines()
    return len(more) > len(lines) + 1 and more[: len(lines)] == lines


def _write(path: Path, content: bytes) -> None:
    try:
        write_whole(path, content)
    except OSError as error:
        raise BrokenFile(f"{path} cannot be written: {error.strerror}") from error
