"""The lengths of a move in urban races: nitro and drift (FD-URBAN-2, FD-DRV-2, FD-DRV-7)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.rules.formula.moves import move_options
from companion.rules.formula.state import State, Step
from companion.rules.formula.urban.drift import DRIFTS, may_drift
from companion.rules.formula.urban.drivers import driver_of
from companion.rules.formula.urban.tables import DRIFT, NITRO


def lengths(state: State, step: Step) -> list[dict[str, Any]]:
    """The totals on offer, ascending, each with what gives it."""
    totals: list[tuple[int, list[str]]] = [
        *((spaces, []) for spaces in (step.number,)),
        *((spaces, [NITRO]) for spaces in _with_nitro(state, step)),
    ]
    if may_drift(state.cars[step.seat]):
        totals += [
            (spaces + drift, [*by, DRIFTS])
            for spaces, by in totals
            for drift in (-DRIFT, DRIFT)
            if _can_drift(state, step, spaces + drift)
        ]
    return [{"spaces": spaces, "by": by} for spaces, by in sorted(totals)]


def _with_nitro(state: State, step: Step) -> list[int]:
    """FD-URBAN-2: once a lap, as many spaces more as the gear; FD-DRV-7: or three beyond.

    It needs a gear roll, so a great start has none (FD-START-4).
    """
    car = state.cars[step.seat]
    if car.nitro or "great" in step.flags:
        return []
    full = step.number + car.gear
    more = driver_of(car).nitro
    return [full, full + more] if more else [full]


def _can_drift(state: State, step: Step, spaces: int) -> bool:
    """FD-DRV-2: whether a move of so many spaces can touch a corner that is still fresh."""
    move = replace(step, kind="move", number=spaces, flags=(*step.flags, DRIFTS))
    return bool(move_options(state, move))


def rule_of(value: Any) -> str:
    """The rule behind an answer."""
    by = value.get("by") if isinstance(value, dict) else None
    drifts = isinstance(by, list) and DRIFTS in by
    return "FD-DRV-2" if drifts else "FD-URBAN-2"
