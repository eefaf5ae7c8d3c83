"""The world championship of two evenings (DF-VAR-4), of games for money; pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.league.errors import LeagueError
from companion.league.games import game_of, games
from companion.league.plain import Race, Season
from companion.league.points import RESULT
from companion.league.standings import Standing, standings


def world_championship(
    first: Race, second: Race, names: Mapping[str, str] | None = None
) -> list[Standing]:
    """Two races for money, their totals added. Equal totals: more wins, then second places.

    A championship that the table itself played as one race (`championship` in its rules) has
    its totals in its result already.

    Raises:
        LeagueError: they are not two races for money on two circuits.
    """
    races = (first, second)
    if first.id == second.id or not all(game_of(race.game).has_money for race in races):
        titles = " or ".join(game.title for game in games().values() if game.has_money)
        raise LeagueError(f"a world championship is two races of {titles} (DF-VAR-4)")
    boards = [race.track for race in races]
    if None not in boards and boards[0] == boards[1]:
        raise LeagueError("a world championship is run on two circuits, one race each (DF-VAR-4)")
    season = Season(key="", title="", points=RESULT)
    rounds = [_as_round(race, season, number) for number, race in enumerate(races, 1)]
    return standings(season, rounds, names)


def _as_round(race: Race, season: Season, number: int) -> Race:
    return replace(race, season=season.key, round=number, factor=1)
