"""Solving one board: the sweep written into a table, and what `companion solve` tells of it.

The table holds the wear of the cars that race; which construction is best is found by a second
sweep with all wear that a construction can have, of which only the start is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from companion.advice.solve.model import COUNTED, ONLY_FIRST, Box, Model, gears, points
from companion.advice.solve.places import Places
from companion.advice.solve.table import FORM, STEPS, Layout, Title
from companion.advice.solve.values import Floats, Sweep
from companion.rules.formula.edition import Edition
from companion.rules.formula.tables import BUILD_POINTS
from companion.rules.formula.wear import Wear

Told = Callable[[float], None]
"""Is told the share of the work that is done, from 0 to 1."""
BEST: Final = 10
"""How many constructions are told."""
LARGEST_BOX: Final = 10_000
"""Wears of the second sweep; more take too much memory on a Pi (Formule Dé's advanced cars)."""


class Solved(NamedTuple):
    """A solved board."""

    title: Title
    numbers: npt.NDArray[np.uint16]


def solve(
    places: Places, model: Model, wear: Wear, key: str, told: Told, *, builds: bool
) -> Solved:
    """Solve a board for a car with this wear at the start of a race.

    `builds`: constructions are compared too. `seconds` of the summary is left to who has a clock.
    """
    layout = Layout(places, model.setup.laps, model.box)
    numbers, unit = np.zeros(layout.size, np.uint16), _unit(model.setup.laps)
    part = 0.25 if builds else 1.0
    start = _start(places, model, lambda share: told(part * share), into=(layout, numbers, unit))
    limits = model.setup.edition.build_limits
    largest = Box(*(limits[category][1] for category in COUNTED))
    found: list[tuple[float, Wear]] | None = None
    values = start.values
    if builds and np.prod(largest.shape) <= LARGEST_BOX:
        wide = Model(model.setup, largest, model.sky)
        any_wear = _start(places, wide, lambda share: told(part + (1 - part) * share)).values
        found = list(_builds(any_wear, model.setup.edition))
        values = values if Box.of(wear).within(model.box) else any_wear
    told(1.0)
    summary = _summary(places, model, wear, values, found)
    title = Title(FORM, key, model.setup.laps, model.box, unit, start.per_lap, summary)
    return Solved(title, numbers)


def _unit(laps: int) -> float:
    """A step of the table: the turns of all laps after a car has gone out fit in.

    >>> _unit(2) < 0.003
    True
    """
    return (100.0 + 25.0 * (laps + 1)) / STEPS


class _Start(NamedTuple):
    """Standing on pole, by wear; and what a lap more costs a car as it is driven."""

    values: Floats
    per_lap: float


def _start(
    places: Places,
    model: Model,
    told: Told,
    into: tuple[Layout, npt.NDArray[np.uint16], float] | None = None,
) -> _Start:
    """Sweep the board; `into` a table, with its layout and the unit of its numbers."""
    sweep, laps = Sweep(places, model, precise=into is not None), model.setup.laps
    track = places.track
    pole, first = places.at(track.grid[0]), places.at(track.finish[0])
    values, by_lap = None, dict[int, float]()
    for done, block in enumerate(sweep):
        if done % 100 == 0:
            told(done / len(sweep))
        if into is not None:
            _write(into, laps - block.lap, block.place, block.engaged)
        if block.place == first:
            by_lap[block.lap] = float(block.standing[2].flat[-1])
        if block.place == pole and not block.lap:
            values = block.standing[ONLY_FIRST]
    assert values is not None
    more = by_lap[1] - by_lap[2] if laps > 1 else by_lap[1]
    return _Start(values, more)


def _write(
    into: tuple[Layout, npt.NDArray[np.uint16], float], to_go: int, place: int, engaged: Floats
) -> None:
    layout, numbers, unit = into
    if layout.is_kept(to_go, place):
        begin = layout.begin(to_go, place)
        steps = np.rint(engaged[..., 1:] / unit)
        numbers[begin : begin + layout.block] = np.minimum(steps, STEPS).ravel()


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
    places: Places,
    model: Model,
    wear: Wear,
    values: Floats,
    builds: Sequence[tuple[float, Wear]] | None,
) -> dict[str, Any]:
    names = model.setup.edition.categories
    at = tuple(
        min(have, length - 1) for have, length in zip(Box.of(wear), values.shape, strict=True)
    )
    start = float(values[at])
    worth = {}
    for axis, category in enumerate(COUNTED):
        less = tuple(n - (axis == i) for i, n in enumerate(at))
        worth[names[category]] = float(values[less]) - start if min(less) >= 0 else 0.0
    sweep = Sweep(places, model)
    states = len(sweep) * (len(gears()) + 1) * int(np.prod(model.box.shape))
    return {
        "track": places.track.name,
        "laps": model.setup.laps,
        "states": states,
        "expected_turns": start,
        "worth": worth,
        "best_builds": None if builds is None else [_build(names, *b) for b in builds[:BEST]],
        "worst_build": _build(names, *builds[-1]) if builds else None,
    }


def _build(names: tuple[str, ...], turns: float, wear: Wear) -> Mapping[str, Any]:
    return {"turns": turns, "wear": dict(zip(names, wear, strict=True))}
