"""The league as pages and commands change it: small protocols. How it is read, `view.View` says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple, Protocol

from companion.league.acts import Act
from companion.league.errors import BadAct, Receipt
from companion.league.plain import Draw, Line
from companion.league.stages import Draws, draw_acts, late_acts, qualify_acts
from companion.league.stand import Member
from companion.league.view import View
from companion.system.frozen import dataclass


class Once(NamedTuple):
    """By what a request is known again: its key, and a digest of what it asks. `answer` is what it
    was answered, where that cannot be told from its acts."""

    key: str
    asked: str | None = None
    answer: dict[str, Any] | None = None

    def answered(self, **answer: object) -> Once:
        """The same with what it is answered; `act` is the number of its first act, once known."""
        return self._replace(answer={"ok": True, **answer})


class LeagueWriter(Protocol):
    """Where people change the league; what it works out for a stage is written down as acts."""

    def do(self, *acts: Act, by: str, once: Once | None = None) -> int:
        """Carry out acts (docs/league.md, `acts.py`), all or none, and keep them for good.

        A form's `byhand.race_acts` and a file's `byhand.csv_acts` go in here as they are. `by`
        is who did it, as it will be shown. The number of the first. With the key of a request
        (`once`) that was there, nothing is done a second time.

        Raises:
            BadAct: one has no sense; nothing has changed.
            KeyReused: the key was there, with another body.
            LeagueError: they could not be kept.
        """

    def history(
        self,
        *,
        by: str | None = None,
        day: str | None = None,
        race: str | None = None,
        latest: int | None = None,
    ) -> list[dict[str, Any]]:
        """What was done, oldest first: `n`, `at`, `by`, the act, and by which act it was undone."""

    def key_for(self, once: Once) -> str:
        """A new key for whoever asks so: the same one if the request comes again."""

    def answered(self, once: Once) -> dict[str, Any] | None:
        """What was answered to a request with this key; None: it is new.

        Raises:
            KeyReused: the key was there, with another body.
        """

    def catch_up(self, *, wait: bool = True) -> Sequence[Refused]:
        """Take in records and acts that have come since; the records that cannot be.

        Cheap where nothing has come: it looks at the folder, not into the files. With `wait`
        False it never waits for another process that is at it.
        """

    def forget(self, name: str, *, by: str, once: Once | None = None) -> str:
        """Erase a person's names for good; what the person is called from then on.

        Raises:
            BadAct: nobody in the league is called so.
            LeagueError: a file could not be written; ask again.
        """

    def known(self) -> View:
        """All that is known, hidden drivers too."""

    def qualify(self, season: str, *, by: str, once: Once | None = None) -> list[str]:
        """Enter those whom the ways out of a stage take; their names.

        Raises:
            BadAct: there is no such stage, nobody goes on, or a place at a border is shared.
        """
        going, acts = qualify_acts(self.known(), season)
        if not acts:
            raise BadAct("nobody goes on from here who is not entered already")
        names = [one.name for one in going]
        self.do(*acts, by=by, once=once and once.answered(entered=names))
        return names

    def draw(
        self,
        season: str,
        tables: int,
        how: Draw,
        dice: Random,
        *,
        by: str,
        with_grid: bool = False,
        once: Once | None = None,
    ) -> Draws:
        """Draw the tables of a stage, and their grids; who was drawn, and who is banned.

        Raises:
            BadAct: there is no such stage, or as many do not fit at as many tables.
        """
        drawn = draw_acts(self.known(), season, tables, how, dice, with_grid=with_grid)
        self.do(*drawn.acts, by=by, once=once and once.answered(**drawn.told()))
        return drawn

    def seat_late(self, season: str, *, by: str, once: Once | None = None) -> Draws:
        """Give a table to those of a stage who have come late.

        Raises:
            BadAct: there is no such stage, no table is drawn yet, or nobody is without one.
        """
        drawn = late_acts(self.known(), season)
        self.do(*drawn.acts, by=by, once=once and once.answered(**drawn.told()))
        return drawn

    def table_of_race(self, race: str) -> str | None:
        """The table that a race was sent from or entered for; None: none, or no such race."""

    def member(self, key: str) -> Member | None:
        """The person that a key was given to; None: nobody."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A record that is not in the league, and why. `line` counts from 1."""

    file: str
    line: int
    message: str


class Inbox(Protocol):
    """Where the tables of a club leave their records."""

    def table_of(self, key: str) -> str | None:
        """The name of the table that this key was given to; None: nobody's. Constant time."""

    def receive(self, content: bytes, *, table: str | None) -> Receipt:
        """Take a record in, once however often it comes; on disk when this returns. `table` is
        who sends it; None: the keeper.

        Raises:
            LeagueError: the disk or the database fails; the table shall send it again later.
        """


@dataclass(frozen=True, slots=True)
class LiveTable:
    """A table of the club as it stands now. `state` is its `/api/table`; `age_s` how old it is."""

    table: str
    age_s: float
    state: Line


class LiveTables(Protocol):
    """The tables of a club that are running, for a screen that shows them all."""

    def show(self, table: str, state: Line) -> None:
        """A table says how it stands.

        Raises:
            LeagueError: it cannot be kept.
        """

    def watch(self, tell: Callable[[], object]) -> Callable[[], None]:
        """Have it told, in a thread of its own, when a table has reported; what ends it."""

    def tables(self) -> list[LiveTable]:
        """Those that have reported of late, by name."""
