"""How a league is kept: its acts and records as rows, as lines, and without whom it has forgotten.

Every act has a sum over itself and all before it. All that is kept goes out as JSON Lines, into
backups and from one database into another: who the league is, then its records, then its acts.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from companion.league.acts import TakeRecord, format_act, parse_act
from companion.league.database import Ask, Sqlite
from companion.league.errors import BadAct, BrokenFile, KeyReused, LeagueFolder, NoStore, OldLeague
from companion.league.finished import JSON
from companion.league.finished import retold as retold_record
from companion.league.forms import retold
from companion.league.people import People
from companion.league.ports import Once
from companion.system.host import write_whole

FIRST: Final = "-"
"""What the sum of the first act is made on."""
TELL: Final = json.JSONEncoder(ensure_ascii=False).encode


class Kept(NamedTuple):
    """An act as it is kept."""

    n: int
    key: str | None
    at: str
    who: str
    body: str

    def sum(self, before: str) -> str:
        """The sum over it and all before it."""
        told = TELL([before, *self])
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


class Head(NamedTuple):
    """How far the acts were read."""

    n: int = 0
    edition: str = "0"
    sum: str = FIRST


# -- rows -----------------------------------------------------------------------------------------


def insert(ask: Ask, one: Kept, before: str, once: Once | None = None) -> str:
    """Keep an act; its sum."""
    total = one.sum(before)
    asked, answer = (once.asked, once.answer) if once else (None, None)
    told = None if answer is None else json.dumps(answer, ensure_ascii=False)
    names = "n, key, at, who, body, sum, asked, answer"
    sql = f"INSERT INTO acts ({names}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    ask(sql, *one, total, asked, told)
    return total


def put_record(
    ask: Ask,
    digest: str,
    race: str,
    sender: str | None,
    content: bytes,
    program: str | None = None,
    came: str | None = None,
) -> None:
    """Keep a record; without what it comes to, it is played when the league is opened."""
    names = "digest, race, sender, program, came, content"
    sql = f"INSERT INTO records ({names}) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
    ask(sql, digest, race, sender, program, came, content)


def begin(ask: Ask, folder: LeagueFolder, *, is_shared: bool) -> None:
    """See that a database has a league: its own, else the one that the folder has, else a new one.

    Raises:
        NoStore: the folder has another league, or one of an older version.
    """
    secret = ask.about("secret")
    if secret is None:
        if is_shared:
            refuse_old(folder)
            if ask.one("SELECT to_regclass('kept_pieces')") is not None:
                raise OldLeague(f"the database has a league of an older version: {TAKEOVER}")
        load(ask, b"".join(lines_in(folder, is_shared=is_shared)))
    elif is_shared:
        head = next(iter(lines_in(folder, is_shared=True)), None)
        if head is not None and json.loads(head)["secret"] != secret:
            raise NoStore(
                f"the database has another league than {folder.acts}: name an empty one, or move "
                f"that folder and {folder.records} away to serve the league of the database from "
                "here"
            )


def lines_in(folder: LeagueFolder, *, is_shared: bool) -> Iterator[bytes]:
    """The league of a folder as JSON Lines: of its own database, else of a backup."""
    if is_shared and folder.database.exists():
        with Sqlite(folder.database) as own, own.reading() as ask:
            yield from dumped(ask)
    elif folder.lines.exists():
        yield from folder.lines.read_bytes().splitlines(keepends=True)


TAKEOVER: Final = "companion league takeover takes it over, and leaves what is there where it is"


def refuse_old(folder: LeagueFolder) -> None:
    """See that a folder has no league that an older program has kept.

    Raises:
        OldLeague: it has, and none of today.
    """
    if folder.old_acts.exists() and not folder.database.exists() and not folder.lines.exists():
        raise OldLeague(f"{folder.data} has a league of an older version: {TAKEOVER}")


def dumped(ask: Ask) -> Iterator[bytes]:
    """All that is kept, line by line: who it is, the records, the acts."""
    about = {"secret": ask.about("secret"), "edition": ask.about("edition")}
    forgotten = json.loads(ask.about("forgotten") or "[]")
    yield _line({"league": 1, **about, "forgotten": forgotten})
    for (digest,) in ask("SELECT digest FROM records ORDER BY digest"):
        sql = "SELECT race, sender, content FROM records WHERE digest = ?"
        ((race, sender, content),) = ask(sql, digest)
        text = bytes(content).decode("utf-8", "surrogateescape")
        yield _line({"record": digest, "race": race, "sender": sender, "content": text})
    for n, key, at, who, body, undone in ask(
        "SELECT n, key, at, who, body, undone FROM acts ORDER BY n"
    ):
        act = {"key": key, "at": at, "by": who, "act": json.loads(body), "undone": undone}
        yield _line({"n": n, **act})


def _line(data: Mapping[str, object]) -> bytes:
    # In ASCII: what a record has that is no text at all survives only so.
    return json.dumps(data).encode() + b"\n"


def load(ask: Ask, content: bytes) -> None:
    """Fill an empty database with what `dumped` told; nothing begins a new league.

    Raises:
        BrokenFile: a line is none of these.
    """
    head: JSON = {"secret": secrets.token_hex(32), "edition": "1", "forgotten": []}
    total = FIRST
    for number, line in enumerate(content.splitlines(), 1):
        try:
            one = json.loads(line)
            if "league" in one:
                head = one
            elif "record" in one:
                text = one["content"].encode("utf-8", "surrogateescape")
                put_record(ask, one["record"], one["race"], one["sender"], text)
            else:
                body = json.dumps(one["act"], ensure_ascii=False)
                kept = Kept(one["n"], one["key"], one["at"], one["by"], body)
                total = insert(ask, kept, total)
                ask("UPDATE acts SET undone = ? WHERE n = ?", one["undone"], kept.n)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BrokenFile(f"line {number} of the league is damaged: {error!r:.80}") from error
    ask.put("secret", head["secret"])
    ask.put("edition", head["edition"])
    ask.put("forgotten", json.dumps(head["forgotten"]))


def new_once() -> Once:
    """A key for whoever has none: by it is seen whether what was written has come to be kept."""
    return Once(secrets.token_hex(16))


def number_of(ask: Ask, once: Once) -> int | None:
    """The act that a request with this key has led to; None: it is new.

    Raises:
        KeyReused: the key was there, with another body.
    """
    for n, asked in ask("SELECT n, asked FROM acts WHERE key = ?", once.key):
        if asked is not None and asked != once.asked:
            raise KeyReused("this Idempotency-Key was there already, with another body")
        number: int = n
        return number
    return None


def answered(ask: Ask, once: Once) -> JSON | None:
    """What was answered to a request with this key; None: it is new."""
    n = number_of(ask, once)
    if n is None:
        return None
    told = ask.one("SELECT answer FROM acts WHERE key = ?", once.key)
    answer: JSON = json.loads(told or "{}")
    return answer | ({"act": n} if "act" in answer else {})


def digest_of(content: bytes) -> str:
    """By which the bytes of a record are known."""
    return hashlib.sha256(content).hexdigest()


def digest_of_key(key: str) -> str:
    """What is kept of a table's key, or a person's."""
    return digest_of(key.encode())


# -- forgetting -----------------------------------------------------------------------------------


def people_of(ask: Ask) -> People:
    """Who is not to be named in a league."""
    return People((ask.about("secret") or "").encode(), json.loads(ask.about("forgotten") or "[]"))


def rewrite(ask: Ask, people: People) -> None:
    """Write acts and records anew, without the names of whom these people have forgotten."""
    digests: dict[str, str] = {}
    for (old,) in ask("SELECT digest FROM records"):
        sql = "SELECT race, sender, program, came, content FROM records WHERE digest = ?"
        ((race, sender, program, came, content),) = ask(sql, old)
        veiled = people.veil_record(bytes(content))
        digests[old] = digest_of(veiled)
        if veiled != bytes(content) or people.told(sender or "") != (sender or ""):
            ask("DELETE FROM records WHERE digest = ?", old)
            told = came and retold_record(came, people.told_in)
            who = None if sender is None else people.told(sender)
            put_record(ask, digests[old], race, who, veiled, program, told)
    total = FIRST
    for n, key, at, who, body, answer in ask(
        "SELECT n, key, at, who, body, answer FROM acts ORDER BY n"
    ):
        one = Kept(n, key, at, people.told(people.presented(who)), _retold(body, people, digests))
        total = one.sum(total)
        said = None if answer is None else json.dumps(people.told_in(json.loads(answer)))
        sql = "UPDATE acts SET who = ?, body = ?, sum = ?, answer = ? WHERE n = ?"
        ask(sql, one.who, one.body, total, said, n)
    ask.put("forgotten", json.dumps(sorted(people.forgotten)))
    ask.put("edition", f"{int(ask.about('edition') or 0) + 1}")


def _retold(body: str, people: People, digests: Mapping[str, str]) -> str:
    try:
        act = retold(parse_act(json.loads(body)), people.presented, people.told)
    except BadAct:
        return json.dumps(people.told_in(json.loads(body)), ensure_ascii=False)
    if isinstance(act, TakeRecord):
        act = replace(act, record=digests.get(act.record, act.record))
    return json.dumps(format_act(act), ensure_ascii=False)


def sweep(folder: LeagueFolder, people: People, *, is_hosted: bool = False) -> None:
    """Leave no name in the files of a folder: what lies aside goes, records are written anew.

    Raises:
        BrokenFile: a file could not be written.
    """
    try:
        for path in folder.records.glob("*.jsonl"):
            _rewrite_file(path, people.veil_record)
        for path in folder.acts.glob(f"{folder.database.name}*") if is_hosted else ():
            path.unlink(missing_ok=True)  # of before a database was named
        (folder.data / "league.db").unlink(missing_ok=True)  # of before `takeover`: an index
        for path in folder.acts.rglob("*"):
            if path.name in (folder.old_acts.name, "names.jsonl", folder.lines.name):
                _rewrite_file(path, people.told_lines)
            elif path.is_file() and not path.name.startswith(folder.database.name):
                text = f"{path.name} {path.read_bytes().decode('utf-8', 'replace')}"
                if people.told(text) != text:
                    path.unlink(missing_ok=True)
    except OSError as error:
        raise BrokenFile(f"{error.filename} cannot be written: {error.strerror}") from error


def _rewrite_file(path: Path, told: Callable[[bytes], bytes]) -> None:
    content = path.read_bytes()
    fresh = told(content)
    if fresh != content:
        write_whole(path, fresh)


def forget_again(folder: LeagueFolder, since: LeagueFolder) -> None:
    """Forget in an older copy of a league whom the league has forgotten since.

    Raises:
        BrokenFile: a file could not be written, or the copy is another league's: its hashes say
            nothing of who was forgotten here.
    """
    with Sqlite(since.database) as now, now.reading() as ask:
        people = people_of(ask)
    if not people.forgotten:
        return
    with Sqlite(folder.database) as then:
        then.make()
        with then.writing() as ask:
            if ask.about("secret") is None:
                head = {"league": 1, "secret": people.secret.decode(), "edition": "1"}
                own = b"".join(lines_in(folder, is_shared=False))
                load(ask, own or _line({**head, "forgotten": []}))
            if (ask.about("secret") or "").encode() != people.secret:
                raise BrokenFile(
                    "this backup is of another league: who was forgotten here cannot be found in "
                    "it; restore it into a folder of its own"
                )
            rewrite(ask, people)
        then.compact()
    sweep(folder, people)
