"""Lines for people to argue over: a season's progress, the positions and the gaps of a race.

Drawn by matplotlib (in the extra `league`), which needs no network and no browser. Every line
has its own mark besides its color and its name at its end, so that it is known on paper and
by whoever does not see colors. Words come through `say`, the page's or the reader's own.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from threading import Lock
from types import MappingProxyType
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patheffects import Normal, Stroke
from matplotlib.ticker import MaxNLocator

from companion.frozen import dataclass
from companion.rules import colors as named

Say = Callable[[str], str]

COLORS = (
    *("#ba230b", "#4068a0", "#ffdb35", "#30b082", "#15151b"),
    *("#ec6821", "#42136b", "#9effed", "#d98ec4", "#401b08"),
)
"""Of the cars, by seat from 1, as the page has them; drivers of a season take them in order."""
COLOR_NAMES = named.COLORS
"""What a header calls them, in the same order."""
MARKS = "os^DvPX*<>"
INK, SOFT, GRID = "#1b1e23", "#5d636d", "#dcd8cf"
MARKED_MOST, MARKS_MOST = 40, 240
"""Points of a line, and of all lines; beyond them every mark would hide the next."""
MOST_LINES = 20
"""Of a picture, the first ones: names of more have no room beside it."""
ROOMY_MOST = 16
"""Names that have room beside a picture without standing closer together."""
PRINT_DPI = 200
WIDE_INCHES = (8.0, 4.2)
NARROW_INCHES = (4.6, 4.0)
"""Letters keep their size, so a picture for a phone is another picture."""

THEME = (
    "<style>@media (prefers-color-scheme: dark) {"
    f' [style*="fill: {INK}"] {{ fill: #eef0f3 !important; }}'
    f' [style*="stroke: {INK}"] {{ stroke: #eef0f3 !important; }}'
    f' [style*="fill: {SOFT}"] {{ fill: #a3a9b4 !important; }}'
    f' [style*="stroke: {SOFT}"] {{ stroke: #a3a9b4 !important; }}'
    f' [style*="stroke: {GRID}"] {{ stroke: #32363e !important; }} }}</style>'
).encode()
"""A chart in a page is a picture: it follows the theme by itself, as the page's styles end at it.
The lines keep the colors of their cars; a casing in the ink of the theme sets them off."""
_STYLE: dict[Any, Any] = {
    "font.family": ["DejaVu Sans"],
    "font.size": 10,
    "text.parse_math": False,  # a name may have dollars in it
    "svg.fonttype": "none",
    "svg.hashsalt": "companion",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": SOFT,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "axes.labelcolor": INK,
}
# matplotlib's settings are the whole process's: one chart at a time.
_drawing = Lock()


@contextmanager
def drawing() -> Iterator[None]:
    """While something is drawn in this house's style."""
    with _drawing, rc_context(_STYLE):
        yield


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a chart: `ys` by step of the x axis, None where there is no point.

    `number` chooses color and mark, from 1.
    """

    name: str
    number: int
    ys: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """What is drawn: `start` is the first step of the x axis.

    `is_places`: the y axis counts places, the first on top.
    """

    x_label: str
    y_label: str
    lines: tuple[Line, ...]
    start: int = 0
    is_places: bool = False
    is_downwards: bool = False


def progress_chart(lines: Sequence[tuple[str, Sequence[float]]], say: Say) -> Chart:
    """The points of each driver after each round, who has most first."""
    drawn = tuple(Line(name, n, (0, *points)) for n, (name, points) in enumerate(lines, 1))
    return Chart(say("round"), say("points"), drawn)


def position_chart(
    rows: Sequence[Sequence[int]],
    names: Mapping[int, str],
    say: Say,
    *,
    x_label: str,
    colors: Mapping[int, str] = MappingProxyType({}),
) -> Chart:
    """The place of each seat at each step; `rows` are all seats, first to last."""
    lines = tuple(
        Line(
            name,
            _number(seat, colors),
            tuple(row.index(seat) + 1 if seat in row else None for row in rows),
        )
        for seat, name in names.items()
    )
    return Chart(x_label, say("position"), lines, is_places=True)


def gap_chart(
    gaps: Sequence[Mapping[int, float]],
    names: Mapping[int, str],
    say: Say,
    *,
    colors: Mapping[int, str] = MappingProxyType({}),
) -> Chart:
    """How many spaces each seat is behind the first, at the start of each round."""
    lines = tuple(
        Line(name, _number(seat, colors), tuple(row.get(seat) for row in gaps))
        for seat, name in names.items()
    )
    return Chart(say("round"), say("spaces behind the first"), lines, 1, is_downwards=True)


def expected_chart(
    curves: Mapping[int, Mapping[int, float]],
    names: Mapping[int, str],
    say: Say,
    *,
    colors: Mapping[int, str] = MappingProxyType({}),
) -> Chart:
    """The turns that each seat was expected to take in all, after each round (from 0)."""
    last = max((number for curve in curves.values() for number in curve), default=0)
    lines = []
    for seat, curve in curves.items():
        now, ys = None, list[float | None]()
        for number in range(last + 1):
            now = curve.get(number, now)
            ys.append(now if number <= max(curve, default=0) else None)
        lines.append(Line(names[seat], _number(seat, colors), tuple(ys)))
    return Chart(say("round"), say("expected turns"), tuple(lines), is_downwards=True)


def _number(seat: int, colors: Mapping[int, str]) -> int:
    """The number of a seat's line: that of its car's color, else its own."""
    return COLOR_NAMES.index(colors[seat]) + 1 if colors.get(seat) in COLOR_NAMES else seat


def look_of(number: int) -> tuple[str, str]:
    """Color and mark of a line, from 1; a hundred lines have a hundred looks.

    >>> look_of(1), look_of(11)
    (('#ba230b', 'o'), ('#ba230b', 's'))
    """
    turns, at = divmod(number - 1, len(COLORS))
    return COLORS[at], MARKS[(at + turns) % len(MARKS)]


def draw_svg(chart: Chart, *, is_narrow: bool = False) -> bytes:
    """The chart as SVG, its letters as text; narrow for a phone."""
    size = NARROW_INCHES if is_narrow else WIDE_INCHES
    drawn = _draw(chart, "svg", size, transparent=True, metadata={"Date": None, "Creator": None})
    return drawn.replace(b"<defs>", THEME + b"<defs>", 1)


def draw_png(chart: Chart) -> bytes:
    """The chart for print."""
    return _draw(chart, "png", WIDE_INCHES, dpi=PRINT_DPI)


def _draw(chart: Chart, kind: str, size: tuple[float, float], **more: Any) -> bytes:
    stream = io.BytesIO()
    chart = replace(chart, lines=chart.lines[:MOST_LINES])
    with drawing():
        figure = Figure(figsize=size, layout="constrained")
        axes = figure.add_subplot()
        for line in chart.lines:
            _draw_line(axes, line, chart)
        _finish(axes, chart)
        figure.savefig(stream, format=kind, **more)
    return stream.getvalue()


def _draw_line(axes: Axes, line: Line, chart: Chart) -> None:
    points = [(x, y) for x, y in enumerate(line.ys, chart.start) if y is not None]
    if not points:
        return
    color, mark = look_of(line.number)
    xs, ys = zip(*points, strict=True)
    axes.plot(
        xs,
        ys,
        color=color,
        marker=mark,
        markersize=5,
        markevery=max(1, len(points) // MARKED_MOST, len(points) * len(chart.lines) // MARKS_MOST),
        linewidth=2,
        markeredgecolor=SOFT,
        markeredgewidth=0.6,
        path_effects=[Stroke(linewidth=3.2, foreground=SOFT), Normal()],
        solid_joinstyle="round",
        clip_on=False,
    )
    if chart.is_places:  # places never meet: a name fits beside each
        axes.annotate(
            line.name,
            points[-1],
            xytext=(9, 0),
            textcoords="offset points",
            va="center",
            color=INK,
            annotation_clip=False,
        )


def _finish(axes: Axes, chart: Chart) -> None:
    axes.set_xlabel(chart.x_label)
    axes.set_ylabel(chart.y_label)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    if chart.is_places:
        axes.set_ylim(len(chart.lines) + 0.5, 0.5)
        axes.set_yticks(range(1, len(chart.lines) + 1))
    else:
        if chart.is_downwards:
            axes.invert_yaxis()
        _name_lines(axes, chart)


def _name_lines(axes: Axes, chart: Chart) -> None:
    """Names of lines that may end in one point: beside the chart, in the order of their ends."""
    drawn = [line for line in chart.lines if any(y is not None for y in line.ys)]
    ends = [next(y for y in reversed(line.ys) if y is not None) for line in drawn]
    sign = 1 if chart.is_downwards else -1
    order = sorted(range(len(drawn)), key=lambda at: (sign * ends[at], drawn[at].number))
    if order:
        axes.legend(
            [axes.lines[at] for at in order],
            [drawn[at].name for at in order],
            loc="upper left",
            bbox_to_anchor=(1.01, 1),
            frameon=False,
            labelcolor=INK,
            labelspacing=0.5 if len(order) <= ROOMY_MOST else 0.2,
        )
