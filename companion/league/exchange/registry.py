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
from companion.league.printing import print_pdf

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
            need = f"pip install 'race-companion[{self.extra}]'"
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


def _paper(about: str, of: Literal["season", "race"], write: str = "write") -> Form:
    module = f"companion.league.report.{of}"
    return Form(about, of, ".pdf", module, write=write, has_words=True, is_paper=True)


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
        "report": _paper("PDF for print", "season"),
        "year-book": replace(
            _paper("PDF of the season and of each of its races", "season", "write_book"),
            is_long=True,
        ),
        "race-report": _paper("PDF for print", "race"),
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
