"""The table's own time: seconds since the race began at this table, whatever the wall says.

A small computer without a battery wakes up with any date. What is measured comes from a
monotonic clock; a wall time is written beside it as a note that nothing relies on.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

Now = Callable[[], float]


class TableClock:
    """Seconds that go on where they stood when the table was last put away.

    Args:
        now: a monotonic clock in seconds, from any zero.
        wall: seconds since 1970 as the computer believes them.

    >>> ticks = iter([50.0, 51.5, 60.0])
    >>> clock = TableClock(now=lambda: next(ticks), wall=lambda: 0.0)
    >>> clock.go_on_from(7.0)
    >>> clock.at()
    8.5
    >>> clock.at()
    17.0
    """

    def __init__(self, now: Now, wall: Now) -> None:
        self._now = now
        self._wall = wall
        self._zero = 0.0

    def go_on_from(self, at_s: float) -> None:
        """Let this moment be `at_s` seconds."""
        self._zero = self._now() - at_s

    def at(self) -> float:
        """Seconds to the millisecond: the `at` of a line."""
        return round(self._now() - self._zero, 3)

    def date(self) -> str:
        """What the computer takes for the date and time, ISO 8601 in UTC. Not to be relied on."""
        return datetime.fromtimestamp(self._wall(), UTC).isoformat(timespec="seconds")
