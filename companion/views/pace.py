"""The clock of a turn and the bell, as pages and screens show them.

Pages are told when the time of a turn is over and count by themselves: a turn costs them one change
and no second of it an event. A screen of 128×64 has its seat's own clock at the right of the title.
"""

from __future__ import annotations

from companion.views.games import name_of
from companion.views.model import Pace, Scene

MINUTE_S = 60


def clock_of_table(scene: Scene) -> dict[str, object] | None:
    """The clocks for `/api/table`; None: the race has none.

    `now`, `ends` and `bell` are seconds of one clock; of a turn whose clock does not run `left` is
    said instead. `bank` is what is left now.
    """
    pace = scene.pace
    if pace is None:
        return None
    bell = None if pace.race_left_s is None else round(pace.at + pace.race_left_s, 1)
    left = None if pace.running or pace.left_s is None else round(pace.left_s, 1)
    return {
        "seat": pace.seat,
        "now": round(pace.at, 1),
        "ends": pace.ends if pace.running else None,
        "left": left,
        "bank": None if pace.bank_s is None else round(pace.bank_s, 1),
        "late": pace.late,
        "flagged": pace.flagged,
        "bell": bell,
        "rung": pace.rung,
        "runs": not pace.paused,
    }


def clock_of_seat(scene: Scene, seat: int) -> dict[str, object] | None:
    """The same for a seat's page, with whose turn it is by name; `mine`: it is this seat's."""
    told, pace = clock_of_table(scene), scene.pace
    if told is None or pace is None:
        return None
    name = name_of(scene, pace.seat) if pace.seat else ""
    return {**told, "mine": pace.seat == seat, "name": name}


def seconds_left(pace: Pace) -> float | None:
    """What a turn has left before something comes of it, in seconds; None: it has no clock."""
    if pace.left_s is None:
        return None
    if pace.bank_s is None or pace.left_s > 0:
        return pace.left_s
    return pace.bank_s


def clock_text(scene: Scene, seat: int) -> str:
    """The clock of a seat's own turn in the corner of its screen: "17", "4:59", "+5" behind it.

    Only where the seat has real buttons: a phone counts by itself.
    """
    pace = scene.pace
    if pace is None or pace.seat != seat or pace.paused:
        return ""
    if not any(info.seat == seat and info.buttons for info in scene.seats):
        return ""
    left = seconds_left(pace)
    return "" if left is None else as_clock(left)


def as_clock(seconds: float) -> str:
    """Seconds as a clock shows them; a second that is begun is still there.

    >>> as_clock(16.2), as_clock(59.9), as_clock(61), as_clock(-4.7)
    ('17', '1:00', '1:01', '+4')
    """
    whole = -int(-seconds // 1) if seconds > 0 else int(seconds)
    if whole <= 0:
        return f"+{-whole}" if whole else "0"
    return f"{whole // MINUTE_S}:{whole % MINUTE_S:02d}" if whole >= MINUTE_S else str(whole)
