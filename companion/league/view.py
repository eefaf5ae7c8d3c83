"""The league as pages, exports and commands read it, of a value that stands (`stand.py`).

    view.seasons() -> [Season]            view.races(season="2026") -> [Race]
    view.drivers() -> [Driver]            view.record(race.id) -> [line, …] or None

There are two: of all that is known, and of what strangers see, who see no private seasons, and of
drivers who are hidden no name. Both give the same kinds of plain records, so whatever is made of
them (`standings.standings(season, races)`, `results.classify(race)`) never knows which it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import fields, replace
from functools import cache
from typing import Any, Final, TypeVar

from companion.league.errors import BadAct, key_of, over_texts
from companion.league.numbers import BoardBook, Career, Counts, Held, Totals
from companion.league.plain import (
    Competition,
    Driver,
    Line,
    Race,
    Season,
    meant,
)
from companion.league.stand import Stand, Told
from companion.league.standings import rounds_of

Alias = Callable[[str], str]
"""What a driver is called who is not to be named, by key."""
MOST_MEMOS: Final = 1000
"""Answers that one value keeps."""
MadeT = TypeVar("MadeT")
RecordT = TypeVar("RecordT")


class View:
    """What there is to see. Every call is safe from any thread and sees one value of the league.

    Args:
        stand: gives the league as it stands now.
        record: gives the lines of a race's record; None: it has none.
        alias: of strangers' view; None: all is seen.
    """

    def __init__(
        self,
        stand: Callable[[], Stand],
        counts: Callable[[], Counts],
        record: Callable[[str], list[Line] | None],
        alias: Alias | None = None,
    ) -> None:
        self._stand, self._counts, self._record, self._alias = stand, counts, record, alias

    def _seen(self) -> tuple[Stand, _Veil]:
        """What stands, and what of it is not seen."""
        stand, alias = self._stand(), self._alias
        of = (stand, alias) if alias else (Stand(), str)
        return stand, stand.once(("veil", alias is None), lambda: _Veil(*of))

    def remembered(self, key: tuple[object, ...], make: Callable[[], MadeT]) -> MadeT:
        """An answer that is kept as long as this value of the league is asked; of all seasons."""
        stand, at = self._stand(), ("asked", self._alias is None, *key)
        is_full = len(stand.memo) >= MOST_MEMOS and at not in stand.memo
        return make() if is_full else stand.once(at, make)

    # -- seasons ----------------------------------------------------------------------------

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
        stand, veil = self._seen()
        wanted = None if keys is None else {*keys}
        found = [
            one
            for one in ([key] if key in stand.stages else [] if key else reversed(stand.stages))
            if one not in veil.seasons and (wanted is None or one in wanted)
        ]
        found = found[first : None if most is None else first + most]
        if is_slim:
            return [stand.stages[one].season for one in found]
        return [veil.season(stand.season(one)) for one in found]

    def competitions(self) -> list[Competition]:
        """All competitions, the newest first."""
        return list(reversed(self._stand().cups.values()))

    def competition(self, key: str | None) -> Competition | None:
        """The competition with a key; None: there is none."""
        return self._stand().cups.get(key or "")

    def stages(self, competition: str) -> list[Season]:
        """The stages of a competition: the first step first, the uppermost tier first."""
        stand, veil = self._seen()
        own = [one.season for one in stand.stages.values() if one.season.competition == competition]
        own.sort(key=lambda one: (one.step, one.tier))
        return [veil.season(stand.season(one.key)) for one in own if one.key not in veil.seasons]

    def current(self) -> Season | None:
        """The season that is open, else the newest."""
        slim = meant(self.seasons(is_slim=True))
        return None if slim is None else self.season(slim.key)

    def years(self) -> dict[str, str]:
        """The year of each season's first race, by its key, the newest season first; of those
        that have one."""
        return self.remembered(("years",), self._years)

    def _years(self) -> dict[str, str]:
        stand, veil = self._seen()
        found = {}
        for key in reversed(stand.stages):
            races = (stand.told[race].race for race in stand.rounds.get(key, ()))
            date = min((race.date for race in races if race.counts), default="")
            if date and key not in veil.seasons:
                found[key] = date[:4]
        return found

    def season(self, key: str | None) -> Season | None:
        """The season with a key; None: there is none."""
        return next(iter(self.seasons(key)), None) if key else None

    def the_season(self, key: str) -> Season:
        """The same.

        Raises:
            BadAct: there is none.
        """
        found = self.season(key)
        if found is None:
            raise BadAct(f"there is no season {key!r}")
        return found

    # -- races ------------------------------------------------------------------------------

    def race(self, key: str) -> Race | None:
        """The race with an id; None: there is none."""
        return next(iter(self.races(race=key)), None)

    def held(self, *seasons: Season, is_slim: bool = True) -> list[Race]:
        """The races that count in a season, by round; of several season by season."""
        races = self.races(stages=[one.key for one in seasons], is_slim=is_slim)
        return [race for season in seasons for race in rounds_of(season, races)]

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
        they were before, notes and protests: as far as standings need them.
        """
        stand, veil = self._seen()
        if driver in veil.drivers:
            return []
        keys = stand.told.keys() if race is None else stand.told.keys() & {race}
        for some in (stages, None if season is None else [season]):
            if some is not None:
                keys = keys & {one for key in some for one in stand.rounds.get(key, ())}
        found = [stand.told[key] for key in keys]
        if driver is not None:
            found = [one for one in found if driver in stand.people_in(one)]
        by_round = season is not None
        found.sort(
            key=lambda one: (one.race.round or 0 if by_round else 0, one.race.date, one.race.id)
        )
        return veil.races(stand, found, is_slim=is_slim)

    def on(self, day: str) -> list[Race]:
        """The races of a day, such as 2026-05-17."""
        stand = self._stand()
        return self.rounds([one for one, told in stand.told.items() if told.race.date[:10] == day])

    def rounds(self, races: Collection[str]) -> list[Race]:
        """The races with these ids, oldest first."""
        stand, veil = self._seen()
        found = [stand.told[race] for race in races if race in stand.told]
        found.sort(key=lambda one: (one.race.date, one.race.id))
        return veil.races(stand, found)

    def latest(self, *, first: int = 0, most: int = 50) -> tuple[list[Race], int]:
        """The latest races, slim ones for a list, and how many there are in all."""
        stand, veil = self._seen()

        def by_date() -> list[str]:
            told = (one.race for one in stand.told.values() if one.race.season not in veil.seasons)
            return [one for _, one in sorted(((race.date, race.id) for race in told), reverse=True)]

        ids = stand.once(("latest", self._alias is None), by_date)
        found = [stand.told[race] for race in ids[first : first + most]]
        return veil.races(stand, found, is_slim=True), len(ids)

    def record(self, race: str) -> list[Line] | None:
        """The lines of a race's record; None for a race entered by hand, or one not to be seen."""
        stand, veil = self._seen()
        told = stand.told.get(race)
        if told is None or told.race.season in veil.seasons or told.race.source != "record":
            return None
        lines = self._record(race)
        return lines if lines is None or not veil.drivers else veil.json(lines)

    # -- people -----------------------------------------------------------------------------

    def drivers(self, keys: Collection[str] | None = None) -> list[Driver]:
        """Everybody who was in a race or is entered, by name; or those with these keys."""
        stand, veil = self._seen()
        seen: dict[str, int] = {}
        for stage in stand.stages.values():
            for car, entrant in stage.entrants.items():
                seen |= dict.fromkeys(map(stand.who, (car, *entrant.crew)), 0)
        for told in stand.told.values():
            for one in stand.people_in(told):
                seen[one] = seen.get(one, 0) + 1
        wanted = seen.keys() - veil.drivers.keys()
        wanted = wanted if keys is None else wanted & {*keys}
        found = [stand.called(key, seen[key]) for key in wanted]
        return sorted(found, key=lambda one: (one.name.casefold(), one.key))

    def names(self, drivers: Collection[str]) -> dict[str, str]:
        """What these drivers are called, by key; who is hidden has the key that strangers see."""
        stand, veil = self._seen()
        known = (key for key in drivers if key in stand.names and stand.who(key) == key)
        found = {key: stand.called(key).name for key in known if key not in veil.drivers}
        aliases = {key_of(alias): alias for alias in veil.drivers.values()}
        return found | {key: aliases[key] for key in drivers if key in aliases}

    def people(self, *, first: int = 0, most: int = 50) -> tuple[list[Totals], int]:
        """Those who have driven, the best rating first, and how many there are in all."""
        stand, veil = self._seen()
        who = self._counts().people(stand, veil.drivers)
        return self._counts().totals(stand, who[first : first + most]), len(who)

    def is_counting(self) -> bool:
        """Whether ratings are being worked out anew, and those of before are told."""
        return self._counts().is_behind

    def career(self, driver: str) -> Career | None:
        """What a driver has done; None: nobody of this key is known."""
        stand, veil = self._seen()
        career = None if driver in veil.drivers else self._counts().career(stand, driver)
        return None if career is None else veil.career(career)

    def boards(self) -> list[BoardBook]:
        """The boards by name, for each game."""
        stand, veil = self._seen()
        return [veil.board(one) for one in self._counts().boards(stand)]

    # -- for programs -----------------------------------------------------------------------

    def over_seasons(
        self, what: str, make: Callable[[Season, list[Race]], Sequence[MadeT]]
    ) -> list[MadeT]:
        """What is worked out of each season and its races, put together; of private seasons
        nothing, and of hidden drivers as they are seen."""
        stand, veil = self._seen()
        keys = (key for key in stand.rounds if key in stand.stages and key not in veil.seasons)
        counts, at = self._counts(), f"{what} {self._alias is None}"

        def seen(season: Season, races: list[Race]) -> Sequence[MadeT]:
            shown = [veil.race(race) for race in races] if veil.drivers else races
            return make(veil.season(season), shown)

        of = veil.drivers
        return [one for key in keys for one in counts.kept(stand, at, key, seen, of)]

    def hidden(self) -> frozenset[str]:
        """The keys under which drivers are seen who are not to be known."""
        return frozenset(map(key_of, self._seen()[1].drivers.values()))

    def text(self, text: str) -> str:
        """A text in which nobody who is hidden is named."""
        return self._seen()[1].text(text)


class _Veil:
    """What is not seen at one moment, and how it is told instead."""

    def __init__(self, stand: Stand, alias: Alias) -> None:
        hidden = {key: stand.called(key).names for key in sorted(stand.hidden)}
        private = (key for key, stage in stand.stages.items() if stage.season.is_private)
        self.drivers = {key: alias(key) for key in hidden}
        self.seasons = frozenset(private)
        spelled = {n.casefold(): key for key, names in hidden.items() for n in names}
        self._spelled = {name: self.drivers[key] for name, key in spelled.items()}
        words = "|".join(re.escape(name) for name in sorted(spelled, key=len, reverse=True))
        self._names = re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) if words else None

    def text(self, text: str) -> str:
        if self._names is None:
            return text
        return self._names.sub(lambda found: self._spelled[found[0].casefold()], text)

    def json(self, value: Any) -> Any:
        return over_texts(value, self.text)

    def key(self, driver: str) -> str:
        return key_of(self.drivers[driver]) if driver in self.drivers else driver

    def races(self, stand: Stand, told: Iterable[Told], *, is_slim: bool = False) -> list[Race]:
        seen = (one for one in told if one.race.season not in self.seasons)
        races = [stand.race(one, is_slim=is_slim) for one in seen]
        return [self.race(race) for race in races] if self.drivers else races

    def career(self, career: Career) -> Career:
        seasons = tuple(one for one in career.seasons if one.key not in self.seasons)
        won = (one for one in career.championships if self.seasons.isdisjoint(one.seasons))
        return replace(
            career,
            outings=tuple(one for one in career.outings if one.season not in self.seasons),
            rivals=tuple(map(self.record, career.rivals)),
            seasons=seasons,
            championships=tuple(won),
        )

    def race(self, race: Race) -> Race:
        numbers: Any = {**race.numbers}
        if "seats" in numbers:
            numbers["seats"] = self.json(numbers["seats"])
        return replace(self.record(race), name=self.text(race.name), numbers=numbers)

    def season(self, season: Season) -> Season:
        if not self.drivers:
            return season
        teams = {self.key(driver): team for driver, team in season.teams.items()}
        return replace(self.record(season), teams=teams)

    def record(self, one: RecordT) -> RecordT:
        """A record in which nobody who is hidden stands: by the names of its fields."""
        own: Any = one
        kind: Any = type(one)
        changes: dict[str, Any] = {}
        for name in _fields_of(kind):
            value = getattr(one, name)
            if isinstance(value, tuple):
                changes[name] = tuple(map(self.key if name in PEOPLE else self.record, value))
            elif isinstance(value, str):
                changes[name] = self.key(value) if name in PEOPLE else self.text(value)
        if "driver" in changes and own.driver in self.drivers and hasattr(one, "name"):
            changes["name"] = self.drivers[own.driver]
        return replace(own, **changes)  # type: ignore[no-any-return]  # the same kind

    def held(self, one: Held | None) -> Held | None:
        return None if one is None or one.season in self.seasons else self.record(one)

    def board(self, board: BoardBook) -> BoardBook:
        race = {laps: self.held(one) for laps, one in board.race.items()}
        seen = {laps: one for laps, one in race.items() if one is not None}
        return replace(board, lap=self.held(board.lap), race=seen, wins=self.held(board.wins))


PEOPLE: Final = ("driver", "absent", "crew", "coming")
"""The fields that say who somebody is, by key."""
TEXTS: Final = {"text", "by", "reason", "lifted", "decision"} | (
    {"decided_by", "struck", "sender", "cancelled"}
)
"""Those in which people have written."""
PARTS: Final = {"entries", "penalties", "notes", "earlier", "protests"} | (
    {"moves", "stand_ins", "entrants", "calendar"}
)
"""Those that hold such records."""


@cache
def _fields_of(kind: type[Any]) -> list[str]:
    return [one.name for one in fields(kind) if one.name in (*PEOPLE, *TEXTS, *PARTS)]
