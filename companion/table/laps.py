"""The fastest lap, of a game that has laps and no times: driven with the fewest rolls of the dice.

Line to line (or box): what comes before a car's first crossing is no lap (FD-END-2). Of equal
laps the one driven first is the fastest. What is noted of each answer goes with it when it is
taken back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

ROLL = "DieRolled"
BEGINS = (0, 0)
"""The first round: trials before it are no laps of the race (FD-TRIAL-1)."""
LAP_BEGINS = ("LineCrossed", "PitStopBegan", "PitTurnBegan")
"""Events with the lap that begins: at the line, or in the box (FD-PIT-5)."""
Noted = tuple[int, int]
"""A seat with the lap that it begins; 0: it has rolled its gear die."""


class FastestLap(NamedTuple):
    """Who has driven it, which lap, and with how many rolls."""

    seat: int
    lap: int
    turns: int


def note(events: Iterable[Mapping[str, Any]]) -> tuple[Noted, ...]:
    """What an answer has done to laps."""
    noted = []
    for event in events:
        if event["event"] == ROLL and event.get("gear"):
            noted.append((event["seat"], 0))
        elif event["event"] == "RoundBegan" and event.get("round") == 1:
            noted.append(BEGINS)
        elif event["event"] in LAP_BEGINS and event.get("lap"):
            noted.append((event["seat"], event["lap"]))
    return tuple(noted)


def fastest(notes: Iterable[Noted]) -> FastestLap | None:
    """The fastest of all whole laps; None while there is none."""
    rolls: defaultdict[int, int] = defaultdict(int)
    lap_of: dict[int, int] = {}
    best: FastestLap | None = None
    for seat, lap in notes:
        if (seat, lap) == BEGINS:
            rolls.clear()
            lap_of.clear()
        elif not lap:
            rolls[seat] += 1
        elif lap > lap_of.get(seat, 0):
            is_whole = lap_of.get(seat) == lap - 1
            if is_whole and rolls[seat] and (best is None or rolls[seat] < best.turns):
                best = FastestLap(seat, lap - 1, rolls[seat])
            lap_of[seat], rolls[seat] = lap, 0
    return best
