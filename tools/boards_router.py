"""Tracks for a board of two layers: a plain router on a grid, after Lee, with rip-up.

Each net grows from one of its pads to the next by the cheapest way (A*). Copper of others that a
later net may tear off is dear, pads and edges are walls; what was torn off is laid anew, and the
steps over which nets quarrel grow dearer each time, so that one of them goes round (PathFinder's
idea). The same pads give the same tracks. It knows no length to be equal, no third layer and no
taste; the design rules of KiCad have the last word on what it makes.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

CLEARANCE = 0.2
DIAGONAL = 0.045
"""A slanting step between two allowed points may pass that much closer to a pad's corner."""
EDGE = 0.6
VIA = 0.6
TURN, VIA_COST, TEAR, QUARREL = 0.15, 12.0, 6.0, 3.0
"""Costs in steps: of a corner, of a change of layer, of each step through another's copper, and
what that step grows dearer for all by each quarrel."""
ROUNDS = 4000
Grid = NDArray[np.int32]
Spot = tuple[int, int, int]
"""Layer (0 is in front), row, column."""
_WAYS = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]


@dataclass(frozen=True, slots=True)
class Pad:
    """Copper that is there: its middle, half sides and the radius of its corners in millimetres;
    its layers; None of a net: it is nobody's.
    """

    net: str | None
    at: tuple[float, float]
    half: tuple[float, float]
    radius: float
    layers: Sequence[int]

    def distance(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        """From its edge to points; below zero inside."""
        beside = np.maximum(abs(x - self.at[0]) - (self.half[0] - self.radius), 0)
        above = np.maximum(abs(y - self.at[1]) - (self.half[1] - self.radius), 0)
        return np.hypot(beside, above) - self.radius


@dataclass(slots=True)
class Laid:
    """The copper of one net: its ways, and what they keep free for each width."""

    ways: list[list[Spot]] = field(default_factory=list)
    taken: dict[float, NDArray[np.bool_]] = field(default_factory=dict)


class Router:
    """The grid of a board: `size` in steps of `step` millimetres."""

    def __init__(
        self, size: tuple[int, int], step: float, pads: Sequence[Pad], widths: Mapping[str, float]
    ) -> None:
        self.step, self.pads, self.widths = step, pads, widths
        self.shape = (2, size[1] + 1, size[0] + 1)
        self.kinds = sorted({*widths.values(), VIA})
        self.y, self.x = np.mgrid[0 : size[1] + 1, 0 : size[0] + 1] * step
        self.walls = {kind: self._walls(kind, pads) for kind in self.kinds}
        self.own = {
            net: {kind: self._near(kind, [p for p in pads if p.net == net]) for kind in self.kinds}
            for net in widths
        }
        self.soft = {kind: np.zeros(self.shape, np.int32) for kind in self.kinds}
        self.dear = np.zeros(self.shape, np.float64)
        self.drills = self._drills()
        self.laid: dict[str, Laid] = {}

    def route(self) -> dict[str, list[list[Spot]]]:
        """The ways of every net.

        Raises:
            RuntimeError: a net is walled in, or the nets quarrel for ever.
        """
        waiting = sorted(self.widths, key=lambda net: (self.widths[net], self._spread(net), net))
        for _ in range(ROUNDS):
            if not waiting:
                return {net: laid.ways for net, laid in self.laid.items()}
            net = waiting.pop(0)
            laid = self._lay(net)
            torn = [other for other in self.laid if self._touch(laid, net, other)]
            for other in torn:
                self._tear(other, laid)
            self._keep(net, laid)
            waiting += torn
        raise RuntimeError(f"no way was found for {waiting}")

    def _spread(self, net: str) -> float:
        at = np.array([pad.at for pad in self.pads if pad.net == net])
        return float((at.max(0) - at.min(0)).sum())

    def _near(self, kind: float, pads: Iterable[Pad]) -> Grid:
        """How many pads forbid the middle of copper of a width to be at each spot."""
        made = np.zeros(self.shape, np.int32)
        reach = kind / 2 + CLEARANCE + DIAGONAL
        for pad in pads:
            rows, columns = self._window(pad, reach)
            near = pad.distance(self.x[rows, columns], self.y[rows, columns]) < reach
            for layer in pad.layers:
                made[layer, rows, columns] += near
        return made

    def _window(self, pad: Pad, reach: float) -> tuple[slice, slice]:
        low = [max(int((pad.at[n] - pad.half[n] - reach) / self.step), 0) for n in (0, 1)]
        high = [int((pad.at[n] + pad.half[n] + reach) / self.step) + 2 for n in (0, 1)]
        return slice(low[1], high[1]), slice(low[0], high[0])

    def _walls(self, kind: float, pads: Iterable[Pad]) -> Grid:
        made = self._near(kind, pads)
        keep = kind / 2 + EDGE
        outside = (self.x < keep) | (self.y < keep)
        outside |= (self.x > self.x.max() - keep) | (self.y > self.y.max() - keep)
        made[:, outside] += 1000
        return made

    def _drills(self) -> NDArray[np.bool_]:
        """Where no via may be drilled: in or beside any pad, also of its own net."""
        made = np.zeros(self.shape[1:], bool)
        for pad in self.pads:
            made |= pad.distance(self.x, self.y) < VIA / 2 + CLEARANCE
        return made

    def _spots(self, pad: Pad) -> set[Spot]:
        """The points of the grid well inside a pad; the nearest to its middle at least."""
        row, column = round(pad.at[1] / self.step), round(pad.at[0] / self.step)
        return {(layer, row, column) for layer in pad.layers}

    def _lay(self, net: str) -> Laid:
        left = [self._spots(pad) for pad in self.pads if pad.net == net]
        grown, laid = left.pop(0), Laid()
        while left:
            way = self._way(net, grown, set().union(*left))
            laid.ways.append(way)
            grown |= set(way)
            for reached in [spots for spots in left if spots & grown]:
                left.remove(reached)
                grown |= reached
        kinds: dict[float, set[Spot]] = {self.widths[net]: {s for way in laid.ways for s in way}}
        vias = {(layer, *b[1:]) for way in laid.ways for a, b in pairwise(way)
                if a[0] != b[0] for layer in (0, 1)}  # fmt: skip
        kinds[VIA] = kinds.get(VIA, set()) | vias
        laid.taken = {kind: self._taken(kind, kinds) for kind in self.kinds}
        return laid

    def _taken(self, kind: float, copper: Mapping[float, set[Spot]]) -> NDArray[np.bool_]:
        """Where copper of a width would come too near to this one."""
        made = np.zeros(self.shape, bool)
        for width, spots in copper.items():
            if not spots:
                continue
            reach = (kind + width) / 2 + CLEARANCE
            if kind == width == VIA:
                reach += 0.1  # from hole to hole
            far = int(reach / self.step)
            layers, rows, columns = np.array(sorted(spots)).T
            for down in range(-far, far + 1):
                for right in range(-far, far + 1):
                    if np.hypot(down, right) * self.step < reach - 1e-9:
                        r = np.clip(rows + down, 0, self.shape[1] - 1)
                        made[layers, r, np.clip(columns + right, 0, self.shape[2] - 1)] = True
        return made

    def _touch(self, laid: Laid, net: str, other: str) -> bool:
        taken = self.laid[other].taken
        vias = {s for way in laid.ways for a, s in pairwise(way) if a[0] != s[0]}
        flat = [s for way in laid.ways for s in way]
        return any(taken[self.widths[net]][s] for s in flat) or any(
            taken[VIA][layer, *s[1:]] for s in vias for layer in (0, 1)
        )

    def _keep(self, net: str, laid: Laid) -> None:
        self.laid[net] = laid
        for kind in self.kinds:
            self.soft[kind] += laid.taken[kind]

    def _tear(self, other: str, laid: Laid) -> None:
        gone = self.laid.pop(other)
        for kind in self.kinds:
            self.soft[kind] -= gone.taken[kind]
        quarrel = gone.taken[self.kinds[0]] & laid.taken[self.kinds[0]]
        self.dear[quarrel] += QUARREL

    def _way(self, net: str, start: set[Spot], goal: set[Spot]) -> list[Spot]:
        """The cheapest way from any of these spots to any of those."""
        kind = self.widths[net]
        price = np.where(self.walls[kind] - self.own[net][kind] > 0, np.inf, 1.0 + self.dear)
        price += TEAR * (self.soft[kind] > 0)
        bored = ((self.walls[VIA] - self.own[net][VIA]) > 0).any(0) | self.drills
        hole = np.where(bored, np.inf, VIA_COST + TEAR * (self.soft[VIA] > 0).any(0))
        goals = np.array(sorted(goal))
        far = _octile(self.shape, goals)
        found = _search(price.tolist(), hole.tolist(), far.tolist(), start, goal)
        if found is None:
            raise RuntimeError(f"{net} is walled in")
        return found


def _octile(shape: tuple[int, int, int], goals: Grid) -> NDArray[np.float64]:
    """From each point the least cost to the nearest goal, on whatever layer."""
    rows, columns = np.mgrid[0 : shape[1], 0 : shape[2]]
    made = np.full(shape[1:], np.inf)
    for _, row, column in goals:
        down, right = abs(rows - row), abs(columns - column)
        made = np.minimum(made, np.maximum(down, right) + 0.414 * np.minimum(down, right))
    return made


Plane = list[list[float]]


def _search(
    price: list[Plane], hole: Plane, far: Plane, start: set[Spot], goal: set[Spot]
) -> list[Spot] | None:
    best: dict[Spot, float] = dict.fromkeys(start, 0.0)
    came: dict[Spot, Spot] = {}
    queue = [(far[s[1]][s[2]], s, -1) for s in sorted(start)]
    heapq.heapify(queue)
    done: set[Spot] = set()
    while queue:
        _, spot, way = heapq.heappop(queue)
        if spot in done:
            continue
        done.add(spot)
        if spot in goal:
            return _back(came, spot)
        paid = best[spot]
        for cost, to, by in _steps(price, hole, spot, way):
            whole = paid + cost
            if whole < best.get(to, 1e9):
                best[to], came[to] = whole, spot
                heapq.heappush(queue, (whole + far[to[1]][to[2]], to, by))
    return None


def _steps(
    price: list[Plane], hole: Plane, at: Spot, way: int
) -> Iterator[tuple[float, Spot, int]]:
    """What each step from a spot costs; `way` is how it was come to."""
    layer, row, column = at
    plane = price[layer]
    for by, (down, right) in enumerate(_WAYS):
        r, c = row + down, column + right
        if 0 <= r < len(plane) and 0 <= c < len(plane[0]):
            cost = plane[r][c] * (1.414 if by & 1 else 1.0)
            # Slight corners cost a little, sharp ones much: they are where acid stays.
            turn = min(abs(by - way), 8 - abs(by - way)) if way >= 0 else 0
            yield cost + TURN * turn + (5.0 if turn > 2 else 0.0), (layer, r, c), by
    yield hole[row][column] + price[1 - layer][row][column], (1 - layer, row, column), -1


def _back(came: Mapping[Spot, Spot], spot: Spot) -> list[Spot]:
    way = [spot]
    while spot in came:
        spot = came[spot]
        way.append(spot)
    return way[::-1]


def straight(way: Sequence[Spot]) -> Iterator[tuple[Spot, Spot]]:
    """The way as its straight pieces; a change of layer is one of them.

    >>> list(straight([(0, 0, 0), (0, 0, 1), (0, 0, 2), (1, 0, 2), (1, 1, 2)]))
    [((0, 0, 0), (0, 0, 2)), ((0, 0, 2), (1, 0, 2)), ((1, 0, 2), (1, 1, 2))]
    """
    begin = way[0]
    for before, at, after in zip(way, way[1:], [*way[2:], None], strict=False):
        if after is None or _way_of(before, at) != _way_of(at, after):
            yield begin, at
            begin = at


def _way_of(a: Spot, b: Spot) -> tuple[int, ...]:
    return tuple(to - of for of, to in zip(a, b, strict=True))
