"""The paper that reports are printed on: A4, black on white, rules instead of fills.

The letters are DejaVu Sans, which comes with matplotlib and has the names of most of Europe.
The file carries the date of what it is about, not of its making: the same league, the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import matplotlib
from fpdf import FPDF
from fpdf.enums import Align, TableBordersLayout
from fpdf.fonts import FontFace, TTFFont

from companion.frozen import dataclass

Color = tuple[int, int, int]
INK: Color = (27, 30, 35)
SOFT: Color = (93, 99, 109)
LETTERS = "dejavu"
CHART_ROOM_MM = 95.0
"""Of a chart and its heading."""
BODY_PT = 9.0
LINE_MM = 5.2
MARGIN_MM = 15.0
CHART_MM = 150.0
"""Two of them and a result stand on one page."""
CHART_RATIO = 4.2 / 8  # of the charts of league/charts.py


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: `mm` wide; `is_number`: to the right."""

    head: str
    mm: float
    is_number: bool = False


class Paper(FPDF):
    """Pages with a title at the head and its name at the foot of each.

    Args:
        date: ISO 8601, of what it is about; empty where nobody knows.
    """

    def __init__(self, title: str, about: str, date: str, *, is_wide: bool = False) -> None:
        super().__init__("landscape" if is_wide else "portrait", "mm", "A4")
        folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
        self.add_font(LETTERS, "", folder / "DejaVuSans.ttf")
        self.add_font(LETTERS, "B", folder / "DejaVuSans-Bold.ttf")
        self.set_margin(MARGIN_MM)
        self.set_auto_page_break(True, MARGIN_MM + LINE_MM)
        self.set_title(title)
        self.set_creator("companion")
        self.set_creation_date(_moment(date))
        self._foot = title
        self.add_page()
        self._say(title, 20, bold=True)
        self._say(about, 10, color=SOFT)

    def footer(self) -> None:
        """The foot of each page; fpdf calls it."""
        self.set_y(-MARGIN_MM)
        self._letters(8, color=SOFT)
        self.cell(self.epw / 2, LINE_MM, self._foot)
        self.cell(self.epw / 2, LINE_MM, f"{self.page_no()} / {{nb}}", align=Align.R)

    def heading(self, text: str, *, room_mm: float = 30) -> None:
        """A heading, on a new page where what follows would have no room."""
        if self.will_page_break(room_mm):
            self.add_page()
        self.ln(4)
        self._say(text, 13, bold=True)
        self.ln(1)

    def lines(self, texts: Iterable[str]) -> None:
        """A paragraph each."""
        for text in texts:
            self._say(text, BODY_PT)

    def texts(self, title: str, texts: Sequence[str]) -> None:
        """Paragraphs under a heading; nothing where there are none."""
        if texts:
            self.heading(title, room_mm=20)
            self.lines(texts)

    def small(self, text: str) -> None:
        """What explains a table."""
        self.ln(1)
        self._say(text, 8, color=SOFT)

    def rows(self, columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> None:
        """A table; its heads stand anew on each page."""
        self._letters(BODY_PT)
        spread = min(1.0, self.epw / sum(column.mm for column in columns))
        widths = tuple(column.mm * spread for column in columns)
        with self.table(
            [[column.head for column in columns], *(list(row) for row in rows)],
            col_widths=widths,
            width=min(sum(widths), self.epw),
            align=Align.L,
            text_align=tuple(Align.R if column.is_number else Align.L for column in columns),
            borders_layout=TableBordersLayout.HORIZONTAL_LINES,
            headings_style=FontFace(emphasis="BOLD", color=INK),
            line_height=LINE_MM,
            padding=(0.4, 1.0),
        ):
            self.set_draw_color(*SOFT)
            self.set_line_width(0.15)

    def chart(self, png: bytes) -> None:
        """A chart."""
        width = min(self.epw, CHART_MM)
        if self.will_page_break(width * CHART_RATIO):
            self.add_page()
        self.image(io.BytesIO(png), w=width)

    def content(self) -> bytes:
        """The file, when nothing more is to be printed."""
        made = bytes(self.output())
        for font in self.fonts.values():  # fpdf leaves their files open
            if isinstance(font, TTFFont):
                font.ttfont.close()
        return made

    def _say(self, text: str, size: float, *, bold: bool = False, color: Color = INK) -> None:
        self._letters(size, bold=bold, color=color)
        self.multi_cell(self.epw, size * 0.55, text, align=Align.L, new_x="LMARGIN", new_y="NEXT")

    def _letters(self, size: float, *, bold: bool = False, color: Color = INK) -> None:
        self.set_font(LETTERS, "B" if bold else "", size)
        self.set_text_color(color)


def _moment(date: str) -> datetime:
    """The day of an ISO date, noon nowhere in particular."""
    try:
        return datetime.fromisoformat(date[:10]).replace(tzinfo=UTC)
    except ValueError:
        return datetime(2000, 1, 1, tzinfo=UTC)
