"""A printed part as its STL has it, and how much of another solid stands in it.

A grid of columns along z: where a column crosses the surface it goes in or out. Good to a few
per cent at a grid of a quarter of a millimetre, which is finer than a printer is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
STEP_MM = 0.25
NUDGE_MM = 0.0137
"""Off every round figure, so that no column runs along a surface."""


@dataclass(frozen=True)
class Solid:
    """What a box (x, y, z from and to) holds of a shape; `within` is of x, y, z."""

    box: tuple[tuple[float, float], tuple[float, float], tuple[float, float]]
    within: Callable[[Floats, Floats, Floats], Bools]

    def moved(self, x: float = 0, y: float = 0, z: float = 0) -> Solid:
        """The same, elsewhere."""
        by = (x, y, z)
        box = [(low + d, high + d) for (low, high), d in zip(self.box, by, strict=True)]
        return Solid(
            (box[0], box[1], box[2]), lambda px, py, pz: self.within(px - x, py - y, pz - z)
        )


def block(x: tuple[float, float], y: tuple[float, float], z: tuple[float, float]) -> Solid:
    """A block between these."""
    return Solid((x, y, z), lambda px, py, pz: np.ones(px.shape, bool))


def rod(at: tuple[float, float], z: tuple[float, float], outer: float, inner: float = 0.0) -> Solid:
    """A cylinder along z of this outer diameter; a tube where there is an inner one."""
    x, y, r = *at, outer / 2

    def within(px: Floats, py: Floats, pz: Floats) -> Bools:
        far = np.hypot(px - x, py - y)
        return (far <= r) & (far >= inner / 2)

    return Solid(((x - r, x + r), (y - r, y + r), z), within)


class Mesh:
    """The triangles of an STL in ASCII, each corner turned by `place`."""

    def __init__(self, path: Path, place: Callable[[Floats], Floats]) -> None:
        found = re.findall(r"vertex (\S+) (\S+) (\S+)", path.read_text())
        self._triangles = place(np.array(found, float)).reshape(-1, 3, 3)

    def overlap(self, solid: Solid) -> float:
        """So many cubic millimetres of the solid stand in this part."""
        x, y, z = (
            np.arange(low + STEP_MM / 2 + NUDGE_MM, high, STEP_MM) for low, high in solid.box
        )
        inside = self._inside(x, y, z)
        within = solid.within(*np.meshgrid(x, y, z, indexing="ij"))
        return float((inside & within).sum() * STEP_MM**3)

    def _inside(self, x: Floats, y: Floats, z: Floats) -> Bools:
        """Whether each point of a grid is in the part."""
        odd = np.zeros((len(x), len(y), len(z)), bool)
        low, high = self._triangles.min(1), self._triangles.max(1)
        near = (high[:, 0] >= x[0]) & (low[:, 0] <= x[-1])
        near &= (high[:, 1] >= y[0]) & (low[:, 1] <= y[-1]) & (high[:, 2] >= z[0])
        for corners in self._triangles[near]:
            self._cross(corners, x, y, z, odd)
        return odd

    @staticmethod
    def _cross(corners: Floats, x: Floats, y: Floats, z: Floats, odd: Bools) -> None:
        """What lies under a triangle is in where it was out, and out where it was in."""
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = corners
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        if abs(area) < 1e-9:
            return
        i = slice(*np.searchsorted(x, [min(ax, bx, cx), max(ax, bx, cx)]))
        j = slice(*np.searchsorted(y, [min(ay, by, cy), max(ay, by, cy)]))
        px, py = x[i, None], y[None, j]
        u = ((px - ax) * (cy - ay) - (cx - ax) * (py - ay)) / area
        v = ((bx - ax) * (py - ay) - (px - ax) * (by - ay)) / area
        hit = (u >= 0) & (v >= 0) & (u + v <= 1)
        height = az + u * (bz - az) + v * (cz - az)
        odd[i, j] ^= hit[:, :, None] & (z[None, None, :] < height[:, :, None])
