"""What a club does with a record that a table sends: it is on disk once, or kept aside.

A record only ever grows: a race that is amended after its end has the old lines, then more,
then the new result. So of two records of one race the longer one, if it begins with the lines
of the other, is the newer; the order in which they arrive says nothing. Only the table that sent
a race may send more of it: everybody can read a record, and so could write one that goes on.

How the tables of a club stand: a small file a table, so that all processes of a server see it.

What is in it is forgotten when the table falls silent; nothing is synced, nothing is kept.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable

from companion.league.errors import BadRecord, key_of
from companion.league.people import People
from companion.league.plain import Line
from companion.league.ports import LiveTable, Receipt
from companion.league.storage import ASIDE, LIVE, RECORDS, Storage, contents

# -- receiving ------------------------------------------------------------------------------------


LARGEST_RECORD = 4 * 1024 * 1024
"""Bytes; a long race of ten takes about a tenth of it."""
MOST_ASIDE = 200
"""Files; what is refused beyond them is answered to the table and not kept."""
KEEPER = "by hand"
"""Who sends a record that no table sends, in the name of a file."""


class Receiver:
    """Judges and stores the records that tables send."""

    def __init__(self, storage: Storage, people: People) -> None:
        self.storage = storage
        self.people = people

    def too_large(self, content: bytes, *, table: str | None) -> Receipt | None:
        """A receipt for what no record is; None for one of a size that is taken."""
        if len(content) <= LARGEST_RECORD:
            return None
        error = BadRecord(1, f"a record has {LARGEST_RECORD} bytes at most")
        return self.set_aside(content[:LARGEST_RECORD], error, table=table)

    def judge(
        self, race: str, veiled: bytes, *, owner: str | None, table: str | None
    ) -> Receipt | BadRecord | None:
        """What is said to a sound record of a race; None: it is to be taken.

        Args:
            veiled: the record with keys in it, as it would be stored.
            owner: the table that sent what is there; None: nobody did, it is the house's own.
            table: the one that sends this; None: the keeper.
        """
        known = self.storage.read(record_of(race))
        if known is None:
            return None
        known, _ = self.people.veil_record(known)
        if extends(known, veiled):
            return Receipt("known", race)
        if not extends(veiled, known):
            return BadRecord(1, f"another race has the id {race}")
        if table not in (None, owner):
            return BadRecord(1, f"the race {race} belongs to the table that sent it first")
        return None

    def write(self, race: str, veiled: bytes) -> None:
        """Put a record on disk.

        Raises:
            LeagueError: it cannot be written; nothing is acknowledged.
        """
        self.storage.write(record_of(race), veiled)

    def set_aside(self, content: bytes, error: BadRecord, *, table: str | None) -> Receipt:
        """Keep what is refused for people to look at; the receipt that says why."""
        sender = table or KEEPER
        name = f"{key_of(sender)}-{hashlib.sha256(content).hexdigest()[:16]}"
        aside = [file for file in self.storage.listing(ASIDE) if file.endswith(".jsonl")]
        if len(aside) < MOST_ASIDE:
            self.storage.write(f"{ASIDE}/{name}.jsonl", self._scrubbed(content))
            self.storage.write(f"{ASIDE}/{name}.txt", f"{sender}: {error}\n".encode())
        return Receipt("refused", None, str(error))

    def _scrubbed(self, content: bytes) -> bytes:
        """As it came, but for names that are not to be kept."""
        text = content.decode("utf-8", "surrogateescape")
        return self.people.scrubbed(text).encode("utf-8", "surrogateescape")


def record_of(race: str) -> str:
    """The name of the record of a race."""
    return f"{RECORDS}/{race}.jsonl"


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


# -- live -----------------------------------------------------------------------------------------


SILENT_AFTER_S = 90.0
"""A table that has reported nothing for so long is not shown; it does every half minute or so."""


class LiveFiles:
    """The `LiveTables` in a storage.

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
        told = {"table": table, "at": self._clock(), "state": self._told(state)}
        name = f"{LIVE}/{key_of(table)}.json"
        self._storage.write(name, json.dumps(told).encode(), lasting=False)

    def watch(self, tell: Callable[[], object]) -> Callable[[], None]:
        """Have it told when a table has reported; what ends it."""
        return self._storage.watch(LIVE, tell)

    def _told(self, value: object) -> object:
        """A report with all its texts as they may be shown."""
        if isinstance(value, str):
            return self._tell(value)
        if isinstance(value, list):
            return [self._told(one) for one in value]
        if isinstance(value, dict):
            return {key: self._told(one) for key, one in value.items()}
        return value

    def tables(self) -> list[LiveTable]:
        """The tables that are not silent, by name."""
        now = self._clock()
        found = []
        for _, content in contents(self._storage, LIVE):
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
