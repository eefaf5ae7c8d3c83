"""Time at the table: its clock, the stopwatch of time trials, the clock of the turns, the forecast.

A small computer without a battery wakes up with any date. What is measured comes from a
monotonic clock, as seconds since the race began at this table; a wall time is written beside it
as a note that nothing relies on. While the table is off its clock stands still, and a race with a
clock comes back paused.

What time brings is a line of the companion's: a flag once a turn, the bell once a race. The rules
say what it comes to (`rules/formula/rounds.py`); how long the seats have taken is worked out in
`race/times.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from math import ceil, floor

from companion.race.engine import Events
from companion.race.times import Times
from companion.rules.game import Left, Outline
from companion.rules.lines import Answer, Bell, End, Flag, Refusal, Timely
from companion.table.commands import RaceEntry, Watch
from companion.table.race import Race
from companion.views.model import Pace

Now = Callable[[], float]
YEARS = range(2025, 2200)
"""Of a phone that can be believed."""


class TableClock:
    """Seconds that go on where they stood when the table was last put away.

    Args:
        now: a monotonic clock in seconds, from any zero.
        wall: seconds since 1970 as the computer believes them.
        is_set: whether it can be believed; else the first phone that comes is (`believe`).

    >>> ticks = iter([50.0, 51.5, 60.0])
    >>> clock = TableClock(now=lambda: next(ticks), wall=lambda: 0.0)
    >>> clock.go_on_from(7.0)
    >>> clock.at()
    8.5
    >>> clock.at()
    17.0
    """

    def __init__(self, now: Now, wall: Now, is_set: Callable[[], bool] = lambda: True) -> None:
        self._now = now
        self._wall = wall
        self._is_set = is_set
        self._told: tuple[datetime, float] | None = None
        self._zero = 0.0

    def go_on_from(self, at_s: float) -> None:
        """Let this moment be `at_s` seconds."""
        self._zero = self._now() - at_s

    def at(self) -> float:
        """Seconds to the millisecond: the `at` of a line."""
        return round(self._now() - self._zero, 3)

    def date(self) -> str:
        """What the computer takes for the date and time of this place, ISO 8601. Not to be relied
        on. On a computer that does not know it, it is that of the first phone."""
        if self._told is not None and not self._is_set():
            then, at = self._told
            return (then + timedelta(seconds=self._now() - at)).isoformat(timespec="seconds")
        return datetime.fromtimestamp(self._wall()).astimezone().isoformat(timespec="seconds")

    def believe(self, told: str) -> None:
        """A phone says what date and time it has, ISO 8601 with its zone; the first one counts.

        What is no such time is passed over. From every thread.
        """
        if self._told is not None or self._is_set():
            return
        with suppress(ValueError):
            then = datetime.fromisoformat(told)
            if then.tzinfo is not None and then.year in YEARS:
                self._told = then, self._now()


# -- the stopwatch of time trials (FD-TRIAL-1) ----------------------------------------------------

# The watch runs from the answer that is the first gear of a trial, which comes just before its
# first roll, to the move that crosses the line; that move's time is then answered by the companion
# itself. Nothing of it is stored but the times that lines have anyway, so undo and replay need no
# care; only an answer that is given again for an amendment leaves a word behind, with the true
# start.

MOVES = frozenset({"move", "slipstream"})
"""The answers that can cross the line."""
SHORTEST_S = 0.01
"""Between two looks at a watch."""
LEAST_S = 0.001
"""A lap takes some time, however coarse the clock."""


def _seat_on_trial(race: Race) -> int | None:
    """Whose trial it is; None where none is being driven."""
    if not race.outline.on_trial:
        return None
    return next((ask.seat for ask in race.engine.open if ask.seat), None)


def _started(race: Race, seat: int) -> float | None:
    """When the watch of a seat's trial began, on the table's clock; None: it has not."""
    first = next((given for given in race.given if given.key == (seat, "gear")), None)
    return None if first is None else race.watch_from.get(seat, first.at)


def _elapsed(race: Race, seat: int, at: float) -> float | None:
    """The seconds that the watch of a seat shows, pauses left out."""
    since = _started(race, seat)
    if since is None:
        return None
    pauses = ((low, at if high is None else high) for low, high in race.pauses)
    rested = sum(max(0.0, high - max(low, since)) for low, high in pauses)
    return max(LEAST_S, round(at - since - rested, 3))


def look(race: Race | None, clock: Callable[[], float]) -> Mapping[str, int] | None:
    """The watch as everybody may see it: `seat`, whole `seconds`, `running`; None: none runs.

    The clock is asked only where there is one.
    """
    seat = _seat_on_trial(race) if race else None
    if race is None or seat is None or _started(race, seat) is None:
        return None
    seconds = _elapsed(race, seat, clock())
    return {"seat": seat, "seconds": int(seconds or 0), "running": not race.paused}


def until_next_s(
    race: Race | None, shown: Mapping[str, int] | None, clock: Callable[[], float]
) -> float | None:
    """How long the watch that is shown stays true; None: for good, as none runs."""
    if race is None or shown is None or not shown["running"]:
        return None
    seconds = _elapsed(race, shown["seat"], clock()) or 0.0
    return max(SHORTEST_S, float(shown["seconds"]) + 1 - seconds)


def stop(race: Race, entry: RaceEntry, at: float) -> Events:
    """Answer the time of a trial whose line was crossed by this answer; the events of it."""
    if not isinstance(entry, Answer) or entry.kind not in MOVES:
        return []
    if race.engine.since(entry.seat, "time") is None:
        return []
    seconds = _elapsed(race, entry.seat, at)
    if seconds is None:  # a race that began in the middle of a trial: somebody has to say it
        return []
    try:
        return race.put(Answer(entry.seat, "time", seconds), by="companion", at=at)
    # The ask stays open, so somebody can still say the time.
    except Refusal:
        return []


def keep_start(before: Race, after: Race, at: float) -> None:
    """Let the watch of a trial run on in a race whose answers were given again."""
    seat = _seat_on_trial(after)
    since = None if seat is None else _started(before, seat)
    if seat is not None and since is not None and _started(after, seat) not in (None, since):
        after.put(Watch(seat, since), by="companion", at=at)


# -- the clock of the turns, the bank, the bell ---------------------------------------------------

BELL_AGAIN_S = 5.0
"""While no turn's clock runs, what a new page reads of the bell may be this old."""
AGAIN_S = 1.0
"""How long until the next try, where the rules refused what is due."""


def look_at(race: Race, clock: Callable[[], float]) -> Pace | None:
    """The clocks as everybody may see them; None: the race has none, or none runs any more.

    The clock is asked only where there is one.
    """
    times, outline, paused = race.times, race.outline, race.paused
    timing = outline.timing
    if outline.is_over or not timing.is_on:
        return None
    at = clock()
    turn = times.now(at) if timing.has_clock else None
    left = None if turn is None else (timing.turn_s or 0) - turn.used_s
    runs = turn is not None and not paused and turn.seat in times.stretches[-1].asked
    race_s = None if times.has_rung or times.has_ended else timing.race_s
    return Pace(
        seat=turn.seat if turn else None,
        at=at,
        left_s=left,
        bank_s=None if turn is None or timing.late != "bank" else _bank(times, outline, at),
        late=timing.late,
        flagged=turn is not None and turn.flagged,
        running=runs,
        race_left_s=None if race_s is None else race_s - times.raced_s(at),
        rung=times.has_rung,
        paused=paused,
    )


def waits_of(race: Race) -> dict[int, tuple[int, int]]:
    """The seconds that each seat kept others waiting and waited for them, once a race is over.

    A race that took no time, as one of bots, has none.
    """
    waits = race.times.waits(race.last_at) if race.is_finished else {}
    seconds = {seat: (round(one.kept_s), round(one.waited_s)) for seat, one in waits.items()}
    return seconds if any(kept for kept, _ in seconds.values()) else {}


def _bank(times: Times, outline: Outline, at: float) -> float:
    """What the seat on turn has left in its bank, this turn taken off."""
    timing, turns = outline.timing, times.turns(at)
    limit, seat = timing.turn_s or 0, turns[-1].seat
    spent = sum(max(0.0, one.used_s - limit) for one in turns if one.seat == seat)
    return timing.bank_s - spent


def due(pace: Pace | None, outline: Outline) -> list[Timely | End]:
    """What time has brought and nobody has said yet."""
    found: list[Timely | End] = []
    if pace is None or pace.paused:
        return found
    flag_s = _until_flag(pace)
    if flag_s is not None and flag_s <= 0 and pace.seat is not None:
        found.append(Flag(pace.seat, "time"))
    if pace.race_left_s is not None and pace.race_left_s <= 0 and outline.mover is not None:
        found.append(End() if outline.timing.freezes else Bell())
    return found


def _until_flag(pace: Pace) -> float | None:
    """How long until a flag falls; None: none will in this turn."""
    if pace.left_s is None or pace.late == "show" or pace.flagged or not pace.running:
        return None
    return pace.left_s if pace.bank_s is None else max(pace.left_s, 0) + max(pace.bank_s, 0)


def pace_until_next_s(pace: Pace | None) -> float | None:
    """How long what is shown of the clocks stays true; None: for good, as none runs."""
    if pace is None or pace.paused:
        return None
    left = [pace.race_left_s, _until_flag(pace)]
    if pace.running and pace.left_s is not None:
        left.append(pace.left_s % 1 or 1.0)
    elif pace.race_left_s is not None:
        left.append(BELL_AGAIN_S)
    known = [one if one > 0 else AGAIN_S for one in left if one is not None]
    return max(SHORTEST_S, min(known)) if known else None


# -- when the race will be over -------------------------------------------------------------------

MINUTE_S = 60
FINE_MIN = 10
COARSE_MIN = 5
"""From ten minutes on it is said in steps of five."""
LEAST_TURN_S = 1.0
"""Nobody plays so fast: bots among themselves, or a race that is being read in."""


class Ending:
    """The latest forecast of when a race will be over, made once a round, from the second on.

    It is the turns that are left (`Engine.turns_left`), each as long as turns have been so
    far; where the race ends by the clock never more than that.
    """

    def __init__(self) -> None:
        self._key: tuple[str, int, int, bool] | None = None
        self._minutes: Left | None = None

    def minutes(self, race: Race, clock: Callable[[], float]) -> Left | None:
        """The minutes that are left, as they stood when the round began; None: who knows."""
        outline = race.outline
        if outline.is_over or outline.round < 2:
            return None
        key = race.id, outline.round, outline.laps, race.times.has_ended
        if key != self._key:
            self._key, self._minutes = key, _forecast(race, clock())
        return self._minutes


def _forecast(race: Race, at: float) -> Left | None:
    over, raced_s = race.times.over, race.times.raced_s(at)
    played = len(over)
    if not played or raced_s < played * LEAST_TURN_S:
        return None
    left, timing = race.engine.turns_left(Counter(turn.seat for turn in over)), race.outline.timing
    if left is None:
        return None
    ends = timing.race_s if timing.freezes else None
    most = None if ends is None else max(0.0, ends - raced_s) / MINUTE_S
    minutes = [turns * raced_s / played / MINUTE_S for turns in left]
    return Left(*(one if most is None else min(one, most) for one in minutes))


def in_steps(minutes: float, to: Callable[[float], int] = round) -> int:
    """Minutes as people say them.

    >>> in_steps(0.2), in_steps(7.4), in_steps(43), in_steps(43, floor)
    (1, 7, 45, 40)
    """
    if minutes < FINE_MIN:
        return max(1, to(minutes))
    return COARSE_MIN * to(minutes / COARSE_MIN)


def span_of(minutes: Left | None) -> tuple[int, int] | None:
    """From how many to how many minutes, as people say them; None: nobody knows."""
    return minutes and (in_steps(minutes.low, floor), in_steps(minutes.high, ceil))
