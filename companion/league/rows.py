"""Rows of a result: as a record or people tell them, amended, put in their places; pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from companion.frozen import dataclass
from companion.league.acts import Car, ChangedCar, NewCar, given
from companion.league.classified import GROUPS
from companion.league.errors import BadAct
from companion.league.games import game_of
from companion.league.plain import MINUTE_S, CarNumbers, Status, TrialNumbers
from companion.league.points import FORMULA_D
from companion.league.said import UNSAID


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A car of a result: the fields of `plain.Entry` but for the driver.

    `player` is who drives, where that is not the name; `place` is 0 until it has one; `crew` are
    the names of those who drove it, where they were several.
    """

    seat: int
    name: str
    place: int = 0
    player: str | None = None
    status: Status = "finished"
    team: str | None = None
    grid: int | None = None
    lap: int | None = None
    out: str | None = None
    points: int | None = None
    best_lap: int | None = None
    fastest: bool = False
    time: float | None = None
    crew: tuple[str, ...] = ()
    numbers: CarNumbers = field(default_factory=CarNumbers)


def read_row(data: Mapping[str, Any]) -> Row:
    """A row out of the JSON that it was kept as."""
    return Row(**{**data, "crew": tuple(data.get("crew", ()))})


def entered(cars: Sequence[NewCar], game: str) -> list[Row]:
    """The rows of a race entered by hand; seats are numbered as the cars are listed.

    Raises:
        BadAct: some cars have a place and some have none.
    """
    rows = [Row(seat=seat, **_told(car)) for seat, car in enumerate(cars, 1)]
    return _placed(rows, cars, game)


def amended(rows: Sequence[Row], cars: Sequence[ChangedCar], game: str) -> list[Row]:
    """A result as somebody changed it: the cars named, in the order named.

    Raises:
        BadAct: a seat is named twice; a car that was not in the race has no name; some cars
            have a place and some have none.
    """
    known = {row.seat: row for row in rows}
    seats = [car.seat for car in cars]
    if len(set(seats)) != len(seats):
        raise BadAct(f"a seat is named twice in {seats}")
    return _placed([_changed(known.get(car.seat), car) for car in cars], cars, game)


def _changed(row: Row | None, car: ChangedCar) -> Row:
    if row is None and car.name is UNSAID:
        raise BadAct(f"seat {car.seat} was not in the race; a car that is added needs name")
    changes = _told(car, row)
    if "name" in changes:  # another person, unless somebody says who plays
        changes.setdefault("player", changes["name"])
    return Row(**changes) if row is None else replace(row, **changes)


def _told(car: Car, row: Row | None = None) -> dict[str, Any]:
    """What people say of a car, by the fields of a row; full minutes count in a trial's score."""
    own = given(car)
    rolls = own.pop("trial", None)
    if rolls is None:
        return own
    seconds = own.pop("time", None)
    if seconds is None:
        raise BadAct("a trial has a time: the seconds that it took")
    numbers = CarNumbers() if row is None else row.numbers
    trial = TrialNumbers(seconds=seconds, score=rolls + int(seconds // MINUTE_S))
    return {**own, "numbers": {**numbers, "trial": trial}}


def _placed(rows: list[Row], cars: Sequence[Car], game: str) -> list[Row]:
    """With places: those that were given, else the order of the list, cars that are out last."""
    have = sum(car.place is not UNSAID for car in cars)
    if have not in (0, len(rows)):
        raise BadAct("either every car has a place, or none: then the order of the list holds")
    paid = {row.seat for row, car in zip(rows, cars, strict=True) if car.points is not UNSAID}
    if have:
        rows.sort(key=lambda row: (row.place, row.seat))
    else:
        rows.sort(key=lambda row: GROUPS[row.status])
        rows = [replace(row, place=place) for place, row in enumerate(rows, 1)]
    return list(_own_points(rows, paid, game))


def _own_points(rows: Iterable[Row], paid: set[int], game: str) -> Iterable[Row]:
    """The race's own points go with the place (FD-TEAM-1); where they are money, they stay."""
    for row in rows:
        is_home = not GROUPS[row.status]
        ended = replace(row, out=None) if is_home else row
        if game_of(game).has_money or row.seat in paid:
            yield ended
        else:
            points = int(FORMULA_D.for_place(row.place)) if is_home else 0
            yield replace(ended, points=points)
