"""Li-Tsu: who passes her in a straight moves one space less (FD-DRV-1).

To pass is to come from level with her, or from behind, to ahead of her inside one straight. A
way that does so is one space shorter, even if it then fails to pass: of a way of n spaces the
first n - 1 are driven. The search of `companion.rules.ways` notes of each way whether it has
passed her, and its rules stay as they are.
"""

from __future__ import annotations

from companion.rules.formula.car import Car
from companion.rules.formula.state import Event, Phase, State
from companion.rules.formula.urban.drivers import driver_of, is_urban
from companion.rules.formula.urban.tables import CHARM
from companion.rules.ways.arrivals import Ends
from companion.rules.ways.reach import Reach


class Charmed(Event):
    """A car passes Li-Tsu, `against`, and moves one space less."""

    against: int


def charmer(state: State, car: Car) -> Car | None:
    """Li-Tsu, where she stands in a straight and is not the one who moves."""
    for other in state.cars.values():
        if other.street.driver is not None and other is not car and driver_of(other).charms:
            on_road = other.runs and other.space is not None and state.phase is Phase.RACE
            return other if on_road and _in_straight(state, other) else None
    return None


def _in_straight(state: State, car: Car) -> bool:
    return car.space is not None and state.setup.track.straight[car.space] >= 0


def space_of_charmer(state: State, car: Car) -> int:
    """The space of Li-Tsu, where it matters to pass her; else -1."""
    her = charmer(state, car) if is_urban(state) else None
    return -1 if her is None or her.space is None else her.space


def ends_of(ways: Reach, length: int) -> list[Ends]:
    """Where the ways of a move of this length end, those that pass her one space shorter.

    Short by its last space is a way that passes her with it. A step past her that no legal way
    of the full length takes (a zigzag, FD-MOVE-4) is none.
    """
    found = ways.ends(length)
    if ways.her < 0:
        return found
    if any(some.blocked for some in found):
        return _held_up(found)
    passing = {end.space for some in found for end in some.arrivals if end.passed}
    ends = [_only(some, passed=False) for some in found]
    for some in ways.shorter(length):
        short = [end for end in some.arrivals if end.passed or ways.passes(end, passing)]
        ends.append(Ends(some.spaces, 0, short, charmed=True))
    return ends


def _held_up(found: list[Ends]) -> list[Ends]:
    """The furthest ends (FD-BLOCK-1); the space that the charm takes is not missed.

    FD-BLOCK-2: nobody is blocked as long as there is a way of the full length.
    """
    ends = [_only(some, passed=passed) for some in found for passed in (False, True)]
    ends = [some for some in ends if some.arrivals]
    return [some for some in ends if not some.blocked] or ends


def _only(some: Ends, *, passed: bool) -> Ends:
    """Of some ends those that have passed her, or have not; passing her takes a space."""
    arrivals = [end for end in some.arrivals if end.passed == passed]
    blocked = max(0, some.blocked - CHARM * passed)
    return Ends(some.spaces, blocked, arrivals, charmed=passed)
