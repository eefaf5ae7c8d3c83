"""What is known, out of the tables: the `LeagueQueries` of `ports.py`.

What was kept of many races, for pages: the `Book` of `ports.py`. Every question has an index
and an end, so that a page costs the same however many races there are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, Select, func, select, union
from sqlalchemy.orm import Session

from companion.league.errors import BrokenFile
from companion.league.numbers import BoardBook, Career, Held, Meeting, Outing, Skill, Totals
from companion.league.people import People
from companion.league.plain import Competition, Driver, Line, Race, Season
from companion.league.ports import Picked
from companion.league.public import Unseen
from companion.league.receiving import record_of
from companion.league.storage import Storage
from companion.league.store import kept, reading
from companion.league.store.models import (
    BoardRow,
    CompetitionRow,
    CrewRow,
    DriverRow,
    EntrantCrewRow,
    EntrantRow,
    EntryRow,
    NameRow,
    RaceRow,
    ResultRow,
    RivalRow,
    SeasonRow,
    TotalRow,
)
from companion.league.store.reading import (
    called,
    read_races,
    read_seasons,
    tell_competition,
    tell_driver,
)
from companion.league.store.storage import translated
from companion.league.tally import START
from companion.race.record import RecordError, parse_record

# -- queries --------------------------------------------------------------------------------------


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


# -- book -----------------------------------------------------------------------------------------


MOST_RIVALS = 30
MOST_OUTINGS = 20
MOST_CURVE = 200
"""Races of a driver's curve, the latest."""


OF_RACE = ("date", "game", "board", "track", "name", "season_key")


class StoreBook:
    """Answers out of what was kept; each call is one transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def people(self, *, first: int = 0, most: int = 50) -> tuple[list[Totals], int]:
        """Those who have driven, the best rating first, and how many there are in all."""
        query = select(TotalRow).order_by(TotalRow.rating.desc(), TotalRow.driver_key)
        with translated(), Session(self._engine) as session:
            rows = session.scalars(query.offset(first).limit(most)).all()
            drivers = _drivers(session, [row.driver_key for row in rows])
            count = session.scalar(select(func.count()).select_from(TotalRow)) or 0
            found = [_totals(row, drivers[row.driver_key]) for row in rows]
        return found, count

    def career(self, driver: str) -> Career | None:
        """What a driver has done; None: nobody of this key has driven."""
        with translated(), Session(self._engine) as session:
            row = session.get(TotalRow, driver)
            people = _drivers(session, [driver])
            if driver not in people:
                return None
            totals = _totals(row, people[driver])
            curve, skills = _curves(session, driver)
            return Career(
                totals=totals,
                outings=_outings(session, driver),
                rivals=_rivals(session, driver),
                curve=curve,
                skills=skills,
                luck=reading.luck(session, driver, MOST_CURVE),
                seasons=reading.seasons(session, driver),
                boards=reading.boards(session, driver),
                championships=kept.read(session, driver),
            )

    def boards(self) -> list[BoardBook]:
        """The boards by name, for each game."""
        with translated(), Session(self._engine) as session:
            rows = session.scalars(select(BoardRow)).all()
            told = [held for row in rows for held in _held_in(row.records)]
            names = called(session, {held[-1] for held in told})
            races = [held[1] for held in told]
            dated = select(RaceRow.id, RaceRow.date, RaceRow.season_key)
            known = session.execute(dated.where(RaceRow.id.in_(races)))
            dates = {race: (date, season) for race, date, season in known}
        rows = sorted(rows, key=lambda row: (row.title.casefold(), row.game))
        return [_board(row, names, dates) for row in rows]

    def latest(self, *, first: int = 0, most: int = 50) -> tuple[list[Race], int]:
        """The latest races, slim ones (`reading.read_races`), and how many there are in all."""
        query = select(RaceRow).order_by(RaceRow.date.desc(), RaceRow.id.desc())
        with translated(), Session(self._engine) as session:
            races = read_races(session, query.offset(first).limit(most), is_slim=True)
            count = session.scalar(select(func.count()).select_from(RaceRow)) or 0
        return races, count

    def cars(
        self, picked: Picked, *, first: int = 0, most: int = 30
    ) -> tuple[list[tuple[str, int]], int]:
        """Cars of rounds, oldest first: the race's id and the seat; and how many there are."""
        with translated(), Session(self._engine) as session:
            return kept.read_cars(session, picked, first, most), kept.count_cars(session, picked)

    def groups(
        self, picked: Picked, of: str, *, first: int = 0, most: int = 30
    ) -> tuple[list[tuple[str, int]], int]:
        """What these cars have under a name, each once, and how many cars; and how many such."""
        with translated(), Session(self._engine) as session:
            return kept.read_groups(session, picked, of, first, most)

    def rounds(self, races: Collection[str]) -> list[Race]:
        """The races with these ids, oldest first."""
        query = select(RaceRow).where(RaceRow.id.in_(races)).order_by(RaceRow.date, RaceRow.id)
        with translated(), Session(self._engine) as session:
            return read_races(session, query)


def _drivers(session: Session, keys: Iterable[str]) -> dict[str, Driver]:
    wanted = list(keys)
    names: dict[str, list[NameRow]] = {}
    written = select(NameRow).where(NameRow.driver_key.in_(wanted))
    for row in session.scalars(written.order_by(NameRow.since, NameRow.key)):
        names.setdefault(row.driver_key, []).append(row)
    people = session.scalars(select(DriverRow).where(DriverRow.key.in_(wanted))).all()
    return {
        row.key: tell_driver(row.key, names[row.key], row.title, 0, is_hidden=row.is_hidden)
        for row in people
        if row.key in names
    }


def _totals(row: TotalRow | None, driver: Driver) -> Totals:
    if row is None:
        return Totals(driver=driver, rating=START)
    return Totals(driver=driver, rating=row.rating, skill=_skill(row), tally=row.tally)


def _skill(row: Any) -> Skill | None:
    known = row.mu is not None and row.sigma is not None
    return Skill(row.mu, row.sigma) if known else None


def _outings(session: Session, driver: str) -> tuple[Outing, ...]:
    query = (
        select(ResultRow, *(getattr(RaceRow, name) for name in OF_RACE))
        .join(RaceRow, RaceRow.id == ResultRow.race_id)
        .where(ResultRow.driver_key == driver)
        .order_by(ResultRow.at.desc())
        .limit(MOST_OUTINGS)
    )
    return tuple(
        Outing(
            race=row.race_id,
            date=date,
            game=game,
            title=board or track or name,
            place=row.place,
            status=row.status,
            rating=row.rating,
            season=season,
        )
        for row, date, game, board, track, name, season in session.execute(query)
    )


def _rivals(session: Session, driver: str) -> tuple[Meeting, ...]:
    query = (
        select(RivalRow)
        .where(RivalRow.driver_key == driver)
        .order_by(RivalRow.races.desc(), RivalRow.other_key)
        .limit(MOST_RIVALS)
    )
    rows = session.scalars(query).all()
    names = called(session, {row.other_key for row in rows})
    return tuple(
        Meeting(
            driver=row.other_key,
            name=names.get(row.other_key, row.other_key),
            races=row.races,
            ahead=row.ahead,
            behind=row.behind,
        )
        for row in rows
    )


def _curves(session: Session, driver: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The ratings after the latest races, and the skills as far as they were reckoned."""
    query = (
        select(ResultRow.rating, ResultRow.mu, ResultRow.sigma)
        .where(ResultRow.driver_key == driver, ResultRow.rating.is_not(None))
        .order_by(ResultRow.at.desc())
        .limit(MOST_CURVE)
    )
    rows = session.execute(query).all()[::-1]
    skills = filter(None, map(_skill, rows))
    return tuple(row.rating for row in rows), tuple(one.sure for one in skills)


def _held_in(records: Mapping[str, Any]) -> list[Any]:
    """The records of a board: number, race, driver."""
    lap, race = records.get("lap"), records.get("race", {})
    wins = records.get("wins")
    held = [lap] if lap else []
    return [*held, *race.values(), *([[wins[1], None, wins[0]]] if wins else [])]


def _board(
    row: BoardRow, names: Mapping[str, str], dates: Mapping[str, tuple[str, str | None]]
) -> BoardBook:
    records: Mapping[str, Any] = row.records

    def held(of: Any) -> Held | None:
        if not of:
            return None
        number, race, driver = of
        date, season = dates.get(race, ("", None))
        who = {"driver": driver, "name": names.get(driver, driver)}
        return Held(number=number, **who, race=race, date=date, season=season)

    wins = records.get("wins")
    best = {int(laps): held(of) for laps, of in records.get("race", {}).items()}
    return BoardBook(
        game=row.game,
        title=row.title,
        races=row.races,
        lap=held(records.get("lap")),
        race={laps: one for laps, one in sorted(best.items()) if one is not None},
        wins=held([wins[1], None, wins[0]] if wins else None),
    )
