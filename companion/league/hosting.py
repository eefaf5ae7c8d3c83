"""A host of a club whose truth lies in the database: what its own folder has comes in there.

A table of the house writes its records into the folder, as always; a club that was kept in one
before brings its acts and its names. They are brought once, and stay where they are.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from itertools import chain

from sqlalchemy.orm import Session

from companion.league.errors import BadRecord, NoStore
from companion.league.folder import LeagueFolder
from companion.league.forgetting import forget_again
from companion.league.people import FORGOTTEN, NAMES, SECRET, People
from companion.league.receiving import Receiver
from companion.league.storage import (
    ACTS,
    ASIDE,
    PEOPLE,
    RECORDS,
    Busy,
    FolderStorage,
    Storage,
    contents,
)
from companion.league.store.queue import RecordQueue
from companion.league.store.reads import Reads

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
