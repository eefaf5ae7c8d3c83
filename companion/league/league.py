"""A league that is open: acts and records are kept, and what stands is folded of them in memory.

Whoever reads is given a value (`stand.Stand`) and waits for nobody. Whoever writes is alone among
all processes and hosts; what others have written meanwhile is folded first, by the numbers of the
acts. An act that is undone is folded as if it had never been. Every act has a sum over itself and
all before it, which is checked when the league is opened.

To forget a person is the one act that is not undone: acts and records are written anew without the
name, with new sums, and the league's edition goes up, by which others know to fold from nothing and
to go through their own folders.
"""

from __future__ import annotations

import json
import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import RLock
from typing import Any, Final, TypeVar

from companion.league import database, errors, finished, keeping
from companion.league.acts import Act, Forget, Rename, Undo
from companion.league.change import Change
from companion.league.finished import PROGRAM
from companion.league.folding import UNDONE, Folded, Folding, nothing
from companion.league.forms import UNSAID
from companion.league.keeping import answered
from companion.league.numbers import Counts
from companion.league.plain import Line, Once, Refused
from companion.league.receiving import Folder, extends, set_aside, too_large
from companion.league.stand import Member, Stand
from companion.league.view import View
from companion.race.record import RecordError, parse_record
from companion.system.frozen import dataclass
from companion.system.host import Closing

FEW: Final = 16
"""So many records are played where they are: to start processes would take longer."""
AT_ONCE: Final = 200
"""Records in memory at a time while they are played."""
STEPS: Final = 8
"""Values of before that are at hand, for an act that is undone soon."""
MadeT = TypeVar("MadeT")
HEAD: Final = "league/last"
"""How far the acts go: the number of the last one and the edition, beside the database."""


@dataclass(frozen=True, slots=True)
class Report:
    """What folding anew came to: acts that no longer make sense, by number, and whether all else
    is as it was."""

    idle: Mapping[int, str]
    is_same: bool = True


class League(Closing):
    """The league of a data folder.

    Args:
        data: the folder of the table, with its `records`.
        url: the database; None: SQLite in the folder.
        now: the date and time, ISO 8601.
        measure: what counts the numbers of a race.

    Raises:
        LeagueError: the database cannot be opened, is damaged, or the folder has a league of an
            older version.
    """

    def __init__(
        self,
        data: Path,
        *,
        now: Callable[[], str],
        url: str | None = None,
        measure: finished.Measure = finished.measure_nothing,
    ) -> None:
        self.folder = errors.LeagueFolder(data.absolute())
        if url is None:
            keeping.refuse_old(self.folder)
        self._database = (
            database.Sqlite(self.folder.database) if url is None else database.database_of(url)
        )
        self._own = database.FolderStorage(self.folder.data)
        self.storage: database.Storage = self._own
        if self._database.is_shared:
            self.storage = database.RowStorage(self._database)
        self._now = now
        self._lock = RLock()
        self._now_is = nothing()
        self._steps: deque[Folded] = deque(maxlen=STEPS)
        self._people, self._counts = keeping.People(b""), Counts()
        self._folding = Folding(self._database, self._own, measure)
        self._files = Folder(self.folder)
        self._refused: list[Refused] = []
        self.queries = View(lambda: self.stand, lambda: self._counts, self._lines)
        self.public = View(lambda: self.stand, lambda: self._counts, self._lines, self.alias)
        try:
            self._open()
        except BaseException as error:
            self._database.close()
            # The library says so of its own pages, and of what stands in the rows nobody does.
            if isinstance(error, ValueError | TypeError | LookupError):
                says = f"the league's database is damaged, restore a backup: {error!r:.120}"
                raise errors.BrokenFile(says) from error
            raise

    @property
    def stand(self) -> Stand:
        """The league as it stands."""
        return self._now_is.stand

    def _open(self) -> None:
        self._database.make()
        with self._database.writing() as ask:
            keeping.begin(ask, self.folder, is_shared=self._database.is_shared)
        with self._lock:
            self._catch_up()
            self._check_head()
            self._folding.keep(self._now_is)

    # -- reading ----------------------------------------------------------------------------

    def catch_up(self, *, wait: bool = True) -> Sequence[Refused]:
        """Take in what has come since; the records that are not in the league, and why.

        Args:
            wait: for whoever is changing the league; else it is left to that one.
        """
        if not self._lock.acquire(blocking=wait):
            return self._refused
        try:
            with suppress(database.Busy):
                self._catch_up(wait=wait)
                self._take_files(wait=wait)
        finally:
            self._lock.release()
        return self._refused

    @property
    def is_hosted(self) -> bool:
        """Whether the database is one that several hosts share."""
        return self._database.is_shared

    def alias(self, key: str) -> str:
        """What a driver is called who is not to be named."""
        return self._people.alias(key)

    def told(self, text: str) -> str:
        """A text from a table as strangers may see it."""
        return self.public.text(self._people.told(text))

    def member(self, key: str) -> Member | None:
        """The person that a key was given to; None: nobody."""
        self.catch_up(wait=False)
        digest = keeping.digest_of_key(key)
        found = (one for known, one in self.stand.members.values() if known == digest)
        return next(found, None)

    def table_of_race(self, race: str) -> str | None:
        """The table that a race was sent from or entered for; None: none, or no such race."""
        told = self.stand.told.get(race)
        return None if told is None else told.race.sender

    def table_of(self, key: str) -> str | None:
        """The table that a key was given to; None: nobody's."""
        self.catch_up(wait=False)
        digest = keeping.digest_of_key(key)
        return next((name for name, known in self.stand.tables.items() if known == digest), None)

    def history(
        self,
        *,
        by: str | None = None,
        day: str | None = None,
        race: str | None = None,
        latest: int | None = None,
    ) -> list[dict[str, Any]]:
        """What was done, oldest first: `n`, `at`, `by`, the act, and by which act it was undone.

        Args:
            by, day, race: only what somebody has done, on a day, to a race.
            latest: only so many, the latest ones.
        """
        told = json.dumps({"race": race}, ensure_ascii=False)[1:-1]
        wanted = {
            "who = ?": by,
            "at LIKE ?": day and f"{day}%",
            "body LIKE ?": race and f"%{told}%",
        }
        given = {sql: value for sql, value in wanted.items() if value is not None}
        where = " AND ".join(["true", *given])
        sql = f"SELECT n, at, who, body, undone FROM acts WHERE {where} ORDER BY n DESC"
        with self._database.reading() as ask:
            limit = [] if latest is None else [latest]
            rows = ask(sql + (" LIMIT ?" if limit else ""), *given.values(), *limit)
        return [_told(*row) for row in reversed(rows)]

    def answered(self, once: Once) -> dict[str, Any] | None:
        """What was answered to a request with this key; None: it is new.

        Raises:
            KeyReused: the key was there, with another body.
        """
        with self._database.reading() as ask:
            return answered(ask, self._sealed(once))

    def _sealed(self, once: Once) -> Once:
        """What is kept of a key: what was asked may name somebody who is forgotten one day."""
        return once if once.asked is None else once._replace(asked=self._people.key_for(once.asked))

    def key_for(self, once: Once) -> str:
        """A new key for whoever asks so: the same one if the request comes again."""
        return self._people.key_for(f"{once.key} {once.asked}")

    def dump(self) -> bytes:
        """All that is kept, as JSON Lines: a head, the records, the acts."""
        with self._database.reading() as ask:
            return b"".join(keeping.dumped(ask))

    def _lines(self, race: str) -> list[Line] | None:
        told = self.stand.told.get(race)
        if told is None or told.record is None:
            return None
        with self._database.reading() as ask:
            content = ask.one("SELECT content FROM records WHERE digest = ?", told.record)
        try:
            lines: list[Line] | None = parse_record(bytes(content or b""))
        except RecordError:
            lines = None
        return lines

    # -- folding ----------------------------------------------------------------------------

    def _catch_up(self, *, wait: bool = True, jobs: int | None = None) -> None:
        """Fold what has come since, and leave no name of whom the league has forgotten since."""
        with self._database.reading(wait=wait) as ask:
            stale = self._stale(ask)
            if not stale:
                self._fold_on(ask)
        if stale:
            self._play(stale, jobs=jobs)
            self._catch_up(wait=wait)
        if self._files.edition != self._head.edition:
            if self._people.forgotten:
                self._sweep()
            self._files.edition = self._head.edition

    @property
    def _head(self) -> keeping.Head:
        return self._now_is.head

    def _stale(self, ask: database.Ask) -> list[str]:
        """The records that this program has not played; looked for when all is folded anew."""
        if ask.about("edition") == self._head.edition:
            return []
        sql = "SELECT digest FROM records WHERE program IS NULL OR program <> ?"
        return [digest for (digest,) in ask(sql, PROGRAM)]

    def _fold_on(self, ask: database.Ask) -> None:
        """Fold what others have written since."""
        n, edition = ask(
            "SELECT (SELECT max(n) FROM acts), (SELECT value FROM about WHERE name = 'edition')"
        )[0]
        now, edition = self._head, bytes(edition).decode()
        if (n or 0, edition) == (now.n, now.edition):
            return
        if edition != now.edition:
            self._people, self._counts = keeping.people_of(ask), Counts()
            self._folding.records = {}
        if edition == now.edition and not ask.one(UNDONE, now.n, f'%"{Undo.kind}"%'):
            since = self._now_is._replace(stand=self.stand.copied())
        else:
            since = self._folding.recalled(ask) if self._folding.kept is None else nothing()
            self._steps.clear()
        self._now_is = self._folding.fold(ask, since)

    def _check_head(self) -> None:
        """SQLite goes on silently where the end of its log is broken; what was written says so."""
        n, _, edition = (self._own.read(HEAD) or b"").decode("ascii", "replace").partition(" ")
        if self.is_hosted or edition != self._head.edition or not n.isdecimal():
            return
        if int(n) > self._head.n:
            why = f"the acts {self._head.n + 1} to {n} are missing"
            with self._database.reading() as ask:
                at = ask.one("SELECT at FROM acts WHERE n = ?", self._head.n)
            told = self._folding.damaged(self._head.n, at, why)
            raise errors.BrokenFile(
                f"{told}; without {self.folder.data / HEAD} it goes on without them"
            )

    # -- writing ----------------------------------------------------------------------------

    def do(self, *acts: Act, by: str, once: Once | None = None) -> int:
        """Carry out acts, all or none, and keep them for good; the number of the first.

        Args:
            once: the key of the request: with the same one nothing is done a second time.

        Raises:
            BadAct: one has no sense; nothing has changed.
            KeyReused: the key was there, with another body.
            LeagueError: they could not be kept.
        """
        self.catch_up()
        mine = self._sealed(once or keeping.new_once())
        return self._surely(lambda: self._write(acts, by, mine))

    def look(self, *acts: Act, by: str) -> tuple[View, list[str]]:
        """The league as it would stand if these acts were done, which they are not, and the seasons
        that they would change.

        Raises:
            BadAct: one has no sense.
        """
        if sum(isinstance(act, Undo) for act in acts) > 1:  # each is a fold of all acts
            raise errors.BadAct("one undo at a time can be looked at")
        self.catch_up()
        then = self.stand
        with suppress(_Looked), self._changing() as change:
            for act in acts:
                change.do(act, by)
            then = change.stand
            raise _Looked
        counts = Counts()
        alias = self.alias
        return View(lambda: then, lambda: counts, self._lines, alias), then.changed(self.stand)

    def undo(self, n: int, reason: str | None = None, *, by: str, once: Once | None = None) -> int:
        """Take an act back: all stands as if it had never been; the number of the act that says so.

        Raises:
            BadAct: there is no such act, or it is one that is not taken back.
        """
        return self.do(Undo(number=n, reason=reason or UNSAID), by=by, once=once)

    def _surely(self, write: Callable[[], MadeT]) -> MadeT:
        """Write; where the connection went meanwhile, look whether it is there, else once more."""
        try:
            return write()
        except database.Lost:
            return write()

    def _write(self, acts: Sequence[Act], by: str, once: Once) -> int:
        with self._changing() as change:
            known = keeping.number_of(change.ask, once)
            if known is not None:
                return known
            for act in acts:
                change.do(act, by, once)
            return change.first

    @contextmanager
    def _changing(self, *, wait: bool = True) -> Iterator[Change]:
        """Caught up, and alone; what is changed is seen by others once it is committed."""
        with self._lock:
            with self._database.writing(wait=wait) as ask:
                self._fold_on(ask)
                change = Change(ask, self._now_is, self._people, self._now, self._refolded)
                yield change
                change.place()
            before, self._now_is = self._now_is, change.now
            self._folding.records |= change.records
            if change.undone is not None:  # what was made of it is not to be gone on with
                kept = (one for one in self._steps if one.head.n < change.undone)
                self._steps = deque(kept, maxlen=STEPS)
            elif change.now is not before:
                self._steps.append(before._replace(stand=before.stand.bare()))
                self._note_head()

    def _refolded(self, ask: database.Ask, n: int) -> Folded:
        """A value of all acts, from the latest one at hand in which an act is not yet."""
        found = (one for one in reversed(self._steps) if 0 < one.head.n < n)
        one = next(found, None)
        since = nothing() if one is None else one._replace(stand=one.stand.copied())
        return self._folding.fold(ask, since)

    def _note_head(self) -> None:
        if not self.is_hosted:
            told = f"{self._head.n} {self._head.edition}".encode()
            self._own.write(HEAD, told, lasting=False)

    def held(self) -> AbstractContextManager[object]:
        """Nobody else writes meanwhile."""
        return self._database.writing()

    def rebuild(self, *, jobs: int | None = None) -> Report:
        """Fold all anew, and compare it with what stands.

        Args:
            jobs: processes, over which records are played that this program has never played.
        """
        self.catch_up()
        with self._lock:
            before, self._now_is = self.stand, nothing()
            self._catch_up(jobs=jobs)
            after = self.stand
        own = (name for name in vars(after) if name != "memo")
        is_same = all(getattr(after, name) == getattr(before, name) for name in own)
        return Report(dict(self._now_is.idle), is_same)

    # -- records ----------------------------------------------------------------------------

    def receive(self, content: bytes, *, table: str | None) -> errors.Receipt:
        """Take in a record that a table sent, once however often it comes.

        Args:
            table: the one that sends it; None: the keeper, who may change any race.

        Raises:
            LeagueError: the disk or the database fails; nothing is acknowledged.
        """
        self.catch_up()
        if (large := too_large(content)) is not None:
            return self._set_aside(content, large, table)
        veiled = self._people.veil_record(content)
        if (race := self._folding.records.get(keeping.digest_of(veiled))) is not None:
            return errors.Receipt("known", race)
        try:
            came = finished.came_of(veiled, self._folding.measure)
        except errors.NobodyDrove as error:
            return errors.Receipt("known", None, error.message)
        except errors.BadRecord as error:
            return self._set_aside(content, error, table)
        receipt = self._surely(lambda: self._take(veiled, came, table))
        if receipt.status == "refused":
            return self._set_aside(content, errors.BadRecord(1, receipt.message), table)
        return receipt

    def _take(
        self,
        veiled: bytes,
        came: finished.JSON,
        table: str | None,
        *,
        is_own: bool = False,
        wait: bool = True,
    ) -> errors.Receipt:
        """Take a record in: the longer one of a race, from whoever sent it first. Of a folder of
        one's own all is taken."""
        with self._changing(wait=wait) as change:
            return self._taken(change, veiled, came, table, is_own=is_own)

    def _taken(
        self, change: Change, veiled: bytes, came: finished.JSON, table: str | None, *, is_own: bool
    ) -> errors.Receipt:
        race, digest = came["id"], keeping.digest_of(veiled)
        if digest in self._folding.records:
            return errors.Receipt("known", race)
        told = change.stand.told.get(race)
        if not is_own and told is not None and told.record is not None:
            known = change.content(told.record)
            if extends(known, veiled):
                return errors.Receipt("known", race)
            if not extends(veiled, known):
                return errors.Receipt("refused", race, f"another race has the id {race}")
            if table not in (None, told.race.sender):
                message = f"the race {race} belongs to the table that sent it first"
                return errors.Receipt("refused", race, message)
        change.take(digest, veiled, came, table)
        return errors.Receipt("taken", race)

    def _set_aside(
        self, content: bytes, error: errors.BadRecord, table: str | None
    ) -> errors.Receipt:
        return set_aside(self._own, self._people, content, error, table=table)

    def _take_files(self, *, wait: bool) -> None:
        """Take in the records that the table has written into the folder since."""
        for file, content in self._files.new(self._folding.records):
            veiled = self._people.veil_record(content)
            digest = keeping.digest_of(veiled)
            try:
                if digest not in self._folding.records:
                    came, is_own = self._named(file, veiled), not self.is_hosted
                    receipt = self._take(veiled, came, None, is_own=is_own, wait=wait)
                    if receipt.status == "refused":
                        raise errors.BadRecord(1, receipt.message)
                self._files.note(file, digest)
            except errors.BadRecord as error:
                self._files.note(file, digest, error)
        self._refused = self._files.refused()

    def _named(self, file: str, content: bytes) -> dict[str, Any]:
        """What a file comes to, which must have the id of its race for a name: the file of a copy
        would be a second one."""
        came = finished.came_of(content, self._folding.measure)
        if file != f"{came['id']}.jsonl":
            raise errors.BadRecord(1, f"the file of this race is called {came['id']}.jsonl")
        return came

    def _play(self, digests: Sequence[str], *, jobs: int | None = None) -> None:
        """Play records that this program has never played, and keep what they come to."""
        play = partial(finished.played, measure=self._folding.measure)
        if len(digests) < FEW:
            self._play_some(digests, lambda contents: map(play, contents))
            return
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(jobs or os.cpu_count() or 1, mp_context=context) as pool:
            for first in range(0, len(digests), AT_ONCE):
                some = digests[first : first + AT_ONCE]
                self._play_some(some, lambda contents: pool.map(play, contents))

    def _play_some(
        self, digests: Sequence[str], play: Callable[[list[bytes]], Iterable[str | None]]
    ) -> None:
        sql = "SELECT content FROM records WHERE digest = ?"
        with self._database.reading() as ask:
            contents = [bytes(ask.one(sql, digest) or b"") for digest in digests]
        came = list(play(contents))
        with self._database.writing() as ask:
            for digest, text in zip(digests, came, strict=True):
                ask("UPDATE records SET program = ? WHERE digest = ?", PROGRAM, digest)
                if text is not None:  # else it stays what the older program made of it
                    ask("UPDATE records SET came = ? WHERE digest = ?", text, digest)

    # -- forgetting -------------------------------------------------------------------------

    def forget(self, name: str, *, by: str, once: Once | None = None) -> str:
        """Erase a person's names for good; what the person is called from then on.

        Raises:
            BadAct: nobody in the league is called so.
            LeagueError: it could not be kept; ask again.
        """
        self.catch_up()
        with self._lock:
            with self._database.writing() as ask:
                self._fold_on(ask)
                people = self._without(ask, name)
                keeping.rewrite(ask, people)
            self._catch_up()
            self._database.compact()
            called = self._people.alias(errors.key_of(name))
            told = self._sealed(once or keeping.new_once()).answered(name=called)
            self._surely(lambda: self._write([Forget(driver=called)], by, told))
        return called

    def _without(self, ask: database.Ask, name: str) -> keeping.People:
        """Who is not to be named from now on: the person under all names, and all titles."""
        stand, key = self.stand, errors.key_of(name)
        if key not in stand.names and not self._people.is_forgotten(name):
            raise errors.BadAct(f"nobody in the league is called {name!r}")
        keys = {key, *stand.names_of(stand.who(key))}
        for (body,) in ask("SELECT body FROM acts ORDER BY n"):
            act = json.loads(body)
            if act.get("act") == Rename.kind and errors.key_of(act["driver"]) in keys:
                keys.add(errors.key_of(act["name"]))
        gone = map(self._people.person, keys)
        return keeping.People(self._people.secret, {*self._people.forgotten, *gone})

    def _sweep(self) -> None:
        self._folding.kept = 0
        for path in self.folder.acts.glob("stood*"):
            path.unlink()
        keeping.sweep(self.folder, self._people, is_hosted=self.is_hosted)
        with self._database.rows() as ask:
            for name, value in ask(
                "SELECT name, value FROM about WHERE name LIKE ?", f"{database.LIVE}/%"
            ):
                text = f"{name} {bytes(value).decode('utf-8', 'replace')}"
                if self._people.told(text) != text:
                    ask("DELETE FROM about WHERE name = ?", name)

    def close(self) -> None:
        """Let go of the database. May be called twice."""
        with self._lock:
            self._folding.keep(self._now_is)
        self._database.close()


class _Looked(Exception):
    """Somebody has seen what would be; nothing of it is kept."""


def _told(n: int, at: str, who: str, body: str, undone: int | None) -> dict[str, Any]:
    """An act as it is listed; what it says under a word of the list's own stands apart."""
    act, own = json.loads(body), {"n": n, "at": at, "by": who}
    said = {key: act.pop(key) for key in own.keys() & act.keys()}
    return {**own, **act, **({"said": said} if said else {}), "undone": undone}
