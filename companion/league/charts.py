"""Charts, and how all that the league draws is printed: templates filled to SVG, HTML and PDF.

A chart, a picture and a paper are a template each in `templates/`. What is text in them is
escaped, and they load nothing from elsewhere. A paper is HTML with a print sheet; Debian's
program WeasyPrint makes a PDF of it. It is run as a program, as its libraries (Pango and what that
needs) come from Debian anyway.

The charts are lines for people to argue over: a season's progress, the positions and the gaps of a
race. A chart needs no library, no network and no browser. Every line has its own mark besides its
color and its name at its end, so that it is known on paper and by whoever does not see colors.
Words come through `say`, the page's or the reader's own. Lengths are in points: whoever shows a
chart says how large it is, and its letters go with it.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from functools import cache, lru_cache
from itertools import count, takewhile
from math import ceil, floor
from shutil import which
from threading import Lock
from types import MappingProxyType
from typing import Any, Final
from unicodedata import east_asian_width

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from companion.league.errors import LeagueError, Missing
from companion.league.plain import Entry, Race
from companion.system.frozen import dataclass

# -- printing -------------------------------------------------------------------------------------

PRINTER = "weasyprint"
LONGEST_S = 300
"""A year-book of thirty races on a slow Pi."""
KEPT = 8
"""PDFs; who asks for the same once more waits for nothing."""
THE_SAME_AGAIN = {"SOURCE_DATE_EPOCH": "0", "PYTHONHASHSEED": "0"}
"""The letters in a PDF bear the moment when they were put together, but for this."""
# A process of some 100 MiB: on a small Pi one at a time, whoever else asks waits.
_printing = Lock()


def fill(template: str, **values: object) -> Markup:
    """A template of `templates/` with these values in it."""
    return Markup(_templates().get_template(template).render(values))


@cache
def _templates() -> Environment:
    return Environment(
        loader=PackageLoader("companion.league"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def can_print() -> bool:
    """Whether this computer makes PDF."""
    return which(PRINTER) is not None


@lru_cache(maxsize=KEPT)
def print_pdf(page: bytes) -> bytes:
    """A paper as PDF.

    Raises:
        Missing: WeasyPrint is not installed.
        LeagueError: it failed.
    """
    if not can_print():
        raise Missing(
            f"a PDF needs {PRINTER}: sudo apt install {PRINTER}; or print a page: -o X.html"
        )
    try:
        with _printing:
            done = subprocess.run(
                [PRINTER, "--quiet", "-", "-"],
                input=page,
                capture_output=True,
                timeout=LONGEST_S,
                env=os.environ | THE_SAME_AGAIN,
            )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise LeagueError(f"{PRINTER} failed: {error}") from error
    if done.returncode:
        told = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise LeagueError(f"{PRINTER} failed: {told}")
    return done.stdout


# -- charts ---------------------------------------------------------------------------------------

Say = Callable[[str], str]

PAINT: Final = {
    "red": ("#ba230b", "#fff"),
    "blue": ("#4068a0", "#fff"),
    "yellow": ("#ffdb35", "#15151b"),
    "green": ("#30b082", "#15151b"),
    "black": ("#15151b", "#fff"),
    "orange": ("#ec6821", "#15151b"),
    "violet": ("#42136b", "#fff"),
    "cyan": ("#9effed", "#15151b"),
    "pink": ("#d98ec4", "#15151b"),
    "brown": ("#401b08", "#fff"),
}
"""Of each color of a car, by seat from 1, the paint and the ink that is read on it, as the pages
have them (`static/base.css`); drivers of a season take them in order."""
COLOR_NAMES: Final = tuple(PAINT)
COLORS: Final = tuple(paint for paint, _ in PAINT.values())
MARKS: Final = {
    "o": "m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0z",
    "s": "m-2.5 -2.5h5v5h-5z",
    "^": "m0 -3l3 5.5h-6z",
    "D": "m0 -3.4l3.4 3.4l-3.4 3.4l-3.4 -3.4z",
    "v": "m0 3l3 -5.5h-6z",
    "P": "m-1 -3h2v2h2v2h-2v2h-2v-2h-2v-2h2z",
    "X": "m0 -1.4l1.6 -1.6l1.4 1.4l-1.6 1.6l1.6 1.6l-1.4 1.4l-1.6 -1.6l-1.6 1.6l-1.4 -1.4l1.6 -1.6"
    "l-1.6 -1.6l1.4 -1.4z",
    "*": "m0 -3.5l.8 2.4l2.5 0l-2 1.5l.8 2.4l-2.1 -1.4l-2.1 1.4l.8 -2.4l-2 -1.5l2.5 0z",
    "<": "m-3 0l5.5 -3v6z",
    ">": "m3 0l-5.5 -3v6z",
}
"""The shape of each mark, from its middle on, as a path of SVG."""
INK, SOFT, GRID = "#1b1e23", "#5d636d", "#dcd8cf"
MARKED_MOST, MARKS_MOST = 40, 240
"""Points of a line, and of all lines; beyond them every mark would hide the next."""
MOST_LINES = 20
"""Of a picture, the first ones: names of more have no room beside it."""
WIDE: Final = (576.0, 302.4)
NARROW: Final = (331.2, 288.0)
"""Letters keep their size, so a picture for a phone is another picture."""
NAMES_SHARE: Final = 0.34
"""Of the width, at most, for the names beside the lines."""
LETTER: Final = 6.0
"""How wide a letter is about: nobody knows the font that shows it."""
APART: Final = 12.5
"""A name from the next."""
FEW_TICKS, MANY_TICKS, ROWS_AT_MOST = 6, 12, 8
Scale = Callable[[float], float]


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

    @property
    def runs_down(self) -> bool:
        """Whether the least value stands on top."""
        return self.is_places or self.is_downwards


def progress_chart(
    lines: Sequence[tuple[str, Sequence[float]]],
    say: Say,
    *,
    colors: Mapping[str, str] = MappingProxyType({}),
) -> Chart:
    """The points of each driver after each round, who has most first.

    Args:
        colors: of people's cars, by name; two in one color have other marks.
    """
    wanted = [COLOR_NAMES.index(colors[name]) + 1 for name, _ in lines if name in colors]
    free = (n for n in count(1) if n not in wanted)
    taken: list[int] = []
    for name, _ in lines:
        number = COLOR_NAMES.index(colors[name]) + 1 if name in colors else next(free)
        taken.append(number + len(COLORS) * taken.count(number))
    drawn = tuple(
        Line(name, n, (0, *points)) for n, (name, points) in zip(taken, lines, strict=True)
    )
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
    home: Set[int] = frozenset(),
    colors: Mapping[int, str] = MappingProxyType({}),
) -> Chart:
    """How many spaces each seat is behind the first, at the start of each round; as long as all
    `home` are on the track: once the first one is home, the gaps are to somebody else.

    Args:
        home: the seats that came home.
    """
    gaps = list(takewhile(lambda row: home <= row.keys(), gaps)) or gaps
    lines = tuple(
        Line(name, _number(seat, colors), tuple(row.get(seat) for row in gaps))
        for seat, name in names.items()
    )
    return Chart(say("round"), say("spaces behind the first"), lines, 1, is_downwards=True)


def race_chart(race: Race, what: str, say: Say) -> Chart | None:
    """The `positions` or the `gaps` of a race, round by round; None where its table has written
    down none."""
    names, colors = seat_names(race), seat_colors(race)
    if what == "positions":
        rows = race.numbers.get("rounds") or ()
        label = say("round")
        return position_chart(rows, names, say, x_label=label, colors=colors) if rows else None
    gaps = [{int(seat): gap for seat, gap in row.items()} for row in race.numbers.get("gaps") or ()]
    home = {entry.seat for entry in race.entries if entry.status == "finished"}
    return gap_chart(gaps, names, say, home=home, colors=colors) if gaps else None


def seat_names(race: Race) -> dict[int, str]:
    """The names of a race by seat."""
    return {entry.seat: entry.name for entry in sorted(race.entries, key=lambda e: e.seat)}


def seat_colors(race: Race) -> dict[int, str]:
    """The colors of its cars by seat, as far as its table told them."""
    return {int(seat): color for seat, color in (race.numbers.get("colors") or {}).items()}


def expected_chart(
    curves: Mapping[int, Mapping[int, float]],
    names: Mapping[int, str],
    say: Say,
    label: str,
    *,
    colors: Mapping[int, str] = MappingProxyType({}),
    is_downwards: bool = False,
) -> Chart:
    """What was expected of each seat after each round (from 0); `label` says what."""
    last = max((number for curve in curves.values() for number in curve), default=0)
    lines = []
    for seat, curve in curves.items():
        now, ys = None, list[float | None]()
        for number in range(last + 1):
            now = curve.get(number, now)
            ys.append(now if number <= max(curve, default=0) else None)
        lines.append(Line(names[seat], _number(seat, colors), tuple(ys)))
    return Chart(say("round"), label, tuple(lines), is_downwards=is_downwards)


def _number(seat: int, colors: Mapping[int, str]) -> int:
    """The number of a seat's line: that of its car's color, else its own."""
    return COLOR_NAMES.index(colors[seat]) + 1 if colors.get(seat) in COLOR_NAMES else seat


def color_of(race: Race, entry: Entry) -> str:
    """The name of a car's color: as its table had it, else that of its seat; empty for a car of
    which nobody knows."""
    if race.source != "record":
        return ""
    named = (race.numbers.get("colors") or {}).get(f"{entry.seat}")
    of_seat = COLOR_NAMES[(entry.seat - 1) % len(COLOR_NAMES)]
    return named if named in COLOR_NAMES else of_seat


def cars_in(races: Sequence[Race]) -> dict[str, tuple[str, int]]:
    """The color of each driver's car in the latest of some races that tells it, and its number."""
    found: dict[str, tuple[str, int]] = {}
    for race in reversed(races):
        for entry in race.entries:
            if color := color_of(race, entry):
                found.setdefault(entry.driver, (color, entry.seat))
    return found


def look_of(number: int) -> tuple[str, str]:
    """Color and mark of a line, from 1; a hundred lines have a hundred looks.

    >>> look_of(1), look_of(11)
    (('#ba230b', 'o'), ('#ba230b', 's'))
    """
    turns, at = divmod(number - 1, len(COLORS))
    return COLORS[at], tuple(MARKS)[(at + turns) % len(MARKS)]


def draw_svg(chart: Chart, *, is_narrow: bool = False, is_themed: bool = True) -> str:
    """The chart as SVG, its letters as text.

    Args:
        is_narrow: for a phone.
        is_themed: whether it follows the theme of whoever looks at it by itself, as a picture in a
            page has to; on paper it does not. The lines keep the colors of their cars: a casing in
            the ink of the theme sets them off.
    """
    chart = replace(chart, lines=chart.lines[:MOST_LINES])
    return fill(
        "chart.svg",
        chart=chart,
        is_themed=is_themed,
        ink=INK,
        soft=SOFT,
        grid=GRID,
        **_laid_out(chart, *(NARROW if is_narrow else WIDE)),
    )


def _laid_out(chart: Chart, width: float, height: float) -> dict[str, object]:
    """Where everything stands in a chart of this size, by the names that the template has."""
    lines = [line for line in chart.lines if any(y is not None for y in line.ys)]
    longest = max((_width(_fit(line.name, width)) for line in lines), default=0)
    left, top, bottom = 46, 8, height - 34
    right = width - longest - 32
    steps = (chart.start, chart.start + max((len(line.ys) for line in lines), default=1) - 1)
    low, high = _ends(chart)
    across = _scale(*steps, left + 6, right - 6)
    down = _scale(low, high, *((top + 8, bottom - 8) if chart.runs_down else (bottom - 8, top + 8)))
    most = FEW_TICKS if width < WIDE[0] else MANY_TICKS
    heights = MOST_LINES if chart.is_places else ROWS_AT_MOST
    drawn = [_drawn(chart, line, _fit(line.name, width), across, down) for line in lines]
    _end_low(drawn, down, len(chart.lines)) if chart.is_places else _set_apart(drawn, bottom)
    return {
        "width": width,
        "height": height,
        "box": (left, top, right, bottom),
        "columns": [(across(step), step) for step in ticks(*steps, most)],
        "rows": [(down(value), value) for value in ticks(low, high, heights)],
        "lines": drawn,
    }


def _ends(chart: Chart) -> tuple[float, float]:
    """The least and the most of the y axis."""
    if chart.is_places:
        return 1, len(chart.lines)
    values = [y for line in chart.lines for y in line.ys if y is not None]
    return min(values, default=0), max(values, default=0)


def _drawn(chart: Chart, line: Line, name: str, across: Scale, down: Scale) -> dict[str, Any]:
    """A line as paths, with its name at its end."""
    points = [(across(x), down(y)) for x, y in enumerate(line.ys, chart.start) if y is not None]
    texts = [f"{x:g} {y:g}" for x, y in points]
    every = max(1, len(points) // MARKED_MOST, len(points) * len(chart.lines) // MARKS_MOST)
    color, mark = look_of(line.number)
    return {
        "color": color,
        "shape": MARKS[mark],
        "points": " ".join(texts),
        "marks": "".join(f"M{text}{MARKS[mark]}" for text in texts[::every]),
        "name": name,
        "end": points[-1][0],
        "y": points[-1][1],
    }


def _end_low(drawn: Sequence[dict[str, Any]], down: Scale, places: int) -> None:
    """Places never meet, but for those of cars that are out: their names stand last, who was out
    first below all."""
    last = max((line["end"] for line in drawn), default=0)
    gone = sorted((line for line in drawn if line["end"] < last), key=lambda line: line["end"])
    for place, line in zip(range(places, 0, -1), gone, strict=False):
        line["y"] = down(place)


def _set_apart(drawn: Sequence[dict[str, Any]], bottom: float) -> None:
    """Lines may end in one point: their names stand in the order of the ends, below each other."""
    in_order = sorted(drawn, key=lambda line: line["y"])
    free = 0.0
    for line in in_order:
        line["y"] = max(line["y"], free)
        free = line["y"] + APART
    free = bottom
    for line in reversed(in_order):
        line["y"] = round(min(line["y"], free), 1)
        free = line["y"] - APART


def _scale(low: float, high: float, start: float, end: float) -> Scale:
    """Values from `low` to `high` as places from `start` to `end`; of one value the middle."""
    if low == high:
        return lambda _: (start + end) / 2
    return lambda value: round(start + (value - low) / (high - low) * (end - start), 1)


def ticks(low: float, high: float, most: int) -> range:
    """At most so many whole numbers, at even steps.

    >>> list(ticks(0, 24, 6)), list(ticks(1, 3, 6))
    ([0, 5, 10, 15, 20], [1, 2, 3])
    """
    steps = (one * 10**power for power in count() for one in (1, 2, 5))
    step = next(step for step in steps if (high - low) / step < most)
    return range(ceil(low / step) * step, floor(high) + 1, step)


def _fit(name: str, width: float) -> str:
    """A name cut so that the lines have room beside it."""
    while _width(name) > width * NAMES_SHARE:
        name = name.rstrip("…")[:-1].rstrip() + "…"
    return name


def _width(text: str) -> float:
    return LETTER * sum(1 + (east_asian_width(letter) in "WF") for letter in text)
