"""The lengths of a move in urban races: nitro and drift (FD-URBAN-2, FD-DRV-2, FD-DRV-7)."""

from __future__ import annotations

from typing import Final

from companion.rules.formula.asks import Length
from companion.rules.formula.car import Car
from companion.rules.formula.moves import ends_of_move
from companion.rules.formula.state import State
from companion.rules.formula.urban.drift import DRIFTS, may_drift
from companion.rules.formula.urban.drivers import driver_of
from companion.rules.formula.urban.memory import uses
from companion.rules.formula.urban.tables import DRIFT

NITRO: Final = uses("nitro", lambda driver: True, each_lap=True)
"""FD-URBAN-2: the word of a length, and that it is used up."""


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


def _with_nitro(car: Car, spaces: int, great: bool) -> list[int]:
    """FD-URBAN-2: once a lap, as many spaces more as the gear; FD-DRV-7: or three beyond.

    It needs a gear roll, so a great start has none (FD-START-4).
    """
    if NITRO in car.street.used or great:
        return []
    full = spaces + car.gear
    more = driver_of(car).nitro
    return [full, full + more] if more else [full]
