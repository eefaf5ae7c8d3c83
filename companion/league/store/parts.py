"""What a driver has done by seasons and by boards, and with which luck: a question each, whose cost
is of the driver's own races."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from sqlalchemy import and_, case, func, join, select
from sqlalchemy.orm import Session

from companion.league.numbers.book import Part
from companion.league.store.models import BoardRow, RaceRow, ResultRow, SeasonRow

MOST_PARTS = 30
"""Seasons, and boards."""
PODIUM = 3


def luck(session: Session, driver: str, most: int) -> tuple[float, ...]:
    """The luck of the dice in all, after each of the latest races in which it was measured."""
    query = (
        select(ResultRow.tally)
        .where(ResultRow.driver_key == driver)
        .order_by(ResultRow.at.desc())
        .limit(most)
    )
    tallies = reversed(session.scalars(query).all())
    return tuple(accumulate(tally["luck"] for tally in tallies if "luck" in tally))


def seasons(session: Session, driver: str) -> tuple[Part, ...]:
    """By seasons, the newest first."""
    races = join(ResultRow, RaceRow, RaceRow.id == ResultRow.race_id)
    every = join(races, SeasonRow, SeasonRow.key == RaceRow.season_key)
    newest = func.max(SeasonRow.number)
    return _parts(session, driver, SeasonRow.key, SeasonRow.title, every, newest)


def boards(session: Session, driver: str) -> tuple[Part, ...]:
    """By boards, the one driven most first."""
    every = join(ResultRow, BoardRow, BoardRow.key == ResultRow.board)
    return _parts(session, driver, BoardRow.key, BoardRow.title, every, func.count())


def _parts(
    session: Session, driver: str, key: Any, title: Any, every: Any, order: Any
) -> tuple[Part, ...]:
    is_home = ResultRow.status.in_(("finished", "running"))
    podiums = func.sum(case((and_(is_home, ResultRow.place <= PODIUM), 1), else_=0))
    query = (
        select(
            key,
            title,
            func.count(),
            func.sum(case((ResultRow.won, 1), else_=0)),
            podiums,
            func.min(case((is_home, ResultRow.place))),
        )
        .select_from(every)
        .where(ResultRow.driver_key == driver)
        .group_by(key, title)
        .order_by(order.desc(), key)
        .limit(MOST_PARTS)
    )
    names = ("key", "title", "races", "wins", "podiums", "best")
    return tuple(Part(**dict(zip(names, row, strict=True))) for row in session.execute(query))
