"""What a moment of a race is worth to a car, were it alone: a solved board in the rules' terms.

Everything is told in expected turns to the finish; out counts as `OUT_TURNS`, home as none.
"""

from __future__ import annotations

from typing import Final

from companion.advice.solve.model import OUT_TURNS, Model
from companion.advice.solve.table import Table
from companion.rules.board.track import IN_PIT
from companion.rules.formula.asks import GearChoice
from companion.rules.formula.gears import ONLY_FIRST, gear_choices
from companion.rules.formula.option import Option
from companion.rules.formula.state import Car, Setup, Status
from companion.rules.formula.tables import ENGINE
from companion.rules.formula.wear import Wear, less, one

_MOST_KNOWN: Final = 100_000
"""Values that are remembered; then memory is cleared."""
_Key = tuple[int, int, int, Wear]
_TEST: Final = one(ENGINE)


class Alone:
    """Values of one race on a solved board; a value once looked up is remembered."""

    def __init__(self, table: Table, setup: Setup) -> None:
        self._table, self._places, self._setup = table, table.places, setup
        self._hurts = Model(setup, table.title.box).hurts
        self._faces = setup.edition.engine_faces
        self._known: dict[_Key, float] = {}
        self._gears: dict[tuple[int, Wear], list[tuple[int, Wear]]] = {}

    # -- before the roll ----------------------------------------------------------------------

    def engaged(self, car: Car, choice: GearChoice) -> float:
        """The turns to come, this one among them, with one of the gears on offer."""
        assert car.space is not None
        if choice.out:
            return OUT_TURNS
        place = self._places.at(car.space, car.stops)
        left = less(car.wear, choice.cost)
        return self._table.engaged(self._setup.laps - car.lap, place, choice.gear, left)

    def standing(self, car: Car) -> float:
        """The turns to come before the gear is chosen: the best of those on offer."""
        assert car.space is not None
        gear = 0 if car.status in ONLY_FIRST else car.gear
        place = self._places.at(car.space, car.stops)
        return self._standing(self._setup.laps - car.lap, place, gear, car.wear)

    # -- after it -----------------------------------------------------------------------------

    def tests(self, gear: int, face: int) -> bool:
        """Whether this face asks the roller for an engine test (FD-ENGINE-1)."""
        return face in self._faces.get(gear, ())

    def after(self, car: Car, end: Option, *, tested: bool = False) -> float:
        """The turns to come after a move with this end; `tested`: an engine test follows it.

        The pit lane is no place of a car alone: whoever weighs a stop knows more than this.
        """
        arrival, track = end.arrival, self._setup.track
        if end.out or track.straight[arrival.space] == IN_PIT:
            return OUT_TURNS
        lap = car.lap + arrival.line
        if lap > self._setup.laps:
            return 0.0
        place = self.place_after(car, end)
        wear, gear = less(car.wear, end.cost), 0 if end.spin else car.gear
        to_go = self._setup.laps - lap
        value = self._standing(to_go, place, gear, wear)
        if not tested:
            return value
        hurt = self._standing(to_go, place, gear, less(wear, _TEST))
        return value + self._hurts * (hurt - value)

    def place_after(self, car: Car, end: Option) -> int:
        """The place of a move's end; one braked away is a stop where the car stands."""
        assert car.space is not None
        here = self._places.at(car.space, car.stops)
        return self._places.at(end.to, self._places.stops_after(here, end.arrival))

    def _standing(self, to_go: int, place: int, gear: int, wear: Wear) -> float:
        key = to_go, place, gear, wear
        value = self._known.get(key)
        if value is None:
            if len(self._known) > _MOST_KNOWN:
                self._known.clear()
            engaged = self._table.engaged
            value = min(engaged(to_go, place, g, left) for g, left in self._on_offer(gear, wear))
            self._known[key] = value
        return value

    def _on_offer(self, gear: int, wear: Wear) -> list[tuple[int, Wear]]:
        """The gears after this one with the wear that each leaves, as the rules offer them."""
        found = self._gears.get((gear, wear))
        if found is None:
            status = Status.RACING if gear else Status.SPUN
            car = Car(1, "", 1, gear=gear, wear=wear, status=status)
            choices = [c for c in gear_choices(car, in_box=False) if not c.out]
            found = [(choice.gear, less(wear, choice.cost)) for choice in choices]
            self._gears[gear, wear] = found
        return found
