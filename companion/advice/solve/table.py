"""A solved board as it lies on disk, and read without numpy.

A table is one run of numbers of 16 bits: of the way to the line before the first lap, and then by
the laps to go after this one, kind of tires, place, gear engaged, tires, brakes, gearbox and engine
(a car without engine points is out, so they count from 1) the expected turns to the finish, in
steps of `unit`. What a place is follows from the board, so a table holds no keys; it is looked into
where it lies, mapped into memory, and never read whole.

Of a long race the last laps are kept, and of a lap before them each lap more counts as `per_lap`.
Where there is room for less than `ENOUGH_LAPS` it is the last, the first, and some of those
between; what lies between two of them is made out of both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import Any, Final

from companion.advice.solve.model import (
    COUNTED,
    LEAST_LAPS,
    Box,
    Feel,
    Fitted,
    Model,
    Places,
)
from companion.rules.formula.book import TOP_GEAR, Wear
from companion.system.frozen import dataclass

FORM: Final = 5
"""Goes up with every change of the model or of the file: an older table is solved again."""
ENOUGH_LAPS: Final = 4
"""So many of the last laps tell of all laps before them: points have become worth what they are."""
STEPS: Final = 65_535
"""The highest number of 16 bits."""
LARGEST: Final = 9_990_000
"""Numbers, at most: 20 MB with the title."""


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
    """Where a number stands, of the laps that are kept; the last ones, and the way to the line."""

    def __init__(self, places: Places, model: Model) -> None:
        box = model.box
        self.places, self.model, self.box = places, model.shortened, box
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
        self._count = len(places) if model.sky.whole else places.on_track
        self._grid = {place: at for at, place in enumerate(before)}
        self._race, self.swept = model.setup.laps, self.model.setup.laps
        self._sets: dict[int, dict[Feel, int]] = {}
        """By the laps to go, those kept: where the blocks of each feel of tires begin."""
        self._tires: dict[int, Fitted] = {}
        """By the laps to go: tires that are kept for them."""
        self.size = 0
        """Numbers in all."""
        self._keep()
        self._begins: dict[tuple[int, Fitted], int] = {}
        self._has: dict[tuple[int, Fitted], bool] = {}
        self._arounds: dict[tuple[int, Fitted], tuple[int, int, Fitted]] = {}

    def _keep(self) -> None:
        """The last laps; where there is room for few, the first and some of those between too."""
        every = range(self.swept)
        for order in ([*every], _by_need(self.swept)):
            self._sets.clear()
            self.size = self.block * len(self._grid)
            for done, to_go in enumerate(order):
                more = self.size + self.block * self._count * len(self._fitted(to_go))
                if done >= LEAST_LAPS and more > LARGEST:
                    break
                self._put(to_go)
            if len(self._sets) >= min(self.swept, ENOUGH_LAPS):
                return

    def _fitted(self, to_go: int) -> dict[Feel, Fitted]:
        return self.model.fitted(self.swept - to_go)

    def _put(self, to_go: int) -> None:
        """Make room for a lap."""
        fitted, each = self._fitted(to_go), self.block * self._count
        self._sets[to_go] = {feel: self.size + at * each for at, feel in enumerate(fitted)}
        self._tires[to_go] = next(iter(fitted.values()))
        self.size += each * len(fitted)

    @property
    def first(self) -> int:
        """The laps to go of the earliest lap that is kept."""
        return max(self._sets)

    def around(self, to_go: int, fitted: Fitted) -> tuple[int, int, Fitted]:
        """For a lap that is not kept: the kept ones before and after it, and tires in both."""
        found = self._arounds.get((to_go, fitted))
        if found is None:
            less = max(kept for kept in self._sets if kept < to_go)
            more = min((kept for kept in self._sets if kept > to_go), default=less)
            found = less, more, fitted if self.has(more, fitted) else self._tires[more]
            self._arounds[to_go, fitted] = found
        return found

    def begin(self, to_go: int, place: int, fitted: Fitted) -> int:
        """Where the block of a place begins; `to_go` laps after this one, of lap 0 all of them.

        For tires that nobody would have in that lap it is the block of those most like them.
        """
        if to_go == self._race and place in self._grid:
            return self._grid[place] * self.block
        begin = self._begins.get((to_go, fitted))
        if begin is None:
            begin = self._begins[to_go, fitted] = self._nearest(to_go, fitted)
        return begin + place * self.block

    def _nearest(self, to_go: int, fitted: Fitted) -> int:
        sets, wanted = self._sets[to_go], self.model.feel(fitted, self.swept - to_go)
        if wanted in sets:
            return sets[wanted]
        return sets[min(sets, key=lambda feel: _apart(feel, wanted))]

    def has(self, to_go: int, fitted: Fitted) -> bool:
        """Whether these very tires are kept in a lap."""
        found = self._has.get((to_go, fitted))
        if found is None:
            kept = self._sets.get(to_go, {})
            found = self.model.feel(fitted, self.swept - to_go) in kept
            self._has[to_go, fitted] = found
        return found

    def is_kept(self, to_go: int, place: int) -> bool:
        """Whether the table has this block."""
        return to_go in self._sets or (to_go == self._race and place in self._grid)

    def within(self, gear: int, wear: Wear) -> int:
        """Where in its block the number of a gear engaged and a wear stands.

        More points than the table knows count as the most that it does.
        """
        offset = self._offsets.get(wear)
        if offset is None:
            have = map(min, Box.of(wear), self.box)
            steps = zip(have, self._strides, strict=True)
            # Less one, as engine points count from 1.
            offset = sum(points * stride for points, stride in steps) - 1
            self._offsets[wear] = offset
        return (gear - 1) * self._gear + offset


def _by_need(laps: int) -> list[int]:
    """The laps to go in the order in which they are kept: what lies between is made out of them.

    >>> _by_need(2), _by_need(6)
    ([0, 1], [0, 5, 1, 3, 2, 4])
    """
    order = list(dict.fromkeys([0, laps - 1, min(1, laps - 1)]))
    while len(order) < laps:
        gap, start = max((b - a, -a) for a, b in pairwise(sorted(order)))
        order.append(-start + gap // 2)
    return order


def _apart(one: Feel, other: Feel) -> int:
    """How unlike tires are."""
    return sum(
        abs(a.slide - b.slide) + 2 * abs(a.factor - b.factor) + (a.bonus != b.bonus)
        for a, b in zip(one, other, strict=False)
    )


class Table:
    """A solved board."""

    def __init__(self, title: Title, layout: Layout, numbers: Sequence[int]) -> None:
        self.title, self.places, self.model = title, layout.places, layout.model
        self._layout, self._numbers, self._unit = layout, numbers, title.unit

    def engaged(self, to_go: int, place: int, gear: int, wear: Wear, fitted: Fitted) -> float:
        """The expected turns to the finish, this one among them, with this gear engaged.

        `to_go` are the laps after this one. A car without engine points is out.
        """
        return self.least(to_go, place, self.offsets([(gear, wear)]), fitted)

    def offsets(self, gears: Iterable[tuple[int, Wear]]) -> tuple[int, ...]:
        """Where in any block the numbers of these gears and wears stand; out has none."""
        within = self._layout.within
        return tuple(within(gear, wear) for gear, wear in gears if wear[_ENGINE])

    def block(self, to_go: int, place: int, fitted: Fitted) -> int:
        """Where the block of a place begins, for `least_of`; -1 where that lap is not kept."""
        layout = self._layout
        return layout.begin(to_go, place, fitted) if layout.is_kept(to_go, place) else -1

    def least_of(self, block: int, offsets: tuple[int, ...]) -> float:
        """The least of these numbers of a block, in turns."""
        numbers = self._numbers
        return min([numbers[block + offset] for offset in offsets]) * self._unit

    def least(self, to_go: int, place: int, offsets: tuple[int, ...], fitted: Fitted) -> float:
        """The least of these numbers of a place, in turns."""
        layout, more = self._layout, 0.0
        while to_go > layout.first and not layout.is_kept(to_go, place):
            to_go, more = to_go - 1, more + self.title.per_lap
        if layout.is_kept(to_go, place):
            begin, numbers = layout.begin(to_go, place, fitted), self._numbers
            return min([numbers[begin + offset] for offset in offsets]) * self._unit + more
        return self._between(to_go, place, offsets, fitted) * self._unit + more

    def _between(self, to_go: int, place: int, offsets: tuple[int, ...], fitted: Fitted) -> float:
        """A lap that is not kept, in steps: out of the kept ones on either side of it."""
        numbers, begin = self._numbers, self._layout.begin
        less, more, both = self._layout.around(to_go, fitted)
        here, low, high = (
            begin(*at) for at in ((less, place, fitted), (less, place, both), (more, place, both))
        )
        share = (to_go - less) / max(1, more - less)
        return min(
            numbers[here + at] + share * (numbers[high + at] - numbers[low + at]) for at in offsets
        )


_ENGINE: Final = COUNTED[-1]


def key_of(model: Model) -> str:
    """What a table is solved for, in words: board, game, laps, wear, tires, switches, weather."""
    setup, sky = model.setup, model.sky
    board = (setup.track.sha256, setup.edition.name, setup.laps)
    words = (*board, *model.box, setup.house.corner_ways)
    fitted = [tuple(map(tuple, feel)) for feel in model.fitted(setup.laps)]
    changes = setup.track.weather if len(model.weathers) > 1 else None
    tires = f"{sky.tires} {sky.weather} {model.kinds if sky.whole else ()} {fitted} {changes}"
    which = "whole" if sky.whole else "plain"
    return " ".join(map(str, (*words, setup.house.spin_grace, which, tires, FORM)))
