"""One end of a move with its price: what it costs, and whether the car spins or is out."""

from __future__ import annotations

from typing import Any, NamedTuple

from companion.rules.arrivals import Arrival
from companion.rules.formula.state import Car
from companion.rules.formula.tables import BLOCKED_COST, BRAKES, TIRES
from companion.rules.formula.wear import NOTHING, Wear, as_wear, tell_cost
from companion.rules.track import Track


class Option(NamedTuple):
    """One end of a move. `arrival` tells how the way went; `spaces` how long it is.

    `cost` are all WP lost, brakes spent by choice among them; never more than the car has.
    `charmed` tells that passing Li-Tsu has made it a space shorter (FD-DRV-1).
    """

    arrival: Arrival
    spaces: int
    brakes: int = 0
    blocked: int = 0
    cost: Wear = NOTHING
    spin: bool = False
    out: bool = False
    charmed: bool = False

    @property
    def to(self) -> int:
        """The space of the end."""
        return self.arrival.space

    def rank(self, track: Track) -> tuple[Any, ...]:
        """What is "least": out, spin, WP in all, debris spaces, name of the space."""
        names = [track.ids[space] for space in self.arrival.debris]
        return (self.out, self.spin, sum(self.cost), len(names), track.ids[self.to], names)

    def as_json(self, track: Track) -> dict[str, Any]:
        """The option as the ask tells it."""
        return {
            "to": track.ids[self.to],
            "brakes": self.brakes,
            "tires": self.cost[TIRES],
            "blocked": self.blocked,
            "cost": tell_cost(self.cost),
            "debris": [track.ids[space] for space in self.arrival.debris],
            "spin": self.spin,
            "out": self.out,
        }


def charged(car: Car, arrival: Arrival, spaces: int, *, brakes: int, blocked: int = 0) -> Option:
    """An end with its price: block first, then the overshoot (FD-BLOCK-2).

    A move costs tires and brakes only, so it is reckoned with these two numbers.
    """
    if not blocked and not arrival.spaces:
        return Option(arrival, spaces, brakes, 0, (0, brakes, 0, 0, 0, 0))
    have_tires, have_brakes = car.wear[TIRES], car.wear[BRAKES]
    block = block_cost(blocked)
    if block is None:
        return Option(arrival, spaces, brakes, blocked, (0, brakes, 0, 0, 0, 0), out=True)
    asked_tires, asked_brakes = block[TIRES], brakes + block[BRAKES]
    if asked_tires > have_tires or asked_brakes > have_brakes:
        paid = (min(asked_tires, have_tires), min(asked_brakes, have_brakes), 0, 0, 0, 0)
        return Option(arrival, spaces, brakes, blocked, paid, out=True)
    spin, out = overshoot_outcome(have_tires - asked_tires, arrival)
    asked_tires += 0 if arrival.fatal else arrival.beyond
    cost = (min(asked_tires, have_tires), asked_brakes, 0, 0, 0, 0)
    return Option(arrival, spaces, brakes, blocked, cost, spin, out)


_BLOCKED = {spaces: as_wear(cost) for spaces, cost in BLOCKED_COST.items()}


def block_cost(blocked: int) -> Wear | None:
    """What the spaces not moved cost (FD-BLOCK-1); None: the car is out."""
    return _BLOCKED.get(blocked)


def overshoot_outcome(tires: int, arrival: Arrival) -> tuple[bool, bool]:
    """Whether an overshoot with these tires WP ends in a spin, or out of the race.

    FD-CORNER-3: two stops missing. FD-CORNER-6: the last tires WP. FD-CORNER-7: more than
    there are, with the grace of one space at 0.
    """
    if arrival.fatal:
        return False, True
    if not arrival.beyond or arrival.beyond < tires:
        return False, False
    if arrival.beyond == tires or (tires == 0 and arrival.spaces == 1):
        return True, False
    return False, True


def dearer(arrival: Arrival, factor: int) -> Arrival:
    """An overshoot at the price that the tires make of it (FD-TIRE-3 to FD-TIRE-5)."""
    if factor == 1 or not arrival.spaces:
        return arrival
    return arrival._replace(beyond=arrival.beyond * factor)
