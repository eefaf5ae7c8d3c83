"""The report of a race: the result, positions and gaps, figures, penalties and notes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.league.charts import draw_png, gap_chart, position_chart
from companion.league.exchange.sheet import Sheet, laps_completed, race_sheet
from companion.league.plain import Entry, Race
from companion.league.ports import LeagueQueries
from companion.league.report.paper import CHART_ROOM_MM, Column, Paper
from companion.league.report.terms import (
    FIGURES,
    SHEET,
    WAITS,
    about_race,
    fate,
    penalty_lines,
    race_headline,
)
from companion.league.scores import Score
from companion.views.seat.parts import minutes
from companion.views.words import Words, words
from companion.views.words.wear import WEAR, wear_word


def write(queries: LeagueQueries, key: str, *, language: str = "en") -> bytes:
    """The report as PDF.

    Raises:
        BadAct: there is no such race.
    """
    say = words(language)
    sheet = race_sheet(queries, key)
    (race,) = sheet.races
    about = about_race(race, say)
    if sheet.season is not None and race.season is not None:
        about = f"{sheet.season.title}, {say('Round').lower()} {race.round} · {about}"
    paper = Paper(race_headline(race, _winner(sheet, race), say), about, race.date)
    _print_race(paper, sheet, race, say)
    return paper.content()


def print_race(paper: Paper, sheet: Sheet, race: Race, say: Words) -> None:
    """A race as a chapter of a season's year-book."""
    title = race_headline(race, _winner(sheet, race), say)
    number = "" if race.round is None else f"{say('Round')} {race.round}: "
    paper.heading(f"{number}{title}")
    paper.small(about_race(race, say))
    _print_race(paper, sheet, race, say)


def _print_race(paper: Paper, sheet: Sheet, race: Race, say: Words) -> None:
    if race.struck is not None:
        paper.lines([say("This race counts no more: {reason}", reason=race.struck)])
    paper.heading(say("Result"))
    paper.rows(*_result(sheet, race, say))
    _print_charts(paper, race, say)
    _print_figures(paper, sheet, race, say)
    _print_remarks(paper, sheet, race, say)


def _winner(sheet: Sheet, race: Race) -> str:
    """Who has won, penalties counted; several share a first place where the game lets them."""
    first = (one.entry for one in sheet.scores(race) if one.place == 1 and one.is_classified)
    return ", ".join(map(sheet.name, first))


def _result(sheet: Sheet, race: Race, say: Words) -> tuple[list[Column], list[list[str]]]:
    """The columns of which anything is known, and the rows."""
    every: Sequence[tuple[Column, Callable[[Score], object]]] = (
        (Column("", 8, is_number=True), lambda one: one.place),
        (Column(say("Driver"), 36), lambda one: sheet.name(one.entry)),
        (Column(say("Team"), 24), lambda one: sheet.team(race, one.entry)),
        (Column(say("Grid"), 15, is_number=True), lambda one: one.entry.grid),
        (Column(say("Gained"), 18, is_number=True), _gained),
        (Column(say("Laps"), 14, is_number=True), lambda one: laps_completed(race, one.entry)),
        (Column(say("Best lap"), 20, is_number=True), lambda one: _rolls(one, say)),
        (Column("", 36), lambda one: fate(one.entry, say)),
        (Column(say("Points"), 15, is_number=True), lambda one: one.points),
    )
    scores = sheet.scores(race)
    known = [(c, read) for c, read in every if any(read(one) not in (None, "") for one in scores)]
    return [c for c, _ in known], [[_text(read(one)) for _, read in known] for one in scores]


def _text(value: object) -> str:
    return "" if value is None else f"{value}"


def _gained(score: Score) -> str | None:
    grid = score.entry.grid
    if grid is None or not score.is_classified:
        return None
    return f"{grid - score.place:+}".replace("-", "−").replace("+0", "0")


def _rolls(score: Score, say: Words) -> str | None:
    rolls = score.entry.best_lap
    return None if rolls is None else say.many("{n} roll", "{n} rolls", rolls)


def _print_charts(paper: Paper, race: Race, say: Words) -> None:
    rows = race.numbers.get("rounds") or ()
    names = {int(seat): name for seat, name in (race.numbers.get("seats") or {}).items()}
    if len(rows) > 1:
        paper.heading(say("Positions"), room_mm=CHART_ROOM_MM)
        paper.chart(draw_png(position_chart(rows, names, say, x_label=say("round"))))
    gaps = [{int(seat): gap for seat, gap in row.items()} for row in race.numbers.get("gaps") or ()]
    if len(gaps) > 1:
        paper.heading(say("Gaps"), room_mm=CHART_ROOM_MM)
        paper.chart(draw_png(gap_chart(gaps, names, say)))


def _print_figures(paper: Paper, sheet: Sheet, race: Race, say: Words) -> None:
    """A column a car, a row a figure that is not 0 for all."""
    entries = [score.entry for score in sheet.scores(race) if score.entry.numbers]
    rows = [[label, *texts] for label, texts in _figures(entries, say) if any(texts)]
    if not rows:
        return
    room = (paper.epw - 44) / len(entries)
    columns = [Column(sheet.name(one), min(room, 26), is_number=True) for one in entries]
    paper.heading(say("Figures"), room_mm=40)
    paper.rows([Column("", 44), *columns], rows)
    if any("luck" in one.numbers for one in entries):
        how = say("Spaces that the gear dice have shown beyond their mean.")
        paper.small(f"{say('luck of the dice')} · {how}")


def _figures(entries: Sequence[Entry], say: Words) -> list[tuple[str, list[str]]]:
    rows: list[tuple[str, list[str]]] = []
    for field, label in (*FIGURES.items(), *SHEET.items()):
        rows.append((say(label), [f"{one.numbers.get(field) or ''}" for one in entries]))
    luck = [one.numbers.get("luck") for one in entries]
    signs = ["" if n is None else f"{n:+.1f}".replace("-", "−") for n in luck]
    rows.append((say("luck of the dice"), signs))
    for kind in WEAR:
        lost = [one.numbers.get("wp", {}).get(kind, 0) for one in entries]
        label = say("wear lost: {kind}", kind=wear_word(kind, say))
        rows.append((label, [f"{n or ''}" for n in lost]))
    stops = [one.numbers.get("stops", ()) for one in entries]
    turns = [" + ".join(f"{n}" for n in some) for some in stops]
    rows.append((say("pit stops (turns)"), turns))
    for field, label in WAITS.items():
        waits = [one.numbers.get(field) for one in entries]
        rows.append((say(label), ["" if not isinstance(n, float) else minutes(n) for n in waits]))
    return rows


def _print_remarks(paper: Paper, sheet: Sheet, race: Race, say: Words) -> None:
    penalties = penalty_lines(race, sheet.names, say)
    notes = [f"{note.text} ({note.by})" if note.by else note.text for note in race.notes]
    earlier = []
    for one in race.earlier:
        order = ", ".join(sheet.name(entry) for entry in sorted(one.entries, key=_place))
        earlier.append(f"{order} ({one.reason})" if one.reason else order)
    remarks = [race.remark] if race.remark else []
    paper.texts(say("Penalties"), penalties)
    paper.texts(say("Notes"), [*notes, *remarks])
    paper.texts(say("What the result was before"), earlier)


def _place(entry: Entry) -> int:
    return entry.place
