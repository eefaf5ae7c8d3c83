"""The league as it stands after some acts: a value, in plain memory.

Nothing is stored of it. It is made of acts and finished records, one after another (`Act.do`,
`take`); to undo an act is to fold without it, to rebuild is to fold anew. Whoever reads keeps the
value that he was given: what comes later makes another one, which shares whatever has not changed.
What is asked of it across races, seasons and people, `view.py` works out.

People stand in it by the keys of their names (`errors.key_of`), as they were written; whose a name
is by now, `who` tells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import field, fields, replace
from functools import cache
from itertools import chain, combinations, count, product
from operator import attrgetter
from sys import intern
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from companion.league import plain
from companion.league.errors import BadAct, key_of
from companion.league.finished import Finished, unpacked
from companion.league.forms import ChangedCar, Role
from companion.league.results import Row, amended
from companion.system.frozen import dataclass, no_state

if TYPE_CHECKING:
    from companion.league.federation import Conduct

Measured = Mapping[str, plain.CarNumbers]
"""What was measured of cars, by their seats."""
NONE: Final[Mapping[Any, Any]] = {}
"""Of the many who have nothing, one for all."""
NO_CLOCK: Final = "2020"
"""No record is older than the companion: before it, a computer has no clock."""
LATE: Final = "~"
"""Sorts behind every date: a name that no race has been driven under yet."""
OF_RECORD: Final = {"name", "date", "game", "track", "board"} | (
    {"laps", "rules", "notes", "remark", "numbers"}
)
"""What a race has of its record."""
OF_ROW: Final = tuple(
    one.name for one in fields(Row) if one.name not in ("player", "crew", "measured")
)
"""What an entry has of its row."""
MadeT = TypeVar("MadeT")
SlottedT = TypeVar("SlottedT")
StageOrTold = TypeVar("StageOrTold", bound="Stage | Told")


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody who has a key of their own, and what they may do with it; `table` is a marshal's."""

    name: str
    role: Role
    table: str | None = None


@dataclass(frozen=True, slots=True)
class Name:
    """A name that races are driven under; `since` is the first of them, by its date."""

    spelling: str
    since: str = LATE


@dataclass(frozen=True, slots=True)
class Stage:
    """A season as it stands; people in it by the keys of their names.

    Args:
        season: without what stands beside it here.
        closed: whether it was open, and somebody has closed it.
        by_itself: whether nobody has asked for it.
        teams: by round and name. `stand_ins`, `coming` likewise.
        paths, penalties: by the numbers of their acts.
    """

    season: plain.Season
    closed: bool = False
    by_itself: bool = False
    teams: Mapping[tuple[int, str], str | None] = field(default_factory=dict)
    entrants: Mapping[str, plain.Entrant] = field(default_factory=dict)
    stand_ins: Mapping[tuple[int, str], str] = field(default_factory=dict)
    calendar: Mapping[int, plain.Planned] = field(default_factory=dict)
    coming: Mapping[tuple[int, str], bool] = field(default_factory=dict)
    paths: Mapping[int, plain.Path] = field(default_factory=dict)
    penalties: Mapping[int, plain.Penalty] = field(default_factory=dict)


class Amendment(NamedTuple):
    """A result as somebody changed it."""

    cars: tuple[ChangedCar, ...]
    reason: str
    at: str

    def __setstate__(self, state: object) -> None:
        no_state(self, state)


@dataclass(frozen=True, slots=True)
class Told:
    """A race as it stands.

    Args:
        race: without what stands beside it here.
        origin: the result as it came in. `rows`: as it stands, with the amendments in it.
        earlier: those that the table itself took back.
        crews: who drove the cars that had several drivers, by seat and as keys of names.
        added: the notes that stand not in the record.
        record: the digest of its record; None: it was entered by hand.
        measured: what was measured of it (`finished.packed`).
        placed: whether somebody has said which round it is. `is_dated`: or on which day it was.
    """

    race: plain.Race
    origin: tuple[Row, ...] = ()
    rows: tuple[Row, ...] = ()
    earlier: tuple[tuple[Row, ...], ...] = ()
    amendments: tuple[Amendment, ...] = ()
    crews: Mapping[int, tuple[str, ...]] = field(default_factory=lambda: NONE)
    penalties: Mapping[int, plain.Penalty] = field(default_factory=lambda: NONE)
    protests: Mapping[int, plain.Protest] = field(default_factory=lambda: NONE)
    added: tuple[plain.Note, ...] = ()
    record: str | None = None
    measured: bytes = b""
    placed: bool = False
    is_dated: bool = False

    def names_of(self, row: Row) -> tuple[str, ...]:
        """The keys of the names under which a car was driven, its crew's among them."""
        return key_of(row.player or row.name), *self.crews.get(row.seat, ())

    def results(self) -> Iterator[tuple[tuple[Row, ...], str, str]]:
        """The results from the first to the one that holds, with why and when each was changed.

        An amendment that no longer fits the record is passed over: what is worked out refuses
        nothing.
        """
        for rows in self.earlier:
            yield rows, "", ""
        rows = self.origin
        for one in self.amendments:
            try:
                after = tuple(amended(rows, one.cars, self.race.game))
            except BadAct:
                continue
            yield rows, one.reason, one.at
            rows = after
        yield rows, "", ""


class Stand:
    """What stands after some acts and records."""

    def __init__(self) -> None:
        self.stages: dict[str, Stage] = {}
        self.cups: dict[str, plain.Competition] = {}
        self.told: dict[str, Told] = {}
        self.rounds: dict[str, dict[str, int]] = {}
        """The races of each season, and their rounds."""
        self.names: dict[str, Name] = {}
        self.merged: dict[str, str] = {}
        """Whose a name is that is not a person of its own."""
        self.titles: dict[str, str] = {}
        self.hidden: set[str] = set()
        self.tables: dict[str, str | None] = {}
        self.members: dict[str, tuple[str, Member]] = {}
        self.waits = False
        """Whether what a table sends is confirmed by hand."""
        self.memo: dict[Any, Any] = {}
        """What was worked out of this value."""

    def once(self, at: object, make: Callable[[], MadeT]) -> MadeT:
        """What is worked out of this value, once."""
        if at not in self.memo:
            self.memo[at] = make()
        found: MadeT = self.memo[at]
        return found

    def bare(self) -> Stand:
        """The same without what was worked out of it."""
        after = copy(self)
        after.memo = {}
        return after

    def copied(self) -> Stand:
        """The same, to be changed."""
        after = self.bare()
        for name, value in vars(self).items():
            setattr(after, name, {} if name == "memo" else copy(value))
        return after

    def put(self, of: StageOrTold, **changes: Any) -> StageOrTold:
        """A stage or a race is otherwise from now on."""
        one = otherwise(of, **changes) if changes else of
        if isinstance(one, Told):
            self.told[one.race.id] = one
        else:
            self.stages[one.season.key] = one
        return one

    def changed(self, other: Stand) -> list[str]:
        """The seasons whose standings may differ from those of another value, the latest first;
        where people are otherwise the open one alone, for there may be many."""

        def told(of: Stand, key: str) -> object:
            rounds = of.rounds.get(key, {}).items()
            return of.stages.get(key), [(one, of.told[one], n) for one, n in rounds]

        if (self.merged, self.titles) != (other.merged, other.titles):
            return [key for key, one in self.stages.items() if one.season.is_open]
        either = dict.fromkeys([*reversed(self.rounds), *other.rounds])
        return [key for key in either if told(self, key) != told(other, key)]

    # -- races ------------------------------------------------------------------------------

    def take(self, found: Finished, record: str, at: str) -> None:
        """A race out of its record: new, or as the record tells it now.

        Args:
            at: when it came in. A small computer without a battery wakes up in 1970: what its
                clock said then is not believed, as long as there is anything better.
        """
        old = self.told.get(found.id)
        own: dict[str, Any] = {name: getattr(found, name) for name in OF_RECORD}
        own["source"] = "record"
        if old is not None and (old.is_dated or (found.date < NO_CLOCK <= old.race.date)):
            own["date"] = old.race.date
        elif found.date < NO_CLOCK <= at:
            own["date"] = at
        race = otherwise(old.race, **own) if old else plain.Race(id=found.id, entries=(), **own)
        told = otherwise(
            old or Told(race, rows=found.rows),
            race=race,
            record=record,
            origin=found.rows,
            earlier=found.earlier,
            measured=found.measured,
        )
        self.settle(told)

    def settle(self, told: Told) -> None:
        """Make the result of a race again from its origin and the amendments; meet who is in it."""
        *_, (rows, _, _) = told.results()
        for row in rows:
            for name in (row.player or row.name, *row.crew):
                self.name(name, f"{told.race.date} {told.race.id}")
        self.man(self.put(told, **({} if rows is told.rows else {"rows": rows})))

    def clear(self, key: str | None) -> None:
        """A season that was made by itself goes where its races have all gone into others."""
        stage = self.stages.get(key or "")
        if stage is None or self.rounds.get(stage.season.key):
            return
        if stage.by_itself and not stage.season.is_open:
            del self.stages[stage.season.key]
            self.rounds.pop(stage.season.key, None)

    def man(self, told: Told) -> None:
        """Find out who drove the cars of a race where they were several: as the race says, else as
        the entry list of its season does."""
        stage = self.stages.get(told.race.season or "")
        has_crews = stage is not None and any(one.crew for one in stage.entrants.values())
        if not (told.crews or has_crews or any(row.crew for row in told.rows)):
            return
        entered = stage.entrants.items() if stage else ()
        crews = {self.who(name): one.crew for name, one in entered if one.crew}
        own = {
            row.seat: tuple(dict.fromkeys(map(key_of, row.crew)))
            or crews.get(self.who(key_of(row.player or row.name)), ())
            for row in told.rows
        }
        crews_now = {seat: crew for seat, crew in own.items() if crew}
        if crews_now != told.crews:
            self.put(told, crews=crews_now)

    def man_season(self, key: str) -> None:
        """Likewise of all races of a season, whose entry list has changed."""
        for race in self.rounds.get(key, ()):
            self.man(self.told[race])

    # -- people -----------------------------------------------------------------------------

    def name(self, name: str, since: str = LATE) -> str:
        """See to it that a name is known; its key."""
        key = intern(key_of(name))
        own = self.names.get(key)
        if own is None or since < own.since:
            self.names[key] = Name(name, since)
        return key

    def known(self, name: str) -> str:
        """The key of a name that somebody has driven under, or was called.

        Raises:
            BadAct: nobody was.
        """
        key = key_of(name)
        if key not in self.names:
            raise BadAct(f"nobody in the league is called {name!r}")
        return key

    def spelled(self, key: str) -> str:
        """A name as it is written."""
        own = self.names.get(key)
        return key if own is None else own.spelling

    def who(self, name: str) -> str:
        """Whose the name with a key is."""
        return self.merged.get(name, name)

    def names_of(self, driver: str) -> list[str]:
        """The keys of a person's names, the own one first, then by their first races."""
        others = [name for name, whose in self.merged.items() if whose == driver]
        others.sort(key=lambda name: (self.names[name].since, name))
        return [driver, *others] if driver in self.names else others

    def called(self, driver: str, races: int = 0) -> plain.Driver:
        """A person."""
        written = [self.names[name].spelling for name in self.names_of(driver)] or [driver]
        name = self.titles.get(driver) or written[0]
        names = tuple(dict.fromkeys([name, *written]))
        is_hidden = driver in self.hidden
        return plain.Driver(key=driver, name=name, names=names, races=races, is_hidden=is_hidden)

    # -- what is there ----------------------------------------------------------------------

    def race_of(self, race: str) -> Told:
        """The race with an id.

        Raises:
            BadAct: there is none.
        """
        if race not in self.told:
            raise BadAct(f"there is no race {race!r} in the league")
        return self.told[race]

    def stage_of(self, key: str) -> Stage:
        """The season with a key.

        Raises:
            BadAct: there is none; those that there are are named.
        """
        if key not in self.stages:
            there = f"there are {', '.join(self.stages)}" if self.stages else "there is none yet"
            raise BadAct(f"there is no season {key!r}; {there}")
        return self.stages[key]

    def entrant(self, stage: Stage, name: str) -> str | None:
        """Under which name somebody is on an entry list; None: not entered."""
        same = (one for one in sorted(stage.entrants) if self.who(one) == self.who(name))
        return next(same, None)

    def next_rounds(self, key: str, but: str = "") -> Iterator[int]:
        """The rounds after the last one of a season, without those that are cancelled.

        Args:
            but: a race that is to be moved, and counts for none.
        """
        off = {n for n, one in self.stages[key].calendar.items() if one.cancelled is not None}
        own = self.rounds.get(key, {})
        last = max((number for race, number in own.items() if race != but), default=0)
        return (n for n in count(last + 1) if n not in off)

    def drove(self, told: Told, name: str) -> None:
        """See that the person with a name was in a race.

        Raises:
            BadAct: not so.
        """
        if self.who(name) not in self.people_in(told):
            raise BadAct(f"{self.spelled(name)} was not in that race")

    def people_in(self, told: Told) -> set[str]:
        """Everybody who was in a race, crews too."""
        return {self.who(name) for row in told.rows for name in told.names_of(row)}

    def in_two_cars(self, race: str) -> set[tuple[str, ...]]:
        """Two names each of one person under which different cars of a race were driven; a player
        of two cars has the same name in both."""
        if (told := self.told.get(race)) is None:
            return set()
        cars = [{*told.names_of(row)} for row in told.rows if row.status != "not-started"]
        names = set().union(*cars)
        if len({*map(self.who, names)}) == len(names):  # so nearly always
            return set()
        pairs = (product(one - other, other - one) for one, other in combinations(cars, 2))
        found = (tuple(sorted(two)) for two in chain(*pairs))
        return {two for two in found if self.who(two[0]) == self.who(two[1])}

    def refuse_banned(self, key: str, name: str, number: int) -> None:
        """See that somebody may drive a round.

        Raises:
            BadAct: he is banned from it; the penalty is named.
        """
        conduct = self.conduct(key)
        one = plain.Entrant(driver=self.who(name), name=self.spelled(name))
        why = conduct.banned(one, number) if conduct else None
        if why:
            raise BadAct(str(why))

    # -- what is read -----------------------------------------------------------------------

    def cars(self, told: Told, numbers: Measured = NONE) -> tuple[plain.Entry, ...]:
        """The result of a race as it stands, by place."""
        found = []
        for row in told.rows:
            crew = tuple(dict.fromkeys(map(self.who, told.crews.get(row.seat, ()))))
            trial = row.numbers.get("trial")
            more = {"trial_score": trial["score"], "trial_time": trial["seconds"]} if trial else {}
            found.append(self._entry(row, crew, numbers, **more))
        return tuple(sorted(found, key=lambda one: (one.place, one.seat)))

    def _entry(
        self, row: Row, crew: tuple[str, ...], numbers: Measured, **more: Any
    ) -> plain.Entry:
        own = {name: getattr(row, name) for name in OF_ROW}
        if row.measured and numbers:
            own["numbers"] = {**numbers.get(f"{row.seat}", {}), **row.numbers}
        driver = self.who(intern(key_of(row.player or row.name)))
        return plain.Entry(**own, driver=driver, crew=crew, **more)

    def race(self, told: Told, *, is_slim: bool = False) -> plain.Race:
        """A race with all that belongs to it; a slim one as far as standings need it."""
        race, stage = told.race, self.stages.get(told.race.season or "")
        of_race, numbers = (
            unpacked(told.measured) if told.measured and not is_slim else (None, NONE)
        )
        entries = self.cars(told, numbers)
        changes: dict[str, Any] = {"notes": ()} if is_slim else self._history(told, numbers)
        if of_race is not None:
            changes["numbers"] = of_race
        return replace(
            race,
            entries=entries,
            penalties=(
                *map(self._by_person, told.penalties.values()),
                *self._broken(told, entries),
            ),
            is_trials=stage is not None and stage.season.kind == "trials",
            is_sprint=self._is_sprint(race),
            **changes,
        )

    def _is_sprint(self, race: plain.Race) -> bool:
        """Whether a race has points of its own, and its round a race with those of the season."""
        if race.scoring is None or race.season is None:
            return False
        rounds = self.rounds.get(race.season, {})
        beside = (self.told[one].race for one, number in rounds.items() if number == race.round)
        return any(one.scoring is None and one.counts for one in beside)

    def _history(self, told: Told, numbers: Measured) -> dict[str, Any]:
        *before, _ = told.results()
        earlier = (
            plain.Earlier(
                entries=tuple(
                    self._entry(row, tuple(map(key_of, row.crew)), numbers) for row in rows
                ),
                reason=reason,
                at=at,
            )
            for rows, reason, at in before
        )
        protests = tuple(map(self._by_person, told.protests.values()))
        notes = (*told.race.notes, *told.added)
        return {"earlier": tuple(earlier), "protests": protests, "notes": notes}

    def _broken(self, told: Told, entries: Iterable[plain.Entry]) -> Iterator[plain.Penalty]:
        """The bans that were broken in a race."""
        key, number = told.race.season, told.race.round or 0
        bans = None if key is None else self.conduct(key)
        if bans is None:
            return
        for one in entries:
            drives = sorted({one.driver, *one.people})
            why = next(filter(None, (bans.barred_by(who, number) for who in drives)), None)
            if why is not None:
                yield plain.Penalty(
                    id=why.id,
                    driver=one.driver,
                    reason=why.reason,
                    disqualified=True,
                    banned=True,
                )

    def _by_person(self, one: Any) -> Any:
        """A record of a name as one of its person."""
        return replace(one, driver=self.who(one.driver)) if one.driver else one

    def stages_in(self, key: str) -> list[str]:
        """A season and those of its competition, an earlier step first."""
        cup = self.stages[key].season.competition
        if cup is None:
            return [key]
        own = [one for one, stage in self.stages.items() if stage.season.competition == cup]
        return sorted(own, key=lambda one: self.stages[one].season.step)

    def conduct(self, key: str) -> Conduct | None:
        """What stands against the drivers of a stage; None: nothing bars anybody."""
        return self.once(("conduct", key), lambda: self._judged(key))

    def _judged(self, key: str) -> Conduct | None:
        if not self.has_bans(key):
            return None
        from companion.league.federation import Conduct

        stages = self.stages_in(key)
        of = {one: [self.told[race] for race in self.rounds.get(one, ())] for one in stages}
        mine = self.stages[key].season
        races = {one: [self._without_bans(told) for told in own] for one, own in of.items()}
        earlier = [one for one in stages if self.stages[one].season.step < mine.step]
        before = [(self.season(one), races[one]) for one in earlier]
        return Conduct(self.season(key), races[key], before)

    def has_bans(self, key: str) -> bool:
        """Whether anybody was barred, or may be one day, in a season, or in its competition."""
        for stage in self.stages_in(key):
            told = (self.told[race].penalties for race in self.rounds.get(stage, ()))
            for own in (self.stages[stage].penalties, *told):
                if any(one.bars for one in own.values()):
                    return True
        return False

    def _without_bans(self, told: Told) -> plain.Race:
        own = tuple(map(self._by_person, told.penalties.values()))
        return replace(told.race, entries=self.cars(told), penalties=own)

    def season(self, key: str) -> plain.Season:
        """A season with all that belongs to it."""
        return self.once(("season", key), lambda: self._season(key))

    def _season(self, key: str) -> plain.Season:
        stage, who = self.stages[key], self.who
        teams = sorted(stage.teams.items())
        return replace(
            stage.season,
            teams={who(name): team for (since, name), team in teams if since == 1 and team},
            moves=tuple(plain.Move(driver=who(n), since=s, team=t) for (s, n), t in teams if s > 1),
            stand_ins=tuple(
                plain.StandIn(driver=who(name), absent=who(absent), round=number)
                for (number, name), absent in sorted(stage.stand_ins.items())
            ),
            entrants=self._entrants(stage),
            calendar=self._calendar(stage),
            paths=tuple(stage.paths.values()),
            penalties=tuple(map(self._by_person, stage.penalties.values())),
        )

    def _entrants(self, stage: Stage) -> tuple[plain.Entrant, ...]:
        """The entry list by number, those without one last; a person once."""
        own = sorted(stage.entrants.items(), key=lambda one: (_order(one[1].number), one[0]))
        entered = {self.who(name): one for name, one in reversed(own)}
        found = (
            replace(
                one,
                driver=driver,
                name=self.called(driver).name,
                crew=tuple(dict.fromkeys(map(self.who, one.crew))),
            )
            for driver, one in entered.items()
        )
        return tuple(sorted(found, key=_by_number))

    def _calendar(self, stage: Stage) -> tuple[plain.Planned, ...]:
        said = sorted(stage.coming.items())
        come = {
            at: [
                tuple(self.who(name) for (n, name), is_so in said if (n, is_so) == (at, comes))
                for comes in (True, False)
            ]
            for at in stage.calendar
        }
        return tuple(
            replace(one, coming=come[at][0], absent=come[at][1])
            for at, one in sorted(stage.calendar.items())
        )


def otherwise(of: SlottedT, **changes: Any) -> SlottedT:
    """As `replace`, of what has slots, in a tenth of its time: a fold does it with every act."""
    kind: Any = type(of)
    own = dict(zip(kind.__slots__, _values_of(kind)(of), strict=True))
    own.update(changes)
    return kind(**own)  # type: ignore[no-any-return]  # the same kind


@cache
def _values_of(kind: Any) -> Callable[[Any], tuple[Any, ...]]:
    return attrgetter(*kind.__slots__)


def without(own: Mapping[Any, Any], key: object) -> dict[Any, Any]:
    """The same without what stands under a key."""
    return {at: one for at, one in own.items() if at != key}


def _order(number: int | None) -> int:
    return -1 if number is None else number


def _by_number(one: plain.Entrant) -> tuple[bool, int, str, str]:
    return one.number is None, one.number or 0, one.name.casefold(), one.driver
