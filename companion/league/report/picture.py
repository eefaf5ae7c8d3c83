"""A race as a picture to be sent around: who won, on which board, everybody's place.

1080 × 1350 pixels, as phones show pictures whole. Drawn by matplotlib, like the charts.
"""

from __future__ import annotations

import io

from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from companion.league.charts import COLOR_NAMES, COLORS, INK, SOFT, drawing
from companion.league.exchange.sheet import race_sheet
from companion.league.plain import Race
from companion.league.ports import LeagueQueries
from companion.league.report.terms import about_race, fate, race_title
from companion.league.scores import Score
from companion.views.words import Words, fit, words

WIDTH_PX, HEIGHT_PX, DPI = 1080, 1350, 100
PAPER, WHITE = "#f5f3ee", "#ffffff"
DARK_INK = frozenset({"yellow", "green", "orange", "cyan", "pink"})
"""The colors on which a number is written dark."""
MOST_ROWS = 10
HEAD_PX = 400
ROW_PX = (84, 116)
"""Of ten rows, and of so few that they need not be narrow."""


def write(queries: LeagueQueries, key: str, *, language: str = "en") -> bytes:
    """The picture as PNG.

    Raises:
        BadAct: there is no such race.
    """
    say = words(language)
    sheet = race_sheet(queries, key)
    (race,) = sheet.races
    scores = list(sheet.scores(race))
    stream = io.BytesIO()
    with drawing():
        page = _Page(min(max(ROW_PX[0], 900 // max(len(scores), 1)), ROW_PX[1]))
        winners = [one for one in scores if one.place == 1 and one.is_classified]
        page.head(race, ", ".join(sheet.name(one.entry) for one in winners), winners, say)
        for place, score in enumerate(scores[:MOST_ROWS]):
            page.row(place, score, sheet.name(score.entry), _color(race, score), say)
        page.figure.savefig(stream, format="png", dpi=DPI, metadata={"Software": None})
    return stream.getvalue()


def _color(race: Race, score: Score) -> str:
    """The name of a car's color: as its table had it, else that of its seat."""
    seat = score.entry.seat
    told = (race.numbers.get("colors") or {}).get(f"{seat}")
    return told if told in COLOR_NAMES else COLOR_NAMES[(seat - 1) % len(COLOR_NAMES)]


class _Page:
    """The sheet: places are pixels from its upper left corner; `row_px` is a row with its gap."""

    def __init__(self, row_px: int) -> None:
        self._row_px = row_px
        self.figure = Figure(figsize=(WIDTH_PX / DPI, HEIGHT_PX / DPI), facecolor=PAPER)
        self._axes = self.figure.add_axes((0, 0, 1, 1))
        self._axes.set_xlim(0, WIDTH_PX)
        self._axes.set_ylim(HEIGHT_PX, 0)
        self._axes.axis("off")

    def head(self, race: Race, winner: str, winners: list[Score], say: Words) -> None:
        """The winner in the color of the car; the board and the day below."""
        name = _color(race, winners[0]) if winners else "black"
        ink = _ink(name)
        self._box(0, 0, WIDTH_PX, HEAD_PX, COLORS[COLOR_NAMES.index(name)], radius=0)
        title = say("{name} wins!", name=fit(winner, 24)) if winner else say("Nobody comes home")
        self._text(60, 190, title, 46 if len(title) < 20 else 34, ink, bold=True)
        self._text(60, 275, fit(race_title(race, say), 40), 26, ink)
        self._text(60, 335, about_race(race, say), 17, ink)

    def row(self, place: int, score: Score, name: str, color: str, say: Words) -> None:
        """A car: its place, number and driver, and how its race went."""
        top = HEAD_PX + 40 + place * self._row_px
        self._box(40, top, WIDTH_PX - 80, self._row_px - 12, WHITE, radius=14)
        middle = top + (self._row_px - 12) / 2
        self._text(100, middle, f"{score.place}", 24, INK, bold=True, align="center")
        self._box(140, middle - 27, 54, 54, COLORS[COLOR_NAMES.index(color)], radius=12)
        self._text(167, middle, f"{score.entry.seat}", 20, _ink(color), bold=True, align="center")
        self._text(220, middle, fit(name, 24), 22, INK, bold=True)
        told = fate(score.entry, say) or (
            say.many("{n} point", "{n} points", score.points) if score.points else ""
        )
        self._text(WIDTH_PX - 65, middle, fit(told, 34), 16, SOFT, align="right")

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


def _ink(color: str) -> str:
    return INK if color in DARK_INK else WHITE
