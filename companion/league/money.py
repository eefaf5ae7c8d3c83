"""Downforce's world championship of two evenings (DF-VAR-4); pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.league.errors import LeagueError
from companion.league.plain import Race, Season
from companion.league.points import RESULT
from companion.league.standings import Standing, standings


def world_championship(
    first: Race, second: Race, names: Mapping[str, str] | None = None
) -> list[Standing]:
    """Two races of Downforce, their totals added. Equal totals: more wins, then second places.

    A championship that the table itself played as one race (`championship` in its rules) has
    its totals in its result already.

    Raises:
        LeagueError: they are not two races of Downforce on two circuits.
    """
    races = (first, second)
    if first.id == second.id or any(race.game != "downforce" for race in races):
        raise LeagueError("a world championship is two races of Downforce (DF-VAR-4)")
    boards = [race.track for race in races]
    if None not in boards and boards[0] == boards[1]:
        raise LeagueError("a world championship is run on two circuits, one race each (DF-VAR-4)")
    season = Season(key="", title="", points=RESULT)
    rounds = [_as_round(race, season, number) for number, race in enumerate(races, 1)]
    return standings(season, rounds, names)


def _as_round(race: Race, season: Season, number: int) -> Race:
    return replace(race, season=season.key, round=number, factor=1)
