"""Records as they were played again: what each came to is kept by the digest of its bytes.

To play a record takes a hundred times as long as to read what it came to. What is kept holds
keys of people and no names, so it is as good after somebody was forgotten; a league that is made
again plays only what is new to this program, over several processes and beside what is served.
"""

from __future__ import annotations

import hashlib
import multiprocessing
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from itertools import islice
from threading import Lock
from typing import Any

from sqlalchemy import Engine, delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from companion.league.errors import BadRecord
from companion.league.finished import Finished, Measure, read_finished
from companion.league.people import People
from companion.league.plain import Note
from companion.league.rows import Row, read_row
from companion.league.store.models import FileRow, ReadRow
from companion.record import RULES_VERSION, RecordError, parse_record

PROGRAM = f"{RULES_VERSION}.2"
"""Goes up with the rules, or when a record comes to other numbers."""
KEPT = 8
"""Records that are remembered between their arrival and their being read in."""
FEW = 16
"""So many are played where they are: to start processes would take longer."""
AT_ONCE = 64
"""Records in memory at a time while many are played."""
JSON = dict[str, Any]


def digest(content: bytes) -> str:
    """By which the bytes of a record are known."""
    return hashlib.sha256(content).hexdigest()


def examine(content: bytes, measure: Measure) -> Finished:
    """The race in the bytes of a record.

    Raises:
        BadRecord: it is damaged or not finished; the line is named.
    """
    try:
        return read_finished(parse_record(content), measure)
    except RecordError as error:
        raise BadRecord(error.line, error.message) from error
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError) as error:
        # Records come from outside: one that nobody has thought of is refused like any other.
        raise BadRecord(1, f"this makes no sense as a race: {error!r:.100}") from error


class Reads:
    """What records came to.

    Args:
        measure: what counts the numbers of a race.
    """

    def __init__(self, people: People, measure: Measure) -> None:
        self._people = people
        self._measure = measure
        self._kept: OrderedDict[str, JSON] = OrderedDict()
        self._lock = Lock()

    def finished(self, session: Session, content: bytes) -> Finished:
        """The race in a record with keys in it, as people are called now.

        Raises:
            BadRecord: it is damaged or not finished; the line is named.
        """
        key = digest(content)
        data = self._kept.get(key) or self._found(session, key)
        if data is None:
            data = _tell(examine(content, self._measure))
        self._keep(key, data)
        return _read(self._people.shown_in(data))

    def play(self, session: Session, content: bytes) -> None:
        """Play a record before anybody has to wait for it; a bad one is told when it is read in."""
        try:
            self.finished(session, content)
        except BadRecord:
            return
        self.settle(session, content)

    def settle(self, session: Session, content: bytes) -> None:
        """What this record came to outlives the program's run."""
        key = digest(content)
        data = self._kept.get(key)
        if data is not None and self._found(session, key) is None:
            # Another host may have played it since this transaction began to look.
            with suppress(IntegrityError), session.begin_nested():
                session.merge(ReadRow(sha256=key, program=PROGRAM, finished=data))

    def prune(self, session: Session) -> None:
        """Let go of what came of records that are no longer there as they were."""
        session.execute(delete(ReadRow).where(ReadRow.sha256.not_in(select(FileRow.sha256))))

    def play_ahead(self, engine: Engine, contents: Iterable[bytes], *, jobs: int) -> None:
        """Play what no program has played, over so many processes; nobody waits for it."""
        with Session(engine) as session:
            known = set(session.scalars(select(ReadRow.sha256).where(ReadRow.program == PROGRAM)))
        new = (content for content in contents if digest(content) not in known)
        first = list(islice(new, FEW))
        if len(first) < FEW:
            return
        play = partial(_play, measure=self._measure)
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(jobs, mp_context=context) as pool:
            for batch in _batches(first, new):
                found = list(pool.map(play, batch))
                with Session(engine) as session, session.begin():
                    for content, data in zip(batch, found, strict=True):
                        if data is not None:
                            row = ReadRow(sha256=digest(content), program=PROGRAM, finished=data)
                            session.merge(row)

    def _found(self, session: Session, key: str) -> JSON | None:
        row = session.get(ReadRow, key)
        return row.finished if row is not None and row.program == PROGRAM else None

    def _keep(self, key: str, data: JSON) -> None:
        with self._lock:
            self._kept[key] = data
            self._kept.move_to_end(key)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)


def _play(content: bytes, measure: Measure) -> JSON | None:
    """What a record came to; None for one that is refused, which is told when it is read in."""
    try:
        return _tell(examine(content, measure))
    except BadRecord:
        return None


def _batches(first: list[bytes], rest: Iterator[bytes]) -> Iterator[list[bytes]]:
    while first:
        yield first
        first = list(islice(rest, AT_ONCE))


def _tell(found: Finished) -> JSON:
    return asdict(found)


def _read(data: JSON) -> Finished:
    own = {
        "rules": tuple(data["rules"]),
        "rows": _rows(data["rows"]),
        "earlier": tuple(map(_rows, data["earlier"])),
        "notes": tuple(Note(**note) for note in data["notes"]),
    }
    return Finished(**{**data, **own})


def _rows(data: Iterable[JSON]) -> tuple[Row, ...]:
    return tuple(map(read_row, data))
