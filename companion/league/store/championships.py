"""The titles of drivers, kept at writing: those of the seasons that have changed, decided anew."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import delete, func, insert, literal, select
from sqlalchemy.orm import Session

from companion.league.acts import Act
from companion.league.championships import (
    WON_ALONE,
    Holder,
    champions,
    champions_overall,
    is_over,
)
from companion.league.dates import expected
from companion.league.numbers.book import Championship
from companion.league.store.entry_models import ChampionshipRow, CompetitionRow, PlannedRow
from companion.league.store.models import RaceRow, SeasonRow
from companion.league.store.reading import read_races
from companion.league.store.stages import read_seasons, tell_competition

CHANGED = "titles"
"""Where a session keeps the seasons that acts spoke of, and the competitions."""
MOST = 50


def note(session: Session, act: Act) -> None:
    """An act is about to change a season, or a competition."""
    seasons, cups = session.info.setdefault(CHANGED, (set(), set()))
    season, cup = (getattr(act, name, None) for name in ("season", "competition"))
    if isinstance(season, str):
        seasons.add(season)
        row = session.get(SeasonRow, season)
        cups |= {row.competition} if row is not None and row.competition else set()
    if isinstance(cup, str):
        cups.add(cup)


def decide(session: Session, seasons: Collection[str]) -> None:
    """Find out anew who has won these seasons, those that were noted, and their competitions."""
    noted, cups = session.info.pop(CHANGED, (set(), set()))
    keys = {*seasons, *noted}
    if not keys and not cups:
        return
    rows = _rows(session, SeasonRow.key, keys)
    cups = cups | {row.competition for row in rows if row.competition}
    stages = _rows(session, SeasonRow.competition, cups)
    over = _over(session, {row.key: row for row in (*rows, *stages)}.values())
    won = [row for row in rows if row.key in over and row.kind in WON_ALONE]
    _replace(session, keys, False, {row.key: _won(session, row) for row in won})
    of = {cup: [row for row in stages if row.competition == cup] for cup in cups}
    complete = [cup for cup, own in of.items() if own and all(row.key in over for row in own)]
    _replace(session, cups, True, {cup: _won_overall(session, cup, of[cup]) for cup in complete})


def read(session: Session, driver: str) -> tuple[Championship, ...]:
    """The titles of a driver: competitions, then seasons, the newest first."""
    cups = _held(session, driver, CompetitionRow, literal("competition"))
    within = select(SeasonRow.competition, SeasonRow.key)
    inside = within.where(SeasonRow.competition.in_([one.key for one in cups]))
    stages = [(cup, key) for cup, key in session.execute(inside)] if cups else []
    of = {one.key: tuple(key for cup, key in stages if cup == one.key) for one in cups}
    told = [replace(one, seasons=of[one.key]) for one in cups]
    return *told, *_held(session, driver, SeasonRow, SeasonRow.kind)


def _held(session: Session, driver: str, of: Any, kind: Any) -> list[Championship]:
    is_overall = ChampionshipRow.is_overall.is_(of is CompetitionRow)
    query = (
        select(of.key, of.title, kind, ChampionshipRow.team)
        .join(ChampionshipRow, ChampionshipRow.key == of.key)
        .where(ChampionshipRow.driver_key == driver, is_overall)
        .order_by(of.number.desc(), ChampionshipRow.team)
        .limit(MOST)
    )
    return [
        Championship(key=key, title=title, kind=kind, team=team or None, seasons=(key,))
        for key, title, kind, team in session.execute(query)
    ]


def _rows(session: Session, column: Any, keys: Collection[str]) -> Sequence[SeasonRow]:
    query = select(SeasonRow).where(column.in_(keys)).order_by(SeasonRow.step, SeasonRow.number)
    return session.scalars(query).all() if keys else []


def _over(session: Session, rows: Iterable[SeasonRow]) -> set[str]:
    """The keys of those of these seasons of which nothing more is to come."""
    rows = list(rows)
    keys = [row.key for row in rows]
    held = _counted(session, RaceRow.season_key, func.count(RaceRow.round.distinct()), keys,
                    RaceRow.struck.is_(None), RaceRow.provisional.is_(False))  # fmt: skip
    calendar = select(PlannedRow.season_key, PlannedRow.round, PlannedRow.cancelled.is_not(None))
    dated: dict[str, list[tuple[int, bool]]] = {}
    for key, number, is_off in session.execute(calendar.where(PlannedRow.season_key.in_(keys))):
        dated.setdefault(key, []).append((number, is_off))
    return {
        row.key
        for row in rows
        if is_over(
            held.get(row.key, 0),
            expected(row.planned, dated.get(row.key, ())),
            is_open=row.is_open,
            is_closed=row.is_closed,
            is_among_others=row.competition is not None and row.kind in WON_ALONE,
        )
    }


def _counted(
    session: Session, of: Any, number: Any, keys: Collection[str], *where: Any
) -> Mapping[str, int]:
    query = select(of, number).where(of.in_(keys), *where).group_by(of)
    rows: Iterable[tuple[str, int]] = map(tuple, session.execute(query))
    return dict(rows)


def _won(session: Session, row: SeasonRow) -> list[Holder]:
    (season,) = read_seasons(session, [row])
    own = select(RaceRow).where(RaceRow.season_key == row.key)
    return champions(season, read_races(session, own, is_slim=True))


def _won_overall(session: Session, cup: str, rows: Sequence[SeasonRow]) -> list[Holder]:
    row = session.get(CompetitionRow, cup)
    assert row is not None  # its stages have it as a foreign key
    own = select(RaceRow).where(RaceRow.season_key.in_([one.key for one in rows]))
    races = read_races(session, own, is_slim=True)
    return champions_overall(tell_competition(row), read_seasons(session, rows), races)


def _replace(
    session: Session, keys: Collection[str], is_overall: bool, won: Mapping[str, list[Holder]]
) -> None:
    if not keys:
        return
    of = ChampionshipRow.is_overall.is_(is_overall)
    session.execute(delete(ChampionshipRow).where(of, ChampionshipRow.key.in_(keys)))
    new = [
        {"key": key, "is_overall": is_overall, "driver_key": one.driver, "team": one.team or ""}
        for key, holders in won.items()
        for one in holders
    ]
    if new:
        session.execute(insert(ChampionshipRow), new)
