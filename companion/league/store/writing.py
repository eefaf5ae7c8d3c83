"""Races and names into the tables; what records say stands beside what is made of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from itertools import islice

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from companion.league.finished import LONGEST_TRACK, Finished
from companion.league.names import LONGEST_NAME, key_of
from companion.league.rows import Row, amended
from companion.league.said import LONGEST_TEXT
from companion.league.store.entry_models import EntrantCrewRow, PlannedRow
from companion.league.store.models import CrewRow, DriverRow, EntryRow, NameRow, Origin, RaceRow

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
