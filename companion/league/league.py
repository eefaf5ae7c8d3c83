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

import gc
import json
import multiprocessing
import os
import pickle
import re
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from hashlib import sha256
from io import BytesIO
from logging import getLogger
from pathlib import Path
from threading import RLock
from typing import Any, Final, NamedTuple, TypeVar

from companion.league import database, errors, finished, keeping
from companion.league.acts import (
    Act,
    Amend,
    Done,
    EnterRace,
    Forget,
    Merge,
    PlaceRace,
    Receive,
    Rename,
    SetSeason,
    TakeRecord,
    Undo,
    format_act,
    parse_act,
)
from companion.league.finished import PROGRAM
from companion.league.forms import MOST_ROUNDS, UNSAID, retold
from companion.league.keeping import answered, put_record
from companion.league.numbers import Counts
from companion.league.plain import COMPANION, Line, Once, Refused
from companion.league.receiving import Folder, extends, set_aside, too_large
from companion.league.stand import Member, Stand
from companion.league.view import View
from companion.race.record import RecordError, parse_record
from companion.system.frozen import RecordReader, dataclass
from companion.system.host import Closing, program_of

BEFORE: Final = -(10**9)
"""Records of before `takeover` have the numbers up to 0."""
FEW: Final = 16
"""So many records are played where they are: to start processes would take longer."""
AT_ONCE: Final = 200
"""Acts in memory at a time while they are folded, and records while they are played."""
STEPS: Final = 8
"""Values of before that are at hand, for an act that is undone soon."""
PARSE: Final = json.JSONDecoder().raw_decode
"""JSON that this program has written itself; there is much of it at a start."""
MadeT = TypeVar("MadeT")
YEAR: Final = re.compile(r"[12]\d{3}")
"""The key of a season that was made by itself."""
HEAD: Final = "league/last"
"""How far the acts go: the number of the last one and the edition, beside the database."""
STOOD: Final = "league/stood"
"""What stood after so many acts: it spares folding them. Acts and records alone are the truth; this
is what this very program has made of these very acts, or it is not looked at."""
SEAL: Final = sha256().digest_size
"""Bytes at its beginning, over the program and the rest."""
UNDONE: Final = "SELECT count(*) FROM acts WHERE n > ? AND body LIKE ?"
MANY: Final = 1000
"""Acts that are folded sooner than it is worth to keep anew what they came to."""


class Folded(NamedTuple):
    """A value, how far the acts are in it, and which of them make no sense any more."""

    stand: Stand
    head: keeping.Head
    idle: dict[int, str]


class _Reader(RecordReader):
    rooms = re.compile(r"companion\.league\.(plain|results|stand|forms)")


MOST_TOLD = 3
"""Races that a refusal names."""


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
        self._now, self._measure = now, measure
        self._lock = RLock()
        self._now_is = Folded(Stand(), keeping.Head(), {})
        self._steps: deque[Folded] = deque(maxlen=STEPS)
        self._people, self._counts = keeping.People(b""), Counts()
        self._records: dict[str, str] = {}
        self._program = program_of("league", "rules", "race").encode()
        self._kept: int | None = None  # after how many acts; None: nobody has looked
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
            self._keep()

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
            self._people, self._counts, self._records = keeping.people_of(ask), Counts(), {}
        if edition == now.edition and not ask.one(UNDONE, now.n, f'%"{Undo.kind}"%'):
            since = self._now_is._replace(stand=self.stand.copied())
        else:
            since = (
                self._recalled(ask) if self._kept is None else Folded(Stand(), keeping.Head(), {})
            )
            self._steps.clear()
        self._now_is = self.folded(ask, since)

    def folded(self, ask: database.Ask, since: Folded) -> Folded:
        """A value with what is kept behind it; the one that is given is changed.

        Raises:
            BrokenFile: an act is not what was written.
        """
        with paused_gc():
            return self._folded(ask, since)

    def _folded(self, ask: database.Ask, since: Folded) -> Folded:
        stand, head, idle = since[0], since[1], dict(since[2])
        for sound in self._acts(ask, head):
            acts = [PARSE(one.body)[0] for one, _, _ in sound]
            records = dict(_records_in(acts))
            self._records |= records
            came = _came(ask, records)
            for (one, undone, total), act in zip(sound, acts, strict=True):
                head = keeping.Head(one.n, "", total)
                if undone is None:
                    self._carry_out(ask, stand, one, act, idle, came)
        return Folded(stand, head._replace(edition=ask.about("edition") or ""), idle)

    def _acts(
        self, ask: database.Ask, since: keeping.Head
    ) -> Iterator[list[tuple[keeping.Kept, int | None, str]]]:
        """The acts behind a head, some at a time, each with the one that undid it, and its sum.

        Raises:
            BrokenFile: an act is not what was written.
        """
        n, total, last = since.n, since.sum, ""
        seen = BEFORE if total == keeping.FIRST else n
        columns = "n, key, at, who, body, undone, sum"
        sql = f"SELECT {columns} FROM acts WHERE n > ? ORDER BY n LIMIT {AT_ONCE}"
        while rows := ask(sql, seen):
            sound = []
            for number, key, at, who, body, undone, kept in rows:
                one = keeping.Kept(number, key, at, who, body)
                total = one.sum(total)
                if total != kept:  # before it is read, as it may be no JSON either
                    why = f"act {number} is not what was written"
                    raise errors.BrokenFile(self._damaged(n, last, why))
                sound.append((one, undone, total))
                seen, n, last = number, number, at
            yield sound

    def _recalled(self, ask: database.Ask) -> Folded:
        """What was kept, if it was made of the acts that are there; else nothing, to fold all."""
        nothing, self._kept = Folded(Stand(), keeping.Head(), {}), 0
        # Whatever is wrong with it, the acts are all there.
        with suppress(Exception), paused_gc():
            file = BytesIO(self._own.read(STOOD) or b"")
            if file.read(SEAL) != self._sealed_by(file):
                return nothing
            own, told, idle, records = _Reader(file).load()
            head = keeping.Head(*told)
            del file  # there is much of it
            acts = (one for some in self._acts(ask, keeping.Head()) for one in some)
            total = next((total for one, _, total in acts if one.n == head.n), None)
            undone = ask.one(UNDONE, head.n, f'%"{Undo.kind}"%')
            if (total, ask.about("edition"), undone) == (head.sum, head.edition, 0):
                vars(nothing.stand).update(own)
                self._records, self._kept = records, head.n
                return Folded(nothing.stand, head, idle)
        return nothing

    def _keep(self) -> None:
        """Keep what stands, where much has come since it was kept last."""
        if self._head.n - (self._kept or 0) < MANY:
            return
        self._kept = self._head.n
        own = {name: value for name, value in vars(self.stand).items() if name != "memo"}
        told = own, tuple(self._head), self._now_is.idle, self._records
        try:
            with self._database.rows() as ask:
                if ask.about("edition") != self._head.edition:
                    return  # somebody was forgotten meanwhile
            file = BytesIO()
            file.seek(SEAL)
            with paused_gc():
                pickle.dump(told, file, pickle.HIGHEST_PROTOCOL)
            seal = self._sealed_by(file)
            file.seek(0)
            file.write(seal)
            self._own.write(STOOD, file.getvalue(), lasting=False)
        except Exception:  # the next start is but slower
            getLogger(__name__).exception("what stands in the league is not kept")

    def _sealed_by(self, file: BytesIO) -> bytes:
        """The seal of what stands behind it in a file."""
        with file.getbuffer() as content:
            return sha256(self._program + sha256(content[SEAL:]).digest()).digest()

    def _carry_out(
        self,
        ask: database.Ask,
        stand: Stand,
        one: keeping.Kept,
        body: finished.JSON,
        idle: dict[int, str],
        came: Mapping[str, str | None],
    ) -> None:
        """Carry out an act that was kept; one that makes no sense any more is noted."""
        known = len(stand.names)
        try:
            act = parse_act(body)
            found = self._found(ask, act, came) if isinstance(act, TakeRecord) else None
            act.do(stand, Done(one.n, act, one.at, one.who, found))
        except errors.BadAct as error:
            while len(stand.names) > known:  # whom it named nobody has heard of
                stand.names.popitem()
            idle[one.n] = str(error)
        stand.memo.clear()

    def _found(
        self, ask: database.Ask, act: TakeRecord, came: Mapping[str, str | None]
    ) -> finished.Finished | None:
        text = came.get(act.record)
        if text is None:
            content = ask.one("SELECT content FROM records WHERE digest = ?", act.record)
            text = finished.played(bytes(content or b""), self._measure)
        # The race is called by the one text that the act has: there are many.
        return finished.from_json({**PARSE(text)[0], "id": act.race}) if text else None

    def _damaged(self, n: int, at: str, why: str) -> str:
        told = f"the acts up to {n}, of {at}, are whole" if at else f"the acts up to {n} are whole"
        whole = told if n else "no act of it is whole"
        back = "companion restore brings the last backup back"
        return f"{self._database.place} is damaged: {why}; {whole}, and {back}"

    def _check_head(self) -> None:
        """SQLite goes on silently where the end of its log is broken; what was written says so."""
        n, _, edition = (self._own.read(HEAD) or b"").decode("ascii", "replace").partition(" ")
        if self.is_hosted or edition != self._head.edition or not n.isdecimal():
            return
        if int(n) > self._head.n:
            why = f"the acts {self._head.n + 1} to {n} are missing"
            with self._database.reading() as ask:
                at = ask.one("SELECT at FROM acts WHERE n = ?", self._head.n)
            told = self._damaged(self._head.n, at, why)
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
                change = Change(self, ask)
                yield change
                change.place()
            before, self._now_is = self._now_is, change.now
            self._records |= change.records
            if change.undone is not None:  # what was made of it is not to be gone on with
                kept = (one for one in self._steps if one.head.n < change.undone)
                self._steps = deque(kept, maxlen=STEPS)
            elif change.now is not before:
                self._steps.append(before._replace(stand=before.stand.bare()))
                self._note_head()

    def step_before(self, n: int) -> Folded:
        """The latest value at hand in which an act is not yet; to be changed."""
        found = (one for one in reversed(self._steps) if 0 < one.head.n < n)
        one = next(found, None)
        if one is None:
            return Folded(Stand(), keeping.Head(), {})
        return one._replace(stand=one.stand.copied())

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
            before, self._now_is = self.stand, Folded(Stand(), keeping.Head(), {})
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
        if (race := self._records.get(keeping.digest_of(veiled))) is not None:
            return errors.Receipt("known", race)
        try:
            came = finished.came_of(veiled, self._measure)
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
        if digest in self._records:
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
        for file, content in self._files.new(self._records):
            veiled = self._people.veil_record(content)
            digest = keeping.digest_of(veiled)
            try:
                if digest not in self._records:
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
        came = finished.came_of(content, self._measure)
        if file != f"{came['id']}.jsonl":
            raise errors.BadRecord(1, f"the file of this race is called {came['id']}.jsonl")
        return came

    def _play(self, digests: Sequence[str], *, jobs: int | None = None) -> None:
        """Play records that this program has never played, and keep what they come to."""
        play = partial(finished.played, measure=self._measure)
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
        self._kept = 0
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
            self._keep()
        self._database.close()


class _Looked(Exception):
    """Somebody has seen what would be; nothing of it is kept."""


@contextmanager
def paused_gc() -> Iterator[None]:
    """Nothing of what is folded is garbage, and looking for it takes a third of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class Change:
    """What is changed in one transaction: acts and records, and the value that they make."""

    def __init__(self, league: League, ask: database.Ask) -> None:
        self._league, self.ask = league, ask
        self.now = self._before = league._now_is
        self.records: dict[str, str] = {}
        self.undone: int | None = None
        self.first = self.now.head.n + 1
        self._fresh: list[str] = []

    @property
    def stand(self) -> Stand:
        """The league with what has been changed so far."""
        return self.now.stand

    def do(
        self, act: Act, by: str, once: Once | None = None, found: finished.Finished | None = None
    ) -> None:
        """Carry out an act, and keep it.

        Raises:
            BadAct: it has no sense.
        """
        league, people = self._league, self._league._people
        act = retold(act, people.presented, people.told)
        n, at, who = self.now.head.n + 1, league._now(), people.told(people.presented(by))
        body = json.dumps(format_act(act), ensure_ascii=False)
        once = once if n == self.first else None
        if self.now is self._before:
            self.now = self.now._replace(stand=self.stand.copied())
        if isinstance(act, Undo):
            self._undo(act, n)
        else:
            act.do(self.stand, Done(n, act, at, who, found))
            self.stand.memo.clear()
        self._refuse_one_in_two_cars(act)
        one = keeping.Kept(n, once.key if once else None, at, who, body)
        total = keeping.insert(self.ask, one, self.now.head.sum, once)
        self.now = self.now._replace(head=self.now.head._replace(n=n, sum=total))

    def _refuse_one_in_two_cars(self, act: Act) -> None:
        """See that what is done makes nobody one person who drove two cars of a race under two
        names. What was kept before this was looked at still holds, until somebody parts them.

        Raises:
            BadAct: it does; the names and the races are named.
        """
        before, now = self._before.stand, self.stand
        races = [act.race] if isinstance(act, EnterRace | Amend) else []
        if isinstance(act, Merge | Undo):  # what an undo brings back may be an entry or a merge
            races = list(now.told)
        found: dict[tuple[str, ...], list[str]] = {}
        for key in races:
            race = now.told[key].race
            title = " ".join(dict.fromkeys((race.name, race.date[:10])))
            for names in now.in_two_cars(key) - before.in_two_cars(key):
                found.setdefault(names, []).append(title)
        if found:
            names, told = min(found.items())
            two, hint = [*map(now.spelled, names)], "; part them first"
            if isinstance(act, Merge):  # as they were asked for: other spellings may be hidden
                two, hint = [act.name, act.into], ""
            more = f" and {len(told) - MOST_TOLD} more" if told[MOST_TOLD:] else ""
            raise errors.BadAct(
                f"{' and '.join(two)} cannot be one person: both drove in "
                f"{', '.join(told[:MOST_TOLD])}{more}{hint}"
            )

    def take(self, digest: str, content: bytes, came: finished.JSON, table: str | None) -> None:
        """Keep a record, and take its race in."""
        race = came["id"]
        if race not in self.stand.told:
            self._fresh.append(race)
        text = json.dumps(came, ensure_ascii=False)
        put_record(self.ask, digest, race, table, content, PROGRAM, text)
        by = table or COMPANION
        self.do(TakeRecord(race=race, record=digest), by, found=finished.from_json(came))
        if table is not None:
            self.do(Receive(race=race, table=table, provisional=self.stand.waits), by)
        self.records[digest] = race

    def content(self, digest: str) -> bytes:
        """The bytes of a record."""
        return bytes(self.ask.one("SELECT content FROM records WHERE digest = ?", digest))

    def place(self) -> None:
        """Put the races that came in as records, and of which nobody has said where they belong,
        into the season that is open; else into none. The first race makes the season of its year,
        and so does the first one of a later year where seasons are made so."""
        for race in self._fresh:
            if self.stand.told[race].placed:
                continue
            year = self.stand.told[race].race.date[:4]
            if self._begins(year):
                self.do(SetSeason(season=year, title=year, is_open=True), COMPANION)
            seasons = (one.season for one in self.stand.stages.values() if one.season.is_open)
            act, season = PlaceRace(race=race, season=None), next(seasons, None)
            if season is not None:
                # The number is written down: it shall not hang on which other races are there.
                n = season.current_round or next(self.stand.next_rounds(season.key))
                number = n if n <= MOST_ROUNDS else UNSAID
                act = PlaceRace(race=race, season=season.key, round=number)
            self.do(act, COMPANION)

    def _begins(self, year: str) -> bool:
        """Whether a season of a year is to be made: nobody has made one, or those that are there
        are called after earlier years."""
        stages = self.stand.stages
        now = next((key for key, one in stages.items() if one.season.is_open), "")
        is_later = YEAR.fullmatch(now) is not None and now < year and year not in stages
        return YEAR.fullmatch(year) is not None and (is_later or not stages)

    def _undo(self, act: Undo, n: int) -> None:
        """Fold without an act; of an undo itself, with the one that it took back."""
        rows = self.ask("SELECT body, undone FROM acts WHERE n = ?", act.number)
        told: finished.JSON = {"act": Forget.kind}
        if rows and rows[0][1] is None:
            told = json.loads(rows[0][0])
        if told["act"] == Forget.kind:
            raise errors.BadAct(f"there is no act {act.number} that could be undone")
        first = act.number
        if told["act"] == Undo.kind:
            first = int(told["number"])
            self.ask("UPDATE acts SET undone = NULL WHERE n = ?", first)
        self.ask("UPDATE acts SET undone = ? WHERE n = ?", n, act.number)
        self.now = self._league.folded(self.ask, self._league.step_before(first))
        self.undone = min(first, self.undone or first)


def _told(n: int, at: str, who: str, body: str, undone: int | None) -> dict[str, Any]:
    """An act as it is listed; what it says under a word of the list's own stands apart."""
    act, own = json.loads(body), {"n": n, "at": at, "by": who}
    said = {key: act.pop(key) for key in own.keys() & act.keys()}
    return {**own, **act, **({"said": said} if said else {}), "undone": undone}


def _records_in(acts: Iterable[finished.JSON]) -> Iterator[tuple[str, str]]:
    """The digests of the records that some acts have brought, and their races."""
    for act in acts:
        if act["act"] == TakeRecord.kind:
            yield act["record"], act["race"]


def _came(ask: database.Ask, digests: Collection[str]) -> dict[str, str | None]:
    """What some records came to, asked for at once."""
    marks = ", ".join("?" * len(digests))
    sql = f"SELECT digest, came FROM records WHERE digest IN ({marks})"
    return dict(ask(sql, *digests)) if digests else {}
