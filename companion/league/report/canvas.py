"""The sheet that pictures to be sent around are drawn on, and what they have in common.

1080 × 1350 pixels, as phones show pictures whole. Drawn by matplotlib, like the charts.
"""

from __future__ import annotations

import io

from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from companion.league.charts import COLOR_NAMES, COLORS, INK, SOFT
from companion.views.words import fit

WIDTH_PX, HEIGHT_PX, DPI = 1080, 1350, 100
PAPER, WHITE = "#f5f3ee", "#ffffff"
DARK_INK = frozenset({"yellow", "green", "orange", "cyan", "pink"})
"""The colors on which a number is written dark."""
MOST_ROWS = 10
HEAD_PX = 400
ROW_PX = (84, 116)
"""Of ten rows, and of so few that they need not be narrow."""


class Canvas:
    """A head in the color of a car and rows below it; places are pixels from the upper left corner.

    Args:
        rows: how many there are.
    """

    def __init__(self, rows: int) -> None:
        self._row_px = min(max(ROW_PX[0], 900 // max(rows, 1)), ROW_PX[1])
        self._figure = Figure(figsize=(WIDTH_PX / DPI, HEIGHT_PX / DPI), facecolor=PAPER)
        self._axes = self._figure.add_axes((0, 0, 1, 1))
        self._axes.set_xlim(0, WIDTH_PX)
        self._axes.set_ylim(HEIGHT_PX, 0)
        self._axes.axis("off")

    def head(self, color: str, title: str, name: str, about: str) -> None:
        """Who is in front, what it is called, and a line about it."""
        ink = _ink(color)
        self._box(0, 0, WIDTH_PX, HEAD_PX, _paint(color), radius=0)
        self._text(60, 190, title, 46 if len(title) < 20 else 34, ink, bold=True)
        self._text(60, 275, fit(name, 40), 26, ink)
        self._text(60, 335, about, 17, ink)

    def row(self, number: int, place: int, badge: str, color: str, name: str, told: str) -> None:
        """A row: the place, the number in the color of the car, who it is, and what there is to
        say; `number` is that of the row, from 0."""
        top = HEAD_PX + 40 + number * self._row_px
        self._box(40, top, WIDTH_PX - 80, self._row_px - 12, WHITE, radius=14)
        middle = top + (self._row_px - 12) / 2
        self._text(100, middle, f"{place}", 24, INK, bold=True, align="center")
        self._box(140, middle - 27, 54, 54, _paint(color), radius=12)
        self._text(167, middle, badge, 20, _ink(color), bold=True, align="center")
        self._text(220, middle, fit(name, 24), 22, INK, bold=True)
        self._text(WIDTH_PX - 65, middle, fit(told, 34), 16, SOFT, align="right")

    def png(self) -> bytes:
        """The picture."""
        stream = io.BytesIO()
        self._figure.savefig(stream, format="png", dpi=DPI, metadata={"Software": None})
        return stream.getvalue()

    def _text(
        self, x: float, y: float, text: str, size: float, color: str,
        *, bold: bool = False, align: str = "left",
    ) -> None:  # fmt: skip
        weight = "bold" if bold else "normal"
        self._axes.text(x, y, text, fontsize=size, color=color, fontweight=weight, ha=align,
                        va="center")  # fmt: skip

    def _box(
        self, x: float, y: float, width: float, height: float, color: str, *, radius: float
    ) -> None:
        style = f"round,pad=0,rounding_size={radius}" if radius else "square,pad=0"
        self._axes.add_patch(
            FancyBboxPatch((x, y), width, height, boxstyle=style, facecolor=color, edgecolor="none")
        )


def _paint(color: str) -> str:
    return COLORS[COLOR_NAMES.index(color)]


def _ink(color: str) -> str:
    return INK if color in DARK_INK else WHITE
