"""A solved board as it lies on disk, and read without numpy.

A table is one run of numbers of 16 bits: by the laps to go after this one, place, gear engaged,
tires, brakes, gearbox and engine (a car without engine points is out, so they count from 1) the
expected turns to the finish, in steps of `unit`. What a place is follows from the board, so a table
holds no keys; it is looked into where it lies, mapped into memory, and never read whole.

Of a long race the last laps are kept; of a lap before them each lap more counts as `per_lap`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from companion.advice.solve.model import COUNTED, OUT_TURNS, PLAIN, Box, Model, Sky
from companion.advice.solve.places import Places
from companion.frozen import dataclass
from companion.rules.formula.settings import Setup
from companion.rules.formula.tables import TOP_GEAR
from companion.rules.formula.wear import Wear

FORM: Final = 1
"""Goes up with every change of the model or of the file: an older table is solved again."""
STEPS: Final = 65_535
"""The highest number of 16 bits."""
MOST_LAPS: Final = 6
"""Laps that are kept of a long race, so that a board stays below 20 MB."""


@dataclass(frozen=True, slots=True)
class Title:
    """What is known of a table beside its numbers; it is the first line of its file.

    `key` says what was solved: board, game, switches. `summary` is what `companion solve` tells.
    """

    form: int
    key: str
    laps: int
    box: Box
    unit: float
    per_lap: float
    summary: Mapping[str, Any]

    def as_json(self) -> dict[str, object]:
        """The line as JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Title:
        """What `as_json` gave.

        Raises:
            KeyError, TypeError, ValueError: it is no such line.
        """
        return cls(**{**data, "box": Box(*data["box"])})


class Layout:
    """Where a number stands; `laps` as far as they are kept."""

    def __init__(self, places: Places, laps: int, box: Box) -> None:
        self.places, self.laps, self.box = places, min(laps, MOST_LAPS), box
        engine, gearbox = 1, box.engine
        brakes = gearbox * (box.gearbox + 1)
        tires = brakes * (box.brakes + 1)
        gear = tires * (box.tires + 1)
        self._strides = tires, brakes, gearbox, engine
        self._gear = gear
        self._offsets: dict[Wear, int] = {}
        self.block = gear * TOP_GEAR
        """Numbers of one place in one lap."""
        before = places.before_line
        self._count = len(places)
        self._grid = {place: at for at, place in enumerate(before)}
        self.size = self.block * (self.laps * len(places) + len(before))
        """Numbers in all."""

    def begin(self, to_go: int, place: int) -> int:
        """Where the block of a place begins; `to_go` laps after this one, of lap 0 all of them."""
        if to_go < self.laps:
            return (to_go * self._count + place) * self.block
        return (self.laps * len(self.places) + self._grid[place]) * self.block

    def is_kept(self, to_go: int, place: int) -> bool:
        """Whether the table has this block."""
        return to_go < self.laps or (to_go == self.laps and place in self._grid)

    def within(self, gear: int, wear: Wear) -> int:
        """Where in its block the number of a gear engaged and a wear stands.

        More points than the table knows count as the most that it does.
        """
        offset = self._offsets.get(wear)
        if offset is None:
            have = map(min, Box.of(wear), self.box)
            steps = zip(have, self._strides, strict=True)
            offset = sum(points * stride for points, stride in steps) - 1
            self._offsets[wear] = offset
        return (gear - 1) * self._gear + offset


class Table:
    """A solved board."""

    def __init__(self, title: Title, layout: Layout, numbers: Sequence[int]) -> None:
        self.title, self.places = title, layout.places
        self._layout, self._numbers, self._unit = layout, numbers, title.unit

    def engaged(self, to_go: int, place: int, gear: int, wear: Wear) -> float:
        """The expected turns to the finish, this one among them, with this gear engaged.

        `to_go` are the laps after this one. A car without engine points is out.
        """
        return self.least(to_go, place, self.offsets([(gear, wear)]))

    def offsets(self, gears: Iterable[tuple[int, Wear]]) -> tuple[int, ...]:
        """Where in any block the numbers of these gears and wears stand; out has none."""
        within = self._layout.within
        return tuple(within(gear, wear) for gear, wear in gears if wear[_ENGINE])

    def least(self, to_go: int, place: int, offsets: tuple[int, ...]) -> float:
        """The least of these numbers of a place, in turns; of none it is being out."""
        if not offsets:
            return OUT_TURNS
        layout, numbers, more = self._layout, self._numbers, 0.0
        while not layout.is_kept(to_go, place):
            to_go, more = to_go - 1, more + self.title.per_lap
        begin = layout.begin(to_go, place)
        return min([numbers[begin + offset] for offset in offsets]) * self._unit + more


_ENGINE: Final = COUNTED[-1]


def key_of(setup: Setup, box: Box, sky: Sky = PLAIN) -> str:
    """What a table is solved for, in words: board, game, laps, wear, tires, switches, rain."""
    words = (setup.track.sha256, setup.edition.name, setup.laps, *box, setup.corner_ways)
    weather = f"{setup.soft_second_lap} {sky.tires} {Model(setup, box, sky).slide} {sky.raining}"
    weather = "plain" if sky == PLAIN else weather
    return " ".join(map(str, (*words, setup.spin_grace, weather, FORM)))
