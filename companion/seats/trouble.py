"""What fails at a seat, as an exception: a sentence for who mends it, and a key for the table.

The message names ports, files and commands and goes to the log. What the page and the
neighbours' screens say is `trouble`: a key that the views have words for, in every language.
"""

from __future__ import annotations

from typing import ClassVar

from companion.table.ports import Trouble


class Troubled(Exception):
    """Something of a seat fails.

    Args:
        message: tells a person what to do.
        key: of the words that the views have for it; left out, the class's own.
        args: what stands in those words.
    """

    key: ClassVar[str] = "failed"

    def __init__(self, message: str, key: str | None = None, **args: object) -> None:
        super().__init__(message)
        self.trouble = Trouble(key or self.key, message, args)


class SeatTrouble(Troubled):
    """A driver cannot serve its seats."""

    key = "driver-failed"
