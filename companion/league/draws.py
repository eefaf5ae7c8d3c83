"""Who sits at which table on a tournament day: pure, the chance is given.

Tables are as even as can be. By lot, everybody goes to one of the emptiest tables, to one with
the fewest of the team; by number, the first numbers sit at the first table, as after
time trials that gave the numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random

from companion.league.competing import Draw, Entrant
from companion.league.errors import BadAct
from companion.league.plain import Season

MOST_AT_A_TABLE = 20


def draw_tables(stage: Season, tables: int, how: Draw, dice: Random) -> list[tuple[Entrant, str]]:
    """The regular entrants of a stage and their tables, which are called 1, 2, 3 ….

    Raises:
        BadAct: there are fewer drivers than tables, or more than fit.
    """
    drivers = [one for one in stage.entrants if one.role == "regular"]
    if not 1 <= tables <= len(drivers) <= tables * MOST_AT_A_TABLE:
        raise BadAct(
            f"{len(drivers)} drivers are entered: they sit at 1 to {len(drivers)} tables of at "
            f"most {MOST_AT_A_TABLE}, not at {tables}"
        )
    if how == "number":
        places = _blocks(len(drivers), tables)
        return [(one, f"{n + 1}") for one, n in zip(drivers, places, strict=True)]
    return _dealt(stage, drivers, tables, dice)


def _blocks(drivers: int, tables: int) -> Iterable[int]:
    size, more = divmod(drivers, tables)
    return (n for n in range(tables) for _ in range(size + (n < more)))


def _dealt(
    stage: Season, drivers: Sequence[Entrant], tables: int, dice: Random
) -> list[tuple[Entrant, str]]:
    sizes: Counter[int] = Counter()
    mates: Counter[tuple[int, str]] = Counter()
    found = []
    # Team by team: whoever comes behind a team-mate finds another table among the emptiest ones.
    teams = {one.driver: stage.team_of(one.driver, 1, None) or one.driver for one in drivers}
    lots = {team: dice.random() for team in dict.fromkeys(teams.values())}
    order = sorted(drivers, key=lambda one: (lots[teams[one.driver]], dice.random()))
    for one in order:
        team = teams[one.driver]
        ranks = {n: (sizes[n], mates[n, team], dice.random()) for n in range(tables)}
        at = min(ranks, key=ranks.__getitem__)
        sizes[at] += 1
        mates[at, team] += 1
        found.append((one, f"{at + 1}"))
    return found
