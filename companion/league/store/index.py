"""The database as an index of the files: what has come since is read in, or all of it again.

What tells that nothing has come is small and the same however much there is: how the folder of
records and the journal looked when they were last read (`KnownRow`). Only where they look otherwise
is the folder gone through, or the journal compared line by line with what was read of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from companion.league import numbers
from companion.league.acts import MOST_ROUNDS, UNSAID, PlaceRace
from companion.league.errors import BadAct, BadRecord, BrokenFile, NoStore
from companion.league.finished import Finished
from companion.league.journal import EMPTY, ActJournal, ReadTo, parse_done
from companion.league.people import People
from companion.league.ports import Refused
from companion.league.storage import RECORDS, Status, Storage
from companion.league.store.applying import apply
from companion.league.store.models import (
    AmendmentRow,
    Base,
    CrewRow,
    EntryRow,
    FileRow,
    KnownRow,
    NoteRow,
    PenaltyRow,
    ProtestRow,
    RaceRow,
    ReadRow,
    SeasonRow,
)
from companion.league.store.writing import Reads, digest, judge, next_rounds, put_finished, touch
from companion.system.frozen import dataclass

ENDING = ".jsonl"
INDEX = "9"
"""Goes up whenever the same files give other rows: every league then makes itself again."""


@dataclass(slots=True)
class Report:
    """What reading the files came to. `idle` are acts that no longer make sense, by number."""

    idle: dict[int, str] = field(default_factory=dict)


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


def take_over(session: Session, folder: Path, people: People) -> None:
    """The database is that of this folder from now on."""
    remember(session, {"folder": str(folder), "index": INDEX, "forgotten": people.who_is_forgotten})
    if numbers.is_reckoned():
        remember(session, {"skill": "reckoned"})


def is_current(session: Session, journal: ActJournal, people: People) -> bool:
    """Whether what was read before is still the beginning of what the files say.

    A record that is gone does not make it otherwise: that costs its race alone.
    """
    if _known(session, "index") != INDEX:
        return False
    if numbers.is_reckoned() and _known(session, "skill") is None:  # installed since
        return False
    if _known(session, "forgotten") != people.who_is_forgotten:
        return False
    read = read_to(session)
    return _known(session, "acts-looks") == journal.looks() or journal.begins_with(read)


def wipe(session: Session) -> None:
    """Forget everything but what records came to."""
    for table in reversed(Base.metadata.sorted_tables):
        if table.name != ReadRow.__tablename__:
            session.execute(delete(table))
    session.expunge_all()


def read_files(
    session: Session, storage: Storage, reads: Reads, people: People, *, all_of_them: bool
) -> None:
    """Take in the records that are new or have changed, and let go of those that are gone.

    Args:
        all_of_them: look at each, though the folder looks as it did.
    """
    looks = looks_of(storage)
    if not all_of_them and looks == _known(session, "records-looks"):
        return
    there = storage.listing(RECORDS)
    known = {row.file: row for row in session.scalars(select(FileRow))}
    for file, status in there.items():
        row = known.get(file)
        is_known = row is not None and (row.size, row.changed_ns) == status
        if file.endswith(ENDING) and not is_known:
            read_file(session, storage, file, reads, people)
    for file in known.keys() - there.keys():
        _let_go(session, known[file])
    remember(session, {"records-looks": looks})


def read_file(session: Session, storage: Storage, file: str, reads: Reads, people: People) -> None:
    """Take in one record."""
    status = storage.status(f"{RECORDS}/{file}")
    if status is None:
        return
    try:
        content = storage.read(f"{RECORDS}/{file}") or b""
    except BrokenFile as error:
        note_file(session, file, status, b"", refused=BadRecord(1, str(error)))
        return
    veiled, names = people.veil_record(content)
    row = session.get(FileRow, file)
    if row and row.message is None and row.sha256 == digest(veiled):
        row.size, row.changed_ns = status
        return
    people.keep(names)
    try:
        found = _named(file, reads.finished(session, veiled))
    except BadRecord as error:
        note_file(session, file, status, veiled, refused=error)
        return
    put_finished(session, found)
    reads.settle(session, veiled)
    note_file(session, file, status, veiled, race=found.id)


def looks_of(storage: Storage) -> str:
    """What changes whenever a record comes or goes; empty where there is none."""
    return storage.looks(RECORDS)[0]


def race_of(session: Session, veiled: bytes) -> str | None:
    """The race that was read out of a file with this content; None: none was."""
    return session.scalar(select(FileRow.race).where(FileRow.sha256 == digest(veiled)))


def _let_go(session: Session, row: FileRow) -> None:
    """A record is gone, and with it its race; acts on it find nothing any more."""
    session.delete(row)
    race = session.get(RaceRow, row.race) if row.race else None
    if race is None or race.source != "record":
        return
    touch(session, race.id)
    judge(session, race.season_key)
    session.flush()
    for table in (CrewRow, EntryRow, AmendmentRow, PenaltyRow, NoteRow, ProtestRow):
        session.execute(delete(table).where(table.race_id == race.id))
    session.expire(race)
    session.execute(delete(RaceRow).where(RaceRow.id == race.id))
    # Should it come back, the acts of before have to be carried out on it once more.
    gone = {*(_known(session, "gone") or "").split(), race.id}
    session.expunge(race)
    remember(session, {"gone": " ".join(sorted(gone))})


def has_come_back(session: Session) -> bool:
    """Whether a race is there again that was gone, so that all has to be read anew."""
    gone = (_known(session, "gone") or "").split()
    return any(session.get(RaceRow, race) is not None for race in gone)


def note_file(
    session: Session,
    file: str,
    status: Status,
    content: bytes,
    *,
    race: str | None = None,
    refused: BadRecord | None = None,
) -> None:
    """Remember a file as it is now."""
    session.merge(
        FileRow(
            file=file,
            size=status.size,
            changed_ns=status.changed,
            sha256=digest(content),
            race=race,
            line=refused.line if refused else None,
            message=refused.message if refused else None,
        )
    )
    session.flush()


def apply_acts(session: Session, journal: ActJournal, people: People, report: Report) -> None:
    """Carry out the acts that have come since; one that makes no sense any more is left out."""
    looks = journal.looks()
    if looks == _known(session, "acts-looks"):
        return
    lines, read = journal.since(read_to(session))
    for line in lines:
        try:
            with session.begin_nested():
                apply(session, parse_done(line, people))
        except BadAct as error:
            number = line["n"]
            assert isinstance(number, int)  # the journal has seen to it
            report.idle[number] = str(error)
    remember_acts(session, read, looks)


def waiting(session: Session, races: Iterable[str]) -> tuple[list[str], SeasonRow | None]:
    """Those of these races that no act speaks of, oldest first, and the season that is open:
    each is its next round."""
    rows = (session.get(RaceRow, race) for race in races)
    unplaced = [row for row in rows if row is not None and row.placed is None]
    unplaced.sort(key=lambda row: (row.date, row.id))
    return [row.id for row in unplaced], session.scalar(select(SeasonRow).where(SeasonRow.is_open))


def placed(session: Session, races: Sequence[str], season: SeasonRow | None) -> list[PlaceRace]:
    """The acts that put these races into the season that is open, or into none."""
    if season is None:
        return [PlaceRace(race=race, season=None) for race in races]
    # Their numbers are written down: they shall not hang on which other races are there.
    count, now = len(races), season.current_round
    numbers = [now] * count if now else next_rounds(session, season.key, count)
    return [
        PlaceRace(race=race, season=season.key, round=n if n <= MOST_ROUNDS else UNSAID)
        for race, n in zip(races, numbers, strict=True)
    ]


def refused_files(session: Session) -> list[Refused]:
    """The records that are not in the league, by name."""
    rows = session.scalars(
        select(FileRow).where(FileRow.message.is_not(None)).order_by(FileRow.file)
    )
    return [Refused(row.file, row.line or 1, row.message or "") for row in rows]


def read_to(session: Session) -> ReadTo:
    """How far the tables have the journal in them."""
    text = _known(session, "acts")
    if text is None:
        return EMPTY
    count, size, chain = text.split()
    return ReadTo(int(count), int(size), chain)


def remember_acts(session: Session, read: ReadTo, looks: str) -> None:
    """The tables have these acts in them now."""
    text = f"{read.acts} {read.size} {read.chain}"
    remember(session, {"acts": text, "acts-looks": looks})


def _known(session: Session, key: str) -> str | None:
    row = session.get(KnownRow, key)
    return row.value if row else None


def remember(session: Session, values: Mapping[str, str]) -> None:
    """Keep what the store knows of itself."""
    for key, value in values.items():
        session.merge(KnownRow(key=key, value=value))
    session.flush()


def _named(file: str, found: Finished) -> Finished:
    """The record, whose file must have its id for a name: the file of a copy would be a second."""
    if file != f"{found.id}{ENDING}":
        raise BadRecord(1, f"the file of this race is called {found.id}.jsonl")
    return found
