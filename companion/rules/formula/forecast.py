"""How many turns a race has left: those that a plain driver would need, at this table's pace.

What a plain driver needs from each place of a lap, in each gear, is worked out from the dice: the
spaces of the middle lane, its corners with their stops, a gear up a turn at most, and a price in
turns for what is braked or overshot. How a table and each seat of it compare with that they show by
themselves; until then it is as in most races (`Usual`).
Its figures lie between what fits people best and what fits bots best (`benchmarks/forecast.py`,
docs/pace.md).

Some cars go out. Nobody knows which, so each is expected to with a small chance a turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import exp, sqrt
from operator import add
from typing import Final, NamedTuple

from companion.rules.board.track import Track, middle_lane
from companion.rules.formula.book import GEAR_FACES, TOP_GEAR
from companion.rules.formula.car import Car, Status
from companion.rules.formula.state import State
from companion.rules.game import Left
from companion.system.frozen import dataclass

FROM_ROUND: Final = 2
"""Nothing can be said of the first round: everybody starts."""


class Usual(NamedTuple):
    """What is believed of drivers before they show it, and how much of their own they must show.

    `pace` is in turns for one of the plain driver's; it counts as much as `table` turns of the
    table's own, fewer where that is slower by more than `alike`, and half as many where it is
    so by `doubt` more. The table's pace counts as much as `seat` turns of a seat's. The first
    `start` turns of a car say nothing: from the grid nobody can be fast. What is left takes
    `later` as long as what was driven, since points run out. `out` is the chance a turn that a
    car goes out. A span is made of `unlike` and `unknown` (how far a car is from its pace, and
    a table from what it has shown of it, as squares) and of the deviations `low` and `high`.
    """

    pace: float = 0.94
    table: float = 14.0
    alike: float = 0.06
    doubt: float = 0.15
    seat: float = 100.0
    start: float = 2.0
    later: float = 1.04
    out: float = 0.0034
    unlike: float = 0.3
    unknown: float = 0.2
    low: float = 2.1
    high: float = 1.5


USUAL: Final = Usual()
_LAST: Final = 0.3
"""A car that runs has a turn left, or its last part."""
_TO_THE_LINE: Final = 6
"""Spaces a turn from the grid to the line."""
Gears = Sequence[float]
"""The turns that are left, by the gear that a car is in."""


@dataclass(frozen=True, slots=True)
class _Corner:
    stops: int
    last: int


@dataclass(frozen=True, slots=True)
class _Plain:
    """What a plain driver needs: `home` by space and stops made, to the line; `lap` for one."""

    home: Sequence[Sequence[Gears]]
    lap: float

    def left(self, laps: int, space: int, stops: int, gear: int) -> float:
        """The turns to the end of a race of which so many laps, this one included, are left."""
        rows = self.home[space]
        return rows[min(stops, len(rows) - 1)][gear] + (laps - 1) * self.lap


class Driven(NamedTuple):
    """A car's race in turns: those that it had, and the plain driver's of its way and of the rest.

    `left` is None of a car that is home or out.
    """

    had: float
    way: float
    left: float | None


def turns_left(state: State, begun: State, had: Mapping[int, int]) -> Left | None:
    """The turns that all cars have left together; None: too early to tell, or no board.

    Args:
        begun: the state that the race was opened with.
        had: the turns that each seat has had since.
    """
    if state.setup.boardless or state.round < FROM_ROUND or not state.running():
        return None
    return told(list(driven(state, begun, had)))


def driven(state: State, begun: State, had: Mapping[int, int]) -> Iterator[Driven]:
    """How each car has done."""
    track, laps = state.setup.track, state.setup.laps
    for seat, car in state.cars.items():
        left, turns, way = _plainly(track, car, laps), 0, 0.0
        # Nobody knows where a late one came in.
        if seat in begun.cars:
            turns = had.get(seat, 0)
            way = max(0.0, _plainly(track, begun.cars[seat], laps) - left)
        yield Driven(turns, way, left if car.runs else None)


def told(cars: Sequence[Driven], usual: Usual = USUAL) -> Left:
    """What is left to cars that have done so."""
    begins = [min(usual.start, car.had, car.way) for car in cars]
    had = sum(car.had for car in cars)
    shown, way = had - sum(begins), sum(car.way for car in cars) - sum(begins)
    unlike = max(0.0, shown / max(1.0, way) - usual.pace - usual.alike)
    weight = usual.table / (1 + (unlike / usual.doubt) ** 2)
    pace = (shown + weight * usual.pace) / (way + weight)
    turns = variance = 0.0
    for car, begin in zip(cars, begins, strict=True):
        if car.left is None:
            continue
        own = (car.had - begin + usual.seat * pace) / (car.way - begin + usual.seat)
        alone = max(_LAST, car.left * own * usual.later)
        # It may go out in each of its turns: the chances to be still in the race, added up.
        stays = exp(-usual.out * alone)
        mean = (1 - stays) / usual.out
        square = 2 * (mean - alone * stays) / usual.out
        turns += mean
        variance += square - mean**2 + usual.unlike * alone
    off = sqrt(variance + turns**2 * usual.unknown / (had + 1))
    return Left(turns, max(0.0, turns - usual.low * off), turns + usual.high * off)


def _plainly(track: Track, car: Car, laps: int) -> float:
    """What a plain driver would have left where a car is, or was when it went out."""
    if car.status is Status.FINISHED or car.lap > laps:
        return 0.0
    plain, space = _plain(track), car.stood
    lap = car.lap - 1 if car.counts_lap_early else car.lap
    # The car has not been put on the board yet.
    if space is None:
        return plain.left(laps, 0, 0, 0)
    level = track.far_level[space]
    # In the pit levels go on past the line, where the lap is over.
    if level > track.lap_levels:
        lap, level = lap + 1, level - track.lap_levels
    if lap < 1:
        to_line = _spaces(track) - _space(level) + 1
        return to_line / _TO_THE_LINE + plain.left(laps, 0, 0, car.gear)
    return plain.left(laps - lap + 1, _space(level), car.stops, car.gear)


def _space(level: int) -> int:
    """The space of the middle lane that a level is at, from 1 behind the line."""
    return (level + 1) // 2


def _spaces(track: Track) -> int:
    return _space(track.lap_levels)


# -- the plain driver -----------------------------------------------------------------------------


@lru_cache(maxsize=8)
def _plain(track: Track) -> _Plain:
    """What a plain driver needs of a board: a lap to the line, and one with another behind it."""
    corners = _corners(track)
    home = _Lap(corners, [[(0.0,) * (TOP_GEAR + 1)]] * len(corners)).rows
    again = _Lap(corners, home).rows
    usual = TOP_GEAR // 2
    return _Plain(home, again[0][0][usual] - home[0][0][usual])


def _corners(track: Track) -> list[_Corner | None]:
    """By space of the middle lane the corner that it is in; 0 is the line, on a straight."""
    middle = middle_lane(len(track.lanes))
    spaces = (space for space in track.track_spaces() if track.lane[space] == middle)
    section = {_space(track.level[space]): track.section[space] for space in spaces}
    last = {number: space for space, number in sorted(section.items())}
    found = {
        number: _Corner(track.corners[part.corner].stops, last[number])
        for number, part in enumerate(track.sections)
        if part.corner >= 0 and number in last
    }
    return [found.get(section.get(space, 0)) for space in range(_spaces(track) + 1)]


_PRICE: Final = 0.1
"""Turns that a space of braking or overshoot is worth, or a gear more to shift down by;"""
_DEAR: Final = 0.5
"""and beyond so many spaces, each of them, besides:"""
_CHEAP_SPACES: Final = 3
_OVERSHOOT: Final = 2
"""Spaces that it overshoots a corner by, where one stop lacks, before it would rather brake."""

_FACES: Final = {gear: [*Counter(faces).items()] for gear, faces in GEAR_FACES.items()}
_ROLLED: Final = range(1 + max(map(max, GEAR_FACES.values())))
_DOWN: Final = [
    [_PRICE * max(0, before - 1 - gear) for gear in range(1, min(TOP_GEAR, before + 1) + 1)]
    for before in range(TOP_GEAR + 1)
]
"""By the gear before, what each gear that it may be shifted to costs."""


class _Lap:
    """The turns from each space of a lap, by stops made in its corner: `rows`.

    `beyond` are those of the spaces past the line.
    """

    def __init__(
        self, corners: Sequence[_Corner | None], beyond: Sequence[Sequence[Gears]]
    ) -> None:
        self._corners = corners
        self.rows: list[list[Gears]] = [[] for _ in corners]
        # What a roll leads to from elsewhere, on this lap and behind it: a stop in its corner.
        past = (min(space, len(corners) - 1) for space in range(1, len(_ROLLED)))
        self._led_to = [(), *([()] * (len(corners) - 1)), *(beyond[space][0] for space in past)]
        ahead: _Corner | None = None
        # Backward: what a space is worth follows from those that a roll leads to.
        for space in reversed(range(len(corners))):
            here = corners[space]
            self.rows[space] = [()] * (1 + (here.stops if here else 0))
            for made in reversed(range(len(self.rows[space]))):
                binds = here if here and made < here.stops else ahead
                self.rows[space][made] = self._turns(space, made, binds)
            self._led_to[space] = self.rows[space][min(1, len(self.rows[space]) - 1)]
            # At its first space a corner becomes the one ahead of all that lies before it.
            if here and corners[space - 1] is not here:
                ahead = here

    def _turns(self, space: int, made: int, binds: _Corner | None) -> Gears:
        """The turns from a space, by the gear before; `binds` is the corner not to be passed."""
        after, rolled = self._after(space, made, binds), []
        for gear, faces in _FACES.items():
            ways = [times * (after[face][0] + after[face][1][gear]) for face, times in faces]
            rolled.append(1 + sum(ways) / len(GEAR_FACES[gear]))
        return [min(map(add, rolled, down)) for down in _DOWN]

    def _after(self, space: int, made: int, binds: _Corner | None) -> list[tuple[float, Gears]]:
        """By the face of a roll the price of what it is too long by, and the turns after it."""
        here, led_to = self._corners[space], self._led_to[space : space + len(_ROLLED)]
        if here:
            for end in range(space, min(here.last + 1, space + len(_ROLLED))):
                led_to[end - space] = self.rows[end][min(made + 1, len(self.rows[end]) - 1)]
        after = [(0.0, turns) for turns in led_to]
        if binds:
            lacks = binds.stops - (made if binds is here else 0)
            for face in range(binds.last - space + 1, len(_ROLLED)):
                over = space + face - binds.last
                price = _PRICE * over + _DEAR * max(0, over - _CHEAP_SPACES)
                goes_on = lacks == 1 and over <= _OVERSHOOT
                after[face] = price, led_to[face if goes_on else binds.last - space]
        return after
