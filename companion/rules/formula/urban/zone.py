"""The zone: dark spaces are debris for good (FD-URBAN-4)."""

from __future__ import annotations

from companion.rules.formula.state import Phase, State
from companion.rules.formula.urban.drivers import is_urban
from companion.rules.reading import bad


def debris_on(state: State) -> frozenset[int]:
    """All spaces that a car is hurt on: those with a marker, and the dark ones of the street.

    FD-TRIAL-1: in a trial there is none.
    """
    dark = state.setup.track.dark
    if not dark or not is_urban(state) or state.phase is Phase.TRIALS:
        return state.debris
    return state.debris | dark


def refuse_no_space(state: State, kind: str, spaces: tuple[int, ...]) -> None:
    """Refuse a pending step that does not name one space of the track."""
    if len(spaces) != 1 or state.setup.track.lane[spaces[0]] < 0:
        bad("pending-form", f"{kind} names one space of the track", rule="FD-MOVE-1")
