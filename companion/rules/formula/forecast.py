"""How many turns a race has left: from how far its cars have come, and in how many turns.

A corner costs a turn for each of its stops, a straight what its length is over that of a roll; both
figures were fitted to races of bots on seven boards, as were the turns that a start costs and how
much a race must have seen before its own pace outweighs the board's. How good that is
`benchmarks/forecast.py` measures, on other races (docs/pace.md).

A car that will go out costs fewer turns than are forecast, and nobody knows which one will.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final

from companion.rules.board.track import Track
from companion.rules.formula.state import Car, State, Status

FROM_ROUND: Final = 2
"""Of the first round nothing can be told: everybody starts."""
_FREE: Final = 18
"""Levels of a straight that the roll out of the corner before it covers."""
_ROLL: Final = 19
"""Levels of a longer one that cost a turn more; a roll that ends in a corner is its stop."""
_CREEP: Final = 0.003
"""Turns a level, that no space may be worth nothing."""
_START: Final = 3.8
"""Turns that a car needs more than these to come from the grid to its pace."""
_USUAL: Final = 21
"""Turns after which the race's own pace counts as much as the board's."""
_LAST: Final = 0.3
"""A car that runs has a turn left, or its last part."""


def turns_left(state: State, begun: State, played: int) -> float | None:
    """The turns that all cars have left together; None: too early to tell, or no board.

    Args:
        begun: the state that the race was opened with.
        played: the turns that there have been since.
    """
    track = state.setup.track
    if state.setup.boardless or state.round < FROM_ROUND or not state.running():
        return None
    road = _road(track)
    driven = sum(
        _driven(track, road, car) - _driven(track, road, begun.cars[seat])
        for seat, car in state.cars.items()
        if seat in begun.cars  # where somebody who came late began is not known any more
    )
    from_grid = sum(car.lap == 0 for car in begun.cars.values())
    pace = max(0.5, (played - _START * from_grid + _USUAL) / (max(0.0, driven) + _USUAL))
    whole = (state.setup.laps + 1) * road[-1]
    left = (whole - _driven(track, road, car) for car in state.running())
    return sum(max(_LAST, turns * pace) for turns in left)


def _driven(track: Track, road: Sequence[float], car: Car) -> float:
    """How far a car has come, in turns of the board; who is home has driven it all.

    A car on the grid, or not on the board yet, is at the line behind which lap 1 begins.
    """
    space = car.stood
    if car.status is Status.GRID or space is None:
        return max(car.lap, 1) * road[-1]
    lap = car.lap - 1 if car.counts_lap_early else car.lap
    over, level = divmod(track.far_level[space], track.lap_levels + 1)
    return lap * road[-1] + (road[-1] + road[level] if over else road[level])


@lru_cache(maxsize=8)
def _road(track: Track) -> tuple[float, ...]:
    """The turns from the line to each level of a lap."""
    return tuple(accumulate(_turns(track), initial=0.0))


def _turns(track: Track) -> list[float]:
    """What each level costs, from level 1 on."""
    cost = [_CREEP] * (track.lap_levels + 1)
    for number, section in enumerate(track.sections):
        spaces = (space for space, own in enumerate(track.section) if own == number)
        levels = {track.level[space] for space in spaces}
        turns = max(0, len(levels) - _FREE) / _ROLL
        if section.corner >= 0:
            turns = track.corners[section.corner].stops
        for level in levels:
            cost[level] += turns / len(levels)
    return cost[1:]
