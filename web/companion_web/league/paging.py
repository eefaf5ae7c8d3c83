"""Lists with an end: which part of one a page shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from flask import Request

from companion.frozen import dataclass

ROWS_A_PAGE: Final = 50
RowT = TypeVar("RowT")


@dataclass(frozen=True, slots=True)
class Page:
    """A part of a list of so many rows; `number` counts from 1."""

    number: int
    rows: int = 0

    @classmethod
    def asked(cls, request: Request, rows: int = 0) -> Page:
        """The page that an address asks for with `?page=`; the first where it says nothing."""
        text = request.args.get("page", "")
        is_number = text.isascii() and text.isdecimal() and len(text) < 7
        return cls(max(int(text), 1) if is_number else 1, rows)

    @property
    def first(self) -> int:
        """The rows before it."""
        return (self.number - 1) * ROWS_A_PAGE

    @property
    def last_number(self) -> int:
        """The number of the last page."""
        return max(1, -(-self.rows // ROWS_A_PAGE))

    def cut(self, rows: Sequence[RowT]) -> Sequence[RowT]:
        """The rows of this page."""
        return rows[self.first : self.first + ROWS_A_PAGE]
