"""Time at the table: its own clock, and the companion's stopwatch in time trials (FD-TRIAL-1).

A small computer without a battery wakes up with any date. What is measured comes from a
monotonic clock, as seconds since the race began at this table; a wall time is written beside it
as a note that nothing relies on.

The stopwatch runs from the answer that is the first gear of a trial, which comes just before its
first roll, to the move that crosses the line; that move's time is then answered by the companion
itself. A pause stops it. While the table is off its clock stands still, and so does the watch.
Nothing of it is stored but the times that lines have anyway, so undo and replay need no care;
only an answer that is given again for an amendment leaves a word behind, with the true start.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from companion.rules.commands import Answer
from companion.rules.errors import Refusal
from companion.table.entries import RaceEntry, Watch
from companion.table.race import Events, Race

Now = Callable[[], float]
MOVES = frozenset({"move", "slipstream"})
"""The answers that can cross the line."""
SHORTEST_S = 0.01
"""Between two looks at a watch."""
LEAST_S = 0.001
"""A lap takes some time, however coarse the clock."""


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


# -- the stopwatch ----------------------------------------------------------------------------


def seat_on_trial(race: Race) -> int | None:
    """Whose trial it is; None where none is being driven."""
    if not race.outline.on_trial:
        return None
    return next((ask.seat for ask in race.engine.open if ask.seat), None)


def started(race: Race, seat: int) -> float | None:
    """When the watch of a seat's trial began, on the table's clock; None: it has not."""
    first = next((given for given in race.given if given.key == (seat, "gear")), None)
    return None if first is None else race.watch_from.get(seat, first.at)


def elapsed(race: Race, seat: int, at: float) -> float | None:
    """The seconds that the watch of a seat shows, pauses left out."""
    since = started(race, seat)
    if since is None:
        return None
    pauses = ((low, at if high is None else high) for low, high in race.pauses)
    rested = sum(max(0.0, high - max(low, since)) for low, high in pauses)
    return max(LEAST_S, round(at - since - rested, 3))


def look(race: Race | None, clock: Callable[[], float]) -> Mapping[str, int] | None:
    """The watch as everybody may see it: `seat`, whole `seconds`, `running`; None: none runs.

    The clock is asked only where there is one.
    """
    seat = seat_on_trial(race) if race else None
    if race is None or seat is None or started(race, seat) is None:
        return None
    seconds = elapsed(race, seat, clock())
    return {"seat": seat, "seconds": int(seconds or 0), "running": not race.paused}


def until_next_s(
    race: Race | None, shown: Mapping[str, int] | None, clock: Callable[[], float]
) -> float | None:
    """How long the watch that is shown stays true; None: for good, as none runs."""
    if race is None or shown is None or not shown["running"]:
        return None
    seconds = elapsed(race, shown["seat"], clock()) or 0.0
    return max(SHORTEST_S, float(shown["seconds"]) + 1 - seconds)


def stop(race: Race, entry: RaceEntry, at: float) -> Events:
    """Answer the time of a trial whose line was crossed by this answer; the events of it."""
    if not isinstance(entry, Answer) or entry.kind not in MOVES:
        return []
    if race.engine.since(entry.seat, "time") is None:
        return []
    seconds = elapsed(race, entry.seat, at)
    if seconds is None:  # a race that began in the middle of a trial: somebody has to say it
        return []
    try:
        return race.put(Answer(entry.seat, "time", seconds), by="companion", at=at)
    except Refusal:
        return []


def keep_start(before: Race, after: Race, at: float) -> None:
    """Let the watch of a trial run on in a race whose answers were given again."""
    seat = seat_on_trial(after)
    since = None if seat is None else started(before, seat)
    if seat is not None and since is not None and started(after, seat) not in (None, since):
        after.put(Watch(seat, since), by="companion", at=at)
