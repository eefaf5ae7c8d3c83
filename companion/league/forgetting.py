"""A person is forgotten: the name goes out of every file of the league, and comes into none again.

The order matters where the plug is pulled in between: first it is written down that the person is
forgotten, by which no name is shown any more; then files are made anew one by one. Asked again, it
goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.league.acts import Act, Rename
from companion.league.errors import BadAct, BrokenFile
from companion.league.folder import LeagueFolder
from companion.league.journal import ActJournal, format_done, parse_done
from companion.league.names import key_of
from companion.league.people import SECRET, People
from companion.league.plain import Line
from companion.league.storage import ASIDE, LIVE, RECORDS, SENT, FolderStorage, Storage, contents
from companion.league.store.models import NameRow


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
