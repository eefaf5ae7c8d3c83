"""What is printed: reports of races and seasons, and the sheets of a tournament day.

All is printed on a paper: HTML for A4, black on white, rules instead of fills. A paper stands for
itself, with its style in it and nothing from elsewhere, so that it is printed the same from a page,
from a disk and by WeasyPrint. It carries the date of what it is about, not of its making: the same
league, the same bytes.

Sheets are forms, grids and place cards, pages for A4, one for each table. The report of a race has
the result, positions and gaps, figures, penalties and notes; that of a season standings, teams,
progress, rounds and penalties. Their words are also those of the league's pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from math import ceil
from typing import Final

from markupsafe import Markup

from companion.league.charts import (
    PAINT,
    Chart,
    draw_svg,
    fill,
    progress_chart,
    race_chart,
)
from companion.league.exchange.registry import Sheet, laps_completed, race_sheet, season_sheet
from companion.league.games import game_of
from companion.league.plain import Entry, Penalty, PointsTable, Race, Season
from companion.league.results import EARNERS, Score, classify, is_classified, takes_seconds
from companion.league.standings import Standing, gross, planned, standings, team_standings
from companion.league.view import View
from companion.system.frozen import dataclass
from companion.views.formula.parts import why_out
from companion.views.screen import minutes
from companion.views.words import WEAR, Words, phrase, wear_word, words

# -- paper ----------------------------------------------------------------------------------------

ACROSS: Final = "@page { size: A4 landscape; }"


@dataclass(frozen=True, slots=True)
class Table:
    """A table: heads that end in # are of numbers and stand to the right."""

    heads: Sequence[str]
    rows: Sequence[Sequence[object]]


@cache
def style() -> Markup:
    """The print sheet of all papers."""
    return fill("print.css", paints=PAINT)


def print_paper(
    template: str,
    title: str,
    say: Words,
    *,
    date: str = "",
    is_wide: bool = False,
    **content: object,
) -> bytes:
    """A paper as a file of HTML.

    Args:
        date: ISO 8601, of what it is about; empty where nobody knows.
        is_wide: across.
        content: what else the template has.
    """
    look = {"style": style(), "across": ACROSS, "is_wide": is_wide}
    return fill(template, title=title, say=say, date=date[:10], **look, **content).encode()


def print_chart(chart: Chart) -> Markup:
    """A chart on paper."""
    return Markup(draw_svg(chart, is_themed=False))


# -- sheets ---------------------------------------------------------------------------------------


def _write(name: str, queries: View, key: str, *, language: str = "en") -> bytes:
    """The pages of the round that a stage drives next, as a file.

    Raises:
        BadAct: there is no such stage, or nobody is entered for the round.
    """
    from companion.league.federation.stages import numbers_of, paints_of, table_sheets

    sheets, say = table_sheets(queries, key), words(language)
    title = f"{sheets[0].season.title}, {say('Round').lower()} {sheets[0].round}"
    each = [(sheet, numbers_of(sheet), paints_of(sheet)) for sheet in sheets]
    return print_paper(f"{name}.html", title, say, sheets=each)


write_forms = partial(_write, "forms")
write_grids = partial(_write, "grids")
write_cards = partial(_write, "cards")


# -- race -----------------------------------------------------------------------------------------

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


def write_race(queries: View, key: str, *, language: str = "en") -> bytes:
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
    for what, title in (("positions", say("Positions")), ("gaps", say("Gaps"))):
        chart = race_chart(race, what, say)
        if chart is not None and len(chart.lines[0].ys) > 1:
            yield title, print_chart(chart)


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


# -- season ---------------------------------------------------------------------------------------

ROUNDS_UPRIGHT = 9
ROUNDS_AT_MOST = 26
"""Columns of rounds; of a longer season the latest are shown."""
LINES_AT_MOST = 10
"""Of the progress chart, the best drivers."""


def write_season(queries: View, key: str, *, language: str = "en", is_book: bool = False) -> bytes:
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
        drivers=_lines_table(lines, rounds, say, head=say("Driver")),
        drops=any(score.dropped for line in lines for score in line.scores),
        team_cars=season.team_cars,
        teams=teams and _lines_table(teams, rounds, say),
        progress=drawn and len(drawn[0][1]) > 1 and print_chart(progress_chart(drawn, say)),
        races=_rounds_table(sheet, say),
        penalties=penalties,
        notes=notes,
        chapters=[chapter_of(sheet, race, say) for race in races] if is_book else (),
    )


def _dates(races: Sequence[Race]) -> str:
    days = sorted({race.date[:10] for race in races if race.date})
    return " – ".join(dict.fromkeys((days[0], days[-1]))) if days else ""


def _lines_table(
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


def _rounds_table(sheet: Sheet, say: Words) -> Table:
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


write_book = partial(write_season, is_book=True)


# -- words ----------------------------------------------------------------------------------------


EXTRAS: Final[Mapping[str, str]] = {
    "pole": phrase("pole"),
    "gained": phrase("most places gained"),
    "fastest": phrase("fastest lap"),
}
"""What else earns points (`points.EXTRAS`)."""
FIGURES: Final[Mapping[str, str]] = {
    "passes": phrase("passed others"),
    "passed": phrase("was passed"),
    "led": phrase("rounds led"),
    "overshoots": phrase("overshoots"),
    "spins": phrase("spins"),
    "bumped": phrase("collisions given"),
    "was_bumped": phrase("collisions taken"),
    "slipstreams": phrase("slipstreams"),
    "rolls": phrase("gear dice rolled"),
}
"""Counts of a car on a board (`plain.CarNumbers`)."""
SHEET: Final[Mapping[str, str]] = {
    "race": phrase("prizes"),
    "bets_won": phrase("bets won"),
    "spent": phrase("spent"),
    "total": phrase("total"),
}
"""The score sheet of a player for money, in millions."""
WAITS: Final[Mapping[str, str]] = {
    "kept_waiting": phrase("kept others waiting"),
    "waited": phrase("waited for others"),
}
"""Who waited for whom, in seconds, in any game."""


FATES: Final[Mapping[str, str]] = {
    "disqualified": phrase("disqualified"),
    "not-classified": phrase("not classified"),
    "not-started": phrase("did not start"),
}


def fate(entry: Entry, say: Words) -> str:
    """What became of a car, where it is not simply home."""
    if entry.status == "finished":
        return ""
    if entry.status == "running":
        return say("classified as it stood")
    if entry.status in FATES:
        return say(FATES[entry.status])
    # Whoever has lost points of the one pool has no engine to lose (FD-BASIC-12).
    pool = "FD-BASIC-12" if entry.numbers.get("wp", {}).get("points") else None
    reason = why_out(entry.out or "", pool)
    why = say(reason) if reason else entry.out
    return say("out: {why}", why=why) if why else say("out")


def penalty_lines(
    of: Race | Season, names: Mapping[str, str], say: Words, where: str = ""
) -> list[str]:
    """The penalties of a race or a season, a sentence each; `names` are people's by their keys."""
    race = of if isinstance(of, Race) else None
    people = ((one, one.team or names.get(one.driver, one.driver)) for one in of.penalties)
    return [where + _penalty_line(one, name, say, race) for one, name in people]


def _penalty_line(penalty: Penalty, name: str, say: Words, race: Race | None) -> str:
    """A penalty in a sentence; one that was lifted says so."""
    what = ", ".join(penalty_parts(penalty, say, race))
    line = f"{name}, {what} – {penalty.reason}"
    if penalty.lifted is None:
        return line
    return f"{line} ({say('lifted: {reason}', reason=penalty.lifted)})"


def penalty_parts(penalty: Penalty, say: Words, race: Race | None = None) -> list[str]:
    """What a penalty says, part by part; a warning where it says nothing.

    Args:
        race: that it was given in: seconds move nobody where the cars have no times.
    """
    one = penalty
    if one.banned:
        return [say("was banned from this round")]
    counted = (
        (one.points, say.many("{n} point taken", "{n} points taken", one.points)),
        (one.bonus, say.many("{n} point given", "{n} points given", one.bonus)),
        (one.places, say.many("{n} place lost", "{n} places lost", one.places)),
        (
            one.grid,
            say.many(
                "{n} place lost on the next grid", "{n} places lost on the next grid", one.grid
            ),
        ),
        (one.ban, say.many("{n} round banned", "{n} rounds banned", one.ban)),
        (one.licence, say.many("{n} licence point", "{n} licence points", one.licence)),
        (one.seconds, say.many("{n} second", "{n} seconds", one.seconds)),
    )
    parts = [say("disqualified")] if penalty.disqualified else []
    parts += [text for number, text in counted if number]
    if one.seconds and race is not None and not takes_seconds(race):
        parts.append(say("without effect: there are no times"))
    return parts or [say("a warning")]


def points_line(table: PointsTable, say: Words) -> str:
    """What a round is worth: the points by place, and what else earns some."""
    places = say("the race's own") if table.by_result else " ".join(map(str, table.places))
    extras = [f"{say(EXTRAS[name])} {points}" for name, points in table.extras.items()]
    return say("points: {table}", table=", ".join([places, *extras]))


def title_of(season: Season, say: Words) -> str:
    """What a season is called; one that was made by itself has a year for a title."""
    return say("Season {year}", year=season.title) if season.title.isdecimal() else season.title


def rounds_line(season: Season, races: Iterable[Race], say: Words) -> str:
    """How many rounds were driven, and of how many where somebody knows."""
    held, all_of_them = len({race.round for race in races}), planned(season)
    if all_of_them:
        return say("{n} of {all} rounds", n=held, all=all_of_them)
    return say.many("{n} round", "{n} rounds", held)


def race_title(race: Race) -> str:
    """What a race is called: the name somebody gave it, else its board, else its game.

    The name that a table gives a race to tell it from others that wait ("monaco: Ana, Bo") is
    none: it is cut to the seats that come first.
    """
    by_table = (race.id, *(f"{where}:" for where in (race.track, race.game) if where))
    if not race.name.startswith(by_table):
        return race.name
    return race.board or game_of(race.game).title


def race_headline(race: Race, winner: str, say: Words) -> str:
    """The title of its report: the board and who has won; "": nobody came home."""
    title = race_title(race)
    where = title if race.board in (None, title) else f"{title}, {race.board}"
    return say("{place}: {name} wins", place=where, name=winner) if winner else where


def about_race(race: Race, say: Words) -> str:
    """Date, board, game and laps in a line."""
    laps = say.many("{n} lap", "{n} laps", race.laps) if race.laps else ""
    parts = (race.date[:16].replace("T", " "), race.board or "", game_of(race.game).title, laps)
    return " · ".join(part for part in parts if part)
