"""A picture to be sent around, 1080 × 1350 pixels, as phones show pictures whole. A race: who won,
on which board, everybody's place; a season: who leads after its last round, or has won it.

It is SVG, which messengers do not show: resvg makes a PNG of it, with the letters of a font that
comes with the extra, and those of this computer for what that font lacks.
"""

from __future__ import annotations

from collections.abc import Sequence

from font_source_sans_pro import font_files_ttf
from resvg_py import svg_to_bytes

from companion.league.charts import COLOR_NAMES, PAINT
from companion.league.exchange.registry import Sheet, sheet_of
from companion.league.plain import Race, Season
from companion.league.printing import fill
from companion.league.report.terms import about_race, fate, race_title, rounds_line
from companion.league.results import Score
from companion.league.standings import Standing, planned, standings
from companion.league.view import View
from companion.rules.packs import COLORS, share_out
from companion.system.frozen import dataclass
from companion.views.screen import minutes
from companion.views.words import Words, fit, words

LETTERS = ("SourceSansPro", "SourceSansProBold")
MOST_ROWS = 10
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
    return fill("picture.svg", paints=PAINT, row_px=row_px, rows=rows, **head)


def _row(place: int, badge: str, color: str, name: str, told: str) -> Row:
    return Row(place, badge, color, fit(name, 24), fit(told, 34))


# -- a race ------------------------------------------------------------------------------------


def _race(sheet: Sheet, say: Words) -> str:
    (race,) = sheet.races
    scores = list(sheet.scores(race))
    winners = [one for one in scores if one.place == 1 and one.is_classified]
    winner = ", ".join(sheet.name(one.entry) for one in winners)
    title = say("{name} wins!", name=fit(winner, 24)) if winner else say("Nobody comes home")
    color = _color(race, winners[0]) if winners else "black"
    rows = [_row_of_race(sheet, race, score, say) for score in scores[:MOST_ROWS]]
    return _draw(color, title, race_title(race, say), about_race(race, say), rows)


def _row_of_race(sheet: Sheet, race: Race, score: Score, say: Words) -> Row:
    entry = score.entry
    points = say.many("{n} point", "{n} points", score.points) if score.points else ""
    told = fate(entry, say) or points
    return _row(score.place, f"{entry.seat}", _color(race, score), sheet.name(entry), told)


def _color(race: Race, score: Score) -> str:
    """The name of a car's color: as its table had it, else that of its seat."""
    seat = score.entry.seat
    told = (race.numbers.get("colors") or {}).get(f"{seat}")
    return told if told in COLOR_NAMES else COLOR_NAMES[(seat - 1) % len(COLOR_NAMES)]


# -- a season ----------------------------------------------------------------------------------


def _season(sheet: Sheet, say: Words) -> str:
    """The standings after the last round, the first ten of them."""
    season = sheet.of_season
    lines = standings(season, sheet.races, sheet.names)
    colors = _colors(season, lines[:MOST_ROWS])
    first = [line for line in lines if line.place == 1 and (line.points > 0 or line.trial)]
    numbers = {one.driver: "" if one.number is None else f"{one.number}" for one in season.entrants}
    rows = [
        _row(line.place, numbers.get(line.key, ""), color, line.name, _told(line, say))
        for line, color in zip(lines, colors, strict=False)
    ]
    title, name = _title(sheet, first, say), season.title if first else ""
    return _draw(colors[0] if first else "black", title, name, _about(sheet, say), rows)


def _colors(season: Season, lines: Sequence[Standing]) -> list[str]:
    """Of each line the color entered, else one that is left."""
    entered = {one.driver: (one.color or "").casefold() for one in season.entrants}
    chosen: dict[int, str] = {}
    for row, line in enumerate(lines, 1):
        color = entered.get(line.key, "")
        if color in COLORS and color not in chosen.values():
            chosen[row] = color
    shared = share_out(range(1, len(lines) + 1), chosen)
    return [shared[row] for row in sorted(shared)]


def _title(sheet: Sheet, first: Sequence[Standing], say: Words) -> str:
    season = sheet.of_season
    if not first:
        return fit(season.title, 24)
    name = fit(", ".join(line.name for line in first), 24)
    held, all_of_them = len({race.round for race in sheet.races}), planned(season)
    if all_of_them is not None and held >= all_of_them:
        return say("{name} wins!", name=name)
    return say("{name} leads", name=name)


def _about(sheet: Sheet, say: Words) -> str:
    """How many rounds were driven, and the last of them."""
    parts = [rounds_line(sheet.of_season, sheet.races, say)]
    if sheet.races:
        last = sheet.races[-1]
        parts += [fit(race_title(last, say), 30), last.date[:10]]
    return " · ".join(parts)


def _told(line: Standing, say: Words) -> str:
    if line.trial is not None:
        return f"{line.trial.score} · {minutes(line.trial.seconds)}"
    points = say.many("{n} point", "{n} points", line.points) if line.scores else ""
    return " · ".join(part for part in (line.team or "", points) if part)
