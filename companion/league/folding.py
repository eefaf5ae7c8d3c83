"""How what stands in a league is folded of its acts, and kept, so that a start is spared it.

Acts and records alone are the truth: what was kept is what this very program has made of these very
acts, or it is not looked at.
"""

from __future__ import annotations

import gc
import json
import pickle
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from io import BytesIO
from logging import getLogger
from typing import Final, NamedTuple

from companion.league import database, errors, finished, keeping
from companion.league.acts import Done, TakeRecord, Undo, parse_act
from companion.league.stand import Stand
from companion.system.frozen import RecordReader
from companion.system.host import program_of

BEFORE: Final = -(10**9)
"""Records of before `takeover` have the numbers up to 0."""
AT_ONCE: Final = 200
"""Acts in memory at a time while they are folded."""
PARSE: Final = json.JSONDecoder().raw_decode
"""JSON that this program has written itself; there is much of it at a start."""
STOOD: Final = "league/stood"
"""What stood after so many acts, beside the database."""
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


def nothing() -> Folded:
    """What stands before any act; the caller may change it."""
    return Folded(Stand(), keeping.Head(), {})


class _Reader(RecordReader):
    rooms = re.compile(r"companion\.league\.(plain|results|stand|forms)")


class Folding:
    """The acts of a database, folded.

    Args:
        own: the storage of this host, where what stood is kept.
        measure: what counts the numbers of a race.
    """

    def __init__(
        self, store: database.Database, own: database.FolderStorage, measure: finished.Measure
    ) -> None:
        self._database, self._own, self.measure = store, own, measure
        self._program = program_of("league", "rules", "race").encode()
        self.records: dict[str, str] = {}
        """The digests of the records that acts have brought, and their races."""
        self.kept: int | None = None
        """After how many acts it was kept; None: nobody has looked."""

    def fold(self, ask: database.Ask, since: Folded) -> Folded:
        """A value with what is kept behind it; the one that is given is changed.

        Raises:
            BrokenFile: an act is not what was written.
        """
        with _paused_gc():
            return self._folded(ask, since)

    def _folded(self, ask: database.Ask, since: Folded) -> Folded:
        stand, head, idle = since[0], since[1], dict(since[2])
        for sound in self._acts(ask, head):
            acts = [PARSE(one.body)[0] for one, _, _ in sound]
            records = dict(_records_in(acts))
            self.records |= records
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
                    raise errors.BrokenFile(self.damaged(n, last, why))
                sound.append((one, undone, total))
                seen, n, last = number, number, at
            yield sound

    def recalled(self, ask: database.Ask) -> Folded:
        """What was kept, if it was made of the acts that are there; else nothing, to fold all."""
        found, self.kept = nothing(), 0
        # Whatever is wrong with it, the acts are all there.
        with suppress(Exception), _paused_gc():
            file = BytesIO(self._own.read(STOOD) or b"")
            if file.read(SEAL) != self._sealed_by(file):
                return found
            own, told, idle, records = _Reader(file).load()
            head = keeping.Head(*told)
            del file  # there is much of it
            acts = (one for some in self._acts(ask, keeping.Head()) for one in some)
            total = next((total for one, _, total in acts if one.n == head.n), None)
            undone = ask.one(UNDONE, head.n, f'%"{Undo.kind}"%')
            if (total, ask.about("edition"), undone) == (head.sum, head.edition, 0):
                vars(found.stand).update(own)
                self.records, self.kept = records, head.n
                return Folded(found.stand, head, idle)
        return found

    def keep(self, now: Folded) -> None:
        """Keep what stands, where much has come since it was kept last."""
        head = now.head
        if head.n - (self.kept or 0) < MANY:
            return
        self.kept = head.n
        own = {name: value for name, value in vars(now.stand).items() if name != "memo"}
        told = own, tuple(head), now.idle, self.records
        try:
            with self._database.rows() as ask:
                if ask.about("edition") != head.edition:
                    return  # somebody was forgotten meanwhile
            file = BytesIO()
            file.seek(SEAL)
            with _paused_gc():
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
            text = finished.played(bytes(content or b""), self.measure)
        # The race is called by the one text that the act has: there are many.
        return finished.from_json({**PARSE(text)[0], "id": act.race}) if text else None

    def damaged(self, n: int, at: str, why: str) -> str:
        """The message for a damaged league: what is wrong, up to which act (`n`, done `at`) it is
        whole, and what to do."""
        told = f"the acts up to {n}, of {at}, are whole" if at else f"the acts up to {n} are whole"
        whole = told if n else "no act of it is whole"
        back = "companion restore brings the last backup back"
        return f"{self._database.place} is damaged: {why}; {whole}, and {back}"


@contextmanager
def _paused_gc() -> Iterator[None]:
    """Nothing of what is folded is garbage, and looking for it takes a third of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


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
