"""What was kept of many races, for pages: the `Book` of `ports.py`. Every question has an index
and an end, so that a page costs the same however many races there are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import accumulate
from typing import Any

from sqlalchemy import Engine, and_, case, func, join, select
from sqlalchemy.orm import Session

from companion.league.numbers.book import BoardBook, Career, Held, Meeting, Outing, Part, Totals
from companion.league.numbers.rating import START
from companion.league.plain import Driver, Race
from companion.league.ports import Picked
from companion.league.store import cars
from companion.league.store.models import (
    BoardRow,
    DriverRow,
    NameRow,
    RaceRow,
    ResultRow,
    RivalRow,
    SeasonRow,
    TotalRow,
)
from companion.league.store.opening import translated
from companion.league.store.reading import called, read_races, tell_driver

MOST_RIVALS = 30
MOST_OUTINGS = 20
MOST_PARTS = 30
"""Seasons, and boards."""
PODIUM = 3
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
            curve, luck = _curves(session, driver)
            return Career(
                totals=totals,
                outings=_outings(session, driver),
                rivals=_rivals(session, driver),
                curve=curve,
                luck=luck,
                seasons=_seasons(session, driver),
                boards=_boards(session, driver),
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
    return Totals(driver=driver, rating=row.rating, tally=row.tally)


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
    """The ratings, and the luck of the dice in all, after each of the latest races."""
    query = (
        select(ResultRow.rating, ResultRow.tally)
        .where(ResultRow.driver_key == driver)
        .order_by(ResultRow.at.desc())
        .limit(MOST_CURVE)
    )
    rows = session.execute(query).all()[::-1]
    lucks = accumulate(tally["luck"] for _, tally in rows if "luck" in tally)
    return tuple(rating for rating, _ in rows if rating is not None), tuple(lucks)


def _parts(
    session: Session, driver: str, key: Any, title: Any, join: Any, order: Any
) -> tuple[Part, ...]:
    """What a driver has done, by seasons or by boards."""
    is_home = ResultRow.status.in_(("finished", "running"))
    podiums = func.sum(case((and_(is_home, ResultRow.place <= PODIUM), 1), else_=0))
    query = (
        select(
            *(key, title, func.count(), func.sum(case((ResultRow.won, 1), else_=0))),
            *(podiums, func.min(case((is_home, ResultRow.place)))),
        )
        .select_from(join)
        .where(ResultRow.driver_key == driver)
        .group_by(key, title)
        .order_by(order.desc(), key)
        .limit(MOST_PARTS)
    )
    names = ("key", "title", "races", "wins", "podiums", "best")
    return tuple(Part(**dict(zip(names, row, strict=True))) for row in session.execute(query))


def _seasons(session: Session, driver: str) -> tuple[Part, ...]:
    races = join(ResultRow, RaceRow, RaceRow.id == ResultRow.race_id)
    seasons = join(races, SeasonRow, SeasonRow.key == RaceRow.season_key)
    return _parts(
        session, driver, SeasonRow.key, SeasonRow.title, seasons, func.max(SeasonRow.number)
    )


def _boards(session: Session, driver: str) -> tuple[Part, ...]:
    boards = join(ResultRow, BoardRow, BoardRow.key == ResultRow.board)
    return _parts(session, driver, BoardRow.key, BoardRow.title, boards, func.count())


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
