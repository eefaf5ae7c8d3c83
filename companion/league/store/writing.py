"""Races and names into the tables; what records say stands beside what is made of it.

Records as they were played again: what each came to is kept by the digest of its bytes.

To play a record takes a hundred times as long as to read what it came to. What is kept holds
keys of people and no names, so it is as good after somebody was forgotten; a league that is made
again plays only what is new to this program, over several processes and beside what is served.

Bans as the tables have them: who was not to drive, in the races that there are and in rounds to
come; `stages` decides, this asks it where anything stands against anybody at all.
"""

from __future__ import annotations

import hashlib
import multiprocessing
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import asdict, fields, replace
from functools import partial
from itertools import islice
from threading import Lock
from typing import Any

from sqlalchemy import Engine, delete, func, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from companion.league.acts import LONGEST_TEXT
from companion.league.errors import LONGEST_NAME, BadAct, BadRecord, key_of
from companion.league.finished import LONGEST_TRACK, Finished, Measure, read_finished
from companion.league.people import People
from companion.league.plain import Entry, Note, Penalty, Race, Season
from companion.league.results import Row, amended, read_row
from companion.league.stages import Banned, Conduct
from companion.league.store.models import (
    CrewRow,
    DriverRow,
    EntrantCrewRow,
    EntryRow,
    FileRow,
    NameRow,
    Origin,
    PenaltyRow,
    PlannedRow,
    RaceRow,
    ReadRow,
    SeasonRow,
)
from companion.league.store.reading import read_races, read_seasons
from companion.race.record import RULES_VERSION, RecordError, parse_record

# -- writing --------------------------------------------------------------------------------------


LATE = "~"
"""Sorts behind every date: a name that no race has been driven under yet."""


def plain_text(text: str, most: int = LONGEST_NAME) -> str:
    """Text out of a record, which anybody may have written, as every database can hold it."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(shown.split())[:most]


def put_name(session: Session, name: str, since: str = LATE) -> str:
    """See to it that a name is known; its key. `since` is the race that has it, by its date."""
    key = key_of(name)
    row = session.get(NameRow, key)
    if row is None:
        if session.get(DriverRow, key) is None:
            session.add(DriverRow(key=key, title=None))
            session.flush()
        session.add(NameRow(key=key, spelling=name, since=since, driver_key=key))
        session.flush()
    elif since < row.since:
        row.spelling, row.since = name, since
    return key


def touch(session: Session, race: str) -> None:
    """What was counted of this race is to be counted again (`kept.recount`)."""
    session.info.setdefault("touched", set()).add(race)


def move(session: Session, races: Iterable[str]) -> None:
    """These races, or their cars, belong elsewhere: what is kept for other programs is told anew,
    while what was counted stays as it is."""
    session.info.setdefault("moved", set()).update(races)


def put_finished(session: Session, found: Finished) -> RaceRow:
    """A race out of its record: new, or as the record tells it now."""
    race = session.get(RaceRow, found.id)
    is_new = race is None
    if race is None:
        race = RaceRow(id=found.id, factor=1, struck=None, season_key=None, round=None, placed=None)
        race.sender, race.provisional = None, False
        session.add(race)
        session.info.setdefault("fresh", set()).add(found.id)
    race.name, race.date = plain_text(found.name), plain_text(found.date)
    race.game, race.laps, race.rules = found.game, found.laps, list(found.rules)
    race.track = None if found.track is None else plain_text(found.track, LONGEST_TRACK)
    race.board = found.board
    race.source, race.remark = "record", found.remark
    race.numbers = found.numbers
    race.origin = Origin(
        _tidy(found.rows),
        tuple(_tidy(rows) for rows in found.earlier),
        tuple(replace(note, text=plain_text(note.text, LONGEST_TEXT)) for note in found.notes),
    )
    settle(session, race, is_new=is_new)
    return race


def _tidy(rows: Iterable[Row]) -> tuple[Row, ...]:
    return tuple(
        replace(
            row,
            name=plain_text(row.name) or f"Seat {row.seat}",
            player=plain_text(row.player or "") or f"Seat {row.seat}",
            team=plain_text(row.team) if row.team else None,
            crew=tuple(dict.fromkeys(plain_text(name) or "?" for name in row.crew)),
        )
        for row in rows
    )


def settle(session: Session, race: RaceRow, *, is_new: bool = False) -> None:
    """Make the entries of a race again from its origin and the amendments."""
    touch(session, race.id)
    rows: Sequence[Row] = race.origin.rows
    if not is_new:
        session.flush()
        session.refresh(race, ["amendments"])
        rows = _result(race)
        race.entries.clear()
        session.flush()  # the old rows have the keys of the new ones
    since = f"{race.date} {race.id}"
    race.entries.extend(_entry(session, row, since) for row in rows)
    _man(session, race, rows)


OF_PEOPLE = ("player", "crew")


def _entry(session: Session, row: Row, since: str) -> EntryRow:
    values = {one.name: getattr(row, one.name) for one in fields(row) if one.name not in OF_PEOPLE}
    trial = row.numbers.get("trial")
    entry = EntryRow(name_key=put_name(session, row.player or row.name, since), **values)
    entry.trial_score = None if trial is None else trial["score"]
    entry.trial_time = None if trial is None else trial["seconds"]
    return entry


# -- crews ------------------------------------------------------------------------------------


def man_again(session: Session, races: Iterable[RaceRow]) -> None:
    """Who drove the cars of races whose entry list has changed, or that now belong to another."""
    for race in races:
        before = [(one.seat, one.name_key) for one in race.crews]
        _man(session, race, _result(race))
        if before != [(one.seat, one.name_key) for one in race.crews]:
            touch(session, race.id)


def _result(race: RaceRow) -> Sequence[Row]:
    """The rows of a race as they stand now."""
    rows: Sequence[Row] = race.origin.rows
    for amendment in race.amendments:
        rows = amended(rows, amendment.entries, race.game)
    return rows


def _man(session: Session, race: RaceRow, rows: Iterable[Row]) -> None:
    """Write down who drove the cars of a race where they were several: as the race says, else as
    the entry list of its season does."""
    entered = crews_entered(session, race.season_key)
    since, found = f"{race.date} {race.id}", []
    for row in rows:
        own = list(dict.fromkeys(put_name(session, name, since) for name in row.crew))
        own = own or entered.get(_driver_of(session, row), []) if entered else own
        found += [CrewRow(seat=row.seat, name_key=key, number=n) for n, key in enumerate(own, 1)]
    if found or race.crews:
        race.crews.clear()
        session.flush()  # the old rows have the keys of the new ones
        race.crews.extend(found)


def crews_entered(session: Session, season: str | None) -> dict[str, list[str]]:
    """The crews of an entry list by the driver of the car, as keys of names."""
    if season is None:
        return {}
    rows = session.execute(
        select(NameRow.driver_key, EntrantCrewRow.member_key)
        .join(NameRow, NameRow.key == EntrantCrewRow.name_key)
        .where(EntrantCrewRow.season_key == season)
        .order_by(EntrantCrewRow.number)
    )
    found: dict[str, list[str]] = {}
    for driver, member in rows:
        found.setdefault(driver, []).append(member)
    return found


def _driver_of(session: Session, row: Row) -> str:
    name = session.get(NameRow, key_of(row.player or row.name))
    return "" if name is None else name.driver_key


def next_rounds(session: Session, season: str, count: int = 1) -> list[int]:
    """So many rounds after the last one of a season, without those that are cancelled."""
    last = session.scalar(select(func.max(RaceRow.round)).where(RaceRow.season_key == season))
    off = PlannedRow.cancelled.is_not(None)
    cancelled = session.scalars(
        select(PlannedRow.round).where(PlannedRow.season_key == season, off)
    ).all()
    first = (last or 0) + 1
    found = (n for n in range(first, first + count + len(cancelled)) if n not in cancelled)
    return list(islice(found, count))


# -- reads ----------------------------------------------------------------------------------------


PROGRAM = f"{RULES_VERSION}.2"
"""Goes up with the rules, or when a record comes to other numbers."""
KEPT = 8
"""Records that are remembered between their arrival and their being read in."""
FEW = 16
"""So many are played where they are: to start processes would take longer."""
AT_ONCE = 64
"""Records in memory at a time while many are played."""
JSON = dict[str, Any]


def digest(content: bytes) -> str:
    """By which the bytes of a record are known."""
    return hashlib.sha256(content).hexdigest()


def examine(content: bytes, measure: Measure) -> Finished:
    """The race in the bytes of a record.

    Raises:
        BadRecord: it is damaged or not finished; the line is named.
    """
    try:
        return read_finished(parse_record(content), measure)
    except RecordError as error:
        raise BadRecord(error.line, error.message) from error
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError) as error:
        # Records come from outside: one that nobody has thought of is refused like any other.
        raise BadRecord(1, f"this makes no sense as a race: {error!r:.100}") from error


class Reads:
    """What records came to.

    Args:
        measure: what counts the numbers of a race.
    """

    def __init__(self, people: People, measure: Measure) -> None:
        self._people = people
        self._measure = measure
        self._kept: OrderedDict[str, JSON] = OrderedDict()
        self._lock = Lock()

    def finished(self, session: Session, content: bytes) -> Finished:
        """The race in a record with keys in it, as people are called now.

        Raises:
            BadRecord: it is damaged or not finished; the line is named.
        """
        key = digest(content)
        data = self._kept.get(key) or self._found(session, key)
        if data is None:
            data = _tell(examine(content, self._measure))
        self._keep(key, data)
        return _read(self._people.shown_in(data))

    def play(self, session: Session, content: bytes) -> None:
        """Play a record before anybody has to wait for it; a bad one is told when it is read in."""
        try:
            self.finished(session, content)
        except BadRecord:
            return
        self.settle(session, content)

    def settle(self, session: Session, content: bytes) -> None:
        """What this record came to outlives the program's run."""
        key = digest(content)
        data = self._kept.get(key)
        if data is not None and self._found(session, key) is None:
            # Another host may have played it since this transaction began to look.
            with suppress(IntegrityError), session.begin_nested():
                session.merge(ReadRow(sha256=key, program=PROGRAM, finished=data))

    def prune(self, session: Session) -> None:
        """Let go of what came of records that are no longer there as they were."""
        session.execute(delete(ReadRow).where(ReadRow.sha256.not_in(select(FileRow.sha256))))

    def play_ahead(self, engine: Engine, contents: Iterable[bytes], *, jobs: int) -> None:
        """Play what no program has played, over so many processes; nobody waits for it."""
        with Session(engine) as session:
            known = set(session.scalars(select(ReadRow.sha256).where(ReadRow.program == PROGRAM)))
        new = (content for content in contents if digest(content) not in known)
        first = list(islice(new, FEW))
        if len(first) < FEW:
            return
        play = partial(_play, measure=self._measure)
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(jobs, mp_context=context) as pool:
            for batch in _batches(first, new):
                found = list(pool.map(play, batch))
                with Session(engine) as session, session.begin():
                    for content, data in zip(batch, found, strict=True):
                        if data is not None:
                            row = ReadRow(sha256=digest(content), program=PROGRAM, finished=data)
                            session.merge(row)

    def _found(self, session: Session, key: str) -> JSON | None:
        row = session.get(ReadRow, key)
        return row.finished if row is not None and row.program == PROGRAM else None

    def _keep(self, key: str, data: JSON) -> None:
        with self._lock:
            self._kept[key] = data
            self._kept.move_to_end(key)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)


def _play(content: bytes, measure: Measure) -> JSON | None:
    """What a record came to; None for one that is refused, which is told when it is read in."""
    try:
        return _tell(examine(content, measure))
    except BadRecord:
        return None


def _batches(first: list[bytes], rest: Iterator[bytes]) -> Iterator[list[bytes]]:
    while first:
        yield first
        first = list(islice(rest, AT_ONCE))


def _tell(found: Finished) -> JSON:
    return asdict(found)


def _read(data: JSON) -> Finished:
    own = {
        "rules": tuple(data["rules"]),
        "rows": _rows(data["rows"]),
        "earlier": tuple(map(_rows, data["earlier"])),
        "notes": tuple(Note(**note) for note in data["notes"]),
    }
    return Finished(**{**data, **own})


def _rows(data: Iterable[JSON]) -> tuple[Row, ...]:
    return tuple(map(read_row, data))


# -- bans -----------------------------------------------------------------------------------------


SEASONS = "judged"
"""Where a session keeps the seasons in which something was given, lifted or moved."""


def judge(session: Session, season: str | None) -> None:
    """Who is banned in a season is to be found out again when all has been carried out."""
    if season is not None:
        session.info.setdefault(SEASONS, set()).add(season)


def settle_bans(session: Session, races: Collection[str]) -> set[str]:
    """Find out who was not to drive the races of the seasons that these are of; all the seasons in
    which something was given, lifted or moved."""
    session.flush()
    seasons: set[str] = session.info.pop(SEASONS, set())
    of_races = select(RaceRow.season_key).where(RaceRow.id.in_(list(races)))
    seasons |= {key for key in session.scalars(of_races.distinct()) if key is not None}
    for key in sorted(_reached(session, seasons)):
        _settle(session, key)
    return seasons


def refuse_banned(session: Session, season: SeasonRow, name: NameRow, number: int) -> None:
    """See that a driver may drive a round.

    Raises:
        BadAct: he is banned from it; the penalty is named.
    """
    if not _is_anybody_judged(session, _stages(session, season)):
        return
    conduct, _, _ = _conduct(session, season)
    ban = conduct.ban(name.driver_key, number)
    if ban is not None:
        raise BadAct(str(Banned(name.spelling, number, ban.reason)))


def _reached(session: Session, seasons: Iterable[str]) -> set[str]:
    """These seasons, and the later stages of their competitions; those where somebody is judged."""
    found: set[str] = set()
    for key in seasons:
        season = session.get(SeasonRow, key)
        if season is None or not _may_change(session, season):
            continue
        found.add(key)
        if season.competition is not None:
            later = select(SeasonRow.key).where(
                SeasonRow.competition == season.competition, SeasonRow.step > season.step
            )
            found |= {*session.scalars(later)}
    return found


def _may_change(session: Session, season: SeasonRow) -> bool:
    """Whether anybody is banned, or was when this was found out last."""
    stages = _stages(session, season)
    if _is_anybody_judged(session, stages):
        return True
    of_stage = select(RaceRow.id).where(RaceRow.season_key.in_(stages))
    banned = select(EntryRow.race_id).where(
        EntryRow.banned_by.is_not(None), EntryRow.race_id.in_(of_stage)
    )
    return session.scalar(banned.limit(1)) is not None


def _stages(session: Session, season: SeasonRow) -> list[str]:
    if season.competition is None:
        return [season.key]
    same = select(SeasonRow.key).where(SeasonRow.competition == season.competition)
    return list(session.scalars(same))


def _is_anybody_judged(session: Session, stages: Collection[str]) -> bool:
    of_stage = select(RaceRow.id).where(RaceRow.season_key.in_(stages))
    found = select(PenaltyRow.id).where(
        or_(PenaltyRow.ban > 0, PenaltyRow.licence > 0),
        or_(PenaltyRow.season_key.in_(stages), PenaltyRow.race_id.in_(of_stage)),
    )
    return session.scalar(found.limit(1)) is not None


def _conduct(session: Session, season: SeasonRow) -> tuple[Conduct, Season, list[Race]]:
    session.flush()
    query = select(SeasonRow).where(SeasonRow.key.in_(_stages(session, season)))
    rows = session.scalars(query.order_by(SeasonRow.step, SeasonRow.number)).all()
    seasons = read_seasons(session, rows)
    own = select(RaceRow).where(RaceRow.season_key.in_([one.key for one in seasons]))
    races = read_races(session, own, is_slim=True)
    of = {one.key: [race for race in races if race.season == one.key] for one in seasons}
    mine = next(one for one in seasons if one.key == season.key)
    before = [(one, of[one.key]) for one in seasons if one.step < mine.step]
    return Conduct(mine, of[mine.key], before), mine, of[mine.key]


def _settle(session: Session, key: str) -> None:
    season = session.get(SeasonRow, key)
    assert season is not None  # just asked for
    conduct, _, races = _conduct(session, season)
    for race in races:
        known = {one.driver: one.id for one in race.penalties if one.banned}
        for entry in race.entries:
            ban = _ban_of(conduct, race, entry)
            number = None if ban is None else ban.id
            if known.get(entry.driver) != number:
                row = session.get(EntryRow, (race.id, entry.seat))
                assert row is not None  # it has just been read
                row.banned_by = number
                touch(session, race.id)


def _ban_of(conduct: Conduct, race: Race, entry: Entry) -> Penalty | None:
    """Of a crew, whoever of it is banned bans the car."""
    people = sorted({entry.driver, *entry.people})
    bans = (conduct.ban(driver, race.round or 0) for driver in people)
    return next((ban for ban in bans if ban is not None), None)
