"""A car that is lapped loses a turn, and has it back if it gets its lap back (FD-ORDER-1).

House switch `lapped`, of the federation's competition rules of 2018 (6-2-5): with "circular" a
round goes from the leader around the loop of the track, down to the car right in front of him.
Whoever is overtaken by a whole lap before its turn has none in this round; who overtakes back
plays twice. Without a board the table says who plays when.
"""

from __future__ import annotations

from companion.rules.copies import replace
from companion.rules.formula.car import Car
from companion.rules.formula.order import following, progress
from companion.rules.formula.settings import Setup
from companion.rules.formula.state import Event, Flow, State


class Lapped(Event):
    """A car was lapped before its turn, and has none in this round; `laps` down it is now."""

    laps: int

    def applied(self, state: State) -> State:
        state = state.remembering(self.seat, laps_down=self.laps)
        return replace(state, order=tuple(seat for seat in state.order if seat != self.seat))


class Unlapped(Event):
    """A car has its lap back, and plays once more at the end of the round."""

    laps: int
    order: tuple[int, ...]

    def applied(self, state: State) -> State:
        state = state.remembering(self.seat, laps_down=self.laps)
        return replace(state, order=self.order, turn=None)


def lose_turn(setup: Setup) -> bool:
    """Whether cars that are lapped lose a turn in this race."""
    return setup.house.lapped == "circular"


def laps_behind(state: State, car: Car) -> int:
    """How many times the leader has overtaken a car that runs."""
    track = state.setup.track
    if track.is_blank:
        return 0
    here = progress(track, car)
    most = max((progress(track, one) - here for one in state.running()), default=0)
    return max(0, most - 1) // track.lap_levels


def in_circle(state: State, ranked: list[Car]) -> list[Car]:
    """Cars from first to last, in the order of the loop behind the first one."""
    if not (lose_turn(state.setup) and ranked):
        return ranked
    track = state.setup.track
    first = progress(track, ranked[0])

    def behind(car: Car) -> int:
        gap = first - progress(track, car)
        return (gap - 1) % track.lap_levels + 1 if gap > 0 else 0

    return sorted(ranked, key=behind)


def lose_turns(flow: Flow) -> None:
    """Whoever would be next and has been lapped since its last turn is left out."""
    if not lose_turn(flow.state.setup) or flow.state.setup.boardless:
        return
    for seat in following(flow.state):
        car = flow.car(seat)
        laps = laps_behind(flow.state, car) if car.runs else 0
        if laps <= car.memory.laps_down:
            return
        flow.tell(Lapped(seat=seat, rule="FD-ORDER-1", laps=laps))


def regain_turn(flow: Flow, seat: int) -> None:
    """The car that has just moved: is it fewer laps down than when its turn began?"""
    state, car = flow.state, flow.car(seat)
    if not (car.runs and lose_turn(state.setup)) or state.setup.boardless:
        return
    laps = laps_behind(state, car)
    if laps < car.memory.laps_down:
        order = (*following(state), seat)
        flow.tell(Unlapped(seat=seat, rule="FD-ORDER-1", laps=laps, order=order))
