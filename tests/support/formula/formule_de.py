"""Scenes of Formule Dé: as those of Formula D, in the old edition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from support.formula.scenes import Scene
from support.formula.table import Table

GAME = "formule-de"
WEAR = {"tires": 6, "brakes": 4, "fuel": 3, "body": 3, "engine": 3, "handling": 0}
"""DE-CAR-1: two laps."""
SHORT_WEAR = {"tires": 4, "brakes": 3, "fuel": 2, "body": 2, "engine": 2, "handling": 0}
"""DE-CAR-1: one lap."""


def scene(
    cars: Mapping[int, Mapping[str, Any]], *rules: str, laps: int = 2, **position: Any
) -> Scene:
    """A position of Formule Dé on Monaco; `house` and `seats` go into the header."""
    header: dict[str, Any] = {"game": GAME, "laps": laps, "rules": list(rules)}
    header |= {key: position.pop(key) for key in ("house", "seats") if key in position}
    return Scene(cars, header=header, **position)


def header(seats: int = 2, *rules: str, **more: Any) -> dict[str, Any]:
    """A header of Formule Dé on Monaco."""
    cars = [{"seat": seat} for seat in range(1, seats + 1)]
    return {"game": GAME, "track": "monaco", "seats": cars, "rules": list(rules), **more}


def table(seats: int = 2, *rules: str, **more: Any) -> Table:
    """A race of Formule Dé from its beginning."""
    return Table.of(header(seats, *rules, **more))
