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


def is_over(
    held: int, planned: int | None, *, is_open: bool, is_closed: bool, is_among_others: bool
) -> bool:
    """Whether nothing more is to come of a season.

    Short of its plan it is over when somebody has closed it, without a plan when it is not open;
    but seasons and divisions beside each other are closed all the time: of these only the plan says
    whether they are over.

    Args:
        held, planned: rounds; None: nobody knows how many there shall be.
        is_closed: whether it was open, and somebody has closed it.

    >>> from functools import partial
    >>> alone = partial(is_over, is_open=False, is_among_others=False)
    >>> [alone(5, planned, is_closed=False) for planned in (5, 6, None)]
    [True, False, True]
    >>> alone(5, 6, is_closed=True)
    True
    """
    if planned is not None and held >= planned:
        return True
    is_ended = not is_open if planned is None else is_closed
    return held > 0 and is_ended and not is_among_others


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
