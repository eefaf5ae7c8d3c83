"""Entering those who go on into other stages, and drawing tables: the acts; pure."""

from __future__ import annotations

from random import Random

from companion.league.acts import Act
from companion.league.competing import Draw
from companion.league.draws import draw_tables
from companion.league.entry_acts import Enter
from companion.league.errors import BadAct
from companion.league.overall import Qualified, qualified
from companion.league.plain import Season
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
    names = queries.names({one.driver for race in races for one in race.entries})
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


def draw_acts(
    queries: LeagueQueries, key: str, tables: int, how: Draw, dice: Random
) -> list[Enter]:
    """The acts that tell the entrants of a stage their tables.

    Raises:
        BadAct: there is no such stage, or as many do not fit at as many tables.
    """
    drawn = draw_tables(_stage(queries, key), tables, how, dice)
    return [Enter(season=key, driver=one.name, table=table) for one, table in drawn]


def _stage(queries: LeagueQueries, key: str) -> Season:
    found = next(iter(queries.seasons(key)), None)
    if found is None:
        raise BadAct(f"there is no season {key!r}")
    return found
