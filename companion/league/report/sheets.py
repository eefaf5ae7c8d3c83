"""Forms, grids and place cards of a tournament day: pages for A4, one for each table."""

from __future__ import annotations

from functools import partial

from companion.league.day import numbers_of, paints_of, table_sheets
from companion.league.report.paper import print_paper
from companion.league.view import View
from companion.views.words import words


def _write(name: str, queries: View, key: str, *, language: str = "en") -> bytes:
    """The pages of the round that a stage drives next, as a file.

    Raises:
        BadAct: there is no such stage, or nobody is entered for the round.
    """
    sheets, say = table_sheets(queries, key), words(language)
    title = f"{sheets[0].season.title}, {say('Round').lower()} {sheets[0].round}"
    each = [(sheet, numbers_of(sheet), paints_of(sheet)) for sheet in sheets]
    return print_paper(f"{name}.html", title, say, sheets=each)


write_forms = partial(_write, "forms")
write_grids = partial(_write, "grids")
write_cards = partial(_write, "cards")
