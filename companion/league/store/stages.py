"""Seasons out of the tables, with all that they have as stages: so many questions, however many
seasons there are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.frozen import dataclass
from companion.league.competing import Competition, Entrant, Move, Path, Planned, StandIn
from companion.league.plain import Season
from companion.league.points import parse_points
from companion.league.store.entry_models import (
    ComingRow,
    CompetitionRow,
    EntrantCrewRow,
    EntrantRow,
    PathRow,
    PlannedRow,
    StandInRow,
)
from companion.league.store.models import PenaltyRow, SeasonRow, SeasonTeamRow
from companion.league.store.reading import MANY, People, called, people_of, same, tell_penalty

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
