"""The police station: who passes it fastest in a lap gains wear points (FD-URBAN-5).

A car's notes are kept until the contest of their lap is decided; whether a car without a note
has passed shows in where it stands. A car that passes when all others have passed and none of
them has a note comes too late: that contest was decided before it came back into the race.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from companion.rules.board.track import Track
from companion.rules.codec import Word
from companion.rules.copies import replace
from companion.rules.forms import Spaces, Within
from companion.rules.formula.car import Car
from companion.rules.formula.state import ByItself, Event, Flow, State
from companion.rules.formula.turn import Point
from companion.rules.formula.urban.checkpoint import POLICE, Recover
from companion.rules.formula.urban.drivers import OF_URBAN, is_urban
from companion.rules.formula.urban.tables import POLICE_PRIZE, SPEED_OF_A_FACE, TOP_FACE
from companion.rules.formula.urban.zone import refuse_no_space
from companion.rules.reading import bad


@lru_cache(maxsize=32)
def _line(track: Track) -> tuple[int, ...]:
    """By lane: the level of the first space past the station."""
    levels = sorted((track.level[space], track.lane[space]) for space in track.police)
    by_lane = {lane: level for level, lane in reversed(levels)}
    return tuple(by_lane.get(lane, levels[0][0]) for lane in range(len(track.lanes)))


def _beyond(track: Track, space: int) -> int:
    """How many levels a space lies beyond the station, all round the lap."""
    return (track.level[space] - _line(track)[track.lane[space]]) % track.lap_levels


def _lap_of_passing(track: Track, car: Car, start: int) -> int | None:
    """The lap in which a car has passed the station on its way from `start`; None: it has not.

    FD-END-2: lap 0 and lap 1 are one.
    """
    assert car.space is not None
    if _beyond(track, car.space) >= _beyond(track, start):
        return None
    crossed_since = track.level[car.space] < _line(track)[track.lane[car.space]]
    return max(1, car.lap - crossed_since)


class PolicePassed(Event):
    """A car has passed the police station in this lap: its speed, and as which car it passed."""

    lap: int
    speed: int
    passed: int

    def applied(self, state: State) -> State:
        street = state.cars[self.seat].street
        notes = (*street.police, (self.lap, self.speed, self.passed))
        return state.change(self.seat, street=replace(street, police=notes))


class PoliceWon(Event):
    """All have passed the police station in this lap; this car was the fastest."""

    lap: int
    speed: int

    def applied(self, state: State) -> State:
        """The contest of this lap is over: its notes are struck out."""
        for seat, car in state.cars.items():
            notes = tuple(note for note in car.street.police if note[0] != self.lap)
            state = state.change(seat, street=replace(car.street, police=notes))
        return state


class Police(ByItself, kind="police", at=Point.POLICE, rule="FD-URBAN-5", needs=OF_URBAN):
    """A car that may have passed the station, with its face and where its move began."""

    face: Annotated[int, Within(0, 100)]
    spaces: Annotated[Spaces, Word("from")] = ()

    @classmethod
    def after_roll(cls, flow: Flow, seat: int, face: int) -> None:
        """After a gear roll the face is kept."""
        if is_urban(flow.state) and flow.state.setup.track.police:
            space = flow.car(seat).space
            assert space is not None
            flow.due(cls(seat=seat, face=face, spaces=(space,)))

    def settle(self, flow: Flow) -> None:
        """A car that has passed notes the face of its gear roll, times ten."""
        state, car = flow.state, flow.car(self.seat)
        lap = _lap_of_passing(state.setup.track, car, self.spaces[0])
        if lap is None or _noted(car, lap) or _is_over(state, car, lap):
            return
        passed = 1 + sum(_noted(other, lap) is not None for other in state.cars.values())
        speed = SPEED_OF_A_FACE * self.face
        flow.tell(PolicePassed(seat=self.seat, rule=self.rule, lap=lap, speed=speed, passed=passed))
        decide(flow)

    def check(self, state: State) -> None:
        refuse_no_space(state, self.kind, self.spaces)
        if not state.setup.track.police or not 1 <= self.face <= TOP_FACE:
            bad("pending-form", "the police station notes the face of a die", rule=self.rule)


def _noted(car: Car, lap: int) -> tuple[int, int, int] | None:
    """The note of a car in the contest of this lap."""
    return next((note for note in car.street.police if note[0] == lap), None)


def _has_passed(state: State, car: Car, lap: int) -> bool:
    """Whether a car has passed the station in this lap."""
    if _noted(car, lap) or car.lap > lap or car.space is None:
        return True
    track = state.setup.track
    return car.lap == lap and track.level[car.space] >= _line(track)[track.lane[car.space]]


def _is_over(state: State, car: Car, lap: int) -> bool:
    """Whether the contest of this lap was decided without this car."""
    others = [other for other in state.running() if other is not car]
    noted = any(_noted(other, lap) for other in state.cars.values())
    return bool(others) and not noted and all(_has_passed(state, o, lap) for o in others)


def decide(flow: Flow) -> bool:
    """Decide the first contest that every car still running has passed; False: there is none.

    The fastest of those that still run gains; of equals the one that passed first.
    """
    state = flow.state
    if not is_urban(state) or not state.setup.track.police:
        return False
    running = state.running()
    for lap in sorted({note[0] for car in running for note in car.street.police}):
        if all(_has_passed(state, car, lap) for car in running):
            notes = [(note, car) for car in running if (note := _noted(car, lap))]
            (_, speed, _), winner = min(notes, key=lambda noted: (-noted[0][1], noted[0][2]))
            flow.tell(PoliceWon(seat=winner.seat, rule="FD-URBAN-5", lap=lap, speed=speed))
            flow.due(Recover(seat=winner.seat, points=POLICE_PRIZE, source=POLICE))
            return True
    return False
