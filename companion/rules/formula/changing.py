"""Changing one car of a state: the one tool of all that applies events."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.rules.formula.state import State


def change(state: State, seat: int, **values: Any) -> State:
    """The state with some fields of one car set."""
    cars = dict(state.cars)
    cars[seat] = replace(cars[seat], **values)
    return replace(state, cars=cars)
