"""What a moment of a race is worth to a car, were it alone: a solved board in the rules' terms.

Everything is told in expected turns to the finish; out counts as `OUT_TURNS`, home as none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.advice.solve.model import OUT_TURNS, PLAIN, Model, Sky
from companion.advice.solve.table import Table
from companion.rules.board.track import IN_PIT
from companion.rules.formula.asks import GearChoice
from companion.rules.formula.gears import ONLY_FIRST, gear_choices
from companion.rules.formula.option import Option
from companion.rules.formula.settings import Setup
from companion.rules.formula.state import Car, Status
from companion.rules.formula.tables import ENGINE, PIT_GEAR, TIRES
from companion.rules.formula.wear import Wear, less, one

_MOST_KNOWN: Final = 100_000
"""Values that are remembered; then memory is cleared."""
_Key = tuple[int, int, int, Wear]
_TEST: Final = one(ENGINE)
_LANE: Final = 1.0
_BOX: Final = 0.5
"""Half the stops are slow, and take a turn more."""


class Alone:
    """Values of one race on a solved board; a value once looked up is remembered."""

    def __init__(self, table: Table, setup: Setup, sky: Sky = PLAIN) -> None:
        self._table, self._places, self._setup = table, table.places, setup
        self._hurts = Model(setup, table.title.box, sky).hurts
        self._faces = setup.edition.engine_faces
        self._known: dict[_Key, float] = {}
        self._gears: dict[tuple[int, Wear], tuple[int, ...]] = {}
        self._lefts: dict[tuple[Wear, Wear], Wear] = {}

    # -- before the roll ----------------------------------------------------------------------

    def engaged(self, car: Car, choice: GearChoice) -> float:
        """The turns to come, this one among them, with one of the gears on offer."""
        assert car.space is not None
        if choice.out:
            return OUT_TURNS
        if self._setup.track.straight[car.space] == IN_PIT:
            return self._in_pit(car, car.space, served=car.served)
        place = self._places.at(car.space, car.stops)
        left = self._left(car.wear, choice.cost)
        return self._table.engaged(self._setup.laps - car.lap, place, choice.gear, left)

    def running(self, car: Car) -> float:
        """The turns to come before the roll, with the gear as it is engaged."""
        return self.engaged(car, GearChoice(car.gear))

    def standing(self, car: Car, *, tested: bool = False) -> float:
        """The turns to come before the gear is chosen: the best of those on offer.

        `tested`: an engine test comes before it.
        """
        assert car.space is not None
        if self._setup.track.straight[car.space] == IN_PIT:
            return self._in_pit(car, car.space, served=car.served)
        gear = 0 if car.status in ONLY_FIRST else car.gear
        place = self._places.at(car.space, car.stops)
        return self._stood(self._setup.laps - car.lap, place, gear, car.wear, tested)

    # -- after it -----------------------------------------------------------------------------

    def tests(self, gear: int, face: int) -> bool:
        """Whether this face asks the roller for an engine test (FD-ENGINE-1)."""
        return face in self._faces.get(gear, ())

    def after(self, car: Car, end: Option, *, tested: bool = False) -> float:
        """The turns to come after a move with this end; `tested`: an engine test follows it."""
        arrival, track = end.arrival, self._setup.track
        if end.out:
            return OUT_TURNS
        if track.straight[arrival.space] == IN_PIT:
            return self._in_pit(car, arrival.space, served=car.served)
        lap = car.lap + arrival.line
        if lap > self._setup.laps:
            return 0.0
        wear, gear = self._left(car.wear, end.cost), 0 if end.spin else car.gear
        return self._stood(self._setup.laps - lap, self.place_after(car, end), gear, wear, tested)

    def staying(self, car: Car, *, tested: bool = False) -> float:
        """The turns to come where the move just made ends, its stop not yet marked."""
        assert car.space is not None
        stops = car.stops + (self._setup.track.corner[car.space] >= 0)
        place = self._places.at(car.space, stops)
        return self._stood(self._setup.laps - car.lap, place, car.gear, car.wear, tested)

    def _stood(self, to_go: int, place: int, gear: int, wear: Wear, tested: bool) -> float:
        """Standing somewhere, with an engine test to come or without."""
        value = self._standing(to_go, place, gear, wear)
        if not tested:
            return value
        hurt = self._standing(to_go, place, gear, self._left(wear, _TEST))
        return value + self._hurts * (hurt - value)

    def place_after(self, car: Car, end: Option) -> int:
        """The place of a move's end; one braked away is a stop where the car stands."""
        assert car.space is not None
        in_pit = self._setup.track.straight[car.space] == IN_PIT
        space, stops = (self._setup.track.exits[0], 0) if in_pit else (car.space, car.stops)
        here = self._places.at(space, stops)
        return self._places.at(end.to, self._places.stops_after(here, end.arrival))

    def _in_pit(self, car: Car, space: int, *, served: bool) -> float:
        """The turns to come in the pit lane: an estimate, the solved board has no pit.

        The car comes out in 4th on the first exit with new tires; the lane takes `_LANE` turns from
        the entry to the box, and from the box, or beyond it, to the exit (FD-PIT-2).
        """
        track = self._setup.track
        lap = car.lap if served else car.lap + 1
        if lap > self._setup.laps or not track.exits:
            return OUT_TURNS
        before = 0.0 if served else _BOX if space in track.boxes else _LANE + _BOX
        wear = tuple(full if at == TIRES else n for at, (full, n) in _beside(car))
        place = self._places.at(track.exits[0])
        return before + _LANE + self._standing(self._setup.laps - lap, place, PIT_GEAR, wear)

    def _standing(self, to_go: int, place: int, gear: int, wear: Wear) -> float:
        key = to_go, place, gear, wear
        value = self._known.get(key)
        if value is None:
            if len(self._known) > _MOST_KNOWN:
                self._known.clear()
            value = self._table.least(to_go, place, self._on_offer(gear, wear))
            self._known[key] = value
        return value

    def _on_offer(self, gear: int, wear: Wear) -> tuple[int, ...]:
        """Where a block has the gears after this one, as the rules offer them to this wear."""
        found = self._gears.get((gear, wear))
        if found is None:
            status = Status.RACING if gear else Status.SPUN
            car = Car(1, "", 1, gear=gear, wear=wear, status=status)
            choices = [c for c in gear_choices(car, in_box=False) if not c.out]
            found = self._table.offsets((c.gear, less(wear, c.cost)) for c in choices)
            self._gears[gear, wear] = found
        return found

    def _left(self, wear: Wear, cost: Wear) -> Wear:
        """What is left of the wear."""
        found = self._lefts.get((wear, cost))
        if found is None:
            found = self._lefts[wear, cost] = less(wear, cost)
        return found


def _beside(car: Car) -> Iterator[tuple[int, tuple[int, int]]]:
    """By category: what the car started with, and what it has."""
    return enumerate(zip(car.full, car.wear, strict=True))
