"""The screens' controllers: what wakes each of them, and how a piece of a picture is sent.

All three are written in page addressing mode: a page (eight rows) and a first column, then the
dots. That is the only mode of the SH1106, and costs the SSD1306 three bytes a window, two where
the page is the last one written; its own horizontal mode takes six. The SH1106 has 132 columns,
of which the screen shows the middle 128.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from companion.drawing.bitmap import Span
from companion.frozen import dataclass

OFF, ON, NOTHING = 0xAE, 0xAF, 0xE3
"""Commands that all of them know: dark, lit, and one that does nothing but be answered."""
CONTRAST = 0x81

_GEOMETRY = (0xA8, 0x3F, 0xD3, 0x00, 0x40, 0xA1, 0xC8, 0xDA, 0x12)
"""64 rows, no offset, first row on top; the module's connector above; alternating row pins."""
_PICTURE = (0xA4, 0xA6)
"""Show the memory, a set bit lit."""
_STILL = (0x2E, *_PICTURE)
"""The same, and no scrolling."""


@dataclass(frozen=True, slots=True)
class Controller:
    """One kind of controller. `setup` leaves the screen as lit or dark as it was."""

    name: str
    setup: tuple[int, ...]
    bright: int
    dim: int = 0x01
    first_column: int = 0

    def window(self, span: Span, page: int | None = None) -> tuple[int, ...]:
        """The commands after which data goes to the span's page and columns.

        Args:
            page: the one that was written last, if that is known: dots written move on to the
                next column, never to another page.
        """
        column = span.start + self.first_column
        place = column & 0x0F, 0x10 | column >> 4
        return place if span.page == page else (0xB0 | span.page, *place)


CONTROLLERS: Mapping[str, Controller] = MappingProxyType(
    {
        "SSD1306": Controller(
            "SSD1306",
            # The charge pump (0x8D) must be on before the screen is.
            (0xD5, 0x80, *_GEOMETRY, 0x8D, 0x14, 0x20, 0x02, 0xD9, 0xF1, 0xDB, 0x40, *_STILL),
            bright=0xCF,
        ),
        "SSD1309": Controller(
            "SSD1309",
            # Supplied with its high voltage from outside; a lock (0xFD) that may be closed.
            (0xFD, 0x12, 0xD5, 0xA0, *_GEOMETRY, 0x20, 0x02, 0xD9, 0x82, 0xDB, 0x34, *_STILL),
            bright=0x7F,
        ),
        "SH1106": Controller(
            "SH1106",
            # Its DC-DC converter (0xAD) in place of the charge pump, at 8 volts (0x32).
            (0xD5, 0x80, *_GEOMETRY, 0xAD, 0x8B, 0x32, 0xD9, 0x22, 0xDB, 0x35, *_PICTURE),
            bright=0x80,
            first_column=2,
        ),
    }
)  # fmt: skip
