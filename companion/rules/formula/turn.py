"""The order of a turn (FD-TURN-1): this list of points and nothing else.

A step is put into the queue by its `point` (`state.Flow.due`), never by position. Before the race
there is no turn: what is settled then is one list in an order of its own (`setup.plan`), behind
all points of a turn, as a trial has turns.
"""

from __future__ import annotations

from enum import Enum, IntEnum


class Point(IntEnum):
    """The points of a turn in their order: ten times the number in FD-TURN-1, and a place in it.

    `text` is what FD-TURN-1 says of it; a point without a text is between two that it names.
    """

    text: str

    def __new__(cls, value: int, text: str = "") -> Point:
        point = int.__new__(cls, value)
        point._value_ = value
        point.text = text
        return point

    STANDING = (
        10,
        "spun car turned round, 1st its only gear · stalled car: 1st only"
        " · car in its box or the lane: FD-PIT-2, 3",
    )
    """Nothing is pending here: how a car stands decides which gears it is asked for."""
    HELD = 11
    """A roll that may be made once more (`second_roll`): before whatever has asked for it."""
    START = 20, "start roll (first turn)"
    GEAR = 30, "gear, over-rev loss"
    ROLL = 40, "gear roll"
    DOUBLE = 41
    LENGTH = 50, "choices that change the length: soft bonus, nitro, drift"
    WAY = 60, "the way: where to, brakes, slide, Li-Tsu"
    DEBRIS = (
        61,
        "; debris rolls in the order met"
        "; line effects (tire age, nitro refill) as the line is crossed",
    )
    SLIPSTREAM = 70, "slipstream offers, again while they arise, with their debris"
    CHARGE = 80, "overshoot: tires, spin or out; block"
    CHECKPOINT = 81, "; then the checkpoint"
    RECOVERY = 82
    POLICE = 90, "police note"
    PRIZE = 91
    HALT = 100
    TIRES = 101, "pit: tires"
    STOP = 102, ", choice"
    REPAIR = 103
    DIE = 104, ", die, fast exit"
    BUMP = 110, "collision rolls"
    COLLISION = 111
    TESTS = 120, "engine tests"
    ENGINE = 121
    WEATHER = 130, "weather roll"
    REROLL = 131
    NOISE = 140, "noise zone"
    RADIO = 150, "radio"
    THROW = 151
    TRAIL = 152, ", trail"
    JUDGE = 153
    TIME = 154
    LIFT = 160
    END = 161, "debris markers laid, cars out lifted"
    ORDER = 170
    BEFORE_THE_RACE = 200

    @property
    def number(self) -> int:
        """The number of FD-TURN-1 that it belongs to."""
        return self // 10


def turn_in_words() -> dict[int, str]:
    """FD-TURN-1: what each of its numbers says, from the points in their order."""
    words: dict[int, str] = {}
    for point in Point:
        if point.text:
            words[point.number] = words.get(point.number, "") + point.text
    return words


class On(Enum):
    """On which ground a kind of step is pending: a board, by report (boardless), or both."""

    BOARD = "board"
    REPORT = "report"
    BOTH = "both"
