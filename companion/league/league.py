"""A league that is open: all ways to its files and its database go through it.

Everything that changes goes through one lock, so that tables of the house, the command line and a
club's processes and hosts may use it at once. What people do is written down
(`journal.py`) between being carried out and being committed: if the plug is pulled in between,
the next one to open the league carries it out again. Who only reads never waits for the lock: a
page shows what is there, and the next one what has come.

A host of a club whose truth lies in the database: what its own folder has comes in there.

A table of the house writes its records into the folder, as always; a club that was kept in one
before brings its acts and its names. They are brought once, and stay where they are.

A person is forgotten: the name goes out of every file of the league, and comes into none again.

The order matters where the plug is pulled in between: first it is written down that the person is
forgotten, by which no name is shown any more; then files are made anew one by one. Asked again, it
goes on where it stopped.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from itertools import chain
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.league.acts import Act, Done, Forget, Receive, Rename, retold
from companion.league.errors import BadAct, BadRecord, BrokenFile, LeagueFolder, NoStore, key_of
from companion.league.finished import Measure, measure_nothing
from companion.league.journal import ActJournal, format_done, parse_done
from companion.league.people import FILES as PEOPLE_FILES
from companion.league.people import FORGOTTEN, NAMES, SECRET, People
from companion.league.plain import Line
from companion.league.ports import Member, Receipt, Refused
from companion.league.public import Public
from companion.league.receiving import Receiver
from companion.league.stages import Staging
from companion.league.storage import (
    ACTS,
    ASIDE,
    LIVE,
    PEOPLE,
    RECORDS,
    SENT,
    Busy,
    FolderStorage,
    Storage,
    contents,
)
from companion.league.store import applying, index, kept
from companion.league.store.applying import apply
from companion.league.store.models import NameRow, RaceRow
from companion.league.store.queries import StoreBook, StoreQueries
from companion.league.store.storage import (
    DatabaseStorage,
    RecordQueue,
    compact,
    open_database,
    sqlite_url,
    translated,
)
from companion.league.store.writing import Reads
from companion.system.host import Closing

# -- league ---------------------------------------------------------------------------------------


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
        waits = applying.waits_for_confirmation(session)
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
            return applying.member(session, digest_of_key(key))

    def table_of_race(self, race: str) -> str | None:
        """The table that a race was sent from or entered for; None: none, or no such race."""
        with translated(), Session(self._engine) as session:
            return applying.table_of_race(session, race)

    def table_of(self, key: str) -> str | None:
        """The table that a key was given to; None: nobody's."""
        with translated(), Session(self._engine) as session:
            return applying.table_of(session, digest_of_key(key))

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


# -- hosting --------------------------------------------------------------------------------------


BROUGHT = "league/brought.jsonl"
"""Which records of the folder the database has been given, and of which club it is."""
BEGUN = "league/begun"
"""There while a folder is brought: a digest of its secret."""
SWEPT = "league/swept"
"""Of whom the folder has no name any more, as `People.who_is_forgotten`."""
Named = tuple[str, bytes]
"""A record, by its file or its race."""
Change = Callable[[], AbstractContextManager[Session]]
Take = Callable[[Session, Iterable[Named]], object]


class Host:
    """The folder of a host.

    Args:
        queue: what the club has still to read in.
        receiver: where the club keeps records.
    """

    def __init__(
        self, folder: LeagueFolder, queue: RecordQueue, reads: Reads, receiver: Receiver
    ) -> None:
        self._folder = folder
        self._own = FolderStorage(folder.data)
        self._queue, self._reads, self._receiver = queue, reads, receiver
        self._club, self._people = receiver.storage, receiver.people
        self._seen: object = None
        self._swept = ""

    def join(self) -> bool:
        """Bring acts, names and records, if the club has none yet; whoever calls holds its lock.

        Whether something was brought.

        Raises:
            NoStore: the folder is another club's, or another one is being brought.
        """
        acts, own, begun = self._own.read(ACTS), _secret_in(self._own), self._club.read(BEGUN)
        if begun is not None and (acts is None or begun != _mark(own)):
            raise NoStore(
                "a host began to bring its league into the database and has not ended: start that "
                "one again first, or name an empty database"
            )
        if acts is None and not own:
            return False
        if begun is not None or not self._is_club():
            self._found(acts or b"")
            return True
        if own != self._secret():
            raise NoStore(
                f"the database has another league than {self._own.place(ACTS)}: name an empty one, "
                f"or move that file, {PEOPLE} and {RECORDS} away to serve the league of the "
                "database from here"
            )
        return False

    def _is_club(self) -> bool:
        return any(self._club.status(name) is not None for name in (ACTS, NAMES))

    def _found(self, acts: bytes) -> None:
        """The club begins with what the folder has.

        Other hosts stay away from its beginning to its end: a journal of their own in the middle
        of it would pass for this one's.
        """
        self._own.write_once(SECRET, self._secret())
        self._club.write(BEGUN, _mark(_secret_in(self._own)))
        for name in (SECRET, NAMES, FORGOTTEN):
            content = self._own.read(name)
            if content is not None:
                self._club.write(name, content)
        self._people.look()
        self._own.remove(BROUGHT)
        for file, content in self._unknown():
            veiled, names = self._people.veil_record(content)
            self._people.keep(names)
            self._club.write(f"{RECORDS}/{file}", veiled)
        for name, refused in contents(self._own, ASIDE):
            self._club.write(name, refused)
        self._club.write(ACTS, acts[: acts.rfind(b"\n") + 1])
        self._club.remove(BEGUN)

    def bring_in(self, change: Change, take: Take, *, wait: bool = True) -> None:
        """Give the club what the folder has, and read in what no host has read in yet.

        Args:
            change: opens the league to be changed. `take`: keeps records and reads them in.
            wait: for whoever is changing the league.

        Raises:
            Busy: somebody is, and this one does not `wait`.
        """
        self._forget_again(wait=wait)
        for file, content in self._new_records():
            with self._club.held(wait=wait):
                self._people.look()
                veiled, names = self._people.veil_record(content)
                self._people.keep(names)
            self._queue.put(file, veiled)
        while self._queue and self._queue.play(self._reads.play):
            pass
        with self._queue.played() as records:
            first = next(records, None)
            if first is not None:
                with change() as session:
                    take(session, self._judged(chain([first], records)))

    def _judged(self, records: Iterable[Named]) -> Iterator[Named]:
        """Those that are to be taken, as if the keeper had sent them, by race."""
        for file, content in records:
            race = file.removesuffix(".jsonl")
            veiled, _ = self._people.veil_record(content)  # who was forgotten since
            said = self._receiver.judge(race, veiled, owner=None, table=None)
            if said is None:
                yield race, veiled
            elif isinstance(said, BadRecord):
                self._receiver.set_aside(veiled, said, table=None)

    def _new_records(self) -> Iterator[Named]:
        """The records of the folder that the club has not been given; each is noted as given
        when the next one is asked for."""
        looks = self._own.looks(RECORDS)
        if looks == self._seen:
            return
        try:
            with self._own.held(wait=False):
                yield from self._unknown()
        except Busy:
            return  # another process of this host is at it
        self._seen = looks

    def _forget_again(self, *, wait: bool) -> None:
        """Forget in the folder whom the club has forgotten since.

        Its records have keys from then on, so the club is told the names of the others.
        """
        who = self._people.who_is_forgotten
        if who == self._swept:
            return
        if self._own.read(SWEPT) != who.encode():
            with self._own.held():
                if self._people.all_forgotten():
                    forget_again(self._folder, self._club)
                    with self._club.held(wait=wait):
                        self._people.look()
                        self._people.keep(People(self._own).all_names())
                self._own.write(SWEPT, who.encode())
        self._swept = who

    def _unknown(self) -> Iterator[Named]:
        club = _mark(self._secret()).decode()[:16]
        brought = self._brought()
        for file, status in self._own.listing(RECORDS).items():
            line = {"file": file, "size": status.size, "changed": status.changed, "club": club}
            if not file.endswith(".jsonl") or brought.get(file) == line:
                continue
            content = self._own.read(f"{RECORDS}/{file}")
            if content is not None:
                yield file, content
                self._own.append(BROUGHT, json.dumps(line).encode() + b"\n")

    def _brought(self) -> dict[str, object]:
        found: dict[str, object] = {}
        for text in (self._own.read(BROUGHT) or b"").splitlines():
            try:
                line = json.loads(text)
                found[line["file"]] = line
            except (ValueError, KeyError, TypeError):
                continue  # the plug cut it short: that record is brought again
        return found

    def _secret(self) -> bytes:
        self._people.mark("-")  # there is one from here on
        return _secret_in(self._club)


def _secret_in(storage: Storage) -> bytes:
    return (storage.read(SECRET) or b"").strip()


def _mark(secret: bytes) -> bytes:
    return hashlib.sha256(secret).hexdigest().encode()


# -- forgetting -----------------------------------------------------------------------------------


def forget(storage: Storage, people: People, session: Session, name: str) -> str:
    """Erase the names of a person; what the person is called from then on.

    The caller holds the lock, and makes the database again.

    Raises:
        BadAct: nobody is called so.
        BrokenFile: a file could not be written.
    """
    keys = _names_of(session, people, name)
    lines = ActJournal(storage).read()
    keys |= _titles(lines, people, keys)
    people.mark(name)  # there is a secret from here on
    people.forget({people.person(key) for key in keys})
    _erase(storage, people)
    return people.presented(name)


def forget_again(folder: LeagueFolder, since: Storage) -> None:
    """Forget in an older copy of a league whom the league has forgotten since.

    The database is made again out of the files when it is opened next.

    Raises:
        BrokenFile: a file could not be written, or the copy is another league's: its keys say
            nothing of who was forgotten here.
    """
    forget_since(FolderStorage(folder.data), since)
    for ending in ("", "-wal", "-shm"):
        folder.database.with_name(folder.database.name + ending).unlink(missing_ok=True)


def forget_since(storage: Storage, since: Storage) -> None:
    """Forget in one storage whom another one, which has the same keys, has forgotten.

    Raises:
        BrokenFile: they have other keys.
    """
    gone = People(since).all_forgotten()
    if not gone:
        return
    secret = since.read(SECRET) or b""
    storage.write_once(SECRET, secret)
    if (storage.read(SECRET) or b"").strip() != secret.strip():
        raise BrokenFile(
            "this backup is of another league: who was forgotten here cannot be found in it; "
            "restore it into a folder of its own"
        )
    people = People(storage)
    people.look()
    people.forget(gone)
    _erase(storage, people)


def _erase(storage: Storage, people: People) -> None:
    """Make the files anew that have a name of somebody who is forgotten."""
    journal = ActJournal(storage)
    lines = journal.read()
    for name, content in contents(storage, RECORDS):
        veiled, names = people.veil_record(content)
        if veiled != content:
            people.keep(names)
            storage.write(name, veiled)
    if lines:
        journal.replace([_veiled(line, people) for line in lines])
    _clear_aside(storage, people)


def _names_of(session: Session, people: People, name: str) -> set[str]:
    """The keys of all names of a person."""
    row = session.get(NameRow, key_of(name))
    if row is None and not people.is_forgotten(name):
        raise BadAct(f"nobody in the league is called {name!r}")
    if row is None:
        return {key_of(name)}
    own = select(NameRow.key).where(NameRow.driver_key == row.driver_key)
    return {*session.scalars(own), key_of(name)}


def _titles(lines: Iterable[Line], people: People, keys: set[str]) -> set[str]:
    """What the person was ever renamed to, which need not be a name of a race."""
    found: set[str] = set()
    for line in lines:
        if line.get("act") == Rename.kind:
            act: Act = parse_done(line, people).act
            if isinstance(act, Rename) and key_of(act.driver) in keys:
                found.add(key_of(act.name))
    return found


def _veiled(line: Line, people: People) -> Line:
    """A line of the journal with keys for names; one that no program knows stays as it is."""
    try:
        return format_done(parse_done(line, people), people)
    except BadAct:
        return line


def _clear_aside(storage: Storage, people: People) -> None:
    """What lies aside for people to look at, and how tables stood: whatever has the name goes."""
    sent = storage.read(SENT)
    aside = [*contents(storage, ASIDE), *contents(storage, LIVE), (SENT, sent or b"")]
    for name, content in aside:
        text = f"{name} {content.decode('utf-8', 'replace')}"  # a table may be named after them
        if people.scrubbed(text) != text:
            storage.remove(name)
