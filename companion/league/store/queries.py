"""What is known, out of the tables: the `LeagueQueries` of `ports.py`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from typing import Any, TypeVar

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session, selectinload

from companion.league.folder import LeagueFolder
from companion.league.names import key_of
from companion.league.plain import Driver, Earlier, Entry, Line, Note, Penalty, Race, Season
from companion.league.points import parse_points
from companion.league.rows import Row, amended
from companion.league.store.models import (
    DriverRow,
    EntryRow,
    NameRow,
    PenaltyRow,
    RaceRow,
    SeasonRow,
    SeasonTeamRow,
)
from companion.league.store.opening import translated
from companion.record import RecordError, read_record

People = Mapping[str, str]
"""The driver's key of every name's key."""

RecordT = TypeVar("RecordT", Entry, Note, Penalty, Race, Season)


class StoreQueries:
    """Answers out of the database; each call is one transaction, so it sees one state."""

    def __init__(self, engine: Engine, folder: LeagueFolder) -> None:
        self._engine = engine
        self._folder = folder

    @contextmanager
    def _open(self) -> Iterator[Session]:
        with translated(), Session(self._engine) as session:
            yield session

    def seasons(self) -> list[Season]:
        """All seasons, the newest first."""
        with self._open() as session:
            people = _people(session)
            penalties = session.scalars(
                select(PenaltyRow).where(PenaltyRow.season_key.is_not(None)).order_by(PenaltyRow.id)
            ).all()
            teams = session.scalars(select(SeasonTeamRow)).all()
            rows = session.scalars(select(SeasonRow).order_by(SeasonRow.number.desc()))
            return [
                _season(
                    row,
                    [_penalty(one, people) for one in penalties if one.season_key == row.key],
                    {people[t.name_key]: t.team for t in teams if t.season_key == row.key},
                )
                for row in rows
            ]

    def races(
        self, *, season: str | None = None, driver: str | None = None, race: str | None = None
    ) -> list[Race]:
        """Races, oldest first; in a season by round."""
        query = select(RaceRow).options(
            selectinload(RaceRow.entries),
            selectinload(RaceRow.amendments),
            selectinload(RaceRow.penalties),
            selectinload(RaceRow.notes),
        )
        order = (RaceRow.date, RaceRow.id)
        if season is not None:
            query = query.where(RaceRow.season_key == season)
        if driver is not None:
            own = select(NameRow.key).where(NameRow.driver_key == driver)
            query = query.where(RaceRow.entries.any(EntryRow.name_key.in_(own)))
        if race is not None:
            query = query.where(RaceRow.id == race)
        by_round = (RaceRow.round, *order) if season is not None else order
        with self._open() as session:
            people = _people(session)
            return [_race(row, people) for row in session.scalars(query.order_by(*by_round))]

    def drivers(self) -> list[Driver]:
        """Everybody who was in a race, by name."""
        with self._open() as session:
            races = session.execute(
                select(NameRow.driver_key, func.count(EntryRow.race_id.distinct()))
                .join(EntryRow, EntryRow.name_key == NameRow.key)
                .group_by(NameRow.driver_key)
            )
            counted = {row[0]: row[1] for row in races}
            names: dict[str, list[NameRow]] = {}
            for row in session.scalars(select(NameRow).order_by(NameRow.since, NameRow.key)):
                names.setdefault(row.driver_key, []).append(row)
            titles = {row.key: row.title for row in session.scalars(select(DriverRow))}
            found = [
                _driver(key, names[key], titles.get(key), count) for key, count in counted.items()
            ]
        return sorted(found, key=lambda driver: (driver.name.casefold(), driver.key))

    def record(self, race: str) -> list[Line] | None:
        """The lines of a race's record; None for a race entered by hand, or a file that is gone."""
        with self._open() as session:
            row = session.get(RaceRow, race)
            if row is None or row.source != "record":
                return None
        try:
            return read_record(self._folder.record(race))
        except (OSError, RecordError):
            return None


def _people(session: Session) -> People:
    return {row[0]: row[1] for row in session.execute(select(NameRow.key, NameRow.driver_key))}


def _driver(key: str, names: Iterable[NameRow], title: str | None, races: int) -> Driver:
    """A person; the name that it has its key from goes before others."""
    written = [row.spelling for row in sorted(names, key=lambda row: row.key != key)]
    name = title or written[0]
    return Driver(key=key, name=name, names=tuple(dict.fromkeys([name, *written])), races=races)


def _same(kind: type[RecordT], row: object, **own: Any) -> RecordT:
    """A record with what a row has under the same names, and what is its own."""
    names = (one.name for one in fields(kind) if one.name not in own and hasattr(row, one.name))
    return kind(**{name: getattr(row, name) for name in names}, **own)


def _season(row: SeasonRow, penalties: Iterable[Penalty], teams: Mapping[str, str]) -> Season:
    points = parse_points(row.points)
    return _same(Season, row, points=points, teams=teams, penalties=tuple(penalties))


def _race(row: RaceRow, people: People) -> Race:
    return _same(
        Race,
        row,
        entries=tuple(_same(Entry, one, driver=people[one.name_key]) for one in row.entries),
        rules=tuple(row.rules),
        season=row.season_key,
        penalties=tuple(_penalty(one, people) for one in row.penalties),
        notes=(*row.origin.notes, *(_same(Note, note) for note in row.notes)),
        earlier=tuple(_earlier(row, people)),
    )


def _earlier(race: RaceRow, people: People) -> Iterable[Earlier]:
    for rows in race.origin.earlier:
        yield Earlier(entries=_entries(rows, people))
    result: Sequence[Row] = race.origin.rows
    for amendment in race.amendments:
        entries = _entries(result, people)
        yield Earlier(entries=entries, reason=amendment.reason, at=amendment.at)
        result = amended(result, amendment.entries, race.game)


def _entries(rows: Iterable[Row], people: People) -> tuple[Entry, ...]:
    """An earlier result, which is kept as it was given, with those who drive by now."""
    keys = ((row, key_of(row.player or row.name)) for row in rows)
    return tuple(_same(Entry, row, driver=people.get(key, key)) for row, key in keys)


def _penalty(row: PenaltyRow, people: People) -> Penalty:
    return _same(Penalty, row, driver=people[row.name_key])
