"""Entering those who go on, on the lists of the stages that they go into: the acts; pure."""

from __future__ import annotations

from companion.league.acts import Act
from companion.league.entry_acts import Enter
from companion.league.errors import BadAct
from companion.league.overall import Qualified, qualified
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
    stage = next(iter(queries.seasons(key)), None)
    if stage is None:
        raise BadAct(f"there is no season {key!r}")
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
