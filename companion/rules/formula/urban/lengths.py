"""The lengths of a move in urban races: nitro and drift (FD-URBAN-2, FD-DRV-2, FD-DRV-7)."""

from __future__ import annotations

from typing import Any, NamedTuple

from companion.rules.formula.moves import ends_of_move
from companion.rules.formula.state import Car, State, Step
from companion.rules.formula.urban.drift import DRIFTS, may_drift
from companion.rules.formula.urban.drivers import driver_of
from companion.rules.formula.urban.tables import DRIFT, NITRO


class Length(NamedTuple):
    """One length on offer: the spaces in all, and what gives it."""

    spaces: int
    by: tuple[str, ...] = ()


def street_lengths(state: State, seat: int, spaces: int, *, great: bool = False) -> list[Length]:
    """The lengths on offer for a roll of so many `spaces`, ascending.

    `great`: it is a great start (FD-START-4).
    """
    car = state.cars[seat]
    found = [Length(spaces)] + [Length(more, (NITRO,)) for more in _with_nitro(car, spaces, great)]
    if may_drift(car):
        found += [
            Length(length.spaces + drift, (*length.by, DRIFTS))
            for length in found
            for drift in (-DRIFT, DRIFT)
            if ends_of_move(state, seat, length.spaces + drift, great=great, drifts=True)
        ]
    return sorted(found)


def lengths(state: State, step: Step) -> list[dict[str, Any]]:
    """The lengths that a step offers, as the ask has them."""
    found = street_lengths(state, step.seat, step.number, great="great" in step.flags)
    return [{"spaces": spaces, "by": list(by)} for spaces, by in found]


def _with_nitro(car: Car, spaces: int, great: bool) -> list[int]:
    """FD-URBAN-2: once a lap, as many spaces more as the gear; FD-DRV-7: or three beyond.

    It needs a gear roll, so a great start has none (FD-START-4).
    """
    if car.nitro or great:
        return []
    full = spaces + car.gear
    more = driver_of(car).nitro
    return [full, full + more] if more else [full]


def rule_of(value: Any) -> str:
    """The rule behind an answer."""
    by = value.get("by") if isinstance(value, dict) else None
    drifts = isinstance(by, list) and DRIFTS in by
    return "FD-DRV-2" if drifts else "FD-URBAN-2"
