"""Which forms there are, by name; a form's module is imported when it is used.

A writer is `write(queries, key) -> bytes`: a whole file about a season or a race, by its key;
one with words in it (`has_words`) is given the language too.
A reader is `read(content) -> [act, …]`: acts (`acts.py`) that make the same season, races and
penalties in another league; whoever imports carries them out one by one. Both raise
`LeagueError` with a sentence.

The sheet is what a season or a race is to other programs, row by row: pure, and without any form.
CSV, the forms of plugins (`outside`) and the printed report are all made of these rows. A race that
is in no season has its own points.

The record of a race goes out as it is: `league add` takes it in elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from types import MappingProxyType
from typing import Literal

from companion.league.acts import Act
from companion.league.charts import print_pdf
from companion.league.errors import BadAct, Missing
from companion.league.games import game_of
from companion.league.plain import RESULT, Entry, LapNumbers, Race, Season, drivers_in
from companion.league.results import Score, score_in, score_round
from companion.league.view import View
from companion.system.frozen import dataclass
from companion.system.host import how_to_install

# -- registry -------------------------------------------------------------------------------------


Writer = Callable[[View, str], bytes]
Reader = Callable[[bytes], Sequence[Act]]


@dataclass(frozen=True, slots=True)
class Form:
    """A form of the league's data.

    Args:
        about: a line for the help.
        of: what one file is about; `either`: a season or a race, whichever the key is of.
        suffix: of its files, with the dot.
        module: where the function `write` is, and `read` where `is_read`.
        has_words: whether people read it, in their language.
        extra: of the package, which it needs; None for none.
        is_link: whether it is a link to be scanned rather than a file; made of what strangers see,
            whoever asks, as it leads to others.
        is_sheet: whether it is printed for the tables of a round, rather than taken along.
        is_paper: whether it is a page to print, of which a PDF is made where that can be.
        is_long: whether that PDF takes so long that the pages give the page to print instead.
    """

    about: str
    of: Literal["season", "race", "either"]
    suffix: str
    module: str
    is_read: bool = False
    write: str = "write"
    has_words: bool = False
    extra: str | None = None
    is_link: bool = False
    is_sheet: bool = False
    is_paper: bool = False
    is_long: bool = False

    def writer(self, language: str = "en", *, as_page: bool = False) -> Writer:
        """The function that writes it.

        Args:
            as_page: a paper as the page that its PDF is made of.

        Raises:
            Missing: what it needs is not installed; of a paper the function raises it.
        """
        try:
            write = getattr(import_module(self.module), self.write)
        except ModuleNotFoundError as error:
            if self.extra is None:
                raise
            need = how_to_install(self.extra)
            raise Missing(f"this form needs {error.name}: {need}") from error
        found: Writer = partial(write, language=language) if self.has_words else write
        if self.is_paper and not as_page:
            return lambda queries, key: print_pdf(found(queries, key))
        return found

    def reader(self) -> Reader:
        """The function that reads it; only where `is_read`."""
        read: Reader = import_module(self.module).read
        return read


ROOM = "companion.league.exchange"


def _table(name: str, about: str) -> Form:
    return Form(about, "either", ".csv", f"{ROOM}.tables", write=f"write_{name}")


def _paper(about: str, of: Literal["season", "race"], write: str) -> Form:
    module = "companion.league.report.paper"
    return Form(about, of, ".pdf", module, write=write, has_words=True, is_paper=True)


def _sheets(name: str, about: str) -> Form:
    module, write = "companion.league.report.paper", f"write_{name}"
    return Form(about, "season", ".html", module, write=write, has_words=True, is_sheet=True)


_AGAIN = "what makes the season again in another league"
_LINES = "a line a car, which any league reads in"
FORMS: Mapping[str, Form] = MappingProxyType(
    {
        "acts": Form(_AGAIN, "season", ".json", f"{ROOM}.acts", is_read=True),
        "csv": Form(_LINES, "season", ".csv", f"{ROOM}.tables", is_read=True),
        "results": _table("results", "CSV of every car of every race"),
        "laps": _table("laps", "CSV of every lap"),
        "pitstops": _table("stops", "CSV of every pit stop"),
        "qualifying": _table("qualifying", "CSV of the grids"),
        "standings": replace(_table("standings", "CSV of the drivers and the teams"), of="season"),
        "record": Form("the record, as the table wrote it", "race", ".jsonl", f"{ROOM}.registry"),
        "report": _paper("PDF for print", "season", "write_season"),
        "year-book": replace(
            _paper("PDF of the season and of each of its races", "season", "write_book"),
            is_long=True,
        ),
        "race-report": _paper("PDF for print", "race", "write_race"),
        "forms": _sheets("forms", "result forms to print, a page a table"),
        "grids": _sheets("grids", "grids to print, a page a table"),
        "cards": _sheets("cards", "place cards to print"),
        "picture": Form(
            "a picture to send around",
            "either",
            ".png",
            "companion.league.report.picture",
            has_words=True,
            extra="league",
        ),
    }
)
"""By the name that the command line has for it."""


# -- sheet ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a file is about.

    Args:
        season: None where it is about one race that is in no season.
        races: the rounds in their order, or the one race.
        names: what people are called, by key.
        is_whole: whether it is about the season, not about one race of it.
        year: of the season's first race, where `races` may be without it.
    """

    season: Season | None
    races: tuple[Race, ...]
    names: Mapping[str, str]
    is_whole: bool = True
    year: str | None = None

    @property
    def of_season(self) -> Season:
        """The season of a sheet that `season_sheet` made."""
        assert self.season is not None
        return self.season

    def name(self, entry: Entry) -> str:
        """What the driver of a car is called today."""
        return self.names.get(entry.driver, entry.name)

    def team(self, race: Race, entry: Entry) -> str | None:
        """The team that a car of a race scores for."""
        if self.season is None:
            return entry.team
        return self.season.team_of(entry.driver, race.round or 0, entry.team)

    def scores(self, race: Race) -> list[Score]:
        """What a race is worth to its cars, best place first, penalties in it."""
        return score_in(self.season, race) if self.season else score_round(race, RESULT)


@dataclass(frozen=True, slots=True)
class StopRow:
    """A pit stop, counted from 1 for each car. `lap`: the one at whose end it was, None where
    nobody knows; `turns` that it took."""

    entry: Entry
    stop: int
    lap: int | None
    turns: int


def season_sheet(queries: View, key: str) -> Sheet:
    """A season.

    Raises:
        BadAct: there is none with this key.
    """
    season = queries.the_season(key)
    races = queries.held(season, is_slim=False)
    return Sheet(season, tuple(races), names_of(queries, races))


def race_sheet(queries: View, race: str) -> Sheet:
    """One race.

    Raises:
        BadAct: there is none with this id.
    """
    found = queries.race(race)
    if found is None:
        raise BadAct(f"there is no race {race!r}")
    names = names_of(queries, [found])
    return Sheet(queries.season(found.season), (found,), names, is_whole=False)


def sheet_of(queries: View, key: str) -> Sheet:
    """A season by its key, or a race by its id.

    Raises:
        BadAct: there is neither.
    """
    return season_sheet(queries, key) if queries.season(key) else race_sheet(queries, key)


def names_of(queries: View, races: Iterable[Race]) -> dict[str, str]:
    """What the people in these races are called, by key."""
    return queries.names(drivers_in(list(races)))


def laps_of(race: Race) -> list[tuple[Entry, LapNumbers]]:
    """The laps of a race by number, then by position; none of one entered by hand."""
    laps = [(entry, lap) for entry in race.entries for lap in entry.numbers.get("laps", ())]
    return sorted(laps, key=lambda row: (row[1]["number"], row[1]["position"]))


def stops_of(race: Race) -> list[StopRow]:
    """The pit stops of a race by lap; none of one entered by hand."""
    rows = [row for entry in race.entries for row in _stops(entry)]
    return sorted(rows, key=lambda row: (row.lap or 0, row.entry.seat))


def _stops(entry: Entry) -> Iterator[StopRow]:
    laps = entry.numbers.get("stop_laps", ())
    for number, turns in enumerate(entry.numbers.get("stops", ()), 1):
        yield StopRow(entry, number, laps[number - 1] if number <= len(laps) else None, turns)


def grid_of(race: Race) -> list[Entry]:
    """The grid of a race, the pole first; without cars whose place nobody knows."""
    known = (entry for entry in race.entries if entry.grid is not None)
    return sorted(known, key=lambda entry: (entry.grid, entry.seat))


def laps_completed(race: Race, entry: Entry) -> int | None:
    """The whole laps of a car; None where nobody counted."""
    if entry.status == "finished" and race.laps is not None and game_of(race.game).has_laps:
        return race.laps
    return None if entry.lap is None else max(entry.lap - 1, 0)


# -- record ---------------------------------------------------------------------------------------


def write(queries: View, key: str) -> bytes:
    """The lines of a race's record.

    Raises:
        BadAct: the race has none, for it was entered by hand.
    """
    lines = queries.record(key)
    if lines is None:
        raise BadAct(f"the race {key!r} has no record: it was entered by hand, or the file is gone")
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
