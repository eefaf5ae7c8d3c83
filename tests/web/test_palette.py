"""The ten colors of the cars: told apart by every kind of eyes, and read on both themes."""

from __future__ import annotations

import math
import re
from itertools import combinations
from pathlib import Path

import pytest

from companion.rules.packs import COLORS

CSS = (Path(__file__).parents[2] / "web/companion_web/static/base.css").read_text(encoding="utf-8")
LEAST = 15.0
AA = 4.5
EDGE = 3.0
"""The contrast of a line with its paper."""
FAINT = 2.0
"""With less a colored edge is not seen."""

Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]
# Machado, Oliveira and Fernandes 2009, severity 1.0, on linear sRGB.
EYES: dict[str, Matrix] = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
               (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
               (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602),
               (0.004733, 0.691367, 0.303900)),
}  # fmt: skip
TO_XYZ: Matrix = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750),
                  (0.0193339, 0.1191920, 0.9503041))  # fmt: skip


def told(kind: str) -> dict[str, str]:
    """The hex colors that the stylesheet has as `--KIND-NAME`."""
    return dict(re.findall(rf"--{kind}-(\w+): (#\w+);", CSS))


def linear(color: str) -> Vector:
    digits = color[1:] if len(color) == 7 else "".join(2 * digit for digit in color[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return r, g, b


def times(matrix: Matrix, light: Vector) -> Vector:
    x, y, z = (sum(a * b for a, b in zip(row, light, strict=True)) for row in matrix)
    return x, y, z


def lab(light: Vector) -> Vector:
    """CIELAB under D65 of linear sRGB."""
    clipped = times(TO_XYZ, tuple(min(max(c, 0.0), 1.0) for c in light))  # type: ignore[arg-type]
    parts = [c / white for c, white in zip(clipped, (0.95047, 1.0, 1.08883), strict=True)]
    x, y, z = (c ** (1 / 3) if c > 0.008856 else 7.787 * c + 16 / 116 for c in parts)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def delta_e(one: Vector, other: Vector) -> float:
    """CIEDE2000, as Sharma, Wu and Dalal write it."""
    mean_c = (math.hypot(*one[1:]) + math.hypot(*other[1:])) / 2
    g = 0.5 * (1 - math.sqrt(mean_c**7 / (mean_c**7 + 25.0**7)))
    (l1, c1, h1), (l2, c2, h2) = ((p[0], *_polar((1 + g) * p[1], p[2])) for p in (one, other))
    turn = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    mean_h = h1 + h2 if c1 * c2 == 0 else (h1 + turn / 2) % 360
    mean_l, mean_c = (l1 + l2) / 2, (c1 + c2) / 2
    t = 1 + sum(
        weight * math.cos(math.radians(times_h * mean_h + off))
        for weight, times_h, off in ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.20, 4, -63))
    )
    s_l = 1 + 0.015 * (mean_l - 50) ** 2 / math.sqrt(20 + (mean_l - 50) ** 2)
    s_c, s_h = 1 + 0.045 * mean_c, 1 + 0.015 * mean_c * t
    bend = math.radians(60 * math.exp(-(((mean_h - 275) / 25) ** 2)))
    r = -2 * math.sqrt(mean_c**7 / (mean_c**7 + 25.0**7)) * math.sin(bend)
    d_l, d_c = (l2 - l1) / s_l, (c2 - c1) / s_c
    d_h = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2)) / s_h
    return math.sqrt(d_l**2 + d_c**2 + d_h**2 + r * d_c * d_h)


def _polar(a: float, b: float) -> tuple[float, float]:
    return math.hypot(a, b), math.degrees(math.atan2(b, a)) % 360


def luminance(color: str) -> float:
    return times(TO_XYZ, linear(color))[1]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_difference_is_that_of_the_published_pairs() -> None:
    pairs = [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ]
    for one, other, difference in pairs:
        assert delta_e(one, other) == pytest.approx(difference, abs=1e-4)


def test_the_stylesheet_has_a_paint_and_an_ink_for_each_color_of_a_header() -> None:
    assert tuple(told("paint")) == COLORS
    assert tuple(told("ink")) == COLORS


@pytest.mark.parametrize("eyes", EYES)
def test_no_two_cars_look_alike(eyes: str) -> None:
    seen = {name: lab(times(EYES[eyes], linear(c))) for name, c in told("paint").items()}
    nearest = min(combinations(seen, 2), key=lambda pair: delta_e(seen[pair[0]], seen[pair[1]]))
    assert delta_e(seen[nearest[0]], seen[nearest[1]]) >= LEAST, nearest


def test_a_number_is_read_on_its_car() -> None:
    inks = told("ink")
    for name, color in told("paint").items():
        assert contrast(color, inks[name]) >= AA, name


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_colored_edge_that_is_lost_on_its_paper_has_a_line_around_it(theme: str) -> None:
    light, dark = CSS.split("prefers-color-scheme: dark", 1)
    shown = {"light": light, "dark": dark}[theme]
    papers = [re.findall(rf"--{name}: (#\w+);", shown)[0] for name in ("paper", "panel")]
    rims = dict(re.findall(r"--rim-(\w+): (#\w+);", shown.split("}")[0]))
    for name, color in told("paint").items():
        edge = rims.get(name, color)
        least = EDGE if name in rims else FAINT
        assert min(contrast(edge, paper) for paper in papers) >= least, name
