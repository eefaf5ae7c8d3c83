"""The same answers given by hand: what a race on any seats must come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from support.formula.careful import answer
from support.tables.sitting import Sitting, phone

JSON = Mapping[str, Any]


def sensible(race: Any, dice: Random) -> dict[str, Any]:
    """What the seat that is asked first says."""
    ask = race.asks[0]
    value = answer(ask, race.engine.moment, dice)
    if isinstance(value, dict):
        value = {"to": value["to"], "brakes": value["brakes"]}
    return {"seat": ask["seat"], ask["kind"]: value}


def told(lines: Sequence[JSON]) -> list[dict[str, Any]]:
    """Lines without who gave them when."""
    return [{k: v for k, v in line.items() if k not in ("at", "by")} for line in lines]


def by_hand(seats: int, laps: int, answers: Sequence[JSON]) -> Sitting:
    """A table that was given these answers without any seat."""
    sitting = Sitting()
    sitting.begins(seats, laps=laps)
    for line in answers:
        sitting.accepts(phone(line["seat"]), line)
    return sitting


def is_as_by_hand(seats: int, laps: int, record: Sequence[JSON]) -> bool:
    """Whether a finished race's record, its first line apart, is what its answers come to."""
    finished = by_hand(seats, laps, told(record[1:-1])).state.finish()
    assert finished is not None
    return told(record[1:]) == told(finished[1][1:])
