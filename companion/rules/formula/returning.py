"""A car that comes back into the race."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.rules.formula.event import Event
from companion.rules.formula.order import arrival_number
from companion.rules.formula.state import Car, State


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned(Event):
    """A car is back in the race, from the next round; boardless, `space` is None."""

    space: str | None

    def applied(self, state: State) -> State:
        """Back in the race, but not in the order of this round any more."""
        car, track = state.cars[self.seat], state.setup.track
        assert car.out is not None
        space = None if self.space is None else track.index[self.space]
        in_corner = space is None or track.corner[space] >= 0
        order = tuple(s for s in state.order if s != self.seat or s == state.turn)
        state = state.change(
            self.seat,
            status=car.out.was,
            space=space,
            lap=lap_back_at(state, car, space),
            stops=car.stops if in_corner and space == car.out.space else 0,
            out=None,
            place=None,
            arrived=arrival_number(state),
        )
        return replace(state, order=order)


def lap_back_at(state: State, car: Car, space: int | None) -> int:
    """The lap of a car put back on a space: behind the line it has yet to cross it (FD-END-2)."""
    if space is None:
        return min(car.lap, state.setup.laps)
    past = state.setup.track.past_line
    stood = car.out.space if car.out is not None else None
    return car.lap - (stood is not None and past[stood] and not past[space])
