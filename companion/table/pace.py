"""The clock of the turns, the bank, the bell: what of a race's times is seen, and what is due.

How long the seats have taken is in `companion.times`. While the table is off its clock stands
still, and a race with a clock comes back paused.

What time brings is a line of the companion's: a flag once a turn, the bell once a race. The rules
say what it comes to (`rules/formula/pace.py`).
"""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.commands import Bell, End, Flag, Timely
from companion.rules.game import Outline
from companion.table.race import Race
from companion.times import Times
from companion.views.model import Pace

SHORTEST_S = 0.01
"""Between two looks at a clock."""
TOLD_AGAIN_S = 5.0
"""How old what a new page is told of the bell may be, while no turn's clock runs."""
AGAIN_S = 1.0
"""Until it is tried again where what is due could not be said."""


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
    told = {seat: (round(one.kept_s), round(one.waited_s)) for seat, one in waits.items()}
    return told if any(kept for kept, _ in told.values()) else {}


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


def until_next_s(pace: Pace | None) -> float | None:
    """How long what is shown of the clocks stays true; None: for good, as none runs."""
    if pace is None or pace.paused:
        return None
    moments = [pace.race_left_s, _until_flag(pace)]
    if pace.running and pace.left_s is not None:
        moments.append(pace.left_s % 1 or 1.0)
    elif pace.race_left_s is not None:
        moments.append(TOLD_AGAIN_S)
    known = [one if one > 0 else AGAIN_S for one in moments if one is not None]
    return max(SHORTEST_S, min(known)) if known else None
