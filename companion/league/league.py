"""A league that is open: all ways to its files and its database go through it.

Everything that changes goes through one lock, so that tables of the house, the command line and a
club's processes and hosts may use it at once. What people do is written down
(`journal.py`) between being carried out and being committed: if the plug is pulled in between,
the next one to open the league carries it out again. Who only reads never waits for the lock: a
page shows what is there, and the next one what has come.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from sqlalchemy.orm import Session

from companion.closing import Closing
from companion.league.acts import Act, Done, Forget, Receive
from companion.league.errors import BadRecord
from companion.league.finished import Measure, measure_nothing
from companion.league.folder import LeagueFolder
from companion.league.hosting import Host, Named
from companion.league.journal import ActJournal, format_done
from companion.league.people import FILES as PEOPLE_FILES
from companion.league.people import People
from companion.league.ports import Member, Receipt, Refused
from companion.league.public import Public
from companion.league.receiving import Receiver
from companion.league.retelling import retold
from companion.league.staging import Staging
from companion.league.storage import ACTS, RECORDS, Busy, FolderStorage, Storage, contents
from companion.league.store import clubs, index, kept
from companion.league.store.applying import apply
from companion.league.store.book import StoreBook
from companion.league.store.models import RaceRow
from companion.league.store.opening import compact, open_database, sqlite_url, translated
from companion.league.store.queries import StoreQueries
from companion.league.store.queue import RecordQueue
from companion.league.store.reads import Reads
from companion.league.store.storage import DatabaseStorage

COMPANION = "companion"
"""Who puts a race into the open season."""


class League(Staging, Closing):
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
        self._is_own = url is None
        if url is None:
            data.mkdir(parents=True, exist_ok=True)
            url = sqlite_url(self.folder.database)
        self._engine = open_database(url)
        self.storage: Storage = FolderStorage(self.folder.data)
        self._database: DatabaseStorage | None = None
        if self._engine.dialect.name == "postgresql":
            self.storage = self._database = DatabaseStorage(self._engine)
        self.people = People(self.storage)
        self.people.look()
        self._now = now
        self._reads = Reads(self.people, measure)
        self._journal = ActJournal(self.storage)
        self._receiver = Receiver(self.storage, self.people)
        self._host: Host | None = None
        if self._database is not None:
            queue = RecordQueue(self._engine, self._database)
            self._host = Host(self.folder, queue, self._reads, self._receiver)
        self._seen: object = None
        self._refused: list[Refused] = []
        self.queries = StoreQueries(self._engine, self.storage, self.people)
        self.book = StoreBook(self._engine)
        self.public = Public(self.queries, self.book, self.queries, self.people.alias)

    def catch_up(self, *, wait: bool = True) -> Sequence[Refused]:
        """Take in what has come since; the records that are not in the league, and why.

        Args:
            wait: for another process that is changing the league; else it is left to that one.
        """
        if self._look() != self._seen:
            try:
                with self._changing(wait=wait):
                    pass  # to open a change is to catch up
            except Busy:
                self.people.look()
        if self._host is not None:
            with suppress(Busy):
                self._host.bring_in(partial(self._changing, wait=wait), self._take, wait=wait)
        return self._refused

    def do(self, *acts: Act, by: str) -> int:
        """Carry out acts, all or none, and keep them for good; the number of the first.

        Raises:
            BadAct: one has no sense; nothing has changed.
            LeagueError: they could not be kept.
        """
        if self._host is not None:
            self.catch_up()
        with self._changing() as session:
            return self._keep(session, acts, by)

    def rebuild(self, *, jobs: int | None = None) -> index.Report:
        """Throw the database's content away and make it again from records and acts.

        Records that this program has never played are played first, over so many processes (a
        core each), while what is there goes on being served.
        """
        self._play_ahead(jobs)
        with self._changing(anew=True) as session:
            report: index.Report = session.info["report"]
            self._reads.prune(session)
        return report

    def receive(self, content: bytes, *, table: str | None) -> Receipt:
        """Take in a record that a table sent, once however often it comes.

        Args:
            table: the one that sends it; None: the keeper, who may change any race.

        Raises:
            LeagueError: the disk or the database fails; nothing is acknowledged.
        """
        self.people.look()
        too_large = self._receiver.too_large(content, table=table)
        if too_large is not None:
            return too_large
        veiled, names = self.people.veil_record(content)
        try:
            with translated(), Session(self._engine) as session:
                known = index.race_of(session, veiled)
                if known is not None:
                    return Receipt("known", known)
                race = self._reads.finished(session, veiled).id
        except BadRecord as error:
            return self._receiver.set_aside(content, error, table=table)
        with self._changing() as session:
            row = session.get(RaceRow, race)
            owner = row.sender if row is not None else None
            refused = self._receiver.judge(race, veiled, owner=owner, table=table)
            if isinstance(refused, BadRecord):
                return self._receiver.set_aside(content, refused, table=table)
            if refused is not None:
                return refused
            self.people.keep(names)
            if table is not None:
                self._note_sender(session, race, table)
            self._take(session, [(race, veiled)])
        return Receipt("taken", race)

    def _note_sender(self, session: Session, race: str, table: str) -> None:
        """Write down who sends a record before it is kept: without the record that says nothing,
        but a record without it would be nobody's."""
        waits = clubs.waits_for_confirmation(session)
        self._write_down(session, [Receive(race=race, table=table, provisional=waits)], table)

    def _take(self, session: Session, records: Iterable[Named]) -> None:
        """Keep records, and read them in."""
        before = index.looks_of(self.storage)
        for race, veiled in records:
            self._receiver.write(race, veiled)
            file = f"{race}{index.ENDING}"
            index.read_file(session, self.storage, file, self._reads, self.people)
        if session.info["records-looks"] == before:  # nothing else has come meanwhile
            looks = session.info["records-looks"] = index.looks_of(self.storage)
            index.remember(session, {"records-looks": looks})
        self._catch_up(session, index.Report())

    def forget(self, name: str, *, by: str) -> str:
        """Erase a person's names for good; what the person is called from then on.

        Raises:
            BadAct: nobody in the league is called so.
            LeagueError: a file could not be written; ask again.
        """
        from companion.league.forgetting import forget

        with self._changing() as session:
            called = forget(self.storage, self.people, session, name)
        self.rebuild()
        self._compact()
        self.do(Forget(driver=called), by=by)
        return called

    def known(self) -> StoreQueries:
        """All that is known, hidden drivers too."""
        return self.queries

    @property
    def is_hosted(self) -> bool:
        """Whether the truth lies in the database, for several hosts."""
        return self._host is not None

    def told(self, text: str) -> str:
        """A text from a table as strangers may see it."""
        return self.public.text(self.people.told(text))

    def member(self, key: str) -> Member | None:
        """The person that a key was given to; None: nobody."""
        with translated(), Session(self._engine) as session:
            return clubs.member(session, digest_of_key(key))

    def table_of_race(self, race: str) -> str | None:
        """The table that a race was sent from or entered for; None: none, or no such race."""
        with translated(), Session(self._engine) as session:
            return clubs.table_of_race(session, race)

    def table_of(self, key: str) -> str | None:
        """The table that a key was given to; None: nobody's."""
        with translated(), Session(self._engine) as session:
            return clubs.table_of(session, digest_of_key(key))

    def close(self) -> None:
        """Let go of the database. May be called twice."""
        if self._database is not None:
            self._database.close()
        self._engine.dispose()

    @contextmanager
    def _changing(self, *, anew: bool = False, wait: bool = True) -> Iterator[Session]:
        """Caught up, and nobody else changes anything; committed at the end."""
        with (
            self.storage.held(wait=wait),
            translated(),
            Session(self._engine) as session,
            session.begin(),
        ):
            if self._database is not None:
                self._database.confirm(session.connection())
            if self._host is not None and self._seen is None and self._host.join():
                self._play_ahead(None)
            self.people.look()
            session.info["report"] = self._read_in(session, anew=anew)
            yield session
            kept.recount(session)
            refused = index.refused_files(session)
            # Whatever was done in here is seen by the next look, which then finds nothing new.
            self._seen, self._refused = self._look(session.info.get("records-looks")), refused

    def _read_in(self, session: Session, *, anew: bool) -> index.Report:
        if not (anew or self._is_own or self._host):
            index.check_owner(session, self.folder.data)
        if not anew and not index.is_current(session, self._journal, self.people):
            anew = True
        report = index.Report()
        is_first = self._seen is None
        for _ in range(2):
            if anew:
                report = index.Report()
                index.wipe(session)
                index.take_over(session, self.folder.data, self.people)
            looks = index.looks_of(self.storage)
            index.read_files(
                session,
                self.storage,
                self._reads,
                self.people,
                all_of_them=anew or is_first,
            )
            session.info["records-looks"] = looks
            anew = not anew and index.has_come_back(session)
            if not anew:
                break
        self._catch_up(session, report)
        return report

    def _catch_up(self, session: Session, report: index.Report) -> None:
        """The acts that have come, then those that put new records into their season."""
        index.apply_acts(session, self._journal, self.people, report)
        fresh = session.info.pop("fresh", set())
        waiting, season = index.waiting(session, fresh)
        if waiting:
            self._keep(session, index.placed(session, waiting, season), COMPANION)

    def _keep(self, session: Session, acts: Sequence[Act], by: str) -> int:
        """Carry out, then write down; the caller commits. The number of the first."""
        first = index.read_to(session).acts + 1
        at = self._now()
        who, people = self.people.told(by), self.people
        told = (retold(act, people.presented, people.told) for act in acts)
        done = [Done(n, act, at, who) for n, act in enumerate(told, first)]
        for one in done:
            apply(session, one)
        self._append(session, done)
        return first

    def _write_down(self, session: Session, acts: Sequence[Act], by: str) -> None:
        """Keep acts that are carried out when what they speak of is there."""
        read = index.read_to(session)
        at = self._now()
        done = [Done(n, act, at, by) for n, act in enumerate(acts, read.acts + 1)]
        self._journal.append(*[format_done(one, self.people) for one in done], after=read)

    def _append(self, session: Session, done: Sequence[Done]) -> None:
        lines = [format_done(one, self.people) for one in done]
        read = self._journal.append(*lines, after=index.read_to(session))
        index.remember_acts(session, read, self._journal.looks())

    def _play_ahead(self, jobs: int | None) -> None:
        self.people.look()
        veiled = (self.people.veil_record(one)[0] for _, one in contents(self.storage, RECORDS))
        with translated():
            self._reads.play_ahead(self._engine, veiled, jobs=jobs or os.cpu_count() or 1)

    def _compact(self) -> None:
        """Leave nothing of what was thrown away in the files of the database."""
        with translated():
            compact(self._engine)

    def _look(self, records: str | None = None) -> object:
        """What tells, without opening a file, whether anything has come.

        Args:
            records: how the folder of records looked when it was last read, where it was.
        """
        acts, found, *people = self.storage.looks(ACTS, RECORDS, *PEOPLE_FILES)
        return acts, found if records is None else records, people


def digest_of_key(key: str) -> str:
    """What is kept of a table's key, or a person's."""
    return hashlib.sha256(key.encode()).hexdigest()
