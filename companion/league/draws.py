"""Who sits at which table on a tournament day, and where on its grid: pure, the chance is given.

Tables are as even as can be. By lot, everybody goes to one of the emptiest tables, to one with
the fewest of the team; by number or by placing, the first ones sit at the first table, as after
time trials. A grid is drawn in the same way: by lot, or the first ones in front. Who comes late
goes to one of the emptiest tables, to the end of its grid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

from companion.frozen import dataclass
from companion.league.competing import Draw, Entrant
from companion.league.errors import BadAct
from companion.league.plain import Season

MOST_AT_A_TABLE = 20


@dataclass(frozen=True, slots=True)
class Drawn:
    """A driver and the table, which is called 1, 2, 3 …; `grid` is the place there, None without
    a grid."""

    entrant: Entrant
    table: str
    grid: int | None = None


def driving(
    stage: Season, number: int, names: Mapping[str, str]
) -> Iterator[tuple[Entrant, Entrant]]:
    """The lines of the entry list that have a car in a round, and who drives it then.

    Whoever stands in for somebody drives that one's car, and none of his own. Who said that he does
    not come, or is entered for earlier rounds only, has none.

    Args:
        names: of those who stand in, by key.
    """
    instead = {one.absent: one.driver for one in stage.stand_ins if one.round == number}
    planned = next((one for one in stage.calendar if one.round == number), None)
    away = {*instead.values(), *(() if planned is None else planned.absent)}
    for one in stage.entrants:
        driver = instead.get(one.driver)
        if driver is not None:
            yield one, replace(one, driver=driver, name=names.get(driver, driver), crew=())
        elif one.role == "regular" and one.driver not in away and number <= (one.until or number):
            yield one, one


def draw_tables(
    stage: Season, drivers: Sequence[Entrant], tables: int, how: Draw, dice: Random
) -> list[tuple[Entrant, str]]:
    """Drivers of a stage and their tables.

    Args:
        drivers: in the order by which they are seated, where it is not by lot.

    Raises:
        BadAct: there are fewer drivers than tables, or more than fit.
    """
    if not 1 <= tables <= len(drivers) <= tables * MOST_AT_A_TABLE:
        raise BadAct(
            f"{len(drivers)} drivers are entered: they sit at 1 to {len(drivers)} tables of at "
            f"most {MOST_AT_A_TABLE}, not at {tables}"
        )
    if how != "lot":
        places = _blocks(len(drivers), tables)
        return [(one, f"{n + 1}") for one, n in zip(drivers, places, strict=True)]
    return _dealt(stage, drivers, tables, dice)


def draw_grids(seated: Sequence[tuple[Entrant, str]], how: Draw, dice: Random) -> list[Drawn]:
    """The same with their places on the grids of their tables: by lot, or as they stand here."""
    order = dice.sample(seated, len(seated)) if how == "lot" else seated
    taken: Counter[str] = Counter()
    found = []
    for one, table in order:
        taken[table] += 1
        found.append(Drawn(one, table, taken[table]))
    return found


def seat_late(stage: Season, late: Sequence[Entrant]) -> list[Drawn]:
    """Tables for those who come when the others have theirs.

    Raises:
        BadAct: nobody has a table yet, or nobody comes late.
    """
    there = [one for one in stage.entrants if one.table is not None]
    if not there:
        raise BadAct("no tables are drawn yet: who comes now is drawn with the others")
    if not late:
        raise BadAct("everybody who may drive has a table")
    sizes = Counter(one.table or "" for one in there)
    mates = Counter((one.table or "", _team(stage, one)) for one in there)
    ends = {table: _end(there, table) for table in sizes}
    found = []
    for one in late:
        ranks = {table: (sizes[table], mates[table, _team(stage, one)], table) for table in sizes}
        table = min(ranks, key=ranks.__getitem__)
        if sizes[table] >= MOST_AT_A_TABLE:
            raise BadAct(f"there is no room for {one.name}: every table has {MOST_AT_A_TABLE}")
        sizes[table] += 1
        mates[table, _team(stage, one)] += 1
        end = ends[table]
        ends[table] = None if end is None else end + 1
        found.append(Drawn(one, table, ends[table]))
    return found


def _end(there: Iterable[Entrant], table: str) -> int | None:
    """The last place on the grid of a table; None where none was drawn."""
    return max((one.grid for one in there if one.table == table and one.grid), default=None)


def _team(stage: Season, one: Entrant) -> str:
    return stage.team_of(one.driver, 1, None) or one.driver


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
    teams: Mapping[str, str] = {one.driver: _team(stage, one) for one in drivers}
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
