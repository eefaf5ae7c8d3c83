"""What is known, out of the tables: the `LeagueQueries` of `ports.py`."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from sqlalchemy import Engine, Select, func, select, union
from sqlalchemy.orm import Session

from companion.league.competing import Competition
from companion.league.errors import BrokenFile
from companion.league.people import People
from companion.league.plain import Driver, Line, Race, Season
from companion.league.public import Unseen
from companion.league.receiving import record_of
from companion.league.storage import Storage
from companion.league.store.entry_models import CompetitionRow, EntrantCrewRow, EntrantRow
from companion.league.store.models import (
    CrewRow,
    DriverRow,
    EntryRow,
    NameRow,
    RaceRow,
    SeasonRow,
)
from companion.league.store.opening import translated
from companion.league.store.reading import (
    called,
    read_races,
    tell_driver,
)
from companion.league.store.stages import read_seasons, tell_competition
from companion.record import RecordError, parse_record


class StoreQueries:
    """Answers out of the database; each call is one transaction, so it sees one state."""

    def __init__(self, engine: Engine, storage: Storage, people: People) -> None:
        self._engine = engine
        self._storage = storage
        self._people = people

    @contextmanager
    def _open(self) -> Iterator[Session]:
        with translated(), Session(self._engine) as session:
            yield session

    def seasons(
        self,
        key: str | None = None,
        *,
        keys: Collection[str] | None = None,
        first: int = 0,
        most: int | None = None,
        is_slim: bool = False,
    ) -> list[Season]:
        """All seasons, the newest first; or the one with a key. Or so many behind the `first`.

        With `is_slim` without teams, entry list, calendar, ways and penalties: for lists.
        """
        query = select(SeasonRow).order_by(SeasonRow.number.desc())
        if key is not None:
            query = query.where(SeasonRow.key == key)
        if keys is not None:
            query = query.where(SeasonRow.key.in_(keys))
        return self._seasons(query.offset(first).limit(most), is_slim=is_slim)

    def current(self) -> Season | None:
        """The season that is open, else the newest."""
        newest = select(SeasonRow).order_by(SeasonRow.is_open.desc(), SeasonRow.number.desc())
        return next(iter(self._seasons(newest.limit(1))), None)

    def _seasons(self, query: Select[SeasonRow], *, is_slim: bool = False) -> list[Season]:
        with self._open() as session:
            return read_seasons(session, session.scalars(query).all(), is_slim=is_slim)

    def competitions(self) -> list[Competition]:
        """All competitions, the newest first."""
        query = select(CompetitionRow).order_by(CompetitionRow.number.desc())
        with self._open() as session:
            return [tell_competition(row) for row in session.scalars(query)]

    def stages(self, competition: str) -> list[Season]:
        """The stages of a competition: the first step first, the uppermost tier first."""
        query = select(SeasonRow).where(SeasonRow.competition == competition)
        return self._seasons(query.order_by(SeasonRow.step, SeasonRow.tier, SeasonRow.number))

    def races(
        self,
        *,
        season: str | None = None,
        driver: str | None = None,
        race: str | None = None,
        stages: Collection[str] | None = None,
        is_slim: bool = False,
    ) -> list[Race]:
        """Races, oldest first; in a season by round."""
        query = _races(season, driver, race)
        if stages is not None:
            query = query.where(RaceRow.season_key.in_(stages))
        with self._open() as session:
            return read_races(session, query, is_slim=is_slim)

    def drivers(self, keys: Collection[str] | None = None) -> list[Driver]:
        """Everybody who was in a race or is entered, by name; or those with these keys."""
        seats = union(
            select(EntryRow.race_id, EntryRow.name_key), select(CrewRow.race_id, CrewRow.name_key)
        ).subquery()
        counts = (
            select(NameRow.driver_key, func.count(seats.c.race_id.distinct()))
            .join(seats, seats.c.name_key == NameRow.key)
            .group_by(NameRow.driver_key)
        )
        entered = union(select(EntrantRow.name_key), select(EntrantCrewRow.member_key))
        shall = select(NameRow.driver_key).where(NameRow.key.in_(entered))
        of_keys = NameRow.driver_key.in_(keys or ())
        written = select(NameRow).order_by(NameRow.since, NameRow.key)
        titled = select(DriverRow)
        if keys is not None:
            counts = counts.where(NameRow.driver_key.in_(keys))
            written = written.where(NameRow.driver_key.in_(keys))
            titled = titled.where(DriverRow.key.in_(keys))
        with self._open() as session:
            counted = {row[0]: row[1] for row in session.execute(counts)}
            people = session.scalars(shall if keys is None else shall.where(of_keys)).all()
            counted = {**dict.fromkeys(people, 0), **counted}
            names: dict[str, list[NameRow]] = {}
            for row in session.scalars(written):
                names.setdefault(row.driver_key, []).append(row)
            rows = {row.key: row for row in session.scalars(titled)}
            found = [_driver(rows[key], names[key], count) for key, count in counted.items()]
        return sorted(found, key=lambda driver: (driver.name.casefold(), driver.key))

    def names(self, drivers: Collection[str]) -> dict[str, str]:
        """What these drivers are called, by key."""
        with self._open() as session:
            return called(session, drivers)

    def years(self) -> dict[str, str]:
        """The year of each season's first race, by the season's key."""
        # Asked for each season: of all that its index has that is one entry.
        own = (RaceRow.season_key == SeasonRow.key, RaceRow.struck.is_(None))
        first = select(func.min(RaceRow.date)).where(*own, RaceRow.provisional.is_(False))
        query = select(SeasonRow.key, first.scalar_subquery()).order_by(SeasonRow.number.desc())
        with self._open() as session:
            return {key: date[:4] for key, date in session.execute(query) if date}

    def unseen(self) -> Unseen:
        """What strangers do not see now."""
        hidden = (
            select(NameRow.driver_key, NameRow.spelling, DriverRow.title)
            .join(DriverRow, DriverRow.key == NameRow.driver_key)
            .where(DriverRow.is_hidden)
        )
        private = select(SeasonRow.key).where(SeasonRow.is_private)
        drivers: dict[str, tuple[str, ...]] = {}
        with self._open() as session:
            for key, spelling, title in session.execute(hidden):
                more = (spelling, title) if title else (spelling,)
                drivers[key] = (*drivers.get(key, ()), *more)
            return Unseen(drivers, frozenset(session.scalars(private)))

    def record(self, race: str) -> list[Line] | None:
        """The lines of a race's record; None for a race entered by hand, or a file that is gone."""
        with self._open() as session:
            row = session.get(RaceRow, race)
            if row is None or row.source != "record":
                return None
        try:
            content = self._storage.read(record_of(race))
            lines = parse_record(self._people.veil_record(content or b"")[0])
        except (BrokenFile, RecordError):
            return None
        shown: list[Line] = self._people.shown_in(lines)
        return shown


def _races(season: str | None, driver: str | None, race: str | None) -> Select[RaceRow]:
    query = select(RaceRow)
    order = (RaceRow.date, RaceRow.id)
    if season is not None:
        query = query.where(RaceRow.season_key == season)
    if driver is not None:
        own = select(NameRow.key).where(NameRow.driver_key == driver)
        of_crew = RaceRow.crews.any(CrewRow.name_key.in_(own))
        query = query.where(RaceRow.entries.any(EntryRow.name_key.in_(own)) | of_crew)
    if race is not None:
        query = query.where(RaceRow.id == race)
    by_round = (RaceRow.round, *order) if season is not None else order
    return query.order_by(*by_round)


def _driver(row: DriverRow, names: list[NameRow], races: int) -> Driver:
    return tell_driver(row.key, names, row.title, races, is_hidden=row.is_hidden)
