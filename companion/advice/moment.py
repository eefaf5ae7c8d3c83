"""The moment that decided a race: the line at which the winner gained most on whoever came second.

Before the race both have turns that they are expected to take, and each line moves the two figures;
the one that moved their difference most to the winner's side is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.advice.course import Course, Expected


class Moment(NamedTuple):
    """A line of the record and its round; `swing` are the turns gained by it.

    `seat` is whose doing it was; `what` one of roll, gear, length, move, slipstream, traffic.
    """

    line: int
    round: int
    seat: int
    what: str
    swing: float


def moment_of(courses: Mapping[int, Course], home: Sequence[int]) -> Moment | None:
    """The moment that decided; `home` are the seats that finished, in their order.

    None where nobody came second, or where no line moved anything the winner's way.
    """
    if len(home) < 2:
        return None
    first, second = home[:2]
    best, before = None, 0.0
    for at, gap in _gaps(courses[first].history, courses[second].history):
        if best is None:
            before = gap
            best = (0.0, at)
            continue
        best = max(best, (gap - before, at))
        before = gap
    if best is None or best[0] <= 0:
        return None
    seat, what = _whose(courses, best[1].line, (first, second))
    return Moment(best[1].line, best[1].round, seat, what, best[0])


def _gaps(
    first: Sequence[Expected], second: Sequence[Expected]
) -> Iterator[tuple[Expected, float]]:
    """After each line that moved one of the two: how much later the second is expected home."""
    steps = sorted({one.line: one for one in (*first, *second)}.items())
    one, other = {e.line: e.turns for e in first}, {e.line: e.turns for e in second}
    mine = theirs = None
    for line, step in steps:
        mine, theirs = one.get(line, mine), other.get(line, theirs)
        if mine is not None and theirs is not None:
            yield step, theirs - mine


def _whose(courses: Mapping[int, Course], line: int, two: tuple[int, int]) -> tuple[int, str]:
    """Whose line it was, and what it was."""
    for seat, course in courses.items():
        if any(roll.line == line for roll in course.rolls):
            return seat, "roll"
        for choice in course.choices:
            if choice.line == line:
                return seat, choice.kind
    return two[0], "traffic"
