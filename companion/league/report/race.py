"""The report of a race: the result, positions and gaps, figures, penalties and notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import ceil

from markupsafe import Markup

from companion.league.charts import gap_chart, position_chart
from companion.league.exchange.registry import Sheet, laps_completed, race_sheet
from companion.league.plain import Entry, Race
from companion.league.report.paper import Table, print_chart, print_paper
from companion.league.report.terms import (
    FIGURES,
    SHEET,
    WAITS,
    about_race,
    fate,
    penalty_lines,
    race_headline,
)
from companion.league.results import Score
from companion.league.view import View
from companion.system.frozen import dataclass
from companion.views.screen import minutes
from companion.views.words import WEAR, Words, wear_word, words

CARS_ABREAST = 7
"""Columns of figures, so that names have room above them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A race on paper. `charts`: with their headings; `figures`: a table for so many cars each."""

    title: str
    about: str
    struck: str | None
    result: Table
    charts: Sequence[tuple[str, Markup]]
    figures: Sequence[Table]
    has_luck: bool
    penalties: Sequence[str]
    notes: Sequence[str]
    earlier: Sequence[str]


def write(queries: View, key: str, *, language: str = "en") -> bytes:
    """The report as a file of HTML.

    Raises:
        BadAct: there is no such race.
    """
    say = words(language)
    sheet = race_sheet(queries, key)
    (race,) = sheet.races
    about = about_race(race, say)
    if sheet.season is not None and race.season is not None:
        about = f"{sheet.season.title}, {say('Round').lower()} {race.round} · {about}"
    title = race_headline(race, _winner(sheet, race), say)
    told = chapter_of(sheet, race, say)
    return print_paper("race.html", title, say, date=race.date, about=about, race=told)


def chapter_of(sheet: Sheet, race: Race, say: Words) -> Chapter:
    """A race as its report has it, and as a chapter of a season's year-book."""
    title = race_headline(race, _winner(sheet, race), say)
    entries = [score.entry for score in sheet.scores(race) if score.entry.numbers]
    notes = [f"{note.text} ({note.by})" if note.by else note.text for note in race.notes]
    return Chapter(
        title=title if race.round is None else f"{say('Round')} {race.round}: {title}",
        about=about_race(race, say),
        struck=race.struck,
        result=_result(sheet, race, say),
        charts=list(_charts(race, say)),
        figures=_figure_tables(sheet, entries, say),
        has_luck=any("luck" in one.numbers for one in entries),
        penalties=penalty_lines(race, sheet.names, say),
        notes=[*notes, race.remark] if race.remark else notes,
        earlier=list(_earlier(sheet, race)),
    )


def _winner(sheet: Sheet, race: Race) -> str:
    """Who has won, penalties counted; several share a first place where the game lets them."""
    first = (one.entry for one in sheet.scores(race) if one.place == 1 and one.is_classified)
    return ", ".join(map(sheet.name, first))


def _result(sheet: Sheet, race: Race, say: Words) -> Table:
    """The columns of which anything is known."""
    every: Sequence[tuple[str, Callable[[Score], object]]] = (
        ("#", lambda one: one.place),
        (say("Driver"), lambda one: sheet.name(one.entry)),
        (say("Team"), lambda one: sheet.team(race, one.entry)),
        (f"{say('Grid')}#", lambda one: one.entry.grid),
        (f"{say('Gained')}#", _gained),
        (f"{say('Laps')}#", lambda one: laps_completed(race, one.entry)),
        (f"{say('Best lap')}#", lambda one: _rolls(one, say)),
        ("", lambda one: fate(one.entry, say)),
        (f"{say('Points')}#", lambda one: one.points),
    )
    scores = sheet.scores(race)
    known = [(h, read) for h, read in every if any(read(one) not in (None, "") for one in scores)]
    rows = [[read(one) for _, read in known] for one in scores]
    return Table([head for head, _ in known], rows)


def _gained(score: Score) -> str | None:
    grid = score.entry.grid
    if grid is None or not score.is_classified:
        return None
    return f"{grid - score.place:+}".replace("-", "−").replace("+0", "0")


def _rolls(score: Score, say: Words) -> str | None:
    rolls = score.entry.best_lap
    return None if rolls is None else say.many("{n} roll", "{n} rolls", rolls)


def _charts(race: Race, say: Words) -> Iterator[tuple[str, Markup]]:
    """Positions and gaps, each with its heading, where the table has written them down."""
    names = {int(seat): name for seat, name in (race.numbers.get("seats") or {}).items()}
    rows = race.numbers.get("rounds") or ()
    if len(rows) > 1:
        yield say("Positions"), print_chart(position_chart(rows, names, say, x_label=say("round")))
    gaps = [{int(seat): gap for seat, gap in row.items()} for row in race.numbers.get("gaps") or ()]
    if len(gaps) > 1:
        yield say("Gaps"), print_chart(gap_chart(gaps, names, say))


def _figure_tables(sheet: Sheet, entries: Sequence[Entry], say: Words) -> list[Table]:
    """A column a car, a row a figure that is not 0 for all; as many cars in one as in the next."""
    figures = [(label, texts) for label, texts in _figures(entries, say) if any(texts)]
    if not figures:
        return []
    names = [f"{sheet.name(one)}#" for one in entries]
    abreast = ceil(len(names) / ceil(len(names) / CARS_ABREAST))
    parts = [slice(at, at + abreast) for at in range(0, len(names), abreast)]
    return [
        Table(["", *names[part]], [[label, *texts[part]] for label, texts in figures])
        for part in parts
    ]


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


def _earlier(sheet: Sheet, race: Race) -> Iterator[str]:
    """What the result was before, each time."""
    for one in race.earlier:
        order = ", ".join(sheet.name(entry) for entry in sorted(one.entries, key=_place))
        yield f"{order} ({one.reason})" if one.reason else order


def _place(entry: Entry) -> int:
    return entry.place
