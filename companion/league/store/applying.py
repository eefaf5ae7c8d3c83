"""Acts carried out on the tables: a function a kind, which raises `BadAct` where what the act
speaks of is not there; then the caller takes the whole transaction back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import singledispatch

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from companion.league import acts
from companion.league.errors import BadAct
from companion.league.names import key_of
from companion.league.points import FORMULA_D, format_points
from companion.league.rows import entered
from companion.league.said import UNSAID
from companion.league.store.bans import judge
from companion.league.store.championships import note
from companion.league.store.entry_models import CompetitionRow
from companion.league.store.models import (
    AmendmentRow,
    CrewRow,
    DriverRow,
    EntryRow,
    NameRow,
    NoteRow,
    Origin,
    RaceRow,
    SeasonRow,
    SeasonTeamRow,
    TableRow,
)
from companion.league.store.writing import (
    man_again,
    move,
    next_rounds,
    put_name,
    settle,
    touch,
)


def apply(session: Session, done: acts.Done) -> None:
    """Carry out one act.

    Raises:
        BadAct: it speaks of what is not there.
    """
    note(session, done.act)
    carry_out(done.act, session, done)
    session.flush()


@singledispatch
def carry_out(act: acts.Act, session: Session, done: acts.Done) -> None:
    """Carry out an act of a kind; there is a function for every one."""
    raise NotImplementedError(act.kind)


def find_race(session: Session, race: str) -> RaceRow:
    """The race with this id.

    Raises:
        BadAct: there is none.
    """
    row = session.get(RaceRow, race)
    if row is None:
        raise BadAct(f"there is no race {race!r} in the league")
    return row


def find_season(session: Session, key: str) -> SeasonRow:
    """The season with this key.

    Raises:
        BadAct: there is none; those that there are are named.
    """
    row = session.get(SeasonRow, key)
    if row is None:
        known = session.scalars(select(SeasonRow.key).order_by(SeasonRow.number)).all()
        there = f"there are {', '.join(known)}" if known else "there is none yet"
        raise BadAct(f"there is no season {key!r}; {there}")
    return row


def find_competition(session: Session, key: str) -> CompetitionRow:
    """The competition with this key.

    Raises:
        BadAct: there is none.
    """
    row = session.get(CompetitionRow, key)
    if row is None:
        raise BadAct(f"there is no competition {key!r}")
    return row


def find_name(session: Session, name: str) -> NameRow:
    """The row of a name.

    Raises:
        BadAct: nobody has driven under it, and nobody was called so.
    """
    row = session.get(NameRow, key_of(name))
    if row is None:
        raise BadAct(f"nobody in the league is called {name!r}")
    return row


@carry_out.register
def _season(act: acts.SetSeason, session: Session, done: acts.Done) -> None:
    row = session.get(SeasonRow, act.season)
    if row is None:
        row = SeasonRow(
            key=act.season,
            number=done.n,
            title=act.season,
            points=format_points(FORMULA_D),
            drops=0,
            is_open=False,
            is_closed=False,
            is_private=False,
            ties="places",
            kind="season",
            step=1,
            tier=1,
            adds=True,
        )
        session.add(row)
    if act.is_open is not UNSAID:
        row.is_closed = not act.is_open and (row.is_open or row.is_closed)
    if act.is_open is True:
        session.flush()
        session.execute(update(SeasonRow).values(is_open=False))
    own, before = acts.given(act), row.kind
    if own.get("competition") is not None:
        find_competition(session, own["competition"])
    for name, value in own.items():
        if name != "season":
            setattr(row, "kind" if name == "stage" else name, value)
    judge(session, row.key)
    if "stage" in own:  # whether its races are sprints, or trials
        races = select(RaceRow.id).where(RaceRow.season_key == act.season)
        _place_anew(session, session.scalars(races).all(), before, row.kind)


@carry_out.register
def _race(act: acts.EnterRace, session: Session, done: acts.Done) -> None:
    if session.get(RaceRow, act.race) is not None:
        raise BadAct(
            f"there is a race {act.race!r} already, with the same cars on the same day; "
            "another one needs another name"
        )
    rows = entered(act.entries, act.game)
    own = acts.given(act)
    race = RaceRow(
        id=act.race,
        name=own.get("name") or own.get("track") or act.date,
        date=act.date,
        game=act.game,
        track=own.get("track"),
        board=own.get("track"),
        laps=own.get("laps"),
        rules=[],
        source="hand",
        factor=1,
        sender=own.get("table"),
        provisional=False,
        origin=Origin(tuple(rows)),
        numbers={},
    )
    session.add(race)
    settle(session, race, is_new=True)


@carry_out.register
def _round(act: acts.PlaceRace, session: Session, done: acts.Done) -> None:
    race = find_race(session, act.race)
    before = _kind(session, race)
    if race.season_key is not None:
        left = select(RaceRow.id).where(RaceRow.season_key == race.season_key)
        move(session, session.scalars(left.where(RaceRow.scoring.is_not(None))))
    race.placed = done.n
    judge(session, race.season_key)
    race.season_key = race.round = None
    race.factor = 1 if act.factor is UNSAID else act.factor
    race.scoring = None if act.points is UNSAID else act.points
    session.flush()  # else it would count for the round after itself
    if act.season is not None:
        season = find_season(session, act.season)
        number = None if act.round is UNSAID else act.round
        race.round = number or season.current_round or next_rounds(session, season.key)[0]
        race.season_key = season.key
    man_again(session, [race])
    _place_anew(session, [race.id], before, _kind(session, race))


def _kind(session: Session, race: RaceRow) -> str | None:
    """The kind of a race's stage; None: it is in none."""
    row = session.get(SeasonRow, race.season_key) if race.season_key else None
    return None if row is None else row.kind


def _place_anew(session: Session, races: Iterable[str], *kinds: str | None) -> None:
    """Races go from a stage of a kind to another; the places of trials are others than a race's."""
    if "trials" not in kinds:
        move(session, races)
        return
    for race in races:
        touch(session, race)


@carry_out.register
def _amend(act: acts.Amend, session: Session, done: acts.Done) -> None:
    race = find_race(session, act.race)
    session.add(
        AmendmentRow(
            id=done.n,
            race_id=race.id,
            reason=act.reason,
            at=done.at,
            entries=act.entries,
        )
    )
    settle(session, race)


@carry_out.register
def _strike(act: acts.Strike, session: Session, done: acts.Done) -> None:
    find_race(session, act.race).struck = act.reason
    touch(session, act.race)


@carry_out.register
def _restore(act: acts.Restore, session: Session, done: acts.Done) -> None:
    race = find_race(session, act.race)
    if race.struck is None:
        raise BadAct(f"the race {race.id!r} counts; there is nothing to restore")
    race.struck = None
    touch(session, race.id)


@carry_out.register
def _note(act: acts.AddNote, session: Session, done: acts.Done) -> None:
    race = find_race(session, act.race)
    session.add(NoteRow(id=done.n, race_id=race.id, text=act.text, by=done.by, at=done.at))


@carry_out.register
def _merge(act: acts.Merge, session: Session, done: acts.Done) -> None:
    into = session.get(NameRow, put_name(session, act.into))
    name = session.get(NameRow, put_name(session, act.name))
    assert into is not None  # both have just been put
    assert name is not None
    if name.driver_key == into.driver_key:
        raise BadAct(f"{act.name!r} and {act.into!r} are one person already")
    _touch_races_of(session, name.driver_key)
    session.execute(
        update(NameRow)
        .where(NameRow.driver_key == name.driver_key)
        .values(driver_key=into.driver_key)
    )
    # A season's team that was the one's is now the other's, in races that stay as they were.
    move(session, _races_of(session, into.driver_key))


def _races_of(session: Session, driver: str) -> Sequence[str]:
    session.flush()
    own = select(NameRow.key).where(NameRow.driver_key == driver)
    driven = select(EntryRow.race_id).where(EntryRow.name_key.in_(own))
    manned = select(CrewRow.race_id).where(CrewRow.name_key.in_(own))
    return session.scalars(driven.union(manned)).all()


def _touch_races_of(session: Session, driver: str) -> None:
    for race in _races_of(session, driver):
        touch(session, race)


@carry_out.register
def _part(act: acts.Part, session: Session, done: acts.Done) -> None:
    name = find_name(session, act.name)
    if name.driver_key == name.key:
        raise BadAct(f"{act.name!r} is a person of its own already")
    _touch_races_of(session, name.driver_key)
    name.driver_key = name.key


@carry_out.register
def _rename(act: acts.Rename, session: Session, done: acts.Done) -> None:
    driver = session.get(DriverRow, find_name(session, act.driver).driver_key)
    assert driver is not None  # every name has its driver
    driver.title = act.name


@carry_out.register
def _team(act: acts.SetTeam, session: Session, done: acts.Done) -> None:
    season = find_season(session, act.season)
    name = put_name(session, act.driver)
    since = 1 if act.since is UNSAID else act.since
    rows = _teams_of(session, season.key, name)
    if act.team is None and not rows:
        raise BadAct(f"{act.driver!r} has no team of its own in {season.title}")
    # Without a round it is the team of the whole season, whatever was said of rounds before.
    for row in rows if since == 1 else [row for row in rows if row.since == since]:
        session.delete(row)
    session.flush()
    if act.team is not None or any(row.since < since for row in rows):
        session.add(SeasonTeamRow(season_key=season.key, name_key=name, since=since, team=act.team))
    move_races(session, season.key)


def _teams_of(session: Session, season: str, name: str) -> Sequence[SeasonTeamRow]:
    of_name = SeasonTeamRow.name_key == name
    return session.scalars(
        select(SeasonTeamRow).where(SeasonTeamRow.season_key == season, of_name)
    ).all()


def move_races(session: Session, season: str) -> None:
    """What other programs are told of the races of a season is to be told anew."""
    session.flush()
    move(session, session.scalars(select(RaceRow.id).where(RaceRow.season_key == season)).all())


@carry_out.register
def _table(act: acts.OpenTable, session: Session, done: acts.Done) -> None:
    row = session.get(TableRow, act.table)
    if row is None:
        session.add(TableRow(name=act.table, key_sha256=act.key_sha256))
    else:
        row.key_sha256 = act.key_sha256


@carry_out.register
def _close_table(act: acts.CloseTable, session: Session, done: acts.Done) -> None:
    row = session.get(TableRow, act.table)
    if row is None or row.key_sha256 is None:
        raise BadAct(f"there is no table {act.table!r} with a key")
    row.key_sha256 = None
