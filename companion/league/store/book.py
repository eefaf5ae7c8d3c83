"""What was kept of many races, for pages: the `Book` of `ports.py`. Every question has an index
and an end, so that a page costs the same however many races there are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from companion.league.numbers.book import BoardBook, Career, Held, Meeting, Outing, Totals
from companion.league.numbers.rating import START
from companion.league.numbers.skill import Skill
from companion.league.plain import Driver, Race
from companion.league.ports import Picked
from companion.league.store import cars, championships, parts
from companion.league.store.models import (
    BoardRow,
    DriverRow,
    NameRow,
    RaceRow,
    ResultRow,
    RivalRow,
    TotalRow,
)
from companion.league.store.opening import translated
from companion.league.store.reading import called, read_races, tell_driver

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
                luck=parts.luck(session, driver, MOST_CURVE),
                seasons=parts.seasons(session, driver),
                boards=parts.boards(session, driver),
                championships=championships.read(session, driver),
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
            return cars.read_cars(session, picked, first, most), cars.count_cars(session, picked)

    def groups(
        self, picked: Picked, of: str, *, first: int = 0, most: int = 30
    ) -> tuple[list[tuple[str, int]], int]:
        """What these cars have under a name, each once, and how many cars; and how many such."""
        with translated(), Session(self._engine) as session:
            return cars.read_groups(session, picked, of, first, most)

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
