"""What is solved: a car alone on a board, and what the rules say of its dice, gears and tires.

Whatever the tires and the sky, which stay as they are: out counts as 100 turns at once; engine
tests at the faces that ask for them, none on the move that finishes, and the move is chosen before
the test; no pit, no debris, no move braked to nothing. The plain model is that of a dry race on
hard tires. All of it is asked of functions and tables of the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Final, NamedTuple

from companion.frozen import dataclass
from companion.rules.formula.asks import GearChoice
from companion.rules.formula.faces import GEAR_FACES
from companion.rules.formula.gears import gear_choices
from companion.rules.formula.option import overshoot_outcome
from companion.rules.formula.settings import Setup
from companion.rules.formula.state import Car, State, Status
from companion.rules.formula.tables import (
    BLACK_DIE,
    BRAKES,
    ENGINE,
    ENGINE_HURTS,
    GEARBOX,
    TIRES,
    TOP_GEAR,
)
from companion.rules.formula.tires import has_bonus, overshoot_factor, slide_of
from companion.rules.formula.wear import Wear
from companion.rules.ways.arrivals import Arrival

OUT_TURNS: Final = 100.0
"""What being out counts, in turns."""
COUNTED: Final = (TIRES, BRAKES, GEARBOX, ENGINE)
"""The categories that a car alone can lose."""
ONLY_FIRST: Final = 0
"""The gear of a car that may engage 1st only: on the grid, or after a spin."""
_PLENTY: Final = (99,) * 6


class Box(NamedTuple):
    """The most wear points that a solved table knows of each counted category."""

    tires: int
    brakes: int
    gearbox: int
    engine: int

    @classmethod
    def of(cls, wear: Wear) -> Box:
        """The counted categories of a car's wear."""
        return cls(*(wear[category] for category in COUNTED))

    def within(self, other: Box) -> bool:
        """Whether no category has more than the other one."""
        return all(have <= most for have, most in zip(self, other, strict=True))

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """How many values each category takes, 0 among them."""
        return (self.tires + 1, self.brakes + 1, self.gearbox + 1, self.engine + 1)


class Skid(NamedTuple):
    """What an overshoot leaves, by the tires there were: None for out, else tires and a spin."""

    left: int
    spins: bool


class Sky(NamedTuple):
    """What a solved race is driven on: the tires from start to finish, and whether it rains."""

    tires: str = "hard"
    raining: bool = False


PLAIN: Final = Sky()


@dataclass(frozen=True, slots=True)
class Model:
    """The car and the rules of a solved race."""

    setup: Setup
    box: Box
    sky: Sky = PLAIN

    @property
    def slide(self) -> int:
        """The spaces by which a move that touches a corner is longer (FD-TIRE-6)."""
        return slide_of(self._state, self._car(1))

    def factor(self, lap: int) -> int:
        """How many tires a space beyond a limit costs in this lap (FD-TIRE-3 to FD-TIRE-5)."""
        return overshoot_factor(self._state, self._car(lap))

    def has_bonus(self, lap: int) -> bool:
        """Whether each move of this lap may be a space longer (FD-TIRE-3)."""
        return has_bonus(self._state, self._car(lap))

    @property
    def _state(self) -> State:
        return State(self.setup, weather="rain" if self.sky.raining else "fine")

    def _car(self, lap: int) -> Car:
        return replace(_RACING, tires=self.sky.tires, tires_lap=max(1, lap))

    def faces(self, gear: int) -> Mapping[int, float]:
        """The chance of each face of a gear's die."""
        faces = GEAR_FACES[gear]
        return {face: count / len(faces) for face, count in sorted(Counter(faces).items())}

    def tested(self, gear: int) -> frozenset[int]:
        """The faces after which a car in this gear tests its engine (FD-ENGINE-1)."""
        return frozenset(self.setup.edition.engine_faces.get(gear, ()))

    @property
    def hurts(self) -> float:
        """The chance that a test costs an engine point."""
        return ENGINE_HURTS[self.sky.raining] / BLACK_DIE[1]

    def choices(self, gear: int) -> list[GearChoice]:
        """The gears on offer after this one to a car that can pay for all of them."""
        status = Status.RACING if gear else Status.GRID
        car = Car(1, "", 1, gear=gear, wear=_PLENTY, full=_PLENTY, status=status)
        return gear_choices(car, in_box=False)

    def skids(self, beyond: int, spaces: int, *, fatal: bool) -> list[Skid | None]:
        """What an overshoot leaves, by the tires from 0 to those of the box (FD-CORNER-7)."""
        return [self._skid(tires, beyond, spaces, fatal) for tires in range(self.box.tires + 1)]

    def _skid(self, tires: int, beyond: int, spaces: int, fatal: bool) -> Skid | None:
        arrival = Arrival(-1, (), beyond=beyond, spaces=spaces, fatal=fatal)
        spin, out = overshoot_outcome(self.setup, _RACING, tires, arrival)
        return None if out else Skid(max(0, tires - beyond), spin)


_RACING: Final = Car(1, "", 1, status=Status.RACING, grace=True)


@cache
def gears() -> range:
    """All gears."""
    return range(1, TOP_GEAR + 1)


def points(box: Box) -> Iterator[Box]:
    """Every wear that a box holds."""
    for tires in range(box.tires + 1):
        for brakes in range(box.brakes + 1):
            for gearbox in range(box.gearbox + 1):
                for engine in range(box.engine + 1):
                    yield Box(tires, brakes, gearbox, engine)
