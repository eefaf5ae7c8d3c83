"""Which forms there are, by name; a form's module is imported when it is used.

A writer is `write(queries, key) -> bytes`: a whole file about a season or a race, by its key;
one with words in it (`has_words`) is given the language too.
A reader is `read(content) -> [act, …]`: acts (`acts.py`) that make the same season, races and
penalties in another league; whoever imports carries them out one by one. Both raise
`LeagueError` with a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from types import MappingProxyType
from typing import Literal

from companion.frozen import dataclass
from companion.league.acts import Act
from companion.league.errors import Missing
from companion.league.ports import LeagueQueries

Writer = Callable[[LeagueQueries, str], bytes]
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
        is_long: whether it takes so long to make that no page offers it.
        is_sheet: whether it is printed for the tables of a round, rather than taken along.
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
    is_long: bool = False
    is_sheet: bool = False

    def writer(self, language: str = "en") -> Writer:
        """The function that writes it.

        Raises:
            Missing: what it needs is not installed.
        """
        try:
            write = getattr(import_module(self.module), self.write)
        except ModuleNotFoundError as error:
            if self.extra is None:
                raise
            need = f"pip install 'race-companion[{self.extra}]'"
            raise Missing(f"this form needs {error.name}: {need}") from error
        found: Writer = partial(write, language=language) if self.has_words else write
        return found

    def reader(self) -> Reader:
        """The function that reads it; only where `is_read`."""
        read: Reader = import_module(self.module).read
        return read


ROOM = "companion.league.exchange"


def _table(name: str, about: str) -> Form:
    return Form(about, "either", ".csv", f"{ROOM}.tables", write=f"write_{name}")


def _report(of: Literal["season", "race"]) -> Form:
    module = f"companion.league.report.{of}"
    return Form("PDF for print", of, ".pdf", module, has_words=True, extra="league")


def _sheets(name: str, about: str) -> Form:
    module, write = "companion.league.report.sheets", f"write_{name}"
    return Form(about, "season", ".html", module, write=write, has_words=True, is_sheet=True)


_AGAIN = "what makes the season again in another league"
_ERGAST = "JSON as Ergast and Jolpica write it"
_LINES = "a line a car, which any league reads in"
FORMS: Mapping[str, Form] = MappingProxyType(
    {
        "acts": Form(_AGAIN, "season", ".json", f"{ROOM}.acts", is_read=True),
        "csv": Form(_LINES, "season", ".csv", f"{ROOM}.season_csv", is_read=True),
        "ergast": Form(_ERGAST, "either", ".json", f"{ROOM}.ergast", is_read=True),
        "results": _table("results", "CSV of every car of every race"),
        "laps": _table("laps", "CSV of every lap"),
        "pitstops": _table("stops", "CSV of every pit stop"),
        "qualifying": _table("qualifying", "CSV of the grids"),
        "standings": replace(_table("standings", "CSV of the drivers and the teams"), of="season"),
        "calendar": Form("the calendar (iCalendar)", "season", ".ics", "companion.league.dates"),
        "record": Form("the record, as the table wrote it", "race", ".jsonl", f"{ROOM}.record"),
        "report": _report("season"),
        "year-book": Form(
            "PDF of the season and of each of its races",
            "season",
            ".pdf",
            "companion.league.report.season",
            write="write_book",
            has_words=True,
            extra="league",
            is_long=True,
        ),
        "race-report": _report("race"),
        "forms": _sheets("forms", "result forms to print, a page a table"),
        "grids": _sheets("grids", "grids to print, a page a table"),
        "cards": _sheets("cards", "place cards to print"),
        "bgstats": Form("a link for BG Stats", "race", ".txt", f"{ROOM}.bgstats", is_link=True),
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
