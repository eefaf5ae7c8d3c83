"""The league as pages, exports and commands see it: small protocols.

    queries.seasons() -> [Season]            queries.races(season="2026") -> [Race]
    queries.drivers() -> [Driver]            queries.record(race.id) -> [line, …] or None

What is made of them is pure and needs no database: `standings.standings(season, races)`,
`standings.team_standings`, `standings.progress`, `classified.classify(race)`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from random import Random
from typing import Literal, Protocol

from companion.league.acts import Act, Role
from companion.league.numbers import BoardBook, Career, Totals
from companion.league.plain import Competition, Draw, Driver, Line, Race, Season
from companion.system.frozen import dataclass


class LeagueQueries(Protocol):
    """What is known. Every call is safe from any thread and sees one state of the league."""

    def seasons(
        self,
        key: str | None = None,
        *,
        keys: Collection[str] | None = None,
        first: int = 0,
        most: int | None = None,
        is_slim: bool = False,
    ) -> list[Season]:
        """All seasons, the newest first; or the one with a key, or those with some `keys`. Or so
        many behind the `first`.

        With `is_slim` without teams, entry list, calendar, ways and penalties: for lists.
        """

    def competitions(self) -> list[Competition]:
        """All competitions, the newest first."""

    def stages(self, competition: str) -> list[Season]:
        """The stages of a competition: the first step first, the uppermost tier first."""

    def current(self) -> Season | None:
        """The season that is open, else the newest."""

    def races(
        self,
        *,
        season: str | None = None,
        driver: str | None = None,
        race: str | None = None,
        stages: Collection[str] | None = None,
        is_slim: bool = False,
    ) -> list[Race]:
        """Races with all that belongs to them, oldest first (in a season: by round).

        Only those of a season or of some `stages`, those that a driver was in, or the one with
        an id, where named (by keys); struck races too (`Race.struck`). With `is_slim` without what
        was measured, what they were before, notes and protests: as far as standings need them.
        """

    def drivers(self, keys: Collection[str] | None = None) -> list[Driver]:
        """Everybody who was in a race or is entered, by name; or those with these keys."""

    def years(self) -> dict[str, str]:
        """The year of each season's first race, by its key, the newest season first; of those
        that have one."""

    def names(self, drivers: Collection[str]) -> dict[str, str]:
        """What these drivers are called, by key."""

    def record(self, race: str) -> list[Line] | None:
        """The lines of a race's record; None for a race entered by hand."""


@dataclass(frozen=True, slots=True)
class Picked:
    """Which cars of all seasons are asked for.

    Args:
        values: by names of columns of `store.models.CarRow`, all of which have to fit.
        by_grid: those with a place on the grid, in its order.
        of: cars of all races, of sprints alone, or of all but the sprints beside another race.
        unseen: seasons whose cars nobody sees. `hidden`: drivers whom nobody picks.
    """

    values: tuple[tuple[str, str | int], ...] = ()
    by_grid: bool = False
    of: Literal["all", "races", "sprints"] = "all"
    unseen: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()


class Book(Protocol):
    """What was kept of many races when they came in: lists with an end."""

    def people(self, *, first: int = 0, most: int = 50) -> tuple[list[Totals], int]:
        """Those who have driven, the best rating first, and how many there are in all."""

    def career(self, driver: str) -> Career | None:
        """What a driver has done; None: nobody of this key has driven."""

    def boards(self) -> list[BoardBook]:
        """The boards by name, for each game."""

    def latest(self, *, first: int = 0, most: int = 50) -> tuple[list[Race], int]:
        """The latest races, slim ones for a list, and how many there are in all."""

    def cars(
        self, picked: Picked, *, first: int = 0, most: int = 30
    ) -> tuple[list[tuple[str, int]], int]:
        """Cars of rounds, oldest first: the race's id and the seat; and how many there are."""

    def groups(
        self, picked: Picked, of: str, *, first: int = 0, most: int = 30
    ) -> tuple[list[tuple[str, int]], int]:
        """What these cars have as `driver`, `team`, `board`, `status`, `season` or `race`, each
        once, and how many cars; and how many such there are."""

    def rounds(self, races: Collection[str]) -> list[Race]:
        """The races with these ids that are to be seen, oldest first."""


class DrawnNames(Protocol):
    """What came of a draw."""

    @property
    def names(self) -> list[str]:
        """Who was drawn."""

    @property
    def banned(self) -> tuple[object, ...]:
        """Who has no table because of a ban; each as text is a sentence."""


class LeagueWriter(Protocol):
    """Where people change the league."""

    def do(self, *acts: Act, by: str) -> int:
        """Carry out acts (docs/league.md, `acts.py`), all or none, and keep them for good.

        A form's `byhand.race_acts` and a file's `byhand.csv_acts` go in here as they are. `by`
        is who did it, as it will be shown. The number of the first.

        Raises:
            BadAct: one has no sense; nothing has changed.
            LeagueError: they could not be kept.
        """

    def catch_up(self, *, wait: bool = True) -> Sequence[Refused]:
        """Take in records and acts that have come since; the records that cannot be.

        Cheap where nothing has come: it looks at the folder, not into the files. With `wait`
        False it never waits for another process that is at it.
        """

    def forget(self, name: str, *, by: str) -> str:
        """Erase a person's names for good; what the person is called from then on.

        Raises:
            BadAct: nobody in the league is called so.
            LeagueError: a file could not be written; ask again.
        """

    def qualify(self, season: str, *, by: str) -> list[str]:
        """Enter those whom the ways out of a stage take; their names.

        Raises:
            BadAct: there is no such stage, nobody goes on, or a place at a border is shared.
        """

    def draw(
        self,
        season: str,
        tables: int,
        how: Draw,
        dice: Random,
        *,
        by: str,
        with_grid: bool = False,
    ) -> DrawnNames:
        """Draw the tables of a stage, and their grids; who was drawn, and who is banned.

        Raises:
            BadAct: there is no such stage, or as many do not fit at as many tables.
        """

    def seat_late(self, season: str, *, by: str) -> DrawnNames:
        """Give a table to those of a stage who have come late.

        Raises:
            BadAct: there is no such stage, no table is drawn yet, or nobody is without one.
        """

    def table_of_race(self, race: str) -> str | None:
        """The table that a race was sent from or entered for; None: none, or no such race."""

    def member(self, key: str) -> Member | None:
        """The person that a key was given to; None: nobody."""


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody who has a key of their own, and what they may do with it; `table` is a marshal's."""

    name: str
    role: Role
    table: str | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """A record that is not in the league, and why. `line` counts from 1."""

    file: str
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the club says to a record that a table sent.

    `status`: `taken` (new, or longer than what was there), `known` (had it already), or
    `refused`, with `message` naming the line.
    """

    status: Literal["taken", "known", "refused"]
    race: str | None
    message: str = ""


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
