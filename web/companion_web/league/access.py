"""What the league's pages are given."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from typing import Any, Protocol

from companion.frozen import dataclass
from companion.league.plain import Line, Race, Season
from companion.league.ports import Book, LeagueQueries, LeagueWriter, Refused
from companion_web.guard import Guard


class Reviews(Protocol):
    """What makes and keeps the reviews of races."""

    def known(self, race: str) -> Mapping[str, Any] | None:
        """The review of a race as it was made last; None: there is none."""

    def review(self, race: str, lines: Sequence[Line]) -> Mapping[str, Any] | None:
        """The review of a record; None: it is being made, or (`why_none`) cannot be had."""

    def why_none(self, race: str, lines: Sequence[Line]) -> str | None:
        """Why no review of a record can be had, in a sentence; None: there is one, or will be."""


@dataclass(frozen=True, slots=True)
class LeagueAccess:
    """The league as the pages reach it.

    Args:
        guard: who may change it: whoever has the PIN.
        draws: whether pictures to send around can be made here (extra `league`).
        has_table: whether the same address has a table's page.
        has_live_page: whether tables report to this server how they stand.
        not_taken: records that this table's club refuses, and why.
        reviews: the reviews of races; None: there are none to be had.
        today: the day, for the puzzle of it.
    """

    queries: LeagueQueries
    book: Book
    writer: LeagueWriter
    guard: Guard
    draws: bool = True
    has_table: bool = False
    has_live_page: bool = False
    not_taken: Callable[[], Sequence[tuple[str, str]]] = tuple
    reviews: Reviews | None = None
    today: Callable[[], date] = date.today

    def catch_up(self) -> Sequence[Refused]:
        """Take in what has come since the last page."""
        return self.writer.catch_up(wait=False)

    def review(self, race: str, lines: Sequence[Line]) -> Mapping[str, Any] | None:
        """The review of a race; None: not yet, or never (`why_no_review`)."""
        return None if self.reviews is None else self.reviews.review(race, lines)

    def why_no_review(self, race: str, lines: Sequence[Line]) -> str | None:
        """Why a race has no review, in a sentence; None: it has one, or will."""
        return None if self.reviews is None else self.reviews.why_none(race, lines)

    def known_review(self, race: str) -> Mapping[str, Any] | None:
        """The review of a race, if it was made already."""
        return None if self.reviews is None else self.reviews.known(race)

    def season(self, key: str) -> Season | None:
        """The season with a key."""
        return next(iter(self.queries.seasons(key)), None)

    def race(self, key: str) -> Race | None:
        """The race with an id."""
        return next(iter(self.queries.races(race=key)), None)

    def names(self, keys: Collection[str]) -> dict[str, str]:
        """What these drivers are called, by key."""
        return self.queries.names(keys)
