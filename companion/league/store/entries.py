"""The acts of competitions carried out: stages, ways between them, entry lists, calendars."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from companion.league import acts
from companion.league import entry_acts as entries
from companion.league.errors import BadAct
from companion.league.said import UNSAID
from companion.league.store.applying import (
    carry_out,
    find_name,
    find_season,
    move_races,
)
from companion.league.store.bans import refuse_banned
from companion.league.store.entry_models import (
    ComingRow,
    CompetitionRow,
    EntrantCrewRow,
    EntrantRow,
    PathRow,
    PlannedRow,
    StandInRow,
)
from companion.league.store.models import NameRow, RaceRow
from companion.league.store.writing import man_again, put_name


@carry_out.register
def _competition(act: entries.SetCompetition, session: Session, done: acts.Done) -> None:
    row = session.get(CompetitionRow, act.competition)
    if row is None:
        row = CompetitionRow(
            key=act.competition, number=done.n, title=act.competition, ranking="sum"
        )
        session.add(row)
    if act.title is not UNSAID:
        row.title = act.title
    if act.ranking is not UNSAID:
        row.ranking = act.ranking


@carry_out.register
def _path(act: entries.OpenPath, session: Session, done: acts.Done) -> None:
    season, into = find_season(session, act.season), find_season(session, act.into)
    if season.key == into.key:
        raise BadAct("a way leads into another stage")
    if 0 in (act.first, act.last) or (act.first > 0 < act.last < act.first):
        raise BadAct("places are counted from 1, or from the end, where -1 is the last")
    if act.first < 0 and act.last < act.first:
        raise BadAct(f"the places {act.first} to {act.last} are none")
    by = "standings" if act.by is UNSAID else act.by
    row = PathRow(id=done.n, season_key=season.key, into=into.key, first=act.first, last=act.last)
    row.by = by
    session.add(row)


@carry_out.register
def _close_path(act: entries.ClosePath, session: Session, done: acts.Done) -> None:
    row = session.get(PathRow, act.path)
    if row is None:
        raise BadAct(f"there is no way with number {act.path}")
    session.delete(row)


@carry_out.register
def _enter(act: entries.Enter, session: Session, done: acts.Done) -> None:
    season = find_season(session, act.season)
    key = put_name(session, act.driver)
    own = acts.given(act)
    if own.get("via") is not None:
        find_season(session, own["via"])
    row = find_entrant(session, season.key, key)
    if row is None:
        _refuse_crew(session, season.key, key)
        row = EntrantRow(season_key=season.key, name_key=key, role="regular")
        session.add(row)
    if own.get("number") is not None:
        _check_number(session, row, own["number"])
    for name in ("number", "color", "role", "until", "via", "table", "grid"):
        if name in own:
            setattr(row, name, own[name])
    if "crew" in own:
        _man(session, row, own["crew"])
    if own.get("team") is not None:
        team = acts.SetTeam(season=season.key, driver=act.driver, team=own["team"])
        carry_out(team, session, done)
    move_races(session, season.key)


def _man(session: Session, row: EntrantRow, people: Iterable[str]) -> None:
    """The crew of an entrant is this one; nobody: the driver is alone again."""
    of = (EntrantCrewRow.season_key == row.season_key, EntrantCrewRow.name_key == row.name_key)
    session.execute(delete(EntrantCrewRow).where(*of))
    session.flush()
    for number, one in enumerate(people, 1):
        member = EntrantCrewRow(season_key=row.season_key, name_key=row.name_key, number=number)
        member.member_key = put_name(session, one)
        if find_entrant(session, row.season_key, member.member_key) is not None:
            raise BadAct(f"{one} is entered already: a crew is of others")
        _refuse_crew(session, row.season_key, member.member_key)
        session.add(member)
    session.flush()
    races = select(RaceRow).where(RaceRow.season_key == row.season_key)
    man_again(session, session.scalars(races).all())


def _refuse_crew(session: Session, season: str, name: str) -> None:
    """See that somebody is in no crew of an entry list, under whatever name.

    Raises:
        BadAct: he is; the car is named.
    """
    driver = select(NameRow.driver_key).where(NameRow.key == name).scalar_subquery()
    own = select(NameRow.key).where(NameRow.driver_key == driver)
    of = (EntrantCrewRow.season_key == season, EntrantCrewRow.member_key.in_(own))
    car = session.scalars(select(EntrantCrewRow.name_key).where(*of)).first()
    if car is not None:
        spelling = _name_row(session, name).spelling
        raise BadAct(f"{spelling} is in the crew of {_name_row(session, car).spelling} already")


def find_entrant(session: Session, season: str, name: str) -> EntrantRow | None:
    """The line of a person on an entry list, under whatever name; None: not entered."""
    driver = select(NameRow.driver_key).where(NameRow.key == name).scalar_subquery()
    own = select(NameRow.key).where(NameRow.driver_key == driver)
    found = select(EntrantRow).where(EntrantRow.season_key == season, EntrantRow.name_key.in_(own))
    return session.scalars(found.order_by(EntrantRow.name_key)).first()


def _check_number(session: Session, row: EntrantRow, number: int) -> None:
    session.flush()
    same = select(EntrantRow.name_key).where(
        EntrantRow.season_key == row.season_key, EntrantRow.number == number
    )
    others = [key for key in session.scalars(same) if key != row.name_key]
    if others:
        name = session.get(NameRow, others[0])
        assert name is not None  # a foreign key
        raise BadAct(f"{name.spelling} has the number {number} already")


@carry_out.register
def _scratch(act: entries.Scratch, session: Session, done: acts.Done) -> None:
    season, name = find_season(session, act.season), find_name(session, act.driver)
    row = find_entrant(session, season.key, name.key)
    if row is None:
        raise BadAct(f"{name.spelling} is not on the entry list of {season.title}")
    _man(session, row, ())
    session.delete(row)


@carry_out.register
def _stand_for(act: entries.StandFor, session: Session, done: acts.Done) -> None:
    season, name = find_season(session, act.season), put_name(session, act.driver)
    old = session.get(StandInRow, (season.key, act.round, name))
    if old is not None:
        session.delete(old)
        session.flush()
    if act.absent is not None:
        refuse_banned(session, season, _name_row(session, name), act.round)
        absent = find_name(session, act.absent)
        if absent.key == name:
            raise BadAct(f"{act.driver!r} cannot stand in for himself")
        if session.get(StandInRow, (season.key, act.round, absent.key)) is not None:
            raise BadAct(f"{act.absent!r} stands in for somebody in that round")
        row = StandInRow(season_key=season.key, round=act.round, name_key=name)
        row.absent_key = absent.key
        session.add(row)
    elif old is None:
        raise BadAct(f"{act.driver!r} stands in for nobody in round {act.round}")
    move_races(session, season.key)


def _name_row(session: Session, key: str) -> NameRow:
    row = session.get(NameRow, key)
    assert row is not None  # it has just been put
    return row


@carry_out.register
def _plan(act: entries.Plan, session: Session, done: acts.Done) -> None:
    season = find_season(session, act.season)
    row = session.get(PlannedRow, (season.key, act.round))
    if row is None:
        row = PlannedRow(season_key=season.key, round=act.round)
        session.add(row)
    for name, value in acts.given(act).items():
        if name not in ("season", "round"):
            setattr(row, name, value)


@carry_out.register
def _unplan(act: entries.Unplan, session: Session, done: acts.Done) -> None:
    row = session.get(PlannedRow, (act.season, act.round))
    if row is None:
        raise BadAct(f"there is no round {act.round} in that calendar")
    of_round = ComingRow.round == act.round
    session.execute(delete(ComingRow).where(ComingRow.season_key == act.season, of_round))
    session.delete(row)


@carry_out.register
def _come(act: entries.Come, session: Session, done: acts.Done) -> None:
    if session.get(PlannedRow, (act.season, act.round)) is None:
        raise BadAct(f"there is no round {act.round} in that calendar")
    key = put_name(session, act.driver)
    if act.comes:
        season = find_season(session, act.season)
        refuse_banned(session, season, _name_row(session, key), act.round)
    session.merge(ComingRow(season_key=act.season, round=act.round, name_key=key, comes=act.comes))
