"""What of a seat's screen hangs on the time: a page that closes by itself, and keys that rest.

A page that only tells is turned by any button, and whoever turns the last one is about to press
again: what comes next must not take that press for an answer. A page that shows a secret is shown
for a moment only.
"""

from __future__ import annotations

from companion.views.seat.dialog import BRIEF_S

REST_S = 0.5
"""How long the keys rest behind a page that only told."""


class PageTimers:
    """What hangs on the time at all seats, on the table's clock."""

    def __init__(self) -> None:
        self._rests: dict[int, float] = {}
        self._closes: dict[int, float] = {}

    def turned(self, seat: int, page: str, at: float, *, rests: bool) -> None:
        """A press has turned to this page; `rests`: from one that only tells to one that asks."""
        self._closes.pop(seat, None)
        if page in BRIEF_S:
            self._closes[seat] = at + BRIEF_S[page]
        if rests:
            self._rests[seat] = at + REST_S

    def rests(self, seat: int, at: float) -> bool:
        """Whether the seat's keys rest."""
        return at < self._rests.get(seat, at)

    def take_due(self, at: float) -> list[int]:
        """The seats whose page closes now."""
        due = [seat for seat, until in self._closes.items() if until <= at]
        for seat in due:
            del self._closes[seat]
        return due

    def until_next_s(self, at: float) -> float | None:
        """How long until a page closes; None: none does."""
        return max(0.0, min(self._closes.values()) - at) if self._closes else None
