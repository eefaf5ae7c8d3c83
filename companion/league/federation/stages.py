"""The days of a stage: who goes on into it, who sits where, and what a table is handed; pure.

Qualifying: the acts that enter those who go on into other stages, and draw tables.

Draws: who sits at which table on a tournament day, and where on its grid; the chance is given.
Tables are as even as can be. By lot, everybody goes to one of the emptiest tables, to one with
the fewest of the team; by number or by placing, the first ones sit at the first table, as after
time trials. A grid is drawn in the same way: by lot, or the first ones in front. Who comes late
goes to one of the emptiest tables, to the end of its grid.

Sheets: what the tables of a round are handed: who drives, from which place, in which weather.
Who is banned is not on a sheet, nor who said that he does not come; who stands in for somebody has
that one's car. The grid is the one that the club drew, with the places that penalties cost. A sheet
becomes the header of a race (docs/engine.md), so that a table can be opened with it.

Pit boxes: who chooses one when (DE-PIT-3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from random import Random

from companion.league.acts import Act
from companion.league.errors import BadAct, key_of
from companion.league.federation import Banned, Conduct, places_after
from companion.league.federation.competitions import (
    OF_ENTRANT,
    Enter,
    Qualified,
    StandFor,
    qualified,
)
from companion.league.forms import UNSAID, said
from companion.league.plain import Draw, Entrant, Planned, Race, Season, drivers_in
from companion.league.standings import Standing, next_number, rounds_of, standings
from companion.league.view import View
from companion.rules.packs import COLORS, share_out
from companion.system.frozen import dataclass

# -- qualifying -----------------------------------------------------------------------------------


def qualify_acts(queries: View, key: str) -> tuple[list[Qualified], list[Act]]:
    """Who goes from a stage into which other, and the acts that enter them.

    Number, color and team come along: the team is the one that they last scored for. Of those who
    are on the list they go to already, nothing is changed.

    Raises:
        BadAct: there is no such stage, or a place at the border of a way is shared.
    """
    stage = queries.the_season(key)
    races = queries.held(stage)
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
        acts.append(
            Enter(
                season=one.into,
                driver=one.name,
                number=said(entrant.number if entrant else None),
                color=said(entrant.color if entrant else None),
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

    def told(self) -> dict[str, object]:
        """What whoever draws is answered."""
        return {"drawn": self.names, "banned": [str(one) for one in self.banned]}


def draw_acts(
    queries: View,
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
    stage = queries.the_season(key)
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


def late_acts(queries: View, key: str) -> Draws:
    """The acts that give a table to those of a stage who have come late.

    Raises:
        BadAct: there is no such stage, no table is drawn yet, or nobody is without one.
    """
    stage = queries.the_season(key)
    may, banned = _drivers(queries, stage)
    drawn = seat_late(stage, [one for one in may if one.table is None])
    return Draws(tuple(map(partial(_seat, key), drawn)), tuple(banned))


def late_names(queries: View, stage: Season) -> list[str]:
    """Who may drive and has no table while others have; nobody before a draw."""
    if all(one.table is None for one in stage.entrants):
        return []
    return [one.name for one in _drivers(queries, stage)[0] if one.table is None]


def _seat(key: str, one: Drawn) -> Enter:
    return Enter(season=key, driver=one.entrant.name, table=one.table, grid=one.grid)


def _drivers(queries: View, stage: Season) -> tuple[list[Entrant], list[Banned]]:
    """The entrants whose cars may drive the next round; why others may not."""
    rounds = rounds_of(stage, queries.races(season=stage.key, is_slim=True))
    number = next_number(stage, rounds)
    conduct = conduct_of(queries, stage, rounds)
    names = queries.names({one.driver for one in stage.stand_ins})
    judged = [(o, conduct.banned(drives, number)) for o, drives in driving(stage, number, names)]
    return [one for one, why in judged if why is None], [why for _, why in judged if why]


def _placings(queries: View, stage: Season) -> dict[str, int]:
    """Places in the stages that led here, else in this one, by driver."""
    led = dict.fromkeys(one.via for one in stage.entrants if one.via is not None) or [stage.key]
    places: dict[str, int] = {}
    for key in led:
        earlier = queries.the_season(key)
        for line in standings(earlier, queries.held(earlier)):
            places[line.key] = min(line.place, places.get(line.key, line.place))
    return places


# -- draws ----------------------------------------------------------------------------------------


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


def entry_acts(season: Season, called: Callable[[str, str], str]) -> Iterator[Act]:
    """The acts that make the entry list of a season again, and who stands in for whom."""
    for one in season.entrants:
        own = {field: said(getattr(one, field)) for field in OF_ENTRANT if field != "via"}
        crew = tuple(called(person, person) for person in one.crew) or UNSAID
        own["role"] = UNSAID if one.role == "regular" else one.role
        yield Enter(season=season.key, driver=called(one.driver, one.name), **own, crew=crew)
    for it in season.stand_ins:
        driver, absent = (called(name, name) for name in (it.driver, it.absent))
        yield StandFor(season=season.key, round=it.round, driver=driver, absent=absent)


def conduct_of(queries: View, season: Season, races: Iterable[Race]) -> Conduct:
    """What stands against the drivers of a stage with these races."""
    if season.competition is None:
        return Conduct(season, races)
    earlier = [one for one in queries.stages(season.competition) if one.step < season.step]
    own = queries.races(stages=[one.key for one in earlier], is_slim=True) if earlier else []
    of = [(one, [race for race in own if race.season == one.key]) for one in earlier]
    return Conduct(season, races, of)


# -- sheets ---------------------------------------------------------------------------------------


Names = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Car:
    """A car on a sheet.

    Args:
        seat: from 1, in the order of the numbers.
        name: of the driver, or of the car where a crew drives it; `crew`: their names.
        grid: the place on the grid with what penalties cost; None where no grid was drawn.
        lost: the places that were lost on it, or are to be taken where the table rolls for it.
    """

    seat: int
    driver: str
    name: str
    number: int | None
    color: str | None
    team: str | None
    crew: tuple[str, ...] = ()
    grid: int | None = None
    lost: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSheet:
    """A table in a round. `table` is None in a stage without tables."""

    season: Season
    round: int
    table: str | None
    planned: Planned | None
    cars: tuple[Car, ...]
    banned: tuple[Banned, ...] = ()


def table_sheets(queries: View, key: str) -> list[TableSheet]:
    """The tables of the round that a stage drives next, in their order.

    Raises:
        BadAct: there is no such stage, or nobody is entered for the round.
    """
    season = queries.the_season(key)
    rounds = queries.held(season)
    number = next_number(season, rounds)
    planned = next((one for one in season.calendar if one.round == number), None)
    conduct = conduct_of(queries, season, rounds)
    names = queries.names(season.people)
    at: dict[str | None, list[Entrant]] = {}
    for _, one in driving(season, number, names):
        at.setdefault(one.table, []).append(one)
    if not at:
        raise BadAct(f"nobody is entered for round {number} of {season.title}")
    if len(at) > 1 and None in at:  # who came late and has no table yet
        del at[None]
    return [
        _sheet(season, number, planned, table, at[table], conduct, names)
        for table in sorted(at, key=_by_number)
    ]


def _by_number(table: str | None) -> tuple[bool, int, str]:
    text = table or ""
    return not text.isdecimal(), int(text) if text.isdecimal() else 0, text


def _sheet(
    season: Season,
    number: int,
    planned: Planned | None,
    table: str | None,
    entrants: list[Entrant],
    conduct: Conduct,
    names: Names,
) -> TableSheet:
    judged = [(one, conduct.banned(one, number)) for one in entrants]
    drivers = [one for one, why in judged if why is None]
    lost = {one.driver: conduct.grid_of(one, number) for one in drivers}
    places = _grid(drivers, lost)
    cars = tuple(
        Car(
            seat=seat,
            driver=one.driver,
            name=one.name,
            number=one.number,
            color=one.color,
            team=season.team_of(one.driver, number, None),
            crew=tuple(names.get(driver, driver) for driver in one.crew),
            grid=places.get(one.driver),
            lost=lost[one.driver],
        )
        for seat, one in enumerate(drivers, 1)
    )
    return TableSheet(
        season=season,
        round=number,
        table=table,
        planned=planned,
        cars=cars,
        banned=tuple(why for _, why in judged if why),
    )


def _grid(entrants: list[Entrant], lost: Mapping[str, int]) -> dict[str, int]:
    """The places on a grid, from 1; who came after it was drawn stands at its end. None was drawn:
    nothing."""
    if all(one.grid is None for one in entrants):
        return {}
    drawn = sorted(entrants, key=lambda one: (one.grid is None, one.grid or 0))
    order = places_after([one.driver for one in drawn], lost)
    return {driver: place for place, driver in enumerate(order, 1)}


def header_of(sheet: TableSheet, game: str, track: str | None = None) -> dict[str, object]:
    """The header that a table is opened with (`companion race --new FILE`).

    Args:
        track: the board; None: the one that the calendar names, and without that none.

    Raises:
        BadAct: a table has nobody to drive at it.
    """
    if not sheet.cars:
        raise BadAct(f"nobody drives at table {sheet.table}")
    planned = sheet.planned
    board = track or (key_of(planned.board) if planned is not None and planned.board else None)
    is_trials = sheet.season.kind == "trials"
    about: dict[str, object] = {
        "track": board,
        "laps": None if planned is None else planned.laps,
        "weather": None if planned is None else planned.weather,
        "rules": _rules(sheet),
        "grid": None if is_trials else _order(sheet),
    }
    told = {key: value for key, value in about.items() if value}
    return {"game": game, **told, "seats": list(_seats(sheet))}


def paints_of(sheet: TableSheet) -> dict[int, str]:
    """The color of each car, by its seat: the one entered, else one that is left."""
    chosen: dict[int, str] = {}
    for car in sheet.cars:
        color = (car.color or "").casefold()
        if color in COLORS and color not in chosen.values():
            chosen[car.seat] = color
    return share_out([car.seat for car in sheet.cars], chosen)


def numbers_of(sheet: TableSheet) -> dict[int, int]:
    """The number of each car, by its seat: the one entered, else the lowest that nobody there has.

    Two who were entered with the same number keep it.
    """
    entered = {car.number for car in sheet.cars}
    free = (number for number in count(1) if number not in entered)
    return {car.seat: next(free) if car.number is None else car.number for car in sheet.cars}


def _rules(sheet: TableSheet) -> list[str]:
    rules = ["trials"] if sheet.season.kind == "trials" else []
    has_weather = sheet.planned is not None and sheet.planned.weather is not None
    return [*rules, "weather"] if has_weather else rules


def _order(sheet: TableSheet) -> list[int]:
    """The seats as they stand on the grid; none where none was drawn."""
    drawn = [(car.grid, car.seat) for car in sheet.cars if car.grid is not None]
    return [seat for _, seat in sorted(drawn)]


def _seats(sheet: TableSheet) -> Iterator[dict[str, object]]:
    paints = paints_of(sheet)
    for car in sheet.cars:
        crew = {"crew": list(car.crew)} if car.crew else {}
        team = {"team": car.team} if car.team else {}
        own = {"name": car.name, "player": car.name, "color": paints[car.seat]}
        yield {"seat": car.seat, **own, **crew, **team}


# -- pit boxes ------------------------------------------------------------------------------------


def box_order(table: Sequence[Standing], names: Iterable[str]) -> list[list[str]]:
    """In which order teams (or drivers, where there are none) choose their boxes.

    Args:
        table: the standings of the championship before this Grand Prix, best first; empty
            before the first one.
        names: who takes part.

    Returns:
        Groups of names, the first to choose first. A group of several settles its order by the
        highest roll: everybody at the first Grand Prix, then those whom the standings do not
        tell apart, and those who are not in them yet, who choose last.

    >>> box_order([], ["Rouge", "Bleu"])
    [['Rouge', 'Bleu']]
    """
    places = {line.key: line.place for line in table}
    last = len(table) + 1
    groups: dict[int, list[str]] = {}
    for name in names:
        groups.setdefault(places.get(key_of(name), last), []).append(name)
    return [groups[place] for place in sorted(groups)]
