"""Entering those who go on into other stages, and drawing tables: the acts; pure."""

from __future__ import annotations

from functools import partial
from random import Random

from companion.frozen import dataclass
from companion.league.acts import Act
from companion.league.competing import Draw, Entrant
from companion.league.conduct import Banned, conduct_of
from companion.league.dates import next_number
from companion.league.draws import Drawn, draw_grids, draw_tables, driving, seat_late
from companion.league.entry_acts import Enter
from companion.league.errors import BadAct
from companion.league.overall import Qualified, qualified
from companion.league.plain import Season, drivers_in
from companion.league.ports import LeagueQueries
from companion.league.said import UNSAID
from companion.league.standings import rounds_of, standings


def qualify_acts(queries: LeagueQueries, key: str) -> tuple[list[Qualified], list[Act]]:
    """Who goes from a stage into which other, and the acts that enter them.

    Number, color and team come along: the team is the one that they last scored for. Of those who
    are on the list they go to already, nothing is changed.

    Raises:
        BadAct: there is no such stage, or a place at the border of a way is shared.
    """
    stage = _stage(queries, key)
    races = rounds_of(stage, queries.races(season=stage.key, is_slim=True))
    names = queries.names(drivers_in(races))
    going = qualified(stage, races, names)
    entered = {
        (season.key, one.driver)
        for into in {one.into for one in going}
        for season in queries.seasons(into)
        for one in season.entrants
    }
    teams = {line.key: line.team for line in standings(stage, races, names)}
    known = {one.driver: one for one in stage.entrants}
    acts: list[Act] = []
    for one in going:
        if (one.into, one.driver) in entered:
            continue
        entrant = known.get(one.driver)
        number = None if entrant is None else entrant.number
        color = None if entrant is None else entrant.color
        acts.append(
            Enter(
                season=one.into,
                driver=one.name,
                number=UNSAID if number is None else number,
                color=color or UNSAID,
                team=teams.get(one.driver) or UNSAID,
                via=stage.key,
            )
        )
    return going, acts


@dataclass(frozen=True, slots=True)
class Draws:
    """The acts that tell entrants their tables; `banned` have none."""

    acts: tuple[Enter, ...]
    banned: tuple[Banned, ...]

    @property
    def names(self) -> list[str]:
        """Who was drawn."""
        return [act.driver for act in self.acts if act.table is not None]


def draw_acts(
    queries: LeagueQueries,
    key: str,
    tables: int,
    how: Draw,
    dice: Random,
    *,
    with_grid: bool = False,
) -> Draws:
    """The acts that tell the entrants of a stage their tables, and their places on the grids.

    Raises:
        BadAct: there is no such stage, or as many do not fit at as many tables.
    """
    stage = _stage(queries, key)
    may, banned = _drivers(queries, stage)
    if how == "placing":
        ranks = _placings(queries, stage)
        may.sort(key=lambda one: ranks.get(one.driver, len(ranks) + 1))  # stable: by number
    seated = draw_tables(stage, may, tables, how, dice)
    drawn = draw_grids(seated, how, dice) if with_grid else [Drawn(*one) for one in seated]
    drawn_of = {one.entrant.driver for one in drawn}
    gone = [
        Enter(season=key, driver=one.name, table=None, grid=None)
        for one in stage.entrants
        if one.table is not None and one.driver not in drawn_of
    ]
    return Draws((*map(partial(_seat, key), drawn), *gone), tuple(banned))


def late_acts(queries: LeagueQueries, key: str) -> Draws:
    """The acts that give a table to those of a stage who have come late.

    Raises:
        BadAct: there is no such stage, no table is drawn yet, or nobody is without one.
    """
    stage = _stage(queries, key)
    may, banned = _drivers(queries, stage)
    drawn = seat_late(stage, [one for one in may if one.table is None])
    return Draws(tuple(map(partial(_seat, key), drawn)), tuple(banned))


def late_names(queries: LeagueQueries, stage: Season) -> list[str]:
    """Who may drive and has no table while others have; nobody before a draw."""
    if all(one.table is None for one in stage.entrants):
        return []
    return [one.name for one in _drivers(queries, stage)[0] if one.table is None]


def _seat(key: str, one: Drawn) -> Enter:
    return Enter(season=key, driver=one.entrant.name, table=one.table, grid=one.grid)


def _drivers(queries: LeagueQueries, stage: Season) -> tuple[list[Entrant], list[Banned]]:
    """The entrants whose cars may drive the next round; why others may not."""
    rounds = rounds_of(stage, queries.races(season=stage.key, is_slim=True))
    number = next_number(stage, rounds)
    conduct = conduct_of(queries, stage, rounds)
    names = queries.names({one.driver for one in stage.stand_ins})
    may, banned = [], []
    for one, drives in driving(stage, number, names):
        ban = conduct.ban_of(drives, number)
        if ban is None:
            may.append(one)
        else:
            banned.append(Banned(drives.name, number, ban.reason))
    return may, banned


def _placings(queries: LeagueQueries, stage: Season) -> dict[str, int]:
    """Places in the stages that led here, else in this one, by driver."""
    led = dict.fromkeys(one.via for one in stage.entrants if one.via is not None) or [stage.key]
    places: dict[str, int] = {}
    for key in led:
        earlier = _stage(queries, key)
        for line in standings(earlier, queries.races(season=key, is_slim=True)):
            places[line.key] = min(line.place, places.get(line.key, line.place))
    return places


def _stage(queries: LeagueQueries, key: str) -> Season:
    found = next(iter(queries.seasons(key)), None)
    if found is None:
        raise BadAct(f"there is no season {key!r}")
    return found
