"""Rows of a result as JSON: entered by hand, amended, put in their places; pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.league.errors import BadAct
from companion.league.points import FORMULA_D

JSON = Mapping[str, Any]
Row = dict[str, Any]

EMPTY_ROW: JSON = {
    "status": "finished",
    "team": None,
    "grid": None,
    "lap": None,
    "out": None,
    "points": None,
    "best_lap": None,
    "fastest": False,
    "numbers": {},
}
"""What nobody has said of a car."""


def entered(entries: Sequence[JSON], game: str) -> list[Row]:
    """The rows of a race entered by hand; seats are numbered as the cars are listed.

    Raises:
        BadAct: some cars have a place and some have none.
    """
    rows = [{**EMPTY_ROW, "seat": n, **one} for n, one in enumerate(entries, 1)]
    return _placed(rows, entries, game)


def amended(rows: Sequence[JSON], entries: Sequence[JSON], game: str) -> list[Row]:
    """A result as somebody changed it: the cars named, in the order named.

    Raises:
        BadAct: a seat is named twice; a car that was not in the race has no name; some cars
            have a place and some have none.
    """
    known = {row["seat"]: row for row in rows}
    seats = [one["seat"] for one in entries]
    if len(set(seats)) != len(seats):
        raise BadAct(f"a seat is named twice in {seats}")
    fresh = []
    for one in entries:
        if one["seat"] not in known and "name" not in one:
            raise BadAct(f"seat {one['seat']} was not in the race; a car that is added needs name")
        fresh.append({**EMPTY_ROW, **known.get(one["seat"], {}), **one, **_renamed(one)})
    return _placed(fresh, entries, game)


def _renamed(one: JSON) -> Row:
    """A new name is another person, unless somebody says who plays."""
    return {"player": one["name"]} if "name" in one and "player" not in one else {}


def _placed(rows: list[Row], told: Sequence[JSON], game: str) -> list[Row]:
    """With places: those that were told, else the order of the list, cars that are out last."""
    have = sum("place" in one for one in told)
    if have not in (0, len(rows)):
        raise BadAct("either every car has a place, or none: then the order of the list holds")
    if have:
        rows.sort(key=lambda row: (row["place"], row["seat"]))
    else:
        rows.sort(key=lambda row: row["status"] == "out")
        rows = [{**row, "place": place} for place, row in enumerate(rows, 1)]
    said = {one.get("seat", n) for n, one in enumerate(told, 1) if "points" in one}
    return list(_own_points(rows, said, game))


def _own_points(rows: Iterable[Row], said: set[int], game: str) -> Iterable[Row]:
    """The race's own points go with the place (FD-TEAM-1), Downforce's are money and stay."""
    for row in rows:
        out = {**row, "out": None} if row["status"] != "out" else row
        if game == "downforce" or row["seat"] in said:
            yield out
        else:
            scored = 0 if row["status"] == "out" else FORMULA_D.for_place(row["place"])
            yield {**out, "points": scored}
