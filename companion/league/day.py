"""What the tables of a round are handed: who drives, from which place, in which weather; pure.

Who is banned is not on a sheet, nor who said that he does not come; who stands in for somebody has
that one's car. The grid is the one that the club drew, with the places that penalties cost. A sheet
becomes the header of a race (docs/engine.md), so that a table can be opened with it.

Who chooses a pit box when (DE-PIT-3); pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count

from companion.league.conduct import Banned, Conduct, places_after
from companion.league.errors import BadAct, key_of
from companion.league.plain import Entrant, Planned, Season
from companion.league.stages import conduct_of, driving
from companion.league.standings import Standing, next_number, rounds_of
from companion.league.view import View
from companion.rules.packs import COLORS, share_out
from companion.system.frozen import dataclass

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
    season = next(iter(queries.seasons(key)), None)
    if season is None:
        raise BadAct(f"there is no season {key!r}")
    rounds = rounds_of(season, queries.races(season=key, is_slim=True))
    number = next_number(season, rounds)
    planned = next((one for one in season.calendar if one.round == number), None)
    conduct = conduct_of(queries, season, rounds)
    people = {driver for one in season.entrants for driver in (one.driver, *one.crew)}
    names = queries.names(people | {one.driver for one in season.stand_ins})
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
    banned = []
    drivers = []
    for one in entrants:
        ban = conduct.ban_of(one, number)
        if ban is None:
            drivers.append(one)
        else:
            banned.append(Banned(one.name, number, ban.reason))
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
        banned=tuple(banned),
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
