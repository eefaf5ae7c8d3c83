"""Cars of all seasons, for programs that ask across them: kept at writing, and read by the page."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from sqlalchemy import ColumnElement, delete, func, insert, select
from sqlalchemy.orm import Session

from companion.league.classified import classify
from companion.league.exchange import ergast_parts as parts
from companion.league.names import ascii_person
from companion.league.plain import Race, Season
from companion.league.ports import Picked
from companion.league.store.models import CarRow, RaceRow, SeasonRow
from companion.league.store.reading import read_races
from companion.league.store.stages import read_seasons

AT_ONCE = 200
SPRINTS = ("", "beside", "stage")
"""No sprint; one in the round of another race; a race of a stage that is a sprint."""
Values = dict[str, Any]


def keep(session: Session, races: list[str]) -> None:
    """Keep what the cars of these races come to now."""
    races = sorted({*races, *_own_points(session, races)})
    for first in range(0, len(races), AT_ONCE):
        some = races[first : first + AT_ONCE]
        session.execute(delete(CarRow).where(CarRow.race.in_(some)))
        found = read_races(session, select(RaceRow).where(RaceRow.id.in_(some)), is_slim=True)
        keys = {race.season for race in found if race.season}
        rows = session.scalars(select(SeasonRow).where(SeasonRow.key.in_(keys))).all()
        seasons = {season.key: season for season in read_seasons(session, rows)}
        rounds = _rounds(session, keys)
        new = [values for race in found for values in _cars(race, seasons, rounds)]
        if new:
            session.execute(insert(CarRow), new)
        session.expire_all()


def _own_points(session: Session, races: list[str]) -> set[str]:
    """The races with points of their own in the seasons of these: whether they are sprints hangs
    on what else is in their round."""
    found: set[str] = set()
    for first in range(0, len(races), AT_ONCE):
        of = select(RaceRow.season_key).where(RaceRow.id.in_(races[first : first + AT_ONCE]))
        own = RaceRow.season_key.in_(of), RaceRow.scoring.is_not(None)
        found |= set(session.scalars(select(RaceRow.id).where(*own)))
    return found


def _rounds(session: Session, seasons: Collection[str]) -> set[tuple[str, int | None]]:
    """The rounds that have a race with the points of the season."""
    rounds = (
        select(RaceRow.season_key, RaceRow.round)
        .where(RaceRow.season_key.in_(seasons), RaceRow.scoring.is_(None))
        .where(RaceRow.struck.is_(None), RaceRow.provisional.is_(False))
        .distinct()
    )
    return {(season or "", number) for season, number in session.execute(rounds)}


def _cars(
    race: Race, seasons: Mapping[str, Season], rounds: Collection[tuple[str, int | None]]
) -> Iterator[Values]:
    if race.season is None or not race.counts:
        return
    season = seasons[race.season]
    entries = classify(race)
    ranks = parts.ranks_of(entries)
    board = parts.board_of(race)
    is_beside = race.scoring is not None and (race.season, race.round) in rounds
    sprint = "beside" if is_beside else "stage" if season.kind == "sprint" else ""
    for entry in entries:
        team = season.team_of(entry.driver, race.round or 0, entry.team)
        status = parts.status_of(entry)
        yield {
            "race": race.id,
            "seat": entry.seat,
            "at": f"{race.date} {race.id}",
            "season": race.season,
            "driver": entry.driver,
            "driver_id": ascii_person(entry.driver),
            "team": team,
            "team_id": parts.constructor(team)["constructorId"] if team else None,
            "board": board,
            "board_id": parts.circuit(board)["circuitId"],
            "status": status,
            "status_id": parts.status_id(status),
            "place": entry.place,
            "grid": entry.grid or 0,
            "fastest": ranks.get(entry.seat),
            "sprint": sprint,
        }


def read_cars(session: Session, picked: Picked, first: int, most: int) -> list[tuple[str, int]]:
    """Race and seat of the cars that are picked, oldest race first, by place."""
    order = (CarRow.at, CarRow.grid if picked.by_grid else CarRow.place, CarRow.seat)
    query = select(CarRow.race, CarRow.seat).where(*_fits(picked)).order_by(*order)
    return [(race, seat) for race, seat in session.execute(query.offset(first).limit(most))]


def count_cars(session: Session, picked: Picked) -> int:
    """How many cars are picked."""
    return session.scalar(select(func.count()).select_from(CarRow).where(*_fits(picked))) or 0


def read_groups(
    session: Session, picked: Picked, of: str, first: int, most: int
) -> tuple[list[tuple[str, int]], int]:
    """What the cars that are picked have under a name, each once and how often; and how many."""
    column = getattr(CarRow, of)
    own = (CarRow.at, column) if of == "race" else (getattr(CarRow, f"{of}_id", column), column)
    query = select(column, func.count()).where(column.is_not(None), *_fits(picked)).group_by(*own)
    if of == "driver" and picked.hidden:
        query = query.where(column.not_in(picked.hidden))
    counted = query.add_columns(func.count().over()).order_by(*own)
    rows = session.execute(counted.offset(first).limit(most)).all()
    if rows:  # counted along, so that the cars are gone through once
        return [(value, number) for value, number, _ in rows], rows[0][2]
    return [], session.scalar(select(func.count()).select_from(query.subquery())) or 0


def _fits(picked: Picked) -> list[ColumnElement[bool]]:
    found = [getattr(CarRow, name) == value for name, value in picked.values]
    if picked.of == "races":
        found.append(CarRow.sprint != "beside")
    if picked.of == "sprints":
        found.append(CarRow.sprint != "")
    if picked.by_grid:
        found.append(CarRow.grid > 0)
    if picked.unseen:
        found.append(CarRow.season.not_in(picked.unseen))
    if picked.hidden and "driver_id" in dict(picked.values):
        found.append(CarRow.driver.not_in(picked.hidden))
    return found
