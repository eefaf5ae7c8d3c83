"""Li-Tsu: who passes her in a straight moves one space less (FD-DRV-1).

To pass is to come from level with her, or from behind, to ahead of her inside one straight. A
way that does so is one space shorter, even if it then fails to pass: of a way of n spaces the
first n - 1 are driven.

Which ways pass is found on a board with two floors: below are those that have not passed her,
and the step that passes leads upstairs. The search of `companion.rules.ways` knows nothing of
it, and its rules stay as they are; where a way ends tells whether it has passed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from companion.rules.board.track import Track
from companion.rules.formula.event import Event
from companion.rules.formula.state import Car, Phase, State
from companion.rules.formula.urban.drivers import driver_of
from companion.rules.formula.urban.tables import CHARM
from companion.rules.ways.arrivals import Arrival, Reach, Traffic
from companion.rules.ways.search import reach
from companion.rules.ways.slide import SlidReach


class Charmed(Event):
    """A car passes Li-Tsu, `against`, and moves one space less."""

    against: int


class Passed(NamedTuple):
    """An end of a way on the true board; `charmed` tells that it is one space shorter."""

    arrival: Arrival
    spaces: int
    blocked: int
    charmed: bool


def charmer(state: State, car: Car) -> Car | None:
    """Li-Tsu, where she stands in a straight and is not the one who moves."""
    for other in state.cars.values():
        if other.driver is not None and other is not car and driver_of(other).charms:
            on_road = other.runs and other.space is not None and state.phase is Phase.RACE
            return other if on_road and _in_straight(state.setup.track, other) else None
    return None


def _in_straight(track: Track, car: Car) -> bool:
    return car.space is not None and track.straight[car.space] >= 0


@lru_cache(maxsize=64)
def _floors(track: Track, her: int, lifts: bool) -> Track:
    """The board with a second floor, which is reached by passing the space `her`.

    Where the line ahead `lifts`, nobody is passed beyond it (FD-END-2).
    """
    many, place, straight = len(track.ids), _along(track, her), track.straight[her]

    def step(here: int, there: int) -> int:
        inside = track.straight[here] == track.straight[there] == straight
        lifted = lifts and track.past_line[there]
        passes = inside and _along(track, here) <= place < _along(track, there) and not lifted
        return there + many if passes else there

    below = tuple(
        tuple(step(here, there) for there in ends) for here, ends in enumerate(track.nexts)
    )
    above = tuple(tuple(there + many for there in ends) for ends in track.nexts)
    on = tuple(-1 if there < 0 else step(here, there) for here, there in enumerate(track.ahead))
    return replace(
        track,
        ids=track.ids * 2,
        nexts=below + above,
        ahead=on + tuple(-1 if there < 0 else there + many for there in track.ahead),
        lane=track.lane * 2,
        section=track.section * 2,
        corner=track.corner * 2,
        straight=track.straight * 2,
        past_line=track.past_line * 2,
    )


def _along(track: Track, space: int) -> int:
    """The level of a space, counted on over the line that its straight may hold."""
    return track.level[space] + track.lap_levels * track.past_line[space]


@dataclass(frozen=True, slots=True)
class Ways:
    """The ways of one car past her."""

    track: Track
    floors: Track
    traffic: Traffic
    start: int

    @classmethod
    def of(cls, state: State, car: Car, her: Car, traffic: Traffic) -> Ways:
        """The ways of a car from where it stands, on two floors."""
        track = state.setup.track
        assert her.space is not None
        assert car.space is not None
        many = len(track.ids)

        def both(spaces: Iterable[int]) -> set[int]:
            return {space + floor for space in spaces for floor in (0, many)}

        doubled = replace(traffic, taken=both(traffic.taken), debris=both(traffic.debris))
        lifts = traffic.last_lap and not track.past_line[car.space]
        floors = _floors(track, her.space, lifts)
        return cls(track, floors, doubled, car.space)

    def plain(self, length: int) -> Callable[[int], list[Passed]]:
        """By the spaces left after braking, of `length` at most, where the ways end."""
        ways = reach(self.floors, self.start, length, self.traffic)
        return lambda left: self._plain_ends(ways, left)

    def _plain_ends(self, ways: Reach, length: int) -> list[Passed]:
        if length > ways.furthest:
            moved = ways.furthest
            return self._held_up((end, moved, length - moved) for end in ways.ends(moved))
        found = ways.ends(length)
        whole = [self._end(end, length) for end in found if not self._up(end)]
        short, passing = ways.ends(length - CHARM) if length else (), self._passing(found)
        return whole + [
            self._end(end, length - CHARM, charmed=True)
            for end in short
            if self._does(end, passing)
        ]

    def sliding(self, length: int, slide: int, least: int) -> Callable[[int], list[Passed]]:
        """The same in rain (FD-TIRE-6), `least` spaces being left when all brakes are spent."""
        ways = SlidReach(self.floors, self.start, length, self.traffic, slide, least)
        return lambda left: self._slid_ends(ways, left)

    def _slid_ends(self, ways: SlidReach, length: int) -> list[Passed]:
        found = ways.ends(length)
        if any(way.blocked for way in found):
            return self._held_up(found)
        whole = [self._end(way.arrival, way.spaces) for way in found if not self._up(way.arrival)]
        passing = self._passing(way.arrival for way in found)
        short = [
            self._end(way.arrival, way.spaces, charmed=True)
            for way in ways.shorter(length)
            if self._does(way.arrival, passing)
        ]
        return whole + short

    def _held_up(self, ways: Iterable[tuple[Arrival, int, int]]) -> list[Passed]:
        """The furthest ends (FD-BLOCK-1); the space that the charm takes is not missed.

        FD-BLOCK-2: nobody is blocked as long as there is a way of the full length.
        """
        ends = [self._end(end, moved, missed, charmed=self._up(end)) for end, moved, missed in ways]
        return [end for end in ends if not end.blocked] or ends

    def _up(self, end: Arrival) -> bool:
        """Whether a way has passed her."""
        return end.space >= len(self.track.ids)

    def _passing(self, ends: Iterable[Arrival]) -> set[int]:
        """The spaces upstairs among these ends."""
        return {end.space for end in ends if self._up(end)}

    def _does(self, end: Arrival, passing: set[int]) -> bool:
        """Whether a way has passed her, or does with its last space: one of `passing`.

        A step past her that no legal way of the full length takes (a zigzag, FD-MOVE-4) is none.
        """
        return self._up(end) or any(there in passing for there in self._free(end))

    def _free(self, end: Arrival) -> list[int]:
        """Where a way could go on; an overshoot keeps its lane (FD-CORNER-4)."""
        ahead = self.floors.ahead[end.space]
        spaces = (ahead,) * (ahead >= 0) if end.spaces else self.floors.nexts[end.space]
        return [there for there in spaces if there not in self.traffic.taken]

    def _end(self, end: Arrival, spaces: int, missed: int = 0, *, charmed: bool = False) -> Passed:
        """An end on the true board."""
        many = len(self.track.ids)
        debris = tuple(space % many for space in end.debris)
        there = end._replace(space=end.space % many, debris=debris)
        return Passed(there, spaces, missed - CHARM if charmed and missed else missed, charmed)
