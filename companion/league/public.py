"""The league as strangers see it: without private seasons, and without the names of drivers who
are hidden. It answers as `ports.LeagueQueries` and `ports.Book` do, so that pages, files to take
along, replays and other programs are all given this."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Any, Protocol

from companion.league.errors import key_of
from companion.league.numbers import BoardBook, Career, Held, Meeting, Totals
from companion.league.plain import (
    Competition,
    Driver,
    Earlier,
    Entry,
    Line,
    Penalty,
    Planned,
    Protest,
    Race,
    Season,
    meant,
)
from companion.league.ports import Book, LeagueQueries, Picked
from companion.system.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Unseen:
    """What strangers do not see: drivers by key with all their names, and seasons by key."""

    drivers: dict[str, tuple[str, ...]]
    seasons: frozenset[str]


class Curtain(Protocol):
    """Knows what is not to be seen."""

    def unseen(self) -> Unseen:
        """What strangers do not see now."""


Alias = Callable[[str], str]
"""What a driver is called who is not to be named, by key."""


class Public:
    """What there is to see.

    Args:
        queries: all that there is; `book` likewise, and `curtain` what of it is not seen.
    """

    def __init__(self, queries: LeagueQueries, book: Book, curtain: Curtain, alias: Alias) -> None:
        self._queries = queries
        self._book = book
        self._curtain = curtain
        self._alias = alias

    def seasons(
        self,
        key: str | None = None,
        *,
        keys: Collection[str] | None = None,
        first: int = 0,
        most: int | None = None,
        is_slim: bool = False,
    ) -> list[Season]:
        """All seasons, the newest first; or the one with a key. Or so many behind the `first`.

        With `is_slim` without teams, entry list, calendar, ways and penalties: for lists.
        """
        veil = self._veil()
        found = self._queries.seasons(key, keys=keys, first=first, most=most, is_slim=is_slim)
        return [veil.season(one) for one in found if not one.is_private]

    def competitions(self) -> list[Competition]:
        """All competitions, the newest first."""
        return self._queries.competitions()

    def stages(self, competition: str) -> list[Season]:
        """The stages of a competition: the first step first, the uppermost tier first."""
        veil = self._veil()
        found = self._queries.stages(competition)
        return [veil.season(one) for one in found if not one.is_private]

    def current(self) -> Season | None:
        """The season that is open, else the newest."""
        found = self._queries.current()
        if found is not None and found.is_private:
            return meant(self.seasons())
        return None if found is None else self._veil().season(found)

    def races(
        self,
        *,
        season: str | None = None,
        driver: str | None = None,
        race: str | None = None,
        stages: Collection[str] | None = None,
        is_slim: bool = False,
    ) -> list[Race]:
        """Races, oldest first; in a season by round."""
        veil = self._veil()
        if driver in veil.drivers:
            return []
        found = self._queries.races(
            season=season, driver=driver, race=race, stages=stages, is_slim=is_slim
        )
        return veil.races(found)

    def drivers(self, keys: Collection[str] | None = None) -> list[Driver]:
        """Everybody who was in a race or is entered, by name; or those with these keys."""
        return [one for one in self._queries.drivers(keys) if not one.is_hidden]

    def years(self) -> dict[str, str]:
        """The year of each season's first race, by the season's key."""
        unseen = self._curtain.unseen().seasons
        return {key: year for key, year in self._queries.years().items() if key not in unseen}

    def names(self, drivers: Collection[str]) -> dict[str, str]:
        """What these drivers are called, by key; who is hidden has the key that strangers see."""
        hidden = self._curtain.unseen().drivers
        aliases = {key_of(alias): alias for alias in map(self._alias, hidden)}
        seen = self._queries.names([key for key in drivers if key not in hidden])
        return seen | {key: aliases[key] for key in drivers if key in aliases}

    def record(self, race: str) -> list[Line] | None:
        """The lines of a race's record; None for a race entered by hand, or one not to be seen."""
        veil = self._veil()
        if not veil.races(self._queries.races(race=race)):
            return None
        lines = self._queries.record(race)
        return lines if lines is None or not veil.drivers else veil.json(lines)

    def people(self, *, first: int = 0, most: int = 50) -> tuple[list[Totals], int]:
        """Those who have driven, the best rating first, and how many there are in all."""
        veil = self._veil()
        found, count = self._book.people(first=first, most=most)
        return [one for one in found if one.driver.key not in veil.drivers], count

    def career(self, driver: str) -> Career | None:
        """What a driver has done; None: nobody of this key has driven."""
        veil = self._veil()
        career = None if driver in veil.drivers else self._book.career(driver)
        if career is None:
            return None
        outings = (one for one in career.outings if one.season not in veil.seasons)
        rivals = tuple(map(veil.meeting, career.rivals))
        seasons = tuple(one for one in career.seasons if one.key not in veil.seasons)
        won = (one for one in career.championships if veil.seasons.isdisjoint(one.seasons))
        return replace(
            career,
            outings=tuple(outings),
            rivals=rivals,
            seasons=seasons,
            championships=tuple(won),
        )

    def boards(self) -> list[BoardBook]:
        """The boards by name, for each game."""
        veil = self._veil()
        return [veil.board(one) for one in self._book.boards()]

    def latest(self, *, first: int = 0, most: int = 50) -> tuple[list[Race], int]:
        """The latest races, for a list, and how many there are in all."""
        found, count = self._book.latest(first=first, most=most)
        return self._veil().races(found), count

    def cars(
        self, picked: Picked, *, first: int = 0, most: int = 30
    ) -> tuple[list[tuple[str, int]], int]:
        """Cars of rounds, oldest first: the race's id and the seat; and how many there are."""
        return self._book.cars(self._seen(picked), first=first, most=most)

    def groups(
        self, picked: Picked, of: str, *, first: int = 0, most: int = 30
    ) -> tuple[list[tuple[str, int]], int]:
        """What these cars have under a name, each once, and how many cars; and how many such."""
        return self._book.groups(self._seen(picked), of, first=first, most=most)

    def rounds(self, races: Collection[str]) -> list[Race]:
        """The races with these ids, oldest first."""
        return self._veil().races(self._book.rounds(races))

    def _seen(self, picked: Picked) -> Picked:
        unseen = self._curtain.unseen()
        return replace(picked, unseen=unseen.seasons, hidden=frozenset(unseen.drivers))

    def text(self, text: str) -> str:
        """A text in which nobody who is hidden is named."""
        return self._veil().text(text)

    def _veil(self) -> _Veil:
        return _Veil(self._curtain.unseen(), self._alias)


class _Veil:
    """What is not seen at one moment, and how it is told instead."""

    def __init__(self, unseen: Unseen, alias: Alias) -> None:
        self.drivers = {key: alias(key) for key in unseen.drivers}
        self.seasons = unseen.seasons
        spelled = {n.casefold(): key for key, names in unseen.drivers.items() for n in names}
        self._spelled = {name: self.drivers[key] for name, key in spelled.items()}
        words = "|".join(re.escape(name) for name in sorted(spelled, key=len, reverse=True))
        self._names = re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) if words else None

    def text(self, text: str) -> str:
        if self._names is None:
            return text
        return self._names.sub(lambda found: self._spelled[found[0].casefold()], text)

    def maybe(self, text: str | None) -> str | None:
        return None if text is None else self.text(text)

    def json(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.json(one) for one in value]
        if isinstance(value, dict):
            return {key: self.json(one) for key, one in value.items()}
        return value

    def key(self, driver: str) -> str:
        return key_of(self.drivers[driver]) if driver in self.drivers else driver

    def races(self, races: Iterable[Race]) -> list[Race]:
        seen = [race for race in races if race.season not in self.seasons]
        return [self.race(race) for race in seen] if self.drivers else seen

    def race(self, race: Race) -> Race:
        numbers: Any = {**race.numbers}
        if "seats" in numbers:
            numbers["seats"] = self.json(numbers["seats"])
        return replace(
            race,
            name=self.text(race.name),
            entries=tuple(map(self.entry, race.entries)),
            penalties=tuple(map(self.penalty, race.penalties)),
            notes=tuple(
                replace(one, text=self.text(one.text), by=self.text(one.by)) for one in race.notes
            ),
            earlier=tuple(map(self.earlier, race.earlier)),
            protests=tuple(map(self.protest, race.protests)),
            struck=self.maybe(race.struck),
            sender=self.maybe(race.sender),
            numbers=numbers,
        )

    def entry(self, entry: Entry) -> Entry:
        crew = tuple(map(self.key, entry.crew))
        if entry.driver not in self.drivers:
            return replace(entry, crew=crew) if crew != entry.crew else entry
        name = self.drivers[entry.driver]
        return replace(entry, driver=self.key(entry.driver), name=name, crew=crew)

    def penalty(self, one: Penalty) -> Penalty:
        reason, lifted = self.text(one.reason), self.maybe(one.lifted)
        return replace(one, driver=self.key(one.driver), reason=reason, lifted=lifted)

    def earlier(self, one: Earlier) -> Earlier:
        entries = tuple(map(self.entry, one.entries))
        return replace(one, entries=entries, reason=self.text(one.reason))

    def protest(self, one: Protest) -> Protest:
        return replace(
            one,
            driver=self.key(one.driver),
            reason=self.text(one.reason),
            decision=self.maybe(one.decision),
            decided_by=self.maybe(one.decided_by),
        )

    def season(self, season: Season) -> Season:
        if not self.drivers:
            return season
        key = self.key
        return replace(
            season,
            teams={key(driver): team for driver, team in season.teams.items()},
            moves=tuple(replace(one, driver=key(one.driver)) for one in season.moves),
            stand_ins=tuple(
                replace(one, driver=key(one.driver), absent=key(one.absent))
                for one in season.stand_ins
            ),
            entrants=tuple(
                replace(
                    one,
                    driver=key(one.driver),
                    name=self.drivers.get(one.driver, one.name),
                    crew=tuple(map(key, one.crew)),
                )
                for one in season.entrants
            ),
            calendar=tuple(map(self.planned, season.calendar)),
            penalties=tuple(map(self.penalty, season.penalties)),
        )

    def planned(self, one: Planned) -> Planned:
        coming, absent = (tuple(map(self.key, keys)) for keys in (one.coming, one.absent))
        return replace(one, coming=coming, absent=absent, cancelled=self.maybe(one.cancelled))

    def meeting(self, one: Meeting) -> Meeting:
        if one.driver not in self.drivers:
            return one
        return replace(one, driver=self.key(one.driver), name=self.drivers[one.driver])

    def held(self, one: Held | None) -> Held | None:
        if one is None or one.season in self.seasons:
            return None
        if one.driver not in self.drivers:
            return one
        return replace(one, driver=self.key(one.driver), name=self.drivers[one.driver])

    def board(self, board: BoardBook) -> BoardBook:
        race = {laps: self.held(one) for laps, one in board.race.items()}
        seen = {laps: one for laps, one in race.items() if one is not None}
        return replace(board, lap=self.held(board.lap), race=seen, wins=self.held(board.wins))
