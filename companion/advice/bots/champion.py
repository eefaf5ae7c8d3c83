"""The champion: the solved board, and whoever is near.

What the racer reads off the board the champion works out where others stand in its way: before
it chooses a gear it plays every face of the die on the ends that are there. To the turns to come it
adds what standing beside others may cost its body, and takes off what a slipstream would give.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from companion.advice.alone import Alone
from companion.advice.bots.racer import Racer, is_tested
from companion.advice.odds import with_gear
from companion.advice.solve.places import LONGEST
from companion.rules.formula.asks import GearChoice
from companion.rules.formula.faces import GEAR_FACES
from companion.rules.formula.moves import ends_of_move, slipstream_options
from companion.rules.formula.option import Option
from companion.rules.formula.state import Car, State, Status
from companion.rules.formula.tables import (
    BLACK_DIE,
    BODY,
    COLLISION_HURTS,
    DEBRIS_HURTS,
    HANDLING,
    SLIPSTREAM_GEAR,
)

# What a point is worth by how many there are, in turns: the last one ends the race.
_POINT_WORTH: Final = {1: 40.0, 2: 0.6, 3: 0.25}
_USUAL_WORTH: Final = 0.1
_CANDIDATES: Final = 3
"""Gears that are looked at closely: the best on an empty board."""


class _Near(NamedTuple):
    """What one look at the board gives: the values of the car alone, and where the others stand.

    `contact` is what a car beside it, or directly ahead, may cost its body, in turns.
    """

    alone: Alone
    taken: frozenset[int]
    contact: float


class Champion(Racer):
    """The highest level."""

    def gear(self, state: State, seat: int, choices: Sequence[GearChoice]) -> int:
        """The gear with the least turns to come among those who are near."""
        car = state.cars[seat]
        if car.status is Status.PIT or not self._is_crowded(state, car):
            return super().gear(state, seat, choices)
        near = self._near(state, car)
        likely = sorted(choices, key=lambda choice: near.alone.engaged(car, choice))[:_CANDIDATES]
        return min(likely, key=lambda choice: _with_gear(state, seat, choice, near)).gear

    def end(self, state: State, seat: int, ends: Sequence[Option]) -> Option:
        """The end with the least turns to come, risks and slipstreams counted."""
        if len(ends) == 1:
            return ends[0]
        tested, near = is_tested(state), self._near(state, state.cars[seat])
        return min(ends, key=lambda end: _worth(state, seat, end, near, tested=tested))

    def _near(self, state: State, car: Car) -> _Near:
        others = (other for other in state.cars.values() if other is not car)
        taken = frozenset(other.space for other in others if other.space is not None)
        contact = COLLISION_HURTS[state.raining] / BLACK_DIE[1] * _worth_of(car, BODY)
        return _Near(self.alone(state, car.seat), taken, contact)

    def _is_crowded(self, state: State, car: Car) -> bool:
        """Whether somebody stands where a move may lead."""
        track = state.setup.track
        assert car.space is not None
        if state.debris:
            return True
        here, lap = track.level[car.space], track.lap_levels
        return any(
            0 <= (track.level[other.space] - here) % lap <= 2 * LONGEST
            for other in state.cars.values()
            if other.space is not None and other is not car
        )


def _with_gear(state: State, seat: int, choice: GearChoice, near: _Near) -> float:
    """The turns to come with a gear, each face played at its best where the others stand."""
    if choice.out:
        return near.alone.engaged(state.cars[seat], choice)
    state, faces, turns = with_gear(state, seat, choice), GEAR_FACES[choice.gear], 1.0
    for face, count in Counter(faces).items():
        tested = near.alone.tests(choice.gear, face)
        ends = ends_of_move(state, seat, face)
        best = min(_worth(state, seat, end, near, tested=tested) for end in ends)
        turns += count / len(faces) * best
    return turns


def _worth(state: State, seat: int, end: Option, near: _Near, *, tested: bool) -> float:
    """The turns to come after an end: alone, and with who stands around it."""
    car, track = state.cars[seat], state.setup.track
    value = near.alone.after(car, end, tested=tested)
    if end.out or car.lap + end.arrival.line > state.setup.laps:
        return value
    risk = _risk(state, near, end.to) + _debris_risk(state, car, end)
    slips = car.gear >= SLIPSTREAM_GEAR and track.ahead[end.to] in near.taken
    if slips and not (end.brakes or end.blocked or end.spin or end.arrival.spaces):
        value = min(value, _slipped(state, seat, end, near, tested=tested))
    return value + risk


def _slipped(state: State, seat: int, end: Option, near: _Near, *, tested: bool) -> float:
    """The best of the slipstreams that an end offers."""
    car, track = state.cars[seat], state.setup.track
    stays = track.corner[end.to] == track.corner[car.space or 0]
    moved = replace(
        car,
        space=end.to,
        lap=car.lap + end.arrival.line,
        stops=car.stops if stays and track.corner[end.to] >= 0 else 0,
    )
    there = replace(state, cars={**state.cars, seat: moved})
    return min(
        (
            near.alone.after(moved, slip, tested=tested) + _risk(there, near, slip.to)
            for slip in slipstream_options(there, seat)
        ),
        default=1e9,
    )


def _risk(state: State, near: _Near, space: int) -> float:
    """What standing here may cost the body: a roll for each car beside or directly ahead."""
    track, taken = state.setup.track, near.taken
    met = (track.ahead[space] in taken) + sum([beside in taken for beside in track.beside[space]])
    return met * near.contact


def _debris_risk(state: State, car: Car, end: Option) -> float:
    crossed = len(end.arrival.debris)
    if not crossed:
        return 0.0
    hurts = DEBRIS_HURTS[state.raining] / BLACK_DIE[1]
    return crossed * hurts * _worth_of(car, HANDLING)


def _worth_of(car: Car, category: int) -> float:
    return _POINT_WORTH.get(car.wear[category], _USUAL_WORTH)
