"""The zone: dark spaces are debris for good (FD-URBAN-4)."""

from __future__ import annotations

from companion.rules.formula.state import Phase, State
from companion.rules.formula.urban.drivers import is_urban


def debris_on(state: State) -> frozenset[int]:
    """All spaces that a car is hurt on: those with a marker, and the dark ones of the street.

    FD-TRIAL-1: in a trial there is none.
    """
    dark = state.setup.track.dark
    if not dark or not is_urban(state) or state.phase is Phase.TRIALS:
        return state.debris
    return state.debris | dark
