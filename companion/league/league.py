"""A league that is open: all ways to its files and its database go through it.

Everything that changes goes through one lock on the folder, so that tables of the house, the
command line and a club's processes may use it at once. What people do is written down
(`journal.py`) between being carried out and being committed: if the plug is pulled in between,
the next one to open the league carries it out again.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.closing import Closing
from companion.league.acts import Act, Done, PlaceRace
from companion.league.finished import Measure, measure_nothing
from companion.league.folder import LeagueFolder
from companion.league.journal import ActJournal, format_done
from companion.league.ports import Receipt, Refused
from companion.league.receiving import Examine, Receiver
from companion.league.store import index
from companion.league.store.applying import apply
from companion.league.store.models import TableRow
from companion.league.store.opening import open_database, sqlite_url, translated
from companion.league.store.queries import StoreQueries

KEPT = 8
"""Records that are remembered between their arrival and their being read in."""
COMPANION = "companion"
"""Who puts a race into the open season."""


class League(Closing):
    """The league of a data folder.

    Args:
        data: the folder of the table, with its `records`.
        url: the database; None: SQLite beside the records.
        now: the date and time, ISO 8601.
        measure: what counts the numbers of a race.

    Raises:
        LeagueError: the database or the files cannot be opened.
    """

    def __init__(
        self,
        data: Path,
        *,
        now: Callable[[], str],
        url: str | None = None,
        measure: Measure = measure_nothing,
    ) -> None:
        self.folder = LeagueFolder(data.absolute())
        self._now = now
        # A record is played again once, though it is judged when it arrives and read in after.
        self._examine: Examine = lru_cache(KEPT)(partial(index.examine, measure=measure))
        self._journal = ActJournal(self.folder.acts)
        self._is_own = url is None
        if url is None:
            data.mkdir(parents=True, exist_ok=True)
            url = sqlite_url(self.folder.database)
        self._engine = open_database(url)
        self._seen: object = None
        self._refused: list[Refused] = []
        self.queries = StoreQueries(self._engine, self.folder)

    def catch_up(self) -> Sequence[Refused]:
        """Take in what has come since; the records that are not in the league, and why."""
        seen = self._look()
        if seen != self._seen:
            with self._changing():
                pass  # to open a change is to catch up
        return self._refused

    def do(self, *acts: Act, by: str) -> int:
        """Carry out acts, all or none, and keep them for good; the number of the first.

        Raises:
            BadAct: one has no sense; nothing has changed.
            LeagueError: they could not be kept.
        """
        with self._changing() as session:
            return self._keep(session, acts, by)

    def rebuild(self) -> index.Report:
        """Throw the database's content away and make it again from records and acts."""
        with self._changing(anew=True) as session:
            report: index.Report = session.info["report"]
        return report

    def receive(self, content: bytes, *, table: str) -> Receipt:
        """Take in a record that a table sent, once however often it comes.

        Raises:
            LeagueError: the disk or the database fails; nothing is acknowledged.
        """
        known = self._race_in(content)
        if known is not None:
            return Receipt("known", known)
        receiver = Receiver(self.folder, self._examine)
        found = receiver.examine(content, table=table)
        if isinstance(found, Receipt):
            return found
        with self._changing() as session:
            receipt = receiver.store(found.id, content, table=table)
            if receipt.status == "taken":
                self._read_in(session, anew=False)
        return receipt

    def _race_in(self, content: bytes) -> str | None:
        """The race whose record has been read in byte for byte as it comes again."""
        with translated(), Session(self._engine) as session:
            return index.race_of(session, content)

    def table_of(self, key: str) -> str | None:
        """The table that a key was given to; None: nobody's."""
        digest = digest_of_key(key)
        with translated(), Session(self._engine) as session:
            rows = session.scalars(select(TableRow).where(TableRow.key_sha256.is_not(None))).all()
            owners = [row.name for row in rows if hmac.compare_digest(row.key_sha256 or "", digest)]
        return owners[0] if owners else None

    def close(self) -> None:
        """Let go of the database. May be called twice."""
        self._engine.dispose()

    @contextmanager
    def _changing(self, *, anew: bool = False) -> Iterator[Session]:
        """Caught up, and nobody else changes anything; committed at the end."""
        with (
            self._journal.held(),
            translated(),
            Session(self._engine) as session,
            session.begin(),
        ):
            seen = self._look()
            session.info["report"] = self._read_in(session, anew=anew)
            refused = index.refused_files(session)
            yield session
            # Whatever was done in here is seen by the next look, which then finds nothing new.
            self._seen, self._refused = seen, refused

    def _read_in(self, session: Session, *, anew: bool) -> index.Report:
        report = index.Report()
        records, acts = self.folder.records, self._journal.read()
        if not anew and not self._is_own:
            index.check_owner(session, self.folder.data)
        if anew or not index.is_current(session, records, acts):
            index.wipe(session)
            index.take_over(session, self.folder.data)
        index.read_files(session, records, self._examine)
        index.apply_acts(session, acts, report)
        index.place_new(session, lambda race, season: self._place(session, race, season))
        return report

    def _place(self, session: Session, race: str, season: str | None) -> None:
        self._keep(session, [PlaceRace(race=race, season=season)], COMPANION)

    def _keep(self, session: Session, acts: Sequence[Act], by: str) -> int:
        """Carry out, then write down; the caller commits. The number of the first."""
        first = index.acts_read(session) + 1
        at = self._now()
        done = [Done(n, act, at, by) for n, act in enumerate(acts, first)]
        for one in done:
            apply(session, one)
        self._journal.append(*map(format_done, done))
        index.remember_acts(session, self._journal.read())
        return first

    def _look(self) -> object:
        """What tells, without opening a file, whether anything has come."""
        records = self.folder.records
        files = records.glob("*.jsonl") if records.is_dir() else ()
        stats = ((path.name, path.stat()) for path in files)
        return self._journal.size(), sorted((n, s.st_size, s.st_mtime_ns) for n, s in stats)


def digest_of_key(key: str) -> str:
    """What is kept of a table's key."""
    return hashlib.sha256(key.encode()).hexdigest()
