"""Ratings and skills after each race, kept at writing.

They hang on the order of the races: from the first one touched they are worked out anew, which for
a race that comes in last is itself.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Table, and_, bindparam, func, select, update
from sqlalchemy.orm import Session

from companion.league.numbers import skill
from companion.league.numbers.rating import START, gains
from companion.league.numbers.skill import Skill
from companion.league.store.models import Base, ResultRow, TotalRow

AT_ONCE = 200
"""Keys in one question."""
Values = dict[str, Any]


class Rated(NamedTuple):
    """What a driver has after a race, and which race that is, as `ResultRow.at`."""

    rating: float = START
    at: str = ""
    skill: Skill | None = None


def rate(session: Session, first: str, drivers: list[str]) -> None:
    """The ratings from this race on, and of those who drove in the races that were touched."""
    rows = session.execute(
        select(ResultRow.at, ResultRow.race_id, ResultRow.driver_key, ResultRow.place)
        .where(ResultRow.at >= first)
        .order_by(ResultRow.at, ResultRow.place)
    ).all()
    races: dict[tuple[str, str], dict[str, int]] = {}
    for at, race, driver, place in rows:
        races.setdefault((at, race), {})[driver] = place
    who = sorted({*drivers, *(row.driver_key for row in rows)})
    now = _before(session, first, who)
    rated: list[Values] = []
    for (at, race), places in races.items():
        if len(places) > 1:
            now.update(_after(at, places, now))
            keys = ({"b_race": race, "b_driver": driver} for driver in places)
            rated += [{**one, **_values(now[one["b_driver"]])} for one in keys]
    _write(session, rated)
    for driver, row in totals_of(session, who).items():
        one = now.get(driver, Rated())
        row.last = one.at
        for name, value in _values(one).items():
            setattr(row, name, value)
        if not row.tally:
            session.delete(row)
    session.flush()


def rows_in(
    session: Session, kind: type[Any], column: Any, keys: list[str], *more: Any
) -> list[Any]:
    """The rows with these keys, some hundreds at a time."""
    rows: list[Any] = []
    for first in range(0, len(keys), AT_ONCE):
        some = column.in_(keys[first : first + AT_ONCE])
        rows += session.scalars(select(kind).where(some, *more)).all()
    return rows


def totals_of(session: Session, drivers: list[str]) -> dict[str, TotalRow]:
    """What these drivers have done, by their keys."""
    rows = rows_in(session, TotalRow, TotalRow.driver_key, drivers)
    return {row.driver_key: row for row in rows}


def _after(at: str, places: dict[str, int], now: dict[str, Rated]) -> dict[str, Rated]:
    before = {driver: now.get(driver, Rated()) for driver in places}
    gained = gains(places, {driver: one.rating for driver, one in before.items()})
    skills: dict[str, Skill] = {}
    if skill.is_reckoned():
        known = {driver: one.skill for driver, one in before.items() if one.skill is not None}
        skills = skill.after(places, known)
    return {
        driver: Rated(one.rating + gained[driver], at, skills.get(driver))
        for driver, one in before.items()
    }


def _values(one: Rated) -> Values:
    mu, sigma = one.skill or (None, None)
    return {"rating": one.rating, "mu": mu, "sigma": sigma}


def _write(session: Session, rated: list[Values]) -> None:
    if not rated:
        return
    table = Base.metadata.tables[ResultRow.__tablename__]
    assert isinstance(table, Table)
    one = and_(table.c.race_id == bindparam("b_race"), table.c.driver_key == bindparam("b_driver"))
    session.connection().execute(update(table).where(one), rated)


def _before(session: Session, first: str, drivers: list[str]) -> dict[str, Rated]:
    """What everybody had before a race."""
    found, late = {}, []
    for driver, row in totals_of(session, drivers).items():
        if row.last < first:
            if row.last:
                found[driver] = _rated(row, row.last)
        else:
            late.append(driver)
    for n in range(0, len(late), AT_ONCE):
        last = (
            select(ResultRow.driver_key, func.max(ResultRow.at).label("at"))
            .where(ResultRow.driver_key.in_(late[n : n + AT_ONCE]), ResultRow.at < first)
            .where(ResultRow.rating.is_not(None))
            .group_by(ResultRow.driver_key)
            .subquery()
        )
        same = and_(ResultRow.driver_key == last.c.driver_key, ResultRow.at == last.c.at)
        for result in session.execute(select(ResultRow).join(last, same)).scalars():
            found[result.driver_key] = _rated(result, result.at)
    return found


def _rated(row: TotalRow | ResultRow, at: str) -> Rated:
    known = row.mu is not None and row.sigma is not None
    return Rated(
        START if row.rating is None else row.rating,
        at,
        Skill(row.mu or 0.0, row.sigma or 0.0) if known else None,
    )
