"""The database as an index of the files: what has come since is read in, or all of it again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from companion.league.errors import BadAct, BadRecord, NoStore
from companion.league.finished import Finished, Measure, read_finished
from companion.league.journal import Acts, parse_done
from companion.league.ports import Refused
from companion.league.store.applying import apply
from companion.league.store.models import Base, FileRow, KnownRow, RaceRow, SeasonRow
from companion.league.store.writing import put_finished
from companion.record import RecordError, parse_record

INDEX = "3"
"""Goes up whenever the same files give other rows: every league then makes itself again."""

Place = Callable[[str, str | None], None]
"""Keeps and carries out the act that puts a race into a season, or into none."""


@dataclass(slots=True)
class Report:
    """What reading the files came to. `idle` are acts that no longer make sense, by number."""

    idle: dict[int, str] = field(default_factory=dict)


def examine(content: bytes, measure: Measure) -> Finished:
    """The race in the bytes of a record.

    Raises:
        BadRecord: it is damaged or not finished; the line is named.
    """
    try:
        lines = parse_record(content)
    except RecordError as error:
        raise BadRecord(error.line, error.message) from error
    return read_finished(lines, measure)


def check_owner(session: Session, folder: Path) -> None:
    """See that the database is no other folder's: it would be thrown away for this one.

    Raises:
        NoStore: it is.
    """
    owner = _known(session, "folder")
    if owner not in (None, str(folder)):
        raise NoStore(
            f"the database is that of the league in {owner}; if it shall be that of {folder} "
            "from now on: companion league rebuild"
        )


def take_over(session: Session, folder: Path) -> None:
    """The database is that of this folder from now on."""
    _remember(session, {"folder": str(folder)})


def is_current(session: Session, records: Path, acts: Acts) -> bool:
    """Whether what was read before is still the beginning of what the files say."""
    count = acts_read(session)
    seen = session.scalars(select(FileRow.file)).all()
    return (
        _known(session, "index") == INDEX
        and _known(session, "acts-digest") == acts.digest(count)
        and count <= len(acts.acts)
        and all((records / file).is_file() for file in seen)
    )


def wipe(session: Session) -> None:
    """Forget everything."""
    for table in reversed(Base.metadata.sorted_tables):
        session.execute(delete(table))
    session.expunge_all()


def read_files(session: Session, records: Path, examine: Callable[[bytes], Finished]) -> None:
    """Take in the records that are new or have changed."""
    paths = sorted(records.glob("*.jsonl")) if records.is_dir() else []
    known = {row.file: row for row in session.scalars(select(FileRow))}
    for path in paths:
        status = path.stat()
        row = known.get(path.name)
        if row and (row.size, row.changed_ns) == (status.st_size, status.st_mtime_ns):
            continue
        content = _content(session, path)
        if content is None:
            continue
        if row and row.sha256 == hashlib.sha256(content).hexdigest():
            row.size, row.changed_ns = status.st_size, status.st_mtime_ns
            continue
        try:
            found = _named(path, examine(content))
        except BadRecord as error:
            note_file(session, path, content, refused=error)
            continue
        put_finished(session, found)
        note_file(session, path, content, race=found.id)


def race_of(session: Session, content: bytes) -> str | None:
    """The race that was read out of a file with this content; None: none was."""
    digest = hashlib.sha256(content).hexdigest()
    return session.scalar(select(FileRow.race).where(FileRow.sha256 == digest))


def _content(session: Session, path: Path) -> bytes | None:
    """The bytes of a record; None where the system does not give them, and that is noted."""
    try:
        return path.read_bytes()
    except OSError as error:
        refused = BadRecord(1, f"the file cannot be read: {error.strerror}")
        note_file(session, path, b"", refused=refused)
        return None


def note_file(
    session: Session,
    path: Path,
    content: bytes,
    *,
    race: str | None = None,
    refused: BadRecord | None = None,
) -> None:
    """Remember a file as it is now."""
    status = path.stat()
    session.merge(
        FileRow(
            file=path.name,
            size=status.st_size,
            changed_ns=status.st_mtime_ns,
            sha256=hashlib.sha256(content).hexdigest(),
            race=race,
            line=refused.line if refused else None,
            message=refused.message if refused else None,
        )
    )
    session.flush()


def apply_acts(session: Session, acts: Acts, report: Report) -> None:
    """Carry out the acts that have come since; one that makes no sense any more is left out."""
    first = acts_read(session) + 1
    new = acts.acts[first - 1 :]
    for n, act in enumerate(new):
        try:
            with session.begin_nested():
                apply(session, parse_done(act))
        except BadAct as error:
            report.idle[first + n] = str(error)
    if new or _known(session, "index") is None:
        remember_acts(session, acts)


def place_new(session: Session, place: Place) -> None:
    """Every record that no act speaks of is the next round of the open season, if there is one."""
    waiting = select(RaceRow.id).where(RaceRow.source == "record", RaceRow.placed.is_(None))
    season = session.scalar(select(SeasonRow.key).where(SeasonRow.is_open))
    for race in session.scalars(waiting.order_by(RaceRow.date, RaceRow.id)).all():
        place(race, season)


def refused_files(session: Session) -> list[Refused]:
    """The records that are not in the league, by name."""
    rows = session.scalars(
        select(FileRow).where(FileRow.message.is_not(None)).order_by(FileRow.file)
    )
    return [Refused(row.file, row.line or 1, row.message or "") for row in rows]


def acts_read(session: Session) -> int:
    """How many acts the tables have in them."""
    return int(_known(session, "acts") or 0)


def remember_acts(session: Session, acts: Acts) -> None:
    """The tables have all these acts in them now."""
    count = len(acts.acts)
    known = {"index": INDEX, "acts": str(count), "acts-digest": acts.digest(count)}
    _remember(session, known)


def _known(session: Session, key: str) -> str | None:
    row = session.get(KnownRow, key)
    return row.value if row else None


def _remember(session: Session, values: Mapping[str, str]) -> None:
    for key, value in values.items():
        session.merge(KnownRow(key=key, value=value))
    session.flush()


def _named(path: Path, found: Finished) -> Finished:
    """The record, whose file must have its id for a name: the file of a copy would be a second."""
    if path.name != f"{found.id}.jsonl":
        raise BadRecord(1, f"the file of this race is called {found.id}.jsonl")
    return found
