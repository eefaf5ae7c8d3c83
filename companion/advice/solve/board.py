"""Solving one board: the sweep written into a table, and what `companion solve` tells of it.

The table holds the wear of the cars that race; which construction is best is found by a second
sweep with all wear that a construction can have, of which only the start is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from companion.advice.solve.model import COUNTED, ONLY_FIRST, Box, Model, gears, out_turns, points
from companion.advice.solve.places import Places
from companion.advice.solve.table import FORM, STEPS, Layout, Title, key_of
from companion.advice.solve.turn import Floats
from companion.advice.solve.values import Block, Sweep
from companion.rules.formula.edition import Edition
from companion.rules.formula.tables import BUILD_POINTS
from companion.rules.formula.wear import Wear

Progress = Callable[[float], None]
"""Is called with the share of the work that is done, from 0 to 1."""
BEST: Final = 10
"""How many constructions are told."""
LARGEST_BOX: Final = 10_000
"""Wears of the second sweep; more take too much memory on a Pi (Formule Dé's advanced cars)."""


class Solved(NamedTuple):
    """A solved board: the model of its table, its title and its numbers."""

    model: Model
    title: Title
    numbers: npt.NDArray[np.uint16]


def solve(
    places: Places, model: Model, wear: Wear, progress: Progress, *, builds: bool
) -> Iterator[Solved]:
    """Solve a board for a car with this wear at the start of a race.

    Where the weather may change there is a table for each that there may be, as it is now first.
    `builds`: constructions are compared too, without stops. `seconds` of the summary is left to who
    has a clock.
    """
    wide = _wide(model) if builds else None
    part = 0.25 if wide is not None else 1.0
    now, skies = model.sky.weather, model.weathers
    order = sorted(skies, key=lambda sky: sky != now)
    kept = [_Kept(places, replace(model, sky=model.sky._replace(weather=s))) for s in order]
    for one in kept:
        one.begin()
    states = _sweep(places, model, lambda share: progress(part * share), kept)
    found: list[tuple[float, Wear]] | None = None
    if wide is not None:
        any_wear = _Kept(places, wide)
        _sweep(places, wide, lambda share: progress(part + (1 - part) * share), [any_wear])
        found = list(_builds(any_wear.start, model.setup.edition))
        if not Box.of(wear).within(model.box):
            kept[0].start = any_wear.start
    progress(1.0)
    for one in kept:
        title = one.title(_summary(one, states, wear, found))
        yield Solved(one.model, title, one.numbers)


def _wide(model: Model) -> Model | None:
    """The model with all wear that a construction can have; None: it takes too much."""
    limits = model.setup.edition.build_limits
    largest = Box(*(limits[category][1] for category in COUNTED))
    if np.prod(largest.shape) > LARGEST_BOX or len(model.weathers) > 1:
        return None
    return Model(model.setup, largest, model.sky._replace(whole=False))


class _Kept:
    """What is kept of a sweep in one weather."""

    def __init__(self, places: Places, model: Model) -> None:
        self.model, self._places, track = model, places, places.track
        self._layout = Layout(places, model)
        self._pole, self._first = places.at(track.grid[0]), places.at(track.finish[0])
        self._by_lap: dict[int, float] = {}
        self.numbers = np.zeros(0, np.uint16)
        self.start: Floats = np.zeros(0)
        self._laps, self._unit = model.setup.laps, _unit(model.setup.laps)

    def begin(self) -> None:
        """Make room for the numbers of a table."""
        self.numbers = np.zeros(self._layout.size, np.uint16)

    def put(self, block: Block, swept: int) -> None:
        """A block of a race of `swept` laps, where the whole race may have more."""
        began = block.fitted == self.model.began(block.lap)
        if began and block.place == self._first:
            self._by_lap[block.lap] = float(block.standing[2].flat[-1])
        more = 0.0 if block.lap else self.per_lap * (self._laps - swept)
        if block.place == self._pole and not block.lap:
            self.start = block.standing[ONLY_FIRST] + more
        to_go, layout = swept - block.lap, self._layout
        if not block.lap:
            to_go = self._laps
        elif not layout.has(to_go, block.fitted):
            return
        if len(self.numbers) and layout.is_kept(to_go, block.place):
            begin = layout.begin(to_go, block.place, block.fitted)
            steps = np.rint((block.engaged[..., 1:] + more) / self._unit)
            self.numbers[begin : begin + layout.block] = np.minimum(steps, STEPS).ravel()

    @property
    def per_lap(self) -> float:
        """What a lap more costs a car as it is driven."""
        laps = self._by_lap
        return laps[1] - laps[2] if 2 in laps else laps[1]

    def title(self, summary: Mapping[str, Any]) -> Title:
        """The first line of its file."""
        box = self.model.box
        return Title(FORM, key_of(self.model), self._laps, box, self._unit, self.per_lap, summary)


def _unit(laps: int) -> float:
    """A step of the table: the turns of all laps after a car has gone out fit in.

    >>> _unit(2) < 0.003
    True
    """
    return (out_turns(laps) + 25.0 * (laps + 1)) / STEPS


def _sweep(places: Places, model: Model, progress: Progress, kept: Sequence[_Kept]) -> int:
    """Sweep the board; the states that there are."""
    by_sky, model = {one.model.sky.weather: one for one in kept}, model.shortened
    sweep = Sweep(places, model, precise=bool(len(kept[0].numbers)))
    for done, block in enumerate(sweep):
        if done % 100 == 0:
            progress(min(1.0, done / len(sweep)))
        by_sky[block.weather].put(block, model.setup.laps)
    return len(sweep) * (len(gears()) + 1) * int(np.prod(model.box.shape))


def _builds(values: Floats, edition: Edition) -> Iterator[tuple[float, Wear]]:
    """Every construction that leaves all it can to what a car alone can lose, the best first."""
    limits = edition.build_limits
    spare = BUILD_POINTS - sum(low for at, (low, _) in enumerate(limits) if at not in COUNTED)
    found = []
    for box in points(Box(*(length - 1 for length in values.shape))):
        if sum(box) == spare and all(n >= limits[c][0] for n, c in zip(box, COUNTED, strict=True)):
            wear = [low for low, _ in limits]
            for category, have in zip(COUNTED, box, strict=True):
                wear[category] = have
            found.append((float(values[tuple(box)]), tuple(wear)))
    yield from sorted(found)


def _summary(
    kept: _Kept, states: int, wear: Wear, builds: Sequence[tuple[float, Wear]] | None
) -> dict[str, Any]:
    setup, values = kept.model.setup, kept.start
    names = setup.edition.categories
    at = tuple(
        min(have, length - 1) for have, length in zip(Box.of(wear), values.shape, strict=True)
    )
    start = float(values[at])
    worth = {}
    for axis, category in enumerate(COUNTED):
        less = tuple(n - (axis == i) for i, n in enumerate(at))
        worth[names[category]] = float(values[less]) - start if min(less) >= 0 else 0.0
    return {
        "track": setup.track.name,
        "laps": setup.laps,
        "states": states,
        "expected_turns": start,
        "worth": worth,
        "best_builds": None if builds is None else [_build(names, *b) for b in builds[:BEST]],
        "worst_build": _build(names, *builds[-1]) if builds else None,
    }


def _build(names: tuple[str, ...], turns: float, wear: Wear) -> Mapping[str, Any]:
    return {"turns": turns, "wear": dict(zip(names, wear, strict=True))}
