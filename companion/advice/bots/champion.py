"""The champion: the solved board, and whoever is near.

What the racer reads off the board the champion works out where others stand in its way: before
it chooses a gear it plays every face of the die on the ends that are there (`among`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.advice.bots.among import Among
from companion.advice.bots.racer import Racer, is_tested
from companion.rules.formula.asks import GearChoice
from companion.rules.formula.car import Car, Status
from companion.rules.formula.faces import GEAR_FACES
from companion.rules.formula.option import Option
from companion.rules.formula.state import State
from companion.rules.formula.tables import SLIPSTREAM

_SPARED: Final = 0.2
"""Turns that others spare a car (slipstreams): a gear that is worse than that is not looked at."""
_COSTS: Final = 1.0
"""Turns that traffic costs a gear at most: where the others are worse than that, it is played."""


class Champion(Racer):
    """The highest level."""

    def gear(self, state: State, seat: int, choices: Sequence[GearChoice]) -> int:
        """The gear with the least turns to come among those who are near."""
        car = state.cars[seat]
        alone = self.alone(state, seat)
        ranked = sorted((alone.engaged(car, one), one.gear, one) for one in choices)
        bound, gear, best = ranked[0]
        likely = [one for one in ranked if one[0] < bound + _COSTS]
        if len(likely) == 1 or car.status is Status.PIT or not _is_crowded(state, car, gear):
            return gear
        among, least = Among(state, seat, alone), likely[-1][0] + _SPARED
        for turns, _, choice in likely:
            if turns - _SPARED < least:
                value = among.with_gear(choice)
                if value < least:
                    best, least = choice, value
        return best.gear

    def end(self, state: State, seat: int, ends: Sequence[Option]) -> Option:
        """The end with the least turns to come, risks and slipstreams counted."""
        if len(ends) == 1:
            return ends[0]
        tested, among = is_tested(state), Among(state, seat, self.alone(state, seat))
        return min(ends, key=lambda end: among.worth(end, tested=tested))

    def slip(self, state: State, seat: int, ends: Sequence[Option]) -> Option | None:
        """The best end, if it is better than to stay."""
        tested, among = is_tested(state), Among(state, seat, self.alone(state, seat))
        best = min(ends, key=lambda end: among.worth_of_slip(end, tested=tested))
        value = among.worth_of_slip(best, tested=tested)
        return best if value < among.staying(tested=tested) else None


def _is_crowded(state: State, car: Car, gear: int) -> bool:
    """Whether somebody, or debris, is where a move in this gear may lead."""
    level, lap = state.setup.track.level, state.setup.track.lap_levels
    assert car.space is not None
    here, reach = level[car.space], GEAR_FACES[gear][-1] + SLIPSTREAM + 1
    others = [one.space for one in state.cars.values() if one is not car]
    spaces = [space for space in (*others, *state.debris) if space is not None]
    return any((level[space] - here) % lap <= reach for space in spaces)
