"""A season as a picture to be sent around: who leads after its last round, or has won it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.league.dates import planned
from companion.league.exchange.sheet import Sheet
from companion.league.plain import Season
from companion.league.report.canvas import MOST_ROWS, Canvas
from companion.league.report.terms import race_title, rounds_line
from companion.league.standings import Standing, standings
from companion.rules.colors import COLORS, share_out
from companion.views.seat.parts import minutes
from companion.views.words import Words, fit


def draw_season(sheet: Sheet, say: Words) -> Canvas:
    """The standings after the last round, the first ten of them."""
    season = sheet.of_season
    lines = standings(season, sheet.races, sheet.names)
    shown, canvas = lines[:MOST_ROWS], Canvas(len(lines))
    colors = _colors(season, shown)
    first = [line for line in lines if line.place == 1 and (line.points > 0 or line.trial)]
    color = colors[0] if first else "black"
    canvas.head(color, _title(sheet, first, say), season.title if first else "", _about(sheet, say))
    numbers = {one.driver: one.number for one in season.entrants}
    for row, (line, color) in enumerate(zip(shown, colors, strict=True)):
        number = numbers.get(line.key)
        badge = "" if number is None else f"{number}"
        canvas.row(row, line.place, badge, color, line.name, _told(line, say))
    return canvas


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
