"""Rows of the tables as the plain records that all the rest speaks.

Seasons out of the tables, with all that they have as stages: so many questions, however many
seasons there are.

What a driver has done by seasons and by boards, and with which luck: a question each, whose cost
is of the driver's own races.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields
from itertools import accumulate, groupby
from typing import Any, TypeVar, cast

from sqlalchemy import Select, and_, case, func, join, select
from sqlalchemy.orm import Session, defer, selectinload

from companion.league.errors import key_of
from companion.league.numbers import Part
from companion.league.plain import (
    CarNumbers,
    Competition,
    Driver,
    Earlier,
    Entrant,
    Entry,
    Move,
    Note,
    Path,
    Penalty,
    Planned,
    Protest,
    Race,
    RaceNumbers,
    Season,
    StandIn,
    parse_points,
)
from companion.league.results import Row, amended
from companion.league.store.models import (
    BoardRow,
    ComingRow,
    CompetitionRow,
    DriverRow,
    EntrantCrewRow,
    EntrantRow,
    EntryRow,
    NameRow,
    PathRow,
    PenaltyRow,
    PlannedRow,
    RaceRow,
    ResultRow,
    SeasonRow,
    SeasonTeamRow,
    StandInRow,
)
from companion.system.frozen import dataclass

# -- reading --------------------------------------------------------------------------------------


MANY = 500
"""Keys in one question; with more of them all are asked for."""
People = Mapping[str, str]
"""The driver's key of every name's key."""
RecordT = TypeVar("RecordT")


def read_races(session: Session, query: Select[RaceRow], *, is_slim: bool = False) -> list[Race]:
    """The races of a question, with all that belongs to them.

    Args:
        is_slim: without what was measured, what they were before, notes and protests: for lists.
    """
    own = [selectinload(one) for one in (RaceRow.entries, RaceRow.penalties, RaceRow.crews)]
    if is_slim:
        own[0] = own[0].defer(EntryRow.numbers)
        own += [defer(RaceRow.origin), defer(RaceRow.numbers)]
    else:
        more = (RaceRow.amendments, RaceRow.notes, RaceRow.protests)
        own += [selectinload(one) for one in more]
    rows = session.scalars(query.options(*own)).all()
    people = people_of(session, _names_in(rows, is_slim=is_slim))
    bans = _bans_in(session, rows)
    tell = _slim_race if is_slim else _race
    trials = _trials_in(session, rows)
    return [tell(row, people, bans, is_trials=row.season_key in trials) for row in rows]


def _trials_in(session: Session, rows: Iterable[RaceRow]) -> set[str]:
    """The stages of time trials that these races are of."""
    keys = {row.season_key for row in rows if row.season_key is not None}
    own = select(SeasonRow.key).where(SeasonRow.kind == "trials")
    if len(keys) <= MANY:
        own = own.where(SeasonRow.key.in_(keys))
    return set(session.scalars(own)) if keys else set()


Bans = Mapping[int, PenaltyRow]
"""The penalties by which somebody was not to drive, by their numbers."""


def _bans_in(session: Session, rows: Iterable[RaceRow]) -> Bans:
    numbers = {one.banned_by for row in rows for one in row.entries if one.banned_by is not None}
    if not numbers:
        return {}
    found = session.scalars(select(PenaltyRow).where(PenaltyRow.id.in_(numbers)))
    return {row.id: row for row in found}


def _names_in(rows: Iterable[RaceRow], *, is_slim: bool) -> set[str]:
    keys: set[str] = set()
    for row in rows:
        keys |= {entry.name_key for entry in row.entries}
        keys |= {penalty.name_key for penalty in row.penalties if penalty.name_key}
        keys |= {one.name_key for one in row.crews}
        if not is_slim:
            keys |= {protest.name_key for protest in row.protests}
            told = (*row.origin.earlier, row.origin.rows)
            keys |= {key_of(one.player or one.name) for result in told for one in result}
            cars = (car for amendment in row.amendments for car in amendment.entries)
            keys |= {
                key_of(n) for car in cars for n in (car.name, car.player) if isinstance(n, str)
            }
    return keys


def people_of(session: Session, names: Collection[str]) -> People:
    """Whose these names are, all by their keys."""
    query = select(NameRow.key, NameRow.driver_key)
    if len(names) <= MANY:
        query = query.where(NameRow.key.in_(names))
    return {row[0]: row[1] for row in session.execute(query)}


def called(session: Session, drivers: Collection[str]) -> dict[str, str]:
    """What these drivers are called, by key."""
    titles = select(DriverRow.key, DriverRow.title)
    names = select(NameRow)
    if len(drivers) <= MANY:
        titles = titles.where(DriverRow.key.in_(drivers))
        names = names.where(NameRow.driver_key.in_(drivers))
    own: dict[str, list[NameRow]] = {}
    for row in session.scalars(names.order_by(NameRow.since, NameRow.key)):
        own.setdefault(row.driver_key, []).append(row)
    named = session.execute(titles)
    return {key: tell_driver(key, own[key], title, 0).name for key, title in named if key in own}


def tell_driver(
    key: str, names: Iterable[NameRow], title: str | None, races: int, *, is_hidden: bool = False
) -> Driver:
    """A person; the name that it has its key from goes before others."""
    written = [row.spelling for row in sorted(names, key=lambda row: row.key != key)]
    name = title or written[0]
    known = tuple(dict.fromkeys([name, *written]))
    return Driver(key=key, name=name, names=known, races=races, is_hidden=is_hidden)


def same(kind: type[RecordT], row: object, **own: Any) -> RecordT:
    """A record with what a row has under the same names, and what is its own."""
    names = (
        one.name
        for one in fields(cast(Any, kind))
        if one.name not in own and hasattr(row, one.name)
    )
    return kind(**{name: getattr(row, name) for name in names}, **own)


def _cars(row: RaceRow, people: People, **more: Any) -> tuple[Entry, ...]:
    crews: dict[int, list[str]] = {}
    for one in row.crews:
        crews.setdefault(one.seat, []).append(people[one.name_key])
    return tuple(
        same(
            Entry,
            one,
            driver=people[one.name_key],
            crew=tuple(dict.fromkeys(crews.get(one.seat, ()))),
            **more,
        )
        for one in row.entries
    )


def _penalties(row: RaceRow, people: People, bans: Bans) -> tuple[Penalty, ...]:
    """Those that were given in a race, and the bans that were broken in it."""
    broken = (
        Penalty(
            id=one.banned_by,
            driver=people[one.name_key],
            reason=bans[one.banned_by].reason,
            disqualified=True,
            banned=True,
        )
        for one in row.entries
        if one.banned_by is not None and one.banned_by in bans
    )
    return (*(tell_penalty(one, people) for one in row.penalties), *broken)


def _race(row: RaceRow, people: People, bans: Bans, *, is_trials: bool) -> Race:
    return same(
        Race,
        row,
        is_trials=is_trials,
        entries=_cars(row, people),
        rules=tuple(row.rules),
        season=row.season_key,
        scoring=None if row.scoring is None else parse_points(row.scoring),
        penalties=_penalties(row, people, bans),
        notes=(*row.origin.notes, *(same(Note, note) for note in row.notes)),
        earlier=tuple(_earlier(row, people)),
        protests=tuple(same(Protest, one, driver=people[one.name_key]) for one in row.protests),
    )


def _slim_race(row: RaceRow, people: People, bans: Bans, *, is_trials: bool) -> Race:
    return same(
        Race,
        row,
        is_trials=is_trials,
        entries=_cars(row, people, numbers=CarNumbers()),
        rules=tuple(row.rules),
        season=row.season_key,
        scoring=None if row.scoring is None else parse_points(row.scoring),
        penalties=_penalties(row, people, bans),
        numbers=RaceNumbers(),
        notes=(),
        earlier=(),
        protests=(),
    )


def _earlier(race: RaceRow, people: People) -> Iterable[Earlier]:
    for rows in race.origin.earlier:
        yield Earlier(entries=_entries(rows, people))
    result: Sequence[Row] = race.origin.rows
    for amendment in race.amendments:
        entries = _entries(result, people)
        yield Earlier(entries=entries, reason=amendment.reason, at=amendment.at)
        result = amended(result, amendment.entries, race.game)


def _entries(rows: Iterable[Row], people: People) -> tuple[Entry, ...]:
    """An earlier result, which is kept as it was given, with those who drive by now."""
    keys = ((row, key_of(row.player or row.name)) for row in rows)
    return tuple(
        same(Entry, row, driver=people.get(key, key), crew=tuple(map(key_of, row.crew)))
        for row, key in keys
    )


def tell_penalty(row: PenaltyRow, people: People) -> Penalty:
    return same(Penalty, row, driver=people[row.name_key] if row.name_key else "")


# -- stages ---------------------------------------------------------------------------------------


OF_SEASON: Sequence[tuple[type[Any], Any]] = (
    (PenaltyRow, PenaltyRow.id),
    (SeasonTeamRow, (SeasonTeamRow.since, SeasonTeamRow.name_key)),
    (EntrantRow, (EntrantRow.number, EntrantRow.name_key)),
    (EntrantCrewRow, (EntrantCrewRow.name_key, EntrantCrewRow.number)),
    (StandInRow, (StandInRow.round, StandInRow.name_key)),
    (PlannedRow, PlannedRow.round),
    (ComingRow, (ComingRow.round, ComingRow.name_key)),
    (PathRow, PathRow.id),
)
"""What belongs to seasons, and the order that it is read in."""
Rows = Mapping[type[Any], Mapping[str, Sequence[Any]]]
"""Rows by their table and the key of their season."""


def read_seasons(
    session: Session, rows: Sequence[SeasonRow], *, is_slim: bool = False
) -> list[Season]:
    """These seasons with all that belongs to them; slim ones without."""
    if is_slim:
        nothing: Rows = {kind: {} for kind, _ in OF_SEASON}
        return [_Stage(row, nothing, {}, {}).tell() for row in rows]
    keys = [row.key for row in rows]
    found = {kind: _rows_of(session, kind, order, keys) for kind, order in OF_SEASON}
    names = {name for kind in found.values() for own in kind.values() for name in _names(own)}
    people = people_of(session, names)
    entered = found[EntrantRow].values()
    known = called(session, {people[one.name_key] for own in entered for one in own})
    return [_Stage(row, found, people, known).tell() for row in rows]


def tell_competition(row: CompetitionRow) -> Competition:
    """A competition."""
    return same(Competition, row)


def _rows_of(
    session: Session, kind: type[Any], order: Any, keys: Collection[str]
) -> Mapping[str, Sequence[Any]]:
    query = select(kind).where(kind.season_key.is_not(None))
    if len(keys) <= MANY:
        query = query.where(kind.season_key.in_(keys))
    order = order if isinstance(order, tuple) else (order,)
    rows = session.scalars(query.order_by(kind.season_key, *order)).all()
    return {key: list(own) for key, own in groupby(rows, key=lambda row: row.season_key)}


def _names(rows: Iterable[Any]) -> Iterable[str]:
    for row in rows:
        for field in ("name_key", "absent_key", "member_key"):
            name = getattr(row, field, None)
            if name is not None:
                yield name


@dataclass(frozen=True, slots=True)
class _Stage:
    """A season and its rows; `known` is what the drivers are called."""

    row: SeasonRow
    rows: Rows
    people: People
    known: Mapping[str, str]

    def own(self, kind: type[Any]) -> Sequence[Any]:
        return self.rows[kind].get(self.row.key, ())

    def tell(self) -> Season:
        first = [one for one in self.own(SeasonTeamRow) if one.since == 1]
        return same(
            Season,
            self.row,
            points=parse_points(self.row.points),
            ties=tuple(self.row.ties.split(",")),
            teams={self.people[one.name_key]: one.team for one in first},
            moves=tuple(
                same(Move, one, driver=self.people[one.name_key])
                for one in self.own(SeasonTeamRow)
                if one.since > 1
            ),
            stand_ins=tuple(map(self.stand_in, self.own(StandInRow))),
            entrants=self.entrants(),
            calendar=tuple(map(self.planned, self.own(PlannedRow))),
            paths=tuple(same(Path, one) for one in self.own(PathRow)),
            penalties=tuple(tell_penalty(one, self.people) for one in self.own(PenaltyRow)),
        )

    def entrants(self) -> tuple[Entrant, ...]:
        """The entry list by number, those without one last; a person once."""
        found: dict[str, Entrant] = {}
        crews: dict[str, list[str]] = {}
        for one in self.own(EntrantCrewRow):
            crews.setdefault(one.name_key, []).append(self.people[one.member_key])
        for row in self.own(EntrantRow):
            driver = self.people[row.name_key]
            about = {"driver": driver, "name": self.known[driver]}
            crew = tuple(dict.fromkeys(crews.get(row.name_key, ())))
            found.setdefault(driver, same(Entrant, row, **about, crew=crew))
        return tuple(sorted(found.values(), key=_by_number))

    def stand_in(self, row: StandInRow) -> StandIn:
        absent = self.people[row.absent_key]
        return same(StandIn, row, driver=self.people[row.name_key], absent=absent)

    def planned(self, row: PlannedRow) -> Planned:
        said = [one for one in self.own(ComingRow) if one.round == row.round]
        come, away = (
            tuple(self.people[one.name_key] for one in said if one.comes == comes)
            for comes in (True, False)
        )
        return same(Planned, row, coming=come, absent=away)


def _by_number(one: Entrant) -> tuple[bool, int, str, str]:
    return one.number is None, one.number or 0, one.name.casefold(), one.driver


# -- parts ----------------------------------------------------------------------------------------


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
