"""What the league's pages are given."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from companion.frozen import dataclass
from companion.league.plain import Race, Season
from companion.league.ports import Book, LeagueQueries, LeagueWriter, Refused
from companion_web.guard import Guard


@dataclass(frozen=True, slots=True)
class LeagueAccess:
    """The league as the pages reach it.

    Args:
        guard: who may change it: whoever has the PIN.
        draws: whether the library of the charts is installed.
        has_table: whether the same address has a table's page.
        has_live_page: whether tables report to this server how they stand.
        not_taken: records that this table's club refuses, and why.
    """

    queries: LeagueQueries
    book: Book
    writer: LeagueWriter
    guard: Guard
    draws: bool = True
    has_table: bool = False
    has_live_page: bool = False
    not_taken: Callable[[], Sequence[tuple[str, str]]] = tuple

    def catch_up(self) -> Sequence[Refused]:
        """Take in what has come since the last page."""
        return self.writer.catch_up(wait=False)

    def season(self, key: str) -> Season | None:
        """The season with a key."""
        return next(iter(self.queries.seasons(key)), None)

    def race(self, key: str) -> Race | None:
        """The race with an id."""
        return next(iter(self.queries.races(race=key)), None)

    def names(self, keys: Collection[str]) -> dict[str, str]:
        """What these drivers are called, by key."""
        return self.queries.names(keys)
