"""The paper that all is printed on: HTML for A4, black on white, rules instead of fills.

A paper stands for itself, with its style in it and nothing from elsewhere, so that it is printed
the same from a page, from a disk and by WeasyPrint. It carries the date of what it is about, not of
its making: the same league, the same bytes.

Forms, grids and place cards of a tournament day: pages for A4, one for each table.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import Final

from markupsafe import Markup

from companion.league.charts import PAINT, Chart, draw_svg, fill
from companion.league.stages import numbers_of, paints_of, table_sheets
from companion.league.view import View
from companion.system.frozen import dataclass
from companion.views.words import Words, words

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
    sheets, say = table_sheets(queries, key), words(language)
    title = f"{sheets[0].season.title}, {say('Round').lower()} {sheets[0].round}"
    each = [(sheet, numbers_of(sheet), paints_of(sheet)) for sheet in sheets]
    return print_paper(f"{name}.html", title, say, sheets=each)


write_forms = partial(_write, "forms")
write_grids = partial(_write, "grids")
write_cards = partial(_write, "cards")
