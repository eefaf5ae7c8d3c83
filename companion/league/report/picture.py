"""A race as a picture to be sent around: who won, on which board, everybody's place; or a season:
who leads after its last round, or has won it."""

from __future__ import annotations

from companion.league.charts import COLOR_NAMES, drawing
from companion.league.exchange.sheet import Sheet, sheet_of
from companion.league.plain import Race
from companion.league.ports import LeagueQueries
from companion.league.report.canvas import MOST_ROWS, Canvas
from companion.league.report.season_picture import draw_season
from companion.league.report.terms import about_race, fate, race_title
from companion.league.scores import Score
from companion.views.words import Words, fit, words


def write(queries: LeagueQueries, key: str, *, language: str = "en") -> bytes:
    """The picture of a season, or of a race, as PNG.

    Raises:
        BadAct: there is neither a season nor a race with this key.
    """
    sheet, say = sheet_of(queries, key), words(language)
    with drawing():
        return (draw_season(sheet, say) if sheet.is_whole else _race(sheet, say)).png()


def _race(sheet: Sheet, say: Words) -> Canvas:
    (race,) = sheet.races
    scores = list(sheet.scores(race))
    canvas = Canvas(len(scores))
    winners = [one for one in scores if one.place == 1 and one.is_classified]
    winner = ", ".join(sheet.name(one.entry) for one in winners)
    title = say("{name} wins!", name=fit(winner, 24)) if winner else say("Nobody comes home")
    color = _color(race, winners[0]) if winners else "black"
    canvas.head(color, title, race_title(race, say), about_race(race, say))
    for number, score in enumerate(scores[:MOST_ROWS]):
        entry = score.entry
        points = say.many("{n} point", "{n} points", score.points) if score.points else ""
        told = fate(entry, say) or points
        badge, color = f"{entry.seat}", _color(race, score)
        canvas.row(number, score.place, badge, color, sheet.name(entry), told)
    return canvas


def _color(race: Race, score: Score) -> str:
    """The name of a car's color: as its table had it, else that of its seat."""
    seat = score.entry.seat
    told = (race.numbers.get("colors") or {}).get(f"{seat}")
    return told if told in COLOR_NAMES else COLOR_NAMES[(seat - 1) % len(COLOR_NAMES)]
