"""Where a car alone may stand and where its ways end, all of it asked of the rules.

A place is a space with the stops made in its corner, as far as the corner asks for them: more
stops than it asks for change nothing. Places are numbered through, and `Places.backward` has them
in an order in which every place comes after all that a move from it may end on in the same lap, so
that values are known when they are wanted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Final, NamedTuple

from companion.rules.board.track import Track
from companion.rules.formula.car import Car, Status
from companion.rules.formula.ground import OnBoard
from companion.rules.formula.option import Option
from companion.rules.formula.pitways import pit_ways, to_box
from companion.rules.formula.settings import Setup
from companion.rules.formula.state import State
from companion.rules.formula.tables import GEAR_DICE, SOFT_BONUS, TOP_GEAR
from companion.rules.ways.arrivals import Arrival, Traffic
from companion.rules.ways.reach import Reach, reach

LONGEST = GEAR_DICE[TOP_GEAR][1] + SOFT_BONUS
"""The longest move of a car alone, in spaces, before it slides."""


class End(NamedTuple):
    """An end of ways of one length: the place, and what of the way matters.

    `line`: the finish line was passed; `lane`: it is in the pit, or (a box) the stop itself. Of an
    overshoot: `beyond` are the tires that it asks for, `spaces` those moved beyond the limit (0:
    none), `fatal` that two stops were missing.
    """

    place: int
    line: bool = False
    beyond: int = 0
    spaces: int = 0
    fatal: bool = False
    lane: bool = False


Ends = tuple[tuple[End, ...], ...]
"""The ends by the spaces to be moved, from 0 to `LONGEST`; a slide comes on top."""
_CAR: Final = Car(1, "", 1, status=Status.RACING)
"""Whose box it is that cars stop in: the first one. The others are a few spaces further."""


class Places:
    """The places of a board, and the ways between them.

    Those of the pit come after those of the track: `lane` before the stop, `served` after it (the
    box the last of them), `stop` the stop itself; none where the board has no boxes.

    Args:
        whole: only the shortest ways count in corners too.
        slide: the spaces by which a move that touches a corner is longer (FD-TIRE-6).
    """

    def __init__(self, track: Track, *, whole: bool = False, slide: int = 0) -> None:
        self.track, self._whole, self._slide = track, whole, slide
        self._first: list[int] = []
        self._asked: list[int] = []
        self.spaces: list[int] = []
        """By place: its space."""
        self.stops: list[int] = []
        """By place: the stops made there."""
        for space in track.track_spaces():
            self._first.append(len(self.spaces))
            needed = self._needed(space)
            self._asked.append(needed)
            self.spaces += [space] * (needed + 1)
            self.stops += range(needed + 1)
        self.on_track = len(self.spaces)
        """How many places are on the track."""
        self._in_pit(track)

    def _in_pit(self, track: Track) -> None:
        """Number the places of the pit."""
        beside = track.pit.index(track.box_lane[0]) if track.boxes else -1
        before, after = track.pit[: beside + 1], track.pit[beside:] if track.boxes else ()
        first = self.on_track
        self.lane = {space: at for at, space in enumerate(before, first)}
        """By space of the pit lane before the box: the place of a car that has not stopped yet."""
        self.served = {space: at for at, space in enumerate(after, first + len(before))}
        """By space of the pit lane, and of the box: the place of a car that has."""
        self.spaces += [*before, *after]
        if track.boxes:
            self.served[track.boxes[0]] = len(self.spaces)
            self.spaces += [track.boxes[0]] * 2
        self.stop = len(self.spaces) - 1
        """The stop under way, before its die; not there without boxes."""
        self.stops += [0] * (len(self.spaces) - len(self.stops))

    def sliding(self, slide: int) -> Places:
        """The same places, for a car that slides so far."""
        if slide == self._slide:
            return self
        return Places(self.track, whole=self._whole, slide=slide)

    def __len__(self) -> int:
        return len(self.spaces)

    def _needed(self, space: int) -> int:
        corner = self.track.corner[space]
        return self.track.corners[corner].stops if corner >= 0 else 0

    def at(self, space: int, stops: int = 0) -> int:
        """The place of a car on a space with so many stops made in its corner.

        In the pit it has served its stop.
        """
        if space >= len(self._first):
            return self.served[space]
        return self._first[space] + min(stops, self._asked[space])

    def before_box(self, away: int) -> int:
        """The place of a car so many spaces before its box, whichever that is."""
        lane = list(self.lane.values())
        return lane[max(0, len(lane) - away)]

    def beyond_box(self, left: int) -> int:
        """The place of a car that has served, with so many spaces of the lane left before it."""
        lane = list(self.served.values())[:-1]
        return lane[max(0, len(lane) - 1 - left)]

    @cached_property
    def backward(self) -> list[int]:
        """All places, from those just before the line back to those just after it."""
        track, order, seen = self.track, list[int](), set[int]()
        for start in track.track_spaces():
            waiting = [(start, iter(self._on(start)))]
            while start not in seen and waiting:
                space, nexts = waiting[-1]
                there = next((one for one in nexts if one not in seen), None)
                if there is not None:
                    waiting.append((there, iter(self._on(there))))
                    continue
                waiting.pop()
                if space not in seen:
                    seen.add(space)
                    order.append(space)
        return [self.at(space, k) for space in order for k in range(self._needed(space), -1, -1)]

    def _on(self, space: int) -> list[int]:
        """Where a step leads within the lap."""
        past = self.track.past_line
        return [there for there in self.track.nexts[space] if past[space] or not past[there]]

    @cached_property
    def before_line(self) -> list[int]:
        """The places on which a car of lap 0 may stand, in the order of `backward`."""
        track = self.track
        lap_0 = {s for s in track.track_spaces() if not track.section[s] and not track.past_line[s]}
        return [place for place in self.backward if self.spaces[place] in lap_0]

    def ends(self, place: int, *, last_lap: bool) -> Ends:
        """Where moves from a place end, by the spaces to be moved.

        Ways into the pit are among them, whether or not it is open; a stop is served there.
        """
        space = self.spaces[place]
        if self.lane.get(space) == place:
            return self._to_box(space)
        traffic = Traffic(
            frozenset(), stops=self.stops[place], last_lap=last_lap, whole=self._whole
        )
        ways = reach(self.track, space, LONGEST, traffic, self._slide)
        found: list[tuple[End, ...]] = []
        for length in range(LONGEST + 1):
            whole = (some.arrivals for some in ways.ends(length) if not some.blocked)
            ends = [end for arrivals in whole for end in self._ends(place, arrivals)]
            ends += self._pit_ends(space, ways, length, traffic)
            found.append(tuple(dict.fromkeys(ends)))
        return tuple(found)

    def _ends(self, place: int, arrivals: list[Arrival]) -> Iterator[End]:
        for arrival in arrivals:
            to = self.at(arrival.space, self.stops_after(place, arrival))
            yield End(
                to,
                arrival.line,
                arrival.beyond,
                arrival.spaces,
                arrival.fatal,
                to >= self.on_track,
            )

    def _pit_ends(self, space: int, ways: Reach, length: int, traffic: Traffic) -> list[End]:
        """The ends in the pit lane, and in the box (FD-PIT-1, FD-PIT-3)."""
        if not self.lane or not length or space >= len(self._first):
            return []
        state, car = State(Setup(self.track), OnBoard()), replace(_CAR, space=space)
        return [self._in_lane(end) for end in pit_ways(state, car, ways, length, traffic)]

    def _in_lane(self, end: Option) -> End:
        return End(self.lane.get(end.to, self.stop), lane=True)

    def _to_box(self, space: int) -> Ends:
        """Along the lane to the box (FD-PIT-3)."""
        state, traffic = State(Setup(self.track), OnBoard()), Traffic(frozenset())
        some = ([], *(to_box(state, _CAR, Arrival(space, ()), n, traffic)
                      for n in range(1, LONGEST + 1)))  # fmt: skip
        return tuple(tuple(map(self._in_lane, ends)) for ends in some)

    def stops_after(self, place: int, arrival: Arrival) -> int:
        """The stops in the corner where a move has ended (FD-MOVE-5, FD-CORNER-4)."""
        corner = self.track.corner[arrival.space]
        if corner < 0 or arrival.spaces:
            return 0
        stays = corner == self.track.corner[self.spaces[place]]
        return 1 + (self.stops[place] if stays else 0)
