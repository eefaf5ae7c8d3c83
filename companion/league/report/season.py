"""The report of a season: standings, teams, progress, rounds, penalties."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.league.charts import draw_png, progress_chart
from companion.league.classified import classify
from companion.league.exchange.sheet import Sheet, season_sheet
from companion.league.plain import Race, Season
from companion.league.ports import LeagueQueries
from companion.league.report.paper import CHART_ROOM_MM, Column, Paper
from companion.league.report.race import print_race
from companion.league.report.terms import penalty_lines, points_line, race_title, rounds_line
from companion.league.scores import EARNERS, is_classified
from companion.league.standings import Standing, gross, standings, team_standings
from companion.views.words import Words, words

ROUNDS_UPRIGHT = 9
ROUNDS_AT_MOST = 26
"""Columns of rounds; of a longer season the latest are shown."""
LINES_AT_MOST = 10
"""Of the progress chart, the best drivers."""


def write(queries: LeagueQueries, key: str, *, language: str = "en") -> bytes:
    """The report as PDF.

    Raises:
        BadAct: there is no such season.
    """
    return _printed(season_sheet(queries, key), words(language)).content()


def write_book(queries: LeagueQueries, key: str, *, language: str = "en") -> bytes:
    """The year-book as PDF: the report, and each race on pages of its own.

    Raises:
        BadAct: there is no such season.
    """
    say, sheet = words(language), season_sheet(queries, key)
    paper = _printed(sheet, say)
    for race in sheet.races:
        paper.add_page()
        print_race(paper, sheet, race, say)
    return paper.content()


def _printed(sheet: Sheet, say: Words) -> Paper:
    """The report on paper."""
    season = sheet.of_season
    rounds = sorted({race.round or 0 for race in sheet.races})
    about = [
        _dates(sheet.races),
        rounds_line(season, sheet.races, say),
        points_line(season.points, say),
    ]
    latest = sheet.races[-1].date if sheet.races else ""
    paper = Paper(
        season.title, " · ".join(filter(None, about)), latest, is_wide=len(rounds) > ROUNDS_UPRIGHT
    )
    lines = standings(season, sheet.races, sheet.names)
    paper.heading(say("Standings"))
    _print_lines(paper, lines, rounds, say, has_team=True)
    _print_scoring(paper, season, lines, say)
    teams = team_standings(season, sheet.races)
    if teams:
        paper.heading(say("Teams"))
        _print_lines(paper, teams, rounds, say, has_team=False)
    _print_progress(paper, sheet, season, say)
    _print_races(paper, sheet, say)
    _print_remarks(paper, sheet, season, say)
    return paper


def _dates(races: Sequence[Race]) -> str:
    days = sorted({race.date[:10] for race in races if race.date})
    return " – ".join(dict.fromkeys((days[0], days[-1]))) if days else ""


def _print_lines(
    paper: Paper, lines: Sequence[Standing], rounds: Sequence[int], say: Words, *, has_team: bool
) -> None:
    shown = rounds[-ROUNDS_AT_MOST:]
    has_penalty = any(line.penalty for line in lines)
    columns = [Column("", 8, is_number=True), Column(say("Driver") if has_team else "", 36)]
    has_team = has_team and any(line.team for line in lines)
    columns += [Column(say("Team"), 26)] if has_team else []
    columns += [Column(f"{number}", 11, is_number=True) for number in shown]
    columns += [Column(say("Penalty"), 17, is_number=True)] if has_penalty else []
    columns.append(Column(say("Points"), 16, is_number=True))
    paper.rows(
        columns,
        (
            [
                f"{line.place}",
                line.name,
                *([line.team or ""] if has_team else []),
                *(_cell(line, number) for number in shown),
                *([f"−{line.penalty}" if line.penalty else ""] if has_penalty else []),
                f"{line.points}",
            ]
            for line in lines
        ),
    )


def _cell(line: Standing, number: int) -> str:
    """What a round was worth: in brackets where it is dropped, of a team the sum that counts."""
    own = [score for score in line.scores if score.round == number]
    if not own:
        return "–"
    counted = [score.points for score in own if not score.dropped]
    return f"{sum(counted)}" if counted else f"({sum(score.points for score in own)})"


def _print_scoring(paper: Paper, season: Season, lines: Iterable[Standing], say: Words) -> None:
    if any(score.dropped for line in lines for score in line.scores):
        paper.small(say("In brackets: does not count, as one of the worst."))
    if season.team_cars:
        paper.small(
            say.many(
                "A team scores with its best car of a round.",
                "A team scores with its best {n} cars of a round.",
                season.team_cars,
            )
        )


def _print_progress(paper: Paper, sheet: Sheet, season: Season, say: Words) -> None:
    drawn = gross(season, sheet.races, sheet.names)[:LINES_AT_MOST]
    if not drawn or len(drawn[0][1]) < 2:
        return
    paper.heading(say("Progress"), room_mm=CHART_ROOM_MM)
    paper.chart(draw_png(progress_chart(drawn, say)))


def _print_races(paper: Paper, sheet: Sheet, say: Words) -> None:
    if not sheet.races:
        return
    columns = (
        Column(say("Round"), 16, is_number=True),
        Column(say("Date"), 22),
        Column(say("Race"), 44),
        Column(say("Winner"), 34),
        Column(say("Pole"), 30),
        Column(say("Best lap"), 34),
    )
    paper.heading(say("Races"))
    paper.rows(columns, (_race_row(sheet, race, say) for race in sheet.races))


def _race_row(sheet: Sheet, race: Race, say: Words) -> list[str]:
    entries = classify(race)
    pole = [one for one in entries if one.grid == 1]
    seats = EARNERS["fastest"](entries)
    fastest = [one for one in entries if one.seat in seats]
    winners = [one for one in entries if one.place == 1 and is_classified(one)]
    factor = f" ×{race.factor}" if race.factor > 1 else ""
    people = (", ".join(sheet.name(one) for one in some) for some in (winners, pole, fastest))
    return [f"{race.round}{factor}", race.date[:10], race_title(race, say), *people]


def _print_remarks(paper: Paper, sheet: Sheet, season: Season, say: Words) -> None:
    """Penalties and notes, each with its round."""
    penalties = penalty_lines(season, sheet.names, say)
    notes = []
    for race in sheet.races:
        where = f"{say('Round')} {race.round} · "
        penalties += penalty_lines(race, sheet.names, say, where)
        notes += [f"{where}{note.text}" for note in race.notes]
    paper.texts(say("Penalties"), penalties)
    paper.texts(say("Notes"), notes)
