"""The paper that all is printed on: HTML for A4, black on white, rules instead of fills.

A paper stands for itself, with its style in it and nothing from elsewhere, so that it is printed
the same from a page, from a disk and by WeasyPrint. It carries the date of what it is about, not of
its making: the same league, the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from markupsafe import Markup

from companion.league.charts import PAINT, Chart, draw_svg
from companion.league.printing import fill
from companion.system.frozen import dataclass
from companion.views.words import Words

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
