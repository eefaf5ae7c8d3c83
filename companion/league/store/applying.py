"""Acts carried out on the tables: a function a kind, which raises `BadAct` where what the act
speaks of is not there; then the caller takes the whole transaction back.

The acts of a club carried out: who sent what, what waits, protests, people with keys.

The acts of competitions carried out: stages, ways between them, entry lists, calendars.

Penalties and bonuses carried out, and lifted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import singledispatch

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from companion.league import acts
from companion.league import acts as entries
from companion.league.acts import UNSAID
from companion.league.errors import BadAct, key_of
from companion.league.plain import FORMULA_D, format_points
from companion.league.ports import Member
from companion.league.results import entered
from companion.league.store.kept import note
from companion.league.store.models import (
    AmendmentRow,
    ComingRow,
    CompetitionRow,
    CrewRow,
    DriverRow,
    EntrantCrewRow,
    EntrantRow,
    EntryRow,
    KnownRow,
    NameRow,
    NoteRow,
    Origin,
    PathRow,
    PenaltyRow,
    PersonRow,
    PlannedRow,
    ProtestRow,
    RaceRow,
    SeasonRow,
    SeasonTeamRow,
    StandInRow,
    TableRow,
)
from companion.league.store.writing import (
    judge,
    man_again,
    move,
    next_rounds,
    put_name,
    refuse_banned,
    settle,
    touch,
)

# -- applying -------------------------------------------------------------------------------------


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


# -- clubs ----------------------------------------------------------------------------------------


CONFIRM = "club-confirm"
"""What the store remembers of `acts.RunClub`."""


def waits_for_confirmation(session: Session) -> bool:
    """Whether what a table sends now is provisional."""
    row = session.get(KnownRow, CONFIRM)
    return row is not None and row.value == "by-hand"


def member(session: Session, key_sha256: str) -> Member | None:
    """The person with the key of this digest; None: nobody."""
    query = (
        select(NameRow.spelling, PersonRow.role, PersonRow.table)
        .join(NameRow, NameRow.key == PersonRow.name_key)
        .where(PersonRow.key_sha256 == key_sha256)
    )
    row = session.execute(query).first()
    return None if row is None else Member(row.spelling, row.role, row.table)


def table_of_race(session: Session, race: str) -> str | None:
    """The table that a race was sent from or entered for; None: none, or no such race."""
    row = session.get(RaceRow, race)
    return None if row is None else row.sender


def table_of(session: Session, key_sha256: str) -> str | None:
    """The table with the key of this digest; None: nobody's."""
    return session.scalar(select(TableRow.name).where(TableRow.key_sha256 == key_sha256))


@carry_out.register
def _receive(act: acts.Receive, session: Session, done: acts.Done) -> None:
    race = find_race(session, act.race)
    race.sender, race.provisional = act.table, act.provisional
    touch(session, race.id)


@carry_out.register
def _confirm(act: acts.Confirm, session: Session, done: acts.Done) -> None:
    race = find_race(session, act.race)
    if not race.provisional:
        raise BadAct(f"the race {race.id!r} is confirmed already")
    race.provisional = False
    touch(session, race.id)


@carry_out.register
def _run_club(act: acts.RunClub, session: Session, done: acts.Done) -> None:
    session.merge(KnownRow(key=CONFIRM, value=act.confirm))


@carry_out.register
def _protest(act: acts.Protest, session: Session, done: acts.Done) -> None:
    race, name = find_race(session, act.race), find_name(session, act.driver)
    check_driver(session, race, name)
    row = ProtestRow(id=done.n, race_id=race.id, name_key=name.key, reason=act.reason, at=done.at)
    session.add(row)


@carry_out.register
def _decide(act: acts.Decide, session: Session, done: acts.Done) -> None:
    row = session.get(ProtestRow, act.protest)
    if row is None:
        raise BadAct(f"there is no protest with number {act.protest}")
    row.upheld, row.decision, row.decided_by = act.upheld, act.reason, done.by


@carry_out.register
def _appoint(act: acts.Appoint, session: Session, done: acts.Done) -> None:
    key = put_name(session, act.person)
    table = None if act.table is UNSAID else act.table
    if (act.role == "marshal") != (table is not None):
        raise BadAct("a marshal has a table, and nobody else")
    row = PersonRow(name_key=key, role=act.role, key_sha256=act.key_sha256, table=table)
    session.merge(row)


@carry_out.register
def _dismiss(act: acts.Dismiss, session: Session, done: acts.Done) -> None:
    row = session.get(PersonRow, key_of(act.person))
    if row is None:
        raise BadAct(f"{act.person!r} has no key here")
    session.delete(row)


@carry_out.register
def _hide(act: acts.Hide, session: Session, done: acts.Done) -> None:
    _driver(session, act.driver).is_hidden = True


@carry_out.register
def _reveal(act: acts.Reveal, session: Session, done: acts.Done) -> None:
    driver = _driver(session, act.driver)
    if not driver.is_hidden:
        raise BadAct(f"{act.driver!r} is not hidden")
    driver.is_hidden = False


@carry_out.register
def _forget(act: acts.Forget, session: Session, done: acts.Done) -> None:
    """The files are without the name already (`league.py`): this tells who saw to it."""


def _driver(session: Session, name: str) -> DriverRow:
    driver = session.get(DriverRow, find_name(session, name).driver_key)
    assert driver is not None  # every name has its driver
    return driver


# -- entries --------------------------------------------------------------------------------------


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


# -- penalties ------------------------------------------------------------------------------------


@carry_out.register
def _penalty(act: acts.Penalize, session: Session, done: acts.Done) -> None:
    own = acts.given(act)
    _check_penalty(own)
    name = None if act.driver is UNSAID else find_name(session, act.driver)
    if act.race is not UNSAID:
        race = find_race(session, act.race)
        if name is not None:
            check_driver(session, race, name)
        touch(session, act.race)
    elif act.season is not UNSAID:
        judge(session, find_season(session, act.season).key)
    session.add(
        PenaltyRow(
            id=done.n,
            race_id=own.get("race"),
            season_key=own.get("season"),
            round=own.get("round"),
            name_key=None if name is None else name.key,
            team=own.get("team"),
            reason=act.reason,
            disqualified=own.get("disqualified", False),
            **{word: own.get(word, 0) for word in ("points", "bonus", "places", *NOTED)},
        )
    )


NOTED = ("grid", "ban", "licence", "seconds")
"""What a penalty may say beside what it does to the result."""


def _check_penalty(own: Mapping[str, object]) -> None:
    """See that a penalty does not contradict itself.

    Raises:
        BadAct: it does.
    """
    if sum(word in own for word in ("points", "bonus", "places", "disqualified")) > 1:
        raise BadAct("a penalty is points, places or disqualified, one of them or a mere warning")
    if ("race" in own) == ("season" in own):
        raise BadAct("a penalty is given in a race or for a season: exactly one of the two")
    if ("driver" in own) == ("team" in own):
        raise BadAct("a penalty is a driver's or a team's: exactly one of the two")
    is_points = "points" in own or "bonus" in own
    if "season" in own and "seconds" in own:
        raise BadAct("seconds are added to the time of a race: give them in the race")
    if "round" in own and "season" not in own:
        raise BadAct("a penalty of a race has the race's round: round is said of a season's")
    if "team" in own and (not is_points or own.keys() & {*NOTED}):
        raise BadAct("a penalty of a team takes points, or bonus gives them")
    if "season" in own and not is_points and not own.keys() & {*NOTED}:
        raise BadAct("a penalty for a whole season takes points")


def check_driver(session: Session, race: RaceRow, name: NameRow) -> None:
    """See that somebody was in a race.

    Raises:
        BadAct: not so.
    """
    own = select(NameRow.key).where(NameRow.driver_key == name.driver_key)
    was_there = [
        select(row.seat).where(row.race_id == race.id, row.name_key.in_(own))
        for row in (EntryRow, CrewRow)
    ]
    if all(session.scalars(one).first() is None for one in was_there):
        raise BadAct(f"{name.spelling} was not in that race")


@carry_out.register
def _lift(act: acts.Lift, session: Session, done: acts.Done) -> None:
    row = session.get(PenaltyRow, act.penalty)
    if row is None:
        raise BadAct(f"there is no penalty with number {act.penalty}")
    row.lifted = act.reason
    judge(session, row.season_key)
    if row.race_id is not None:
        touch(session, row.race_id)
