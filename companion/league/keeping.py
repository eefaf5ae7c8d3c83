"""How a league is kept: its acts and records as rows, as lines, and without whom it has forgotten.

Every act has a sum over itself and all before it. All that is kept goes out as JSON Lines, into
backups and from one database into another: who the league is, then its records, then its acts.

People: who was forgotten, and how a name is told that is not to be named; pure but for the secret.
Of a person who was forgotten nothing is kept but a keyed hash of each name, as `errors.key_of` has
it (the same for all its spellings). By it the name is known where it comes once more, in a push, an
import or a backup, and told as "Driver 3fa81c" before anything is kept: so a record that is sent
again comes to the same bytes, and is known. What this is not: whoever has the secret and guesses a
name can see whether it was forgotten.

Takeover: the league of an older version (`companion league takeover`) has its acts in
`league/acts.jsonl`, its records in `records`, and the names of its people apart in `league/people`,
so that what is written carries a key `~K.S` where a name stands. Where a club had several hosts
these files lie in tables of its PostgreSQL. All of it stays where it is; the records go before the
acts, as they did whenever such a league was made again.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from companion.league import errors
from companion.league.acts import TakeRecord, format_act, parse_act
from companion.league.database import Ask, Sqlite, database_of
from companion.league.finished import JSON, Measure, examine
from companion.league.finished import retold as retold_record
from companion.league.forms import retold
from companion.league.plain import Once
from companion.system.host import write_whole

# -- people ---------------------------------------------------------------------------------------

MOST_WORDS: Final = 5
"""Of a name that is looked for in a text."""
TEXTS: Final = ("note", "reason", "text")
"""What people wrote freely in a line of a record."""
_WORD = re.compile(r"\w+")


class People:
    """Who is not to be named in a league with this secret."""

    def __init__(self, secret: bytes, forgotten: Iterable[str] = ()) -> None:
        self.secret, self.forgotten = secret, frozenset(forgotten)
        self.person = lru_cache(65536)(self._person)

    def _person(self, key: str) -> str:
        """What is kept of a name that was forgotten; `key` is `errors.key_of`."""
        word = f"person:{key}".encode("utf-8", "surrogatepass")
        return hmac.new(self.secret, word, hashlib.sha256).hexdigest()[:12]

    def key_for(self, text: str) -> str:
        """A key that nobody can guess, or find the text of, who has not the secret."""
        told = hmac.new(self.secret, f"key:{text}".encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(told[:24]).decode()

    def alias(self, key: str) -> str:
        """What somebody is called who is not to be named; `key` is `errors.key_of`."""
        return f"Driver {self.person(key)[:6]}"

    def is_forgotten(self, name: str) -> bool:
        """Whether a person of this name is not to be named again."""
        return bool(self.forgotten) and self.person(errors.key_of(name)) in self.forgotten

    def presented(self, name: str) -> str:
        """A name as it is kept and shown."""
        return self.alias(errors.key_of(name)) if self.is_forgotten(name) else name

    def told(self, text: str) -> str:
        """A text with nobody in it who was forgotten."""
        return "".join(self._scrub(text)) if self.forgotten else text

    def told_in(self, value: Any) -> Any:
        """JSON likewise; a text that is a name is one."""
        return errors.over_texts(value, lambda text: self.told(self.presented(text)))

    def told_lines(self, content: bytes) -> bytes:
        """JSON Lines likewise; a line that is no JSON is a text."""
        lines = content.splitlines(keepends=True)
        return b"".join(map(self._told_line, lines)) if self.forgotten else content

    def _told_line(self, line: bytes) -> bytes:
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            return self.told(line.decode("utf-8", "surrogateescape")).encode(
                errors="surrogateescape"
            )
        told = self.told_in(data)
        return line if told == data else json.dumps(told, ensure_ascii=False).encode() + b"\n"

    # -- records ----------------------------------------------------------------------------

    def veil_record(self, content: bytes) -> bytes:
        """A record in which nobody is named who was forgotten.

        What is no record is given back as it is: whoever examines it says what is wrong.
        """
        head, end, rest = content.partition(b"\n")
        if not self.forgotten:
            return content
        try:
            first = json.loads(head)
            seats = [self._veil_seat(seat) for seat in first["seats"]]
        except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
            return content
        veiled = {**first, "seats": seats}
        if isinstance(first.get("name"), str):
            veiled["name"] = self.told(first["name"])
        lines = [self._veil_line(line) for line in rest.splitlines(keepends=True)]
        return (head if veiled == first else _written(veiled)) + end + b"".join(lines)

    def _veil_seat(self, seat: Mapping[str, Any]) -> Mapping[str, Any]:
        own: dict[str, Any] = {
            word: self.presented(seat[word]) for word in ("name", "player") if seat.get(word)
        }
        if seat.get("crew"):
            own["crew"] = [self.presented(name) for name in seat["crew"]]
        if isinstance(seat.get("team"), str):
            own["team"] = self.told(seat["team"])
        return {**seat, **own}

    def _veil_line(self, line: bytes) -> bytes:
        if not any(f'"{word}"'.encode() in line for word in (*TEXTS, "join")):
            return line
        try:
            data = json.loads(line)
            texts = (word for word in TEXTS if isinstance(data.get(word), str))
            own: dict[str, Any] = {word: self.told(data[word]) for word in texts}
            if isinstance(data.get("join"), dict):
                own["join"] = self._veil_seat(data["join"])
        except (ValueError, RecursionError, TypeError, AttributeError):
            return line
        veiled = {**data, **own}
        return line if veiled == data else _written(veiled) + b"\n"

    def _scrub(self, text: str) -> Iterator[str]:
        """The text in pieces; of the names that begin at a word the longest one counts."""
        words = list(_WORD.finditer(text))
        done = 0
        for n, word in enumerate(words):
            if word.start() < done:
                continue
            for last in reversed(words[n : n + MOST_WORDS]):
                name = text[word.start() : last.end()]
                if self.is_forgotten(name):
                    yield text[done : word.start()]
                    yield self.presented(name)
                    done = last.end()
                    break
        yield text[done:]


def _written(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "surrogatepass")


# -- keeping --------------------------------------------------------------------------------------

FIRST: Final = "-"
"""What the sum of the first act is made on."""
QUOTED: Final = json.encoder.encode_basestring
"""A text as JSON; ten thousand sums are made of some at every start."""


class Kept(NamedTuple):
    """An act as it is kept."""

    n: int
    key: str | None
    at: str
    who: str
    body: str

    def sum(self, before: str) -> str:
        """The sum over it and all before it."""
        key = "null" if self.key is None else QUOTED(self.key)
        own = ", ".join(map(QUOTED, (self.at, self.who, self.body)))
        told = f"[{QUOTED(before)}, {self.n}, {key}, {own}]"
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


def begin(ask: Ask, folder: errors.LeagueFolder, *, is_shared: bool) -> None:
    """See that a database has a league: its own, else the one that the folder has, else a new one.

    Raises:
        NoStore: the folder has another league, or one of an older version.
    """
    secret = ask.about("secret")
    if secret is None:
        if is_shared:
            refuse_old(folder)
            if ask.one("SELECT to_regclass('kept_pieces')") is not None:
                raise errors.OldLeague(f"the database has a league of an older version: {TAKEOVER}")
        load(ask, b"".join(lines_in(folder, is_shared=is_shared)))
    elif is_shared:
        head = next(iter(lines_in(folder, is_shared=True)), None)
        if head is not None and json.loads(head)["secret"] != secret:
            raise errors.NoStore(
                f"the database has another league than {folder.acts}: name an empty one, or move "
                f"that folder and {folder.records} away to serve the league of the database from "
                "here"
            )


def lines_in(folder: errors.LeagueFolder, *, is_shared: bool) -> Iterator[bytes]:
    """The league of a folder as JSON Lines: of its own database, else of a backup."""
    if is_shared and folder.database.exists():
        with Sqlite(folder.database) as own, own.reading() as ask:
            yield from dumped(ask)
    elif folder.lines.exists():
        yield from folder.lines.read_bytes().splitlines(keepends=True)


TAKEOVER: Final = "companion league takeover takes it over, and leaves what is there where it is"


def refuse_old(folder: errors.LeagueFolder) -> None:
    """See that a folder has no league that an older program has kept.

    Raises:
        OldLeague: it has, and none of today.
    """
    if folder.old_acts.exists() and not folder.database.exists() and not folder.lines.exists():
        raise errors.OldLeague(f"{folder.data} has a league of an older version: {TAKEOVER}")


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
            raise errors.BrokenFile(
                f"line {number} of the league is damaged: {error!r:.80}"
            ) from error
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
            raise errors.KeyReused("this Idempotency-Key was there already, with another body")
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
    except errors.BadAct:
        return json.dumps(people.told_in(json.loads(body)), ensure_ascii=False)
    if isinstance(act, TakeRecord):
        act = replace(act, record=digests.get(act.record, act.record))
    return json.dumps(format_act(act), ensure_ascii=False)


def sweep(folder: errors.LeagueFolder, people: People, *, is_hosted: bool = False) -> None:
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
        raise errors.BrokenFile(f"{error.filename} cannot be written: {error.strerror}") from error


def _rewrite_file(path: Path, told: Callable[[bytes], bytes]) -> None:
    content = path.read_bytes()
    fresh = told(content)
    if fresh != content:
        write_whole(path, fresh)


def forget_again(folder: errors.LeagueFolder, since: errors.LeagueFolder) -> None:
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
                raise errors.BrokenFile(
                    "this backup is of another league: who was forgotten here cannot be found in "
                    "it; restore it into a folder of its own"
                )
            rewrite(ask, people)
        then.compact()
    sweep(folder, people)


# -- takeover -------------------------------------------------------------------------------------

MARK: Final = re.compile(r"~([0-9a-f]{12})\.[0-9a-f]{6}")
OWN_KEYS: Final = ("n", "at", "by", "said")
BY: Final = "companion"
Files = dict[str, bytes]
"""The files of such a league by their names."""


def take_over(folder: errors.LeagueFolder, url: str | None, *, measure: Measure) -> tuple[int, int]:
    """Take over what a folder has, or the tables of a database; how many records and acts.

    Raises:
        LeagueError: there is no such league, or there is one of today already.
    """
    database = Sqlite(folder.database) if url is None else database_of(url)
    with database:
        database.make()
        with database.writing() as ask:
            if ask.about("secret") is not None:
                raise errors.LeagueError(f"{database.place} has a league of this version already")
            files = _files_of(folder) or (_files_in(ask) if url is not None else {})
            if not files:
                raise errors.LeagueError(f"{folder.data} has no league of an older version")
            return _fill(ask, files, measure)


def _files_of(folder: errors.LeagueFolder) -> Files:
    if not folder.old_acts.exists():
        return {}
    paths = [folder.old_acts, *(folder.acts / "people").glob("*"), *folder.records.glob("*.jsonl")]
    return {str(one.relative_to(folder.data)): one.read_bytes() for one in sorted(paths)}


def _files_in(ask: Ask) -> Files:
    if ask.one("SELECT to_regclass('kept_pieces')") is None:
        return {}
    found: Files = {}
    for name, content in ask("SELECT name, content FROM kept_pieces ORDER BY name, start"):
        found[name] = found.get(name, b"") + bytes(content)
    return found


def _fill(ask: Ask, files: Files, measure: Measure) -> tuple[int, int]:
    named = _unveiler(files)
    gone = [one["person"] for one in _lines(files.get("league/people/forgotten.jsonl", b""))]
    ask.put("secret", files.get("league/people/secret", b"").decode().strip())
    ask.put("edition", "1")
    ask.put("forgotten", json.dumps(sorted(gone)))
    records = list(_records(files, named, measure))
    total = FIRST
    for n, (race, content) in enumerate(records, 1 - len(records)):
        digest = digest_of(content)
        put_record(ask, digest, race, None, content)
        body = json.dumps(format_act(TakeRecord(race=race, record=digest)))
        total = insert(ask, Kept(n, None, "", BY, body), total)
    acts = list(_lines(files.get("league/acts.jsonl", b"")))
    for line in acts:
        own = {key: value for key, value in line.items() if key not in OWN_KEYS}
        body = json.dumps(named(own | line.get("said", {})), ensure_ascii=False)
        at, by = str(line.get("at", "")), named(str(line.get("by", "")))
        total = insert(ask, Kept(line["n"], None, at, by, body), total)
    return len(records), len(acts)


def _records(
    files: Files, named: Callable[[Any], Any], measure: Measure
) -> Iterator[tuple[str, bytes]]:
    """The records with the names of their people; those that were refused stay where they are."""
    for name, content in files.items():
        if name.startswith("records/"):
            lines = content.splitlines(keepends=True)
            whole = b"".join(_named_line(line, named) for line in lines)
            try:
                race = examine(whole, measure).id
            except errors.BadRecord:
                continue
            if name == f"records/{race}.jsonl":
                yield race, whole


def _named_line(line: bytes, named: Callable[[Any], Any]) -> bytes:
    if not MARK.search(line.decode("utf-8", "replace")):
        return line
    return json.dumps(named(json.loads(line)), ensure_ascii=False).encode() + b"\n"


def _unveiler(files: Files) -> Callable[[Any], Any]:
    """What tells JSON with names instead of their keys."""
    lines = _lines(files.get("league/people/names.jsonl", b""))
    names = {one["key"]: one["name"] for one in lines}

    def name(found: re.Match[str]) -> str:
        return names.get(found[0]) or f"Driver {found[1][:6]}"

    return lambda value: errors.over_texts(value, lambda text: MARK.sub(name, text))


def _lines(content: bytes) -> Iterator[dict[str, Any]]:
    """The lines of a file; one that the plug cut short says nothing."""
    for line in content.splitlines():
        try:
            data = json.loads(line) if line else None
        except ValueError:
            continue
        if isinstance(data, dict):
            yield data
