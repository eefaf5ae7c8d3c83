"""A page of what an address of Ergast asks for: so many rows behind so many."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from companion.league.exchange import ergast_parts as parts
from companion.league.exchange.ergast_parts import Doc, Timing
from companion.league.exchange.sheet import Sheet
from companion.league.plain import Race

RowT = TypeVar("RowT")
Rows = Callable[[Sheet, Race], list[Timing]]
Join = Callable[[Sequence[Timing]], list[Doc]]
ROWS_A_PAGE = 30
MOST_ROWS = 1000


class Page:
    """The rows that were asked for, out of all."""

    def __init__(self, limit: int, offset: int) -> None:
        self.limit = min(max(limit, 0), MOST_ROWS)
        self.offset = max(offset, 0)

    def at_most(self, rows: int) -> Page:
        """The same with no more rows than these."""
        return Page(min(self.limit, rows), self.offset)

    def head(self, total: int) -> Doc:
        """What every document begins with."""
        numbers = {"limit": self.limit, "offset": self.offset, "total": total}
        return {"series": "f1", **{key: f"{value}" for key, value in numbers.items()}}

    def cut(self, rows: Sequence[RowT]) -> list[RowT]:
        """The rows of this page."""
        return list(rows[self.offset : self.offset + self.limit])

    def document(self, table: str, about: Doc, name: str, rows: Sequence[Doc]) -> Doc:
        """A document with one list."""
        return {**self.head(len(rows)), table: {**about, name: self.cut(rows)}}

    def races(
        self,
        sheet: Sheet,
        about: Doc,
        name: str,
        rows: Rows,
        join: Join,
        *,
        fits: Callable[[Race, Timing], bool],
    ) -> Doc:
        """Races with what is asked of them; a page ends wherever it is full."""
        told = ((race, row) for race in sheet.races for row in rows(sheet, race))
        every = [(race, row) for race, row in told if fits(race, row)]
        cut = self.cut(every)
        races = []
        for race in sheet.races:
            own = [row for other, row in cut if other is race]
            if own:
                races.append({**parts.race_head(sheet, race), name: join(own)})
        return {**self.head(len(every)), "RaceTable": {**about, "Races": races}}

    def cut_already(self, table: str, about: Doc, name: str, rows: Sequence[Doc], of: int) -> Doc:
        """A document with one list, of which only this page was read; `of` how many."""
        return {**self.head(of), table: {**about, name: list(rows)}}
