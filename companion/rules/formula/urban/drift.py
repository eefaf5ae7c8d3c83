"""Jack's drift: one space more or less in every corner, for a tires WP (FD-DRV-2).

It is chosen before the way, so the move that follows must touch a corner in which he has not
drifted in this lap; the space on which it begins counts. Sections lie one behind the other:
whichever way touches such a corner touches the nearest of them, and that is the one he
drifts in. One move drifts once.
"""

from __future__ import annotations

from companion.rules.board.track import Track
from companion.rules.copies import replace
from companion.rules.formula.car import Car
from companion.rules.formula.option import Option
from companion.rules.formula.state import Cost, Event, State
from companion.rules.formula.tables import TIRES
from companion.rules.formula.urban.drivers import driver_of
from companion.rules.formula.urban.tables import DRIFT_COST
from companion.rules.formula.wear import one, total

Fresh = tuple[int, int, int]
"""How many sections on a corner lies, its index, and the lap that it lies in."""
DRIFTS = "drift"
COST = one(TIRES, DRIFT_COST)


class Drifted(Event):
    """Jack drifts in a corner, in this lap; the latest lap of each corner is kept."""

    corner: str
    lap: int
    cost: Cost

    @classmethod
    def at(cls, state: State, seat: int, fresh: Fresh) -> Drifted:
        """The drift in the nearest corner in which he has not drifted in its lap."""
        _, corner, lap = fresh
        label = state.setup.track.corners[corner].label
        return cls(seat=seat, rule="FD-DRV-2", corner=label, lap=lap, cost=COST)

    def applied(self, state: State) -> State:
        corners = state.setup.track.corners
        corner = next(at for at, known in enumerate(corners) if known.label == self.corner)
        street = state.cars[self.seat].street
        drift = tuple(sorted({**dict(street.drift), corner: self.lap}.items()))
        state = state.worn(self.seat, self.cost)
        return state.change(self.seat, street=replace(street, drift=drift))


def may_drift(car: Car) -> bool:
    """Whether this driver can, and has the tires for it."""
    return driver_of(car).drifts and car.wear[TIRES] >= DRIFT_COST


def fresh_corner(track: Track, car: Car) -> Fresh | None:
    """The nearest corner in which this car has not drifted in its lap.

    How many sections on it lies (0: the car stands in it), its index, and the lap that it
    lies in; lap 0 and lap 1 are one (FD-END-2). None: there is none all round.
    """
    assert car.space is not None
    here, used = track.section[car.space], dict(car.street.drift)
    for far in range(len(track.sections)):
        at = (here + far) % len(track.sections)
        corner = track.sections[at].corner
        ahead_of_line = here + far < len(track.sections) and not _before_line(track, car, far)
        lap = max(1, car.lap if ahead_of_line else car.lap + 1)
        if corner >= 0 and used.get(corner) != lap:
            return far, corner, lap
    return None


def _before_line(track: Track, car: Car, far: int) -> bool:
    """Whether the line lies between a car in its section and sections further on."""
    assert car.space is not None
    return far > 0 and track.section[car.space] == 0 and not track.past_line[car.space]


def paid(state: State, seat: int) -> State:
    """The state in which the drift is paid for: what it costs is not there for the way."""
    return state.worn(seat, COST)


def touching(track: Track, car: Car, options: list[Option]) -> list[Option]:
    """Of the ends of a drift those that touch the corner, its price added."""
    fresh = fresh_corner(track, car)
    if fresh is None:
        return []
    assert car.space is not None
    here, count = track.section[car.space], len(track.sections)
    return [
        option._replace(cost=total(option.cost, COST))
        for option in options
        if (track.section[option.to] - here) % count >= fresh[0]
    ]
