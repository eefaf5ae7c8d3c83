"""When the race will be over, as far as it can be told: once a round, from the second on.

The turns that are left (`rules.formula.forecast`), each as long as turns have been so far. It is
told in minutes, and where the race ends by the clock never more than that.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.formula.state import State
from companion.table.race import Race

MINUTE_S = 60
FINE_MIN = 10
COARSE_MIN = 5
"""From ten minutes on it is told in steps of five."""
LEAST_TURN_S = 1.0
"""Nobody plays so fast: bots among themselves, or a race that is being read in."""


class Ending:
    """The latest forecast of a table, and what it was made of."""

    def __init__(self) -> None:
        self._key: tuple[str, int, int, bool] | None = None
        self._minutes: int | None = None

    def minutes(self, race: Race, clock: Callable[[], float]) -> int | None:
        """The minutes that are left, as they were told when the round began; None: who knows."""
        outline = race.outline
        if outline.is_over or outline.round < 2 or not isinstance(race.engine.moment, State):
            return None
        fewer = race.engine.moment.setup.laps
        key = race.id, outline.round, fewer, race.times.has_ended
        if key != self._key:
            self._key, self._minutes = key, _forecast(race, clock())
        return self._minutes


def _forecast(race: Race, at: float) -> int | None:
    played, raced_s = race.times.played, race.times.raced_s(at)
    if not played or raced_s < played * LEAST_TURN_S:
        return None
    from companion.rules.formula.forecast import turns_left  # no race needs it in its first round

    left = turns_left(race.engine.moment, race.engine.begun, played)
    if left is None:
        return None
    seconds, timing = left * raced_s / played, race.outline.timing
    if timing.freezes and timing.race_s is not None:
        seconds = min(seconds, max(0.0, timing.race_s - raced_s))
    return in_steps(seconds / MINUTE_S)


def in_steps(minutes: float) -> int:
    """Minutes as people say them.

    >>> in_steps(0.2), in_steps(7.4), in_steps(43)
    (1, 7, 45)
    """
    if minutes < FINE_MIN:
        return max(1, round(minutes))
    return COARSE_MIN * round(minutes / COARSE_MIN)
