"""One end of a move with its price: what it costs, and whether the car spins or is out; a way."""

from __future__ import annotations

from typing import NamedTuple

from companion.rules.board.track import Track
from companion.rules.formula.car import Car
from companion.rules.formula.settings import Setup
from companion.rules.formula.tables import BLOCKED_COST, BODY, BRAKES, TIRES
from companion.rules.formula.wear import NOTHING, Wear, as_wear, tell_cost
from companion.rules.ways.arrivals import Arrival

Rank = tuple[bool, bool, int, int, str, list[str]]


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

    def rank(self, track: Track) -> Rank:
        """What is "least": out, spin, WP in all, debris spaces, name of the space."""
        names = [track.ids[space] for space in self.arrival.debris]
        return (self.out, self.spin, sum(self.cost), len(names), track.ids[self.to], names)

    def as_json(self, track: Track) -> dict[str, object]:
        """The option as the ask tells it."""
        arrival, _, brakes, blocked, cost, spin, out, _ = self
        ids = track.ids
        return {
            "to": ids[arrival.space],
            "brakes": brakes,
            "tires": cost[TIRES],
            "blocked": blocked,
            "cost": tell_cost(cost),
            "debris": [ids[space] for space in arrival.debris],
            "spin": spin,
            "out": out,
        }


class Way(NamedTuple):
    """A way that a car has gone: from where, its end with its price, and how.

    `how` is move, great, fast or slipstream; `charmed`: the whole move has lost a space to Li-Tsu
    (FD-DRV-1), so the rest of it does not.
    """

    seat: int
    start: int
    option: Option
    how: str
    charmed: bool

    @property
    def overshot(self) -> bool:
        """Whether a corner was left with a stop missing (FD-CORNER-2)."""
        return self.option.arrival.spaces > 0

    @property
    def slips(self) -> bool:
        """Whether it was a slipstream: the end of its turn is pending already."""
        return self.how == "slipstream"


def charged(
    setup: Setup,
    car: Car,
    arrival: Arrival,
    spaces: int,
    brakes: int,
    blocked: int = 0,
    charmed: bool = False,
) -> Option:
    """An end with its price: block first, then the overshoot (FD-BLOCK-2).

    A move costs tires and brakes only, so it is reckoned with these two numbers; but for a
    block without brakes in Formule Dé, which also costs body (DE-BLOCK-2).
    """
    have_tires, have_brakes = car.wear[TIRES], car.wear[BRAKES]
    if not blocked:
        spin, out = overshoot_outcome(setup, car, have_tires, arrival)
        tires = min(have_tires, arrival.beyond)
        cost = (0 if arrival.fatal else tires, brakes, 0, 0, 0, 0)
        return tuple.__new__(Option, (arrival, spaces, brakes, 0, cost, spin, out, charmed))
    option = Option(arrival, spaces, brakes, blocked, (0, brakes, 0, 0, 0, 0), charmed=charmed)
    block = block_cost(blocked)
    if block is None:
        return option._replace(out=True)
    if setup.house.late_block == "on" and is_late(have_brakes - brakes, blocked):
        return _charged_late(setup, car, option)
    asked_tires, asked_brakes = block[TIRES], brakes + block[BRAKES]
    if asked_tires > have_tires or asked_brakes > have_brakes:
        paid = (min(asked_tires, have_tires), min(asked_brakes, have_brakes), 0, 0, 0, 0)
        return option._replace(cost=paid, out=True)
    spin, out = overshoot_outcome(setup, car, have_tires - asked_tires, arrival)
    if setup.house.block_last_tires == "spin" and asked_tires == have_tires > 0:
        spin = not out  # DE-CORNER-3
    asked_tires += 0 if arrival.fatal else arrival.beyond
    cost = (min(asked_tires, have_tires), asked_brakes, 0, 0, 0, 0)
    return Option(arrival, spaces, brakes, blocked, cost, spin, out, charmed)


def _charged_late(setup: Setup, car: Car, end: Option) -> Option:
    """DE-BLOCK-2: all tires and 1 body; an overshoot then finds no tires left."""
    cost = (car.wear[TIRES], end.brakes, 0, 1, 0, 0)
    _, out = overshoot_outcome(setup, car, 0, end.arrival)
    out = out or car.wear[BODY] <= 1
    spin = not out and (car.wear[TIRES] > 0 or end.arrival.spaces > 0)
    return end._replace(cost=cost, spin=spin, out=out)


_BLOCKED = {spaces: as_wear(cost) for spaces, cost in BLOCKED_COST.items()}


def block_cost(blocked: int) -> Wear | None:
    """What the spaces not moved cost (FD-BLOCK-1); None: the car is out."""
    return _BLOCKED.get(blocked)


def is_late(brakes: int, blocked: int) -> bool:
    """Whether a block of less than 7 spaces finds no brakes WP left (DE-BLOCK-2)."""
    return blocked > 0 and blocked in _BLOCKED and not brakes


def has_one_grace(setup: Setup) -> bool:
    """Whether the space of grace at 0 tires is for one turn only (FD-CORNER-7)."""
    return setup.house.spin_grace == "next-turn"


def overshoot_outcome(setup: Setup, car: Car, tires: int, arrival: Arrival) -> tuple[bool, bool]:
    """Whether an overshoot with these tires WP left ends in a spin, or out of the race.

    FD-CORNER-3: two stops missing. FD-CORNER-6: the last tires WP. FD-CORNER-7: more than
    there are, with the grace of one space at 0, by house switch `spin_grace` in one turn only,
    or only where it costs one WP (competition rules of 2018, 10-4-2: never on soft tires).
    DE-CORNER-1: so many spaces, whatever is left.
    """
    edition = setup.edition
    if arrival.fatal or arrival.spaces >= edition.overshoot_out:
        return False, True
    if not arrival.beyond or arrival.beyond < tires:
        return arrival.spaces >= edition.overshoot_spins, False
    graced = not has_one_grace(setup) or car.memory.grace is True
    one_only = arrival.beyond if setup.house.spin_grace == "one-point" else arrival.spaces
    if arrival.beyond == tires or (tires == 0 and one_only == 1 and graced):
        return True, False
    return False, True


def dearer(arrival: Arrival, factor: int) -> Arrival:
    """An overshoot at the price that the tires make of it (FD-TIRE-3 to FD-TIRE-5)."""
    if factor == 1 or not arrival.spaces:
        return arrival
    return arrival._replace(beyond=arrival.beyond * factor)


class NearEnd(NamedTuple):
    """A space that is not listed, and the listed end that it is taken for."""

    space: int
    listed: Option

    def option(self) -> Option:
        """The listed move, ending here."""
        return self.listed._replace(arrival=self.listed.arrival._replace(space=self.space))

    def as_json(self, track: Track) -> dict[str, object]:
        """The end as the ask tells it."""
        return {
            "to": track.ids[self.space],
            "brakes": self.listed.brakes,
            "as": track.ids[self.listed.to],
        }
