"""The report of a season: standings, teams, progress, rounds, penalties."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from companion.league.charts import progress_chart
from companion.league.exchange.registry import Sheet, season_sheet
from companion.league.plain import Race
from companion.league.report.paper import Table, print_chart, print_paper
from companion.league.report.race import chapter_of
from companion.league.report.terms import penalty_lines, points_line, race_title, rounds_line
from companion.league.results import EARNERS, classify, is_classified
from companion.league.standings import Standing, gross, standings, team_standings
from companion.league.view import View
from companion.views.words import Words, words

ROUNDS_UPRIGHT = 9
ROUNDS_AT_MOST = 26
"""Columns of rounds; of a longer season the latest are shown."""
LINES_AT_MOST = 10
"""Of the progress chart, the best drivers."""


def write(queries: View, key: str, *, language: str = "en", is_book: bool = False) -> bytes:
    """The report as a file of HTML.

    Args:
        is_book: the year-book, which has each race as a chapter of its own besides.

    Raises:
        BadAct: there is no such season.
    """
    sheet, say = season_sheet(queries, key), words(language)
    season, races = sheet.of_season, sheet.races
    rounds = sorted({race.round or 0 for race in races})
    about = [_dates(races), rounds_line(season, races, say), points_line(season.points, say)]
    lines, teams = standings(season, races, sheet.names), team_standings(season, races)
    penalties, notes = _remarks(sheet, say)
    drawn = gross(season, races, sheet.names)[:LINES_AT_MOST]
    return print_paper(
        "season.html",
        season.title,
        say,
        date=races[-1].date if races else "",
        is_wide=len(rounds) > ROUNDS_UPRIGHT,
        about=" · ".join(filter(None, about)),
        drivers=_standings(lines, rounds, say, head=say("Driver")),
        drops=any(score.dropped for line in lines for score in line.scores),
        team_cars=season.team_cars,
        teams=teams and _standings(teams, rounds, say),
        progress=drawn and len(drawn[0][1]) > 1 and print_chart(progress_chart(drawn, say)),
        races=_races(sheet, say),
        penalties=penalties,
        notes=notes,
        chapters=[chapter_of(sheet, race, say) for race in races] if is_book else (),
    )


def _dates(races: Sequence[Race]) -> str:
    days = sorted({race.date[:10] for race in races if race.date})
    return " – ".join(dict.fromkeys((days[0], days[-1]))) if days else ""


def _standings(
    lines: Sequence[Standing], rounds: Sequence[int], say: Words, *, head: str = ""
) -> Table:
    """Of drivers, whose `head` that is, or of teams."""
    shown = rounds[-ROUNDS_AT_MOST:]
    has_team = bool(head) and any(line.team for line in lines)
    has_penalty = any(line.penalty for line in lines)
    heads = ["#", head, *([say("Team")] if has_team else [])]
    heads += [*(f"{number}#" for number in shown), *([f"{say('Penalty')}#"] if has_penalty else [])]
    return Table(
        [*heads, f"{say('Points')}#"],
        [
            [
                line.place,
                line.name,
                *([line.team] if has_team else []),
                *(_cell(line, number) for number in shown),
                *([f"−{line.penalty}" if line.penalty else ""] if has_penalty else []),
                line.points,
            ]
            for line in lines
        ],
    )


def _cell(line: Standing, number: int) -> str:
    """What a round was worth: in brackets where it is dropped, of a team the sum that counts."""
    own = [score for score in line.scores if score.round == number]
    if not own:
        return "–"
    counted = [score.points for score in own if not score.dropped]
    return f"{sum(counted)}" if counted else f"({sum(score.points for score in own)})"


def _races(sheet: Sheet, say: Words) -> Table:
    heads = [f"{say('Round')}#", say("Date"), say("Race"), say("Winner")]
    rows = [_race_row(sheet, race, say) for race in sheet.races]
    return Table([*heads, say("Pole"), say("Best lap")], rows)


def _race_row(sheet: Sheet, race: Race, say: Words) -> list[str]:
    entries = classify(race)
    pole = [one for one in entries if one.grid == 1]
    seats = EARNERS["fastest"](entries)
    fastest = [one for one in entries if one.seat in seats]
    winners = [one for one in entries if one.place == 1 and is_classified(one)]
    factor = f" ×{race.factor}" if race.factor > 1 else ""
    people = (", ".join(sheet.name(one) for one in some) for some in (winners, pole, fastest))
    return [f"{race.round}{factor}", race.date[:10], race_title(race), *people]


def _remarks(sheet: Sheet, say: Words) -> tuple[list[str], list[str]]:
    """Penalties and notes, each with its round."""
    penalties = penalty_lines(sheet.of_season, sheet.names, say)
    notes = []
    for race in sheet.races:
        where = f"{say('Round')} {race.round} · "
        penalties += penalty_lines(race, sheet.names, say, where)
        notes += [f"{where}{note.text}" for note in race.notes]
    return penalties, notes


write_book = partial(write, is_book=True)
