"""Who has won what, when it is over: seasons, divisions and whole competitions; pure.

Heats, knockout rounds, trials, sprints and finals are won on the way to a competition's title and
give none of their own. A team's title is held by everybody who scored for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from companion.league.competing import Competition
from companion.league.overall import overall, tables_of
from companion.league.plain import Race, Season
from companion.league.standings import Standing, standings, team_standings

WON_ALONE = ("season", "division")
"""The kinds of stages that have a title of their own."""


class Holder(NamedTuple):
    """Somebody who has won; `team` is the one whose title it is, None: the driver's own."""

    driver: str
    team: str | None = None


def is_over(held: int, planned: int | None, *, is_open: bool, is_among_others: bool) -> bool:
    """Whether nothing more is to come of a season.

    Without a plan it is over when it is closed; but seasons and divisions beside each other are
    closed all the time, and one of these without a plan is never known to be over.

    Args:
        held, planned: rounds; None: nobody knows how many there shall be.

    >>> is_over(5, 6, is_open=False, is_among_others=False)
    False
    >>> is_over(5, None, is_open=False, is_among_others=False)
    True
    """
    if planned is not None:
        return held >= planned
    return held > 0 and not is_open and not is_among_others


def champions(season: Season, races: Sequence[Race]) -> list[Holder]:
    """Who has won a season; several where the first place is shared."""
    drivers = [
        Holder(one) for line in _first(standings(season, races)) for one in _drivers_of(line)
    ]
    return drivers + _of_teams(_first(team_standings(season, races)))


def champions_overall(
    competition: Competition, stages: Sequence[Season], races: Sequence[Race]
) -> list[Holder]:
    """Who has won a competition."""
    found: list[Holder] = []
    for of_teams in (False, True):
        tables = tables_of(stages, races, of_teams=of_teams)
        first = [one for one in overall(competition, tables) if one.place == 1]
        for line in first:
            parts = [part for part in line.parts.values() if part.points > 0]
            if of_teams:
                found += _of_teams(parts)
            else:
                found += [Holder(one) for part in parts for one in _drivers_of(part)]
    return list(dict.fromkeys(found))


def _first(lines: Iterable[Standing]) -> list[Standing]:
    return [line for line in lines if line.place == 1 and line.points > 0]


def _drivers_of(line: Standing) -> list[str]:
    """The driver of a line, or the crew of that car."""
    own = [score.entry for score in line.scores if score.entry.driver == line.key]
    return list(dict.fromkeys(driver for entry in own for driver in entry.people)) or [line.key]


def _of_teams(lines: Iterable[Standing]) -> list[Holder]:
    people = (
        Holder(driver, line.name)
        for line in lines
        for score in line.scores
        for driver in score.entry.people
    )
    return list(dict.fromkeys(people))
