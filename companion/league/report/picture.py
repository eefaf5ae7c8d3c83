"""A picture to be sent around, 1080 × 1350 pixels, as phones show pictures whole. A race: who won,
on which board, everybody's place; a season: who leads after its last round, or has won it.

It is SVG, which messengers do not show: resvg makes a PNG of it, with the letters of a font that
comes with the extra, and those of this computer for what that font lacks.
"""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import bidirectional

from font_source_sans_pro import font_files_ttf
from resvg_py import svg_to_bytes

from companion.league.charts import PAINT, cars_in, color_of, fill
from companion.league.exchange.registry import Sheet, sheet_of
from companion.league.plain import Race, Season
from companion.league.report.paper import about_race, fate, race_title, rounds_line, title_of
from companion.league.results import Score
from companion.league.standings import Standing, planned, standings
from companion.league.view import View
from companion.rules.packs import COLORS
from companion.system.frozen import dataclass
from companion.views.screen import minutes
from companion.views.words import Words, fit, words

LETTERS = ("SourceSansPro", "SourceSansProBold")
MOST_ROWS = 20
NO_PAINT = ("#e4e1da", "#5d636d")
"""Of a car whose color nobody knows."""
FULL_PX = 74
"""Of a row in which letters have their full size."""
WIDEST_PX = 116
"""Of a row, where there are few."""


@dataclass(frozen=True, slots=True)
class Row:
    """The place, the number in the color of the car, who it is, and what there is to say."""

    place: int
    badge: str
    color: str
    name: str
    told: str


def write(queries: View, key: str, *, language: str = "en") -> bytes:
    """The picture of a season, or of a race, as PNG.

    Raises:
        BadAct: there is neither a season nor a race with this key.
    """
    return as_png(draw(queries, key, language=language))


def as_png(svg: str) -> bytes:
    """A picture in a form that every messenger shows."""
    return svg_to_bytes(svg, font_files=[font_files_ttf[weight] for weight in LETTERS])


def draw(queries: View, key: str, *, language: str = "en") -> str:
    """The picture as SVG."""
    sheet, say = sheet_of(queries, key), words(language)
    return _season(sheet, say) if sheet.is_whole else _race(sheet, say)


def _draw(color: str, title: str, name: str, about: str, rows: Sequence[Row]) -> str:
    """A head in the color of a car, and rows below it."""
    row_px = min(900 // max(len(rows), 1), WIDEST_PX)
    head = {"color": color, "title": title, "name": fit(name, 40), "about": about}
    paints = {**PAINT, "": NO_PAINT}
    scale = min(1, row_px / FULL_PX)
    return fill("picture.svg", paints=paints, row_px=row_px, scale=scale, rows=rows, **head)


def _named(race: Race, say: Words) -> str:
    """What a race is called, where that is not its day, which stands beside it."""
    title = race_title(race)
    return "" if title == race.date[:10] else title


RIGHT_TO_LEFT = ("R", "AL")


def isolated(name: str) -> str:
    """A name that runs its own way within a sentence: one from right to left would turn around
    what stands beside it.

    >>> isolated("Ana"), isolated("דנה") == "\\u2068דנה\\u2069"
    ('Ana', True)
    """
    if not any(bidirectional(sign) in RIGHT_TO_LEFT for sign in name):
        return name
    return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}"


def _row(place: int, badge: str, color: str, name: str, told: str) -> Row:
    return Row(place, badge, color, fit(name, 24), fit(told, 34))


# -- a race ------------------------------------------------------------------------------------


def _race(sheet: Sheet, say: Words) -> str:
    (race,) = sheet.races
    scores = list(sheet.scores(race))
    winners = [one for one in scores if one.place == 1 and one.is_classified]
    winner = ", ".join(sheet.name(one.entry) for one in winners)
    title = (
        say("{name} wins!", name=isolated(fit(winner, 24))) if winner else say("Nobody comes home")
    )
    color = (color_of(race, winners[0].entry) if winners else "") or "black"
    rows = [_row_of_race(sheet, race, score, say) for score in scores[:MOST_ROWS]]
    return _draw(color, title, _named(race, say), about_race(race, say), rows)


def _row_of_race(sheet: Sheet, race: Race, score: Score, say: Words) -> Row:
    entry = score.entry
    points = say.many("{n} point", "{n} points", score.points) if score.points else ""
    told = fate(entry, say) or points
    return _row(score.place, f"{entry.seat}", color_of(race, score.entry), sheet.name(entry), told)


# -- a season ----------------------------------------------------------------------------------


def _season(sheet: Sheet, say: Words) -> str:
    """The standings after the last round, the first twenty of them."""
    season = sheet.of_season
    lines = standings(season, sheet.races, sheet.names)
    colors = _colors(season, sheet.races, lines[:MOST_ROWS])
    first = [line for line in lines if line.place == 1 and (line.points > 0 or line.trial)]
    numbers = {one.driver: "" if one.number is None else f"{one.number}" for one in season.entrants}
    rows = [
        _row(line.place, numbers.get(line.key, ""), color, line.name, _told(line, say))
        for line, color in zip(lines, colors, strict=False)
    ]
    title, name = _title(sheet, first, say), title_of(season, say) if first else ""
    return _draw((colors[0] if first else "") or "black", title, name, _about(sheet, say), rows)


def _colors(season: Season, races: Sequence[Race], lines: Sequence[Standing]) -> list[str]:
    """Of each line the color of the car: as entered, else as it was driven last."""
    entered = {one.driver: (one.color or "").casefold() for one in season.entrants}
    driven = cars_in(races)
    found = (entered.get(line.key, "") or driven.get(line.key, ("",))[0] for line in lines)
    return [color if color in COLORS else "" for color in found]


def _title(sheet: Sheet, first: Sequence[Standing], say: Words) -> str:
    season = sheet.of_season
    if not first:
        return fit(title_of(season, say), 24)
    name = isolated(fit(", ".join(line.name for line in first), 24))
    held, all_of_them = len({race.round for race in sheet.races}), planned(season)
    if all_of_them is not None and held >= all_of_them:
        return say("{name} wins!", name=name)
    return say("{name} leads", name=name)


def _about(sheet: Sheet, say: Words) -> str:
    """How many rounds were driven, and the last of them."""
    parts = [rounds_line(sheet.of_season, sheet.races, say)]
    if sheet.races:
        last = sheet.races[-1]
        parts += [fit(_named(last, say), 30), last.date[:10]]
    return " · ".join(filter(None, parts))


def _told(line: Standing, say: Words) -> str:
    if line.trial is not None:
        return f"{line.trial.score} · {minutes(line.trial.seconds)}"
    points = say.many("{n} point", "{n} points", line.points) if line.scores else ""
    return " · ".join(part for part in (line.team or "", points) if part)
