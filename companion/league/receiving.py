"""What a club does with a record that a table sends: it is kept once, or laid aside.

A record only ever grows: a race that is amended after its end has the old lines, then more,
then the new result. So of two records of one race the longer one, if it begins with the lines
of the other, is the newer; the order in which they arrive says nothing. Only the table that sent
a race may send more of it: everybody can read a record, and so could write one that goes on.

The records that a table has written into the folder: which of them have come since.

How the tables of a club stand: a small file a table, so that all processes of a server see it.
What is in it is forgotten when the table falls silent; nothing is synced, nothing is kept.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Container, Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from companion.league.database import ASIDE, LIVE, FolderStorage, Storage
from companion.league.errors import (
    BadRecord,
    BrokenFile,
    LeagueFolder,
    NobodyDrove,
    Receipt,
    key_of,
    over_texts,
)
from companion.league.keeping import People
from companion.league.plain import Line, LiveTable, Refused
from companion.system.host import write_whole

# -- receiving ------------------------------------------------------------------------------------


LARGEST_RECORD: Final = 4 * 1024 * 1024
"""Bytes; a long race of ten takes about a tenth of it."""
MOST_ASIDE: Final = 200
"""Files; what is refused beyond them is answered to the table and not kept."""
KEEPER: Final = "by hand"
"""Who sends a record that no table sends, in the name of a file."""


def too_large(content: bytes) -> BadRecord | None:
    """Why a record is not even looked at; None: it has a size that is taken."""
    if len(content) <= LARGEST_RECORD:
        return None
    return BadRecord(1, f"a record has {LARGEST_RECORD} bytes at most")


def set_aside(
    storage: FolderStorage, people: People, content: bytes, error: BadRecord, *, table: str | None
) -> Receipt:
    """Keep what is refused for people to look at; the receipt that says why."""
    sender, content = table or KEEPER, content[:LARGEST_RECORD]
    name = f"{key_of(people.told(sender))}-{hashlib.sha256(content).hexdigest()[:16]}"
    aside = [file for file, _ in storage.contents(ASIDE) if file.endswith(".jsonl")]
    if len(aside) < MOST_ASIDE:
        told = people.told(content.decode("utf-8", "surrogateescape"))
        storage.write(f"{ASIDE}/{name}.jsonl", told.encode("utf-8", "surrogateescape"))
        storage.write(f"{ASIDE}/{name}.txt", people.told(f"{sender}: {error}\n").encode())
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


# -- folder ---------------------------------------------------------------------------------------


SEEN: Final = "seen.json"
ENDING: Final = ".jsonl"
NOBODY: Final = "nobody"
"""In place of the digest of a record that is no race of the league."""
_MARKED = re.compile(rb'"~[0-9a-f]{12}\.[0-9a-f]{6}"')
"""A name in a record that a league of before `takeover` has written: it is in the database."""


class Seen(NamedTuple):
    """A file as it was when it was looked at. `digest` is that of the record, as it is kept;
    `line` and `message` say why it is none."""

    size: int
    changed: int
    digest: str
    line: int = 0
    message: str = ""


class Folder:
    """The records in a folder of data, and what was seen of them.

    What was seen lies beside them, so that a start need not read them all; without it they are
    read again, and known by their bytes.
    """

    def __init__(self, folder: LeagueFolder) -> None:
        self._folder, self._file = folder.records, folder.acts / SEEN
        self._seen: dict[str, Seen] = {}
        self._edition, self._looks = "", 0
        with suppress(OSError, ValueError, KeyError, TypeError):
            told = json.loads(self._file.read_bytes())
            self._seen = {file: Seen(*one) for file, one in told["files"].items()}
            self._edition = told["edition"]

    @property
    def edition(self) -> str:
        """The edition of the league for which the folder was gone through."""
        return self._edition

    @edition.setter
    def edition(self, edition: str) -> None:
        self._edition, self._looks = edition, 0
        self._write()

    def new(self, known: Container[str]) -> Iterator[tuple[str, bytes]]:
        """The records that have come or changed since; each is to be noted (`note`).

        Args:
            known: the digests of the records that are in the league.
        """
        looks = self._folder.stat().st_mtime_ns if self._folder.exists() else 0
        if looks == self._looks:
            return
        there = {path.name: path.stat() for path in sorted(self._folder.glob(f"*{ENDING}"))}
        before = dict(self._seen)
        self._seen = {file: one for file, one in before.items() if file in there}
        for file, status in there.items():
            one, now = before.get(file), (status.st_size, status.st_mtime_ns)
            if (
                one is not None
                and one[:2] == now
                and (one.message or one.digest == NOBODY or one.digest in known)
            ):
                continue
            try:
                content = (self._folder / file).read_bytes()
            except OSError as error:
                why = f"{self._folder / file} cannot be read: {error.strerror}"
                self._seen[file] = Seen(*now, "", 1, why)
                continue
            self._seen[file] = Seen(*now, "")
            if not _MARKED.search(content.partition(b"\n")[0]):
                yield file, content
        self._looks = looks
        if self._seen != before:
            self._write()

    def note(self, file: str, digest: str, error: BadRecord | None = None) -> None:
        """A record was looked at, and is in the league; or why it is not."""
        line, why = (error.line, error.message) if error else (0, "")
        if isinstance(error, NobodyDrove):  # nobody has to hear of it
            digest, line, why = NOBODY, 0, ""
        self._seen[file] = self._seen[file]._replace(digest=digest, line=line, message=why)

    def refused(self) -> list[Refused]:
        """The records that are not in the league, by name."""
        return [
            Refused(file, one.line, one.message)
            for file, one in sorted(self._seen.items())
            if one.message
        ]

    def _write(self) -> None:
        told = {"edition": self._edition, "files": self._seen}
        try:
            write_whole(self._file, json.dumps(told).encode())
        except OSError as error:
            raise BrokenFile(f"{self._file} cannot be written: {error.strerror}") from error


# -- live -----------------------------------------------------------------------------------------


SILENT_AFTER_S = 90.0
"""A table that has reported nothing for so long is not shown; it does every half minute or so."""


class LiveFiles:
    """How the tables of a club stand, in a storage.

    Args:
        clock: seconds since any moment, the same one for all who write there.
        tell: makes of a text what may be kept and shown of it.
    """

    def __init__(
        self,
        storage: Storage,
        clock: Callable[[], float] | None = None,
        tell: Callable[[str], str] = str,
    ) -> None:
        self._storage = storage
        self._clock = clock or storage.seconds
        self._tell = tell

    def show(self, table: str, state: Line) -> None:
        """Keep how a table stands, instead of how it stood before."""
        told = {"table": table, "at": self._clock(), "state": over_texts(state, self._tell)}
        name = f"{LIVE}/{key_of(table)}.json"
        self._storage.write(name, json.dumps(told).encode(), lasting=False)

    def watch(self, tell: Callable[[], object]) -> Callable[[], None]:
        """Have it told when a table has reported; what ends it."""
        return self._storage.watch(LIVE, tell)

    def tables(self) -> list[LiveTable]:
        """The tables that are not silent, by name."""
        now = self._clock()
        found = []
        for _, content in self._storage.contents(LIVE):
            one = _read(content, now)
            if one is not None and one.age_s < SILENT_AFTER_S:
                found.append(one)
        return sorted(found, key=lambda one: one.table.casefold())


def _read(content: bytes, now: float) -> LiveTable | None:
    """How a table stands; None: this is no file of ours."""
    try:
        told = json.loads(content)
        table, state = str(told["table"]), told["state"]
        age_s = max(now - float(told["at"]), 0.0)
    except (ValueError, KeyError, TypeError):
        return None
    return LiveTable(table, age_s, state) if isinstance(state, dict) else None
